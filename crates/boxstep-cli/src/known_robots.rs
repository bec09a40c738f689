//! The robots that were found last, for the completion of `--robot` in shells: a file with a word a line.
//!
//! Shells take these words apart and may expand them, and names come from anybody in the network. So only words of
//! harmless characters are written.

use std::env;
use std::io::Write as _;
use std::path::PathBuf;

/// The most words.
const MOST: usize = 256;

/// Returns the folder for what Boxstep can find out again; `None` if the system has no such place.
fn cache() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else {
        absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))
    };
    Some(cache?.join("boxstep"))
}

/// Keeps what `--robot` can name. Without a place for it, shells complete nothing.
pub(crate) fn keep<'a>(words: impl Iterator<Item = &'a str>) {
    let Some(folder) = cache() else { return };
    let mut text = String::new();
    for word in words.filter(|word| is_harmless(word)).take(MOST) {
        text.push_str(word);
        text.push('\n');
    }
    let _ = std::fs::create_dir_all(&folder).and_then(|()| {
        let mut file = tempfile::NamedTempFile::new_in(&folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(folder.join("robots")).map(drop).map_err(|e| e.error)
    });
}

/// Returns whether a shell does nothing with a word but complete it.
fn is_harmless(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-:/".contains(c);
    word.starts_with(|c: char| c.is_ascii_alphanumeric()) && word.len() <= 100 && word.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_could_take_for_more_are_left_out() {
        for word in ["nao", "10.0.0.2:9560", "tcps://10.0.0.2", "fd00::7", "Ann_2.local"] {
            assert!(is_harmless(word), "{word}");
        }
        for word in ["", "$(reboot)", "`x`", "a b", "a;b", "-rf", "a\nb", "[::1]:7", "*", "~x", "Ä", "a\\b", "'", "a%1"]
        {
            assert!(!is_harmless(word), "{word}");
        }
    }
}
