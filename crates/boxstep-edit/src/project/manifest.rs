//! What a manifest says of its package. Its identity stays.

use super::ProjectError;
use super::op::Nature;
use super::overlay::{Overlay, plain};
use boxstep_format::raw::RawNode;
use boxstep_format::write::{At, Edits};
use boxstep_types::languages::known_language;
use std::collections::BTreeMap;

pub(super) fn set(
    overlay: &mut Overlay<'_>,
    version: Option<&str>,
    names: &BTreeMap<String, String>,
    descriptions: &BTreeMap<String, String>,
) -> Result<(), ProjectError> {
    if let Some(version) = version
        && !version.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    {
        return Err(ProjectError::Version(version.to_owned()));
    }
    let names = by_locale(names)?;
    let descriptions = by_locale(descriptions)?;
    let name = overlay.pml()?.manifest.unwrap_or_else(|| "manifest.xml".to_owned());
    let Some(manifest) = overlay.manifest()? else { return Err(ProjectError::NoManifest(name)) };
    overlay.edit_xml(&manifest, |root, edits| {
        if let Some(version) = version {
            edits.set_attribute(root, "version", version);
        }
        texts(root, edits, ("names", "name"), &names);
        texts(root, edits, ("descriptions", "description"), &descriptions);
        let all: Vec<&str> = names.iter().chain(&descriptions).map(|(locale, _)| *locale).collect();
        described(root, edits, &all);
        Ok(())
    })?;
    Ok(())
}

/// Sets the nature of a behavior, or removes it.
pub(super) fn set_nature(overlay: &mut Overlay<'_>, behavior: &str, nature: Nature) -> Result<(), ProjectError> {
    let name = overlay.pml()?.manifest.unwrap_or_else(|| "manifest.xml".to_owned());
    let Some(manifest) = overlay.manifest()? else { return Err(ProjectError::NoManifest(name)) };
    let path = |one: RawNode<'_>| plain(&one.attribute("path").unwrap_or_default());
    overlay.edit_xml(&manifest, |root, edits| {
        let all = || root.view().all().filter(|one| one.name() == "behaviorContent");
        let Some(content) = all().find(|one| path(*one) == plain(behavior)) else {
            return Err(ProjectError::Missing("behavior", behavior.to_owned(), all().map(path).collect()));
        };
        match (content.elements().find(|one| one.name() == "nature"), nature.word()) {
            (Some(there), Some(word)) if there.content().trim() == word => {}
            (Some(there), Some(word)) => edits.set_text(there, word),
            (Some(there), None) => edits.remove(there),
            (None, Some(word)) => edits.insert(At::End(content), |p| p.text_element("nature", word)),
            (None, None) => {}
        }
        Ok(())
    })?;
    Ok(())
}

fn by_locale(texts: &BTreeMap<String, String>) -> Result<Vec<(&'static str, &str)>, ProjectError> {
    let locale = |name: &str| known_language(name).ok_or_else(|| ProjectError::Language(name.to_owned()));
    texts.iter().map(|(name, text)| Ok((locale(name)?, text.as_str()))).collect()
}

/// Sets texts by language, in a group that is added if there is none.
fn texts<'f>(root: RawNode<'f>, edits: &mut Edits<'f>, (group, item): (&str, &str), wanted: &[(&str, &str)]) {
    let known = root.elements().find(|one| one.name() == group);
    let mut new = Vec::new();
    for (locale, text) in wanted {
        let there =
            known.and_then(|known| known.elements().find(|one| one.attribute("lang").as_deref() == Some(locale)));
        match there {
            Some(there) => edits.set_text(there, text),
            None => new.push((*locale, *text)),
        }
    }
    if new.is_empty() {
        return;
    }
    let print = |p: &mut boxstep_format::write::Printer| {
        for (locale, text) in &new {
            p.start(item);
            p.attribute("lang", locale);
            p.text(text);
            p.end();
        }
    };
    match known {
        Some(known) => edits.insert(At::End(known), print),
        None => edits.insert(At::Start(root), |p| {
            p.start(group);
            print(p);
            p.end();
        }),
    }
}

/// Lists languages among those in which the package is described.
fn described<'f>(root: RawNode<'f>, edits: &mut Edits<'f>, locales: &[&str]) {
    let Some(group) = root.elements().find(|one| one.name() == "descriptionLanguages") else { return };
    let mut new: Vec<&str> = Vec::new();
    for locale in locales {
        let known = group.elements().any(|one| one.content().trim() == *locale);
        if !known && !new.contains(locale) {
            new.push(locale);
        }
    }
    if !new.is_empty() {
        edits.insert(At::End(group), |p| {
            for locale in new {
                p.start("language");
                p.text(locale);
                p.end();
            }
        });
    }
}
