//! What a run is given: by the options of `play`, and by the test file that `--scenario` names.

use crate::args::PlayArgs;
use crate::failure::Failure;
use crate::open::rendered;
use boxstep_bodies::BodyKind;
use boxstep_format::model::Project;
use boxstep_test::Suite;
use boxstep_test::file::Wrong;
use boxstep_test::given::{Body, Epoch, Event, Given, Seconds, Stimulus, TomlValue};
use boxstep_test::given::{Parameter, PathWord};
use std::path::Path;
use toml::Spanned;

/// What a run is given, and the test file that says a part of it.
pub(crate) struct Scenario {
    pub(crate) given: Given,
    file: Option<(Suite, Given)>,
}

impl Scenario {
    /// Fails with place and line if the file names what the behavior does not have.
    pub(crate) fn fits(&self, project: &Project) -> Result<(), Failure> {
        let Some((suite, given)) = &self.file else { return Ok(()) };
        match suite.missing_given(given, project) {
            found if found.is_empty() => Ok(()),
            found => Err(Failure::Rendered(rendered(&found, &suite.sources))),
        }
    }
}

/// The options of `play`, over those of its scenario.
pub(crate) fn of_play(args: &PlayArgs) -> Result<Scenario, Failure> {
    let file = args.scenario.as_deref().map(read).transpose()?;
    let options = options(args)?;
    let given = file.as_ref().map_or_else(|| options.clone(), |(_, given)| options.over(given));
    Ok(Scenario { given, file })
}

/// `FILE`, or `FILE#NAME` for what one test is given.
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

/// A test file that cannot be used.
pub(crate) fn failure(wrong: &Wrong) -> Failure {
    Failure::Rendered(rendered(&wrong.found, &wrong.sources))
}

fn options(args: &PlayArgs) -> Result<Given, Failure> {
    let body = args.body.as_deref().map(crate::body::asked).transpose()?;
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
    Ok(Given {
        body: body.map(|kind| if kind == BodyKind::Pepper { Body::Pepper } else { Body::Nao }),
        language: args.language.clone(),
        seed: args.seed,
        epoch: args.epoch.map(Epoch),
        limit: args.limit.map(Seconds),
        network: args.network.then_some(true),
        set: set.collect(),
        events: events.collect(),
        stimulate: stimulate.collect(),
        ..Given::default()
    })
}
