//! Checks that every row of the tables of rules names a test, and that every test that a page names exists.

use std::collections::BTreeSet;
use std::path::Path;

/// The folder of the rules. Tests that their pages name in prose (`Held by:`) are checked as well.
const PAGES: &str = "docs/reference/semantics/";
/// Pages whose tables have a last column `test`, with a test in every row.
const TABLES: [&str; 7] = [
    "docs/reference/semantics/README.md",
    "docs/reference/semantics/qicore-defects.md",
    "docs/reference/semantics/states.md",
    "docs/inside/qicore.md",
    "docs/reference/runner.md",
    "docs/inside/runner.md",
    "docs/inside/semantics.md",
];

/// The names that can be given as tests: functions, fixtures that are played, files of tests.
#[derive(Default)]
pub(crate) struct Tests(BTreeSet<String>);

impl Tests {
    /// Adds the tests of a file of the repository.
    pub(crate) fn learn(&mut self, name: &str, text: &str) {
        let path = Path::new(name);
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        match path.extension().and_then(|e| e.to_str()) {
            Some("rs") => {
                self.0.extend(functions(text));
                if name.contains("/tests") || text.contains("#[test]") {
                    // `objects/timelines` is a module of a test, and also a name of its own.
                    self.0.extend([stem.to_owned(), name.to_owned()]);
                    let parts: Vec<&str> = name.trim_end_matches(".rs").split('/').collect();
                    self.0.extend((0..parts.len()).map(|from| parts[from..].join("/")));
                    self.0.extend((0..parts.len()).map(|from| format!("{}.rs", parts[from..].join("/"))));
                }
                if stem == "main" {
                    self.0.extend(path.parent().and_then(Path::file_name).and_then(|n| n.to_str()).map(str::to_owned));
                }
            }
            Some("py") => {
                self.0.extend(path.file_name().and_then(|n| n.to_str()).map(str::to_owned));
                let named = text.lines().filter_map(|line| line.trim_start().strip_prefix("def ")?.split('(').next());
                self.0.extend(named.filter(|n| n.starts_with("test_")).map(str::to_owned));
            }
            _ => {}
        }
    }

    /// Returns the wrong statements about tests on a page.
    pub(crate) fn wrong(&self, name: &str, page: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut named = if name.starts_with(PAGES) { held_by(page) } else { Vec::new() };
        if TABLES.contains(&name) {
            let (rows, bare) = cells(page);
            named.extend(rows);
            wrong.extend(bare.into_iter().map(|line| format!("{name}:{line}: a rule without a test")));
        }
        let missing = named.into_iter().filter(|(_, test)| !self.0.contains(test));
        wrong.extend(missing.map(|(line, test)| format!("{name}:{line}: there is no test `{test}`")));
        wrong
    }
}

/// Returns the names of the tests in a Rust file: of functions that are marked as tests; those that a macro creates
/// are written `name:` or `name =>`.
fn functions(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut marked = false;
    text.lines().filter_map(move |line| {
        let line = line.trim_start();
        marked |= line == "#[test]";
        if let Some((_, named)) = line.split_once("fn ").filter(|(before, _)| ["", "pub ", "async "].contains(before)) {
            let name = named.split(['(', '<']).next()?;
            return std::mem::take(&mut marked).then(|| name.to_owned());
        }
        let word = &line[..line.find([':', ' ', ';', ','])?];
        let plain =
            word.contains('_') && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        plain.then(|| word.to_owned())
    })
}

/// Returns the names in the last column of every table with a column `test`, and the lines of rows that name none.
fn cells(page: &str) -> (Vec<(usize, String)>, Vec<usize>) {
    let (mut named, mut bare, mut inside) = (Vec::new(), Vec::new(), false);
    for (line, text) in (1..).zip(page.lines()) {
        let Some(row) = text.strip_prefix('|').and_then(|t| t.trim_end().strip_suffix('|')) else {
            inside = false;
            continue;
        };
        let last = row.rsplit(" |").next().unwrap_or_default().trim();
        match last.trim_start_matches("| ").trim() {
            "test" => inside = true,
            dashes if dashes.trim_matches(['-', '|']).is_empty() => {}
            cell if inside => {
                let names = quoted(cell);
                if names.is_empty() && !cell.contains("](") {
                    bare.push(line);
                }
                named.extend(names.into_iter().map(|n| (line, n)));
            }
            _ => {}
        }
    }
    (named, bare)
}

/// Returns the names in paragraphs that say which tests hold a rule.
fn held_by(page: &str) -> Vec<(usize, String)> {
    let (mut named, mut holds) = (Vec::new(), false);
    for (line, text) in (1..).zip(page.lines()) {
        let after =
            ["Held by:", "Test:", "Tests:"].iter().find_map(|word| text.split_once(word).map(|(_, after)| after));
        holds = (holds || after.is_some()) && !text.trim().is_empty();
        if holds {
            named.extend(quoted(after.unwrap_or(text)).into_iter().map(|n| (line, n)));
        }
    }
    named
}

/// Returns the texts in backquotes that could be a test.
fn quoted(text: &str) -> Vec<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let name = |t: &&str| {
        t.chars().all(|c| c.is_ascii_alphanumeric() || "_/.-".contains(c))
            && ![".md", "/"].iter().any(|e| t.ends_with(e))
    };
    quoted.filter(name).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests() -> Tests {
        let mut tests = Tests::default();
        let links =
            "#[test]\n// Why.\nfn one_by_one() {}\nfn helper_of_two() {}\nstops! {\n    in_a_macro: \"x\";\n}\n";
        tests.learn("crates/a/tests/links.rs", links);
        tests.learn("crates/a/tests/objects/timelines.rs", "");
        tests.learn("crates/s/tests/runtime/test_box.py", "class A(Case):\n    def test_ports(self):\n");
        tests
    }

    #[test]
    fn a_test_that_is_named_is_there() {
        let page = "| rule | test |\n|---|---|\n| a | E `links`: `one_by_one`, `in_a_macro` |\n\
            | b | R `test_box.py`, `test_ports`, `gone_away` |\n| c | – |\n| d | [page](d.md) |\n| e | `helper_of_two` |\n";
        for name in TABLES {
            let found =
                ["5: a rule without a test", "4: there is no test `gone_away`", "7: there is no test `helper_of_two`"];
            assert_eq!(tests().wrong(name, page), found.map(|f| format!("{name}:{f}")));
        }
        assert!(tests().wrong("docs/other.md", page).is_empty(), "only the rules are looked at");
    }

    #[test]
    fn what_holds_a_page_is_there() {
        let page = "`self.x` is said.\n\nHeld by: `one_by_one` (`crates/a/tests/links.rs`),\n`tests/objects/timelines.rs`, `no_such_test`.\n\n`also_no_test`\n";
        let wrong = tests().wrong("docs/reference/semantics/links.md", page);
        assert_eq!(wrong, ["docs/reference/semantics/links.md:4: there is no test `no_such_test`"]);
    }
}
