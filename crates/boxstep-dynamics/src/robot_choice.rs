//! Finds out which robot a behavior was made for.

use boxstep_bodies::{BodyKind, body_of_actuators};
use boxstep_format::model::Project;
use boxstep_format::paths;

/// Returns the body that a behavior was made for, and how that is known. First counts what the author says, then what
/// the behavior cannot do without, then what most of its timelines were made for. `docs/reference/cli.md` has the ranking and its
/// reasons.
pub fn body_of_files(manifest: &[String], project: &Project) -> (BodyKind, String) {
    known_body(manifest, project).unwrap_or_else(|| (BodyKind::Nao, "the default; the files name no robot".to_owned()))
}

/// Like [`body_of_files`], but returns `None` if the files name no robot.
pub fn known_body(manifest: &[String], project: &Project) -> Option<(BodyKind, String)> {
    let mut robots = manifest.iter().filter_map(|name| BodyKind::from_name(name).map(|kind| (kind, name)));
    if let Some((kind, name)) = robots.next()
        && robots.all(|(k, _)| k == kind)
    {
        return Some((kind, format!("the manifest asks for {name}")));
    }
    let boxes: Vec<_> = paths::boxes(project).map(|at| at.def).collect();
    if boxes.iter().filter_map(|b| b.script.as_ref()).any(|s| uses_tablet(&s.text)) {
        return Some((BodyKind::Pepper, format!("its scripts use {TABLET}, which no other body has")));
    }
    let named = boxes.iter().flat_map(|b| {
        let model = b.timeline.as_ref().and_then(|t| t.actuators.as_ref()).map(|l| l.model.as_str());
        let name = model.into_iter().chain(b.robot.as_deref());
        name.filter_map(|name| BodyKind::from_name(name).map(|kind| (kind, name)))
    });
    if let Some((kind, name)) = most(named) {
        return Some((kind, format!("the file was made for {name}")));
    }
    let moved = boxes.iter().filter_map(|b| {
        let curves = &b.timeline.as_ref()?.actuators.as_ref()?.curves;
        let joints = curves.iter().filter(|c| !c.mute).map(|c| &*c.actuator);
        one(joints.filter_map(|joint| body_of_actuators([joint]).map(|kind| (kind, joint))))
    });
    most(moved).map(|(kind, joint)| (kind, format!("it moves {joint}, which no other body has")))
}

/// The only service that no other body than Pepper offers.
const TABLET: &str = "ALTabletService";

/// Returns whether a script names the tablet's service outside of comments.
fn uses_tablet(script: &str) -> bool {
    script.lines().any(|line| line.split('#').next().is_some_and(|code| code.contains(TABLET)))
}

/// Returns the first vote if all votes agree. A timeline that moves joints of several bodies has no vote.
fn one<'a>(mut votes: impl Iterator<Item = (BodyKind, &'a str)>) -> Option<(BodyKind, &'a str)> {
    let first = votes.next()?;
    votes.all(|(kind, _)| kind == first.0).then_some(first)
}

/// Returns the body with more than half of the votes, with its first vote.
fn most<'a>(votes: impl Iterator<Item = (BodyKind, &'a str)>) -> Option<(BodyKind, &'a str)> {
    let votes: Vec<_> = votes.collect();
    let count = |kind| votes.iter().filter(|(k, _)| *k == kind).count();
    let more = |kind: &BodyKind| 2 * count(*kind) > votes.len();
    let kind = BodyKind::ALL.into_iter().find(more)?;
    votes.into_iter().find(|(k, _)| *k == kind)
}

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
        body_of_files(&manifest.iter().map(|m| m.to_string()).collect::<Vec<_>>(), &file.project)
    }

    /// Makes timelines, each with a model and the joints it moves; `!` before a joint mutes its curve.
    fn drawn(timelines: &[(&str, &[&str])]) -> (BodyKind, String) {
        let curve = |joint: &&str| {
            let (name, mute) = joint.strip_prefix('!').map_or((*joint, 0), |name| (name, 1));
            format!(r#"<ActuatorCurve name="value" actuator="{name}" mute="{mute}"/>"#)
        };
        let timeline = |(id, (model, joints)): (usize, &(&str, &[&str]))| {
            let curves: String = joints.iter().map(curve).collect();
            format!(
                r#"<Box name="T" id="{id}"><Timeline enable="1"><ActuatorList model="{model}">{curves}</ActuatorList></Timeline></Box>"#
            )
        };
        let boxes: String = timelines.iter().enumerate().map(timeline).collect();
        let xar = format!(
            r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{boxes}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>"#
        );
        let file = read_xar("behavior.xar", xar.as_bytes(), &Limits::default()).unwrap();
        body_of_files(&[], &file.project)
    }

    #[test]
    fn the_manifest_then_the_tablet_then_the_file_then_the_joints_decide() {
        assert_eq!(chosen(&["JULIETTE"], "LAnkleRoll", "nao").0, BodyKind::Pepper);
        assert_eq!(chosen(&["NAO", "JULIETTE"], "LAnkleRoll", "Juliette").0, BodyKind::Pepper);
        assert_eq!(chosen(&[], "KneePitch", "nao"), (BodyKind::Nao, "the file was made for nao".into()));
        assert_eq!(
            chosen(&[], "KneePitch", ""),
            (BodyKind::Pepper, "it moves KneePitch, which no other body has".into())
        );
        assert_eq!(chosen(&[], "LAnkleRoll", "").0, BodyKind::Nao);
        assert_eq!(chosen(&[], "HeadYaw", ""), (BodyKind::Nao, "the default; the files name no robot".into()));
    }

    #[test]
    fn a_tablet_means_pepper_whatever_was_pasted_beside_it() {
        let asks = "ALProxy('ALTabletService')";
        for (joint, model) in [("HeadYaw", ""), ("LAnkleRoll", ""), ("LAnkleRoll", "nao")] {
            let expected = (BodyKind::Pepper, "its scripts use ALTabletService, which no other body has".into());
            assert_eq!(with_script(&[], joint, model, asks), expected);
            assert_eq!(with_script(&["NAO", "JULIETTE"], joint, model, asks), expected);
        }
        assert_eq!(with_script(&["NAO"], "HeadYaw", "", asks).0, BodyKind::Nao);
        assert_eq!(with_script(&[], "LAnkleRoll", "", "pass # no ALTabletService here").0, BodyKind::Nao);
    }

    #[test]
    fn most_timelines_decide_and_muted_curves_say_nothing() {
        let leg: &[&str] = &["LKneePitch"];
        let knee: &[&str] = &["HeadYaw", "KneePitch"];
        assert_eq!(drawn(&[("nao", &[]), ("Juliette", &[]), ("juliette", &[])]).1, "the file was made for Juliette");
        assert_eq!(drawn(&[("", leg), ("", knee), ("", knee)]).0, BodyKind::Pepper);
        assert_eq!(drawn(&[("nao", &[]), ("Juliette", &[]), ("", knee)]).0, BodyKind::Pepper);
        assert_eq!(drawn(&[("", &["!LKneePitch", "KneePitch"])]).0, BodyKind::Pepper);
        // Timelines that move joints of both bodies do not count.
        let both: &[&str] = &["LKneePitch", "KneePitch"];
        assert_eq!(drawn(&[("", both), ("", knee)]).0, BodyKind::Pepper);
        assert_eq!(drawn(&[("", both)]).1, "the default; the files name no robot");
    }
}
