//! `boxstep edit`

pub(crate) mod project;

use crate::args::{EditArgs, EditCommand};
use crate::failure::Failure;
use crate::value_parsers::{Member, ParameterText};
use crate::{box_folders, exit, open, output};
use boxstep_check::Context;
use boxstep_edit::{BoxFolders, Change, Document, Kind, NewBox, Op, OpenError, OpenFile, PortAt, Recovered, SaveError};
use boxstep_format::output::write_file;
use boxstep_format::project::Behavior;
use boxstep_format::{Limits, XarFile, read_xar};
use boxstep_types::Diagnostic;
use std::io::Write as _;
use std::path::Path;

/// Changes a behavior, and reports what changed and what `check` has against it now.
pub(crate) fn run(args: &EditArgs) -> Result<i32, Failure> {
    // Standard input is there once.
    let file = match &args.change {
        EditCommand::Apply { operations } => Some((open::text(operations)?, operations.as_path())),
        _ => None,
    };
    let of_project = match &file {
        Some((text, name)) => project::read(text, name)?,
        None => project::operations(&args.change)?,
    };
    if let Some(ops) = of_project {
        return project::run(args, &ops);
    }
    let opened = open::changeable(&args.file)?;
    let behavior = open::choose(&opened, &args.file, args.behavior.as_deref())?;
    if behavior.is_split() {
        let why = format!("{} is a split folder: convert it to a .xar first (boxstep convert)", behavior.shown);
        return Err(Failure::Usage(why));
    }
    if behavior.xar.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("xar")) {
        return Err(Failure::Usage(format!("{} is no .xar: change it with a text editor", behavior.shown)));
    }
    let box_folders = box_folders::of(&args.own_boxes, &opened.folder);
    let ops = operations(&args.change, file.as_ref().map(|(text, _)| text.as_str()), &box_folders)?;
    let file = behavior.read(&Limits::default()).map_err(|e| open::unreadable(&e))?;
    let mut document = Document::new(file.clone());
    let change = document.apply("edit", None, &ops).map_err(|e| refused(behavior, &e.to_string()))?;
    if args.dry_run {
        let mut out = output::stdout();
        let diff = similar::TextDiff::from_lines(file.text(), document.file().text());
        write!(out, "{}", diff.unified_diff().context_radius(3).header(&behavior.shown, &behavior.shown))?;
    } else if let Some(path) = &args.output {
        write_file(path, &document.file().to_bytes(), false).map_err(|e| Failure::unwritten(path, &e))?;
    } else {
        save(behavior, &ops)?;
    }
    report(args, behavior, &change, (&file, document.file()))?;
    Ok(exit::OK)
}

/// Writes the file, unless it has edits that were not saved, or another program writes it just now.
fn save(behavior: &Behavior, ops: &[Op]) -> Result<(), Failure> {
    let fault = |why: String| Failure::File(behavior.xar.clone(), why);
    let mut file = OpenFile::open(&behavior.xar, &behavior.shown).map_err(|e| match e {
        OpenError::Io(path, e) => Failure::io(&path, &e),
        OpenError::Format(e) => open::unreadable(&e),
        e @ OpenError::InUse(_) => Failure::Run(e.to_string()),
    })?;
    if let Recovered::Again(_, kept) = file.recovered() {
        eprintln!("{}: changes of another version of this file are now in {}", behavior.shown, kept.display());
    }
    if file.document().is_changed() {
        let why = "it is being edited: save or discard what was changed there (boxstep open)";
        return Err(fault(why.to_owned()));
    }
    file.apply("edit", None, ops).map_err(|e| refused(behavior, &e.to_string()))?;
    match file.save() {
        Ok(()) => Ok(()),
        Err(SaveError::Io(path, e)) => Err(Failure::unwritten(&path, &e)),
        Err(e @ SaveError::Changed(_)) => Err(fault(e.to_string())),
    }
}

fn refused(behavior: &Behavior, why: &str) -> Failure {
    Failure::Usage(format!("{}: {why}", behavior.shown))
}

fn report(
    args: &EditArgs,
    behavior: &Behavior,
    change: &Change,
    (before, after): (&XarFile, &XarFile),
) -> Result<(), Failure> {
    let lines: u32 = change.lines.iter().map(|lines| lines.end - lines.start).sum();
    let places = change.lines.iter().take(5).map(|lines| match lines.end - lines.start {
        1 => lines.start.to_string(),
        _ => format!("{}–{}", lines.start, lines.end - 1),
    });
    let places = places.collect::<Vec<_>>().join(", ");
    let more = if change.lines.len() > 5 { " …" } else { "" };
    let shown = args.output.as_deref().map_or_else(|| behavior.shown.clone(), |path| path.display().to_string());
    let verb = if args.dry_run { "would change" } else { "changed" };
    let said = match lines {
        0 => format!("{shown}: nothing changes"),
        1 => format!("{shown}: 1 line {verb} ({places})"),
        lines => format!("{shown}: {lines} lines {verb} ({places}{more})"),
    };
    eprintln!("{said}");
    // What was there before is the business of `check`, also if its box has another path now.
    let (mut old, mut new) = (findings(before, behavior), findings(after, behavior));
    let says_the_same = |a: &Diagnostic, b: &Diagnostic| (a.code, &a.message) == (b.code, &b.message);
    take_known(&mut old, &mut new, |a, b| says_the_same(a, b) && a.path == b.path);
    take_known(&mut old, &mut new, says_the_same);
    if !new.is_empty() {
        eprint!("{}", open::rendered(&new, &after.sources));
    }
    Ok(())
}

/// Takes findings away that are the same, each with one old one.
fn take_known(old: &mut Vec<Diagnostic>, new: &mut Vec<Diagnostic>, same: impl Fn(&Diagnostic, &Diagnostic) -> bool) {
    new.retain(|finding| {
        let known = old.iter().position(|other| same(other, finding));
        known.map(|at| old.swap_remove(at)).is_none()
    });
}

/// Returns what `check` has against a file.
fn findings(file: &XarFile, behavior: &Behavior) -> Vec<Diagnostic> {
    let context = Context {
        folder: Some(&behavior.folder),
        body: None,
        body_asked: false,
        scripts: None,
        services: &[],
        dialogs: &[],
    };
    boxstep_check::check(file, &context).behavior
}

/// Returns the operations of a change.
fn operations(change: &EditCommand, file: Option<&str>, box_folders: &BoxFolders) -> Result<Vec<Op>, Failure> {
    let port = |member: &Member| PortAt { r#box: member.path.clone(), port: member.port.clone() };
    let one = match change {
        EditCommand::Set { values } => {
            let set = |setting: &ParameterText| Op::SetParameter {
                r#box: setting.path.clone(),
                parameter: setting.parameter.clone(),
                value: setting.value.clone(),
            };
            return Ok(values.iter().map(set).collect());
        }
        EditCommand::Apply { operations } => {
            return serde_json::from_str(file.unwrap_or_default())
                .map_err(|e| Failure::File(operations.clone(), format!("it is no list of operations: {e}")));
        }
        EditCommand::Text { path, text, language } => {
            Op::SetText { r#box: path.clone(), language: language.clone(), text: text.clone() }
        }
        EditCommand::Script { path, source } => {
            Op::SetScript { r#box: path.clone(), script: open::text(source)?, was: None }
        }
        EditCommand::Rename { path, name } => Op::Rename { r#box: path.clone(), name: name.clone() },
        EditCommand::Connect { from, to } => Op::Connect { from: port(from), to: port(to) },
        EditCommand::Disconnect { from, to } => Op::Disconnect { from: port(from), to: port(to) },
        EditCommand::Add { diagram, what, name, at: (x, y) } => {
            Op::Add { diagram: diagram.clone(), add: new_box(what, box_folders)?, name: name.clone(), x: *x, y: *y }
        }
        EditCommand::Remove { boxes } => Op::Remove { boxes: boxes.clone() },
        EditCommand::Replace { path, with } => Op::Replace {
            r#box: path.clone(),
            with: with.as_deref().map(|with| new_box(with, box_folders)).transpose()?,
        },
        // Those are changes of a project.
        EditCommand::Behavior(_)
        | EditCommand::Dialog(_)
        | EditCommand::File(_)
        | EditCommand::Manifest(_)
        | EditCommand::Translate(_) => return Ok(Vec::new()),
    };
    Ok(vec![one])
}

fn new_box(what: &str, box_folders: &BoxFolders) -> Result<NewBox, Failure> {
    Ok(match what {
        "script" => NewBox::Empty(Kind::Script),
        "diagram" => NewBox::Empty(Kind::Diagram),
        "timeline" => NewBox::Empty(Kind::Timeline),
        file if file.contains(['.', '/', '\\']) => NewBox::Xar(xar(Path::new(file))?),
        name if boxstep_library::named(name).is_some() => NewBox::Library(name.to_owned()),
        name => match box_folders.named(name) {
            Some(text) => NewBox::Xar(text.map_err(|why| Failure::Usage(format!("{name}: {why}")))?),
            None => NewBox::Library(name.to_owned()),
        },
    })
}

/// Returns the text of a `.xar`, whatever its encoding.
fn xar(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|e| Failure::io(path, &e))?;
    let file = read_xar(&path.display().to_string(), &bytes, &Limits::default()).map_err(|e| open::unreadable(&e))?;
    Ok(file.text().to_owned())
}
