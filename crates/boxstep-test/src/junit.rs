//! Results in the form of JUnit, which build servers read.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// What came of one test.
#[derive(Clone, Debug)]
pub struct Case {
    /// The test file.
    pub file: String,
    /// The test's name.
    pub name: String,
    /// How long it took, by the wall clock.
    pub took: Duration,
    /// What did not come as expected: in a line, and in full. Plain text.
    pub failure: Option<(String, String)>,
    /// What was in the way of playing it at all.
    pub error: Option<String>,
}

/// The results as an XML text: a suite for each file.
///
/// # Errors
/// In words, if it cannot be written.
pub fn junit(cases: &[Case]) -> Result<String, String> {
    let mut report = Report::new("boxstep test");
    let mut files: Vec<&str> = cases.iter().map(|c| c.file.as_str()).collect();
    files.dedup();
    for file in files {
        let mut suite = TestSuite::new(file);
        for case in cases.iter().filter(|c| c.file == file) {
            suite.add_test_case(test_case(case));
        }
        let took = cases.iter().filter(|c| c.file == file).map(|c| c.took).sum();
        suite.set_time(took);
        report.add_test_suite(suite);
    }
    report.set_time(cases.iter().map(|c| c.took).sum());
    report.to_string().map_err(|e| e.to_string())
}

fn test_case(case: &Case) -> TestCase {
    let status = match (&case.failure, &case.error) {
        (Some((line, text)), _) => failed(NonSuccessKind::Failure, line, text),
        (None, Some(error)) => failed(NonSuccessKind::Error, error.lines().next().unwrap_or_default(), error),
        (None, None) => TestCaseStatus::success(),
    };
    let mut written = TestCase::new(case.name.as_str(), status);
    written.set_classname(case.file.as_str()).set_time(case.took);
    written
}

fn failed(kind: NonSuccessKind, line: &str, text: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(line).set_description(text);
    status
}
