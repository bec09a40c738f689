//! Files that are on a robot while something is sent to it, and those that a sender has left who was ended meanwhile.

use crate::disk::{DiskError, DiskPath, Kind, WritableDisk};
use std::io;

/// How long a file is somebody's who may still be sending, in seconds. The robot's clock counts.
const SENDING: i64 = 3600;
/// How many entries of a folder are looked at.
const MOST: usize = 10_000;

const PACKAGE: (&str, &str) = ("boxstep-", ".pkg");
const PART: (&str, &str) = (".boxstep-", ".part");

/// Returns a name for a package that is sent, which no other sender takes.
///
/// # Errors
/// Why the system has no random number.
pub fn package() -> io::Result<String> {
    named(PACKAGE)
}

/// Returns a name for a file that is not whole yet, which no other sender takes.
///
/// # Errors
/// Why the system has no random number.
pub fn part() -> io::Result<String> {
    named(PART)
}

fn named((before, after): (&str, &str)) -> io::Result<String> {
    let random = getrandom::u64().map_err(|error| io::Error::other(error.to_string()))?;
    Ok(format!("{before}{random:016x}{after}"))
}

/// Returns whether a file of this name is one that is only there while something is sent.
pub fn is_temporary(name: &[u8]) -> bool {
    [PACKAGE, PART].iter().any(|(before, after)| {
        let digits = name.strip_prefix(before.as_bytes()).and_then(|rest| rest.strip_suffix(after.as_bytes()));
        digits.is_some_and(|digits| digits.len() == 16 && digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// Removes what others have left long ago in the folder of a file that has just been written. Returns it.
///
/// # Errors
/// Why the folder cannot be listed, or one of them cannot be removed.
pub fn remove_left(disk: &mut dyn WritableDisk, own: &DiskPath) -> Result<Vec<DiskPath>, DiskError> {
    let (folder, now) = (own.parent(), disk.stat(own)?.modified);
    let mut removed = Vec::new();
    for entry in disk.list(&folder, MOST)? {
        let is_left = entry.kind == Kind::File && is_temporary(&entry.name) && now - entry.modified > SENDING;
        if is_left {
            let path = folder.join(&entry.name);
            disk.remove(&path)?;
            removed.push(path);
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_again_and_no_others() {
        for name in [package().unwrap(), part().unwrap()] {
            assert!(is_temporary(name.as_bytes()), "{name}");
        }
        for name in [
            "boxstep-1.0.pkg",
            "boxstep-0123456789abcdefg.pkg",
            ".boxstep-.part",
            "boxstep-0123456789abcde\u{ff10}.pkg",
        ] {
            assert!(!is_temporary(name.as_bytes()), "{name}");
        }
    }
}
