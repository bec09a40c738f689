//! What events are called in a trace.

use serde::Serialize;

/// A word of something that traces have: `what`, `kind`, …
pub fn word(of: &impl Serialize, field: &str) -> String {
    serde_json::to_value(of).unwrap()[field].as_str().unwrap_or_default().to_owned()
}
