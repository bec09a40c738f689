//! Extraction of a box as a behavior of its own.

use crate::model::{BoxDef, NO_ID, Parameter, Project};
use crate::paths::Place;

/// Returns a behavior whose root is one box of `project`, so that the box can run by itself. The root keeps the
/// project's root name and has the parameter values that the box sees in its place. `None` if `trail` does not lead to
/// a box.
///
/// Scripts find parameters of the enclosing boxes by name, inherited or not, so all of those are copied. A parameter
/// that the box has and inherits gets its value; the others are added without an id, so that no link refers to them.
pub fn extract_box(project: &Project, trail: &[Place]) -> Option<Project> {
    let mut around: Vec<&BoxDef> = Vec::with_capacity(trail.len());
    let mut at = &project.root;
    for place in trail {
        around.push(at);
        let layer = at.timeline.as_ref()?.layers.get(place.layer)?;
        at = layer.keyframes.get(place.keyframe)?.diagram.boxes.get(place.index)?;
    }
    let mut root = BoxDef { name: project.root.name.clone(), id: project.root.id, ..at.clone() };
    // The nearest enclosing box comes first; a value that it inherits is taken from a box farther out.
    for seen in around.iter().rev().flat_map(|outer| &outer.parameters) {
        match root.parameters.iter_mut().find(|own| own.name == seen.name) {
            Some(own) if own.inherits_from_parent => *own = Parameter { id: own.id, ..seen.clone() },
            Some(_) => {}
            None => root.parameters.push(Parameter { id: NO_ID, ..seen.clone() }),
        }
    }
    let (kind, version) = (project.kind, project.version);
    Some(Project { kind, version, root, resources: project.resources.clone(), span: project.span })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, paths, read_xar};

    /// Returns the XML of a box with parameters `name=value`; `name<value` is one that inherits its value.
    fn a_box(name: &str, parameters: &str, inside: &str) -> String {
        let parameters = parameters.split_whitespace().enumerate().map(|(n, one)| {
            let (name, value) = one.split_once(['=', '<']).unwrap();
            let (inherits, id) = (u8::from(one.contains('<')), n + 5);
            format!(
                r#"<Parameter name="{name}" value="{value}" inherits_from_parent="{inherits}" content_type="3" id="{id}"/>"#
            )
        });
        let parameters = parameters.collect::<String>();
        format!(
            r#"<Box name="{name}" id="{}">{parameters}<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{inside}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box>"#,
            if name == "root" { -1 } else { 1 }
        )
    }

    #[test]
    fn a_box_alone_sees_the_parameters_that_it_has_seen() {
        let inner = a_box("Inner", "volume<1 own=1 text<1 nobodys<1", &a_box("Leaf", "volume<0", ""));
        let outer = a_box("Outer", "volume<2 own=2 speed=2", &inner);
        let root = a_box("root", "volume=3 text=3 speed=3", &outer);
        let xar = format!(r#"<ChoregrapheProject xar_version="3">{root}</ChoregrapheProject>"#);
        let project = read_xar("behavior.xar", xar.as_bytes(), &Limits::default()).unwrap().project;
        let at = paths::find(&project, &"root/Outer/Inner".parse().unwrap()).unwrap();
        let alone = extract_box(&project, &at.trail).unwrap();
        let found: Vec<_> = alone.root.parameters.iter().map(|p| (&*p.name, &*p.value, p.id)).collect();
        let wanted =
            [("volume", "3", 5), ("own", "1", 6), ("text", "3", 7), ("nobodys", "1", 8), ("speed", "2", NO_ID)];
        assert_eq!(found, wanted);
        assert_eq!(alone.root.timeline, at.def.timeline);
        let paths: Vec<String> = paths::boxes(&alone).map(|at| at.path.to_string()).collect();
        assert_eq!(paths, ["root", "root/Leaf"]);
    }

    #[test]
    fn the_root_alone_is_all_of_it() {
        let xar = format!(r#"<ChoregrapheProject xar_version="3">{}</ChoregrapheProject>"#, a_box("root", "a=1", ""));
        let project = read_xar("behavior.xar", xar.as_bytes(), &Limits::default()).unwrap().project;
        assert_eq!(extract_box(&project, &[]), Some(project.clone()));
        assert_eq!(extract_box(&project, &[Place { layer: 0, keyframe: 0, index: 9 }]), None);
    }
}
