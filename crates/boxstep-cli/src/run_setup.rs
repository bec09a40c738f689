//! Sets up an engine with a robot and a behavior or character, ready to be driven: for `play` and for `test`.

use crate::args::{RunSpec, wall_clock};
use crate::command::show::chart_of;
use crate::failure::Failure;
use crate::open;
use crate::playable::Playable;
use crate::settings::Settings;
use crate::uploads::UploadStore;
use crate::view;
use crate::{body, boxes};
use boxstep_api::play::resource_tree;
use boxstep_bodies::Body;
use boxstep_draw::chart;
use boxstep_engine::Engine;
use boxstep_engine::config::{ClockKind, Config, Control};
use boxstep_engine::services::Services;
use boxstep_engine::trace::{Header, Schema, Sink};
use boxstep_format::FormatError;
use boxstep_record::Replay;
use boxstep_runner::RunningCharacter;
use boxstep_services::{SimOptions, SimRobot};
use boxstep_test::Given;
use boxstep_types::{Time, Value, calendar};
use boxstep_view::Models;
use std::collections::BTreeMap;
use std::path::Path;

/// How a run begins.
#[derive(Clone, Copy)]
pub(crate) enum RunStart<'a> {
    /// It is loaded and started.
    Start,
    /// It is opened only; the caller loads and starts it.
    Opened,
    /// It replays the inputs of a recorded run; the second value has inputs to add to them.
    Again(&'a Replay, &'a Given),
}

/// What plays, and on which robot.
pub(crate) struct RunSetup<'a> {
    playable: Playable<'a>,
    spec: &'a RunSpec,
    pub(crate) given: &'a Given,
    pub(crate) body: &'static Body,
    /// Why this body was chosen.
    pub(crate) reason: String,
    language: String,
    /// The language was set by an option or by the project.
    asked: bool,
    /// The real robot of the run, as messages name it.
    robot: Option<String>,
    /// The SHA-256 of the robot's file, if the robot is written in Python.
    robot_file: Option<String>,
    /// Stores the behaviors that clients send.
    uploads: Option<UploadStore>,
    /// The models that a page draws.
    drawn: Option<Models>,
}

/// An engine that is set up, in which something is about to play.
pub(crate) struct PreparedRun {
    pub(crate) engine: Engine,
    /// The error of translations that cannot be read; texts are not translated then.
    pub(crate) untranslated: Option<FormatError>,
    /// The character that plays, if one plays.
    pub(crate) performance: Option<RunningCharacter>,
}

impl<'a> RunSetup<'a> {
    /// Chooses body and language. Options take precedence over the project's `boxstep.toml`, which takes precedence
    /// over what the files were made for.
    pub(crate) fn new(
        playable: impl Into<Playable<'a>>,
        spec: &'a RunSpec,
        given: &'a Given,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let playable = playable.into();
        let asked = spec.body.as_deref().map(body::asked).transpose()?;
        let (body, reason) = playable.body(asked, settings)?;
        let language = spec.language.clone().or_else(|| settings.config.language.clone());
        let asked = language.is_some();
        let language = language.unwrap_or_else(|| SimOptions::default().language);
        Ok(Self {
            playable,
            spec,
            given,
            body,
            reason,
            language,
            asked,
            robot: None,
            robot_file: None,
            uploads: None,
            drawn: None,
        })
    }

    pub(crate) fn playable(&self) -> Playable<'a> {
        self.playable
    }

    pub(crate) fn spec(&self) -> &'a RunSpec {
        self.spec
    }

    /// Returns the language of the texts.
    pub(crate) fn language(&self) -> &str {
        &self.language
    }

    /// Adds a store for behaviors that clients send.
    pub(crate) fn receiving(self) -> Self {
        let uploads = UploadStore::new(&self.language, self.body);
        Self { uploads: Some(uploads), ..self }
    }

    /// Returns the store for behaviors that clients send.
    pub(crate) fn uploads(&self) -> Option<&UploadStore> {
        self.uploads.as_ref()
    }

    /// Adds the models that a page draws: those of what plays, and of behaviors that scripts start. They take the place
    /// of those that the page has.
    pub(crate) fn drawn(self, page: Models) -> Self {
        let character = match self.playable {
            Playable::Character(loaded) => Some(chart::json(&chart_of(&loaded.character))),
            Playable::Behavior(_) => None,
        };
        page.set_character(character);
        page.replace(self.playable.behaviors().into_iter().map(|chosen| view::model(chosen, self.body)).collect());
        Self { drawn: Some(page), ..self }
    }

    /// Returns the models that a page draws.
    pub(crate) fn models(&self) -> Option<&Models> {
        self.drawn.as_ref()
    }

    /// Sets a real robot, whose language is used unless another one was set.
    pub(crate) fn on(self, name: &str, robot: &dyn Services) -> Self {
        let language = if self.asked { self.language } else { robot.language() };
        Self { robot: Some(name.to_owned()), language, ..self }
    }

    /// Sets a robot that is written in Python.
    pub(crate) fn played_by(self, file: &Path) -> Result<Self, Failure> {
        let bytes = std::fs::read(file).map_err(|e| Failure::io(file, &e))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { robot: Some(name), robot_file: Some(open::sha256(&bytes)), ..self })
    }

    /// Creates the engine, with a simulated robot.
    pub(crate) fn engine(
        &self,
        config: Config,
        sinks: Vec<Box<dyn Sink>>,
        begin: RunStart<'_>,
    ) -> Result<PreparedRun, Failure> {
        let robot = SimRobot::new(self.simulated()?);
        self.engine_with(Box::new(robot), config, sinks, begin)
    }

    /// Returns the options of the simulated robot.
    pub(crate) fn simulated(&self) -> Result<SimOptions, Failure> {
        Ok(SimOptions {
            body: self.body,
            language: self.language.clone(),
            folder: Some(self.playable.folder()?),
            topics: self.playable.collaborative_topics(),
            name: self.body.to_string(),
            epoch: self.spec.robot_epoch(),
            world: body::world(self.spec.world.as_deref())?,
            physics: body::physics(self.spec.physics, self.body)?,
            ..SimOptions::default()
        })
    }

    /// Creates the engine, with any robot.
    pub(crate) fn engine_with(
        &self,
        services: Box<dyn Services>,
        config: Config,
        sinks: Vec<Box<dyn Sink>>,
        begin: RunStart<'_>,
    ) -> Result<PreparedRun, Failure> {
        let config = Config { resources: resource_tree(), mocks: self.given.mocks(), ..config };
        let header = self.header(&config)?;
        let library = self.playable.library(&self.language, self.body, self.drawn.as_ref());
        let library = match &self.uploads {
            Some(uploads) => uploads.library(library),
            None => library,
        };
        let stop_within = Time::ZERO + config.stop_within;
        let engine = Engine::new(config, services, library, &header, sinks);
        let mut prepared = self.opened(engine, stop_within, begin)?;
        let given = match begin {
            RunStart::Again(replay, besides) => {
                for input in &replay.inputs {
                    let control = Control::recorded(input.control.clone(), input.path.clone()).map_err(str::to_owned);
                    let done = control.and_then(|control| prepared.engine.control_again(input.t, control));
                    done.map_err(|why| Failure::Usage(format!("--replay: at {} s: {why}", input.t.as_secs_f64())))?;
                }
                besides
            }
            RunStart::Start | RunStart::Opened => self.given,
        };
        // The parameters of a character were set when its file was read.
        let without = match self.playable {
            Playable::Behavior(_) => None,
            Playable::Character(_) => Some(Given { set: BTreeMap::new(), ..given.clone() }),
        };
        let applied = without.as_ref().unwrap_or(given).apply(&mut prepared.engine);
        applied.map_err(|refused| {
            let project = match self.playable {
                Playable::Behavior(chosen) => Some(&chosen.file.project),
                Playable::Character(_) => None,
            };
            let meant = project.and_then(|project| boxes::meant_by(project, given));
            let meant = meant.map(|meant| format!("; {meant}")).unwrap_or_default();
            Failure::Usage(format!("--{}: {}{meant}", refused.what, refused.why))
        })?;
        Ok(prepared)
    }

    /// Makes the engine play the behavior or character.
    fn opened(&self, mut engine: Engine, stop_within: Time, begin: RunStart<'_>) -> Result<PreparedRun, Failure> {
        match self.playable {
            Playable::Character(loaded) => {
                let (performance, untranslated) =
                    loaded.perform(&mut engine, &self.language, self.body, stop_within)?;
                Ok(PreparedRun { engine, untranslated, performance: Some(performance) })
            }
            Playable::Behavior(chosen) => {
                let (source, untranslated) = chosen.source(&self.language, self.body);
                let sources = source.sources.clone();
                let opened = match begin {
                    RunStart::Opened => engine.stage(source).map(|_| ()),
                    RunStart::Start | RunStart::Again(..) if !engine.runs_scripts() => engine.play(source),
                    RunStart::Start | RunStart::Again(..) => {
                        engine.play_with_services(source, chosen.service_programs(&self.language, self.body))
                    }
                };
                opened.map_err(|found| Failure::Rendered(open::rendered(&found, &sources)))?;
                Ok(PreparedRun { engine, untranslated, performance: None })
            }
        }
    }

    fn header(&self, config: &Config) -> Result<Header, Failure> {
        let name = Some(self.playable.name().to_owned());
        let (behavior, character) = match self.playable {
            Playable::Behavior(_) => (name, None),
            Playable::Character(_) => (None, name),
        };
        let body_file = (!self.body.is_known()).then(|| open::sha256(self.body.source.as_bytes()));
        let options = RunSpec {
            behavior,
            character,
            language: Some(self.language.clone()),
            scripts: Some(self.spec.how()),
            alone: self.playable.is_alone().cloned(),
            robot: self.robot.clone(),
            robot_file: self.robot_file.clone(),
            body_file,
            mocks: self.given.mocks.iter().map(Value::from).collect(),
            ..self.spec.to_record()
        };
        let now = wall_clock();
        let is_virtual = config.clock == ClockKind::Virtual;
        Ok(Header {
            schema: Schema,
            product: format!("boxstep {}", env!("CARGO_PKG_VERSION")),
            files: self.playable.files()?,
            body: self.body.to_string(),
            clock: config.clock,
            seed: config.seed,
            epoch: self.spec.epoch(),
            parameters: self.given.parameters(),
            options: Header::options_of(&options).map_err(Failure::Run)?,
            started: (!is_virtual).then(|| calendar::rfc3339(now)),
            show: None,
        })
    }
}
