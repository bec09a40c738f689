//! `boxstep fmt`

use crate::args::FmtArgs;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{exit, open, output};
use boxstep_format::output::write_file;
use boxstep_format::{Limits, read_xar};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Lays out files in place, or says which would change. One that cannot be read is told, and the others go on.
pub(crate) fn run(args: &FmtArgs) -> Result<i32, Failure> {
    let mut files = Vec::new();
    for path in &args.files {
        files.extend(xars(path, args.recursive)?);
    }
    let progress = Progress::new(files.len());
    let (mut changed, mut failed) = (Vec::new(), 0);
    for path in &files {
        progress.file(path);
        match lay_out(path, args.check) {
            Ok(true) => changed.push(path),
            Ok(false) => {}
            Err(failure) => {
                failed += 1;
                progress.aside(|| failure.tell());
            }
        }
        progress.done();
    }
    drop(progress);
    let mut out = output::stdout();
    let verb = if args.check { "would change" } else { "changed" };
    for path in &changed {
        writeln!(out, "{verb} {}", path.display())?;
    }
    writeln!(out, "{} of {} files {verb}", changed.len(), files.len())?;
    Ok(match (failed, changed.len()) {
        (1.., _) => exit::USAGE,
        (0, 1..) if args.check => exit::FINDINGS,
        _ => exit::OK,
    })
}

fn xars(path: &Path, recursive: bool) -> Result<Vec<PathBuf>, Failure> {
    if recursive && path.is_dir() {
        let items = walkdir::WalkDir::new(path).sort_by_file_name().into_iter();
        let files = items.filter_map(|item| match item {
            Ok(item) => {
                let is_xar = item.file_type().is_file() && item.path().extension().is_some_and(|e| e == "xar");
                is_xar.then(|| Ok(item.into_path()))
            }
            Err(e) => Some(Err(Failure::File(path.to_owned(), e.to_string()))),
        });
        return files.collect();
    }
    let opened = open::project(path)?;
    if opened.archive().is_some() {
        let why = format!("{} is an archive: unpack it first (boxstep unpack)", path.display());
        return Err(Failure::Usage(why));
    }
    Ok(opened.behaviors.into_iter().map(|b| b.xar).collect())
}

/// True if the file is laid out otherwise.
fn lay_out(path: &Path, check: bool) -> Result<bool, Failure> {
    let limits = Limits::default();
    // Through a link, so that it stays one.
    let real = path.canonicalize().map_err(|e| Failure::io(path, &e))?;
    let bytes = std::fs::read(&real).map_err(|e| Failure::io(path, &e))?;
    let file = read_xar(&path.to_string_lossy(), &bytes, &limits).map_err(|e| open::unreadable(&e))?;
    let new = file.formatted(&limits).map_err(|e| Failure::File(path.to_owned(), e.to_string()))?.to_bytes();
    if new == bytes {
        return Ok(false);
    }
    if !check {
        write_file(&real, &new, true).map_err(|e| Failure::unwritten(path, &e))?;
    }
    Ok(true)
}
