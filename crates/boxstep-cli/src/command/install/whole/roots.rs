//! Where what a rescue lists was on its robot: in which part, of which home.

use crate::rescued::relative;
use boxstep_rescue::manifest::State;
use boxstep_rescue::places;
use std::collections::{BTreeMap, BTreeSet};

/// The home of a robot whose rescue has no file of one.
const HOME: &str = "/home/nao/";

/// Folders of the old robot, and the parts that they became.
pub(super) struct Roots {
    /// The folder, with `/` at its end, its part, and the number of its home.
    roots: BTreeMap<String, (String, usize)>,
}

/// Where something was.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Was<'a> {
    pub(super) part: &'a str,
    /// The number of its home; that from which the rescue took first is 0.
    pub(super) home: usize,
    /// Its path below the folder of the part.
    pub(super) below: &'a str,
}

impl Roots {
    pub(super) fn of(items: &BTreeMap<String, State>) -> Self {
        let mut seen = BTreeSet::new();
        for (there, state) in items {
            if let State::Taken(taken) = state
                && let Some((part, within)) = taken.file.split_once('/')
            {
                seen.insert((&there[..there.len() - relative(there, within).len()], part));
            }
        }
        let home = |(root, part): &(&str, &str)| -> Option<String> {
            let (_, path) = places::in_home().find(|(known, _)| known == part)?;
            let home = root.strip_suffix('/')?.strip_suffix(path)?;
            let home = home.trim_end_matches('/');
            Some(format!("{home}/"))
        };
        let mut homes: Vec<String> = seen.iter().filter_map(home).collect();
        homes.sort_by_key(|home| (places::order(home), home.clone()));
        homes.dedup();
        if homes.is_empty() {
            homes.push(HOME.to_owned());
        }
        let mut roots = BTreeMap::new();
        for (root, part) in seen {
            roots.insert(root.to_owned(), (part.to_owned(), 0));
        }
        for (number, home) in homes.iter().enumerate() {
            for (part, path) in places::in_home() {
                let root = if path.is_empty() { home.clone() } else { format!("{home}{path}/") };
                roots.insert(root, (part.to_owned(), number));
            }
        }
        Self { roots }
    }

    /// Returns where a path was; `None` if it is in no folder that is known.
    pub(super) fn find<'a>(&'a self, there: &'a str) -> Option<Was<'a>> {
        there.match_indices('/').rev().find_map(|(at, _)| {
            let (part, home) = self.roots.get(&there[..=at])?;
            Some(Was { part, home: *home, below: &there[at + 1..] })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_rescue::manifest::Taken;
    use boxstep_types::digest::Digest;

    #[test]
    fn homes_are_found_by_the_files_of_any_part_and_links_beside_them() {
        let taken = |file: &str| {
            let sha256 = Digest::of(b"");
            State::Taken(Taken { file: file.to_owned(), size: 0, modified: 0, mode: 0o644, sha256, remark: None })
        };
        let items = BTreeMap::from([
            ("/data/home/nao/a.txt".to_owned(), taken("home/a.txt%~0123456789abcdef")),
            ("/home/nao/behaviors/wave/behavior.xar".to_owned(), taken("behaviors/wave/behavior.xar")),
            ("/media/usb/apps/dance/manifest.xml".to_owned(), taken("packages/dance/manifest.xml")),
        ]);
        let roots = Roots::of(&items);
        for (there, part, home, below) in [
            ("/home/nao/link", "home", 0, "link"),
            ("/data/home/nao/deep/link", "home", 1, "deep/link"),
            ("/home/nao/behaviors/link", "behaviors", 0, "link"),
            ("/home/nao/.local/share/PackageManager/apps/x/link", "packages", 0, "x/link"),
            ("/media/usb/apps/dance/link", "packages", 0, "dance/link"),
            ("/data/home/nao/naoqi/preferences/x", "preferences", 1, "x"),
        ] {
            assert_eq!(roots.find(there), Some(Was { part, home, below }), "{there}");
        }
        assert_eq!(roots.find("/etc/link"), None);
        assert_eq!(Roots::of(&BTreeMap::new()).find("/home/nao/a").unwrap().below, "a");
    }
}
