//! The inputs of a run: the options of `play`, merged with the test file of `--scenario` and with the trace of
//! `--replay`.

use crate::args::{PlayArgs, RunSpec};
use crate::failure::Failure;
use crate::open::rendered;
use crate::run_setup::RunStart;
use boxstep_bodies::Body;
use boxstep_engine::trace::Header;
use boxstep_format::model::Project;
use boxstep_record::{OpenError, Replay};
use boxstep_test::Suite;
use boxstep_test::file::Wrong;
use boxstep_test::given::{Event, Given, Hears, Mock, Seconds, Stimulus, TomlValue};
use boxstep_test::given::{Parameter, PathWord};
use boxstep_types::{BoxPath, Value};
use std::io::BufRead;
use std::path::Path;
use toml::Spanned;

/// The inputs of a run, and the files that they come from.
pub(crate) struct Scenario {
    pub(crate) given: Given,
    /// The arguments; their options include those of the test file and of the recording.
    pub(crate) args: PlayArgs,
    /// The inputs that the options alone give.
    options: Given,
    file: Option<(Suite, Given)>,
    pub(crate) replay: Option<Replay>,
}

impl Scenario {
    /// Returns how the run begins.
    pub(crate) fn begin(&self) -> RunStart<'_> {
        self.replay.as_ref().map_or(RunStart::Start, |replay| RunStart::Again(replay, &self.options))
    }

    /// Checks that a trace can be replayed on this body and robot. It fails if the trace has another body, or a robot
    /// written in Python, and no option names the file.
    pub(crate) fn check_body(&self, body: &Body) -> Result<(), Failure> {
        let own = self.replay.as_ref().filter(|replay| replay.option("robot-file").is_some());
        if let Some(replay) = own.filter(|_| self.args.own_robot().is_none()) {
            let robot = replay.option("robot").and_then(Value::as_str).unwrap_or_default();
            return Err(Failure::Usage(format!(
                "--replay: the trace is of the robot {robot}: name its file with --robot"
            )));
        }
        let Some(replay) = self.replay.as_ref().filter(|_| self.args.spec.body.is_none()) else { return Ok(()) };
        if replay.header.body == body.name {
            return Ok(());
        }
        let (of, name) = (&replay.header.body, body.name);
        Err(Failure::Usage(format!(
            "--replay: the trace is of the body {of}, and not of {name}: name its file with --body"
        )))
    }

    /// Checks that a behavior has all that the test file names. It fails with the place in the file otherwise.
    pub(crate) fn check_names(&self, project: &Project) -> Result<(), Failure> {
        let Some((suite, given)) = &self.file else { return Ok(()) };
        match suite.missing_given(given, project.into()) {
            found if found.is_empty() => Ok(()),
            found => Err(Failure::Rendered(rendered(&found, &suite.sources))),
        }
    }
}

/// Merges the options of `play` with those of its scenario or trace; the options take precedence.
pub(crate) fn of_play(args: &PlayArgs) -> Result<Scenario, Failure> {
    let file = args.scenario.as_deref().map(read).transpose()?;
    let options = options(args)?;
    let given = file.as_ref().map_or_else(|| options.clone(), |(_, given)| options.with_defaults(given));
    let mut scenario = Scenario { given, args: args.clone(), options, file, replay: None };
    if let Some((_, given)) = &scenario.file {
        scenario.args.spec = args.spec.with_defaults(&RunSpec::of_file(given)).map_err(Failure::Usage)?;
    }
    if let Some(path) = &args.replay {
        let text = recording(path)?;
        let replay = Replay::read(&text).map_err(|e| Failure::Usage(format!("{}: {e}", path.display())))?;
        let first_line = |why: String| Failure::Usage(format!("{}: line 1: {why}", path.display()));
        let recorded = RunSpec::recorded(&replay.header).map_err(first_line)?;
        let given = given_by(&replay, &recorded).map_err(first_line)?;
        scenario.given = scenario.options.with_defaults(&given);
        scenario.args.spec = args.spec.with_defaults(&recorded).map_err(first_line)?;
        scenario.replay = Some(replay);
    }
    Ok(scenario)
}

/// Reads the lines of a recording in any of its forms.
pub(crate) fn recording(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = |mut lines: Box<dyn BufRead>| lines.read_to_string(&mut text).map_err(OpenError::Io);
    match boxstep_record::open(path).and_then(read) {
        Ok(_) => Ok(text),
        Err(OpenError::Io(error)) => Err(Failure::io(path, &error)),
        Err(other) => Err(Failure::File(path.to_owned(), other.to_string())),
    }
}

/// Returns the inputs in the header of a trace. Inputs at later times are events of the trace.
fn given_by(replay: &Replay, spec: &RunSpec) -> Result<Given, String> {
    let set = replay.header.parameters.iter().filter_map(|(named, value)| {
        let (path, name) = BoxPath::with_member(named, '/').ok()?;
        Some((Spanned::new(0..0, Parameter { path, name }), TomlValue(value.clone())))
    });
    let mocks = spec.mocks.iter().map(Mock::try_from).collect::<Result<_, _>>()?;
    Ok(Given { mocks, set: set.collect(), ..Given::default() })
}

/// Returns the box of a run that played one box alone.
pub(crate) fn box_of(header: &Header) -> Option<BoxPath> {
    header.option("box").and_then(Value::as_str).and_then(|path| path.parse().ok())
}

/// Reads `FILE`, or `FILE#NAME` for the inputs of one test.
fn read(named: &Path) -> Result<(Suite, Given), Failure> {
    let text = named.to_string_lossy();
    let split = text.split_once('#').filter(|_| !named.exists());
    let (file, name) = split.map_or((named, None), |(file, name)| (Path::new(file), Some(name)));
    let suite = Suite::open(file).map_err(|wrong| failure(&wrong))?;
    let given = match name {
        None => suite.given.clone(),
        Some(name) => {
            let known = || suite.tests.iter().map(|t| format!("\n  {}", t.name)).collect::<String>();
            let test = suite.tests.iter().find(|t| t.name == name);
            let none = || Failure::Usage(format!("{} has no test `{name}`, but:{}", file.display(), known()));
            test.ok_or_else(none)?.given.clone()
        }
    };
    Ok((suite, given))
}

/// Returns the inputs of a scenario file for a robot on which no behavior plays.
pub(crate) fn given(named: &Path) -> Result<Given, Failure> {
    Ok(read(named)?.1)
}

/// Renders the errors of a test file.
pub(crate) fn failure(wrong: &Wrong) -> Failure {
    Failure::Rendered(rendered(&wrong.found, &wrong.sources))
}

fn options(args: &PlayArgs) -> Result<Given, Failure> {
    args.spec.body.as_deref().map(crate::body::asked).transpose()?;
    let here = |x: Parameter| Spanned::new(0..0, x);
    let set = args.set.iter().map(|s| {
        let parameter = Parameter { path: s.path.clone(), name: s.parameter.clone() };
        (here(parameter), TomlValue(s.value.clone()))
    });
    let events =
        args.event.iter().map(|e| Event { name: e.key.clone(), value: TomlValue(e.value.clone()), at: Seconds(e.at) });
    let stimulate = args.stimulate.iter().map(|s| {
        let stimulus = Stimulus {
            path: PathWord(s.path.clone()),
            input: s.port.clone(),
            value: TomlValue(s.value.clone()),
            at: Seconds(s.at),
        };
        Spanned::new(0..0, stimulus)
    });
    let hears = args.hear.iter().map(|said| Hears { text: said.text.clone(), at: said.at.map(Seconds) });
    Ok(Given {
        set: set.collect(),
        events: events.collect(),
        hears: hears.collect(),
        stimulate: stimulate.collect(),
        ..Given::default()
    })
}
