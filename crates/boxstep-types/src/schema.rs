//! The JSON Schema of values, times and paths.

use crate::{BoxPath, Time, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

macro_rules! schema {
    ($($name:ident: $schema:expr,)*) => { $(
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )* };
}

schema! {
    Value: json_schema!({
        "type": ["null", "boolean", "number", "string", "array", "object"],
        "description": "Any JSON. What JSON lacks has one of these forms: {\"$bytes\":base64}, {\"$float\":\"nan\", \"inf\" or \"-inf\"}, {\"$object\":number}, {\"$map\":[[key,value],…]}, {\"$digest\":{size,format,sha256}} of a large binary value",
    }),
    Time: json_schema!({ "type": "integer", "description": "Nanoseconds since the start of the run." }),
    BoxPath: json_schema!({ "type": "string", "description": "The path of a box, as every message and option names it." }),
}
