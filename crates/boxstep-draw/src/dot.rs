//! A behavior in Graphviz' language: boxes with contents are clusters, their ports are small nodes.

use crate::graph::{Cluster, LayoutEdge, LayoutItem, graph};
use crate::level::Level;
use crate::scene::Icon;
use std::fmt::Write as _;

/// Formats a level and everything inside it as a `digraph`.
pub fn dot(level: &Level<'_>) -> String {
    let top = graph(level);
    let mut out = format!("digraph {} {{\n", quoted(&level.at.path.to_string()));
    out.push_str("  rankdir=LR; compound=true; fontname=\"sans-serif\";\n");
    out.push_str("  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11];\n");
    out.push_str("  edge [fontname=\"sans-serif\", fontsize=9];\n");
    cluster(&mut out, &top, 1);
    out.push_str("}\n");
    out
}

fn cluster(out: &mut String, c: &Cluster, depth: usize) {
    let pad = "  ".repeat(depth);
    let _ = writeln!(out, "{pad}subgraph cluster_{} {{", c.id);
    let _ = writeln!(out, "{pad}  label={}; style=rounded;", quoted(&c.label));
    for (id, name, _) in &c.ports {
        let _ = writeln!(out, "{pad}  {id} [label={}, shape=cds, fontsize=9];", quoted(name));
    }
    if c.ports.is_empty() && c.items.is_empty() {
        // Graphviz does not draw an empty cluster.
        let _ = writeln!(out, "{pad}  {}_empty [label=\"\", shape=point, style=invis];", c.id);
    }
    for item in &c.items {
        match item {
            LayoutItem::Node { id, label, kind } => {
                let shape = if *kind == Icon::Dialog { ", shape=note" } else { "" };
                let _ = writeln!(out, "{pad}  {id} [label={}{shape}];", quoted(label));
            }
            LayoutItem::Cluster(inner) => cluster(out, inner, depth + 1),
        }
    }
    for LayoutEdge { from, to, label } in &c.edges {
        let label = if label.is_empty() { String::new() } else { format!(" [label={}]", quoted(label)) };
        let _ = writeln!(out, "{pad}  {from} -> {to}{label};");
    }
    let _ = writeln!(out, "{pad}}}");
}

/// Quotes a string. In labels, `\` begins an escape sequence and `&` an entity.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
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
        fn a_string_ends_where_it_should(text in any::<String>()) {
            let quoted = quoted(&text);
            let inner = quoted.strip_prefix('"').and_then(|q| q.strip_suffix('"')).unwrap();
            let mut chars = inner.chars();
            while let Some(c) = chars.next() {
                prop_assert!(c != '"' && !c.is_control());
                if c == '\\' {
                    prop_assert!(matches!(chars.next(), Some('\\' | '"')));
                }
            }
        }
    }
}
