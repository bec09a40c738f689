//! Findings as SARIF 2.1.0, which code hosts and editors can read.

use crate::{baseline, explain};
use boxstep_types::{Diagnostic, Severity, Sources, Span};
use serde_json::{Map, Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A finding with the texts that its spans refer to.
#[derive(Clone, Copy)]
pub struct Reported<'a> {
    /// The finding.
    pub finding: &'a Diagnostic,
    /// The texts that its spans refer to.
    pub sources: &'a Sources,
    /// The file of a finding without a span.
    pub file: &'a str,
}

/// Returns a SARIF log with one run that contains all findings. `version` is the version of Boxstep.
pub fn sarif<'a>(version: &str, found: impl IntoIterator<Item = Reported<'a>>) -> Value {
    let mut rules: Vec<(u16, Value)> = Vec::new();
    let mut results = Vec::new();
    for reported in found {
        let code = reported.finding.code;
        let index = rules.iter().position(|(n, _)| *n == code.number).unwrap_or_else(|| {
            rules.push((code.number, rule(reported.finding)));
            rules.len() - 1
        });
        results.push(result(&reported, index));
    }
    let rules: Vec<Value> = rules.into_iter().map(|(_, rule)| rule).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "boxstep",
                "semanticVersion": version,
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(finding: &Diagnostic) -> Value {
    let page = explain(&finding.code.to_string()).unwrap_or_default();
    // The paragraph after the title describes the code.
    let short = page.split("\n\n").nth(1).unwrap_or(finding.code.name).replace('\n', " ");
    json!({
        "id": finding.code.to_string(),
        "name": finding.code.name,
        "shortDescription": { "text": short.trim() },
        "help": { "text": page, "markdown": page },
    })
}

fn result(reported: &Reported<'_>, index: usize) -> Value {
    let Reported { finding, sources, file } = *reported;
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut text = finding.message.clone();
    if let Some(help) = &finding.help {
        text = format!("{text} ({help})");
    }
    let mut location = Map::new();
    let place = match finding.span {
        Some(span) => Some(physical(span, sources)),
        None => (!file.is_empty()).then(|| json!({ "artifactLocation": { "uri": uri(file) } })),
    };
    location.extend(place.map(|place| ("physicalLocation".to_owned(), place)));
    if let Some(path) = &finding.path {
        let logical = json!([{ "name": path.name(), "fullyQualifiedName": path.to_string(), "kind": "object" }]);
        location.insert("logicalLocations".into(), logical);
    }
    let mut result = Map::new();
    result.insert("ruleId".into(), finding.code.to_string().into());
    result.insert("ruleIndex".into(), index.into());
    result.insert("level".into(), level.into());
    result.insert("message".into(), json!({ "text": text }));
    let locations = if location.is_empty() { Vec::new() } else { vec![location.into()] };
    result.insert("locations".into(), Value::Array(locations));
    let related = finding.notes.iter().filter_map(|note| {
        Some(json!({ "message": { "text": note.message }, "physicalLocation": physical(note.span?, sources) }))
    });
    let related: Vec<Value> = related.collect();
    if !related.is_empty() {
        result.insert("relatedLocations".into(), related.into());
    }
    // The key of baselines stays the same when lines move.
    let print = baseline::key(finding, file);
    result.insert("partialFingerprints".into(), json!({ "boxstep/v1": print }));
    result.into()
}

fn physical(span: Span, sources: &Sources) -> Value {
    let (start, end) = (sources.line_col(span.file, span.start), sources.line_col(span.file, span.end));
    json!({
        "artifactLocation": { "uri": uri(sources.name(span.file)) },
        "region": {
            "startLine": start.line,
            "startColumn": start.col,
            "endLine": end.line,
            "endColumn": end.col,
        },
    })
}

/// Converts a path to a URI: a relative path stays relative, an absolute one begins with `file://`. Other characters
/// than unreserved ones are percent-encoded.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut uri = String::new();
    let bytes = path.as_bytes();
    if path.starts_with('/') {
        uri.push_str("file://");
    } else if bytes.get(1) == Some(&b':') {
        uri.push_str("file:///");
    }
    let drive = usize::from(bytes.get(1) == Some(&b':'));
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(*byte)),
            b':' if i == drive => uri.push(':'),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("a b/é.xar"), "a%20b/%C3%A9.xar");
        assert_eq!(uri("/x/100%.xar"), "file:///x/100%25.xar");
        assert_eq!(uri("C:\\x\\y.xar"), "file:///C:/x/y.xar");
        assert_eq!(uri("a:b.xar"), "file:///a:b.xar");
        assert_eq!(uri("ab:c.xar"), "ab%3Ac.xar");
    }
}
