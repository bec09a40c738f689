//! `boxstep test-one`: plays one test and prints the result as one line of JSON.

use crate::args::{Scripts, TestOneArgs};
use crate::character::{self, LoadedCharacter};
use crate::console::{around, how};
use crate::failure::Failure;
use crate::open::{self, rendered};
use crate::playable::Read;
use crate::run::{Listener, Run};
use crate::run_setup::{RunSetup, RunStart};
use crate::settings::Settings;
use crate::{Program, PythonWish, helper, scenario};
use boxstep_engine::Engine;
use boxstep_engine::config::Config;
use boxstep_engine::shared::{Host, NoScripts};
use boxstep_engine::trace::{Recorder, Recording};
use boxstep_test::balance;
use boxstep_test::observe::Observed;
use boxstep_test::{Difference, Focus, NOT_AS_EXPECTED, Suite, judge};
use boxstep_types::{Diagnostic, Time};
use serde::{Deserialize, Serialize};
use std::io::Write as _;

/// The result of a test.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Verdict {
    /// The expectations that were not met.
    pub(super) failures: Vec<Mismatch>,
    /// How long it played, in seconds of its own time.
    pub(super) played: f64,
    /// What the run did, if `--observe` is set.
    pub(super) observed: Option<Observed>,
}

/// A difference, for people.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Mismatch {
    pub(super) expected: String,
    pub(super) found: String,
    /// The line in the test file.
    pub(super) line: u32,
    /// The whole report, in colors: the place in the test file, the events around it, and what led to it.
    pub(super) text: String,
}

pub(crate) fn run(args: &TestOneArgs, program: &Program, host: Option<&dyn Host<Engine>>) -> Result<i32, Failure> {
    let suite = Suite::open(&args.file).map_err(|wrong| scenario::failure(&wrong))?;
    let test = suite.tests.get(args.index).ok_or_else(|| Failure::Usage(format!("there is no test {}", args.index)))?;
    let spec = args.spec_of(test).map_err(Failure::Usage)?;
    let helper;
    let host: &dyn Host<Engine> = match spec.how() {
        Scripts::Off => &NoScripts,
        Scripts::Process => {
            helper = helper::start(PythonWish::of_test(args), program)?;
            &*helper
        }
        Scripts::Native => host.ok_or_else(|| Failure::Usage("box scripts need Python 3".to_owned()))?,
    };
    let (path, name) = suite.behavior().map_err(|wrong| scenario::failure(&wrong))?;
    let read = match character::file_of(&path).filter(|_| name.is_none()) {
        Some(file) => Read::Character(Box::new(LoadedCharacter::read(&file, &character::parameters(&test.given)?)?)),
        None => Read::Behavior(Box::new(open::behavior(&path, name.as_deref())?)),
    };

    let (recorder, recorded) = Recorder::new();
    let probes = test.expect.as_ref().map(|e| e.probes()).unwrap_or_default();
    let settings = Settings::for_path(&path)?;
    let setup = RunSetup::new(read.playable(), &spec, &test.given, &settings)?;
    let mut config = Config { probes, ..spec.config() };
    if test.expect.as_ref().is_some_and(|expect| expect.balanced.is_some()) {
        config.joints_hz = Some(config.joints_hz.unwrap_or(balance::HZ).max(balance::HZ));
    }
    let mut listener = Listener::new(recorder);
    let run = Run::start(|sinks| setup.engine(config, sinks, RunStart::Start), vec![&mut listener])?;
    run.drive(host)?.driven.map_err(|why| Failure::Usage(format!("the scripts cannot be run: {why}")))?;
    let run = recorded.take();

    let project = read.project();
    let differences = judge(&suite, test, project, setup.body, &run);
    let root = project.map_or("", |project| &project.root.name);
    let verdict = Verdict {
        failures: differences.iter().map(|d| mismatch(&suite, &run, d)).collect(),
        played: run.footer.as_ref().map_or(Time::ZERO, |f| f.t).as_secs_f64(),
        observed: args.observe.then(|| Observed::new(test, root, &run)),
    };
    let json = serde_json::to_string(&verdict).map_err(|e| Failure::Run(e.to_string()))?;
    let mut out = std::io::stdout().lock();
    // The JSON gets its own line, even if a script has written past Python's `print`.
    writeln!(out, "\n{json}")?;
    out.flush()?;
    Ok(0)
}

fn mismatch(suite: &Suite, run: &Recording, difference: &Difference) -> Mismatch {
    let Difference { span, expected, found, focus } = difference;
    let finding = Diagnostic::error(NOT_AS_EXPECTED, format!("expected: {expected}"))
        .at(*span)
        .with_note(None, format!("found: {found}"));
    let mut text = rendered(&[finding], &suite.sources);
    text.push_str(match focus {
        Focus::End => "the end of the run:\n",
        Focus::Event(_) | Focus::Time(_) => "the run around it:\n",
    });
    text.push_str(&around(run, *focus));
    let how = how(run, *focus);
    if !how.is_empty() {
        text.push_str("what led to that:\n");
        text.push_str(&how);
    }
    let line = suite.sources.line_col(span.file, span.start).line;
    Mismatch { expected: expected.clone(), found: found.clone(), line, text }
}
