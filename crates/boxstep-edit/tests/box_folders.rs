//! Users' own folders of boxes: what is read of them, and what is kept in them.

use super::{TWO, document, path};
use boxstep_edit::{BoxFolder, BoxFolders, Document, KeepError, Op};
use boxstep_format::archive::{ArchiveKind, Entry, pack};
use std::fs;
use std::path::Path;

fn box_folders(folders: &[&Path]) -> BoxFolders {
    let box_folder = |folder: &&Path| BoxFolder {
        name: folder.file_name().unwrap().to_string_lossy().into_owned(),
        folder: folder.to_path_buf(),
    };
    BoxFolders(folders.iter().map(box_folder).collect())
}

/// A box that uses a sound and a picture.
fn boxed(name: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<ChoregrapheBox><Box name=\"{name}\" id=\"1\" localization=\"8\" tooltip=\"Does {name}.\" x=\"0\" y=\"0\">\
         <bitmap>media/images/box/box-python-script.png</bitmap><bitmap>images/own.png</bitmap>\
         <script language=\"4\"><content><![CDATA[pass]]></content></script>\
         <Input name=\"onStart\" type=\"1\" type_size=\"1\" nature=\"2\" inner=\"0\" tooltip=\"\" id=\"2\" />\
         <Parameter name=\"Sound\" inherits_from_parent=\"0\" content_type=\"4\" value=\"/sounds/a.wav\" default_value=\"\" custom_choice=\"0\" tooltip=\"\" id=\"3\" />\
         </Box></ChoregrapheBox>"
    )
}

fn put(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

#[test]
fn boxes_are_found_in_folders_and_libraries() {
    let place = tempfile::tempdir().unwrap();
    let mine = place.path().join("mine");
    put(&mine, "Wave.xar", &boxed("Wave"));
    put(&mine, "Arms/Clap/box.xar", &boxed("Clap"));
    put(&mine, "Arms/deep/er/Bow.xar", &boxed("Bow"));
    put(&mine, "Count.xar", TWO);
    put(&mine, "notes.txt", "none");
    put(&mine, ".hidden/Secret.xar", &boxed("Secret"));
    put(&mine, "broken.xar", "<ChoregrapheBox>");
    let entry =
        |name: &str| Entry { name: format!("{name}/behavior.xar"), bytes: boxed(name).into_bytes(), executable: false };
    fs::write(mine.join("old.cbl"), pack(ArchiveKind::Cbl, "old", &[entry("Nod"), entry("Shake")]).unwrap()).unwrap();
    let none = place.path().join("none");
    let all = box_folders(&[&none, &mine]);
    let content = all.content();
    let names: Vec<(&str, &str)> = content.boxes.iter().map(|one| (&*one.group, &*one.name)).collect();
    // A behavior has the name of its file.
    let expected = [
        ("mine", "Count"),
        ("mine", "Wave"),
        ("mine/old", "Nod"),
        ("mine/old", "Shake"),
        ("mine/Arms", "Clap"),
        ("mine/Arms/deep/er", "Bow"),
    ];
    assert_eq!(names, expected);
    assert_eq!(content.unread.len(), 1, "{:?}", content.unread);
    assert!(content.unread[0].contains("broken.xar: "), "{:?}", content.unread);
    let wave = &content.boxes[1];
    assert_eq!((&*wave.about, wave.kind), ("Does Wave.", "Script"));
    assert_eq!(wave.needs, ["images/own.png", "sounds/a.wav"]);
    for one in &content.boxes {
        let text = all.text(&one.key).unwrap();
        let mut behavior = document(TWO);
        let add = serde_json::json!({"op": "add", "diagram": "root", "add": {"xar": text}, "name": one.name});
        behavior.apply("add", None, &[serde_json::from_value::<Op>(add).unwrap()]).unwrap();
        assert_eq!(behavior.undo().map(|_| behavior.file().text().to_owned()).as_deref(), Some(TWO));
    }
    assert_eq!(all.named("Nod").unwrap().unwrap(), boxed("Nod"));
    assert!(all.named("Nobody").is_none());
}

#[test]
fn nothing_outside_of_the_folders_is_read() {
    let place = tempfile::tempdir().unwrap();
    let (mine, other) = (place.path().join("mine"), place.path().join("other"));
    put(&other, "Secret.xar", &boxed("Secret"));
    put(&mine, "Wave.xar", &boxed("Wave"));
    let all = box_folders(&[&mine]);
    for key in [
        "0/../other/Secret.xar",
        "0/Wave.xar/..",
        "1/Wave.xar",
        "Wave.xar",
        "0/",
        "",
        "x/Wave.xar",
        "0//Wave.xar",
        "0/Gone.xar",
    ] {
        assert!(all.text(key).is_err(), "{key}");
    }
    assert!(all.text(&format!("0/{}", other.join("Secret.xar").display())).is_err());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(other.join("Secret.xar"), mine.join("Link.xar")).unwrap();
        std::os::unix::fs::symlink(&other, mine.join("linked")).unwrap();
        let names: Vec<String> = all.content().boxes.into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["Wave"]);
        assert!(all.text("0/Link.xar").is_err() && all.text("0/linked/Secret.xar").is_err());
    }
    fs::write(mine.join("Wave.xar"), " ".repeat((1 << 20) + 1)).unwrap();
    assert!(all.text("0/Wave.xar").unwrap_err().contains("longer than 1024 KiB"));
}

#[test]
fn there_is_an_end_to_what_is_read() {
    let place = tempfile::tempdir().unwrap();
    for n in 0..510 {
        put(place.path(), &format!("{n:03}.xar"), &boxed(&n.to_string()));
    }
    put(place.path(), "a/b/c/d/e/f.xar", &boxed("too deep"));
    let content = box_folders(&[place.path()]).content();
    assert_eq!((content.boxes.len(), content.unread.len()), (500, 1));
    assert!(content.unread[0].contains("500"));
}

#[test]
fn a_box_is_kept_and_added_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    let mine = place.path().join("not/yet");
    let all = box_folders(&[&mine]);
    let from = document(TWO);
    let (file, say) = (from.file(), path("root/Say"));
    let kept = all.keep(0, (file, &say), "Greet: all", false).unwrap();
    assert_eq!((kept.file, kept.needs.len()), (mine.join("Greet%3a all.xar"), 0));
    let content = all.content();
    assert_eq!((&*content.boxes[0].name, &*content.boxes[0].group), ("Greet: all", "yet"));
    let text = all.named("Greet: all").unwrap().unwrap();
    let mut to = document(TWO);
    to.apply("add", None, &[op_of(&text)]).unwrap();
    assert!(to.file().text().contains("<Box name=\"Greet: all\" id=\"3\""));
    assert_eq!(to.file().text().matches("self.said(self.getParameter(\"Text\"))").count(), 2);
}

fn op_of(text: &str) -> Op {
    serde_json::from_value(serde_json::json!({"op": "add", "diagram": "root", "add": {"xar": text}})).unwrap()
}

#[test]
fn what_is_there_is_replaced_only_if_somebody_says_so() {
    let place = tempfile::tempdir().unwrap();
    let all = box_folders(&[place.path()]);
    let from: Document = document(TWO);
    let keep = |name: &str, of: &str, replace| all.keep(0, (from.file(), &path(of)), name, replace);
    put(place.path(), "Greet.xar", "mine");
    let said = || fs::read_to_string(place.path().join("Greet.xar")).unwrap();
    assert!(matches!(keep("Greet", "root/Say", false), Err(KeepError::Exists(_))));
    assert_eq!(said(), "mine");
    keep("Greet", "root/Say", true).unwrap();
    assert!(said().contains("name=\"Greet\""));
    assert!(matches!(keep(" ", "root/Say", false), Err(KeepError::NoName)));
    assert!(matches!(keep(&"x".repeat(300), "root/Say", false), Err(KeepError::LongName)));
    assert!(matches!(keep("New", "root/Nobody", false), Err(KeepError::Box(_))));
    assert!(matches!(all.keep(1, (from.file(), &path("root/Say")), "New", false), Err(KeepError::NoShelf)));
    fs::create_dir(place.path().join("Folder.xar")).unwrap();
    assert!(matches!(keep("Folder", "root/Say", true), Err(KeepError::NotAFile(_))));
    #[cfg(unix)]
    {
        let outside = tempfile::tempdir().unwrap();
        put(outside.path(), "secret", "theirs");
        std::os::unix::fs::symlink(outside.path().join("secret"), place.path().join("Link.xar")).unwrap();
        assert!(matches!(keep("Link", "root/Say", true), Err(KeepError::NotAFile(_))));
        assert_eq!(fs::read_to_string(outside.path().join("secret")).unwrap(), "theirs");
    }
    let mut names: Vec<_> = fs::read_dir(place.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert!(!names.iter().any(|name| name.to_string_lossy().contains("New")), "{names:?}");
}
