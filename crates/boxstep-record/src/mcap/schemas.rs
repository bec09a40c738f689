//! The JSON Schemas of the messages. Foxglove recognizes the one of logs by its name.

use boxstep_types::Value;
use serde_json::json;

/// A line of the trace (`docs/reference/trace.md`). The other fields depend on its kind.
pub(super) const EVENT: &str = r#"{"title":"boxstep.Event","type":"object","properties":{"n":{"type":"integer"},"t":{"type":"integer","description":"nanoseconds since the start"},"cause":{"type":"integer","description":"n of the event that caused it"},"path":{"type":"string","description":"the box"},"kind":{"type":"string"},"dir":{"type":"string","enum":["in","out"]},"port":{"type":"string"},"phase":{"type":"string"},"name":{"type":"string"},"method":{"type":"string"},"service":{"type":"string"},"key":{"type":"string"},"text":{"type":"string"},"what":{"type":"string"}},"required":["n","t","cause","kind"]}"#;

/// Foxglove's `foxglove.Log`: <https://docs.foxglove.dev/docs/sdk/schemas/log>.
pub(super) const LOG: &str = r#"{"title":"foxglove.Log","type":"object","properties":{"timestamp":{"type":"object","title":"time","properties":{"sec":{"type":"integer","minimum":0},"nsec":{"type":"integer","minimum":0,"maximum":999999999}}},"level":{"title":"foxglove.LogLevel","description":"0 unknown, 1 debug, 2 info, 3 warning, 4 error, 5 fatal","oneOf":[{"title":"UNKNOWN","const":0},{"title":"DEBUG","const":1},{"title":"INFO","const":2},{"title":"WARNING","const":3},{"title":"ERROR","const":4},{"title":"FATAL","const":5}]},"message":{"type":"string"},"name":{"type":"string","description":"the box"},"file":{"type":"string","description":"the box, whose script it is"},"line":{"type":"integer","minimum":0,"description":"line of the box's script; 0 if not known"}},"required":["timestamp","level","message","name","file","line"]}"#;

/// Returns the schema of joint angles by joint name, in radians; hands from 0 to 1.
pub(super) fn joints<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let properties: serde_json::Map<String, serde_json::Value> =
        names.map(|name| (name.to_owned(), json!({ "type": "number" }))).collect();
    json!({ "title": "boxstep.Joints", "type": "object", "properties": properties }).to_string()
}

/// Returns the name and the schema of a key of the robot's memory, according to its first value.
pub(super) fn memory(value: &Value) -> (&'static str, String) {
    let (name, kind) = match value {
        Value::Int(_) | Value::Float(_) => ("boxstep.Number", json!({ "type": "number" })),
        Value::Str(_) => ("boxstep.Text", json!({ "type": "string" })),
        Value::Bool(_) => ("boxstep.Flag", json!({ "type": "boolean" })),
        _ => ("boxstep.Value", json!({})),
    };
    (name, json!({ "title": name, "type": "object", "properties": { "value": kind } }).to_string())
}
