//! The JSON Schema of the lines of a trace.

use crate::line::Fields;
use crate::{Footer, Header};
use schemars::generate::SchemaSettings;
use schemars::transform::RemoveRefSiblings;
use schemars::{JsonSchema, Schema};

/// A line of a trace: the first, one of an event, or the last.
#[derive(JsonSchema)]
#[schemars(untagged, title = "TraceLine")]
#[expect(dead_code, reason = "only its schema is made")]
enum Line {
    Header(Header),
    Event(Fields<'static>),
    Footer(Footer),
}

/// The schema of a line of a trace. `docs/schemas/trace.schema.json` is its text.
pub fn schema() -> Schema {
    // Not every tool reads what stands beside a `$ref`.
    SchemaSettings::default()
        .with_transform(RemoveRefSiblings::default())
        .into_generator()
        .into_root_schema_for::<Line>()
}
