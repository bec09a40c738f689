//! Which simulated body plays, and why.

use crate::failure::Failure;
use boxstep_bodies::{BodyKind, body_of_actuators};
use boxstep_format::model::Project;
use boxstep_format::paths;

/// `--body`, checked.
pub(crate) fn asked(name: &str) -> Result<BodyKind, Failure> {
    BodyKind::from_name(name)
        .ok_or_else(|| Failure::Usage(format!("there is no body `{name}`: --body takes nao or pepper")))
}

/// What a behavior was made for, and how that is known: from the robots the application's manifest
/// names, what the file says, the joints it moves, or the service only one of them has.
pub(crate) fn of_files(manifest: &[String], project: &Project) -> (BodyKind, String) {
    known(manifest, project).unwrap_or_else(|| (BodyKind::Nao, "the default; the files name no robot".to_owned()))
}

/// As [`of_files`], `None` if the files name no robot.
pub(crate) fn known(manifest: &[String], project: &Project) -> Option<(BodyKind, String)> {
    let mut robots = manifest.iter().filter_map(|name| BodyKind::from_name(name).map(|kind| (kind, name)));
    if let Some((kind, name)) = robots.next()
        && robots.all(|(k, _)| k == kind)
    {
        return Some((kind, format!("the manifest asks for {name}")));
    }
    let boxes: Vec<_> = paths::boxes(project).map(|at| at.def).collect();
    let lists = || boxes.iter().filter_map(|b| b.timeline.as_ref()?.actuators.as_ref());
    let models = lists().map(|l| l.model.as_str()).chain(boxes.iter().filter_map(|b| b.robot.as_deref()));
    if let Some((kind, name)) = models.filter_map(|name| BodyKind::from_name(name).map(|kind| (kind, name))).next() {
        return Some((kind, format!("the file was made for {name}")));
    }
    let joints = || lists().flat_map(|l| &l.curves).map(|c| &*c.actuator);
    if let Some((kind, joint)) = joints().find_map(|joint| body_of_actuators([joint]).map(|kind| (kind, joint))) {
        return Some((kind, format!("it moves {joint}, which no other body has")));
    }
    if boxes.iter().any(|b| b.script.as_ref().is_some_and(|s| s.text.contains(TABLET))) {
        return Some((BodyKind::Pepper, format!("its scripts use {TABLET}, which no other body has")));
    }
    None
}

/// The one service that only Pepper offers.
const TABLET: &str = "ALTabletService";

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_format::{Limits, read_xar};

    fn chosen(manifest: &[&str], joint: &str, model: &str) -> (BodyKind, String) {
        with_script(manifest, joint, model, "")
    }

    fn with_script(manifest: &[&str], joint: &str, model: &str, script: &str) -> (BodyKind, String) {
        let xar = format!(
            r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1">
            <script language="4"><content><![CDATA[{script}]]></content></script><Timeline enable="1"><ActuatorList model="{model}"><ActuatorCurve name="value" actuator="{joint}" mute="0"/></ActuatorList>
            </Timeline></Box></ChoregrapheProject>"#
        );
        let file = read_xar("behavior.xar", xar.as_bytes(), &Limits::default()).unwrap();
        of_files(&manifest.iter().map(|m| m.to_string()).collect::<Vec<_>>(), &file.project)
    }

    #[test]
    fn the_manifest_then_the_file_then_the_joints_decide() {
        assert_eq!(chosen(&["JULIETTE"], "LAnkleRoll", "nao").0, BodyKind::Pepper);
        assert_eq!(chosen(&["NAO", "JULIETTE"], "LAnkleRoll", "Juliette").0, BodyKind::Pepper);
        assert_eq!(chosen(&[], "KneePitch", "nao"), (BodyKind::Nao, "the file was made for nao".into()));
        assert_eq!(
            chosen(&[], "KneePitch", ""),
            (BodyKind::Pepper, "it moves KneePitch, which no other body has".into())
        );
        assert_eq!(chosen(&[], "LAnkleRoll", "").0, BodyKind::Nao);
        assert_eq!(with_script(&[], "HeadYaw", "", "ALProxy('ALTabletService')").0, BodyKind::Pepper);
        assert_eq!(with_script(&[], "LAnkleRoll", "", "ALProxy('ALTabletService')").0, BodyKind::Nao);
        assert_eq!(chosen(&[], "HeadYaw", ""), (BodyKind::Nao, "the default; the files name no robot".into()));
    }
}
