//! Finds out what a behavior or character requires of a robot, from its files and scripts, without running any of them.

use crate::Program;
use crate::command::check::interpreter;
use crate::failure::system_message;
use crate::own_modules::{Found, OwnModules};
use crate::playable::Playable;
use crate::settings::Settings;
use boxstep_api::play::known_body;
use boxstep_bodies::own::BodyName;
use boxstep_check::{Python, Rewriter, Scripts, Source, Uses, scripts_of};
use boxstep_format::paths;
use boxstep_robot::naoqi::preflight::{NeededCall, Requirements};
use boxstep_runner::{Character, Do, Kind, Node};
use std::collections::HashSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// How many levels of modules that import each other are followed. Real projects have fewer.
const DEEPEST: usize = 16;

/// How many bytes of a module are read.
const LONGEST: u64 = 4 << 20;

/// Returns the requirements. `language` is the one that an option sets. `python` is the interpreter that parses the
/// scripts, if an option names one; it is `None` if no scripts are run.
pub(crate) fn find<'a>(
    playable: impl Into<Playable<'a>>,
    settings: &Settings,
    language: Option<&str>,
    python: Option<Option<&Path>>,
    program: &Program,
) -> Requirements {
    let (playable, config) = (playable.into(), &settings.config);
    let behaviors = playable.behaviors();
    let mut joints: Vec<String> = Vec::new();
    for at in behaviors.iter().flat_map(|chosen| paths::boxes(&chosen.file.project)) {
        let timeline = at.def.timeline.as_ref().filter(|timeline| timeline.enabled);
        for curve in timeline.iter().filter_map(|t| t.actuators.as_ref()).flat_map(|list| &list.curves) {
            if !curve.mute && !curve.keys.is_empty() && !joints.iter().any(|joint| **joint == *curve.actuator) {
                joints.push(curve.actuator.to_string());
            }
        }
    }
    let read = python.map(|python| {
        let python = interpreter::choose(python, config.python.as_deref(), program);
        Reading::collect(playable, &python, &interpreter::ScriptReader { dialect: config.dialect })
    });
    let uses = read.unwrap_or_default();
    let mut calls = match playable {
        Playable::Behavior(_) => Vec::new(),
        Playable::Character(loaded) => of_leaves(&loaded.character),
    };
    let brought: HashSet<&str> = behaviors.iter().flat_map(|chosen| chosen.services()).collect();
    let used = uses.calls.into_iter().filter(|used| !brought.contains(used.service.as_str()));
    calls.extend(used.map(|used| NeededCall {
        place: used.place,
        service: used.service,
        method: used.method,
        guarded: used.guarded,
    }));
    Requirements {
        body: match config.body {
            Some(BodyName::Known(kind)) => Some(kind),
            // NAOqi cannot tell whether a robot has the body of this file.
            Some(BodyName::File(_)) => None,
            None => behaviors
                .iter()
                .find_map(|chosen| known_body(chosen.robots(), &chosen.file.project))
                .map(|(kind, _)| kind),
        },
        joints,
        calls,
        named: uses.named.into_iter().collect(),
        unknown: uses.unknown,
        language: language.map(str::to_owned).or_else(|| config.language.clone()),
        anything: false,
    }
}

/// Collects all scripts that may run, for one Python to parse.
#[derive(Default)]
struct Reading {
    sources: Vec<Source>,
    /// The folder of each source, if the source is a file.
    beside: Vec<Option<PathBuf>>,
    files: HashSet<PathBuf>,
    /// What could not be found or read.
    unknown: Vec<String>,
    /// Imports without a file, which matter only if scripts change the search path.
    open: Vec<String>,
}

impl Reading {
    fn collect(playable: Playable<'_>, python: &Python, rewriter: &dyn Rewriter) -> Uses {
        let mut reading = Reading::default();
        let mut folders = Vec::new();
        for chosen in playable.behaviors() {
            reading.sources.extend(scripts_of(&chosen.file));
            folders.extend(chosen.folder().ok());
        }
        // Characters start no services.
        let services = if let Playable::Behavior(chosen) = playable { chosen.service_files() } else { Vec::new() };
        for (program, file) in services {
            reading.sources.extend(scripts_of(&file));
            folders.push(program.folder);
        }
        reading.beside.resize(reading.sources.len(), None);
        let own = OwnModules::new(folders, playable.whole_folder());
        if let Playable::Character(loaded) = playable {
            let files = loaded.character.scripts.iter().map(|named| loaded.folder().join(&*named.name));
            files.for_each(|file| reading.add(&own, file));
        }
        let mut scripts = Scripts::new();
        let mut done = 0;
        for round in 0.. {
            let (from, new) = (done, reading.sources.get(done..).unwrap_or_default());
            let Some(first) = new.first() else { break };
            if round == DEEPEST {
                reading
                    .unknown
                    .push(format!("{} is imported through too many other modules to be checked", first.name));
                reading.sources.truncate(done);
                break;
            }
            new.iter().for_each(|source| scripts.add_text(source.text.clone()));
            scripts.read(python, rewriter);
            done = reading.sources.len();
            (from..done).for_each(|index| reading.follow(&scripts, &own, index));
        }
        let mut uses = scripts.uses(&reading.sources);
        if uses.searches {
            uses.unknown.append(&mut reading.open);
        }
        uses.unknown.append(&mut reading.unknown);
        uses.unknown.extend_from_slice(own.closed());
        uses
    }

    /// Adds the modules that a source imports.
    fn follow(&mut self, scripts: &Scripts, own: &OwnModules, index: usize) {
        let Some(source) = self.sources.get(index) else { return };
        let beside = self.beside.get(index).cloned().flatten();
        for import in scripts.imports(source) {
            match own.find(&import, beside.as_deref()) {
                Found::Library => {}
                Found::Nothing => self.open.push(format!(
                    "{} imports `{}`, which is in a folder that is only known at run time",
                    import.place, import.name
                )),
                Found::Files(files) => files.into_iter().for_each(|file| self.add(own, file)),
                Found::Compiled(file) => {
                    let file = own.shown(&file);
                    self.unknown.push(format!("{} imports {file}, which has no source text to check", import.place));
                }
            }
        }
    }

    fn add(&mut self, own: &OwnModules, file: PathBuf) {
        // Different imports may lead to the same file.
        let file = file.canonicalize().unwrap_or(file);
        if !self.files.insert(file.clone()) {
            return;
        }
        let name = own.shown(&file);
        match text(&file) {
            Ok(text) => {
                self.sources.push(Source { name, text: text.into() });
                self.beside.push(file.parent().map(Path::to_owned));
            }
            Err(why) => self.unknown.push(format!("{name} cannot be read: {why}")),
        }
    }
}

/// Reads the text of a module. Bytes that are not UTF-8 occur in string literals and comments, which name no service.
fn text(file: &Path) -> Result<String, String> {
    let read = || {
        let mut bytes = Vec::new();
        std::fs::File::open(file)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|e: std::io::Error| system_message(&e))?;
    match bytes.len() as u64 > LONGEST {
        true => Err("it is too long".to_owned()),
        false => Ok(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Returns the calls of the leaves of a character. A call is guarded if its parent continues after the failure of a
/// child.
fn of_leaves(character: &Character) -> Vec<NeededCall> {
    let ready = |kind: &Kind| matches!(kind, Kind::Fallback(_) | Kind::Queue(_) | Kind::Outcome(..));
    let guarded: HashSet<&str> = character
        .behaviors
        .iter()
        .filter(|node| ready(&node.kind))
        .flat_map(|node| node.kind.children())
        .map(|child| &*child.to.name)
        .collect();
    let one = |node: &Node| {
        let Kind::Do(what) = &node.kind else { return None };
        let (service, method) = match what {
            // As each dialog box: its topic is sent and activated.
            Do::Talk(_) => ("ALDialog".into(), "activateTopic".into()),
            what => what.call().map(|(service, method, _)| (service, method))?,
        };
        let guarded = guarded.contains(&*node.name);
        Some(NeededCall {
            service: service.to_string(),
            method: Some(method.to_string()),
            guarded,
            place: node.name.to_string(),
        })
    };
    character.behaviors.iter().filter_map(one).collect()
}
