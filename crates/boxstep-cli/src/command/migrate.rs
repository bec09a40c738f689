//! `boxstep migrate`

mod beside;
mod patch;
mod places;
mod report;
mod text;

use crate::args::{MigrateArgs, MigrateFormat};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::terminal::Reader;
use crate::{Program, exit, output, python};
use boxstep_check::Python;
use boxstep_format::Limits;
use boxstep_format::archive::read_folder;
use boxstep_format::output::{OutputFolder, write_file};
use places::{Files, Target};
use report::MigrateReport;
use std::collections::BTreeMap;
use std::path::Path;
use text::{Given, Outcome};

/// Reports how scripts become Python 3, and writes them on request. A file that cannot be read is reported, and the
/// others continue.
pub(crate) fn run(args: &MigrateArgs, program: &Program) -> Result<i32, Failure> {
    if args.output.is_some() && args.files.len() > 1 {
        return Err(Failure::Usage("--output is for one file or folder".to_owned()));
    }
    let progress = Progress::growing(args.recursive);
    let gathered = places::gather(args, &progress)?;
    let mut outcomes: Vec<Vec<Outcome>> = gathered.targets.iter().map(|_| Vec::new()).collect();
    // One process per interpreter; there is nearly always only one.
    let mut by_python: BTreeMap<Python, Vec<usize>> = BTreeMap::new();
    for (n, target) in gathered.targets.iter().enumerate() {
        let chosen = python::choose(args.python.as_deref(), target.python.as_deref(), program.python());
        by_python.entry(Python::new(chosen.program, chosen.from)).or_default().push(n);
    }
    progress.doing("the scripts");
    for (python, targets) in by_python {
        let of = |n: &usize| gathered.targets.get(*n);
        let targets_of = targets.iter().filter_map(of);
        let texts = targets_of.flat_map(|t| {
            t.scripts.iter().map(move |s| Given { text: &s.text, dialect: t.dialect, beside: &t.beside })
        });
        let texts: Vec<Given<'_>> = texts.collect();
        let done = text::migrate(&python, &texts);
        let mut done = done.map_err(|why| Failure::Usage(format!("no script was migrated: {why}")))?.into_iter();
        for n in targets {
            if let (Some(target), Some(slot)) = (gathered.targets.get(n), outcomes.get_mut(n)) {
                slot.extend(done.by_ref().take(target.scripts.len()));
            }
        }
    }
    drop(progress);

    let mut failures = gathered.failures;
    let mut files = Files::new();
    let mut report =
        MigrateReport::new(output::stdout_for(Reader::json_if(args.format == MigrateFormat::Json)), args.format);
    for (target, outcomes) in gathered.targets.iter().zip(&outcomes) {
        match target.changed(outcomes) {
            Ok(bytes) => files.extend(bytes.map(|bytes| (target.path.clone(), bytes))),
            Err(failure) => {
                failures.push(failure);
                continue;
            }
        }
        report_target(&mut report, target, outcomes)?;
    }
    if args.write || args.output.is_some() {
        write(args, &files)?;
    }
    let needs_review = report.finish(files.len(), args)?;
    failures.iter().for_each(Failure::print);
    Ok(match (failures.len(), needs_review || args.check && !files.is_empty()) {
        (1.., _) => exit::USAGE,
        (0, true) => exit::FINDINGS,
        (0, false) => exit::OK,
    })
}

fn report_target<W: std::io::Write>(
    report: &mut MigrateReport<W>,
    target: &Target,
    outcomes: &[Outcome],
) -> std::io::Result<()> {
    let mut scripts = target.scripts.iter().zip(outcomes);
    scripts.try_for_each(|(script, outcome)| report.add(&target.shown, script.path.as_deref(), outcome))
}

fn write(args: &MigrateArgs, files: &Files) -> Result<(), Failure> {
    let (Some(out), Some(given)) = (&args.output, args.files.first()) else {
        for (path, bytes) in files {
            // Resolve a symbolic link, so that its target is replaced and not the link.
            let real = path.canonicalize().map_err(|e| Failure::io(path, &e))?;
            write_file(&real, bytes, true).map_err(|e| Failure::unwritten(path, &e))?;
        }
        return Ok(());
    };
    let is_project = given.extension().is_some_and(|e| e.eq_ignore_ascii_case("pml"));
    if given.is_file() && !is_project {
        return write_beside(given, out, args.force, files);
    }
    let root = if given.is_dir() { given } else { given.parent().unwrap_or(Path::new(".")) };
    let root = if root == Path::new("") { Path::new(".") } else { root };
    let real = root.canonicalize().map_err(|e| Failure::io(root, &e))?;
    let mut changed = BTreeMap::new();
    for (path, bytes) in files {
        let path = path.canonicalize().map_err(|e| Failure::io(path, &e))?;
        let Ok(inside) = path.strip_prefix(&real) else {
            return Err(Failure::Usage(format!("{} is not in {}: name the project", path.display(), root.display())));
        };
        changed.insert(inside.to_string_lossy().replace('\\', "/"), bytes);
    }
    let entries = read_folder(root, &Limits::default()).map_err(|e| crate::open::unreadable(&e))?;
    let mut folder = OutputFolder::new(out, args.force).map_err(|e| Failure::unwritten(out, &e))?;
    for mut entry in entries {
        if let Some(bytes) = changed.get(&entry.name) {
            entry.bytes.clone_from(bytes);
        }
        folder.add(&entry).map_err(|e| Failure::unwritten(out, &e))?;
    }
    folder.finish().map_err(|e| Failure::unwritten(out, &e))
}

/// Writes a lone file, and its own modules at the same relative paths as beside the old file.
fn write_beside(given: &Path, out: &Path, force: bool, files: &Files) -> Result<(), Failure> {
    let real = given.canonicalize().map_err(|e| Failure::io(given, &e))?;
    let own =
        files.iter().find(|(path, _)| path.canonicalize().is_ok_and(|p| p == real)).map(|(_, bytes)| bytes.clone());
    let own = own.map_or_else(|| std::fs::read(given).map_err(|e| Failure::io(given, &e)), Ok)?;
    let beside = |path: &Path| path.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new(".")).to_owned();
    let (from, to) = (beside(&real), beside(out));
    let mut written = vec![(out.to_owned(), own)];
    for (path, bytes) in files {
        let path = path.canonicalize().map_err(|e| Failure::io(path, &e))?;
        if path == real {
            continue;
        }
        let Ok(inside) = path.strip_prefix(&from) else {
            let why = format!("{} is a module of another folder: name the project, not the file", path.display());
            return Err(Failure::Usage(why));
        };
        written.push((to.join(inside), bytes.clone()));
    }
    written
        .iter()
        .try_for_each(|(path, bytes)| write_file(path, bytes, force).map_err(|e| Failure::unwritten(path, &e)))
}
