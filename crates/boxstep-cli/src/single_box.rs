//! Runs of a single box: notes about a box that is played alone, and the runs that a page of `play --view` starts, each
//! in its own process with its own page.

use crate::Program;
use crate::args::{PlayArgs, RunSpec};
use crate::children::ChildRuns;
use crate::failure::system_message;
use crate::open;
use crate::playable::Playable;
use boxstep_format::model::{InputNature, OutputNature};
use boxstep_types::BoxPath;
use std::ffi::{OsStr, OsString};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// Returns notes on a box that nothing starts or nothing ends, for it lacks an onStart or an onStopped.
pub(crate) fn notes_on_single_box(playable: Playable<'_>) -> Vec<String> {
    let (Playable::Behavior(chosen), Some(path)) = (playable, playable.is_alone()) else { return Vec::new() };
    let root = &chosen.file.project.root;
    let mut notes = Vec::new();
    if !root.inputs.iter().any(|input| input.nature == InputNature::OnStart) {
        let others = root.inputs.iter().filter(|input| !input.inner && input.nature == InputNature::OnEvent);
        let others: Vec<String> = others.map(|input| format!("`{}`", input.name)).collect();
        let how = match others.as_slice() {
            [] => "it has no other input either".to_owned(),
            some => format!("stimulate {} on the page, or by --stimulate", some.join(" or ")),
        };
        notes.push(format!("nothing starts {path}, which has no onStart: {how}"));
    }
    if !root.outputs.iter().any(|output| output.nature == OutputNature::OnStopped) {
        notes.push(format!("{path} has no onStopped and does not end by itself: Ctrl-C, Stop or --for ends it"));
    }
    notes
}

/// Plays boxes of a run alone, one at a time. The run of the box ends when this is dropped.
pub(crate) struct SingleBox {
    runs: ChildRuns,
    /// The file, and the options that are the same for all boxes.
    asked: Vec<OsString>,
    /// The name of the behavior, and the box that the run itself plays alone, if it does.
    behavior: String,
    of: Option<BoxPath>,
    /// Held while a run starts, so that runs start one after the other.
    turn: Mutex<()>,
}

impl SingleBox {
    /// Prepares to play boxes of a run with these options; their pages are at `at`.
    ///
    /// # Errors
    /// A sentence why the boxes of this run cannot be played alone.
    pub(crate) fn new(args: &PlayArgs, playable: Playable<'_>, program: &Program, at: IpAddr) -> Result<Self, String> {
        if let Playable::Character(_) = playable {
            return Err("boxes of a character's behaviors are not run alone: play the behavior's own file".to_owned());
        }
        if open::is_stdin(&args.file) {
            return Err("a box of standard input is not run alone: play the behavior from a file".to_owned());
        }
        if let Some(robot) = args.robots().map_err(|why| why.to_string())?.first() {
            return Err(format!(
                "this run has the robot {robot}, which moves for one at a time: end it, then `boxstep play FILE --box PATH`"
            ));
        }
        let runs = ChildRuns::new(program.clone(), at);
        Ok(Self {
            runs,
            asked: asked(args)?,
            behavior: playable.name().to_owned(),
            of: playable.is_alone().cloned(),
            turn: Mutex::default(),
        })
    }

    /// Ends the box that plays, plays another box of a behavior, and returns the URL of its page.
    pub(crate) fn begin(&self, behavior: &str, path: &str) -> Result<String, String> {
        if behavior != self.behavior {
            return Err(format!(
                "only boxes of {} are run alone, and this one is of {behavior}: `boxstep play FILE --box PATH`",
                self.behavior
            ));
        }
        let path = self.in_file(&path.parse().map_err(|why| format!("`{path}`: {why}"))?);
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.runs.end();
        let mut asked = self.asked.clone();
        asked.push(option("--box", path.to_string()));
        let run = self
            .runs
            .begin(0, &asked, (None, false), false)
            .map_err(|e| format!("it cannot be played: {}", system_message(&e)))?;
        self.runs.page(run).inspect_err(|_| self.runs.end())
    }

    /// Returns the path in the file of a box of this run.
    fn in_file(&self, path: &BoxPath) -> BoxPath {
        let Some(of) = &self.of else { return path.clone() };
        path.segments().iter().skip(1).fold(of.clone(), |of, segment| of.join(segment.clone()))
    }
}

impl Drop for SingleBox {
    fn drop(&mut self) {
        self.runs.end();
    }
}

/// Joins an option and its value in one argument, which works for values that begin with `-`, too.
fn option(name: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut word = OsString::from(name);
    word.push("=");
    word.push(value);
    word
}

/// Returns the arguments of `play` that a box run shares with this run: the file, the robot, and how scripts run.
fn asked(args: &PlayArgs) -> Result<Vec<OsString>, String> {
    let spec = RunSpec {
        scripts: Some(args.spec.how()),
        alone: None,
        args: Vec::new(),
        limit: None,
        virtual_time: false,
        mocks: Vec::new(),
        ..args.spec.clone()
    };
    let mut asked = vec![args.file.clone().into_os_string()];
    asked.extend(spec.to_args()?);
    let paths = [("--meshes", args.page.meshes.as_deref()), ("--robot", args.own_robot())];
    asked.extend(paths.into_iter().filter_map(|(name, path)| path.map(|path| option(name, path))));
    asked.extend(args.watch.then(|| "--watch".into()));
    Ok(asked)
}
