//! Which simulated body plays, and why.

use crate::failure::Failure;
use boxstep_format::model::{BoxDef, Project};
use std::collections::BTreeSet;
use std::fmt;

/// A body the simulation has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    Nao,
    Pepper,
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Body::Nao => "nao",
            Body::Pepper => "pepper",
        })
    }
}

impl Body {
    /// By the names that people and files use; Pepper was called Juliette once.
    fn named(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "nao" => Some(Body::Nao),
            "pepper" | "juliette" => Some(Body::Pepper),
            _ => None,
        }
    }
}

/// `--body`, checked.
pub(crate) fn asked(name: &str) -> Result<Body, Failure> {
    Body::named(name).ok_or_else(|| Failure::Usage(format!("there is no body `{name}`: --body takes nao or pepper")))
}

/// What a behavior was made for, and how that is known. `manifest` holds the robots the
/// application's manifest names.
pub(crate) fn of_files(manifest: &[String], project: &Project) -> (Body, String) {
    let mut robots = manifest.iter().filter_map(|name| Body::named(name).map(|b| (b, name)));
    if let Some((body, name)) = robots.next()
        && robots.all(|(b, _)| b == body)
    {
        return (body, format!("the manifest asks for {name}"));
    }
    let mut said = Said::default();
    said.look(&project.root);
    if let Some((body, name)) = said.robot {
        return (body, format!("the file was made for {name}"));
    }
    // What only one body has decides; both have arms and a head.
    let used = |of: &[&str]| said.actuators.iter().find(|a| of.contains(&a.as_str())).cloned();
    match (used(PEPPER_ONLY), used(NAO_ONLY)) {
        (Some(joint), None) => (Body::Pepper, format!("it moves {joint}, which only Pepper has")),
        (None, Some(joint)) => (Body::Nao, format!("it moves {joint}, which only NAO has")),
        (Some(a), Some(b)) => (Body::Nao, format!("the default; it moves {b} of NAO and {a} of Pepper")),
        (None, None) => (Body::Nao, "the default; the files name no robot".to_owned()),
    }
}

const PEPPER_ONLY: &[&str] = &["HipPitch", "HipRoll", "KneePitch"];
const NAO_ONLY: &[&str] = &[
    "LHipYawPitch",
    "RHipYawPitch",
    "LHipRoll",
    "RHipRoll",
    "LHipPitch",
    "RHipPitch",
    "LKneePitch",
    "RKneePitch",
    "LAnklePitch",
    "RAnklePitch",
    "LAnkleRoll",
    "RAnkleRoll",
];

/// What the boxes say of their robot, in file order.
#[derive(Default)]
struct Said {
    robot: Option<(Body, String)>,
    actuators: BTreeSet<String>,
}

impl Said {
    fn name(&mut self, name: &str) {
        if self.robot.is_none() {
            self.robot = Body::named(name).map(|b| (b, name.to_owned()));
        }
    }

    fn look(&mut self, def: &BoxDef) {
        if let Some(robot) = &def.robot {
            self.name(robot);
        }
        let Some(timeline) = &def.timeline else { return };
        if let Some(list) = &timeline.actuators {
            self.name(&list.model);
            self.actuators.extend(list.curves.iter().map(|c| c.actuator.to_string()));
        }
        for keyframe in timeline.layers.iter().flat_map(|l| &l.keyframes) {
            keyframe.diagram.boxes.iter().for_each(|b| self.look(b));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_format::{Limits, read_xar};

    fn chosen(manifest: &[&str], curves: &str, model: &str) -> (Body, String) {
        let xar = format!(
            r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="1">
            <ActuatorList model="{model}">{curves}</ActuatorList></Timeline></Box></ChoregrapheProject>"#
        );
        let file = read_xar("behavior.xar", xar.as_bytes(), &Limits::default()).unwrap();
        of_files(&manifest.iter().map(|m| m.to_string()).collect::<Vec<_>>(), &file.project)
    }

    #[test]
    fn the_manifest_then_the_file_then_the_joints_decide() {
        let knee = r#"<ActuatorCurve name="value" actuator="KneePitch" mute="0"/>"#;
        let ankle = r#"<ActuatorCurve name="value" actuator="LAnkleRoll" mute="0"/>"#;
        assert_eq!(chosen(&["JULIETTE"], ankle, "nao").0, Body::Pepper);
        assert_eq!(chosen(&["NAO", "JULIETTE"], ankle, "Juliette").0, Body::Pepper);
        assert_eq!(chosen(&[], knee, "nao"), (Body::Nao, "the file was made for nao".into()));
        assert_eq!(chosen(&[], knee, ""), (Body::Pepper, "it moves KneePitch, which only Pepper has".into()));
        assert_eq!(chosen(&[], ankle, "").0, Body::Nao);
        assert_eq!(chosen(&[], "", "").0, Body::Nao);
    }
}

// TEMPORARY
struct NoRobot;
impl boxstep_engine::services::Services for NoRobot {
    fn has_service(&self, _: &str) -> bool {
        true
    }
    fn call(
        &mut self,
        _: &mut boxstep_engine::services::ServiceCx<'_>,
        _: &boxstep_engine::services::ServiceCall<'_>,
    ) -> boxstep_engine::services::Outcome {
        boxstep_engine::services::Outcome::Ready(Ok(boxstep_types::Value::Null))
    }
    fn cancel(&mut self, _: &mut boxstep_engine::services::ServiceCx<'_>, _: boxstep_engine::CallId) {}
    fn timer(&mut self, _: &mut boxstep_engine::services::ServiceCx<'_>, _: u64) {}
    fn subscribe(
        &mut self,
        _: &mut boxstep_engine::services::ServiceCx<'_>,
        _: &boxstep_engine::services::Topic,
        _: bool,
    ) -> Result<(), boxstep_engine::services::ServiceError> {
        Ok(())
    }
    fn raise(&mut self, _: &mut boxstep_engine::services::ServiceCx<'_>, _: &str, _: boxstep_types::Value) {}
    fn halt(&mut self, _: &mut boxstep_engine::services::ServiceCx<'_>) {}
    fn language(&self) -> String {
        "English".into()
    }
}
impl Body {
    pub(crate) fn robot(self, _: Option<&str>) -> Box<dyn boxstep_engine::services::Services> {
        Box::new(NoRobot)
    }
}
