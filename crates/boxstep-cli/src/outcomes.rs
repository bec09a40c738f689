//! How runs have ended: of a run that plays, or of a recording in a folder.

use boxstep_engine::trace::{Footer, Header};
use boxstep_view::Outcome;
use std::fs::{DirEntry, File, read_dir};
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

/// How much of a recording's beginning and end is read to find its header and footer, in bytes.
const HEAD: u64 = 1 << 20;
const TAIL: u64 = 1 << 14;
/// How many recordings of a folder are looked at, the latest first.
const MOST: usize = 20;

/// Returns how a run has ended.
pub(crate) fn outcome(footer: &Footer, at: SystemTime, recording: Option<String>) -> Outcome {
    let at = at.duration_since(SystemTime::UNIX_EPOCH).map(|since| since.as_secs()).unwrap_or_default();
    Outcome { reason: footer.reason.name().to_owned(), t: footer.t.0, errors: footer.errors, at, recording }
}

/// What a file is to a recording: characters play the files of behaviors, too, whose runs these are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Played {
    Behavior,
    Character,
}

/// Returns how the latest complete recording beside a file has ended, if that file was played in it. `root` is the folder
/// that its name is relative to.
pub(crate) fn recorded(played: &Path, kind: Played, root: &Path) -> Option<Outcome> {
    let name = played.file_name()?.to_str()?;
    let mut found: Vec<(SystemTime, DirEntry)> = read_dir(played.parent()?)
        .ok()?
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "jsonl"))
        .filter_map(|entry| Some((entry.metadata().ok().filter(|meta| meta.is_file())?.modified().ok()?, entry)))
        .collect();
    found.sort_by_key(|(at, entry)| (std::cmp::Reverse(*at), entry.file_name()));
    found.into_iter().take(MOST).find_map(|(at, entry)| {
        let path = entry.path();
        let footer = footer_of(&path, name, kind)?;
        let shown = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        Some(outcome(&footer, at, Some(shown)))
    })
}

/// Returns the footer of a recording in which a file of this name was played, as what it is.
fn footer_of(path: &Path, name: &str, kind: Played) -> Option<Footer> {
    let mut file = File::open(path).ok()?;
    let mut first = String::new();
    BufReader::new((&file).take(HEAD)).read_line(&mut first).ok()?;
    let header: Header = serde_json::from_str(&first).ok()?;
    let played = match header.options.iter().any(|(option, _)| option == "character") {
        true => Played::Character,
        false => Played::Behavior,
    };
    if played != kind
        || !header.files.iter().any(|(file, _)| Path::new(file).file_name().is_some_and(|file| file == name))
    {
        return None;
    }
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut end = Vec::new();
    file.take(TAIL).read_to_end(&mut end).ok()?;
    let last = String::from_utf8_lossy(&end).trim_end().rsplit('\n').next()?.to_owned();
    serde_json::from_str(&last).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"schema":1,"files":{"behavior.xar":"00"},"body":"nao","clock":"virtual"}"#;

    fn footer(reason: &str) -> String {
        format!(
            r#"{{"reason":"{reason}","t":5,"events":1,"errors":2,"unsupported":0,"dropped":0,"warnings":0,"deterministic":true}}"#
        )
    }

    #[test]
    fn the_latest_recording_of_a_file_that_has_an_end_says_how_it_ended() {
        let folder = std::env::temp_dir().join(format!("boxstep-outcomes-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let put = |name: &str, text: String, at: u64| {
            std::fs::write(folder.join(name), text).unwrap();
            let file = File::options().write(true).open(folder.join(name)).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(at)).unwrap();
        };
        let played = folder.join("behavior.xar");
        assert_eq!(recorded(&played, Played::Behavior, &folder), None);
        put("old.jsonl", format!("{HEADER}\n{}\n", footer("failed")), 100);
        put("other.jsonl", format!("{}\n{}\n", HEADER.replace("behavior", "dance"), footer("ended")), 200);
        put("broken.jsonl", format!("{HEADER}\n{{\"n\":1"), 300);
        let character = HEADER.replace("\"body\"", "\"options\":{\"character\":\"Guide\"},\"body\"");
        put("character.jsonl", format!("{character}\n{}\n", footer("limit")), 350);
        let of_character = recorded(&played, Played::Character, &folder).unwrap();
        assert_eq!((&*of_character.reason, of_character.at), ("limit", 350));
        put("notes.jsonl", "nothing".to_owned(), 400);
        let last = recorded(&played, Played::Behavior, &folder).unwrap();
        assert_eq!((&*last.reason, last.t, last.errors, last.at), ("failed", 5, 2, 100));
        assert_eq!(last.recording.as_deref(), Some("old.jsonl"));
        put("new.jsonl", format!("{HEADER}\n{}", footer("ended")), 500);
        let last = recorded(&played, Played::Behavior, folder.parent().unwrap()).unwrap();
        assert_eq!((&*last.reason, last.at), ("ended", 500));
        assert!(last.recording.unwrap().ends_with("new.jsonl"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
