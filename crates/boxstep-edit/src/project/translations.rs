//! Translations of a project, a file for each language.

use super::ProjectError;
use super::overlay::{Overlay, plain};
use boxstep_format::project::{language_code, translation_contexts};
use boxstep_format::raw::RawNode;
use boxstep_format::write::{At, Printer};
use boxstep_format::{Limits, paths, read_xar};
use boxstep_types::languages::known_language;

/// The box and the parameter that have a text, if they are named.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) context: Option<&'a str>,
    pub(super) parameter: Option<&'a str>,
}

const EMPTY: &str =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\" language=\"@LOCALE@\">\n</TS>\n";

pub(super) fn set(
    overlay: &mut Overlay<'_>,
    language: &str,
    source: &str,
    translation: &str,
    at: Place<'_>,
) -> Result<(), ProjectError> {
    let locale = known_language(language).ok_or_else(|| ProjectError::Language(language.to_owned()))?;
    if let Some(context) = at.context {
        there_is(overlay, context, at.parameter)?;
    }
    let known = overlay.pml()?.translations;
    let listed = known.iter().find(|one| language_code(&one.language).eq_ignore_ascii_case(locale));
    let file = match listed {
        Some(one) => plain(&one.src),
        // A text that is new in a new language needs its place, before a file is begun.
        None if at.context.is_none() => return Err(ProjectError::NoText(source.to_owned(), locale.to_owned())),
        None => {
            let name = format!("translation_{locale}");
            let src = format!("translations/{name}.ts");
            overlay.create(&src, &EMPTY.replace("@LOCALE@", locale))?;
            let attributes = vec![("name", name), ("src", src.clone()), ("language", locale.to_owned())];
            overlay.list("Translations", &[("Translation", attributes)])?;
            src
        }
    };
    let is_there = overlay.edit_xml(&file, |root, edits| {
        let contexts = || root.elements().filter(|one| one.name() == "context");
        let named = |one: &RawNode<'_>| at.context.is_none_or(|name| child_text(*one, "name").as_deref() == Some(name));
        let mut found = false;
        for context in contexts().filter(named) {
            for message in context.elements().filter(|one| one.name() == "message") {
                let is_parameter =
                    at.parameter.is_none_or(|name| child_text(message, "comment").as_deref() == Some(name));
                if !is_parameter || child_text(message, "source").as_deref() != Some(source) {
                    continue;
                }
                found = true;
                match child(message, "translation") {
                    Some(there) => {
                        edits.set_text(there, translation);
                        edits.remove_attribute(there, "type");
                    }
                    None => edits.insert(At::End(message), |p| element(p, "translation", translation)),
                }
            }
        }
        let Some(name) = at.context.filter(|_| !found) else {
            return if found { Ok(()) } else { Err(ProjectError::NoText(source.to_owned(), locale.to_owned())) };
        };
        let message = |p: &mut Printer| {
            p.start("message");
            element(p, "source", source);
            element(p, "comment", at.parameter.unwrap_or("Text"));
            element(p, "translation", translation);
            p.end();
        };
        match contexts().find(named) {
            Some(context) => edits.insert(At::End(context), message),
            None => edits.insert(At::End(root), |p| {
                p.start("context");
                element(p, "name", name);
                message(p);
                p.end();
            }),
        }
        Ok(())
    })?;
    if is_there { Ok(()) } else { Err(ProjectError::Missing("file", file, Vec::new())) }
}

/// Checks that a box of the project has this name in translation files, and this parameter.
fn there_is(overlay: &mut Overlay<'_>, context: &str, parameter: Option<&str>) -> Result<(), ProjectError> {
    // Paths of files contain no colon, but names of boxes may.
    let xar = context.split_once(':').map_or(context, |(xar, _)| xar);
    let known: Vec<String> =
        overlay.pml()?.behaviors.iter().map(|one| plain(&format!("{}/{}", one.src, one.xar))).collect();
    if !known.iter().any(|one| one == xar) {
        return Err(ProjectError::Missing("behavior", xar.to_owned(), known));
    }
    let Some(file) = overlay.get(xar)? else {
        return Err(ProjectError::Missing("file", xar.to_owned(), Vec::new()));
    };
    let file = read_xar(xar, &file.bytes, &Limits::default())?;
    let mut known = Vec::new();
    for at in paths::boxes(&file.project) {
        let names = translation_contexts(xar, &file.project, &at.trail);
        if !names.iter().any(|name| name == context) {
            known.extend(names.into_iter().next());
            continue;
        }
        return match parameter {
            Some(name) if !at.def.parameters.iter().any(|one| *one.name == *name) => {
                let known = at.def.parameters.iter().map(|one| one.name.to_string()).collect();
                Err(ProjectError::NoParameter(context.to_owned(), name.to_owned(), known))
            }
            _ => Ok(()),
        };
    }
    Err(ProjectError::Missing("box", context.to_owned(), known))
}

fn child<'a>(node: RawNode<'a>, name: &str) -> Option<RawNode<'a>> {
    node.elements().find(|one| one.name() == name)
}

fn child_text(node: RawNode<'_>, name: &str) -> Option<String> {
    child(node, name).map(|one| one.content().into_owned())
}

fn element(p: &mut Printer, name: &str, text: &str) {
    p.start(name);
    p.text(text);
    p.end();
}
