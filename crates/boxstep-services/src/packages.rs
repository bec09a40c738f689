//! Installed packages, on the disk of the robot if it has one: `PackageManager`.
//!
//! Source of the types: docs/reference/services.md. Which of them a caller may have on which robot is the table's to say;
//! all of them tell of the same packages.

use crate::table::{Call, Const, Reply, Service, answers, described, done, failed, ok, robot, runs, service, unknown};
use crate::world::World;
use boxstep_engine::services::{Effect, ServiceCx};
use boxstep_types::Value;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A package that is installed, as its manifest describes it; what that leaves out is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstalledPackage {
    /// Its id.
    pub uuid: String,
    /// Its version.
    pub version: String,
    /// Who made it.
    pub author: String,
    /// The folder that it is in, on the robot.
    pub path: String,
    /// Its behaviors, by the names that start them.
    pub behaviors: Vec<String>,
}

/// The disk of a simulated robot: its packages, and what it remembers when it is started again.
pub trait RobotDisk: Debug + Send + Sync {
    /// Returns the installed packages, in the order of their ids.
    fn packages(&self) -> Vec<InstalledPackage>;

    /// Installs a package of which the disk has the file, in place of another version. Returns the package.
    ///
    /// # Errors
    /// Why it is not installed. The disk is then as it was.
    fn install(&self, file: &str) -> Result<InstalledPackage, String>;

    /// Removes a package.
    ///
    /// # Errors
    /// Why it is not removed.
    fn remove(&self, uuid: &str) -> Result<(), String>;

    /// Returns what [`RobotDisk::keep`] was given last; null if that is nothing.
    fn kept(&self) -> Value;

    /// Keeps what the robot remembers.
    ///
    /// # Errors
    /// Why it cannot be kept.
    fn keep(&self, value: &Value) -> Result<(), String>;
}

pub(crate) static SERVICES: &[Service] = &[service(
    "PackageManager",
    "Installed packages",
    &[
        runs("hasPackage", "Whether a package is installed", robot("(s)b"), has_package),
        runs("package", "What is known of a package", described("(s)m"), package),
        runs("package2", "What is known of a package", robot("(s)(sssssssss{sm})"), package2),
        runs("packages", "Every package", described("()[m]"), packages),
        runs("packages2", "Every package", robot("()[(sssssssss{sm})]"), packages2),
        answers("packageIcon", "Icon of a package", robot("(s)s"), Const::Str("")),
        runs("install", "Installs a package file", robot("(s)b (ss)i (sss)i"), install),
        runs("remove", "Removes a package", robot("(s)i"), remove),
        runs("removePkg", "Removes a package", robot("(s)v"), remove_pkg),
        runs("getPackage", "What is known of a package", robot("(s)m"), package),
        runs("getPackages", "Every package", robot("()m"), packages),
        runs("uninstall", "Removes a package", unknown("(m)m"), remove_pkg),
    ],
)];

/// Who installs packages here.
const INSTALLER: &str = "boxstep";

impl InstalledPackage {
    /// The texts that a robot tells of a package, with their names.
    fn texts(&self) -> [(&'static str, &str); 9] {
        [
            ("uuid", &self.uuid),
            ("version", &self.version),
            ("author", &self.author),
            ("channel", ""),
            ("organization", ""),
            ("date", ""),
            ("typeVersion", ""),
            ("installer", INSTALLER),
            ("path", &self.path),
        ]
    }

    fn as_map(&self) -> Value {
        Value::map(self.texts().map(|(name, text)| (name, Value::from(text))))
    }

    fn as_tuple(&self) -> Value {
        let texts = self.texts().map(|(_, text)| Value::from(text));
        Value::list(texts.into_iter().chain([Value::map::<&str>([])]))
    }
}

fn all(w: &World) -> Vec<InstalledPackage> {
    w.options.disk.as_ref().map(|disk| disk.packages()).unwrap_or_default()
}

fn find(w: &World, call: &Call<'_>) -> Result<InstalledPackage, boxstep_engine::services::ServiceError> {
    let name = call.args.text(0, "package")?;
    match all(w).into_iter().find(|package| package.uuid == name) {
        Some(package) => Ok(package),
        None => failed(format!("the package `{name}` is not installed")),
    }
}

fn has_package(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "package")?;
    ok(all(w).iter().any(|package| package.uuid == name))
}

fn package(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(find(w, call)?.as_map())
}

fn package2(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(find(w, call)?.as_tuple())
}

fn packages(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::list(all(w).iter().map(InstalledPackage::as_map)))
}

fn packages2(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::list(all(w).iter().map(InstalledPackage::as_tuple)))
}

fn install(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let file = call.args.text(0, "file")?;
    let Some(disk) = w.options.disk.clone() else {
        return failed("the simulated robot has no disk: `boxstep robot --disk FOLDER` gives it one");
    };
    let before: BTreeMap<String, Vec<String>> =
        disk.packages().into_iter().map(|package| (package.uuid, package.behaviors)).collect();
    let package = match disk.install(file) {
        Ok(package) => package,
        Err(why) => return failed(why),
    };
    let gone = before.get(&package.uuid).cloned().unwrap_or_default();
    changed(w, cx, gone, package.behaviors);
    if call.args.len() == 1 { ok(true) } else { ok(0) }
}

fn take_away(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
) -> Result<(), boxstep_engine::services::ServiceError> {
    let package = find(w, call)?;
    let Some(disk) = w.options.disk.clone() else { return Ok(()) };
    if let Err(why) = disk.remove(&package.uuid) {
        return failed(why);
    }
    changed(w, cx, package.behaviors, Vec::new());
    Ok(())
}

fn remove(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    take_away(w, cx, call)?;
    ok(0)
}

fn remove_pkg(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    take_away(w, cx, call)?;
    done()
}

/// Says that behaviors have gone and come. Their files are read again at their next start.
fn changed(w: &mut World, cx: &mut ServiceCx<'_>, gone: Vec<String>, come: Vec<String>) {
    let both = gone.iter().chain(&come).map(|name| name.as_str().into()).collect();
    cx.effect(Effect::Replaced(both));
    for (signal, names) in [("behaviorsRemoved", gone), ("behaviorsAdded", come)] {
        if !names.is_empty() {
            w.signal(cx, "ALBehaviorManager", signal, Value::list([Value::from(names)]));
        }
    }
}
