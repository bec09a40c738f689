//! What a behavior or a character needs of a robot, read from its files and scripts; nothing of it is run.

use crate::command::check::interpreter;
use crate::playable::Playable;
use crate::settings::Settings;
use crate::{Program, body};
use boxstep_bodies::own::BodyName;
use boxstep_check::Scripts;
use boxstep_format::paths;
use boxstep_robot::naoqi::preflight::{NeededCall, Needs};
use boxstep_runner::{Character, Kind, Node};
use std::collections::HashSet;
use std::path::Path;

/// What it needs. `language` is the one that was asked for; `python` looks at its scripts: the one that was
/// asked for, if one was; no scripts are run where it is `None`.
pub(crate) fn of<'a>(
    piece: impl Into<Playable<'a>>,
    settings: &Settings,
    language: Option<&str>,
    python: Option<Option<&Path>>,
    program: &Program,
) -> Needs {
    let (piece, config) = (piece.into(), &settings.config);
    let behaviors = piece.behaviors();
    let mut joints: Vec<String> = Vec::new();
    for at in behaviors.iter().flat_map(|chosen| paths::boxes(&chosen.file.project)) {
        let timeline = at.def.timeline.as_ref().filter(|timeline| timeline.enabled);
        for curve in timeline.iter().filter_map(|t| t.actuators.as_ref()).flat_map(|list| &list.curves) {
            if !curve.mute && !curve.keys.is_empty() && !joints.iter().any(|joint| **joint == *curve.actuator) {
                joints.push(curve.actuator.to_string());
            }
        }
    }
    let mut scripts = Scripts::new();
    if python.is_some() {
        behaviors.iter().for_each(|chosen| scripts.add(&chosen.file));
    }
    if let Some(python) = python.filter(|_| !scripts.is_empty()) {
        let python = interpreter::choose(python, config.python.as_deref(), program);
        scripts.read(&python, &interpreter::ScriptReader { dialect: config.dialect });
    }
    let mut calls = match piece {
        Playable::Behavior(_) => Vec::new(),
        Playable::Character(cast) => of_leaves(&cast.character),
    };
    for chosen in &behaviors {
        let brought: Vec<&str> = chosen.services().collect();
        let uses = scripts.uses(&chosen.file).into_iter().filter(|used| !brought.contains(&used.service.as_str()));
        calls.extend(uses.map(|used| NeededCall {
            place: format!("{}, line {}", used.path, used.line),
            service: used.service,
            method: used.method,
            guarded: used.guarded,
        }));
    }
    Needs {
        body: match config.body {
            Some(BodyName::Known(kind)) => Some(kind),
            // No robot that NAOqi runs on can be asked whether it is one.
            Some(BodyName::File(_)) => None,
            None => behaviors
                .iter()
                .find_map(|chosen| body::known(chosen.robots(), &chosen.file.project))
                .map(|(kind, _)| kind),
        },
        joints,
        calls,
        unread: scripts.trouble().map(|why| format!("nobody looked at the scripts: {why}")),
        language: language.map(str::to_owned).or_else(|| config.language.clone()),
        anything: false,
    }
}

/// What the leaves of a character call. A behavior that goes on when a child has failed is ready for a service not to be there.
fn of_leaves(character: &Character) -> Vec<NeededCall> {
    let ready = |kind: &Kind| matches!(kind, Kind::Fallback(_) | Kind::Queue(_) | Kind::Outcome(..));
    let guarded: HashSet<&str> = character
        .behaviors
        .iter()
        .filter(|node| ready(&node.kind))
        .flat_map(|node| node.kind.children())
        .map(|child| &*child.to.name)
        .collect();
    let one = |node: &Node| {
        let Kind::Do(what) = &node.kind else { return None };
        let (service, method, _) = what.call()?;
        let guarded = guarded.contains(&*node.name);
        Some(NeededCall {
            service: service.to_string(),
            method: Some(method.to_string()),
            guarded,
            place: node.name.to_string(),
        })
    };
    character.behaviors.iter().filter_map(one).collect()
}
