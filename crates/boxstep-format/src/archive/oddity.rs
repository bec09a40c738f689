//! Unusual properties of archives that can be read nevertheless.

use crate::codes;
use boxstep_types::Diagnostic;
use std::fmt;

/// An unusual property of an archive that does not prevent reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// A name contains `\`, which is read as `/`.
    Backslash(String),
    /// Windows does not allow a name: the name, and why.
    NotOnWindows(String, &'static str),
    /// Two names differ only in case; on a file system that ignores case, one file replaces the other.
    OnlyCase(String, String),
    /// Bytes follow the end of the archive: their number, and what ends there.
    Surplus(u64, &'static str),
    /// A member of an ar does not belong to an archive of a project; it is not read.
    Unread(String),
    /// Files and folders are not unpacked, because programs on a reader's computer run or obey them.
    LeftOut(Vec<String>),
    /// The archive contains no file.
    Empty,
}

/// The maximum number of paths listed in one message.
const MOST_NAMED: usize = 20;

impl Oddity {
    /// Converts the oddity to a finding about the archive of this name.
    pub fn diagnostic(&self, archive: &str) -> Diagnostic {
        let message = format!("{archive}: {self}");
        match self {
            Oddity::Backslash(_) => Diagnostic::warning(codes::ARCHIVE_ODD_NAME, message)
                .help("other programs create a file with `\\` in its name; pack the archive again"),
            Oddity::OnlyCase(..) => Diagnostic::warning(codes::ARCHIVE_ODD_NAME, message)
                .help("on Windows and macOS one file replaces the other; rename one"),
            Oddity::NotOnWindows(..) => Diagnostic::note(codes::ARCHIVE_ODD_NAME, message)
                .help("the archive cannot be unpacked on Windows; rename the file"),
            Oddity::Surplus(..) => Diagnostic::warning(codes::ARCHIVE_SURPLUS, message)
                .help("it is not read; `boxstep unpack` and `boxstep pack` leave it out"),
            Oddity::Unread(_) => Diagnostic::note(codes::ARCHIVE_SURPLUS, message),
            Oddity::LeftOut(_) => Diagnostic::warning(codes::ARCHIVE_LEFT_OUT, message)
                .help("programs on your computer run or obey files with such names, and no behavior needs them"),
            Oddity::Empty => Diagnostic::warning(codes::ARCHIVE_DAMAGED, message),
        }
    }
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Oddity::Backslash(name) => write!(f, "the entry `{}`: `\\` is read as `/`", name.escape_debug()),
            Oddity::NotOnWindows(name, why) => {
                write!(f, "the entry `{}`: Windows does not allow this name: {why}", name.escape_debug())
            }
            Oddity::OnlyCase(name, other) => {
                write!(f, "the entries `{}` and `{}` differ in case only", other.escape_debug(), name.escape_debug())
            }
            Oddity::Surplus(bytes, what) => write!(f, "there are {bytes} bytes after the end of the {what}"),
            Oddity::Unread(name) => write!(f, "the member `{}` is not read", name.escape_debug()),
            Oddity::LeftOut(places) => {
                let named: Vec<_> = places.iter().take(MOST_NAMED).map(|p| format!("`{}`", p.escape_debug())).collect();
                write!(f, "not unpacked: {}", named.join(", "))?;
                let more = places.len() - named.len();
                if more > 0 { write!(f, " and {more} more") } else { Ok(()) }
            }
            Oddity::Empty => f.write_str("there is no file in it"),
        }
    }
}

/// Returns the reason why Windows does not allow this name, if it does not; `/` separates the name's parts.
pub(super) fn not_on_windows(name: &str) -> Option<&'static str> {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];
    name.split('/').find_map(|part| {
        let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_lowercase();
        let letters = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = stem.len() - letters.len();
        let device =
            DEVICES.contains(&letters) && digits == usize::from(letters.starts_with(['c', 'l']) && letters != "con");
        if part.contains(['<', '>', '"', '|', '?', '*']) || part.contains(char::is_control) {
            Some("it has a character that Windows does not allow in names")
        } else if part.ends_with(['.', ' ']) {
            Some("it ends with a dot or a space")
        } else if device {
            Some("it is the name of a device")
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::not_on_windows;

    #[test]
    fn names_that_windows_cannot_have() {
        for odd in ["a?.wav", "dir /x", "x.", "con", "a/NUL.txt", "com1", "lpt9.xar", "a\tb"] {
            assert!(not_on_windows(odd).is_some(), "{odd}");
        }
        for fine in ["behavior.xar", "a/b c.wav", "Wave%3a left/behavior.xar", ".metadata", "console", "com", "é.xar"]
        {
            assert_eq!(not_on_windows(fine), None, "{fine}");
        }
    }
}
