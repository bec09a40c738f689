//! Behavior trees of BehaviorTree.CPP (XML), read as characters.

use crate::failure::Failure;
use crate::open::{rendered, text};
use boxstep_runner::{Finding, Rule, import};
use boxstep_types::{Diagnostic, FileId, Severity, Sources};
use std::path::Path;

/// Returns whether a file may be a behavior tree. XML files of split folders are excluded by their names.
pub(crate) fn is_tree(path: &Path) -> bool {
    let is_xml = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"));
    let of_split = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("l0_"));
    is_xml && !of_split && !path.is_dir()
}

/// A behavior tree that was converted to a character.
pub(crate) struct Tree {
    /// The text of the character's file.
    pub(crate) character: String,
    findings: Vec<Finding>,
    sources: Sources,
    file: FileId,
}

impl Tree {
    /// Converts a file, or the tree of the given name in it.
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

    /// Returns the text of the behavior tree's file.
    pub(crate) fn text(&self) -> &str {
        self.sources.text(self.file)
    }

    /// Returns how many leaves and conditions must be bound.
    pub(crate) fn slots(&self) -> usize {
        self.findings.iter().filter(|finding| finding.rule == Rule::Slot).count()
    }

    /// Returns how many things could not be converted.
    pub(crate) fn lost(&self) -> usize {
        self.findings.iter().filter(|finding| finding.severity() > Severity::Note).count()
    }

    /// Renders what could not be converted, with the lines. With `open` it includes what must be bound.
    pub(crate) fn rendered(&self, open: bool) -> String {
        let said = self.findings.iter().filter(|finding| open || finding.severity() > Severity::Note);
        shown(said, self.file, &self.sources)
    }
}

/// Renders findings with the lines of the tree. A finding in the resulting character has no line in the tree.
fn shown<'f>(findings: impl Iterator<Item = &'f Finding>, file: FileId, sources: &Sources) -> String {
    let name = sources.name(file);
    let (of_tree, others): (Vec<_>, Vec<_>) = findings.partition(|finding| &*finding.file == name);
    let of_tree: Vec<Diagnostic> = of_tree.into_iter().map(|finding| finding.diagnostic(file)).collect();
    others.into_iter().fold(rendered(&of_tree, sources), |text, finding| format!("{text}{finding}\n"))
}
