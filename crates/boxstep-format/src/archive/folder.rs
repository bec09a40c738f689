//! Reading of a folder as a list of entries, in preparation for packing.

use super::gather::Gather;
use super::{ArchiveFault, Entry, Oddity, trusted};
use crate::Limits;
use crate::error::{FormatError, Problem};
use std::fs;
use std::path::Path;

/// Returns all files of a folder in order of name, under the same limits as an archive's. Files that an archive may not
/// contain, such as the folders of version control and the settings of editors, are left out.
///
/// # Errors
/// A link or device is refused, because it would not be the same on another machine; so are files beyond the limits.
pub fn read_folder(folder: &Path, limits: &Limits) -> Result<Vec<Entry>, FormatError> {
    read_folder_with_left_out(folder, limits).map(|(entries, _)| entries)
}

/// Like [`read_folder`], but also returns what was left out, if anything was.
pub fn read_folder_with_left_out(folder: &Path, limits: &Limits) -> Result<(Vec<Entry>, Option<Oddity>), FormatError> {
    // A folder is not compressed, so the limit on the compression ratio must not apply.
    let mut gather = Gather::new(&limits.archive, usize::MAX);
    walk(folder, "", &mut gather)?;
    gather.entries.sort_by(|a, b| a.name.cmp(&b.name));
    let left_out = (!gather.left_out.is_empty()).then(|| Oddity::LeftOut(gather.left_out.into_iter().collect()));
    Ok((gather.entries, left_out))
}

fn walk(folder: &Path, inside: &str, gather: &mut Gather<'_>) -> Result<(), FormatError> {
    let unreadable = |path: &Path, e: std::io::Error| FormatError::unreadable(path, &e);
    for item in fs::read_dir(folder).map_err(|e| unreadable(folder, e))? {
        let item = item.map_err(|e| unreadable(folder, e))?;
        let path = item.path();
        let refuse = |(_, fault): super::Refusal| {
            FormatError::new(Problem::Archive { archive: path.display().to_string(), entry: None, fault })
        };
        let own = item.file_name();
        let Some(own) = own.to_str() else { return Err(refuse((None, ArchiveFault::BadName))) };
        let raw = if inside.is_empty() { own.to_owned() } else { format!("{inside}/{own}") };
        // The item itself is examined, not the target of a link.
        let data = fs::symlink_metadata(&path).map_err(|e| unreadable(&path, e))?;
        if trusted::is_obeyed(own) {
            gather.left_out.insert(raw);
            continue;
        }
        let Some(name) = gather.name(raw.as_bytes()).map_err(refuse)? else { continue };
        if data.is_dir() {
            gather.folder(name.clone()).map_err(refuse)?;
            walk(&path, &name, gather)?;
        } else if data.is_file() {
            let file = fs::File::open(&path).map_err(|e| unreadable(&path, e))?;
            gather.file(name, executable(&data), file).map_err(refuse)?;
        } else {
            let what = if data.is_symlink() { "a symbolic link" } else { "a device, pipe or socket" };
            return Err(refuse((None, ArchiveFault::NotAFile(what))));
        }
    }
    Ok(())
}

#[cfg(unix)]
fn executable(data: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    data.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn executable(_: &fs::Metadata) -> bool {
    false
}
