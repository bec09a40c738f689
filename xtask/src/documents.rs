//! What can be checked in the documents without reading them: links between files lead somewhere, no merge left its marks, and
//! the tests that the rules of the semantics name are there.

use crate::rules::Tests;
use crate::{Outcome, tools};
use pulldown_cmark::{Event, Parser, Tag};
use std::path::Path;
use std::process::Command;

/// Checks every file that git knows.
pub(crate) fn run() -> Outcome {
    let root = tools::root();
    let listed = tools::output(Command::new("git").args(["ls-files", "-z"]).current_dir(&root))?;
    let (mut wrong, mut pages, mut tests, mut rules) = (Vec::new(), 0, Tests::default(), Vec::new());
    for name in listed.split_terminator('\0') {
        // Not text, or a link to nowhere: nothing that this looks at.
        let Ok(text) = std::fs::read_to_string(root.join(name)) else { continue };
        wrong.extend(merge_marks(&text).map(|line| format!("{name}:{line}: a mark that a merge left")));
        if name.ends_with(".md") {
            pages += 1;
            let folder = root.join(name).parent().map(Path::to_owned).unwrap_or_default();
            let dead = links(&text).into_iter().filter(|link| !folder.join(link).exists());
            wrong.extend(dead.map(|link| format!("{name}: nothing is at {link}")));
        }
        tests.learn(name, &text);
        if name.ends_with(".md") {
            rules.push((name, text));
        }
    }
    wrong.extend(rules.iter().flat_map(|(name, text)| tests.wrong(name, text)));
    if wrong.is_empty() {
        println!("documents: {pages} pages, every link leads somewhere, every test that a rule names is there");
        return Ok(());
    }
    Err(wrong.join("\nerror: "))
}

/// Lines (from 1) on which git shows a conflict.
fn merge_marks(text: &str) -> impl Iterator<Item = usize> {
    let lines = text.lines().enumerate();
    lines.filter(|(_, l)| ["<<<<<<< ", ">>>>>>> "].iter().any(|mark| l.starts_with(mark))).map(|(n, _)| n + 1)
}

/// The files that a page links to or shows, without the place inside them; not what is elsewhere in the world.
fn links(page: &str) -> Vec<String> {
    let targets = Parser::new(page).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    });
    // In a template the place is filled in later.
    let local = targets.filter(|t| !t.contains("://") && !t.starts_with("mailto:") && !t.starts_with('@'));
    local.map(|t| t.split('#').next().unwrap_or_default().to_owned()).filter(|t| !t.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merge_marks_have_lines() {
        let text = format!("a\n{} HEAD\nb\n=======\nc\n{} main\n", "<".repeat(7), ">".repeat(7));
        assert_eq!(merge_marks(&text).collect::<Vec<_>>(), [2, 6]);
        assert_eq!(merge_marks("text.\n\"<<<<<<< HEAD\"\n").count(), 0);
    }

    #[test]
    fn only_links_to_files() {
        let page = "[a](b.md#c) ![d](e/f.svg) [g](#h) [i](https://example.org/j) [m](@NAME@) `[k](l.md)`";
        assert_eq!(links(page), ["b.md", "e/f.svg"]);
    }
}
