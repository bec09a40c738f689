//! One box alone: what people should know of one that is played, and the runs of boxes that a page of `play --view` begins, each in a
//! process with a page of its own.

use crate::Program;
use crate::args::{PlayArgs, RunSpec};
use crate::children::Runs;
use crate::failure::plain;
use crate::playable::Playable;
use boxstep_format::model::{InputNature, OutputNature};
use boxstep_types::BoxPath;
use std::ffi::{OsStr, OsString};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// What a box alone does otherwise than a behavior: that nothing starts it, that nothing ends it.
pub(crate) fn not_as_usual(piece: Playable<'_>) -> Vec<String> {
    let (Playable::Behavior(chosen), Some(path)) = (piece, piece.is_alone()) else { return Vec::new() };
    let root = &chosen.file.project.root;
    let mut told = Vec::new();
    if !root.inputs.iter().any(|input| input.nature == InputNature::OnStart) {
        let others = root.inputs.iter().filter(|input| !input.inner && input.nature == InputNature::OnEvent);
        let others: Vec<String> = others.map(|input| format!("`{}`", input.name)).collect();
        let how = match others.as_slice() {
            [] => "it has no other input either".to_owned(),
            some => format!("stimulate {} on the page, or by --stimulate", some.join(" or ")),
        };
        told.push(format!("nothing starts {path}, which has no onStart: {how}"));
    }
    if !root.outputs.iter().any(|output| output.nature == OutputNature::OnStopped) {
        told.push(format!("{path} has no onStopped and does not end by itself: Ctrl-C, Stop or --for ends it"));
    }
    told
}

/// Plays boxes of a run alone, one at a time. What plays ends with it.
pub(crate) struct SingleBox {
    runs: Runs,
    /// The file, and the options that are the same.
    asked: Vec<OsString>,
    /// The name of its behavior, and the box that the run itself is of, if it is of one alone.
    behavior: String,
    of: Option<BoxPath>,
    /// One begins after the other.
    turn: Mutex<()>,
}

impl SingleBox {
    /// For a run with these options; or why its boxes are not played alone, in a sentence. The pages are at `at`.
    pub(crate) fn of(args: &PlayArgs, piece: Playable<'_>, program: &Program, at: IpAddr) -> Result<Self, String> {
        if let Playable::Character(_) = piece {
            return Err("boxes of a character's behaviors are not run alone: play the behavior's own file".to_owned());
        }
        if let Some(robot) = args.robots().map_err(|why| why.to_string())?.first() {
            return Err(format!(
                "this run has the robot {robot}, which moves for one at a time: end it, then `boxstep play FILE --box PATH`"
            ));
        }
        let runs = Runs::new(program.clone(), at);
        Ok(Self {
            runs,
            asked: asked(args)?,
            behavior: piece.name().to_owned(),
            of: piece.is_alone().cloned(),
            turn: Mutex::default(),
        })
    }

    /// Ends the box that played last and plays this one of a behavior; where its page is.
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
        let run = self.runs.begin(0, &asked, None).map_err(|e| format!("it cannot be played: {}", plain(&e)))?;
        self.runs.page(run).inspect_err(|_| self.runs.end())
    }

    /// The path that a box of this run has in its file.
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

/// An option and its value in one word, whatever that begins with.
fn option(name: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut word = OsString::from(name);
    word.push("=");
    word.push(value);
    word
}

/// What is asked of `play`, for a box of a run as for the run: what is played on which robot, and how scripts run.
fn asked(args: &PlayArgs) -> Result<Vec<OsString>, String> {
    let spec = RunSpec {
        scripts: Some(args.spec.how()),
        alone: None,
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
