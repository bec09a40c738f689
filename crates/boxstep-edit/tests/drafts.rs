//! Drafts after a crash: what is found again, and which files are no drafts.

use super::open_file::{file, open, rename};
use super::{TWO, op};
use boxstep_edit::{NoDraft, OpenFile, Recovered};
use std::fs;
use std::path::{Path, PathBuf};

fn draft(path: &Path) -> PathBuf {
    path.with_file_name(".behavior.xar.draft")
}

/// Writes a file that only this user can read.
fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
}

/// Ends a program that edits a file: its draft stays as it is.
fn kill(file: OpenFile) {
    let draft = draft(file.path());
    let lines = fs::read(&draft).unwrap();
    drop(file);
    write(&draft, &lines);
}

fn tooltip(file: &mut OpenFile, of: &str, text: &str, gesture: Option<&str>) {
    let op = op(&format!(r#"{{"op": "set_tooltip", "box": "{of}", "tooltip": "{text}"}}"#));
    file.apply("hint", gesture, &[op]).unwrap();
}

#[test]
fn a_step_that_goes_on_forgets_what_was_undone() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let mut first = open(&path);
    tooltip(&mut first, "Say", "a", Some("typed"));
    rename(&mut first, "Count", "Number");
    first.undo().unwrap();
    tooltip(&mut first, "Say", "abcdefgh", Some("typed"));
    kill(first);
    let mut second = open(&path);
    assert_eq!(*second.recovered(), Recovered::Steps(1));
    assert!(second.redo().is_none());
    assert!(second.undo().is_some());
    assert_eq!(second.document().file().text(), TWO);
}

#[test]
fn characters_that_the_encoding_lacks_are_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let latin = TWO.replace("UTF-8", "ISO-8859-1");
    fs::write(&path, &latin).unwrap();
    let mut first = open(&path);
    tooltip(&mut first, "Say", "łłłł é", None);
    rename(&mut first, "Count", "Number");
    first.save().unwrap();
    rename(&mut first, "Number", "Counter");
    kill(first);
    let mut second = open(&path);
    assert_eq!(*second.recovered(), Recovered::Steps(1));
    assert!(second.document().file().text().contains("tooltip=\"&#x142;&#x142;&#x142;&#x142; é\""));
    assert_eq!(second.document().steps().len(), 3);
    while second.undo().is_some() {}
    second.save().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), latin);
}

#[test]
fn what_does_not_fit_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let mut first = open(&path);
    rename(&mut first, "Say", "Speak");
    rename(&mut first, "Count", "Number");
    rename(&mut first, "Number", "Counter");
    kill(first);
    let lines = fs::read_to_string(draft(&path)).unwrap();
    let damaged: Vec<String> = lines.lines().map(|line| line.replace("Number\"]]", "Wrong\"]]")).collect();
    assert_ne!(damaged.join("\n") + "\n", lines);
    fs::write(draft(&path), damaged.join("\n") + "\n").unwrap();
    let mut second = open(&path);
    let kept = path.canonicalize().unwrap().with_file_name(".behavior.xar.draft-1");
    assert_eq!(*second.recovered(), Recovered::Again(1, kept.clone()));
    assert_eq!(fs::read_to_string(&kept).unwrap(), damaged.join("\n") + "\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
    }
    rename(&mut second, "Count", "Other");
    kill(second);
    let third = open(&path);
    assert_eq!(*third.recovered(), Recovered::Steps(2));
    let text = third.document().file().text();
    assert!(text.contains("name=\"Speak\"") && text.contains("name=\"Other\""), "{text}");
}

#[test]
fn a_merge_that_changes_nothing_is_no_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let mut mine = open(&path);
    tooltip(&mut mine, "Say", "the same", None);
    let theirs = TWO.replace(
        r#"<Box name="Say" id="1" localization="8" tooltip="""#,
        r#"<Box name="Say" id="1" localization="8" tooltip="the same""#,
    );
    fs::write(&path, &theirs).unwrap();
    mine.merge().unwrap();
    rename(&mut mine, "Count", "Number");
    mine.undo().unwrap();
    mine.redo().unwrap();
    kill(mine);
    let mut again = open(&path);
    assert_eq!(*again.recovered(), Recovered::Steps(1));
    assert_eq!(again.document().steps().len(), 1);
    again.undo().unwrap();
    assert_eq!(again.document().file().text(), theirs);
}

#[test]
fn what_is_no_draft_of_this_user_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let draft = draft(&path);
    let works_without = |bytes: &[u8]| {
        let mut file = open(&path);
        assert!(matches!(file.no_draft(), Some(NoDraft::Foreign(_))), "{:?}", file.no_draft());
        assert_eq!(file.document().file().text(), TWO);
        tooltip(&mut file, "Say", "x", None);
        file.save().unwrap();
        drop(file);
        assert_eq!(fs::read(&draft).unwrap(), bytes);
        fs::write(&path, TWO).unwrap();
    };
    for text in [&b"notes of mine\n"[..], b"\xFF\xFE"] {
        write(&draft, text);
        works_without(text);
    }
    fs::remove_file(&draft).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mut strange = open(&path);
        rename(&mut strange, "Say", "Evil");
        drop(strange);
        let lines = fs::read(&draft).unwrap();
        for mode in [0o644, 0o606] {
            fs::set_permissions(&draft, fs::Permissions::from_mode(mode)).unwrap();
            works_without(&lines);
        }
        fs::set_permissions(&draft, fs::Permissions::from_mode(0o600)).unwrap();
        fs::hard_link(&draft, folder.path().join("other")).unwrap();
        works_without(&lines);
    }
}

#[test]
fn a_draft_that_becomes_large_begins_anew_with_a_save() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let mut first = open(&path);
    rename(&mut first, "Say", "Speak");
    let length = |length: u64| fs::OpenOptions::new().write(true).open(draft(&path)).unwrap().set_len(length).unwrap();
    length(200 << 20);
    first.save().unwrap();
    assert!(first.document().steps().is_empty() && !first.document().is_changed());
    rename(&mut first, "Count", "Number");
    kill(first);
    let second = open(&path);
    assert_eq!(*second.recovered(), Recovered::Steps(1));
    drop(second);
    length(300 << 20);
    assert!(matches!(open(&path).no_draft(), Some(NoDraft::TooLarge(_))));
}
