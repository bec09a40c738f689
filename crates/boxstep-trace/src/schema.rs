//! The JSON Schema of the lines of a trace.

use crate::line::Fields;
use crate::{Footer, Header};
use schemars::generate::SchemaSettings;
use schemars::transform::RemoveRefSiblings;
use schemars::{JsonSchema, Schema};

/// A line of a trace: the header, an event, or the footer.
#[derive(JsonSchema)]
#[schemars(untagged, title = "TraceLine")]
#[expect(dead_code, reason = "only its schema is made")]
enum Line {
    Header(Header),
    Event(Fields<'static>),
    Footer(Footer),
}

/// Returns the JSON Schema of a line of a trace, which is the content of `docs/schemas/trace.schema.json`.
pub fn schema() -> Schema {
    // Some tools ignore the keywords beside a `$ref`.
    SchemaSettings::default()
        .with_transform(RemoveRefSiblings::default())
        .into_generator()
        .into_root_schema_for::<Line>()
}
