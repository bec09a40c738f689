//! Baselines: files of known findings, which are not reported again, so that only new ones count.
//!
//! A finding is identified by its code, file, box and message, but not by its line, because lines move. If a finding
//! occurs more often than in the baseline, the additional ones are new.

use crate::codes;
use boxstep_types::Diagnostic;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The version of the file format.
const VERSION: u64 = 1;

/// The number of times that each finding is accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    counts: BTreeMap<String, u64>,
}

/// Returns the key that identifies a finding. `file` is its path with `/`, relative to the baseline's folder.
pub fn key(finding: &Diagnostic, file: &str) -> String {
    let path = finding.path.as_ref().map(ToString::to_string).unwrap_or_default();
    format!("{} {:016x} {file} {path}", finding.code, fnv(finding.message.as_bytes()))
}

/// FNV-1a: a small hash that never changes, unlike that of the standard library.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

impl Baseline {
    /// Creates an empty baseline.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a baseline; `name` is the file name that messages print.
    ///
    /// # Errors
    /// The text is not a baseline of a known version.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(name: &str, text: &str) -> Result<Self, Box<Diagnostic>> {
        let wrong =
            |why: String| Box::new(Diagnostic::error(codes::BAD_CONFIG, format!("{name} is not a baseline: {why}")));
        let json: Value = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
        match json["version"].as_u64() {
            Some(VERSION) => {}
            Some(other) => return Err(wrong(format!("its version is {other}, but only {VERSION} is known"))),
            None => return Err(wrong("it has no version".to_owned())),
        }
        let findings = json["findings"].as_object().ok_or_else(|| wrong("it has no findings".to_owned()))?;
        let mut counts = BTreeMap::new();
        for (key, count) in findings {
            let count = count.as_u64().ok_or_else(|| wrong(format!("`{key}` has no number")))?;
            counts.insert(key.clone(), count);
        }
        Ok(Self { counts })
    }

    /// Adds a finding.
    pub fn add(&mut self, key: String) {
        *self.counts.entry(key).or_default() += 1;
    }

    /// Returns true if a finding is a known one, and consumes one occurrence of it.
    pub fn take(&mut self, key: &str) -> bool {
        match self.counts.get_mut(key) {
            Some(count @ 1..) => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// The number of occurrences in the baseline that have not been consumed.
    pub fn left(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Formats the file with one finding per line, in order, so that version control shows what changed.
    pub fn to_text(&self) -> String {
        let text = serde_json::to_string_pretty(&json!({ "version": VERSION, "findings": self.counts }));
        text.unwrap_or_default() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_types::{BoxPath, FileId, Span};

    fn finding(message: &str, start: u32) -> Diagnostic {
        let span = Span { file: FileId(0), start, end: start + 1 };
        Diagnostic::error(codes::DANGLING_LINK, message).at(span).in_box(BoxPath::root("root"))
    }

    #[test]
    fn a_finding_that_moved_is_old_and_one_more_of_it_is_new() {
        let mut baseline = Baseline::new();
        baseline.add(key(&finding("gone", 5), "a.xar"));
        let mut read = Baseline::read("b.json", &baseline.to_text()).unwrap();
        assert_eq!(read, baseline);
        assert!(read.take(&key(&finding("gone", 900), "a.xar")));
        assert!(!read.take(&key(&finding("gone", 901), "a.xar")));
        assert!(!read.take(&key(&finding("other", 5), "a.xar")));
        assert!(!read.take(&key(&finding("gone", 5), "b.xar")));
        assert_eq!((read.left(), baseline.left()), (0, 1));
    }

    #[test]
    fn keys_stay_as_they_are() {
        assert_eq!(key(&finding("gone", 5), "a.xar"), "BS0600 9ce8fb720ea0b8ce a.xar root");
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        for bad in ["", "[]", "{}", r#"{"version":2,"findings":{}}"#, r#"{"version":1,"findings":{"x":"y"}}"#] {
            assert!(Baseline::read("b.json", bad).is_err(), "{bad}");
        }
    }
}
