//! Dialogs of a project, with a topic for each language.

use super::ProjectError;
use super::overlay::{Overlay, plain};
use crate::templates::{check_name, dialog, topic, topic_name};
use boxstep_format::together::Contents;
use boxstep_types::languages::{known_language, topic_code};

/// The code and the locale of a language.
fn language(name: &str) -> Result<(&'static str, &'static str), ProjectError> {
    topic_code(name).zip(known_language(name)).ok_or_else(|| ProjectError::Language(name.to_owned()))
}

/// Returns the path of a dialog that the project lists.
fn found(overlay: &mut Overlay<'_>, name: &str) -> Result<Option<String>, ProjectError> {
    let wanted = plain(name);
    let known = overlay.pml()?.dialogs;
    Ok(known.iter().find(|one| one.name == name || plain(&one.src) == wanted).map(|one| plain(&one.src)))
}

/// The lines of a dialog that name a topic: the code, the path of the topic in the project, and the whole line.
fn topics(text: &str, dialog: &str) -> Vec<(String, String, String)> {
    let folder = dialog.rsplit_once('/').map_or("", |(folder, _)| folder);
    let line = |line: &str| {
        let (code, file) = line.trim().split_once(':')?;
        let path = plain(&format!("{folder}/{}", file.trim()));
        (code.trim() != "multilanguage").then(|| (code.trim().to_owned(), path, line.to_owned()))
    };
    text.split_inclusive('\n').filter_map(line).collect()
}

fn text_of(contents: &Contents, name: &str) -> Result<String, ProjectError> {
    let no_text = |_| ProjectError::Io(name.into(), std::io::Error::other("it is not written in UTF-8"));
    String::from_utf8(contents.bytes.clone()).map_err(no_text)
}

pub(super) fn add(overlay: &mut Overlay<'_>, name: &str, languages: &[String]) -> Result<(), ProjectError> {
    let mut wanted = Vec::new();
    for one in languages {
        let one = language(one)?;
        if wanted.contains(&one) {
            return Err(ProjectError::Taken(format!("the topic in {}", one.0)));
        }
        wanted.push(one);
    }
    if wanted.is_empty() {
        return Err(ProjectError::Language(String::new()));
    }
    let known = found(overlay, name)?;
    let path = match &known {
        Some(path) => path.clone(),
        None => {
            check_name(name)?;
            format!("{name}/{name}.dlg")
        }
    };
    let (folder, stem) = path.rsplit_once('/').unwrap_or(("", &path));
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem).to_owned();
    let before = match &known {
        Some(_) => overlay.get(&path)?,
        None => None,
    };
    let text = before.as_ref().map(|contents| text_of(contents, &path)).transpose()?;
    let there = text.as_deref().map(|text| topics(text, &path)).unwrap_or_default();
    let title =
        text.as_deref().and_then(|text| text.lines().find_map(|line| line.trim().strip_prefix("multilanguage:")));
    let title = title.map_or_else(|| topic_name(&stem), |title| title.trim().to_owned());
    let (mut lines, mut entries) = (Vec::new(), Vec::new());
    for (code, locale) in wanted {
        if there.iter().any(|(known, ..)| known == code) {
            return Err(ProjectError::Taken(format!("the topic of {name} in {code}")));
        }
        let file = format!("{stem}_{code}.top");
        let src = plain(&format!("{folder}/{file}"));
        overlay.create(&src, &topic(&title, code))?;
        lines.push((code.to_owned(), file));
        let attributes = [
            ("name", format!("{stem}_{code}")),
            ("src", src),
            ("topicName", title.clone()),
            ("language", locale.to_owned()),
        ];
        entries.push(("Topic", attributes.to_vec()));
    }
    match text {
        Some(text) => {
            let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { end };
            let lines: String = lines.iter().map(|(code, file)| format!("{code}:{file}{end}")).collect();
            overlay.set(&path, Some(Contents::plain(format!("{text}{gap}{lines}").into_bytes())))?;
        }
        None => {
            overlay.create(&path, &dialog(&title, &lines))?;
            overlay.list("Dialogs", &[("Dialog", vec![("name", stem), ("src", path)])])?;
        }
    }
    overlay.list("Topics", &entries)
}

pub(super) fn remove(overlay: &mut Overlay<'_>, name: &str, languages: &[String]) -> Result<(), ProjectError> {
    let Some(path) = found(overlay, name)? else {
        let known = overlay.pml()?.dialogs.into_iter().map(|one| one.name).collect();
        return Err(ProjectError::Missing("dialog", name.to_owned(), known));
    };
    let text = overlay.get(&path)?.map(|contents| text_of(&contents, &path)).transpose()?.unwrap_or_default();
    let there = topics(&text, &path);
    let mut gone: Vec<&(String, String, String)> = Vec::new();
    for one in languages {
        let (code, _) = language(one)?;
        let Some(known) = there.iter().find(|(known, ..)| known == code) else {
            let known = there.iter().map(|(code, ..)| code.clone()).collect();
            return Err(ProjectError::Missing("topic in", code.to_owned(), known));
        };
        gone.push(known);
    }
    let all = languages.is_empty() || gone.len() == there.len();
    if all {
        gone = there.iter().collect();
    }
    for (_, topic, _) in &gone {
        overlay.set(topic, None)?;
    }
    let kept: String = match all {
        true => String::new(),
        false => text.split_inclusive('\n').filter(|line| !gone.iter().any(|(.., own)| own == line)).collect(),
    };
    overlay.set(&path, if all { None } else { Some(Contents::plain(kept.into_bytes())) })?;
    let is_gone = |src: &str| gone.iter().any(|(_, topic, _)| topic == src);
    overlay.unlist(|_, entry, src| match entry.name() {
        "Topic" => is_gone(src),
        "Dialog" => all && src == path,
        _ => false,
    })?;
    let Some(manifest) = overlay.manifest()? else { return Ok(()) };
    overlay.edit_xml(&manifest, |root, edits| {
        for content in root.view().all().filter(|node| node.name() == "dialogContent") {
            let own: Vec<_> = content.elements().filter(|one| one.name() == "topic").collect();
            let gone =
                |node: &boxstep_format::raw::RawNode<'_>| is_gone(&plain(&node.attribute("path").unwrap_or_default()));
            if !own.is_empty() && own.iter().all(gone) {
                edits.remove(content);
            } else {
                own.into_iter().filter(gone).for_each(|node| edits.remove(node));
            }
        }
        Ok(())
    })?;
    Ok(())
}
