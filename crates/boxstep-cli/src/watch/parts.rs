//! Which parts of a behavior have another structure than in the version that plays.

use boxstep_engine::config::PartChange;
use boxstep_format::model::{
    BoxDef, Diagram, Input, Key, Link, MachineState, Output, Parameter, Resource, Tangent, Timeline, Transition,
};
use boxstep_format::paths::{diagrams, segments};
use boxstep_types::BoxPath;
use std::collections::HashMap;

/// A box with another inside.
pub(super) struct ChangedPart<'a> {
    pub(super) path: BoxPath,
    pub(super) change: PartChange,
    /// The box in the new version.
    pub(super) def: &'a BoxDef,
}

/// Returns the smallest parts of a box that hold all that differs in structure inside it. Scripts, values and what only
/// an editor shows do not count.
pub(super) fn changed<'a>(path: BoxPath, old: &BoxDef, new: &'a BoxDef) -> Vec<ChangedPart<'a>> {
    let mut found = Vec::new();
    compare(path, old, new, &mut found);
    found
}

fn compare<'a>(path: BoxPath, old: &BoxDef, new: &'a BoxDef, found: &mut Vec<ChangedPart<'a>>) {
    let (Some(was), Some(is)) = (&old.timeline, &new.timeline) else {
        if old.timeline.is_some() || new.timeline.is_some() {
            let change = PartChange { boxes: true, ..PartChange::default() };
            found.push(ChangedPart { path, change, def: new });
        }
        return;
    };
    // Of another number of keyframes, each is at another path.
    let pairs: Vec<_> =
        diagrams(&path, old).into_iter().zip(diagrams(&path, new)).filter(|(a, b)| a.path == b.path).collect();
    let links = pairs.iter().any(|(old, new)| !same_links(old.diagram, new.diagram));
    let alike = same_layers(was, is)
        && pairs.iter().all(|(old, new)| same_boxes(old.diagram, new.diagram))
        // The states of a machine with transitions of its own have their own links.
        && ((was.machine.is_none() && is.machine.is_none()) || (!links && same_machine(was, is)));
    let change = PartChange { links: links && alike, curves: alike && !same_curves(was, is), boxes: !alike };
    if change != PartChange::default() {
        found.push(ChangedPart { path: path.clone(), change, def: new });
    }
    // Boxes that are the same may differ inside, whatever else is new around them.
    for (old, new) in pairs {
        let mut boxes: HashMap<_, _> = segments(old.diagram).into_iter().zip(&old.diagram.boxes).collect();
        for (segment, def) in segments(new.diagram).into_iter().zip(&new.diagram.boxes) {
            if let Some(old) = boxes.remove(&segment).filter(|old| same_box(old, def)) {
                compare(new.path.join(segment), old, def, found);
            }
        }
    }
}

/// Returns whether two lists have the same items in the same order.
fn same<T>(a: &[T], b: &[T], alike: impl Fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
}

fn same_layers(a: &Timeline, b: &Timeline) -> bool {
    TimelineClock::of(a).moves == TimelineClock::of(b).moves
        && same(&a.layers, &b.layers, |a, b| {
            let keyframes = same(&a.keyframes, &b.keyframes, |a, b| a.name == b.name && a.index == b.index);
            a.name == b.name && a.mute == b.mute && keyframes
        })
}

/// Returns whether two diagrams have the same boxes with the same interfaces.
fn same_boxes(a: &Diagram, b: &Diagram) -> bool {
    same(&a.boxes, &b.boxes, same_box)
}

/// Returns whether two boxes are the same, apart from what is inside.
fn same_box(a: &BoxDef, b: &BoxDef) -> bool {
    a.name == b.name
        && a.id == b.id
        && a.dialog_file == b.dialog_file
        && runs(a) == runs(b)
        && same(&a.inputs, &b.inputs, same_input)
        && same(&a.outputs, &b.outputs, same_output)
        && same(&a.parameters, &b.parameters, same_parameter)
        && same(&a.resources, &b.resources, same_resource)
}

/// Returns whether a box has a script that runs.
fn runs(def: &BoxDef) -> bool {
    super::taken::script(def).is_some()
}

fn same_input(a: &Input, b: &Input) -> bool {
    let of = |i: &Input| (i.name.clone(), i.id, i.port_type, i.nature, i.memory_key.clone());
    of(a) == of(b)
}

fn same_output(a: &Output, b: &Output) -> bool {
    let of = |o: &Output| (o.name.clone(), o.id, o.port_type, o.nature);
    of(a) == of(b)
}

fn same_parameter(a: &Parameter, b: &Parameter) -> bool {
    let of = |p: &Parameter| (p.name.clone(), p.id, p.content_type, p.inherits_from_parent);
    of(a) == of(b)
}

fn same_resource(a: &Resource, b: &Resource) -> bool {
    a.name == b.name && a.mode == b.mode && a.timeout == b.timeout
}

fn same_links(a: &Diagram, b: &Diagram) -> bool {
    let ends = |l: &Link| (l.from_box, l.from_port, l.to_box, l.to_port);
    same(&a.links, &b.links, |a, b| ends(a) == ends(b))
}

/// The settings of a timeline by which its cursor moves.
#[derive(PartialEq)]
struct TimelineClock {
    moves: bool,
    fps: Option<i32>,
    frames: (Option<i32>, Option<i32>),
}

impl TimelineClock {
    fn of(timeline: &Timeline) -> Self {
        // Without frames per second it has those of the engine.
        let moves = timeline.enabled && timeline.fps.is_none_or(|fps| fps > 0);
        Self { moves, fps: timeline.fps, frames: (timeline.start_frame, timeline.end_frame) }
    }
}

fn same_curves(a: &Timeline, b: &Timeline) -> bool {
    let curves = |of: &Timeline| of.actuators.as_ref().map(|all| all.curves.clone()).unwrap_or_default();
    let tangent = |a: &Option<Tangent>, b: &Option<Tangent>| match (a, b) {
        (Some(a), Some(b)) => (a.interpolation, a.abscissa, a.ordinate) == (b.interpolation, b.abscissa, b.ordinate),
        (a, b) => a.is_none() && b.is_none(),
    };
    let key = |a: &Key, b: &Key| {
        (a.frame, a.value, a.smooth, a.symmetrical) == (b.frame, b.value, b.smooth, b.symmetrical)
            && tangent(&a.left, &b.left)
            && tangent(&a.right, &b.right)
    };
    TimelineClock::of(a) == TimelineClock::of(b)
        && a.acquisition == b.acquisition
        && same(&curves(a), &curves(b), |a, b| {
            (&a.actuator, a.mute, a.unit) == (&b.actuator, b.mute, b.unit) && same(&a.keys, &b.keys, key)
        })
}

fn same_machine(a: &Timeline, b: &Timeline) -> bool {
    let (Some(a), Some(b)) = (&a.machine, &b.machine) else { return a.machine.is_some() == b.machine.is_some() };
    let state = |a: &MachineState, b: &MachineState| {
        (&a.name, a.begin, a.end, &a.labels, &a.boxes, &a.links)
            == (&b.name, b.begin, b.end, &b.labels, &b.boxes, &b.links)
    };
    let transition = |a: &Transition, b: &Transition| (a.from, a.to, a.timeout) == (b.from, b.to, b.timeout);
    a.initial == b.initial && same(&a.states, &b.states, state) && same(&a.transitions, &b.transitions, transition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_format::{Limits, read_xar};
    use std::sync::Arc;

    /// A root around `Outer`, which is around `A` and `B`.
    fn file(inside: &str, beside: &str) -> String {
        let of = |name: &str, id: i32, inside: &str| {
            format!(
                r#"<Box name="{name}" id="{id}" localization="8" tooltip="" x="0" y="0"><Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/><Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/><Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{inside}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box>"#
            )
        };
        let root = of("root", -1, &(of("Outer", 1, inside) + beside));
        format!(
            r#"<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">{root}</ChoregrapheProject>"#
        )
    }

    /// Returns the parts that differ, in words.
    fn differ(old: &str, new: &str) -> Vec<String> {
        let read = |xml: &str| read_xar("behavior.xar", xml.as_bytes(), &Limits::default()).unwrap();
        let (old, new) = (read(old), read(new));
        let found = changed(BoxPath::root(Arc::from("root")), &old.project.root, &new.project.root);
        let words = |part: &ChangedPart<'_>| {
            let PartChange { links, curves, boxes } = part.change;
            let of = [(links, " links"), (curves, " curves"), (boxes, " boxes")];
            part.path.to_string() + &of.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect::<String>()
        };
        found.iter().map(words).collect()
    }

    const A: &str = r#"<Box name="A" id="1" tooltip="" x="0" y="0"><Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/></Box>"#;
    const B: &str = r#"<Box name="B" id="2" tooltip="" x="0" y="0"><Timeline enable="1" fps="25" start_frame="1" end_frame="50"><ActuatorList model="nao"><ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0"><Key frame="10" value="1"/></ActuatorCurve></ActuatorList></Timeline></Box>"#;
    const LINK: &str = r#"<Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2"/>"#;

    #[test]
    fn the_smallest_part_is_told_with_what_differs() {
        let inside = A.to_owned() + B;
        let old = file(&inside, "");
        let to = |inside: &str| differ(&old, &file(inside, ""));
        assert_eq!(to(&inside), [""; 0]);
        let drawn = inside.replace(r#"tooltip="" x="0""#, r#"tooltip="Says." x="9""#);
        assert_eq!(to(&drawn), [""; 0], "an editor's");
        assert_eq!(to(&(inside.clone() + LINK)), ["root/Outer links"]);
        assert_eq!(to(&inside.replace(r#"value="1""#, r#"value="2""#)), ["root/Outer/B curves"]);
        assert_eq!(to(&inside.replace(r#"end_frame="50""#, r#"end_frame="60""#)), ["root/Outer/B curves"]);
        assert_eq!(to(&inside.replace(r#"enable="1""#, r#"enable="0""#)), ["root/Outer/B boxes"]);
        assert_eq!(to(&inside.replace(r#"name="onStopped""#, r#"name="over""#)), ["root/Outer boxes"]);
        assert_eq!(to(&inside.replace(r#"name="A""#, r#"name="C""#)), ["root/Outer boxes"]);
        assert_eq!(to(A), ["root/Outer boxes"]);
        assert_eq!(to(&(B.to_owned() + A)), ["root/Outer boxes"], "boxes are loaded in their order");
    }

    #[test]
    fn what_differs_inside_a_box_counts_also_if_others_are_new_around_it() {
        let inside = A.to_owned() + B;
        let (old, new) = (file(&inside, ""), file(&(inside.clone() + LINK), r#"<Box name="Later" id="2"/>"#));
        assert_eq!(differ(&old, &new), ["root boxes", "root/Outer links"]);
    }
}
