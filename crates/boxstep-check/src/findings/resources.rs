//! Checks of the resources that a box requests.

use super::{Here, repeats};
use crate::codes;
use boxstep_bodies::{ResourceKind, resource, resources};
use boxstep_types::{Diagnostic, meant};

pub(super) fn check(here: &mut Here<'_>) {
    let def = here.at.def;
    for (_, again) in repeats(&def.resources, |r| &r.name) {
        let message = format!("the box asks for \"{}\" twice", again.name);
        here.report(Diagnostic::note(codes::SHARED_RESOURCE, message), again.span);
    }
    if let Some((first, others)) = def.resources.split_first()
        && let Some(other) = others.iter().find(|r| r.mode != first.mode || r.timeout != first.timeout)
    {
        let message = format!("\"{}\" has another mode or timeout than \"{}\"", other.name, first.name);
        let finding = Diagnostic::note(codes::MIXED_RESOURCES, message);
        here.report(finding.help("the resources of a box are taken together"), other.span);
    }
    unknown_resources(here);
    states(here);
}

/// Reports resources that no robot has. Resources of some robots are accepted for all, because delivered behaviors list
/// every part of the body.
fn unknown_resources(here: &mut Here<'_>) {
    for asked in &here.at.def.resources {
        // A timeout of 0 gives up at once; any other waits for a resource that never becomes free.
        let waits = if asked.timeout < 0.0 { "the box waits for it without end" } else { "the box cannot have it" };
        if resource(&asked.name).is_none() {
            let message = format!("no robot has the resource \"{}\": {waits}", asked.name);
            let mut finding = Diagnostic::warning(codes::UNKNOWN_RESOURCE, message);
            finding.help = meant(&asked.name, resources().iter().map(|r| r.name));
            here.report(finding, asked.span);
        }
    }
}

/// Reports requests for several states. A robot is in one state at a time, and the resources of a box are acquired
/// together.
fn states(here: &mut Here<'_>) {
    let is_state = |name: &str| resource(name).is_some_and(|r| r.kind == ResourceKind::State);
    let mut wanted = here.at.def.resources.iter().filter(|r| is_state(&r.name));
    let Some(first) = wanted.next() else { return };
    if let Some(other) = wanted.find(|r| r.name != first.name) {
        let message = format!("a robot is never \"{}\" and \"{}\" at once", first.name, other.name);
        let finding = Diagnostic::error(codes::CONFLICTING_STATES, message);
        here.report(finding.help("the resources of a box are taken together, so it never starts"), other.span);
    }
}
