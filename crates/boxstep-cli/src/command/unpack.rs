//! `boxstep unpack`

use crate::args::UnpackArgs;
use crate::command::convert::write_folder;
use crate::failure::Failure;
use crate::{exit, open, output};
use boxstep_format::Limits;
use boxstep_format::archive::{Entry, unpack};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Writes the files of an archive to a folder, to the byte.
pub(crate) fn run(args: &UnpackArgs) -> Result<i32, Failure> {
    let entries = entries(&args.archive)?;
    let target = args.folder.clone().unwrap_or_else(|| {
        let stem = args.archive.file_stem().unwrap_or_default();
        // A file without an ending has its folder's name already.
        PathBuf::from(if args.archive.extension().is_some() { stem.to_owned() } else { "unpacked".into() })
    });
    write_folder(&target, &entries, args.force)?;
    writeln!(output::stdout(), "unpacked {} files into {}", entries.len(), target.display())?;
    Ok(exit::OK)
}

fn entries(path: &Path) -> Result<Vec<Entry>, Failure> {
    let limits = Limits::default();
    let mut bytes = Vec::new();
    // One byte more than is allowed is enough to know.
    let most = limits.archive.bytes.saturating_add(1);
    let file = std::fs::File::open(path).map_err(|e| Failure::io(path, &e))?;
    file.take(most).read_to_end(&mut bytes).map_err(|e| Failure::io(path, &e))?;
    if bytes.len() as u64 == most {
        return Err(Failure::File(path.to_owned(), format!("too large: more than {} bytes", limits.archive.bytes)));
    }
    unpack(&path.to_string_lossy(), &bytes, &limits).map_err(|e| open::unreadable(&e))
}
