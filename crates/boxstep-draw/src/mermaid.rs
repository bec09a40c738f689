//! A behavior in Mermaid's language, which many wikis and code hosts can draw: boxes with contents are subgraphs.

use crate::graph::{Cluster, LayoutEdge, LayoutItem, graph};
use crate::level::Level;
use crate::scene::Icon;
use std::fmt::Write as _;

/// Formats a level and everything inside it as a `flowchart`.
pub fn mermaid(level: &Level<'_>) -> String {
    let mut out = String::from("flowchart LR\n");
    cluster(&mut out, &graph(level), 1);
    out
}

fn cluster(out: &mut String, c: &Cluster, depth: usize) {
    let pad = "  ".repeat(depth);
    let _ = writeln!(out, "{pad}subgraph {}[{}]", c.id, quoted(&c.label));
    let _ = writeln!(out, "{pad}  direction LR");
    for (id, name, input) in &c.ports {
        let (open, close) = if *input { (">", "]") } else { ("([", "])") };
        let _ = writeln!(out, "{pad}  {id}{open}{}{close}", quoted(name));
    }
    if c.ports.is_empty() && c.items.is_empty() {
        // Mermaid draws an empty subgraph as a node; with an invisible item it stays a subgraph.
        let _ = writeln!(out, "{pad}  {}_empty[\" \"]", c.id);
    }
    for item in &c.items {
        match item {
            LayoutItem::Node { id, label, kind } => {
                let (open, close) = if *kind == Icon::Dialog { ("[/", "/]") } else { ("(", ")") };
                let _ = writeln!(out, "{pad}  {id}{open}{}{close}", quoted(label));
            }
            LayoutItem::Cluster(inner) => cluster(out, inner, depth + 1),
        }
    }
    let _ = writeln!(out, "{pad}end");
    for LayoutEdge { from, to, label } in &c.edges {
        let label = if label.is_empty() { String::new() } else { format!("|{}|", quoted(label)) };
        let _ = writeln!(out, "{pad}{from} -->{label} {to}");
    }
}

/// Quotes a string. Every character with a meaning becomes a character code such as `#34;`. An empty text would be an
/// error, so it becomes a space.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            c if c.is_alphanumeric()
                || matches!(c, ' ' | '.' | ',' | '→' | '/' | ':' | '_' | '-' | '(' | ')' | '…') =>
            {
                out.push(c)
            }
            c if c.is_control() => out.push(' '),
            c => {
                let _ = write!(out, "#{};", c as u32);
            }
        }
    }
    if text.trim().is_empty() {
        out.push_str("#32;");
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_string_has_nothing_that_means_something(text in any::<String>()) {
            let quoted = quoted(&text);
            let inner = quoted.strip_prefix('"').and_then(|q| q.strip_suffix('"')).unwrap();
            prop_assert!(!inner.is_empty());
            let special = ['"', '`', '<', '>', '|', '[', ']', '{', '}', '\n', '&', '\\'];
            prop_assert!(!inner.contains(special));
            let codes = inner.split('#').skip(1);
            for code in codes {
                let digits = code.split(';').next().unwrap();
                prop_assert!(digits.chars().all(|c| c.is_ascii_digit()) && !digits.is_empty());
            }
        }
    }
}
