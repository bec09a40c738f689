//! The rules. Each looks at one box; nothing is run and no file but the given one is read.

mod boxes;
mod files;
mod links;
mod reach;
mod timeline;

use boxstep_format::XarFile;
use boxstep_format::paths::{self, BoxAt};
use boxstep_types::{Diagnostic, Span};
use std::path::Path;

/// What is wrong with a behavior, in file order.
///
/// `folder` is the behavior's folder; without it attached files are not looked for. What the reader
/// already found is in [`XarFile::findings`] and not repeated.
pub fn check(file: &XarFile, folder: Option<&Path>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let project = folder.map(files::project_of);
    for at in paths::boxes(&file.project) {
        let mut here = Here { at: &at, file, found: &mut found };
        boxes::check(&mut here);
        timeline::check(&mut here);
        for diagram in paths::diagrams(&at.path, at.def) {
            links::check(&mut here, diagram.diagram);
            reach::check(&mut here, &diagram);
        }
        if let Some(project) = &project {
            files::check(&mut here, project);
        }
    }
    found.sort_by_key(|d| d.span.map_or(0, |s| s.start));
    found
}

/// The box being looked at.
struct Here<'a> {
    at: &'a BoxAt<'a>,
    file: &'a XarFile,
    found: &'a mut Vec<Diagnostic>,
}

impl Here<'_> {
    /// Tells something about this box.
    fn tell(&mut self, finding: Diagnostic, span: Span) {
        let path = self.at.path.clone();
        self.found.push(finding.at(self.tag(span)).in_box(path));
    }

    /// The opening tag of an element: what a message points at.
    fn tag(&self, span: Span) -> Span {
        let text = self.file.sources.slice(span);
        let mut quote = None;
        for (i, b) in text.bytes().enumerate() {
            match (b, quote) {
                (b'>', None) => return Span { end: span.start + i as u32 + 1, ..span },
                (b'"' | b'\'', None) => quote = Some(b),
                (b, Some(q)) if b == q => quote = None,
                _ => {}
            }
        }
        span
    }
}

/// The second and later items with a key that was there before, each with the first.
fn repeats<'a, T, K: std::hash::Hash + Eq>(
    items: impl IntoIterator<Item = &'a T>,
    key: impl Fn(&'a T) -> K,
) -> Vec<(&'a T, &'a T)> {
    let mut first = std::collections::HashMap::new();
    let mut found = Vec::new();
    for item in items {
        match first.entry(key(item)) {
            std::collections::hash_map::Entry::Occupied(e) => found.push((*e.get(), item)),
            std::collections::hash_map::Entry::Vacant(e) => {
                e.insert(item);
            }
        }
    }
    found
}
