//! Where users have boxes of their own: folders that they name, `boxes` in the project, and one for all projects.

use boxstep_edit::{Shelf, Shelves};
use std::env;
use std::path::{Path, PathBuf};

/// The name of a folder of boxes, in a project and among the user's settings.
pub(crate) const FOLDER: &str = "boxes";

/// Returns the folders of boxes, those that were named first. A page keeps boxes in the first one unless somebody
/// chooses another.
pub(crate) fn of(named: &[PathBuf], project: &Path) -> Shelves {
    let name = |folder: &Path| {
        folder
            .canonicalize()
            .ok()
            .as_deref()
            .unwrap_or(folder)
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let named = named
        .iter()
        .map(|folder| Shelf { name: name(folder).unwrap_or_else(|| FOLDER.to_owned()), folder: folder.clone() });
    let mine = user().map(|folder| Shelf { name: "My boxes".to_owned(), folder });
    let of_project = Shelf { name: FOLDER.to_owned(), folder: project.join(FOLDER) };
    let mut shelves: Vec<Shelf> = Vec::new();
    let real = |shelf: &Shelf| shelf.folder.canonicalize().unwrap_or_else(|_| shelf.folder.clone());
    for shelf in named.chain(mine).chain([of_project]) {
        if shelves.iter().all(|known| real(known) != real(&shelf)) {
            shelves.push(shelf);
        }
    }
    Shelves(shelves)
}

/// Returns the folder of the user's boxes for all projects; `None` if the system has no such place.
fn user() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = if cfg!(windows) {
        absolute("APPDATA")
    } else {
        absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")))
    };
    Some(config?.join("boxstep").join(FOLDER))
}

/// Checks the folders that a user has named: a wrong name must not look like an empty folder.
pub(crate) fn folder(text: &str) -> Result<PathBuf, String> {
    let folder = PathBuf::from(text);
    match folder.metadata() {
        Ok(data) if data.is_dir() => Ok(folder),
        Ok(_) => Err("it is no folder".to_owned()),
        Err(e) => Err(crate::failure::system_message(&e)),
    }
}
