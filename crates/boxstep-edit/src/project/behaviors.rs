//! Behaviors of a project: their folders, and everything that names them.

use super::ProjectError;
use super::overlay::{Overlay, is_in, plain};
use crate::draft::is_draft;
use crate::templates::{BEHAVIOR, check_name};
use boxstep_format::project::BehaviorDescription;
use boxstep_format::write::At;

pub(super) fn add(overlay: &mut Overlay<'_>, name: &str) -> Result<(), ProjectError> {
    check_name(name)?;
    free(overlay, name)?;
    overlay.create(&format!("{name}/behavior.xar"), BEHAVIOR)?;
    let attributes = [("name", "behavior"), ("src", name), ("xar", "behavior.xar")];
    let attributes = attributes.map(|(name, value)| (name, value.to_owned())).to_vec();
    overlay.list("BehaviorDescriptions", &[("BehaviorDescription", attributes)])?;
    let Some(manifest) = overlay.manifest()? else { return Ok(()) };
    overlay.edit_xml(&manifest, |root, edits| {
        let content = |p: &mut boxstep_format::write::Printer| {
            p.start("behaviorContent");
            p.attribute("path", name);
            p.start("userRequestable");
            p.end();
            p.start("nature");
            p.text("interactive");
            p.end();
            p.start("permissions");
            p.end();
            p.end();
        };
        match root.elements().find(|one| one.name() == "contents") {
            Some(contents) => edits.insert(At::End(contents), content),
            None => edits.insert(At::End(root), |p| {
                p.start("contents");
                content(p);
                p.end();
            }),
        }
        Ok(())
    })?;
    Ok(())
}

pub(super) fn rename(overlay: &mut Overlay<'_>, behavior: &str, name: &str) -> Result<(), ProjectError> {
    check_name(name)?;
    let (old, _) = found(overlay, behavior)?;
    let new = match old.rsplit_once('/') {
        Some((around, _)) => format!("{around}/{name}"),
        None => name.to_owned(),
    };
    if new == old {
        return Ok(());
    }
    free(overlay, &new)?;
    let moved = |path: &str| is_in(path, &old).then(|| format!("{new}{}", &path[old.len()..]));
    for file in files(overlay, &old)? {
        let contents = overlay.get(&file)?;
        overlay.set(&file, None)?;
        if let Some(to) = moved(&file) {
            overlay.set(&to, contents)?;
        }
    }
    let pml = overlay.pml_name().to_owned();
    overlay.edit_xml(&pml, |root, edits| {
        for entry in root.elements().flat_map(|group| group.elements()) {
            let src = entry.attribute("src").unwrap_or_default();
            if let Some(to) = moved(&plain(&src)) {
                edits.set_attribute(entry, "src", &to);
            }
        }
        Ok(())
    })?;
    if let Some(manifest) = overlay.manifest()? {
        overlay.edit_xml(&manifest, |root, edits| {
            for node in root.view().all().filter(|node| matches!(node.name(), "behaviorContent" | "topic" | "file")) {
                let path = node.attribute("path").unwrap_or_default();
                if let Some(to) = moved(&plain(&path)) {
                    edits.set_attribute(node, "path", &to);
                }
            }
            Ok(())
        })?;
    }
    for translation in overlay.pml()?.translations {
        overlay.edit_xml(&plain(&translation.src), |root, edits| {
            for context in root.elements().filter(|one| one.name() == "context") {
                let Some(title) = context.elements().find(|one| one.name() == "name") else { continue };
                let text = title.content().into_owned();
                let to = text.split_once(':').and_then(|(xar, place)| Some(format!("{}:{place}", moved(&plain(xar))?)));
                if let Some(to) = to {
                    edits.set_text(title, &to);
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

pub(super) fn remove(overlay: &mut Overlay<'_>, behavior: &str) -> Result<(), ProjectError> {
    let (folder, xar) = found(overlay, behavior)?;
    let pml = overlay.pml()?;
    let others = pml.behaviors.iter().map(|one| (path_of(one), plain(&one.src)));
    let others = others.filter(|(path, _)| *path != format!("{folder}/{xar}")).map(|(path, _)| path);
    let others = others.chain(pml.dialogs.iter().map(|one| plain(&one.src)));
    let others = others.chain(pml.topics.iter().map(|one| plain(&one.src)));
    if let Some(other) = others.into_iter().find(|path| is_in(path, &folder)) {
        return Err(ProjectError::Shared(folder, other));
    }
    for file in files(overlay, &folder)? {
        overlay.set(&file, None)?;
    }
    overlay.unlist(|_, _, src| is_in(src, &folder))?;
    if let Some(manifest) = overlay.manifest()? {
        overlay.edit_xml(&manifest, |root, edits| {
            let all = root.view().all().filter(|node| node.name() == "behaviorContent");
            for node in all.filter(|node| plain(&node.attribute("path").unwrap_or_default()) == folder) {
                edits.remove(node);
            }
            Ok(())
        })?;
    }
    for translation in overlay.pml()?.translations {
        overlay.edit_xml(&plain(&translation.src), |root, edits| {
            for context in root.elements().filter(|one| one.name() == "context") {
                let title = context.elements().find(|one| one.name() == "name").map(|one| one.content().into_owned());
                let own = title.as_deref().and_then(|title| title.split_once(':'));
                if own.is_some_and(|(xar, _)| is_in(&plain(xar), &folder)) {
                    edits.remove(context);
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn path_of(one: &BehaviorDescription) -> String {
    plain(&format!("{}/{}", one.src, one.xar))
}

/// Returns the folder of a behavior that the project lists, and the name of its `.xar`.
fn found(overlay: &mut Overlay<'_>, behavior: &str) -> Result<(String, String), ProjectError> {
    let pml = overlay.pml()?;
    let wanted = plain(behavior);
    let is = |one: &&BehaviorDescription| plain(&one.src) == wanted || path_of(one) == wanted;
    let Some(one) = pml.behaviors.iter().find(is) else {
        let known = pml.behaviors.iter().map(|one| plain(&one.src)).collect();
        return Err(ProjectError::Missing("behavior", behavior.to_owned(), known));
    };
    let folder = plain(&one.src);
    if folder.is_empty() {
        return Err(ProjectError::OwnFolder(path_of(one)));
    }
    Ok((folder, one.xar.clone()))
}

/// Returns the files of a folder, unless one of them has changes that were not saved.
fn files(overlay: &mut Overlay<'_>, folder: &str) -> Result<Vec<String>, ProjectError> {
    let all = overlay.below(folder)?;
    match all.iter().find(|name| is_draft(name)) {
        Some(draft) => Err(ProjectError::InUse(draft.clone())),
        None => Ok(all),
    }
}

/// Whether no file or folder has a name, in upper or lower case.
fn free(overlay: &mut Overlay<'_>, name: &str) -> Result<(), ProjectError> {
    let path = overlay.folder().join(name);
    let own = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let beside = path.parent().and_then(|folder| folder.read_dir().ok()).into_iter().flatten().flatten();
    let names: Vec<String> = beside.map(|item| item.file_name().to_string_lossy().to_lowercase()).collect();
    if names.contains(&own) || !overlay.below(name)?.is_empty() {
        return Err(ProjectError::Taken(name.to_owned()));
    }
    Ok(())
}
