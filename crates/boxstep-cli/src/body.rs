//! Which simulated body plays, and why; and whose curves it moves by.

use crate::failure::Failure;
use crate::open::rendered;
use crate::settings::Settings;
use boxstep_bodies::own::BodyName;
use boxstep_bodies::{Body, BodyKind, body_of_actuators};
use boxstep_check::config;
use boxstep_format::model::Project;
use boxstep_format::paths;
use std::path::Path;

/// `--body`, checked.
pub(crate) fn asked(name: &str) -> Result<&'static Body, Failure> {
    named(&BodyName::parse(name).map_err(|why| Failure::Usage(format!("--body: {why}")))?)
}

/// The body of a name; a file's faults are shown with their lines.
pub(crate) fn named(name: &BodyName) -> Result<&'static Body, Failure> {
    name.body().map_err(|wrong| Failure::Rendered(rendered(&[wrong.finding], &wrong.sources)))
}

/// The body of a `boxstep.toml`, if it names one.
pub(crate) fn of_settings(settings: &Settings) -> Result<Option<&'static Body>, Failure> {
    let folder = settings.folder.as_deref().unwrap_or(Path::new(""));
    settings.config.body.clone().map(|name| named(&name.within(folder))).transpose()
}

/// The body that is asked for, else the settings' one, else the one that the files were made for; and why that one.
pub(crate) fn choose(
    asked: Option<&'static Body>,
    settings: &Settings,
    manifest: &[String],
    project: &Project,
) -> Result<(&'static Body, String), Failure> {
    if let Some(body) = asked {
        return Ok((body, "--body".to_owned()));
    }
    if let Some(body) = of_settings(settings)? {
        return Ok((body, config::FILE_NAME.to_owned()));
    }
    let (kind, why) = of_files(manifest, project);
    Ok((kind.body(), why))
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
