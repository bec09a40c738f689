//! `boxstep convert`

mod recording;
mod tree;

use crate::args::{ConvertArgs, Kind};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::walk::{Stands, stands, walk};
use crate::{exit, files, open, output};
use boxstep_format::archive::{ArchiveKind, Entry, pack};
use boxstep_format::output::{OutputFolder, write_file};
use boxstep_format::project::Behavior;
use boxstep_format::{Limits, Opened, split};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use walkdir::DirEntry;

/// Writes a behavior or project in another format.
pub(crate) fn run(args: &ConvertArgs) -> Result<i32, Failure> {
    if args.recursive {
        return all(args);
    }
    let kind = args.to.or_else(|| Kind::from_path(&args.output)).ok_or_else(|| {
        Failure::Usage(format!(
            "{} does not say what to write: end it with .xar, .pml, .crg, .cbl, .pkg, .zip or /, with .yaml for a character, .mcap for a recording or .jsonl for that of a show, or give --to",
            args.output.display()
        ))
    })?;
    if args.ros2 && kind != Kind::Mcap {
        return Err(Failure::Usage(format!("--ros2 writes a recording: {} must end in .mcap", args.output.display())));
    }
    match kind {
        Kind::Character => return tree::run(args),
        Kind::Mcap => return recording::run(args),
        Kind::Jsonl => return recording::of_show(args),
        _ => {}
    }
    let one = matches!(kind, Kind::Xar | Kind::Split);
    if args.behavior.is_some() && !one {
        let why = format!("{} holds all behaviors: --behavior is for .xar and split folders", args.output.display());
        return Err(Failure::Usage(why));
    }
    let is_folder = args.output.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
    if is_folder && !matches!(kind, Kind::Split | Kind::Folder) {
        return Err(Failure::Usage(format!("{} names a folder, and --to a file", args.output.display())));
    }
    let opened = open::project_for(&args.input, args.behavior.as_deref())?;
    open::print_left_out(&opened.findings);
    let job = Conversion { input: &args.input, opened: &opened, output: &args.output, force: args.force, others: &[] };
    match kind {
        _ if one => job.behavior(kind, open::choose(&opened, &args.input, args.behavior.as_deref())?)?,
        _ => job.project(kind)?,
    }
    writeln!(output::stdout(), "wrote {}", args.output.display())?;
    Ok(exit::OK)
}

/// One conversion.
struct Conversion<'a> {
    input: &'a Path,
    opened: &'a Opened,
    output: &'a Path,
    force: bool,
    /// The other inputs that are converted at the same time.
    others: &'a [PathBuf],
}

impl Conversion<'_> {
    /// Converts one behavior.
    fn behavior(&self, kind: Kind, behavior: &Behavior) -> Result<(), Failure> {
        let limits = Limits::default();
        let file = behavior.read(&limits).map_err(|e| open::unreadable(&e))?;
        if kind == Kind::Split {
            let folder = split::write(&file, &limits).map_err(|e| open::unreadable(&e))?;
            let entries = folder.into_iter().map(|(name, bytes)| Entry { name, bytes, executable: false });
            let mut entries: Vec<Entry> = entries.collect();
            // Files that scripts open beside their behavior are copied beside the files of the split folder.
            let attached = files::attached(self.input, self.opened, behavior)?;
            let of_project = files::translations(self.opened)?.into_iter().chain(self.modules(behavior)?);
            for attached in attached.into_iter().chain(of_project) {
                // Another behavior inside the folder gets a folder of its own.
                let path = behavior.folder.join(&attached.name);
                let inside = |o: &&PathBuf| **o != behavior.folder && o.starts_with(&behavior.folder) && o.is_dir();
                if self.others.iter().filter(inside).any(|o| path.starts_with(o)) {
                    continue;
                }
                if entries.iter().all(|e| e.name != attached.name) {
                    entries.push(attached);
                }
            }
            return write_folder(self.output, &entries, self.force);
        }
        self.file(&if behavior.is_split() { files::joined(&file)? } else { file.to_bytes() })
    }

    /// Returns the modules of the application that the scripts of a behavior can import, unless the file was named
    /// alone.
    fn modules(&self, behavior: &Behavior) -> Result<Vec<Entry>, Failure> {
        if files::is_lone(self.input, self.opened) { Ok(Vec::new()) } else { files::modules(self.opened, behavior) }
    }

    /// Converts the whole project.
    fn project(&self, kind: Kind) -> Result<(), Failure> {
        let mut entries = files::list(self.input, self.opened)?;
        // A project keeps its name; a behavior that becomes a project is named after OUT.
        let stem = self.output.file_stem().unwrap_or_default().to_string_lossy();
        let name = if self.opened.pml.is_some() { &self.opened.name } else { &*stem };
        let archive = match kind {
            Kind::Crg => ArchiveKind::Crg,
            Kind::Cbl => ArchiveKind::Cbl,
            Kind::Zip => ArchiveKind::Zip,
            Kind::Pkg => {
                files::leave_out_ignored(&mut entries, self.opened);
                files::add_manifest(&mut entries, name);
                ArchiveKind::Pkg
            }
            Kind::Pml => {
                files::add_manifest(&mut entries, name);
                let file_name = self.output.file_name().unwrap_or(OsStr::new("project.pml")).to_string_lossy();
                files::add_pml(&mut entries, &file_name);
                let folder = self.output.parent().filter(|p| !p.as_os_str().is_empty());
                let Some(folder) = folder else {
                    let own = format!("a project is a folder: write {0}/{0}.pml", name);
                    return Err(Failure::Usage(own));
                };
                return write_folder(folder, &entries, self.force);
            }
            Kind::Folder | Kind::Xar | Kind::Split | Kind::Character | Kind::Mcap | Kind::Jsonl => {
                return write_folder(self.output, &entries, self.force);
            }
        };
        let bytes = pack(archive, name, &entries).map_err(|e| open::unreadable(&e))?;
        self.file(&bytes)
    }

    fn file(&self, bytes: &[u8]) -> Result<(), Failure> {
        write_file(self.output, bytes, self.force).map_err(|e| Failure::unwritten(self.output, &e))
    }
}

pub(super) fn write_folder(target: &Path, entries: &[Entry], force: bool) -> Result<(), Failure> {
    let write = || {
        let mut out = OutputFolder::new(target, force)?;
        entries.iter().try_for_each(|entry| out.add(entry))?;
        out.finish()
    };
    write().map_err(|e| Failure::unwritten(target, &e))
}

/// Converts everything in a folder. What cannot be converted is reported, and the rest continues.
fn all(args: &ConvertArgs) -> Result<i32, Failure> {
    let Some(kind) = args.to else { return Err(Failure::Usage("-r needs --to".to_owned())) };
    if matches!(kind, Kind::Character | Kind::Mcap | Kind::Jsonl) {
        let one = if kind == Kind::Character { "behavior tree" } else { "recording" };
        return Err(Failure::Usage(format!("-r is for behaviors: give one {one} at a time")));
    }
    let walked = walk(&args.input);
    let sources = sources(&walked.items);
    if sources.is_empty() && walked.closed.is_empty() {
        return Err(Failure::File(args.input.clone(), "there is nothing to convert in it".to_owned()));
    }
    let mut everything = Outputs { args, kind, sources: &sources, written: HashSet::new() };
    let mut failed = walked.closed.len();
    let of = sources.len() + failed;
    walked.closed.into_iter().for_each(|closed| closed.failure().print());
    let progress = Progress::new(sources.len());
    for source in &sources {
        progress.file(source.strip_prefix(&args.input).unwrap_or(source));
        if let Err(failure) = everything.convert(source) {
            failed += 1;
            progress.aside(|| failure.print());
        }
        progress.done();
    }
    drop(progress);
    let (written, output) = (everything.written.len(), args.output.display());
    writeln!(output::stdout(), "wrote {written} to {output}; {failed} of {of} could not be converted")?;
    Ok(if failed == 0 { exit::OK } else { exit::USAGE })
}

struct Outputs<'a> {
    args: &'a ConvertArgs,
    kind: Kind,
    sources: &'a [PathBuf],
    written: HashSet<PathBuf>,
}

impl Outputs<'_> {
    fn convert(&mut self, source: &Path) -> Result<(), Failure> {
        let opened = open::project(source)?;
        open::print_left_out(&opened.findings);
        // The relative path is the same in OUT as in IN, without the file's extension.
        let relative = source.strip_prefix(&self.args.input).unwrap_or(source);
        let own = one_place(&opened.name);
        let stem = match relative.file_name() {
            None => own.clone(),
            Some(_) if source.is_file() => relative.with_extension(""),
            Some(_) => relative.to_owned(),
        };
        let stem = self.args.output.join(stem);
        if matches!(self.kind, Kind::Xar | Kind::Split) {
            for behavior in &opened.behaviors {
                let alone = opened.behaviors.len() == 1;
                let output = if alone { stem.clone() } else { stem.join(behavior.name.replace(':', "_")) };
                let output = with_ending(output, self.kind);
                self.job(source, &opened, &output)?.behavior(self.kind, behavior)?;
                self.written.insert(output);
            }
            return Ok(());
        }
        let output = if self.kind == Kind::Pml { stem.join(own) } else { stem };
        let output = with_ending(output, self.kind);
        self.job(source, &opened, &output)?.project(self.kind)?;
        self.written.insert(output);
        Ok(())
    }

    fn job<'b>(&'b self, input: &'b Path, opened: &'b Opened, output: &'b Path) -> Result<Conversion<'b>, Failure> {
        if self.written.contains(output) {
            let why = format!("{} would replace what was written to {} just now", input.display(), output.display());
            return Err(Failure::Usage(why));
        }
        Ok(Conversion { input, opened, output, force: self.args.force, others: self.sources })
    }
}

/// Returns a project's name as the name of a file or folder, without path separators.
fn one_place(name: &str) -> PathBuf {
    let name = name.replace(['/', '\\'], "-");
    PathBuf::from(if matches!(&*name, "" | "." | "..") { "project".to_owned() } else { name })
}

fn with_ending(path: PathBuf, kind: Kind) -> PathBuf {
    let ending = match kind {
        Kind::Xar => ".xar",
        Kind::Pml => ".pml",
        Kind::Crg => ".crg",
        Kind::Cbl => ".cbl",
        Kind::Pkg => ".pkg",
        Kind::Zip => ".zip",
        Kind::Split | Kind::Folder | Kind::Character | Kind::Mcap | Kind::Jsonl => "",
    };
    let mut name = path.into_os_string();
    name.push(ending);
    PathBuf::from(name)
}

/// Returns what can be converted in a folder: projects, which include everything in their folders; archives; folders of
/// behaviors; and all other `.xar` files.
fn sources(items: &[DirEntry]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut inside: Option<&Path> = None;
    for item in items {
        let path = item.path();
        if inside.is_some_and(|project| path.starts_with(project)) {
            continue;
        }
        match stands(item) {
            Some(Stands::Project(project)) => {
                found.push(project);
                inside = Some(path);
            }
            Some(Stands::Behavior) => found.push(path.to_owned()),
            None => {}
        }
    }
    found
}
