//! Findings about states of a folder that disagree with the keyframes.
//!
//! A diagram is read from the state in which its keyframe begins. The state machine, the intervals, the flags and the
//! repetitions in later states follow from the keyframes. If a user has edited only one of these, this is reported, and
//! the keyframes count.

use super::files::Reader;
use super::names::state;
use super::read::section;
use super::write::local_name;
use crate::error::FormatError;
use crate::model::{BoxDef, Project};
use crate::raw::{RawKind, RawNode};
use crate::states::{Member, State, size, states};
use crate::{codes, paths};
use boxstep_types::{Diagnostic, Span};
use std::collections::HashMap;
use std::path::Path;

/// The largest number of keyframes in all states of a timeline together for which states are checked.
const MOST: usize = 1 << 20;

/// Returns the findings about a folder that has been read; their spans are in its files.
pub(super) fn check(project: &Project, reader: &mut Reader<'_>) -> Result<Vec<Diagnostic>, FormatError> {
    let mut found = Vec::new();
    for at in paths::boxes(project) {
        check_box(at.def, reader, &mut found)?;
    }
    Ok(found)
}

fn check_box(def: &BoxDef, reader: &mut Reader<'_>, found: &mut Vec<Diagnostic>) -> Result<(), FormatError> {
    // An explicit state machine is not derived from keyframes.
    let Some(timeline) = def.timeline.as_ref().filter(|t| t.machine.is_none()) else { return Ok(()) };
    let name = reader.sources.name(def.span.file).to_owned();
    let Some(name) = Path::new(&name).file_stem().and_then(|n| n.to_str()) else { return Ok(()) };
    // Layers that were derived from states agree with them by construction.
    let own = reader.xml(&format!("{name}_timeline"))?;
    let has_layers = |n: RawNode<'_>| n.elements().any(|n| local_name(n) == "BehaviorLayer");
    if !own.as_ref().and_then(|t| t.root()).is_some_and(has_layers) {
        return Ok(());
    }
    // A folder that Boxstep writes cannot have more, and no one writes so many by hand.
    if size(timeline).1 > MOST {
        return Ok(());
    }
    let cut = states(timeline);
    let mut report = |at: Span, message: String| {
        let finding = Diagnostic::warning(codes::STALE_STATE, message).at(at);
        found
            .push(finding.help("the keyframes of the timeline's file count; `boxstep convert` writes the states anew"));
    };
    if let Some(machine) = reader.xml(&format!("{name}_state_machine"))?
        && let Some(root) = machine.root()
    {
        let listed =
            root.elements().filter(|n| local_name(*n) == "State").map(|n| n.attribute("Name").unwrap_or_default());
        if !listed.eq((0..cut.len()).map(|n| state(name, n))) {
            let message = format!("the timeline has {} states, but other states are listed here", cut.len());
            report(machine.tag(root), message);
        }
        if let Some(node) = root.elements().find(|n| local_name(*n) == "Transition") {
            let message =
                "transitions are taken only where the timeline's file has no layers, or an empty `StateMachine`"
                    .to_owned();
            report(machine.tag(node), message);
        }
    }
    let mut homes: HashMap<Member, usize> = HashMap::new();
    for (index, s) in cut.iter().enumerate() {
        let Some(file) = reader.xml(&state(name, index))? else { continue };
        let Some(root) = file.root() else { continue };
        if !same_interval(root, s) {
            report(file.tag(root), format!("by the keyframes, this state is from frame {} up to {}", s.begin, s.end));
        }
        for m in &s.active {
            let home = *homes.entry(*m).or_insert(index);
            if home == index {
                continue;
            }
            let Some(home_file) = reader.xml(&state(name, home))? else { continue };
            let Some(home_root) = home_file.root() else { continue };
            if boxes_and_links(home_root, *m) != boxes_and_links(root, *m) {
                let layer = &timeline.layers[m.layer];
                let keyframe = &layer.keyframes[m.keyframe].name;
                let begins = state(name, home);
                report(
                    file.tag(root),
                    format!("boxes or links of \"{keyframe}\" are not those of {begins}.xml, where it begins"),
                );
            }
        }
    }
    Ok(())
}

fn same_interval(root: RawNode<'_>, s: &State) -> bool {
    let number = |n: RawNode<'_>, name| n.attribute(name).and_then(|v| v.trim().parse::<i64>().ok());
    let interval = root.elements().find(|n| local_name(*n) == "Interval");
    interval.is_some_and(|n| number(n, "begin") == Some(s.begin) && number(n, "end") == Some(s.end))
}

/// Returns the boxes and links of a keyframe's diagram as the file of a state has them.
fn boxes_and_links(root: RawNode<'_>, m: Member) -> Vec<Vec<(String, String)>> {
    let nodes = section(root, (m.layer, m.keyframe)).into_iter();
    let nodes = nodes.filter(|n| n.kind() == RawKind::Element && matches!(local_name(*n), "Object" | "Link" | "_Link"));
    nodes.map(|n| n.attributes().map(|a| (a.name().to_owned(), a.value().into_owned())).collect()).collect()
}
