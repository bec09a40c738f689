//! Checks of a project apart from its behaviors, rule by rule.

use boxstep_check::{Found, codes, project, project_of_behavior};
use boxstep_format::codes as files;
use boxstep_format::{Limits, open};
use boxstep_types::{Code, Severity};
use std::path::{Path, PathBuf};

/// The folder of a project that one test uses.
struct Project(PathBuf);

impl Project {
    fn new(name: &str, groups: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        let project = Self(folder);
        let behavior = "<BehaviorDescriptions><BehaviorDescription name='b' src='b'/></BehaviorDescriptions>";
        project.put("p.pml", &format!("<Package name='p' format_version='4'>{behavior}{groups}</Package>"));
        project.put(
            "b/behavior.xar",
            "<ChoregrapheProject xar_version='3'><Box name='root' id='-1'/></ChoregrapheProject>",
        );
        project
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn found(&self, language: Option<&str>) -> Vec<Found> {
        project(&open(&self.0, &Limits::default()).unwrap(), &self.0, language)
    }

    /// Returns each code, with the text at its span or the name of the file.
    fn codes(&self) -> Vec<(Code, String)> {
        let place = |f: &Found| match f.finding.span {
            Some(span) => f.sources.slice(span).to_owned(),
            None => Path::new(&f.file).file_name().unwrap().to_string_lossy().into_owned(),
        };
        self.found(None).iter().map(|f| (f.finding.code, place(f))).collect()
    }

    #[track_caller]
    fn expect(&self, want: &[(Code, &str)]) {
        let found = self.codes();
        let found: Vec<_> = found.iter().map(|(code, place)| (*code, place.as_str())).collect();
        assert_eq!(found, want);
    }
}

const DIALOG: &str = "<Dialogs><Dialog name='d' src='d/d.dlg'/></Dialogs>";

#[test]
fn a_dialog_names_topics_that_are_there_and_of_its_language() {
    let project = Project::new("dialog", DIALOG);
    project.expect(&[(files::MISSING_FILE, "<Dialog name='d' src='d/d.dlg'/>")]);
    project.put("d/d.dlg", "multilanguage:d\n  enu:d_enu.top\n");
    project.expect(&[(codes::MISSING_TOPIC, "d_enu.top")]);
    project.put("d/d_enu.top", "topic: ~d()\nlanguage: English\n");
    project.expect(&[]);
    project.put("d/d.dlg", "multilanguage:d\n frf:d_enu.top\n");
    project.expect(&[(codes::CONTENT_MISMATCH, "frf")]);
    project.put("d/d.dlg", "multilanguage:d\n xyz:d_enu.top\nenu:../../out.top\n");
    project.expect(&[(codes::CONTENT_MISMATCH, "xyz"), (codes::PATH_ESCAPES, "../../out.top")]);
    project.put("d/d.dlg", "");
    project.expect(&[(codes::BAD_CONTENT, ""), (codes::BAD_CONTENT, "")]);
    project.put("d/d.dlg", "multilanguage:d\nenu:d_enu.top\nwhat is this\n");
    project.expect(&[(codes::BAD_CONTENT, "what is this")]);
}

#[test]
fn a_topic_is_what_it_is_listed_as() {
    let topic = "<Topic name='t' src='t.top' topicName='t' language='en_US'/>";
    let project = Project::new("topic", &format!("<Topics>{topic}</Topics>"));
    project.expect(&[(files::MISSING_FILE, topic)]);
    project.put("t.top", "# hello\ntopic: ~t()\nlanguage: enu\nu:(hi) hello\n");
    project.expect(&[]);
    project.put("t.top", "topic: ~other()\nlanguage: jpj\n");
    project.expect(&[(codes::CONTENT_MISMATCH, "~other"), (codes::CONTENT_MISMATCH, "jpj")]);
    project.put("t.top", "u:(hi) hello\n");
    project.expect(&[(codes::BAD_CONTENT, ""), (codes::BAD_CONTENT, "")]);
}

#[test]
fn topics_and_dialogs_that_the_player_does_not_read_are_errors() {
    let project = Project::new("unreadable", &format!("{DIALOG}<Topics><Topic name='d' src='d/d.top'/></Topics>"));
    let errors = || {
        let found = project.found(None).into_iter().filter(|found| found.finding.severity == Severity::Error);
        let place = |f: &Found| f.finding.span.map_or(f.file.clone(), |span| f.sources.place(span));
        let name = |place: String| place.rsplit('/').next().unwrap().to_owned();
        found.map(|f| (f.finding.code, name(place(&f)))).collect::<Vec<_>>()
    };
    let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let dialog = "\u{feff}multilanguage:d\nenu:d.top\nfrf:f.top\n";
    let topic = "\u{feff}topic: ~d()\nlanguage: enu\n";
    let put = |name: &str, bytes: &[u8]| std::fs::write(project.0.join("d").join(name), bytes).unwrap();
    project.put("d/d.dlg", dialog);
    put("d.top", topic.as_bytes());
    put("f.top", b"topic: ~d()\nlanguage: frf\n");
    assert_eq!(errors(), []);
    // Listed by the project and by the dialog, and told once.
    put("d.top", &utf_16(topic));
    assert_eq!(errors(), [(files::BAD_ENCODING, "d.top".to_owned())]);
    put("d.top", b"topic: ~d()\nlanguage: enu\nu:(\xe9) b\n");
    assert_eq!(errors(), [(files::BAD_ENCODING, "d.top".to_owned())]);
    put("d.top", b"");
    assert_eq!(errors(), [(codes::BAD_CONTENT, "d.top:1:1".to_owned())]);
    put("d.top", topic.as_bytes());
    // Listed by the dialog only.
    put("f.top", b"language: frf\n");
    assert_eq!(errors(), [(codes::BAD_CONTENT, "f.top:1:1".to_owned())]);
    put("f.top", &utf_16(topic));
    assert_eq!(errors(), [(files::BAD_ENCODING, "f.top".to_owned())]);
    put("d.dlg", &utf_16(dialog));
    assert_eq!(errors(), [(files::BAD_ENCODING, "d.dlg".to_owned())]);
}

#[test]
fn translations_are_readable_and_of_their_language() {
    let entry = "<Translation name='t' src='de.ts' language='de_DE'/>";
    let project = Project::new("translation", &format!("<Translations>{entry}</Translations>"));
    project.expect(&[(files::MISSING_FILE, entry)]);
    project.put("de.ts", "<TS language='de_DE'/>");
    project.expect(&[]);
    project.put("de.ts", "<TS language='fr_FR'/>");
    project.expect(&[(codes::CONTENT_MISMATCH, entry)]);
    project.put("de.ts", "<TS>");
    project.expect(&[(files::NOT_XML, "<TS")]);
    let found = project.found(None);
    assert!(found[0].file.ends_with("de.ts") && found[0].finding.severity == Severity::Error, "{found:?}");
}

#[test]
fn a_language_without_a_translation_is_a_note() {
    let project = Project::new("languages", "");
    let manifest = "<package><supportedLanguages><language>de_DE</language><language>fr_FR</language>\
                    </supportedLanguages></package>";
    project.put("manifest.xml", manifest);
    project.expect(&[]);
    project.put("translations/translation_de_DE.ts", "<TS language='de_DE'/>");
    let found = project.found(Some("Spanish"));
    let notes: Vec<_> =
        found.iter().map(|f| (f.finding.code, f.finding.severity, f.finding.message.as_str())).collect();
    let note = |message| (codes::MISSING_TRANSLATION, Severity::Note, message);
    assert_eq!(
        notes,
        [
            note("the project's texts are not translated into es_ES"),
            note("the project's texts are not translated into fr_FR")
        ]
    );
}

#[test]
fn a_manifest_offers_what_is_there() {
    let project = Project::new("manifest", "");
    project.put(
        "manifest.xml",
        "<package><contents><behaviorContent path='b'/><behaviorContent path='./b/'/><behaviorContent path='c'/>\
         <behaviorContent path='../d'/><dialogContent topicName='t'><topic language='en_US' path='t.top'/>\
         </dialogContent></contents></package>",
    );
    let dialog = "<dialogContent topicName='t'><topic language='en_US' path='t.top'/></dialogContent>";
    project.expect(&[
        (files::MISSING_FILE, "<behaviorContent path='c'/>"),
        (files::PATH_ESCAPES, "<behaviorContent path='../d'/>"),
        (files::MISSING_FILE, dialog),
    ]);
    project.put("manifest.xml", "<package><contents>");
    project.expect(&[(files::NOT_XML, "<contents")]);
    assert!(project.found(None)[0].file.ends_with("manifest.xml"));
}

#[test]
fn many_missing_files_are_one_finding() {
    let file = |n: usize| format!("<File name='f{n}' src='html/f{n}.js'/>");
    let all: String = (0..20).map(file).collect();
    let project = Project::new("files", &format!("<Resources>{all}<File name='w' src='way.pmt'/></Resources>"));
    project.put("way.pmt", "<xml/>");
    project.expect(&[(files::MISSING_FILE, &file(0)), (codes::BAD_CONTENT, "<File name='w' src='way.pmt'/>")]);
    let found = project.found(None);
    assert_eq!(found[0].finding.message, "the file `html/f0.js` and 19 more of the project are not there");
    assert_eq!(found[0].finding.notes.len(), 5);
}

#[test]
fn one_behavior_does_not_ask_for_its_neighbours() {
    let project = Project::new("alone", DIALOG);
    let xar = project.0.join("b/behavior.xar");
    let opened = open(&xar, &Limits::default()).unwrap();
    assert!(project_of_behavior(&opened, &xar, None).is_empty());
    project.put("stray/behavior.xar", "");
    project.expect(&[(files::MISSING_FILE, "<Dialog name='d' src='d/d.dlg'/>"), (codes::UNLISTED_FILE, "alone")]);
}
