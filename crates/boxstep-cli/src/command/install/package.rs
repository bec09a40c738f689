//! A package that is to be installed.

use super::names::PackageFiles;
use crate::failure::Failure;
use crate::rescued::{self, OnTheRobot};
use crate::{Program, files, open, terminal};
use boxstep_bodies::BodyKind;
use boxstep_format::Limits;
use boxstep_format::archive::{self, is_archive, read_folder};
use boxstep_types::meant;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

/// A package, packed.
pub(super) struct LocalPackage {
    pub(super) uuid: String,
    pub(super) version: Option<String>,
    pub(super) files: PackageFiles,
    /// The behaviors, by their folders.
    behaviors: Vec<String>,
    /// The models of robots that it is made for; empty for any.
    models: Vec<String>,
    /// The oldest and the newest NAOqi that it is made for.
    naoqi: (Option<String>, Option<String>),
    /// What of its files a rescue has not taken, or is not there any more.
    pub(super) lost: Vec<String>,
    /// What is otherwise than it was, or than it is called.
    pub(super) remarks: Vec<String>,
}

/// Returns the id of a package that has none: its name, if an id can have its characters.
///
/// Source: the ids of packages that people published; NAOqi's own `animationMode` has upper case.
fn id_of(name: &str) -> String {
    let id: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' }).collect();
    id.trim_start_matches('.').to_owned()
}

impl LocalPackage {
    /// Reads a package, or packs the folder of one.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let limits = Limits::default();
        let (mut found, name) = if path.is_file() && path.extension().is_none_or(|ending| ending != "pml") {
            let bytes = std::fs::read(path).map_err(|e| Failure::io(path, &e))?;
            if !is_archive(&bytes) {
                let why = "it is neither a package nor the folder or project file of one";
                return Err(Failure::File(path.to_owned(), why.to_owned()));
            }
            let entries = archive::unpack_whole(&path.to_string_lossy(), &bytes, &limits);
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let entries = entries.map_err(|e| open::unreadable(&e))?;
            (OnTheRobot { entries, ..OnTheRobot::default() }, stem)
        } else {
            let opened = boxstep_format::open(path, &limits).map_err(|e| open::unreadable(&e))?;
            let entries = read_folder(&opened.folder, &limits).map_err(|e| open::unreadable(&e))?;
            let mut found = rescued::as_on_the_robot(&opened.folder, entries)?;
            files::leave_out_ignored(&mut found.entries, &opened);
            let name = found.name.take().unwrap_or(opened.name);
            (found, name)
        };
        let mut files = PackageFiles::read(found.entries)?;
        files.others.append(&mut found.others);
        // Behaviors are started by the id of their package.
        let id = id_of(&name);
        if id != name && !files.entries.iter().any(|entry| entry.name == "manifest.xml") {
            found.remarks.push(format!("{name} becomes {id}: ids have letters, digits, `.`, `_` and `-`"));
        }
        files::add_manifest_of(&mut files.entries, &name, &id);
        let bytes = files.for_robot(&name)?;
        let opened = boxstep_format::open_bytes(Path::new("package.pkg"), &bytes, &limits);
        let opened = opened.map_err(|e| open::unreadable(&e))?;
        let manifest = opened.manifest.ok_or_else(|| {
            Failure::File(path.to_owned(), "its manifest.xml cannot be read: `boxstep check` says why".to_owned())
        })?;
        let uuid =
            manifest.uuid.filter(|uuid| !uuid.is_empty() && !uuid.contains(['/', '\\']) && !uuid.starts_with('.'));
        let uuid = uuid.ok_or_else(|| {
            Failure::File(path.to_owned(), "its manifest.xml has no uuid by which a robot could know it".to_owned())
        })?;
        let behaviors = opened.behaviors.iter().map(|behavior| behavior.name.clone()).collect();
        let (models, naoqi) = (manifest.robot_models, manifest.naoqi);
        let (lost, remarks) = (found.lost, found.remarks);
        Ok(Self { uuid, version: manifest.version, files, behaviors, models, naoqi, lost, remarks })
    }

    /// Returns why a robot with this NAOqi and of this model is not one that the package is made for. What the robot does not
    /// say is not held against it: it refuses what it cannot take.
    pub(super) fn is_not_for(&self, naoqi: Option<&str>, body: Option<BodyKind>) -> Option<String> {
        let number = |text: &str| text.split('.').map(|part| part.parse::<u32>().unwrap_or(0)).collect::<Vec<_>>();
        if let Some(is) = naoqi {
            let is = number(is);
            // 2.5 means all of 2.5.
            let within = |most: &str| is.iter().take(number(most).len()).copied().collect::<Vec<_>>() <= number(most);
            if let Some(least) = self.naoqi.0.as_deref().filter(|least| is < number(least)) {
                return Some(format!("it is made for NAOqi {least} and later"));
            }
            if let Some(most) = self.naoqi.1.as_deref().filter(|most| !within(most)) {
                return Some(format!("it is made for NAOqi up to {most}"));
            }
        }
        let known: Vec<BodyKind> = self.models.iter().filter_map(|model| BodyKind::from_name(model)).collect();
        // A model that is not known may be any.
        let body = body.filter(|_| !known.is_empty() && known.len() == self.models.len())?;
        let fits = known.iter().any(|kind| (*kind == BodyKind::Pepper) == (body == BodyKind::Pepper));
        (!fits).then(|| format!("it is made for {}", self.models.join(" and ")))
    }

    /// Checks that the package has a behavior.
    pub(super) fn has(&self, behavior: &str) -> Result<(), Failure> {
        let wanted = behavior.strip_prefix(&format!("{}/", self.uuid)).unwrap_or(behavior);
        if self.behaviors.iter().any(|own| own == wanted) {
            return Ok(());
        }
        let words = meant(wanted, self.behaviors.iter().map(String::as_str));
        let words = words.map(|words| format!(": {words}")).unwrap_or_default();
        Err(Failure::Usage(format!("--default: {} has no behavior {wanted}{words}", self.uuid)))
    }

    /// Returns the name by which a robot knows a behavior of the package.
    pub(super) fn full_name(&self, behavior: &str) -> String {
        let folder = behavior.strip_prefix(&format!("{}/", self.uuid)).unwrap_or(behavior);
        format!("{}/{folder}", self.uuid)
    }

    /// Returns whether `check` finds no errors; if it does, they are printed.
    pub(super) fn is_sound(&self, path: &Path, program: &Program) -> Result<bool, Failure> {
        let mut check = program.command();
        let checked = check.arg("check").arg(path).stdin(Stdio::null()).output();
        let checked = checked.map_err(|e| Failure::Run(e.to_string()))?;
        if !checked.status.success() {
            let mut err = terminal::stderr();
            err.write_all(&checked.stdout)?;
            err.write_all(&checked.stderr)?;
        }
        Ok(checked.status.success())
    }
}
