//! The packages of a robot: its `PackageManager`.
//!
//! Source: docs/reference/services.md. What describes a package differs between versions of NAOqi: a map, a struct with
//! names, or one without.

use boxstep_qi::{Error, Session, Value};
use std::time::Duration;

/// An installed package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// Its id.
    pub uuid: String,
    /// Its version.
    pub version: Option<String>,
    /// Its folder on the robot.
    pub path: Option<String>,
    /// Who installed it; `system` came with NAOqi.
    pub installer: Option<String>,
}

/// How long installing and removing may take: a robot unpacks and registers all behaviors.
const WITHIN: Duration = Duration::from_secs(180);
/// How long listing may take.
const LIST_WITHIN: Duration = Duration::from_secs(60);
/// How many packages are listed at most.
const MOST: usize = 10_000;

/// Returns the packages of a robot.
///
/// # Errors
/// Why it does not list them; robots with NAOqi before 2.0 have no packages.
pub fn list(session: &Session) -> Result<Vec<Package>, Error> {
    let manager = session.service("PackageManager")?;
    let mut answer = manager.call_within("packages", &[], LIST_WITHIN);
    for method in ["packages2", "getPackages"] {
        if let Err(Error::NoMember { .. }) = answer {
            answer = manager.call_within(method, &[], LIST_WITHIN);
        }
    }
    let answer = answer?;
    let unread = || Error::Remote { text: "PackageManager.packages gave an unexpected answer".to_owned() };
    let packages = answer.plain().as_slice().ok_or_else(unread)?;
    Ok(packages.iter().take(MOST).filter_map(Package::read).collect())
}

/// Installs a package of which the robot has the file.
///
/// # Errors
/// Why it is not installed; `Ok(false)` if the robot says only that.
pub fn install(session: &Session, file: &str) -> Result<bool, Error> {
    let answer = session.service("PackageManager")?.call_within("install", &[file.into()], WITHIN)?;
    // Some versions answer a number that is zero if all is well.
    Ok(answer.as_bool().unwrap_or_else(|| answer.as_i64() == Some(0)))
}

/// Removes a package.
///
/// # Errors
/// Why it is not removed.
pub fn remove(session: &Session, uuid: &str) -> Result<(), Error> {
    let manager = session.service("PackageManager")?;
    match manager.call_within("removePkg", &[uuid.into()], WITHIN) {
        Err(Error::NoMember { .. }) => manager.call_within("remove", &[uuid.into()], WITHIN).map(drop),
        answer => answer.map(drop),
    }
}

impl Package {
    fn read(value: &Value) -> Option<Package> {
        let value = value.plain();
        let text = |name: &str| {
            let found = value.get(name).or_else(|| value.field(name));
            found.and_then(|found| found.plain().as_str()).map(str::to_owned)
        };
        if let Some(uuid) = text("uuid") {
            let [version, path, installer] = ["version", "path", "installer"].map(text);
            return Some(Package { uuid, version, path, installer });
        }
        // Without names: the path is the only text with a root, and its last folder is the id.
        let texts: Vec<&str> = value.as_slice()?.iter().filter_map(|one| one.plain().as_str()).collect();
        let path = texts.iter().find(|text| text.starts_with('/'))?;
        let uuid = path.trim_end_matches('/').rsplit('/').next().filter(|uuid| !uuid.is_empty())?;
        let is_version = |text: &&&str| text.starts_with(|c: char| c.is_ascii_digit()) && text.contains('.');
        let version = texts.iter().filter(|text| **text != uuid).find(is_version).map(|version| (*version).to_owned());
        let installer = texts.contains(&"system").then(|| "system".to_owned());
        Some(Package { uuid: uuid.to_owned(), version, path: Some((*path).to_owned()), installer })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_read_as_map_and_as_texts_without_names() {
        let map = Value::map([
            (Value::from("uuid"), Value::from("dance")),
            (Value::from("version"), Value::from("1.2.0")),
            (Value::from("path"), Value::from("/apps/dance/")),
            (Value::from("installer"), Value::from("system")),
        ]);
        let package = Package::read(&map).unwrap();
        assert_eq!((package.uuid.as_str(), package.version.as_deref()), ("dance", Some("1.2.0")));
        assert_eq!(package.installer.as_deref(), Some("system"));
        let texts = Value::tuple(["1.2.0", "me", "/apps/dance/", "dance"].map(Value::from).to_vec());
        let package = Package::read(&texts).unwrap();
        assert_eq!((package.uuid.as_str(), package.version.as_deref()), ("dance", Some("1.2.0")));
        let texts = Value::tuple(["1.2.0", "system", "/apps/dance/", "dance"].map(Value::from).to_vec());
        assert_eq!(Package::read(&texts).unwrap().installer.as_deref(), Some("system"));
        for strange in [Value::Void, Value::from(1), Value::tuple(vec![Value::from("/")]), Value::list([])] {
            assert_eq!(Package::read(&strange), None);
        }
    }
}
