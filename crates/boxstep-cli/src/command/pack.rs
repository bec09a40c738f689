//! `boxstep pack`

use crate::args::PackArgs;
use crate::failure::Failure;
use crate::{exit, files, open, output, rescued, terminal};
use boxstep_format::archive::{ArchiveKind, pack, read_folder_with_left_out};
use boxstep_format::output::write_file;
use boxstep_format::{Limits, Problem};
use std::io::Write as _;

/// Packs a folder into an archive.
pub(crate) fn run(args: &PackArgs) -> Result<i32, Failure> {
    let kind = ArchiveKind::of_path(&args.archive).ok_or_else(|| {
        Failure::Usage(format!("{}: an archive ends with .crg, .pkg, .cbl or .zip", args.archive.display()))
    })?;
    let is_project = args.folder.extension().is_some_and(|e| e == "pml");
    let around = args.folder.parent().filter(|p| is_project && !p.as_os_str().is_empty());
    let folder = around.unwrap_or(if is_project { ".".as_ref() } else { &args.folder });
    if !folder.is_dir() {
        return Err(Failure::Usage(format!(
            "{} is not a folder; use boxstep convert for other files",
            folder.display()
        )));
    }
    let read = read_folder_with_left_out(folder, &Limits::default()).map_err(|e| open::unreadable(&e))?;
    let (entries, left_out) = read;
    let on_the_robot = rescued::as_on_the_robot(folder, entries)?;
    on_the_robot.say()?;
    rescued::say_left_out(&on_the_robot.others)?;
    let mut entries = on_the_robot.entries;
    if entries.is_empty() {
        return Err(Failure::File(folder.to_owned(), "there is no file in it".to_owned()));
    }
    // Leave out an existing archive at the same path inside the folder.
    if let (Ok(folder), Ok(archive)) = (folder.canonicalize(), args.archive.canonicalize())
        && let Ok(own) = archive.strip_prefix(&folder)
    {
        let own = own.to_string_lossy().replace('\\', "/");
        entries.retain(|e| e.name != own);
    }
    // A folder of boxes or other files is packed, too. Only a project that can be opened has a name and ignored files.
    let opened = match boxstep_format::open(&args.folder, &Limits::default()) {
        Ok(opened) => Some(opened),
        Err(e) if matches!(e.problem(), Problem::NotAProject(..)) => None,
        Err(e) => return Err(open::unreadable(&e)),
    };
    let stem = args.archive.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = opened.as_ref().map_or(stem, |o| o.name.clone());
    if kind == ArchiveKind::Pkg {
        if let Some(opened) = &opened {
            files::leave_out_ignored(&mut entries, opened);
        }
        files::add_manifest(&mut entries, &name);
    }
    let bytes = pack(kind, &name, &entries).map_err(|e| open::unreadable(&e))?;
    if let Some(left_out) = left_out {
        let note = left_out.to_string().replacen("unpacked", "packed", 1);
        writeln!(terminal::stderr(), "{}: {note}", folder.display())?;
    }
    write_file(&args.archive, &bytes, args.force).map_err(|e| Failure::unwritten(&args.archive, &e))?;
    writeln!(output::stdout(), "packed {} files into {}", entries.len(), args.archive.display())?;
    Ok(exit::OK)
}
