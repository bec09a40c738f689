//! Behavior trees of BehaviorTree.CPP (XML), read as characters.

use crate::failure::Failure;
use crate::open::{rendered, text};
use boxstep_runner::{Finding, Rule, import};
use boxstep_types::{Diagnostic, FileId, Severity, Sources};
use std::path::Path;

/// Is this a file that could hold a behavior tree? The XML files of a split folder have names of their own.
pub(crate) fn is_tree(path: &Path) -> bool {
    let is_xml = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"));
    let of_split = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("l0_"));
    is_xml && !of_split && !path.is_dir()
}

/// What has become of a behavior tree.
pub(crate) struct Tree {
    /// The text of a character's file.
    pub(crate) character: String,
    findings: Vec<Finding>,
    sources: Sources,
    file: FileId,
}

impl Tree {
    /// Makes a character of a file; of the tree of this name, if one is given.
    pub(crate) fn read(path: &Path, tree: Option<&str>) -> Result<Self, Failure> {
        let text = text(path)?;
        let name = path.display().to_string();
        let imported = import::behavior_tree(&text, &name, tree);
        let mut sources = Sources::new();
        let file = sources.add(name, text);
        match imported.character {
            Some(character) => Ok(Self { character, findings: imported.findings, sources, file }),
            None => Err(Failure::Rendered(shown(imported.findings.iter(), file, &sources))),
        }
    }

    /// What stands in the file.
    pub(crate) fn text(&self) -> &str {
        self.sources.text(self.file)
    }

    /// How many leaves and conditions wait to be bound.
    pub(crate) fn slots(&self) -> usize {
        self.findings.iter().filter(|finding| finding.rule == Rule::Slot).count()
    }

    /// How much could not be carried over.
    pub(crate) fn lost(&self) -> usize {
        self.findings.iter().filter(|finding| finding.severity() > Severity::Note).count()
    }

    /// What could not be carried over, with the lines; with what is open, or without.
    pub(crate) fn told(&self, open: bool) -> String {
        let said = self.findings.iter().filter(|finding| open || finding.severity() > Severity::Note);
        shown(said, self.file, &self.sources)
    }
}

/// Findings in the lines of the tree. One in the character that was made of it has no line there.
fn shown<'f>(findings: impl Iterator<Item = &'f Finding>, file: FileId, sources: &Sources) -> String {
    let name = sources.name(file);
    let (of_tree, others): (Vec<_>, Vec<_>) = findings.partition(|finding| &*finding.file == name);
    let of_tree: Vec<Diagnostic> = of_tree.into_iter().map(|finding| finding.diagnostic(file)).collect();
    others.into_iter().fold(rendered(&of_tree, sources), |text, finding| format!("{text}{finding}\n"))
}
