//! Projects and archives as a user meets them: what is in them, what is wrong with them, what they want.

use crate::common::{Temp, say, xar};
use std::path::Path;

/// A box that says a localized text, one that would talk, and one that knows where it is.
fn behavior() -> String {
    let say = "class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        \
               ALProxy('ALTextToSpeech').say(self.getParameter('Text'))\n";
    let dialog = "<dialogFile>../d/d.dlg</dialogFile>".to_owned();
    let start = xar::input(2, "onStart", 2);
    let text = r#"<Parameter name="Text" inherits_from_parent="0" content_type="5" value="Hello" default_value="" tooltip="" id="5" />"#;
    let talk = xar::a_box(2, "Talk", "", &(dialog + &start), "");
    let boxes = xar::a_box(1, "Say", say, &start, text) + &talk;
    xar::behavior(&start, &xar::flow(&(boxes + &xar::link((0, 2), (1, 2)))))
}

const GERMAN: &str = "<!DOCTYPE TS><TS language=\"de_DE\"><context><name>talk/behavior.xar:/Say</name><message><source>\
                      Hello</source><comment>Text</comment><translation>Guten Tag</translation></message></context></TS>";

/// A project's folder.
struct App(Temp);

impl App {
    fn new() -> Self {
        let app = Self(Temp::new("app"));
        app.put(
            "app.pml",
            "<Package name=\"app\" format_version=\"4\"><Manifest src=\"manifest.xml\" /><BehaviorDescriptions>\
             <BehaviorDescription name=\"behavior\" src=\"talk\" xar=\"behavior.xar\" /></BehaviorDescriptions>\
             <Dialogs><Dialog name=\"d\" src=\"d/d.dlg\" /></Dialogs><Topics><Topic name=\"d_enu\" src=\"d/d_enu.top\" \
             topicName=\"d\" language=\"en_US\" /></Topics><Translations><Translation name=\"de\" \
             src=\"translations/translation_de_DE.ts\" language=\"de_DE\" /></Translations></Package>",
        );
        app.put("manifest.xml", "<package uuid=\"app\" version=\"0.0.1\"><contents/></package>");
        app.put("talk/behavior.xar", &behavior());
        app.put("d/d.dlg", "multilanguage:d\n  enu:d_enu.top\n");
        app.put("d/d_enu.top", "topic: ~d()\nlanguage: enu\nu:(hello) hello\n");
        app.put("translations/translation_de_DE.ts", GERMAN);
        app
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.0.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn arg(&self) -> &str {
        self.0.arg()
    }
}

fn said(file: &str, more: &[&str]) -> String {
    say(&[&["play", file, "--virtual"], more].concat()).code(0).out
}

/// What is said by a file without its dialog, whose box takes no part: such a run counts as failed.
fn said_without_dialog(file: &str, more: &[&str]) -> String {
    let said = say(&[&["play", file, "--virtual"], more].concat()).code(4).out;
    assert!(said.contains("the dialog ../d/d.dlg does not run"), "{said}");
    said
}

#[test]
fn texts_are_said_in_the_language_from_every_kind_of_file() {
    let app = App::new();
    let [crg, pkg, split] = [Temp::new("crg"), Temp::new("pkg"), Temp::new("split")];
    say(&["pack", app.arg(), crg.arg()]).code(0);
    say(&["pack", app.arg(), pkg.arg()]).code(0);
    say(&["convert", app.arg(), &format!("{}/", split.arg())]).code(0);
    let pml = format!("{}/app.pml", app.arg());
    let xar = format!("{}/talk/behavior.xar", app.arg());
    let dialog = |file: &str| file != split.arg();
    for file in [app.arg(), &pml, &xar, crg.arg(), pkg.arg(), split.arg()] {
        let said = if dialog(file) { said } else { said_without_dialog };
        for german in ["German", "de_DE"] {
            assert!(said(file, &["--language", german]).contains("says “Guten Tag”"), "{file} {german}");
        }
        assert!(said(file, &[]).contains("says “Hello”"), "{file}: English in simulation");
        assert!(said(file, &["--language", "French"]).contains("says “Hello”"), "{file}: the source text");
    }
}

#[test]
fn a_project_says_its_body_and_language_and_the_command_line_has_the_last_word() {
    let app = App::new();
    app.put("boxstep.toml", "body = \"pepper\"\nlanguage = \"German\"\n");
    let own = said(app.arg(), &[]);
    assert!(own.contains("body: pepper (boxstep.toml)") && own.contains("“Guten Tag”"), "{own}");
    let asked = said(app.arg(), &["--body", "nao", "--language", "English"]);
    assert!(asked.contains("body: nao (--body)") && asked.contains("“Hello”"), "{asked}");
    // Beside an archive it counts too.
    let archive = format!("{}/app.crg", app.arg());
    say(&["pack", &format!("{}/talk", app.arg()), &archive]).code(0);
    assert!(said_without_dialog(&archive, &[]).contains("body: pepper (boxstep.toml)"));
    app.put("boxstep.toml", "body = \"spot\"\n");
    let refused = say(&["play", app.arg(), "--virtual"]).code(2);
    assert!(refused.err.contains("BS0710") && refused.err.contains("boxstep.toml:1:8"), "{}", refused.err);
}

#[test]
fn a_dialog_with_an_error_fails_the_run_and_why_says_so() {
    let app = App::new();
    app.put("d/d_enu.top", "topic: ~d()\nlanguage: enu\nu:([hello) hello\n");
    let trace = Temp::new("jsonl");
    say(&["play", app.arg(), "--virtual", "--trace", trace.arg()]).code(4);
    let why = say(&["why", trace.arg()]).code(0).out;
    assert!(why.contains("d_enu.top:3:4: `[` is not closed"), "{why}");
}

#[test]
fn a_dialog_box_answers() {
    let app = App::new();
    let played = said(app.arg(), &["--hear", "hello"]);
    assert!(played.contains("hears “hello”") && played.contains("says “hello”"), "{played}");
}

#[test]
fn a_project_shows_its_dialogs_topics_and_translations() {
    let app = App::new();
    let tree = say(&["show", app.arg()]).code(0).out;
    let want = "project\n├─ dialogs\n│  └─ d/d.dlg: enu\n├─ topics\n│  └─ d/d_enu.top: d, enu\n└─ translations\n   \
                └─ translations/translation_de_DE.ts: de_DE, 1 text\n";
    assert!(tree.ends_with(want), "{tree}");
    let json: serde_json::Value =
        serde_json::from_str(&say(&["show", app.arg(), "--format", "json"]).code(0).out).unwrap();
    let contents = &json["contents"];
    assert_eq!(contents["dialogs"][0]["topics"][0], serde_json::json!({"language": "enu", "path": "d_enu.top"}));
    assert_eq!(contents["topics"][0]["name"], "d");
    assert_eq!((&contents["translations"][0]["texts"], &json["root"]["name"]), (&1.into(), &"root".into()));
}

#[test]
fn a_project_of_dialogs_alone_is_checked_and_shown_and_cannot_be_played() {
    let app = App::new();
    app.put(
        "app.pml",
        "<Package name=\"app\" format_version=\"4\"><Dialogs><Dialog name=\"d\" src=\"d/d.dlg\" /></Dialogs></Package>",
    );
    let checked = say(&["check", app.arg(), "--deny", "warnings"]).code(0).out;
    assert!(checked.starts_with("0 errors, 0 warnings in 0 behaviors"), "{checked}");
    say(&["check", "-r", &format!("{}/app.pml", app.arg())]).code(0);
    assert!(say(&["show", app.arg()]).code(0).out.starts_with("app\nproject\n├─ dialogs\n│  └─ d/d.dlg: enu\n"));
    let json: serde_json::Value =
        serde_json::from_str(&say(&["show", app.arg(), "--format", "json"]).code(0).out).unwrap();
    assert_eq!((&json["kind"], &json["root"]), (&"project".into(), &serde_json::Value::Null));
    let played = say(&["play", app.arg(), "--virtual"]).code(2);
    assert!(played.err.contains("has no behavior; `boxstep show "), "{}", played.err);
}

/// Text, one JSON object, and the one SARIF result, all with the code and the file.
fn told(file: &str, code: &str, exit: i32) {
    let text = say(&["check", file]).code(exit).out;
    assert!(text.contains(&format!("[{code}]: ")) && text.contains(file), "{text}");
    let line = say(&["check", file, "--format", "json"]).code(exit).out;
    let json: serde_json::Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
    assert_eq!((json["code"].as_str(), json["file"].as_str()), (Some(code), Some(file)), "{json}");
    let sarif = say(&["check", file, "--format", "sarif"]).code(exit).out;
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
    assert_eq!((result["ruleId"].as_str(), uri), (Some(code), format!("file://{file}").as_str()));
}

#[cfg(unix)]
#[test]
fn a_broken_archive_is_a_finding_with_its_code_and_file_in_every_format() {
    let app = App::new();
    let archive = Temp::new("crg");
    say(&["pack", app.arg(), archive.arg()]).code(0);
    let sound = std::fs::read(&archive.0).unwrap();
    say(&["check", archive.arg()]).code(0);
    std::fs::write(&archive.0, &sound[..sound.len() / 2]).unwrap();
    told(archive.arg(), "BS0070", 2);
    std::fs::write(&archive.0, "neither ar nor zip").unwrap();
    told(archive.arg(), "BS0070", 2);
    std::fs::write(&archive.0, [&sound[..], b"!"].concat()).unwrap();
    told(archive.arg(), "BS0070", 2);
    // A member of Debian's that is none of ours keeps nobody from reading the rest.
    let renamed = Temp::new("pkg");
    std::fs::write(&renamed.0, &sound).unwrap();
    told(renamed.arg(), "BS0075", 0);
    let said = say(&["check", renamed.arg(), "--deny", "archive-other-kind"]).code(1);
    assert!(said.out.contains("error[BS0075]"), "{}", said.out);
    assert!(Path::new(renamed.arg()).is_file());
}

#[test]
fn collaborative_dialogs_of_the_package_answer_without_a_box() {
    let app = App::new();
    let contents = "<contents><dialogContent topicName='offer'><topic language='en_US' path='offer/offer_enu.top'/>\
                    <topic language='fr_FR' path='offer/offer_frf.top'/></dialogContent><dialogContent topicName='away'>\
                    <topic language='en_US' path='../away.top'/></dialogContent></contents>";
    app.put("manifest.xml", &format!("<package uuid=\"app\" version=\"0.0.1\">{contents}</package>"));
    app.put("offer/offer_enu.top", "topic: ~offer()\nlanguage: enu\nu:(tea) with milk\n");
    app.put("offer/offer_frf.top", "topic: ~offer()\nlanguage: frf\nu:(thé) avec du lait\n");
    let out = said(app.arg(), &["--hear", "tea", "--hear", "hello"]);
    assert!(out.contains("says “with milk”") && out.contains("says “hello”"), "{out}");
    let out = said(app.arg(), &["--language", "French", "--hear", "thé"]);
    assert!(out.contains("says “avec du lait”"), "{out}");
    // Without a behavior there is still somebody to talk to.
    std::fs::remove_dir_all(app.0.0.join("talk")).unwrap();
    std::fs::remove_file(app.0.0.join("app.pml")).unwrap();
    let err = say(&["play", app.arg(), "--virtual"]).code(2).err;
    assert!(err.contains("has no behavior; talk to its dialogs with `boxstep talk"), "{err}");
}
