//! The ports of trees and nodes, and their values.

use super::xml::Element;
use std::collections::{BTreeMap, HashMap};

/// The largest length of a name.
const MAX_NAME: usize = 100;

/// Attributes without an effect on the run.
const SILENT: [&str; 5] = ["_autoremap", "__autoremap", "_description", "_uid", "_fullPath"];

/// The model of a node in `<TreeNodesModel>`.
#[derive(Debug, Default)]
pub(super) struct Model {
    /// `Action`, `Condition`, `Control`, `Decorator`, `SubTree`.
    pub(super) kind: String,
    /// The input ports, with their defaults.
    pub(super) takes: Vec<(String, Option<String>)>,
}

/// Returns the node models of a file, by their ids.
pub(super) fn models(root: &Element) -> HashMap<String, Model> {
    let mut models = HashMap::new();
    for element in root.children.iter().filter(|element| element.tag == "TreeNodesModel").flat_map(|all| &all.children)
    {
        let Some(id) = element.get("ID") else { continue };
        let ports = element.children.iter().filter(|port| port.tag.ends_with("_port"));
        let takes =
            ports.filter_map(|port| Some((port.get("name")?.to_owned(), port.get("default").map(str::to_owned))));
        models.insert(id.to_owned(), Model { kind: element.tag.clone(), takes: takes.collect() });
    }
    models
}

/// Returns whether an attribute is a port, and not a property of the node or one of its conditions and scripts.
pub(super) fn is_port(key: &str) -> bool {
    !key.starts_with('_') && key != "ID" && key != "name"
}

/// Returns the blackboard entry that an attribute refers to.
pub(super) fn entry<'v>(key: &'v str, value: &'v str) -> Option<&'v str> {
    let inner = value.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    Some(if inner == "=" { key } else { inner })
}

/// Returns the tree that an element runs, if it is a subtree.
pub(super) fn subtree(element: &Element) -> Option<&str> {
    (element.tag == "SubTree" || element.tag == "SubTreePlus").then(|| element.get("ID").unwrap_or_default())
}

pub(super) fn remaps_all(element: &Element) -> bool {
    element.get("_autoremap").or(element.get("__autoremap")).is_some_and(is_true)
}

/// Returns whether the value of a port is true.
pub(super) fn is_true(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case("true") || text.trim() == "1"
}

/// Returns the attributes with conditions before a node and scripts after it.
pub(super) fn around(element: &Element) -> impl Iterator<Item = (&str, &str)> {
    let says = |key: &str| key.starts_with('_') && !SILENT.iter().any(|silent| key.eq_ignore_ascii_case(silent));
    element.attributes.iter().filter(move |(key, _)| says(key)).map(|(key, value)| (key.as_str(), value.as_str()))
}

/// Returns the value of an entry in the current round of the enclosing loops.
pub(super) fn item<'i>(items: &'i [(String, String)], entry: &str) -> Option<&'i String> {
    items.iter().rev().find(|(name, _)| name == entry).map(|(_, item)| item)
}

/// Returns the name of the condition that an entry has a value.
pub(super) fn compared(variable: &str, value: &str) -> String {
    format!("{} is {}", clipped(entry("variable", variable).unwrap_or(variable)), clipped(value))
}

/// Returns the parameters of each tree, with their default texts: the ports of its model, the ports that its uses set
/// and, where a use passes all entries of the same name, the entries that the tree refers to.
pub(super) fn taken(trees: &[&Element], models: &HashMap<String, Model>) -> HashMap<String, BTreeMap<String, String>> {
    let mut taken: HashMap<String, BTreeMap<String, String>> = HashMap::new();
    let mut speaks: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut given_all = Vec::new();
    let unset = |port: &str| format!("{{{port}}}");
    for tree in trees {
        let id = tree.get("ID").unwrap_or_default();
        let ports = models.get(id).filter(|model| model.kind == "SubTree").map_or(&[][..], |model| &model.takes);
        let own = taken.entry(id.to_owned()).or_default();
        for (port, default) in ports.iter().filter(|(port, _)| is_name(port)) {
            own.insert(port.clone(), default.clone().unwrap_or_else(|| unset(port)));
        }
        let mut line = vec![*tree];
        while let Some(element) = line.pop() {
            line.extend(&element.children);
            let ports = || element.attributes.iter().filter(|(key, _)| is_port(key));
            speaks.entry(id).or_default().extend(ports().filter_map(|(key, value)| entry(key, value)));
            let Some(sub) = subtree(element) else { continue };
            if remaps_all(element) {
                given_all.push(sub);
            }
            let takes = taken.entry(sub.to_owned()).or_default();
            for (port, _) in ports().filter(|(port, _)| is_name(port)) {
                takes.entry(port.clone()).or_insert_with(|| unset(port));
            }
        }
    }
    given_all.sort_unstable();
    given_all.dedup();
    for sub in given_all {
        let takes = taken.entry(sub.to_owned()).or_default();
        for port in speaks.get(sub).into_iter().flatten().filter(|port| is_name(port)) {
            takes.entry((*port).to_owned()).or_insert_with(|| unset(port));
        }
    }
    taken
}

/// Returns whether a text can be the name of a parameter.
pub(super) fn is_name(name: &str) -> bool {
    let good = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '.';
    !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(good)
}

/// Shortens a text for a message or a name.
pub(super) fn clipped(text: &str) -> String {
    text.chars().take(MAX_NAME / 2).collect()
}
