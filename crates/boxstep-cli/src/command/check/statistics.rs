//! `boxstep check --statistics`: how often each code was found, in place of the findings.

use super::report::count;
use crate::args::CheckFormat;
use boxstep_types::{Code, Diagnostic, Sources};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// The findings of a check, counted.
#[derive(Default)]
pub(super) struct Statistics(BTreeMap<u16, Counted>);

struct Counted {
    code: Code,
    findings: usize,
    files: BTreeSet<String>,
}

impl Statistics {
    /// Counts a finding. `file` is the file of a finding without a span.
    pub(super) fn add(&mut self, finding: &Diagnostic, sources: &Sources, file: &str) {
        let code = finding.code;
        let counted = self.0.entry(code.number).or_insert(Counted { code, findings: 0, files: BTreeSet::new() });
        counted.findings += 1;
        counted.files.insert(finding.span.map_or(file, |span| sources.name(span.file)).to_owned());
    }

    /// Writes a line for each code, the most frequent first.
    pub(super) fn write(&self, format: CheckFormat, out: &mut impl Write) -> io::Result<()> {
        let mut all: Vec<&Counted> = self.0.values().collect();
        all.sort_by(|a, b| b.findings.cmp(&a.findings).then(a.code.number.cmp(&b.code.number)));
        let digits = all.first().map_or(1, |most| most.findings.to_string().len());
        let width = all.iter().map(|counted| counted.code.name.len()).max().unwrap_or_default();
        for Counted { code, findings, files } in all {
            match format {
                CheckFormat::Json => {
                    let line =
                        json!({"code": code.to_string(), "name": code.name, "count": findings, "files": files.len()});
                    writeln!(out, "{line}")?;
                }
                _ => {
                    let files = count(files.len(), "file");
                    writeln!(out, "{findings:>digits$}  {code}  {:width$}  in {files}", code.name)?;
                }
            }
        }
        if format == CheckFormat::Text && !self.0.is_empty() {
            writeln!(out)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_code_comes_first_with_its_files() {
        let (rare, often) = (Code::new(2, "rare-code"), Code::new(7, "often"));
        let mut statistics = Statistics::default();
        for (code, file) in [(often, "a"), (rare, "b"), (often, "a"), (often, "b")] {
            statistics.add(&Diagnostic::error(code, "x"), &Sources::new(), file);
        }
        let written = |format| {
            let mut out = Vec::new();
            statistics.write(format, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(CheckFormat::Text), "3  BS0007  often      in 2 files\n1  BS0002  rare-code  in 1 file\n\n");
        let json = written(CheckFormat::Json);
        let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
        assert_eq!(first, json!({"code": "BS0007", "name": "often", "count": 3, "files": 2}));
    }
}
