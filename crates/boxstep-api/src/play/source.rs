//! The source of a behavior, which the engine plays.

use super::fit_curves;
use boxstep_bodies::Body;
use boxstep_engine::config::BehaviorSource;
use boxstep_format::model::{ParameterType, Project};
use boxstep_format::paths::{self, Place};
use boxstep_format::project::{Behavior, Translations};
use boxstep_format::{FormatError, Limits, Opened, XarFile};
use std::sync::Arc;

/// Returns the name of the package, which is its UUID if it has one.
pub fn package_name(opened: &Opened) -> &str {
    opened.uuid().unwrap_or(&opened.name)
}

/// Returns `package/behavior`, or only the package's name for a behavior in the package's own folder.
pub fn full_name(opened: &Opened, behavior: &Behavior) -> String {
    let package = package_name(opened);
    if behavior.name == "." { package.to_owned() } else { format!("{package}/{}", behavior.name) }
}

/// Returns what the engine plays of a behavior, with texts in a language (`English` or `en_US`) where the project has
/// translations, and with curves that fit the body. `trail` leads to the box that is played alone; if it is empty, the
/// whole behavior plays.
///
/// If there are translations that cannot be read, the second value is the reason, and the texts are the original ones.
pub fn behavior_source(
    opened: &Opened,
    behavior: &Behavior,
    file: XarFile,
    trail: &[Place],
    language: &str,
    body: &Body,
) -> (BehaviorSource, Option<FormatError>) {
    let mut project = file.project;
    fit_curves(&mut project, body);
    // Without translations a behavior speaks its original texts.
    let unread = match opened.translations(language, &Limits::default()) {
        Ok(Some(translations)) => {
            translate(&mut project, &behavior.relative, &translations);
            None
        }
        Ok(None) => None,
        Err(e) => Some(e),
    };
    if !trail.is_empty()
        && let Some(alone) = boxstep_format::extract_box(&project, trail)
    {
        project = alone;
    }
    let source = BehaviorSource {
        name: full_name(opened, behavior).into(),
        project: Arc::new(project),
        sources: Arc::new(file.sources),
        folder: behavior.folder.canonicalize().unwrap_or_else(|_| behavior.folder.clone()),
        relative_folder: behavior.name.clone(),
        package_uid: opened.uuid().unwrap_or_default().to_owned(),
    };
    (source, unread)
}

/// Replaces localized texts by their translations.
fn translate(project: &mut Project, xar: &str, translations: &Translations) {
    let mut found: Vec<(Vec<Place>, usize, Arc<str>)> = Vec::new();
    for at in paths::boxes(project) {
        for (index, p) in at.def.parameters.iter().enumerate() {
            if p.content_type == ParameterType::Localized
                && let Some(text) = translations.text(xar, project, &at.trail, &p.name, &p.value)
            {
                found.push((at.trail.clone(), index, text.into()));
            }
        }
    }
    for (trail, index, text) in found {
        if let Some(p) = paths::at_mut(project, &trail).and_then(|b| b.parameters.get_mut(index)) {
            p.value = text;
        }
    }
}
