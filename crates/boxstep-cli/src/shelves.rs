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
    // A project may be a stranger's: a link could lead anywhere.
    let of_project = Some(project.join(FOLDER)).filter(|folder| !folder.is_symlink());
    let of_project = of_project.map(|folder| Shelf { name: FOLDER.to_owned(), folder });
    let mut shelves: Vec<Shelf> = Vec::new();
    let real = |shelf: &Shelf| shelf.folder.canonicalize().unwrap_or_else(|_| shelf.folder.clone());
    for shelf in named.chain(mine).chain(of_project) {
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

#[cfg(test)]
mod tests {
    use super::{FOLDER, of};

    #[test]
    fn folders_that_are_named_come_first_and_once() {
        let place = tempfile::tempdir().unwrap();
        let boxes = place.path().join(FOLDER);
        let named = place.path().join("mine");
        std::fs::create_dir_all(&boxes).unwrap();
        std::fs::create_dir(&named).unwrap();
        let shelves = of(&[named.clone(), boxes.clone()], place.path()).0;
        assert_eq!((&*shelves[0].name, &shelves[0].folder), ("mine", &named));
        assert_eq!((&*shelves[1].name, &shelves[1].folder), (FOLDER, &boxes));
        assert!(shelves.iter().skip(2).all(|shelf| shelf.name == "My boxes"));
        let of_project = of(&[], place.path()).0;
        assert_eq!(of_project.last().map(|shelf| &shelf.folder), Some(&boxes));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_a_project_is_no_folder_of_boxes() {
        let (place, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(other.path(), place.path().join(FOLDER)).unwrap();
        assert!(of(&[], place.path()).0.iter().all(|shelf| shelf.name == "My boxes"));
    }
}
