//! The arguments of the commands for tests of behaviors.

use super::common::{BODIES, PATIENCE, Scripts};
use super::run_spec::RunSpec;
use boxstep_test::file::Test;
use boxstep_test::given::LONGEST;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const TEST_EXAMPLES: &str = "\
Examples:
  boxstep test
  boxstep test examples/hello --filter 'good morning'
  boxstep test my_app.pml --junit results.xml
  boxstep test --bless dance.test.toml

Exit codes: 0 all passed; 4 a test failed; 2 bad usage or file, or no tests.";

pub(super) const NEW_EXAMPLES: &str = "\
Example:
  boxstep new greeter && cd greeter && boxstep test";

#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Test files (.test.toml), folders to search for them, or behaviors that have tests beside them
    #[arg(value_name = "PATH", default_value = ".", value_parser = crate::examples::or_path())]
    pub(crate) paths: Vec<PathBuf>,
    /// Run only tests with this text in `FILE: NAME`
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// List the tests without running them
    #[arg(long, conflicts_with_all = ["bless", "junit"])]
    pub(crate) list: bool,
    /// Write the expectation of each test that has none, from what it does now
    #[arg(long)]
    pub(crate) bless: bool,
    /// With --bless: also update expectations that are not met
    #[arg(long, requires = "bless")]
    pub(crate) force: bool,
    /// Also write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, value_name = "NAME", default_value_t = TestFormat::Text)]
    pub(crate) format: TestFormat,
    /// Print only failures and the summary
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// How long a stop may take, on the behavior's own clock, before it is forced
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = crate::value_parsers::seconds, default_value = "10")]
    pub(crate) stop_within: boxstep_types::Time,
    /// How many tests run in parallel [default: one per processor]
    #[arg(short, long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = crate::value_parsers::whole::<std::num::NonZeroUsize>)]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    #[command(flatten)]
    pub(crate) scripts: TestScripts,
}

/// How the scripts of tests run.
#[derive(Debug, Args)]
pub(crate) struct TestScripts {
    /// How box scripts run
    #[arg(long = "scripts", value_enum, value_name = "HOW", default_value_t = Scripts::DEFAULT)]
    pub(crate) how: Scripts,
    /// The Python that runs scripts [default: the one of the environment]
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) python: Option<PathBuf>,
    /// How long to wait for a script that computes while nothing else can happen
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value = PATIENCE, value_parser = crate::value_parsers::seconds)]
    pub(crate) patience: boxstep_types::Time,
}

/// The output formats of `test`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// Readable text
    Text,
    /// One JSON object
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct TestOneArgs {
    /// The test file
    pub(crate) file: PathBuf,
    /// The index of the test, from 0
    pub(crate) index: usize,
    /// Also print what the run did, for --bless
    #[arg(long)]
    pub(crate) observe: bool,
    #[command(flatten)]
    pub(crate) spec: RunSpec,
}

impl TestArgs {
    /// Returns the options of the process that plays a test.
    pub(crate) fn spec(&self) -> RunSpec {
        let TestScripts { how, python, patience } = &self.scripts;
        RunSpec {
            scripts: Some(*how),
            python: python.clone(),
            patience: Some(*patience),
            stop_within: Some(self.stop_within),
            ..RunSpec::default()
        }
    }
}

impl TestOneArgs {
    /// Returns the options that decide the run of a test: those of the command line, then those of the test file. Every
    /// test has a time limit.
    ///
    /// # Errors
    /// A value that JSON cannot hold.
    pub(crate) fn spec_of(&self, test: &Test) -> Result<RunSpec, String> {
        let spec = self.spec.with_defaults(&RunSpec::of_file(&test.given))?;
        Ok(RunSpec { virtual_time: true, limit: spec.limit.or(Some(LONGEST)), ..spec })
    }
}

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The folder to create: letters, digits, `-` and `_`; its last part becomes the name of the application
    pub(crate) name: PathBuf,
    /// The robot it is for
    #[arg(long, value_name = "NAME", value_parser = BODIES, ignore_case = true, default_value = "nao")]
    pub(crate) body: String,
}
