//! Diagnostics as JSON.

use boxstep_types::{Diagnostic, Sources, Span};
use serde_json::{Map, Value, json};

/// Converts a diagnostic to an object with `code`, `name`, `severity`, `message`, and if known `file`, `line`,
/// `column`, `end_line`, `end_column` (from 1; columns count characters; the end is exclusive), `box`, `help`, and
/// `notes` (each with `message` and a place). `file` is the file of a finding without a span.
pub fn to_json(diagnostic: &Diagnostic, sources: &Sources, file: &str) -> Value {
    let mut object = Map::new();
    object.insert("code".into(), diagnostic.code.to_string().into());
    object.insert("name".into(), diagnostic.code.name.into());
    object.insert("severity".into(), diagnostic.severity.to_string().into());
    object.insert("message".into(), diagnostic.message.clone().into());
    if let Some(span) = diagnostic.span {
        place(&mut object, span, sources);
    } else if !file.is_empty() {
        object.insert("file".into(), file.into());
    }
    if let Some(path) = &diagnostic.path {
        object.insert("box".into(), path.to_string().into());
    }
    if let Some(help) = &diagnostic.help {
        object.insert("help".into(), help.clone().into());
    }
    if !diagnostic.notes.is_empty() {
        let notes = diagnostic.notes.iter().map(|note| {
            let mut object = Map::new();
            object.insert("message".into(), note.message.clone().into());
            if let Some(span) = note.span {
                place(&mut object, span, sources);
            }
            Value::Object(object)
        });
        object.insert("notes".into(), notes.collect());
    }
    Value::Object(object)
}

fn place(object: &mut Map<String, Value>, span: Span, sources: &Sources) {
    let (start, end) = (sources.line_col(span.file, span.start), sources.line_col(span.file, span.end));
    object.insert("file".into(), json!(sources.name(span.file)));
    object.insert("line".into(), json!(start.line));
    object.insert("column".into(), json!(start.col));
    object.insert("end_line".into(), json!(end.line));
    object.insert("end_column".into(), json!(end.col));
}
