//! Files that a project lists.

use super::ProjectError;
use super::overlay::{Overlay, plain};

pub(super) fn add(overlay: &mut Overlay<'_>, files: &[String]) -> Result<(), ProjectError> {
    let mut entries = Vec::new();
    for file in files {
        let src = plain(file);
        let known = overlay.pml()?;
        let listed = known.files.iter().chain(&known.dialogs).map(|one| plain(&one.src));
        if listed.into_iter().any(|one| one == src) {
            return Err(ProjectError::Taken(src));
        }
        if overlay.get(&src)?.is_none() {
            return Err(ProjectError::Missing("file", file.clone(), Vec::new()));
        }
        let name = src.rsplit('/').next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
        entries.push(("File", vec![("name", stem), ("src", src)]));
    }
    entries.dedup();
    overlay.list("Resources", &entries)
}

pub(super) fn remove(overlay: &mut Overlay<'_>, files: &[String]) -> Result<(), ProjectError> {
    let known: Vec<String> = overlay.pml()?.files.iter().map(|one| plain(&one.src)).collect();
    let wanted: Vec<String> = files.iter().map(|file| plain(file)).collect();
    if let Some(missing) = wanted.iter().find(|one| !known.contains(one)) {
        return Err(ProjectError::Missing("listed file", missing.clone(), known));
    }
    overlay.unlist(|_, entry, src| entry.name() == "File" && wanted.iter().any(|one| one == src))
}
