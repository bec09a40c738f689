//! `boxstep unpack`

use crate::args::UnpackArgs;
use crate::command::convert::write_folder;
use crate::failure::Failure;
use crate::{exit, open, output};
use boxstep_format::Limits;
use boxstep_format::archive::{Contents, read};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Writes the files of an archive to a folder, byte by byte, except for files that programs of this computer would
/// obey.
pub(crate) fn run(args: &UnpackArgs) -> Result<i32, Failure> {
    let Contents { entries, oddities } = contents(&args.archive)?;
    let target = args.folder.clone().unwrap_or_else(|| {
        let stem = args.archive.file_stem().unwrap_or_default();
        // An archive without an extension may have the same name as the folder would get.
        PathBuf::from(if args.archive.extension().is_some() { stem.to_owned() } else { "unpacked".into() })
    });
    write_folder(&target, &entries, args.force)?;
    let name = args.archive.to_string_lossy();
    let findings: Vec<_> = oddities.iter().map(|oddity| oddity.diagnostic(&name)).collect();
    open::print_left_out(&findings);
    writeln!(output::stdout(), "unpacked {} files into {}", entries.len(), target.display())?;
    Ok(exit::OK)
}

fn contents(path: &Path) -> Result<Contents, Failure> {
    let limits = Limits::default();
    let mut bytes = Vec::new();
    // Reading one byte more than allowed is enough to detect that the file is too large.
    let most = limits.archive.bytes.saturating_add(1);
    let file = std::fs::File::open(path).map_err(|e| Failure::io(path, &e))?;
    file.take(most).read_to_end(&mut bytes).map_err(|e| Failure::io(path, &e))?;
    if bytes.len() as u64 == most {
        return Err(Failure::File(path.to_owned(), format!("too large: more than {} bytes", limits.archive.bytes)));
    }
    read(&path.to_string_lossy(), &bytes, &limits).map_err(|e| open::unreadable(&e))
}
