//! Where a computer keeps the pairing code of its fleet: in a file that only its user can read, or in the environment.

use super::{CodeError, PairingCode};
use std::env;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The environment variable that has the code, if there is one. It comes before the file.
pub const ENVIRONMENT: &str = "BOXSTEP_FLEET_CODE";

/// A file that is longer than this has no code.
const LONGEST: u64 = 4096;

/// The reason why there is no pairing code, or why it cannot be kept.
#[derive(Debug)]
pub enum StorageError {
    /// Neither the environment nor the file has a code.
    None,
    /// The system has no place for settings of the user.
    NoPlace,
    /// What the environment variable has is no code.
    Environment(CodeError),
    /// What the file has is no code.
    File(PathBuf, CodeError),
    /// Other users can read the file.
    Readable(PathBuf),
    /// The file cannot be read.
    Read(PathBuf, io::Error),
    /// The file cannot be written.
    Write(PathBuf, io::Error),
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StorageError::None => f.write_str("this computer has no pairing code of a fleet yet"),
            StorageError::NoPlace => {
                write!(f, "this system has no folder for settings of the user; {ENVIRONMENT} can have the code")
            }
            StorageError::Environment(e) => write!(f, "{ENVIRONMENT}: {e}"),
            StorageError::File(path, e) => write!(f, "{}: {e}", path.display()),
            StorageError::Readable(path) => {
                let path = path.display();
                write!(
                    f,
                    "{path}: other users of this computer can read the pairing code; forbid it with: chmod 600 {path}"
                )
            }
            StorageError::Read(path, e) => write!(f, "{} cannot be read: {e}", path.display()),
            StorageError::Write(path, e) => write!(f, "{} cannot be written: {e}", path.display()),
        }
    }
}

impl std::error::Error for StorageError {}

/// Returns the file of the user's pairing code; `None` if the system has no such place.
pub fn file() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = if cfg!(windows) {
        absolute("APPDATA")
    } else {
        absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")))
    };
    Some(config?.join("boxstep").join("fleet-code"))
}

/// Returns the code of this computer's fleet, from the environment or from the user's file.
///
/// # Errors
///
/// If there is none, or none that can be used.
pub fn of_user() -> Result<PairingCode, StorageError> {
    if let Some(text) = env::var_os(ENVIRONMENT).filter(|text| !text.is_empty()) {
        return text.to_string_lossy().parse().map_err(StorageError::Environment);
    }
    load(&file().ok_or(StorageError::NoPlace)?)?.ok_or(StorageError::None)
}

/// Returns the code in a file; `None` if there is no file.
///
/// # Errors
///
/// If it cannot be read, has no code, or can be read by other users.
pub fn load(path: &Path) -> Result<Option<PairingCode>, StorageError> {
    let failed = |e| StorageError::Read(path.to_owned(), e);
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(failed(e)),
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if file.metadata().map_err(failed)?.permissions().mode() & 0o077 != 0 {
            return Err(StorageError::Readable(path.to_owned()));
        }
    }
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).map_err(failed)?;
    text.parse().map(Some).map_err(|e| StorageError::File(path.to_owned(), e))
}

/// Keeps a code in a file, in place of the one it has. Only the user can read the file.
///
/// # Errors
///
/// If the file or its folder cannot be written.
pub fn save(path: &Path, code: &PairingCode) -> Result<(), StorageError> {
    let failed = |e| StorageError::Write(path.to_owned(), e);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    // A new file, so that one that others can read already never has the code. Who reads sees the old code or the new.
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|e| failed(io::Error::other(e)))?;
    let new = path.with_added_extension(format!("{:016x}", u64::from_le_bytes(random)));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&new).map_err(failed)?;
    let written = writeln!(file, "{}", code.reveal()).and_then(|()| file.sync_all());
    drop(file);
    written.and_then(|()| fs::rename(&new, path)).map_err(|e| {
        // What remains would be a copy of the code; that it cannot be removed either would be told by nobody.
        let _ = fs::remove_file(&new);
        failed(e)
    })
}

#[cfg(test)]
mod tests {
    use super::{PairingCode, StorageError, load, save};
    use std::fs;

    #[test]
    fn a_code_is_kept_for_the_user_alone() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("new").join("fleet-code");
        assert!(load(&path).unwrap().is_none());
        for _ in 0..2 {
            let code = PairingCode::create().unwrap();
            save(&path, &code).unwrap();
            assert_eq!(load(&path).unwrap(), Some(code));
        }
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing remains beside it");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
            assert!(matches!(load(&path), Err(StorageError::Readable(_))));
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        fs::write(&path, "1234").unwrap();
        assert!(matches!(load(&path), Err(StorageError::File(..))));
        fs::write(&path, [0xff; 10]).unwrap();
        assert!(matches!(load(&path), Err(StorageError::Read(..))));
    }
}
