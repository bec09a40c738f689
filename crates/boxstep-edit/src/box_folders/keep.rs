//! Boxes that are kept in folders.

use super::BoxFolders;
use crate::error::EditError;
use crate::ops::saved;
use boxstep_format::XarFile;
use boxstep_format::model::ParameterType;
use boxstep_format::output::write_file;
use boxstep_format::paths;
use boxstep_types::BoxPath;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{fmt, io};

/// The longest name of a box's file, in bytes.
const LONGEST: usize = 200;

/// A box that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its file.
    pub file: PathBuf,
    /// The files of the behavior that it refers to; they are not kept with it.
    pub needs: Vec<String>,
}

/// Why a box is not kept. No file has changed then.
#[derive(Debug)]
pub enum KeepError {
    /// The box cannot be copied.
    Box(EditError),
    /// There is no such folder.
    NoShelf,
    /// It would have no name.
    NoName,
    /// The name is too long for a file.
    LongName,
    /// A box of this name is there.
    Exists(PathBuf),
    /// In place of a file there is something else, such as a link.
    NotAFile(PathBuf),
    /// The file cannot be written.
    Io(PathBuf, io::Error),
}

impl fmt::Display for KeepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Box(e) => write!(f, "{e}"),
            Self::NoShelf => f.write_str("there is no such folder of boxes"),
            Self::NoName => f.write_str("the box needs a name"),
            Self::LongName => write!(f, "the name is longer than {LONGEST} bytes"),
            Self::Exists(file) => write!(f, "there is a box of this name: {}", file.display()),
            Self::NotAFile(file) => write!(f, "{} is no file, and is not replaced", file.display()),
            Self::Io(file, e) => write!(f, "{} cannot be written: {e}", file.display()),
        }
    }
}

impl std::error::Error for KeepError {}

impl BoxFolders {
    /// Keeps a box of a behavior in a folder, under a name. A box that is there is replaced only if `replace` says so.
    ///
    /// # Errors
    /// Why it is not kept.
    pub fn keep(
        &self,
        box_folder: usize,
        (file, path): (&XarFile, &BoxPath),
        name: &str,
        replace: bool,
    ) -> Result<Kept, KeepError> {
        let box_folder = self.0.get(box_folder).ok_or(KeepError::NoShelf)?;
        let name = name.trim();
        let to = box_folder.folder.join(file_name(name)?);
        match to.symlink_metadata() {
            Ok(there) if !there.is_file() => return Err(KeepError::NotAFile(to)),
            Ok(_) if !replace => return Err(KeepError::Exists(to)),
            _ => {}
        }
        let text = saved(file, path, name).map_err(KeepError::Box)?;
        let needs = boxstep_format::read_xar(name, text.as_bytes(), &boxstep_format::Limits::default())
            .map(|read| needs(&read))
            .map_err(|e| KeepError::Box(EditError::Foreign(e)))?;
        match write_file(&to, text.as_bytes(), replace) {
            Ok(()) => Ok(Kept { file: to, needs }),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(KeepError::Exists(to)),
            Err(e) => Err(KeepError::Io(to, e)),
        }
    }
}

/// Returns the name of a box's file. What file names cannot have is written as in Choregraphe's libraries: `%3a`.
fn file_name(name: &str) -> Result<String, KeepError> {
    let mut text = String::new();
    let last = name.chars().count().saturating_sub(1);
    let device = is_device(name);
    for (at, c) in name.chars().enumerate() {
        let odd = c.is_control() || "<>:\"/\\|?*%".contains(c);
        let at_an_end = (at == 0 && (c == '.' || device)) || (at == last && matches!(c, '.' | ' '));
        if odd || at_an_end {
            let mut bytes = [0; 4];
            text.extend(c.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02x}")));
        } else {
            text.push(c);
        }
    }
    match text.len() {
        0 => Err(KeepError::NoName),
        length if length > LONGEST => Err(KeepError::LongName),
        _ => Ok(text + ".xar"),
    }
}

/// Returns whether a name is that of a device in Windows.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let port = |kind: &str| stem.strip_prefix(kind).is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit());
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || port("com") || port("lpt")
}

/// Returns the files that the boxes of a file refer to: attached files, dialogs, and pictures other than the editor's.
pub(crate) fn needs(file: &XarFile) -> Vec<String> {
    let mut all = BTreeSet::new();
    for at in paths::boxes(&file.project) {
        let attached = at.def.parameters.iter().filter(|p| p.content_type == ParameterType::File);
        all.extend(attached.map(|parameter| parameter.value.trim().trim_start_matches('/').to_owned()));
        all.extend(at.def.dialog_file.iter().cloned());
        // The editor has its own in `media`.
        all.extend(at.def.bitmaps.iter().filter(|path| !path.starts_with("media/")).cloned());
    }
    all.remove("");
    all.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_become_names_of_files() {
        let name = |text| file_name(text).map_err(|e| e.to_string());
        assert_eq!(name("Wave"), Ok("Wave.xar".to_owned()));
        assert_eq!(name("Wave: left/right"), Ok("Wave%3a left%2fright.xar".to_owned()));
        assert_eq!(name("..").as_deref(), Ok("%2e%2e.xar"));
        assert_eq!(name("con").as_deref(), Ok("%63on.xar"));
        assert_eq!(name("Lpt1.x").as_deref(), Ok("%4cpt1.x.xar"));
        assert_eq!(name("Été").as_deref(), Ok("Été.xar"));
        assert!(name("").is_err() && name(&"x".repeat(201)).is_err());
    }
}
