//! Where users have boxes of their own: folders that they name, `boxes` in the project, and one for all projects.

use boxstep_edit::{BoxFolder, BoxFolders};
use std::env;
use std::path::{Path, PathBuf};

/// The name of a folder of boxes, in a project and among the user's settings.
pub(crate) const FOLDER: &str = "boxes";

/// Returns the folders of boxes, those that were named first. A page keeps boxes in the first one unless somebody
/// chooses another.
pub(crate) fn of(named: &[PathBuf], project: &Path) -> BoxFolders {
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
        .map(|folder| BoxFolder { name: name(folder).unwrap_or_else(|| FOLDER.to_owned()), folder: folder.clone() });
    let mine = user().map(|folder| BoxFolder { name: "My boxes".to_owned(), folder });
    // A project may be a stranger's: a link could lead anywhere.
    let of_project = Some(project.join(FOLDER)).filter(|folder| !folder.is_symlink());
    let of_project = of_project.map(|folder| BoxFolder { name: FOLDER.to_owned(), folder });
    let mut box_folders: Vec<BoxFolder> = Vec::new();
    let real = |box_folder: &BoxFolder| box_folder.folder.canonicalize().unwrap_or_else(|_| box_folder.folder.clone());
    for box_folder in named.chain(mine).chain(of_project) {
        if box_folders.iter().all(|known| real(known) != real(&box_folder)) {
            box_folders.push(box_folder);
        }
    }
    BoxFolders(box_folders)
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
        let box_folders = of(&[named.clone(), boxes.clone()], place.path()).0;
        assert_eq!((&*box_folders[0].name, &box_folders[0].folder), ("mine", &named));
        assert_eq!((&*box_folders[1].name, &box_folders[1].folder), (FOLDER, &boxes));
        assert!(box_folders.iter().skip(2).all(|box_folder| box_folder.name == "My boxes"));
        let of_project = of(&[], place.path()).0;
        assert_eq!(of_project.last().map(|box_folder| &box_folder.folder), Some(&boxes));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_a_project_is_no_folder_of_boxes() {
        let (place, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(other.path(), place.path().join(FOLDER)).unwrap();
        assert!(of(&[], place.path()).0.iter().all(|box_folder| box_folder.name == "My boxes"));
    }
}
