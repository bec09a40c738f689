//! Checks of the documents: links between files are valid, no merge conflict marks are left, and the tests that the
//! rules of the semantics name exist, as do the files that ARCHITECTURE.md and the docs of modules name.

use crate::rules::Tests;
use crate::{Outcome, tools};
use pulldown_cmark::{Event, Parser, Tag};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Checks every file that git tracks.
pub(crate) fn run() -> Outcome {
    let root = tools::root();
    let listed = tools::output(Command::new("git").args(["ls-files", "-z"]).current_dir(&root))?;
    let known: HashSet<_> = listed.split_terminator('\0').filter_map(|name| name.rsplit('/').next()).collect();
    let (mut wrong, mut pages, mut tests, mut rules) = (Vec::new(), 0, Tests::default(), Vec::new());
    for name in listed.split_terminator('\0') {
        // Binary files and broken symbolic links are skipped.
        let Ok(text) = std::fs::read_to_string(root.join(name)) else { continue };
        wrong.extend(merge_marks(&text).map(|line| format!("{name}:{line}: a mark that a merge left")));
        if name.ends_with(".md") {
            pages += 1;
            let folder = root.join(name).parent().map(Path::to_owned).unwrap_or_default();
            let dead = links(&text).into_iter().filter(|link| !folder.join(link).exists());
            wrong.extend(dead.map(|link| format!("{name}: nothing is at {link}")));
        }
        if name == "ARCHITECTURE.md" {
            let gone = files(&text).filter(|(krate, file)| !places(&root, krate, file).any(|place| place.exists()));
            wrong.extend(gone.map(|(_, file)| format!("{name}: there is no {file}")));
        }
        if name.ends_with(".rs") {
            let gone = named(&text).filter(|(_, file)| !known.contains(file));
            wrong.extend(gone.map(|(line, file)| format!("{name}:{line}: there is no {file}")));
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

/// Returns the lines (from 1) with conflict marks of git.
fn merge_marks(text: &str) -> impl Iterator<Item = usize> {
    let lines = text.lines().enumerate();
    lines.filter(|(_, l)| ["<<<<<<< ", ">>>>>>> "].iter().any(|mark| l.starts_with(mark))).map(|(n, _)| n + 1)
}

/// Returns the files that a page links to or shows, without fragments and without external links.
fn links(page: &str) -> Vec<String> {
    let targets = Parser::new(page).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    });
    // In a template the target is filled in later.
    let local = targets.filter(|t| !t.contains("://") && !t.starts_with("mailto:") && !t.starts_with('@'));
    local.map(|t| t.split('#').next().unwrap_or_default().to_owned()).filter(|t| !t.is_empty()).collect()
}

/// Returns the files and folders that a page names as code, with the crate in whose row of a table they are.
fn files(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.lines().flat_map(|line| {
        let krate = line.strip_prefix("| `").and_then(|row| row.split('`').next()).unwrap_or_default();
        let codes = line.split('`').skip(1).step_by(2);
        let files = codes.filter(|code| !code.contains([' ', ':']) && (code.contains('/') || code.ends_with(".rs")));
        files.map(move |file| (krate, file))
    })
}

/// Returns the Rust files that the docs of a module name without a folder, with the line (from 1).
fn named(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let docs = source.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//"));
    docs.flat_map(|(n, line)| line.split('`').skip(1).step_by(2).map(move |code| (n + 1, code)))
        .filter(|(_, code)| code.ends_with(".rs") && !code.contains([' ', ':', '/', '*']))
}

/// Returns the paths at which a file with that name may be.
fn places<'a>(root: &'a Path, krate: &'a str, file: &'a str) -> impl Iterator<Item = PathBuf> + 'a {
    let own = format!("crates/{krate}");
    let inner = format!("crates/{krate}/src");
    let folders = [String::new(), "crates".to_owned(), own, inner, "crates/boxstep-script/python".to_owned()];
    folders.into_iter().map(move |folder| root.join(folder).join(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_files_of_the_crate_whose_row_it_is() {
        let page = "| `a` | `b.rs`, `c/` and `Value` | `d` |\nSee `a/src/b.rs`, `cargo run x/y` and `a::b`.\n";
        assert_eq!(files(page).collect::<Vec<_>>(), [("a", "b.rs"), ("a", "c/"), ("", "a/src/b.rs")]);
        let found: Vec<_> = places(Path::new("/r"), "a", "b.rs").collect();
        assert!(found.contains(&PathBuf::from("/r/crates/a/src/b.rs")), "{found:?}");
    }

    #[test]
    fn docs_of_modules_name_files() {
        let source = "//! `a.rs` and `b/c.rs`, `d`\nlet x = \"`e.rs`\";\n    /// `f.rs`\n";
        assert_eq!(named(source).collect::<Vec<_>>(), [(1, "a.rs"), (3, "f.rs")]);
    }

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
