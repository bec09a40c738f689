//! Edits of projects: what changes, that all else keeps its bytes, and that undo gives everything back.

use boxstep_edit::project::{Nature, ProjectError, ProjectFolder, ProjectOp};
use boxstep_format::project::{read_manifest, read_pml, read_translations};
use boxstep_format::{Limits, open};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const PML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\r
<Package name=\"app\" format_version=\"4\">\r
    <Manifest src=\"manifest.xml\" />\r
    <BehaviorDescriptions>\r
        <BehaviorDescription name=\"behavior\" src='first'   xar=\"behavior.xar\" />\r
        <!-- The other one. -->\r
        <BehaviorDescription name=\"behavior\" src=\"second\" xar=\"behavior.xar\" />\r
    </BehaviorDescriptions>\r
    <Dialogs />\r
    <Resources>\r
        <File name=\"beep\" src=\"first/beep.wav\" />\r
    </Resources>\r
    <Topics />\r
    <IgnoredPaths>\r
        <Path src=\"first/notes.txt\" />\r
    </IgnoredPaths>\r
    <Translations auto-fill=\"en_US\">\r
        <Translation name=\"translation_fr_FR\" src=\"translations/translation_fr_FR.ts\" language=\"fr_FR\" />\r
    </Translations>\r
</Package>\r
";

const MANIFEST: &str = "<?xml version='1.0' encoding='UTF-8'?>
<package version=\"0.0.1\" uuid=\"app-d3b1\">
 <names>
  <name lang=\"en_US\">App</name>
 </names>
 <descriptionLanguages>
  <language>en_US</language>
 </descriptionLanguages>
 <contents>
  <behaviorContent path=\"first\">
   <userRequestable/>
   <nature>interactive</nature>
  </behaviorContent>
  <behaviorContent path=\"second\"/>
 </contents>
</package>
";

const TS: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<!DOCTYPE TS>
<TS version=\"2.1\" language=\"fr_FR\">
<context>
    <name>first/behavior.xar:/Say</name>
    <message>
        <source>Good day</source>
        <comment>Text</comment>
        <translation type=\"unfinished\"></translation>
    </message>
</context>
</TS>
";

const XAR: &str = "<ChoregrapheProject xar_version=\"3\"><Box name=\"root\" id=\"-1\"/></ChoregrapheProject>";

const SAYS: &str = r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram><Box name="Say" id="1"><Parameter name="Text" content_type="5" value="Good day" id="1"/></Box></Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>"#;

fn app() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("app.pml", PML),
        ("manifest.xml", MANIFEST),
        ("translations/translation_fr_FR.ts", TS),
        ("first/behavior.xar", XAR),
        ("first/beep.wav", "RIFF"),
        ("first/notes.txt", "notes"),
        ("second/behavior.xar", SAYS),
        ("loose.txt", "loose"),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for item in fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => drop(all.insert(path.clone(), fs::read(&path).unwrap())),
        }
    }
    all
}

fn ops(json: &str) -> Vec<ProjectOp> {
    serde_json::from_str(json).unwrap_or_else(|e| panic!("{e}: {json}"))
}

/// The lines that only one of two texts has.
fn difference(before: &str, after: &str) -> (Vec<String>, Vec<String>) {
    let only = |of: &str, other: &str| {
        let other: Vec<&str> = other.split('\n').collect();
        of.split('\n').filter(|line| !other.contains(line)).map(|line| line.trim().to_owned()).collect()
    };
    (only(before, after), only(after, before))
}

/// Does operations, and checks that undo gives all files back; returns the folder as it is after them.
fn done(json: &str) -> tempfile::TempDir {
    let folder = app();
    let before = files(folder.path());
    let mut project = ProjectFolder::open(folder.path()).unwrap();
    project.apply(&ops(json)).unwrap_or_else(|e| panic!("{e}"));
    let after = files(folder.path());
    assert!(project.undo().unwrap());
    assert_eq!(files(folder.path()), before);
    assert!(project.redo().unwrap());
    assert_eq!(files(folder.path()), after);
    // It is a project, still.
    open(folder.path(), &Limits::default()).unwrap();
    folder
}

fn text(folder: &tempfile::TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

fn refused(json: &str) -> ProjectError {
    let folder = app();
    let before = files(folder.path());
    let why = ProjectFolder::open(folder.path()).unwrap().apply(&ops(json)).unwrap_err();
    assert_eq!(files(folder.path()), before, "{json}");
    why
}

#[test]
fn a_behavior_is_added_with_its_entries() {
    let folder = done(r#"[{"op":"add_behavior","name":"third"}]"#);
    let (gone, come) = difference(PML, &text(&folder, "app.pml"));
    assert!(gone.is_empty());
    assert_eq!(come, [r#"<BehaviorDescription name="behavior" src="third" xar="behavior.xar" />"#]);
    assert!(text(&folder, "app.pml").contains("src=\"third\" xar=\"behavior.xar\" />\r\n    </Beh"));
    let manifest = read_manifest("manifest.xml", text(&folder, "manifest.xml").as_bytes(), &Limits::default()).unwrap();
    assert_eq!(manifest.behaviors.last().unwrap().path, "third");
    assert_eq!(manifest.uuid.as_deref(), Some("app-d3b1"));
    assert_eq!(open(folder.path(), &Limits::default()).unwrap().behaviors.len(), 3);
}

#[test]
fn a_behavior_is_renamed_wherever_it_is_named() {
    let folder = done(r#"[{"op":"rename_behavior","behavior":"first","name":"hello"}]"#);
    let (gone, come) = difference(PML, &text(&folder, "app.pml"));
    assert_eq!(gone.len(), 3);
    assert_eq!(come[0], r#"<BehaviorDescription name="behavior" src='hello'   xar="behavior.xar" />"#);
    let (gone, come) = difference(TS, &text(&folder, "translations/translation_fr_FR.ts"));
    assert_eq!((gone.len(), come.as_slice()), (1, ["<name>hello/behavior.xar:/Say</name>".to_owned()].as_slice()));
    let (_, come) = difference(MANIFEST, &text(&folder, "manifest.xml"));
    assert_eq!(come, [r#"<behaviorContent path="hello">"#]);
    assert_eq!(text(&folder, "hello/beep.wav"), "RIFF");
    assert!(!folder.path().join("first").exists());
}

#[test]
fn a_behavior_is_removed_with_its_folder() {
    let folder = done(r#"[{"op":"remove_behavior","behavior":"first"}]"#);
    let (gone, come) = difference(PML, &text(&folder, "app.pml"));
    assert_eq!((gone.len(), come.len()), (3, 0));
    assert!(text(&folder, "app.pml").contains("<!-- The other one. -->"));
    assert!(!folder.path().join("first").exists() && folder.path().join("second/behavior.xar").exists());
    assert!(!text(&folder, "translations/translation_fr_FR.ts").contains("<context>"));
    assert!(!text(&folder, "manifest.xml").contains("first"));
}

#[test]
fn a_dialog_has_a_topic_for_each_language() {
    let folder = done(
        r#"[{"op":"add_dialog","name":"talk","languages":["English"]},{"op":"add_dialog","name":"talk","languages":["fr_FR"]}]"#,
    );
    assert_eq!(text(&folder, "talk/talk.dlg"), "multilanguage:talk\nenu:talk_enu.top\nfrf:talk_frf.top\n");
    assert!(text(&folder, "talk/talk_frf.top").starts_with("topic: ~talk()\nlanguage: frf\n"));
    let pml = read_pml("app.pml", text(&folder, "app.pml").as_bytes(), &Limits::default()).unwrap();
    assert_eq!(pml.dialogs[0].src, "talk/talk.dlg");
    let topics: Vec<(&str, &str)> = pml.topics.iter().map(|one| (one.src.as_str(), one.language.as_str())).collect();
    assert_eq!(topics, [("talk/talk_enu.top", "en_US"), ("talk/talk_frf.top", "fr_FR")]);
    let folder = done(
        r#"[{"op":"add_dialog","name":"talk","languages":["English","French"]},{"op":"remove_dialog","name":"talk","languages":["English"]}]"#,
    );
    assert_eq!(text(&folder, "talk/talk.dlg"), "multilanguage:talk\nfrf:talk_frf.top\n");
    let folder =
        done(r#"[{"op":"add_dialog","name":"talk","languages":["enu","frf"]},{"op":"remove_dialog","name":"talk"}]"#);
    assert!(!folder.path().join("talk").exists());
}

#[test]
fn files_are_listed_and_stay_when_they_are_not() {
    let folder =
        done(r#"[{"op":"add_files","files":["loose.txt"]},{"op":"remove_files","files":["./first/beep.wav"]}]"#);
    let (gone, come) = difference(PML, &text(&folder, "app.pml"));
    assert_eq!((gone.len(), come.as_slice()), (1, [r#"<File name="loose" src="loose.txt" />"#.to_owned()].as_slice()));
    assert_eq!(text(&folder, "first/beep.wav"), "RIFF");
}

#[test]
fn a_manifest_keeps_its_identity() {
    let folder = done(
        r#"[{"op":"set_manifest","version":"1.2.0","names":{"English":"My App"},"descriptions":{"fr_FR":"Une <appli>"}}]"#,
    );
    let (gone, come) = difference(MANIFEST, &text(&folder, "manifest.xml"));
    assert_eq!(gone, [r#"<package version="0.0.1" uuid="app-d3b1">"#, r#"<name lang="en_US">App</name>"#]);
    assert!(come.contains(&r#"<package version="1.2.0" uuid="app-d3b1">"#.to_owned()), "{come:?}");
    let manifest = read_manifest("manifest.xml", text(&folder, "manifest.xml").as_bytes(), &Limits::default()).unwrap();
    assert_eq!(manifest.descriptions[0].text, "Une <appli>");
    assert_eq!(manifest.description_languages, ["en_US", "fr_FR"]);
}

#[test]
fn a_text_is_translated() {
    let set =
        |rest: &str| format!(r#"[{{"op":"set_translation","source":"Good day","translation":"Bonjour & co"{rest}}}]"#);
    let folder = done(&set(r#","language":"French""#));
    let (gone, come) = difference(TS, &text(&folder, "translations/translation_fr_FR.ts"));
    assert_eq!(
        (gone.len(), come.as_slice()),
        (1, ["<translation>Bonjour &amp; co</translation>".to_owned()].as_slice())
    );
    let folder = done(&set(r#","language":"ged","context":"second/behavior.xar:/Say""#));
    let german = text(&folder, "translations/translation_de_DE.ts");
    let read = read_translations("de.ts", german.as_bytes(), &Limits::default()).unwrap();
    assert_eq!((read.language.as_str(), read.len()), ("de_DE", 1), "{german}");
    assert!(text(&folder, "app.pml").contains("src=\"translations/translation_de_DE.ts\" language=\"de_DE\" />\r\n"));
    assert!(matches!(refused(&set(r#","language":"ged""#)), ProjectError::NoText(..)));
}

#[test]
fn what_cannot_be_done_changes_nothing_and_says_why() {
    for (json, why) in [
        (r#"[{"op":"add_behavior","name":"First"}]"#, "First is there already"),
        (r#"[{"op":"add_behavior","name":"../x"}]"#, "`../x` cannot be a name"),
        (r#"[{"op":"add_behavior","name":"third"},{"op":"add_behavior","name":"third"}]"#, "third is there already"),
        (r#"[{"op":"add_behavior","name":"ok"},{"op":"remove_behavior","behavior":"frist"}]"#, "no behavior `frist`"),
        (r#"[{"op":"rename_behavior","behavior":"first","name":"second"}]"#, "second is there already"),
        (r#"[{"op":"add_files","files":["nothing.txt"]}]"#, "no file `nothing.txt`"),
        (r#"[{"op":"add_files","files":["../x"]}]"#, "leads out of the folder"),
        (r#"[{"op":"add_files","files":["first/beep.wav"]}]"#, "is there already"),
        (r#"[{"op":"remove_files","files":["loose.txt"]}]"#, "no listed file `loose.txt`"),
        (r#"[{"op":"add_dialog","name":"talk","languages":["Klingon"]}]"#, "`Klingon` is no language"),
        (r#"[{"op":"remove_dialog","name":"talk"}]"#, "no dialog `talk`"),
        (r#"[{"op":"set_manifest","version":"1.x"}]"#, "`1.x` is no version"),
        (
            r#"[{"op":"set_translation","language":"ged","source":"Hi","translation":"Na","context":"second/behavior.xar:/Sya"}]"#,
            "the project has no box `second/behavior.xar:/Sya`; did you mean `second/behavior.xar:/Say`?",
        ),
        (
            r#"[{"op":"set_translation","language":"ged","source":"Hi","translation":"Na","context":"secnd/behavior.xar:/Say"}]"#,
            "no behavior `secnd/behavior.xar`; did you mean `second/behavior.xar`?",
        ),
        (
            r#"[{"op":"set_translation","language":"ged","source":"Hi","translation":"Na","context":"second/behavior.xar:/Say","parameter":"Txt"}]"#,
            "second/behavior.xar:/Say has no parameter `Txt`; did you mean `Text`?",
        ),
    ] {
        let said = refused(json).to_string();
        assert!(said.contains(why), "{json}: {said}");
    }
}

#[test]
fn a_folder_that_is_being_edited_or_shared_stays() {
    let folder = app();
    let mut project = ProjectFolder::open(folder.path()).unwrap();
    project.apply(&ops(r#"[{"op":"add_dialog","name":"talk","languages":["enu"]}]"#)).unwrap();
    let pml = text(&folder, "app.pml").replace("talk/talk", "first/talk");
    fs::write(folder.path().join("app.pml"), pml).unwrap();
    let why = project.apply(&ops(r#"[{"op":"remove_behavior","behavior":"first"}]"#)).unwrap_err();
    assert!(matches!(why, ProjectError::Shared(..)), "{why}");
    fs::write(folder.path().join("second/.behavior.xar.draft"), "{}").unwrap();
    let why = project.apply(&ops(r#"[{"op":"rename_behavior","behavior":"second","name":"b"}]"#)).unwrap_err();
    assert!(matches!(why, ProjectError::InUse(_)), "{why}");
    // Undo does not go over what another program has done.
    assert!(project.undo().is_err());
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let (folder, other) = (app(), tempfile::tempdir().unwrap());
    fs::write(other.path().join("x"), "x").unwrap();
    std::os::unix::fs::symlink(other.path().join("x"), folder.path().join("first/link")).unwrap();
    let before = files(folder.path());
    let mut project = ProjectFolder::open(folder.path()).unwrap();
    for json in [
        r#"[{"op":"remove_behavior","behavior":"first"}]"#,
        r#"[{"op":"rename_behavior","behavior":"first","name":"b"}]"#,
        r#"[{"op":"add_files","files":["first/link"]}]"#,
    ] {
        assert!(matches!(project.apply(&ops(json)), Err(ProjectError::Together(_))), "{json}");
    }
    assert_eq!(files(folder.path()), before);
}

#[test]
fn what_life_may_start_is_set_in_the_manifest_alone() {
    let folder = app();
    let manifest = || fs::read_to_string(folder.path().join("manifest.xml")).unwrap();
    let mut project = ProjectFolder::open(folder.path()).unwrap();
    let set = |behavior: &str, nature: &str| {
        ops(&format!(r#"[{{"op":"set_nature","behavior":"{behavior}","nature":"{nature}"}}]"#))
    };
    project.apply(&set("first", "solitary")).unwrap();
    assert_eq!(manifest(), MANIFEST.replace("interactive", "solitary"));
    project.apply(&set("first", "none")).unwrap();
    assert_eq!(manifest(), MANIFEST.replace("   <nature>interactive</nature>\n", ""));
    assert!(project.apply(&set("second", "none")).unwrap().is_empty());
    project.apply(&set("second", "interactive")).unwrap();
    let read = read_manifest("manifest.xml", manifest().as_bytes(), &Limits::default()).unwrap();
    let natures: Vec<_> = read.behaviors.iter().map(|one| (one.path.as_str(), one.nature.as_deref())).collect();
    assert_eq!(natures, [("first", None), ("second", Some("interactive"))]);
    let missing = project.apply(&set("frist", "none")).unwrap_err().to_string();
    assert!(missing.contains("no behavior `frist`") && missing.contains("first"), "{missing}");
    while project.undo().unwrap() {}
    assert_eq!(manifest(), MANIFEST);
}

fn any_op() -> impl Strategy<Value = ProjectOp> {
    let name = || prop::sample::select(vec!["first", "second", "third", "talk"]).prop_map(str::to_owned);
    let languages = || prop::collection::vec(prop::sample::select(vec!["English", "frf", "de_DE"]), 0..3);
    let languages = move || languages().prop_map(|all| all.into_iter().map(str::to_owned).collect::<Vec<_>>());
    let file =
        || prop::sample::select(vec!["loose.txt", "first/beep.wav", "third/behavior.xar"]).prop_map(str::to_owned);
    prop_oneof![
        name().prop_map(|name| ProjectOp::AddBehavior { name }),
        (name(), name()).prop_map(|(behavior, name)| ProjectOp::RenameBehavior { behavior, name }),
        name().prop_map(|behavior| ProjectOp::RemoveBehavior { behavior }),
        (name(), prop::sample::select(vec![Nature::Interactive, Nature::Solitary, Nature::None]))
            .prop_map(|(behavior, nature)| ProjectOp::SetNature { behavior, nature }),
        (name(), languages()).prop_map(|(name, languages)| ProjectOp::AddDialog { name, languages }),
        (name(), languages()).prop_map(|(name, languages)| ProjectOp::RemoveDialog { name, languages }),
        file().prop_map(|file| ProjectOp::AddFiles { files: vec![file] }),
        file().prop_map(|file| ProjectOp::RemoveFiles { files: vec![file] }),
        "[0-9]{1,2}".prop_map(|version| ProjectOp::SetManifest {
            version: Some(version),
            names: BTreeMap::new(),
            descriptions: BTreeMap::new()
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever is done, undoing all of it gives every byte back; and what is refused has changed nothing.
    #[test]
    fn undo_gives_back_every_byte(all in prop::collection::vec(any_op(), 1..12)) {
        let folder = app();
        let before = files(folder.path());
        let mut project = ProjectFolder::open(folder.path()).unwrap();
        for op in all {
            let now = files(folder.path());
            if project.apply(&[op]).is_err() {
                prop_assert_eq!(files(folder.path()), now);
            }
        }
        while project.undo().unwrap() {}
        prop_assert_eq!(files(folder.path()), before);
    }
}

#[test]
fn a_page_sees_what_a_project_has() {
    let folder = app();
    let mut project = ProjectFolder::open(folder.path()).unwrap();
    let add = ProjectOp::AddDialog { name: "talk".into(), languages: vec!["English".into(), "fr_FR".into()] };
    project.apply(&[add]).unwrap();
    let has = project.contents().unwrap();
    assert_eq!((has.name.as_str(), has.behaviors.as_slice()), ("app", &["first".to_owned(), "second".to_owned()][..]));
    assert_eq!(has.files, ["first/beep.wav"]);
    assert_eq!(has.unlisted, ["first/notes.txt", "loose.txt"]);
    let dialogs: Vec<_> = has.dialogs.iter().map(|one| (one.name.as_str(), one.languages.join(" "))).collect();
    assert_eq!(dialogs, [("talk/talk.dlg", "English French".to_owned())]);
    let package = has.package.unwrap();
    assert_eq!((package.version.as_str(), package.names["English"].as_str()), ("0.0.1", "App"));
    assert!(project.can_undo() && project.undo().unwrap() && !project.can_undo());
}

#[test]
fn scripts_that_name_a_behavior_are_found() {
    let folder = app();
    let script = "manager.runBehavior(\"app/second\")\nprint('second')\nmanager.startBehavior('secondary')\n";
    fs::write(folder.path().join("loose.py"), script).unwrap();
    let xar = XAR.replace(
        "id=\"-1\"/>",
        "id=\"-1\"><script language=\"4\"><content><![CDATA[a = 1\nm.isBehaviorRunning('second')]]></content></script></Box>",
    );
    fs::write(folder.path().join("first/behavior.xar"), xar).unwrap();
    let project = ProjectFolder::open(folder.path()).unwrap();
    let found = project.mentions("second");
    let places: Vec<_> = found.iter().map(|one| (one.place.as_str(), one.line)).collect();
    assert_eq!(places, [("first/behavior.xar: root", 2), ("loose.py", 1)]);
    assert_eq!(found[1].text, "manager.runBehavior(\"app/second\")");
    assert!(project.mentions("first").is_empty());
}
