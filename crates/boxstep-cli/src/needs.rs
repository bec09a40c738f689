//! What a behavior needs of a robot, read from its files and scripts; nothing of it is run.

use crate::command::check::interpreter;
use crate::open::Chosen;
use crate::settings::Settings;
use crate::{Program, body};
use boxstep_bodies::own::BodyName;
use boxstep_check::Scripts;
use boxstep_format::paths;
use boxstep_robot::naoqi::preflight::{NeededCall, Needs};
use std::path::Path;

/// What a behavior needs. `language` is the one that was asked for; `python` looks at its scripts: the one that was
/// asked for, if one was; no scripts are run where it is `None`.
pub(crate) fn of(
    chosen: &Chosen,
    settings: &Settings,
    language: Option<&str>,
    python: Option<Option<&Path>>,
    program: &Program,
) -> Needs {
    let config = &settings.config;
    let project = &chosen.file.project;
    let mut joints: Vec<String> = Vec::new();
    for at in paths::boxes(project) {
        let timeline = at.def.timeline.as_ref().filter(|timeline| timeline.enabled);
        for curve in timeline.iter().filter_map(|t| t.actuators.as_ref()).flat_map(|list| &list.curves) {
            if !curve.mute && !curve.keys.is_empty() && !joints.iter().any(|joint| **joint == *curve.actuator) {
                joints.push(curve.actuator.to_string());
            }
        }
    }
    let mut scripts = Scripts::new();
    if python.is_some() {
        scripts.add(&chosen.file);
    }
    if let Some(python) = python.filter(|_| !scripts.is_empty()) {
        let python = interpreter::choose(python, config.python.as_deref(), program);
        scripts.read(&python, &interpreter::Reader { dialect: config.dialect });
    }
    let brought: Vec<&str> = chosen.services().collect();
    let uses = scripts.uses(&chosen.file).into_iter().filter(|used| !brought.contains(&used.service.as_str()));
    let calls = uses.map(|used| NeededCall {
        place: format!("{}, line {}", used.path, used.line),
        service: used.service,
        method: used.method,
        guarded: used.guarded,
    });
    Needs {
        body: match config.body {
            Some(BodyName::Known(kind)) => Some(kind),
            // No robot that NAOqi runs on can be asked whether it is one.
            Some(BodyName::File(_)) => None,
            None => body::known(chosen.robots(), project).map(|(kind, _)| kind),
        },
        joints,
        calls: calls.collect(),
        unread: scripts.trouble().map(|why| format!("nobody looked at the scripts: {why}")),
        language: language.map(str::to_owned).or_else(|| config.language.clone()),
        anything: false,
    }
}
