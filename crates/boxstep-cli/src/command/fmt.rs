//! `boxstep fmt`

use crate::args::FmtArgs;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::topic_errors::topic_errors;
use crate::walk::{Closed, is_file, walk};
use crate::{exit, files, open, output};
use boxstep_dialog::files::open_topic;
use boxstep_format::output::write_file;
use boxstep_format::project::Behavior;
use boxstep_format::{Limits, read_xar};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use walkdir::DirEntry;

/// Formats files in place, or lists those that would change. A file that cannot be read is reported, and the others
/// continue.
pub(crate) fn run(args: &FmtArgs) -> Result<i32, Failure> {
    let (mut files, mut closed) = (Vec::new(), Vec::new());
    for path in &args.files {
        let (more, cannot) = xars(path, args.recursive)?;
        files.extend(more);
        closed.extend(cannot);
    }
    let (mut changed, mut failed) = (Vec::new(), closed.len());
    closed.into_iter().for_each(|closed| closed.failure().print());
    let progress = Progress::new(files.len());
    for path in &files {
        progress.file(path);
        match lay_out(path, args.check) {
            Ok(true) => changed.push(path),
            Ok(false) => {}
            Err(failure) => {
                failed += 1;
                progress.aside(|| failure.print());
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

/// Returns the files to format; with `-r` also the folders that cannot be read.
fn xars(path: &Path, recursive: bool) -> Result<(Vec<PathBuf>, Vec<Closed>), Failure> {
    if recursive && path.is_dir() {
        let walked = walk(path);
        let formatted = |item: &DirEntry| is_file(item, "xar") || is_file(item, "top");
        let xars: Vec<_> = walked.items.into_iter().filter(formatted).map(DirEntry::into_path).collect();
        if xars.is_empty() && walked.closed.is_empty() {
            return Err(Failure::File(path.to_owned(), "there is no .xar and no .top in it".to_owned()));
        }
        return Ok((xars, walked.closed));
    }
    if files::is_topic(path) {
        return Ok((vec![path.to_owned()], Vec::new()));
    }
    let opened = open::changeable(path)?;
    if opened.behaviors.iter().any(Behavior::is_split) {
        let why = format!("{} is a split folder: its files are laid out as they are written", path.display());
        return Err(Failure::Usage(why));
    }
    Ok((opened.behaviors.into_iter().map(|b| b.xar).collect(), Vec::new()))
}

/// Formats a file and returns whether it changes. With `check` the file is not written.
fn lay_out(path: &Path, check: bool) -> Result<bool, Failure> {
    let limits = Limits::default();
    // Resolve a symbolic link, so that its target is replaced and not the link.
    let real = path.canonicalize().map_err(|e| Failure::io(path, &e))?;
    let bytes = std::fs::read(&real).map_err(|e| Failure::io(path, &e))?;
    let new = if files::is_topic(path) {
        let topic = open_topic(&real).map_err(|why| Failure::Usage(why.to_string()))?.topic;
        // What is wrong may be a bracket: then nobody knows where a rule ends.
        if topic.is_broken() {
            return Err(Failure::Rendered(topic_errors(&topic)));
        }
        boxstep_dialog::formatted(&topic).into_bytes()
    } else {
        let file = read_xar(&path.to_string_lossy(), &bytes, &limits).map_err(|e| open::unreadable(&e))?;
        file.formatted(&limits).map_err(|e| Failure::File(path.to_owned(), e.to_string()))?.to_bytes()
    };
    if new == bytes {
        return Ok(false);
    }
    if !check {
        write_file(&real, &new, true).map_err(|e| Failure::unwritten(path, &e))?;
    }
    Ok(true)
}
