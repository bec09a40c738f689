//! Finds and reads the `boxstep.toml` of a project.

use crate::failure::Failure;
use crate::open::rendered;
use boxstep_check::config::{Config, FILE_NAME, LONGEST};
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How many folders are searched on the way up.
const LEVELS: usize = 32;

/// The contents of a `boxstep.toml`, and its folder.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    pub(crate) config: Config,
    /// The folder of the file; `None` if there is no file.
    pub(crate) folder: Option<PathBuf>,
}

/// The settings of a project, shared by its behaviors.
pub(crate) type Shared = Rc<Settings>;

impl Settings {
    /// Returns the settings that apply to a file or folder.
    pub(crate) fn for_path(path: &Path) -> Result<Shared, Failure> {
        Finder::default().for_folder(folder_of(path))
    }
}

/// Returns the folder where the search for the `boxstep.toml` of a file or folder starts.
pub(crate) fn folder_of(path: &Path) -> &Path {
    if path.is_dir() {
        return path;
    }
    path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
}

/// Finds and reads each `boxstep.toml` once.
#[derive(Default)]
pub(crate) struct Finder {
    known: BTreeMap<PathBuf, Shared>,
}

impl Finder {
    /// Returns the settings of the nearest `boxstep.toml`, searched from a folder up to the top of its repository.
    pub(crate) fn for_folder(&mut self, folder: &Path) -> Result<Shared, Failure> {
        let Ok(real) = folder.canonicalize() else { return Ok(Shared::default()) };
        if let Some(known) = self.known.get(&real) {
            return Ok(known.clone());
        }
        let mut settings = Settings::default();
        for folder in real.ancestors().take(LEVELS) {
            let path = folder.join(FILE_NAME);
            if path.is_file() {
                settings = Settings { config: read(&path)?, folder: Some(folder.to_owned()) };
                break;
            }
            if folder.join(".git").exists() {
                break;
            }
        }
        let settings = Rc::new(settings);
        self.known.insert(real, settings.clone());
        Ok(settings)
    }
}

fn read(path: &Path) -> Result<Config, Failure> {
    let read = || {
        let mut text = String::new();
        std::fs::File::open(path)?.take(LONGEST).read_to_string(&mut text)?;
        Ok(text)
    };
    let text = read().map_err(|e| Failure::io(path, &e))?;
    Config::read(&path.to_string_lossy(), &text).map_err(|wrong| Failure::Rendered(rendered(&[wrong.0], &wrong.1)))
}
