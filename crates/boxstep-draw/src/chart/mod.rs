//! Displays of behaviors that delegate to each other: a text tree ([`tree()`]), graphs for other tools ([`dot()`],
//! [`mermaid()`]), JSON ([`json()`]), a drawing ([`svg()`]), and a page ([`page()`]).
//!
//! A [`Chart`] contains only texts, so this module is independent of how characters are stored.

mod drawing;

use crate::dot::quoted as dot_quoted;
use crate::json::text;
use crate::mermaid::quoted as mermaid_quoted;
use crate::page::begin;
use crate::text::{one_line, plural};
pub use drawing::{picture, svg};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// The schema version in [`json()`].
pub const SCHEMA: u32 = 1;

/// Behaviors and the delegations between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The title of the chart.
    pub name: String,
    /// The behaviors. Names are unique.
    pub nodes: Vec<Node>,
    /// The relations between behaviors. The child edges of a node are in the order of its children.
    pub edges: Vec<Edge>,
    /// The behaviors that no other one delegates to: indices of nodes, each with its role.
    pub roots: Vec<(usize, String)>,
}

/// A behavior.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The name of the behavior.
    pub name: String,
    /// The kind of behavior, in one word.
    pub kind: String,
    /// The details of its kind.
    pub details: String,
    /// Further notes, one per line.
    pub notes: Vec<String>,
}

/// A relation between two behaviors.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Index of the first node.
    pub from: usize,
    /// Index of the second node.
    pub to: usize,
    /// The kind of relation.
    pub kind: EdgeKind,
    /// The condition, repetition or order, in words.
    pub label: String,
}

/// The kind of relation between two behaviors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// The first behavior may give control to the second.
    Child,
    /// A state machine may change from the first behavior's state to the second's.
    Transition,
    /// The second behavior does not run while the first one does.
    Silences,
}

impl Node {
    /// Formats the node as `hello: say “Hello”`.
    fn title(&self) -> String {
        let details = if self.details.is_empty() { String::new() } else { format!(" {}", self.details) };
        one_line(&format!("{}: {}{details}", self.name, self.kind))
    }
}

impl Chart {
    /// Returns the child edges of each node, by index.
    fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            if edge.kind == EdgeKind::Child && edge.from < self.nodes.len() && edge.to < self.nodes.len() {
                children[edge.from].push(number);
            }
        }
        children
    }

    /// Returns the edges other than child edges whose nodes exist.
    fn others(&self) -> impl Iterator<Item = &Edge> {
        let there = |edge: &&Edge| edge.from < self.nodes.len() && edge.to < self.nodes.len();
        self.edges.iter().filter(there).filter(|edge| edge.kind != EdgeKind::Child)
    }
}

/// A step of a walk through a chart. Each node is expanded once; later occurrences are only named.
struct Step {
    node: usize,
    /// Index of the edge that leads to the node; `None` for a root.
    edge: Option<usize>,
    /// True if the node was expanded earlier.
    again: bool,
    depth: usize,
    /// For each level, whether more siblings follow.
    more: Vec<bool>,
}

/// Returns every occurrence of a behavior, a parent before its children.
fn steps(chart: &Chart) -> Vec<Step> {
    let children = chart.children();
    let mut seen = vec![false; chart.nodes.len()];
    let mut steps = Vec::new();
    for (root, _) in chart.roots.iter().filter(|(root, _)| *root < chart.nodes.len()) {
        let mut line = vec![Step { node: *root, edge: None, again: false, depth: 0, more: Vec::new() }];
        while let Some(mut step) = line.pop() {
            step.again = std::mem::replace(&mut seen[step.node], true);
            if !step.again {
                let own = &children[step.node];
                for (at, edge) in own.iter().enumerate().rev() {
                    let mut more = step.more.clone();
                    more.push(at + 1 < own.len());
                    let (node, depth) = (chart.edges[*edge].to, step.depth + 1);
                    line.push(Step { node, edge: Some(*edge), again: false, depth, more });
                }
            }
            steps.push(step);
        }
    }
    steps
}

/// Formats a chart as a text tree. A behavior that occurs several times is expanded at its first occurrence.
pub fn tree(chart: &Chart) -> String {
    let mut out = one_line(&chart.name) + "\n";
    let children = chart.children();
    for step in steps(chart) {
        let node = &chart.nodes[step.node];
        let bars = |levels: &[bool]| levels.iter().map(|more| if *more { "│  " } else { "   " }).collect::<String>();
        let before = match step.more.split_last() {
            None => String::new(),
            Some((last, levels)) => bars(levels) + if *last { "├─ " } else { "└─ " },
        };
        let label = match step.edge.map(|edge| one_line(&chart.edges[edge].label)) {
            Some(label) if !label.is_empty() => format!("[{label}] "),
            _ => String::new(),
        };
        let root = chart.roots.iter().find(|(root, _)| *root == step.node && step.depth == 0);
        let root = root.map(|(_, what)| format!("({what}) ")).unwrap_or_default();
        if step.again {
            let _ = writeln!(out, "{before}{label}{} (see there)", one_line(&node.name));
            continue;
        }
        let _ = writeln!(out, "{before}{label}{root}{}", node.title());
        let opens = !children[step.node].is_empty();
        for note in &node.notes {
            let _ = writeln!(out, "{}{}  {}", bars(&step.more), if opens { "│" } else { " " }, one_line(note));
        }
    }
    out
}

/// Formats a chart in Graphviz' language.
pub fn dot(chart: &Chart) -> String {
    let mut out = format!("digraph {} {{\n", dot_quoted(&chart.name));
    out.push_str("  rankdir=LR; fontname=\"sans-serif\";\n");
    out.push_str("  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11];\n");
    out.push_str("  edge [fontname=\"sans-serif\", fontsize=9];\n");
    for (number, node) in chart.nodes.iter().enumerate() {
        // Lines of a label end with an escape sequence of the language.
        let lines: Vec<String> = std::iter::once(node.title()).chain(node.notes.iter().map(|n| one_line(n))).collect();
        let quoted: Vec<String> = lines.iter().map(|line| dot_quoted(line)).collect();
        let inner: Vec<&str> = quoted.iter().map(|line| &line[1..line.len() - 1]).collect();
        let _ = writeln!(out, "  b{number} [label=\"{}\"];", inner.join("\\n"));
    }
    for edge in chart.edges.iter().filter(|edge| edge.kind == EdgeKind::Child).chain(chart.others()) {
        let style = match edge.kind {
            EdgeKind::Child => "",
            EdgeKind::Transition => ", style=dashed, constraint=false",
            EdgeKind::Silences => ", style=dotted, arrowhead=tee, constraint=false",
        };
        let label = dot_quoted(&one_line(&edge.label));
        let _ = writeln!(out, "  b{} -> b{} [label={label}{style}];", edge.from, edge.to);
    }
    out.push_str("}\n");
    out
}

/// Formats a chart in Mermaid's language, as a flowchart.
pub fn mermaid(chart: &Chart) -> String {
    let mut out = String::from("flowchart LR\n");
    for (number, node) in chart.nodes.iter().enumerate() {
        let text = std::iter::once(node.title()).chain(node.notes.iter().cloned()).collect::<Vec<_>>().join("; ");
        let _ = writeln!(out, "  b{number}({})", mermaid_quoted(&one_line(&text)));
    }
    for edge in chart.edges.iter().filter(|edge| edge.kind == EdgeKind::Child).chain(chart.others()) {
        let arrow = match edge.kind {
            EdgeKind::Child => "-->",
            EdgeKind::Transition => "-.->",
            EdgeKind::Silences => "-.-x",
        };
        let label = one_line(&edge.label);
        let label = if label.is_empty() { label } else { format!("|{}|", mermaid_quoted(&label)) };
        let _ = writeln!(out, "  b{} {arrow}{label} b{}", edge.from, edge.to);
    }
    out
}

/// A chart as JSON.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Boxstep character, as it is shown")]
struct Document<'a> {
    /// Number of this schema.
    schema: u32,
    /// The character's name.
    name: &'a str,
    /// The behaviors that are given control first, and those that replace them when idle or for safety.
    roots: Vec<Root<'a>>,
    /// The behaviors, in the order of the file.
    behaviors: Vec<ChartBehavior<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct Root<'a> {
    /// The behavior's name.
    behavior: &'a str,
    /// `root`, `idle` or `safe`.
    what: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Behavior")]
struct ChartBehavior<'a> {
    /// Its name.
    name: &'a str,
    /// The key that it has in the file, such as `priority`.
    kind: &'a str,
    /// The details of its kind, in words.
    details: &'a str,
    /// Further notes, in words.
    notes: &'a [String],
    /// Its children, in order.
    children: Vec<Way<'a>>,
    /// The transitions from this state to others.
    transitions: Vec<Way<'a>>,
    /// The behaviors that do not run while this one runs.
    silences: Vec<Way<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct Way<'a> {
    /// The behavior's name.
    to: &'a str,
    /// The condition, repetition or order, in words.
    when: &'a str,
}

/// Formats a chart as pretty-printed JSON with a line end.
pub fn json(chart: &Chart) -> String {
    let mut ways: Vec<[Vec<Way<'_>>; 3]> = chart.nodes.iter().map(|_| Default::default()).collect();
    for edge in &chart.edges {
        let (Some(from), Some(to)) = (ways.get_mut(edge.from), chart.nodes.get(edge.to)) else { continue };
        let kind = match edge.kind {
            EdgeKind::Child => 0,
            EdgeKind::Transition => 1,
            EdgeKind::Silences => 2,
        };
        from[kind].push(Way { to: &to.name, when: &edge.label });
    }
    let behaviors = chart.nodes.iter().zip(ways).map(|(node, [children, transitions, silences])| ChartBehavior {
        name: &node.name,
        kind: &node.kind,
        details: &node.details,
        notes: &node.notes,
        children,
        transitions,
        silences,
    });
    let roots = chart.roots.iter().filter_map(|(at, what)| Some(Root { behavior: &chart.nodes.get(*at)?.name, what }));
    let roots = roots.collect();
    text(&Document { schema: SCHEMA, name: &chart.name, roots, behaviors: behaviors.collect() })
}

/// The JSON Schema of [`json()`].
pub fn json_schema() -> String {
    crate::json::schema_of::<Document<'_>>()
}

/// Returns an HTML page with the drawing and the text of every behavior. It needs no network, no script and no other
/// file.
pub fn page(chart: &Chart) -> String {
    let mut xml = begin(&chart.name);
    xml.tag("main").attr("id", "main").attr("class", "alone").open();
    xml.leaf("h1", &one_line(&chart.name));
    let count = chart.nodes.len();
    xml.tag("p").attr("class", "soft").text(&format!("{count} behavior{}", plural(count)));
    let tag = xml.tag("div").attr("class", "scroll draw").attr("tabindex", "0");
    tag.attr("role", "region").attr("aria-label", "Drawing").open();
    drawing::sheet(&mut xml, chart, false, false);
    xml.close();
    xml.line();
    xml.tag("details").attr("open", "").open();
    xml.leaf("summary", "As text");
    xml.tag("pre").attr("tabindex", "0").text(&tree(chart));
    xml.close();
    xml.close();
    xml.finish() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, kind: &str, notes: &[&str]) -> Node {
        let notes = notes.iter().map(|&note| note.to_owned()).collect();
        Node { name: name.into(), kind: kind.into(), details: String::new(), notes }
    }

    fn edge(from: usize, to: usize, kind: EdgeKind, label: &str) -> Edge {
        Edge { from, to, kind, label: label.into() }
    }

    fn chart() -> Chart {
        Chart {
            name: "Guide <b>\"x\"".into(),
            nodes: vec![
                node("main", "priority", &["claims legs"]),
                node("hello", "say", &[]),
                node("tour", "queue", &[]),
                node("idle", "wait", &["when free arms"]),
            ],
            edges: vec![
                edge(0, 1, EdgeKind::Child, "1, when event Face"),
                edge(0, 2, EdgeKind::Child, "2"),
                edge(2, 1, EdgeKind::Child, "1"),
                edge(2, 3, EdgeKind::Child, "2"),
                edge(1, 3, EdgeKind::Transition, "at once"),
                edge(2, 3, EdgeKind::Silences, ""),
            ],
            roots: vec![(0, "root".into())],
        }
    }

    #[test]
    fn a_tree_opens_each_behavior_once_with_labels_and_notes() {
        let expected = "\
Guide <b>\"x\"
(root) main: priority
│  claims legs
├─ [1, when event Face] hello: say
└─ [2] tour: queue
   ├─ [1] hello (see there)
   └─ [2] idle: wait
         when free arms
";
        assert_eq!(tree(&chart()), expected);
    }

    #[test]
    fn graphs_have_every_edge_with_its_words() {
        let dot = dot(&chart());
        assert!(dot.starts_with("digraph \"Guide <b>\\\"x\\\"\" {"), "{dot}");
        for line in [
            "b0 [label=\"main: priority\\nclaims legs\"];",
            "b0 -> b1 [label=\"1, when event Face\"];",
            "b1 -> b3 [label=\"at once\", style=dashed, constraint=false];",
            "b2 -> b3 [label=\"\", style=dotted, arrowhead=tee, constraint=false];",
        ] {
            assert!(dot.contains(line), "{line}\n{dot}");
        }
        let mermaid = mermaid(&chart());
        for line in ["b0(\"main: priority#59; claims legs\")", "b0 -->|\"1, when event Face\"| b1", "b2 -.-x b3"] {
            assert!(mermaid.contains(line), "{line}\n{mermaid}");
        }
    }

    #[test]
    fn json_names_behaviors_and_follows_its_schema() {
        let value: serde_json::Value = serde_json::from_str(&json(&chart())).unwrap();
        assert_eq!(value["behaviors"][0]["children"][1]["to"], "tour");
        assert_eq!(value["behaviors"][1]["transitions"][0]["when"], "at once");
        assert_eq!(value["roots"][0]["behavior"], "main");
        let schema: serde_json::Value = serde_json::from_str(&json_schema()).unwrap();
        assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&value));
    }

    #[test]
    fn drawings_are_xml_with_every_behavior_and_no_markup_of_others() {
        for text in [svg(&chart()), page(&chart())] {
            assert!(!text.contains("<b>") && text.contains("Guide &lt;b&gt;"), "{text}");
            for name in ["main", "hello", "tour", "idle", "when free arms", "1, when event Face"] {
                assert!(text.contains(name), "{name}\n{text}");
            }
        }
        let drawn = svg(&chart());
        let mut reader = quick_xml::Reader::from_str(&drawn);
        while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
    }

    #[test]
    fn any_chart_is_shown_without_a_panic() {
        let odd = Chart {
            edges: vec![
                edge(0, 9, EdgeKind::Child, "x"),
                edge(9, 0, EdgeKind::Child, ""),
                edge(0, 0, EdgeKind::Child, ""),
            ],
            roots: vec![(0, "root".into()), (7, "safe".into())],
            nodes: vec![node("", "", &[""])],
            name: String::new(),
        };
        for text in [tree(&odd), dot(&odd), mermaid(&odd), json(&odd), svg(&odd), page(&odd)] {
            assert!(!text.is_empty());
        }
    }
}
