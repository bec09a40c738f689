//! Chooses the simulated body, and says why it was chosen.

use crate::failure::Failure;
use crate::open::rendered;
use crate::settings::Settings;
use boxstep_api::play::body_of_files;
use boxstep_bodies::Body;
use boxstep_bodies::own::BodyName;
use boxstep_check::config;
use boxstep_dynamics::PhysicsEngine;
use boxstep_format::model::Project;
use boxstep_services::{Surroundings, services};
use std::path::Path;
use std::sync::Arc;

/// Reads the body of `--body`.
pub(crate) fn asked(name: &str) -> Result<&'static Body, Failure> {
    asked_by("--body", name)
}

/// Reads the body that an option names.
pub(crate) fn asked_by(option: &str, name: &str) -> Result<&'static Body, Failure> {
    named(&BodyName::parse(name).map_err(|why| Failure::Usage(format!("{option}: {why}")))?)
}

/// Returns the body of a name; errors in a body file are shown with their lines.
pub(crate) fn named(name: &BodyName) -> Result<&'static Body, Failure> {
    name.body(&service_names()).map_err(|wrong| Failure::Rendered(rendered(&[wrong.finding], &wrong.sources)))
}

fn service_names() -> Vec<&'static str> {
    services().map(|service| service.name).collect()
}

/// Returns the body that a `boxstep.toml` names, if it names one.
pub(crate) fn of_settings(settings: &Settings) -> Result<Option<&'static Body>, Failure> {
    let folder = settings.folder.as_deref().unwrap_or(Path::new(""));
    settings.config.body.clone().map(|name| named(&name.within(folder))).transpose()
}

/// Reads what is around the simulated robot: the file of `--world`, else an empty room.
pub(crate) fn world(file: Option<&Path>) -> Result<Arc<Surroundings>, Failure> {
    let read = |file| Surroundings::open(file).map_err(|why| Failure::Usage(format!("--world: {why}")));
    Ok(file.map(read).transpose()?.map(Arc::new).unwrap_or_default())
}

/// Returns what moves a robot of this body that can fall (`--physics`); nothing if it is not `wanted`.
pub(crate) fn physics(wanted: bool, body: &Body) -> Result<Option<PhysicsEngine>, Failure> {
    if !wanted {
        return Ok(None);
    }
    let geometry = &body.geometry;
    if geometry.soles.is_empty() || geometry.masses.iter().all(|mass| mass.mass <= 0.0) {
        let why =
            format!("--physics: the masses of {body}, or what it stands on, are not known ([[links]] mass, [[soles]])");
        return Err(Failure::Usage(why));
    }
    ENGINE.map(Some).ok_or_else(|| {
        let why = "--physics: this program has no physics: install Boxstep from a wheel, or build it with `--features physics`";
        Failure::Usage(why.to_owned())
    })
}

#[cfg(feature = "physics")]
const ENGINE: Option<PhysicsEngine> = Some(boxstep_physics::Robot::engine);
#[cfg(not(feature = "physics"))]
const ENGINE: Option<PhysicsEngine> = None;

/// Returns the body and why it was chosen: `asked`, else that of the settings, else the one that the files were made
/// for.
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
    let (kind, why) = body_of_files(manifest, project);
    Ok((kind.body(), why))
}
