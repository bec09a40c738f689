//! Files that are edited: drafts, saving, and other programs that write the same file.

use super::{TWO, op};
use boxstep_edit::{MergeError, OpenError, OpenFile, Recovered, SaveError};
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn file(folder: &Path) -> PathBuf {
    let path = folder.join("behavior.xar");
    fs::write(&path, TWO).unwrap();
    path
}

pub(super) fn open(path: &Path) -> OpenFile {
    OpenFile::open(path, "behavior.xar").unwrap_or_else(|e| panic!("{e}"))
}

pub(super) fn rename(file: &mut OpenFile, from: &str, to: &str) {
    let op = op(&format!(r#"{{"op": "rename", "box": "{from}", "name": "{to}"}}"#));
    file.apply(&format!("rename {from}"), None, &[op]).unwrap();
}

#[test]
fn what_was_not_saved_is_there_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let mut first = open(&path);
    rename(&mut first, "Say", "Speak");
    rename(&mut first, "Count", "Number");
    first.undo().unwrap();
    // The program is killed while it writes a line.
    drop(first);
    let draft = folder.path().join(".behavior.xar.draft");
    let mut lines = fs::read(&draft).unwrap();
    lines.extend(br#"{"step":{"label":"half"#);
    fs::write(&draft, lines).unwrap();

    let mut second = open(&path);
    assert_eq!(*second.recovered(), Recovered::Steps(1));
    assert!(second.document().file().text().contains("name=\"Speak\""));
    assert_eq!(second.document().undone().len(), 1);
    second.redo().unwrap();
    rename(&mut second, "Number", "Counter");
    drop(second);

    let mut third = open(&path);
    assert_eq!(*third.recovered(), Recovered::Steps(3));
    assert!(third.document().file().text().contains("name=\"Counter\""));
    assert_eq!(fs::read_to_string(&path).unwrap(), TWO);
    while third.undo().is_some() {}
    assert_eq!(third.document().file().text(), TWO);
    drop(third);
    assert!(!draft.exists());
}

#[test]
fn undo_leads_behind_a_save() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let mut first = open(&path);
    rename(&mut first, "Say", "Speak");
    first.save().unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains("name=\"Speak\""));
    rename(&mut first, "Count", "Number");
    drop(first);
    let mut second = open(&path);
    assert_eq!(*second.recovered(), Recovered::Steps(1));
    assert_eq!(second.document().steps().len(), 2);
    second.undo().unwrap();
    assert!(!second.document().is_changed());
    second.undo().unwrap();
    assert!(second.document().is_changed());
    assert_eq!(second.document().file().text(), TWO);
    second.save().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), TWO);
}

#[test]
fn another_programs_version_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let mut mine = open(&path);
    rename(&mut mine, "Say", "Speak");
    let theirs = TWO.replace(r#"x="330""#, r#"x="400""#);
    fs::write(&path, &theirs).unwrap();
    match mine.save() {
        Err(SaveError::Changed(there)) => assert_eq!(there, theirs.as_bytes()),
        other => panic!("{other:?}"),
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), theirs);
    mine.merge().unwrap();
    mine.save().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), theirs.replace("\"Say\"", "\"Speak\""));

    // What does not fit their version leaves both as they are.
    rename(&mut mine, "Speak", "Sing");
    let without = fs::read_to_string(&path).unwrap().replace("\"Speak\"", "\"Gone\"");
    fs::write(&path, &without).unwrap();
    assert!(mine.merge().is_err());
    assert!(mine.document().file().text().contains("\"Sing\""));
    assert_eq!(fs::read_to_string(&path).unwrap(), without);
    mine.overwrite().unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains("\"Sing\""));
}

#[test]
fn a_draft_of_another_version_is_done_again_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let mut first = open(&path);
    rename(&mut first, "Say", "Speak");
    rename(&mut first, "Count", "Number");
    drop(first);
    fs::write(&path, TWO.replace("\"Count\"", "\"Other\"")).unwrap();
    let second = open(&path);
    let kept = folder.path().canonicalize().unwrap().join(".behavior.xar.draft-1");
    assert_eq!(*second.recovered(), Recovered::Again(1, kept.clone()));
    assert!(second.document().file().text().contains("\"Speak\"") && kept.exists());
}

#[test]
fn a_file_is_edited_by_one_program_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let mut first = open(&path);
    rename(&mut first, "Say", "Speak");
    let why = OpenFile::open(&path, "behavior.xar").unwrap_err();
    assert!(matches!(why, OpenError::InUse(_)), "{why}");
    assert!(why.to_string().contains("another Boxstep edits it"), "{why}");
    first.save().unwrap();
    drop(first);
    // Nothing is left beside a file that is saved.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    open(&path);
}

#[test]
fn what_was_saved_and_undone_is_merged_with_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let mut mine = open(&path);
    rename(&mut mine, "Say", "Speak");
    mine.save().unwrap();
    mine.undo().unwrap();
    rename(&mut mine, "Count", "Number");
    let theirs = fs::read_to_string(&path).unwrap().replace(r#"x="330""#, r#"x="400""#);
    fs::write(&path, &theirs).unwrap();
    assert!(matches!(mine.merge(), Err(MergeError::Undone)));
    assert!(mine.document().file().text().contains("\"Number\""));
    mine.discard().unwrap();
    assert_eq!(mine.document().file().text(), theirs);
    // Changes after that are found again after a crash.
    rename(&mut mine, "Count", "Counter");
    drop(mine);
    let again = open(&path);
    assert_eq!(*again.recovered(), Recovered::Steps(1));
    assert_eq!(again.document().file().text(), theirs.replace("\"Count\"", "\"Counter\""));
}

#[test]
fn a_step_of_another_text_is_not_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let mut first = open(&path);
    rename(&mut first, "Say", "Speak");
    rename(&mut first, "Count", "Number");
    drop(first);
    let draft = folder.path().join(".behavior.xar.draft");
    let lines = fs::read_to_string(&draft).unwrap();
    // The line of the first step is lost: the places of the second are those of another text.
    let second: Vec<&str> = lines.lines().enumerate().filter(|(at, _)| *at != 1).map(|(_, line)| line).collect();
    fs::write(&draft, second.join("\n")).unwrap();
    assert_eq!(open(&path).document().file().text(), TWO);
}

#[cfg(unix)]
#[test]
fn a_draft_that_is_a_link_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let secret = folder.path().join("secret");
    fs::write(&secret, "mine").unwrap();
    std::os::unix::fs::symlink(&secret, folder.path().join(".behavior.xar.draft")).unwrap();
    let mut file = open(&path);
    rename(&mut file, "Say", "Speak");
    file.save().unwrap();
    assert_eq!(fs::read_to_string(&secret).unwrap(), "mine");
}

#[test]
fn drafts_of_nonsense_are_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let draft = folder.path().join(".behavior.xar.draft");
    let (saved, step) = {
        let mut file = open(&path);
        rename(&mut file, "Say", "Speak");
        drop(file);
        let lines = fs::read_to_string(&draft).unwrap();
        let (saved, step) = lines.split_once('\n').unwrap();
        (saved.to_owned(), step.trim().to_owned())
    };
    let spliced = |forward: &str, back: &str| {
        let texts = step.split(r#""texts":"#).nth(1).unwrap();
        format!(
            "{saved}\n{{\"step\":{{\"label\":\"\",\"ops\":[],\"forward\":{forward},\"back\":{back},\"texts\":{texts}\n"
        )
    };
    for lines in [
        format!("{saved}\n\u{0}\u{1}"),
        format!("{saved}\n\"undo\"\n\"redo\"\n\"undo\""),
        spliced(r#"[[[5,2,"x"]]]"#, "[]"),
        spliced(r#"[[[0,99,"x"]]]"#, "[]"),
        spliced("[]", r#"[[[0,4000000000,""]]]"#) + "\"undo\"",
        // What was undone before the save.
        format!("{}\"undo\"\n{saved}", spliced(r#"[[[9,3,"x"]]]"#, "[]").split_once('\n').unwrap().1),
    ] {
        fs::write(&draft, &lines).unwrap();
        let mut file = open(&path);
        file.redo();
        while file.undo().is_some() {}
        file.apply("", None, &[op(r#"{"op": "set_tooltip", "box": "Count", "tooltip": "x"}"#)]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), TWO, "{lines}");
    }
}

#[test]
fn what_another_program_writes_is_taken_if_nothing_is_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let mut here = open(&path);
    assert!(!here.follow().unwrap());
    let theirs = TWO.replace("name=\"Say\"", "name=\"Speak\"");
    fs::write(&path, &theirs).unwrap();
    let version = here.document().version();
    assert!(here.follow().unwrap());
    assert_eq!(here.document().file().text(), theirs);
    assert!(!here.document().is_changed() && here.document().version() > version);
    // What is unsaved here is not lost, and what cannot be read is not taken.
    rename(&mut here, "Speak", "Tell");
    fs::write(&path, TWO).unwrap();
    assert!(!here.follow().unwrap());
    assert!(here.undo().is_some());
    fs::write(&path, "no behavior").unwrap();
    assert!(here.follow().is_err());
    assert_eq!(here.document().file().text(), theirs);
}
