//! Checks characters: their files, and what their leaves refer to outside of the file.

use super::CheckContext;
use super::files::{Checked, CheckedCharacter};
use crate::failure::Failure;
use boxstep_format::model::ParameterType;
use boxstep_runner::{Environment, ParameterKind, PlayedBehavior};
use boxstep_services::knows_animation;
use boxstep_types::{Diagnostic, Severity, Sources};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Returns the findings of a character that the rules let through, in the order of its file, and the file.
pub(super) fn findings(
    checked: &CheckedCharacter,
    played: &[Checked],
    check: &CheckContext<'_>,
) -> Result<(Vec<Diagnostic>, Sources), Failure> {
    let name = checked.shown.as_str();
    let mut all = checked.found.clone();
    if let Some(character) = &checked.character {
        let mut around = Around { folder: crate::settings::folder_of(&checked.path), plays: BTreeMap::new() };
        for (name, found) in &checked.plays {
            let found = match found {
                Ok(number) => Ok(seen(&played[*number], check)?),
                Err(why) => Err(why.clone()),
            };
            around.plays.insert(name.clone(), found);
        }
        all.extend(character.check_in(name, &mut around));
    }
    all.sort_by_key(|finding| finding.at.start);
    let mut sources = Sources::new();
    let file = sources.add(name, checked.text.clone());
    let own = &checked.settings.config.rules;
    let judged = all.iter().filter_map(|finding| check.rules.judge(own, finding.diagnostic(file)));
    Ok((judged.collect(), sources))
}

/// Describes a behavior as the leaf that plays it sees it.
fn seen(checked: &Checked, check: &CheckContext<'_>) -> Result<PlayedBehavior, Failure> {
    let found = check.findings(checked, &[])?;
    let found = found.behavior.iter().chain(found.dialogs.iter().map(|found| &found.finding));
    let errors = found.filter(|finding| finding.severity == Severity::Error).count();
    let needs = |kind: ParameterType| match kind {
        ParameterType::Bool => ParameterKind::Bool,
        ParameterType::Int => ParameterKind::Int,
        ParameterType::Float => ParameterKind::Float,
        ParameterType::String | ParameterType::File | ParameterType::Localized => ParameterKind::Text,
        ParameterType::Unknown(_) => ParameterKind::Any,
    };
    let parameters = &checked.file.project.root.parameters;
    let parameters = parameters.iter().map(|p| (p.name.clone(), needs(p.content_type))).collect();
    Ok(PlayedBehavior { parameters, errors, shown_by: format!("`boxstep check {}`", checked.behavior.shown) })
}

/// The folder of the character, and the simulated robot.
struct Around<'a> {
    folder: &'a Path,
    plays: BTreeMap<Arc<str>, Result<PlayedBehavior, String>>,
}

impl Environment for Around<'_> {
    fn play(&mut self, name: &str) -> Result<PlayedBehavior, String> {
        self.plays.get(name).cloned().unwrap_or_else(|| Err(crate::character::not_there(name)))
    }

    fn animation(&mut self, name: &str) -> Result<(), String> {
        if knows_animation(name) {
            return Ok(());
        }
        Err(format!("the simulated robot has no animation `{name}`: paths of installed ones begin with `animations/`"))
    }

    fn script(&mut self, name: &str) -> Result<(), String> {
        let there = self.folder.join(name).is_file();
        there.then_some(()).ok_or_else(|| format!("there is no file `{name}` beside the character"))
    }
}
