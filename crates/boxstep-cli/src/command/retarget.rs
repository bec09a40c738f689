//! `boxstep retarget`

mod report;

use crate::args::{RetargetArgs, RetargetFormat};
use crate::failure::Failure;
use crate::{body, exit, files, open};
use boxstep_api::play::{fit_curves, known_body};
use boxstep_bodies::{Body, BodyKind};
use boxstep_check::Context;
use boxstep_dynamics::Model;
use boxstep_dynamics::retarget::{Retarget, Retargeted};
use boxstep_format::model::ScriptLanguage;
use boxstep_format::output::write_file;
use boxstep_format::project::Behavior;
use boxstep_format::write::{Copies, Edits};
use boxstep_format::{Limits, Opened, XarFile, paths, read_xar};
use boxstep_types::{Diagnostic, Severity};
use std::path::{Path, PathBuf};

/// Words by which scripts go to frames of their timeline.
const GOES: [&str; 3] = ["goTo(", "gotoAndPlay(", "gotoAndStop("];

/// Writes a behavior whose timelines fit another body.
pub(crate) fn run(args: &RetargetArgs) -> Result<i32, Failure> {
    let to = body::asked_by("--to", &args.to)?;
    let opened = open::project_for(&args.file, args.behavior.as_deref())?;
    let behavior = open::choose(&opened, &args.file, args.behavior.as_deref())?;
    let output = output(args, &opened, behavior, to)?;
    let file = read(behavior)?;
    let (from, why) = made_for(args, &opened, &file)?;
    if from == to {
        let why = format!(
            "{} is for {} already ({why}); if it is not, --from says for what it was drawn",
            behavior.shown, from.name
        );
        return Err(Failure::Usage(why));
    }
    let mut edits = file.edits();
    let done = retargeted(&file, from, to, &mut edits);
    if done.is_empty() {
        return Err(Failure::File(PathBuf::from(&behavior.shown), "no timeline in it has a curve".to_owned()));
    }
    let limits = Limits::default();
    let unwritable = |why: String| Failure::File(PathBuf::from(&behavior.shown), why);
    let edited = file.edited(edits, &limits).map_err(|e| unwritable(e.to_string()))?;
    // Findings are about the file that is written.
    let bytes = edited.to_bytes();
    let new = read_xar(&output.to_string_lossy(), &bytes, &limits).map_err(|e| open::unreadable(&e))?;
    let findings = findings(&new, behavior, to);
    write_file(&output, &bytes, args.force).map_err(|e| Failure::unwritten(&output, &e))?;
    let report = report::Report { from, why: &why, to, done: &done, new: &new, findings: &findings, output: &output };
    match args.format {
        RetargetFormat::Text => report.text()?,
        RetargetFormat::Json => report.json()?,
    }
    Ok(exit::OK)
}

/// A timeline that was made to fit.
struct Done {
    /// The path of its box.
    path: String,
    fps: i32,
    result: Retargeted,
    /// The boxes inside whose scripts go to frames by number or name.
    goes: Vec<String>,
}

/// Makes all timelines fit, and adds what changes in the file.
fn retargeted(file: &XarFile, from: &'static Body, to: &'static Body, edits: &mut Edits<'_>) -> Vec<Done> {
    let (from, to) = (Model::new(from), Model::new(to));
    let retarget = Retarget::new(&from, &to);
    let copies = Copies::new(file, &[]);
    let boxes = paths::boxes(&file.project).filter_map(|at| {
        let timeline = at.def.timeline.as_ref()?;
        let result = retarget.timeline(timeline)?;
        edits.set_timeline(timeline, &result.timeline, &copies);
        let path = at.path.to_string();
        let goes = if result.frames.is_same() { Vec::new() } else { going(file, &path) };
        Some(Done { path, fps: timeline.fps.unwrap_or(25), result, goes })
    });
    boxes.collect()
}

/// Returns the boxes inside a box whose scripts go to frames.
fn going(file: &XarFile, path: &str) -> Vec<String> {
    let within = format!("{path}/");
    let boxes = paths::boxes(&file.project).filter(|at| at.path.to_string().starts_with(&within));
    let goes = boxes.filter(|at| {
        let script = at.def.script.as_ref().filter(|script| script.language == ScriptLanguage::Python);
        script.is_some_and(|script| GOES.iter().any(|word| script.text.contains(word)))
    });
    goes.map(|at| at.path.to_string()).collect()
}

/// Reads the behavior; a split folder becomes one file.
fn read(behavior: &Behavior) -> Result<XarFile, Failure> {
    let limits = Limits::default();
    let file = behavior.read(&limits).map_err(|e| open::unreadable(&e))?;
    if !behavior.is_split() {
        return Ok(file);
    }
    read_xar(&behavior.shown, &files::joined(&file)?, &limits).map_err(|e| open::unreadable(&e))
}

/// Returns the body that the timelines were drawn for, and how that is known.
fn made_for(args: &RetargetArgs, opened: &Opened, file: &XarFile) -> Result<(&'static Body, String), Failure> {
    if let Some(name) = &args.from {
        return Ok((body::asked_by("--from", name)?, "--from".to_owned()));
    }
    let robots = opened.manifest.as_ref().map_or(&[][..], |manifest| manifest.robot_models.as_slice());
    let default = || (BodyKind::Nao, "the default; the files name no robot".to_owned());
    let (kind, why) = known_body(robots, &file.project).unwrap_or_else(default);
    Ok((kind.body(), why))
}

/// Returns the file to write, which is never the input.
fn output(args: &RetargetArgs, opened: &Opened, behavior: &Behavior, to: &Body) -> Result<PathBuf, Failure> {
    let Some(output) = &args.output else {
        if open::is_stdin(&args.file) || opened.archive().is_some() {
            let why =
                format!("{} has no folder of its own: name the result with -o OUT", open::shown(&args.file).display());
            return Err(Failure::Usage(why));
        }
        let stem = behavior.xar.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name: String =
            to.name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
        return Ok(behavior.xar.with_file_name(format!("{stem}-{name}.xar")));
    };
    if output.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("xar")) {
        return Err(Failure::Usage(format!("{}: the result is a .xar", output.display())));
    }
    let real = |path: &Path| path.canonicalize().ok();
    if real(output).is_some_and(|output| real(&behavior.xar) == Some(output)) {
        return Err(Failure::Usage(format!(
            "{} is the input, which is not changed: name another file",
            output.display()
        )));
    }
    Ok(output.clone())
}

/// Returns the errors and warnings of the new file on the new body.
fn findings(new: &XarFile, behavior: &Behavior, to: &'static Body) -> Vec<Diagnostic> {
    let mut file = new.clone();
    fit_curves(&mut file.project, to);
    let context = Context {
        folder: Some(&behavior.folder),
        body: Some(to),
        body_asked: true,
        scripts: None,
        services: &[],
        dialogs: &[],
    };
    let mut findings = boxstep_check::check(&file, &context).behavior;
    findings.extend(new.findings.iter().cloned());
    findings.retain(|finding| finding.severity != Severity::Note);
    findings.sort_by_key(|finding| finding.span.map(|span| span.start));
    findings
}
