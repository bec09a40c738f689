//! New files: their names, what they contain, and that nothing that is there is lost.

use boxstep_edit::Document;
use boxstep_edit::templates::{BEHAVIOR, Begun, NewError, begin, begin_test, check_name};
use std::fs;

#[test]
fn names_are_those_that_every_file_system_takes() {
    for good in ["wave", "My behavior-2", "grüßen", "2nd", "com", "company", "com10"] {
        let device = check_name(good);
        assert_eq!(device.is_ok(), good != "com", "{good}: {device:?}");
    }
    let long = "a".repeat(65);
    for bad in
        ["", " a", "a ", ".a", "a.b", "a/b", "a\\b", "..", "a:b", "a\nb", "-a", "CON", "Lpt1", "a\"b", "a<b", &long]
    {
        assert!(matches!(check_name(bad), Err(NewError::Name(..))), "{bad}");
    }
}

#[test]
fn a_new_behavior_is_empty_and_can_be_edited() {
    let folder = tempfile::tempdir().unwrap();
    let file = begin(folder.path(), Begun::Behavior, "wave").unwrap();
    assert_eq!(file, folder.path().join("wave/behavior.xar"));
    let bytes = fs::read(&file).unwrap();
    assert_eq!(bytes, BEHAVIOR.as_bytes());
    let mut document = Document::read("behavior.xar", &bytes).unwrap();
    assert!(document.file().findings.is_empty());
    let ops = r#"[{"op":"add","diagram":"root","add":{"empty":"script"},"name":"First"},
        {"op":"connect","from":{"box":"root","port":"onStart"},"to":{"box":"root/First","port":"onStart"}}]"#;
    document.apply("begin", None, &serde_json::from_str::<Vec<_>>(ops).unwrap()).unwrap();
    document.undo();
    assert_eq!(document.file().to_bytes(), bytes);
}

#[test]
fn nothing_is_begun_over_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("Wave")).unwrap();
    for what in [Begun::Behavior, Begun::Dialog, Begun::Character] {
        assert!(matches!(begin(folder.path(), what, "wave"), Err(NewError::Taken(there)) if there == "Wave"));
        assert!(matches!(begin(folder.path(), what, "../wave"), Err(NewError::Name(..))));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::os::unix::fs::symlink(other.path(), folder.path().join("wave")).unwrap();
    assert!(matches!(begin(folder.path(), Begun::Behavior, "wave"), Err(NewError::Taken(_))));
    assert!(matches!(begin_test(folder.path(), "wave/behavior.xar", "greets"), Err(NewError::Outside(_))));
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
}

#[test]
fn a_test_stands_beside_what_it_tests() {
    let folder = tempfile::tempdir().unwrap();
    begin(folder.path(), Begun::Behavior, "wave").unwrap();
    let file = begin_test(folder.path(), "wave/behavior.xar", "greets").unwrap();
    assert_eq!(file, folder.path().join("wave/greets.test.toml"));
    assert!(fs::read_to_string(&file).unwrap().contains("behavior = \"behavior.xar\"\n\n[[test]]\nname = \"greets\""));
    assert!(matches!(begin_test(folder.path(), "wave/behavior.xar", "Greets"), Err(NewError::Taken(_))));
    assert!(matches!(begin_test(folder.path(), "../behavior.xar", "other"), Err(NewError::Outside(_))));
}
