//! Resources that a box asks for.

use super::near::meant;
use super::{Here, repeats};
use crate::codes;
use boxstep_bodies::{BodyKind, ResourceKind, resource, resources};
use boxstep_types::{Diagnostic, Severity};

pub(super) fn check(here: &mut Here<'_>) {
    let def = here.at.def;
    for (_, again) in repeats(&def.resources, |r| &r.name) {
        let message = format!("the box asks for \"{}\" twice", again.name);
        here.tell(Diagnostic::note(codes::SHARED_RESOURCE, message), again.span);
    }
    if let Some((first, others)) = def.resources.split_first()
        && let Some(other) = others.iter().find(|r| r.mode != first.mode || r.timeout != first.timeout)
    {
        let message = format!("\"{}\" has another mode or timeout than \"{}\"", other.name, first.name);
        let finding = Diagnostic::note(codes::MIXED_RESOURCES, message);
        here.tell(finding.help("the resources of a box are taken together"), other.span);
    }
    had(here);
    states(here);
}

/// Resources that no robot has, or not this one.
fn had(here: &mut Here<'_>) {
    for asked in &here.at.def.resources {
        // 0 gives up at once, another number waits for what never comes.
        let waits = if asked.timeout < 0.0 { "the box waits for it for ever" } else { "the box cannot have it" };
        if resource(&asked.name).is_none() {
            let message = format!("no robot has the resource \"{}\"; there {waits}", asked.name);
            let mut finding = Diagnostic::warning(codes::UNKNOWN_RESOURCE, message);
            finding.help = meant(&asked.name, resources().iter().map(|r| r.name));
            here.tell(finding, asked.span);
        } else if let Some(body) = here.context.body
            && !on_body(body.kind, &asked.name)
        {
            let message = format!("{} does not have the resource \"{}\"; there {waits}", body.name, asked.name);
            here.tell(Diagnostic::warning(codes::RESOURCE_NOT_ON_BODY, message), asked.span);
        }
    }
}

/// A joint is on the bodies that have it; legs with feet are NAO's. All others are on every robot.
fn on_body(kind: BodyKind, name: &str) -> bool {
    let is_joint = |kind: BodyKind| kind.body().joint(name).is_some();
    if BodyKind::ALL.into_iter().any(is_joint) {
        return is_joint(kind);
    }
    kind == BodyKind::Nao || !matches!(name, "Left leg" | "Right leg" | "Feet leds" | "Brain leds")
}

/// A robot is in one state at a time, and the resources of a box are taken together.
fn states(here: &mut Here<'_>) {
    let is_state = |name: &str| resource(name).is_some_and(|r| r.kind == ResourceKind::State);
    let mut wanted = here.at.def.resources.iter().filter(|r| is_state(&r.name));
    let Some(first) = wanted.next() else { return };
    if let Some(other) = wanted.find(|r| r.name != first.name) {
        let message = format!("a robot is never \"{}\" and \"{}\" at once", first.name, other.name);
        let mut finding = Diagnostic::warning(codes::CONFLICTING_STATES, message);
        finding.severity = Severity::Error;
        here.tell(finding.help("the resources of a box are taken together, so it never starts"), other.span);
    }
}
