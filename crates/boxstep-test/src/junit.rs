//! Writes results in the JUnit format, which build servers read.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The result of one test.
#[derive(Clone, Debug)]
pub struct Case {
    /// The test file.
    pub file: String,
    /// The name of the test.
    pub name: String,
    /// How long it took, in wall-clock time.
    pub took: Duration,
    /// What was not as expected: in one line, and in full. Plain text.
    pub failure: Option<(String, String)>,
    /// Why it could not be played.
    pub error: Option<String>,
}

/// Returns the results as XML, with a suite for each file.
///
/// # Errors
/// Why the XML cannot be written.
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
