//! Imports BehaviorTree.CPP files (XML, version 4): a behavior tree becomes the text of a character that can run at
//! once. `docs/start/behavior-trees.md` describes what each kind of node becomes.

mod decorators;
mod nodes;
mod ports;
mod xml;
mod yaml;

use crate::built::check;
use crate::finding::{Finding, Rule};
use boxstep_types::{Severity, meant};
use nodes::Importer;
use std::sync::Arc;
use xml::Element;

/// The result of an import.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The text of a character's file, for the user to edit; `None` if the tree cannot be imported.
    pub character: Option<String>,
    /// The slots that are open, the parts that could not be imported, and why there is no character.
    pub findings: Vec<Finding>,
}

/// Imports a BehaviorTree.CPP file, version 4. `file` is its name, which findings print; `tree` is the tree that runs,
/// if it is not the one in the file's `main_tree_to_execute`.
///
/// [`check`] finds no errors in the character. Leaves that only the tree's own program knows are slots under
/// `bindings`, which are done after a second, and conditions are parameters with the value true, until the user defines
/// them.
///
/// ```
/// use boxstep_runner::{Character, import::behavior_tree};
///
/// let tree = r#"<root BTCPP_format="4"><BehaviorTree ID="Main"><Sequence><Greet/><Sleep msec="500"/></Sequence></BehaviorTree></root>"#;
/// let text = behavior_tree(tree, "main.xml", None).character.expect("a tree that can be imported");
/// let character = Character::read(&text, "main.yaml", &[]).expect("no errors");
/// assert_eq!(&*character.root, "Main");
/// assert!(text.contains("Greet: { takes: {}, wait: 1 }"), "a leaf that only the tree's own program knows");
/// ```
pub fn behavior_tree(text: &str, file: &str, tree: Option<&str>) -> Imported {
    let mut findings = Vec::new();
    let character = import(text, tree, &mut findings);
    findings.sort_by_key(|finding| finding.at.start);
    let name: Arc<str> = file.into();
    findings.iter_mut().for_each(|finding| finding.file = name.clone());
    let Some(character) = character else { return Imported { character: None, findings } };
    let unsound: Vec<Finding> =
        check(&character, "character.yaml").into_iter().filter(|f| f.severity() == Severity::Error).collect();
    if unsound.is_empty() {
        return Imported { character: Some(character), findings };
    }
    findings.extend(unsound);
    Imported { character: None, findings }
}

fn import(text: &str, tree: Option<&str>, findings: &mut Vec<Finding>) -> Option<String> {
    let root = match xml::read(text) {
        Ok(root) => root,
        Err(finding) => {
            findings.push(finding);
            return None;
        }
    };
    let mut refuse = |at, why: String, help| findings.push(Finding::new(Rule::NotTree, at, why).help(help));
    if root.tag != "root" {
        refuse(
            root.at,
            format!("a behavior tree begins with <root>, and this is <{}>", ports::clipped(&root.tag)),
            None,
        );
        return None;
    }
    if let Some(include) = root.children.iter().find(|element| element.tag == "include") {
        let help = Some("put the trees of both into one file, or import the other one, too".to_owned());
        refuse(include.at, "other files are not read: <include> leads out of this one".to_owned(), help);
        return None;
    }
    let trees: Vec<&Element> = root.children.iter().filter(|element| element.tag == "BehaviorTree").collect();
    let id = |element: &Element| element.get("ID").unwrap_or_default().to_owned();
    let wanted = tree.or(root.get("main_tree_to_execute"));
    let main = match (wanted, trees.as_slice()) {
        (_, []) => {
            refuse(root.at, "there is no <BehaviorTree>".to_owned(), None);
            return None;
        }
        (Some(wanted), trees) => match trees.iter().find(|element| element.get("ID") == Some(wanted)) {
            Some(found) => *found,
            None => {
                let names: Vec<String> = trees.iter().map(|element| id(element)).collect();
                let help = meant(wanted, names.iter().take(500).map(String::as_str));
                refuse(root.at, format!("there is no tree `{}`", ports::clipped(wanted)), help);
                return None;
            }
        },
        (None, [one]) => *one,
        (None, [first, ..]) => {
            let why = format!("no `main_tree_to_execute` says which tree is run; `{}` is", ports::clipped(&id(first)));
            findings.push(Finding::new(Rule::NotCarried, root.at, why));
            *first
        }
    };
    if root.get("BTCPP_format").is_none_or(|format| format.trim() != "4") {
        let why = "the file does not say `BTCPP_format=\"4\"`; it is read as if it did";
        findings.push(Finding::new(Rule::NotCarried, root.at, why));
    }
    Importer::new(&root, &trees, findings).character(main)
}
