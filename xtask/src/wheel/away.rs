//! Runs commands in an environment in which some folders are hidden.

use crate::tools::output;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs commands with some folders hidden, if the system supports it.
pub(super) struct Away {
    hidden: Vec<PathBuf>,
    how: How,
}

enum How {
    /// In a mount namespace, with an empty file system over each folder; these words precede a command.
    Covered(Vec<String>),
    /// Not hidden, with the reason.
    Elsewhere(String),
}

/// Covers the folders before the word `--`, then becomes the command after it. The first argument is `mount`.
const COVER: &str = r#"mount="$0"; while [ "$1" != -- ]; do "$mount" -t tmpfs -o ro boxstep "$1" || exit 125; shift; done; shift; exec "$@""#;

impl Away {
    pub(super) fn new(folders: &[PathBuf]) -> Self {
        let mut hidden: Vec<PathBuf> = folders.iter().filter_map(|f| f.canonicalize().ok()).collect();
        // A folder inside another hidden folder is hidden with it.
        let all = hidden.clone();
        hidden.retain(|inner| !all.iter().any(|outer| inner != outer && inner.starts_with(outer)));
        let mut why = "the system has no `unshare` and `mount`".to_owned();
        if let (Some(unshare), Some(mount)) = (program("unshare"), program("mount")) {
            // As root, or in a user namespace as root.
            for more in [&["--mount"][..], &["--mount", "--map-root-user"]] {
                let words = [unshare.as_str()].into_iter().chain(more.iter().copied());
                let words = words.chain(["--", "/bin/sh", "-c", COVER, mount.as_str()]).map(str::to_owned);
                let away = Self { hidden: hidden.clone(), how: How::Covered(words.collect()) };
                match away.covers() {
                    Ok(()) => return away,
                    Err(error) => why = error,
                }
            }
        }
        Self { hidden, how: How::Elsewhere(why.trim_end().to_owned()) }
    }

    /// Returns a description for people.
    pub(super) fn words(&self) -> String {
        let hidden: Vec<_> = self.hidden.iter().map(|f| f.display().to_string()).collect();
        let hidden = hidden.join(" and ");
        match &self.how {
            How::Covered(_) => format!("out of reach: {hidden}"),
            How::Elsewhere(why) => format!(
                "{hidden} cannot be put out of reach here ({why}): commands run elsewhere, and what they load is looked at"
            ),
        }
    }

    pub(super) fn hidden(&self) -> &[PathBuf] {
        &self.hidden
    }

    /// Returns a command for which the folders are hidden.
    pub(super) fn command(&self, program: &OsStr) -> Command {
        let How::Covered(words) = &self.how else { return Command::new(program) };
        let mut words = words.iter();
        let mut command = Command::new(words.next().map_or("unshare", |first| first));
        command.args(words).args(&self.hidden).arg("--").arg(program);
        command
    }

    /// Checks that the folders are hidden.
    fn covers(&self) -> Result<(), String> {
        let found = output(self.command(OsStr::new("ls")).arg("-A").args(&self.hidden))?;
        let left = found.lines().filter(|line| !line.is_empty() && !line.ends_with(':')).count();
        if left == 0 { Ok(()) } else { Err(format!("{left} files are still there")) }
    }
}

/// Returns a program of the system, independent of `PATH`.
fn program(name: &str) -> Option<String> {
    let places = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];
    let files = places.iter().map(|place| Path::new(place).join(name));
    files.into_iter().find(|file| file.is_file()).map(|file| file.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::TempDir;

    #[test]
    fn a_folder_is_out_of_reach_or_that_is_said() {
        let place = TempDir::new("away").unwrap();
        let folder = place.path().join("sources");
        std::fs::create_dir_all(folder.join("inside")).unwrap();
        std::fs::write(folder.join("inside").join("file"), "").unwrap();
        let away = Away::new(&[folder.clone(), folder.join("inside")]);
        assert_eq!(away.hidden(), [folder.canonicalize().unwrap()], "one folder is enough");
        let found = away.command(OsStr::new("ls")).arg(&folder).output().unwrap();
        let found = String::from_utf8(found.stdout).unwrap();
        match away.how {
            How::Covered(_) => assert_eq!(found, ""),
            How::Elsewhere(_) => assert!(found == "inside\n" && away.words().contains("cannot be put out of reach")),
        }
        assert!(folder.join("inside").join("file").is_file(), "it is still there for everybody else");
    }
}
