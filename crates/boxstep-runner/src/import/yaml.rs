//! Writes the text of a character for users to edit: blocks, one behavior on each line, comments.

use std::fmt::Write as _;

/// A value to write.
#[derive(Clone, Debug)]
pub(super) enum Yaml {
    /// Written as it is: a number, `true`.
    Plain(String),
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
    /// A value with a comment before it.
    Noted(String, Box<Yaml>),
}

impl Yaml {
    pub(super) fn map<const N: usize>(pairs: [(&str, Yaml); N]) -> Yaml {
        Yaml::Map(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    pub(super) fn plain(value: impl ToString) -> Yaml {
        Yaml::Plain(value.to_string())
    }

    pub(super) fn text(value: impl Into<String>) -> Yaml {
        Yaml::Text(value.into())
    }

    /// Returns a reference to a parameter.
    pub(super) fn parameter(name: &str) -> Yaml {
        Yaml::Text(format!("${name}"))
    }

    /// Returns a literal text; `$` at its beginning is escaped.
    pub(super) fn literal(value: &str) -> Yaml {
        Yaml::Text(if value.starts_with('$') { format!("${value}") } else { value.to_owned() })
    }

    pub(super) fn noted(self, comment: &str) -> Yaml {
        Yaml::Noted(comment.to_owned(), Box::new(self))
    }

    /// Returns the text of a file of these pairs.
    pub(super) fn file(pairs: &[(String, Yaml)]) -> String {
        let mut text = String::new();
        for (key, value) in pairs {
            let (comment, value) = match value {
                Yaml::Noted(comment, value) => (Some(comment), &**value),
                other => (None, other),
            };
            if let Some(comment) = comment {
                let _ = writeln!(text, "# {}", one_line(comment));
            }
            match value {
                // The sections of a file are blocks, even small ones.
                Yaml::Map(inner) if !inner.is_empty() => {
                    let _ = writeln!(text, "{}:", key_of(key));
                    inner.iter().for_each(|(key, value)| write_pair(&mut text, key, value, 1));
                }
                other => write_pair(&mut text, key, other, 0),
            }
        }
        text
    }
}

/// Returns the value in one line, if it fits.
fn in_line(value: &Yaml) -> Option<String> {
    match value {
        Yaml::Plain(plain) => Some(plain.clone()),
        Yaml::Text(text) => Some(quoted(text)),
        Yaml::List(items) => {
            let items: Option<Vec<String>> = items.iter().map(short).collect();
            items.map(|items| format!("[{}]", items.join(", "))).filter(|line| line.len() <= 100)
        }
        Yaml::Map(pairs) => {
            let pair = |(key, value): &(String, Yaml)| Some(format!("{}: {}", key_of(key), short(value)?));
            let pairs: Option<Vec<String>> = pairs.iter().map(pair).collect();
            let pairs = pairs?.join(", ");
            Some(if pairs.is_empty() { "{}".to_owned() } else { format!("{{ {pairs} }}") })
                .filter(|line| line.len() <= 100)
        }
        Yaml::Noted(..) => None,
    }
}

/// Returns the value for a line that it shares with others; not for nested behaviors.
fn short(value: &Yaml) -> Option<String> {
    match value {
        Yaml::Map(pairs) if pairs.iter().any(|(_, value)| matches!(value, Yaml::Map(inner) if inner.len() > 3)) => None,
        other => in_line(other),
    }
}

fn write_pair(text: &mut String, key: &str, value: &Yaml, depth: usize) {
    let indent = "  ".repeat(depth);
    let value = match value {
        Yaml::Noted(comment, value) => {
            let _ = writeln!(text, "{indent}# {}", one_line(comment));
            &**value
        }
        other => other,
    };
    match (value, in_line(value)) {
        (_, Some(line)) => {
            let _ = writeln!(text, "{indent}{}: {line}", key_of(key));
        }
        (Yaml::Map(pairs), None) => {
            let _ = writeln!(text, "{indent}{}:", key_of(key));
            pairs.iter().for_each(|(key, value)| write_pair(text, key, value, depth + 1));
        }
        (Yaml::List(items), None) => {
            let _ = writeln!(text, "{indent}{}:", key_of(key));
            items.iter().for_each(|item| write_item(text, item, depth + 1));
        }
        _ => {}
    }
}

fn write_item(text: &mut String, item: &Yaml, depth: usize) {
    let indent = "  ".repeat(depth);
    let item = match item {
        Yaml::Noted(comment, item) => {
            let _ = writeln!(text, "{indent}# {}", one_line(comment));
            &**item
        }
        other => other,
    };
    match (item, in_line(item)) {
        (_, Some(line)) => {
            let _ = writeln!(text, "{indent}- {line}");
        }
        (Yaml::Map(pairs), None) => {
            // The first pair is on the line of the dash.
            let start = text.len();
            pairs.iter().for_each(|(key, value)| write_pair(text, key, value, depth + 1));
            let first = start + text[start..].len() - text[start..].trim_start().len();
            // A comment stays before the dash.
            if text[first..].starts_with('#') {
                text.insert_str(start, &format!("{indent}-\n"));
            } else {
                text.replace_range(start..first, &format!("{indent}- "));
            }
        }
        (Yaml::List(items), None) => {
            let _ = writeln!(text, "{indent}-");
            items.iter().for_each(|item| write_item(text, item, depth + 1));
        }
        _ => {}
    }
}

fn one_line(comment: &str) -> String {
    comment
        .chars()
        .map(|c| if c.is_control() || "\u{85}\u{2028}\u{2029}\u{feff}".contains(c) { ' ' } else { c })
        .collect()
}

fn key_of(key: &str) -> String {
    let word = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let other = ["true", "false", "null"].iter().any(|word| key.eq_ignore_ascii_case(word));
    if word && !other { key.to_owned() } else { quoted(key) }
}

/// Quotes a text, and escapes all that YAML does not print.
fn quoted(text: &str) -> String {
    let mut all = String::with_capacity(text.len() + 2);
    all.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => all.extend(['\\', c]),
            '\n' => all.push_str("\\n"),
            '\t' => all.push_str("\\t"),
            ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' => all.push(c),
            other => {
                let _ = write!(all, "\\U{:08X}", other as u32);
            }
        }
    }
    all.push('"');
    all
}

/// Removes the comment.
pub(super) fn plain(yaml: Yaml) -> Yaml {
    match yaml {
        Yaml::Noted(_, inner) => plain(*inner),
        other => other,
    }
}

/// Adds a key to a map.
pub(super) fn with(yaml: Yaml, key: &str, value: Yaml) -> Yaml {
    match yaml {
        // Placeholders for nodes without children get no more keys.
        Yaml::Map(mut pairs) if !pairs.iter().any(|(key, _)| key == "wait") => {
            pairs.push((key.to_owned(), value));
            Yaml::Map(pairs)
        }
        other => other,
    }
}

/// Returns a behavior that is done at once.
pub(super) fn done() -> Yaml {
    Yaml::map([("wait", Yaml::plain(0))])
}

/// Returns a behavior that fails at once.
pub(super) fn failed() -> Yaml {
    Yaml::map([("wait", Yaml::plain(0)), ("fails", Yaml::plain(true))])
}
