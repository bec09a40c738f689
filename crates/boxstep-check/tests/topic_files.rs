//! Topics as files: what they include, the dialogs and boxes that name them, and whether the player can load them.

use crate::topics::Folder;
use boxstep_check::codes as codes_of_check;
use boxstep_check::{
    CheckedDialog, Context, DIALOG_CODES, Found, baseline, check, dialog_file, dialogs_of, listed_dialogs, project,
    render, sarif, to_json, topic_file,
};
use boxstep_dialog::files::{TopicFiles, open_dialog, open_topic};
use boxstep_dialog::{Conversation, codes};
use boxstep_format::codes as files;
use boxstep_format::{Limits, open, read_xar};
use boxstep_types::{Diagnostic, Severity};
use std::path::{Path, PathBuf};

#[test]
fn included_topics() {
    let folder = Folder::new("include");
    let found = folder
        .expect("include: more.top\nu:(~x) a", &[(codes::NO_INCLUDE, "more.top"), (codes::UNKNOWN_CONCEPT, "~x")]);
    assert_eq!((found[0].severity, found[1].severity), (Severity::Warning, Severity::Note));
    folder.put("more.top", "topic: ~more()\nlanguage: enu\nconcept:(x) [y]\n");
    folder.expect("include: more.top\nu:(~x) a", &[]);
    // In the folder or below it, whatever the slashes.
    folder.put("below/more.top", "topic: ~below()\nlanguage: enu\nconcept:(z) [y]\n");
    folder.expect("include: below\\more.top\ninclude: ./more.top\nu:(~x) ~z", &[]);
}

/// What `check` says about an `include:` line is what the player does with it.
#[test]
fn includes_that_the_player_does_not_read() {
    let folder = Folder::new("include_unread");
    folder.put("p.pml", "<Package name='p' format_version='4'/>");
    folder.put("t/more.top", "topic: ~more()\nlanguage: enu\n");
    folder.put("out.top", "topic: ~out()\nlanguage: enu\n");
    folder.put("t/lexicon_czc.top", "topic: ~lexicon_czc()\nlanguage: enu\n");
    folder.put("t/same.top", "topic: ~t()\nlanguage: enu\n");
    folder.put("t/lexicon_frf.top", "topic: ~t()\nlanguage: French\n");
    folder.put_bytes("t/utf16.top", &utf_16("topic: ~utf16()\nlanguage: enu\n"));
    let read = [
        "more.top",
        "lexicon_frf.top",
        "lexicon_enu.top",
        "../lexicon_frf.top",
        "x/lexicon_jpj.top",
        "lexicon_czc.top",
    ];
    let unread = [
        ("mor.top", "did you mean `more.top`?"),
        ("\"more.top\"", "write the name of the file without quotation marks"),
        ("../out.top", "put a copy into the folder of this topic or below it, and include that"),
        ("below/../more.top", "put a copy into the folder of this topic or below it, and include that"),
        ("/more.top", "put a copy into the folder of this topic or below it, and include that"),
        ("basic_channel/dlg_hello_enu.top", "it is looked for in the folder of this topic and below it; topics of"),
        ("lexicon_kok.top", "Boxstep has no lexicon in Korean, and plays the topic without it"),
        ("lexicon_xyz.top", "`xyz` is not the code of a language"),
        ("utf16.top", "save it as UTF-8"),
        ("same.top", "give each topic a name of its own"),
    ];
    let all = read.iter().copied().map(|name| (name, None)).chain(unread.map(|(name, help)| (name, Some(help))));
    for (name, help) in all {
        folder.put("t/t.top", &format!("topic: ~t()\nlanguage: enu\ninclude: {name}\nu:(a) b\n"));
        let path = folder.0.join("t/t.top");
        let problems = open_topic(&path).unwrap().topic.problems;
        let found = topic_file(&path, "t/t.top").unwrap();
        assert_eq!((problems.len(), found.len()), (usize::from(help.is_some()), usize::from(help.is_some())), "{name}");
        for (found, problem) in found.iter().zip(&problems) {
            let Found { finding, sources, .. } = found;
            assert_eq!((finding.code, finding.severity), (problem.code, problem.severity));
            assert_eq!(sources.slice(finding.span.unwrap()), name);
            let told = finding.help.as_deref().unwrap();
            assert!(told.starts_with(help.unwrap()), "{name}: {told}");
        }
    }
}

/// Whether the player loads a topic.
fn loads(path: &Path) -> bool {
    let Ok(TopicFiles { topic, includes, .. }) = open_topic(path) else { return false };
    Conversation::new("English", 0).add(topic, includes).is_ok()
}

#[test]
fn a_topic_that_the_player_does_not_load_has_an_error() {
    let folder = Folder::new("not_loaded");
    let head = "topic: ~t()\nlanguage: enu\n";
    folder.put("broken.top", "topic: ~broken()\nlanguage: enu\nu:(a\n");
    folder.put("nameless.top", "language: enu\nu:(a) b\n");
    folder.put("sub/outer.top", "topic: ~outer()\nlanguage: enu\ninclude: inner.top\n");
    folder.put("sub/inner.top", "topic: ~inner()\nlanguage: enu\nu:(x\n");
    folder.put("ring.top", "topic: ~ring()\nlanguage: enu\ninclude: t.top\n");
    let ok = [
        format!("{head}u:(a) b\n"),
        format!("\u{feff}{head}include: ring.top\n"),
        format!("{head}include: gone.top\n"),
    ];
    let not = [
        (String::new(), codes_of_check::BAD_CONTENT),
        ("# nothing\n".to_owned(), codes_of_check::BAD_CONTENT),
        ("language: enu\nu:(a) b\n".to_owned(), codes_of_check::BAD_CONTENT),
        ("topic:\nlanguage: enu\n".to_owned(), codes::NOT_A_RULE),
        (format!("{head}u:(a b\n"), codes::UNBALANCED),
        (format!("{head}include: broken.top\n"), codes_of_check::BROKEN_INCLUDE),
        (format!("{head}include: nameless.top\n"), codes_of_check::BROKEN_INCLUDE),
        (format!("{head}include: sub/outer.top\n"), codes_of_check::BROKEN_INCLUDE),
    ];
    let all = ok.iter().map(|text| (text, None)).chain(not.iter().map(|(text, code)| (text, Some(*code))));
    let path = folder.0.join("t.top");
    for (text, code) in all {
        folder.put("t.top", text);
        let found = topic_file(&path, "t.top").unwrap();
        let errors = found.iter().filter(|found| found.finding.severity == Severity::Error);
        let errors: Vec<_> = errors.map(|found| found.finding.code).collect();
        assert_eq!(errors, code.into_iter().collect::<Vec<_>>(), "{text}");
        assert_eq!(loads(&path), code.is_none(), "{text}");
    }
    for bytes in [utf_16(head), head.replace('t', "\u{e9}").chars().map(|c| c as u8).collect()] {
        folder.put_bytes("t.top", &bytes);
        let found = topic_file(&path, "t.top").unwrap_err();
        assert!(!loads(&path));
        assert_eq!((found.finding.code, found.finding.severity), (files::BAD_ENCODING, Severity::Error));
        assert!(found.finding.help.unwrap().starts_with("save it as UTF-8") && found.file == "t.top");
    }
}

#[test]
fn an_error_of_an_included_topic_is_shown_in_its_file() {
    let folder = Folder::new("broken_include");
    folder.put("d/sub/outer.top", "topic: ~outer()\nlanguage: enu\ninclude: inner.top\n");
    folder.put("d/sub/inner.top", "topic: ~inner()\nlanguage: enu\n\nu:(a\nu:(b\n");
    folder.put("d/t.top", "topic: ~t()\nlanguage: enu\ninclude: sub/outer.top\ninclude: sub/inner.top\n");
    let found = topic_file(&folder.0.join("d/t.top"), "d/t.top").unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    let Found { finding, sources, .. } = &found[0];
    assert_eq!(sources.place(finding.span.unwrap()), "d/t.top:3:10");
    assert_eq!(sources.place(finding.notes[0].span.unwrap()), "d/sub/inner.top:4:3");
    assert_eq!(finding.notes[0].message, "`(` is not closed");
    // Lines move, so the message that baselines know names none.
    assert_eq!(finding.message, "the topic cannot be loaded, because the included `sub/outer.top` has an error");
    let shown = render(finding, sources, false);
    assert!(shown.contains(" --> d/t.top:3:10\n") && shown.contains("::: d/sub/inner.top:4:3\n"), "{shown}");
}

#[test]
fn a_dialog_by_itself() {
    let folder = Folder::new("dialog_file");
    let check = |text: &str| {
        folder.put("d/d.dlg", text);
        let CheckedDialog { findings, topics } = dialog_file(&folder.0.join("d/d.dlg"), "d/d.dlg").unwrap();
        let findings =
            findings.iter().map(|f| (f.finding.code, f.finding.severity, f.sources.place(f.finding.span.unwrap())));
        (findings.collect::<Vec<_>>(), topics.into_iter().map(|(_, shown)| shown).collect::<Vec<_>>())
    };
    folder.put("p.pml", "<Package name='p' format_version='4'/>");
    folder.put("d/sub/t.top", "topic: ~t()\nlanguage: enu\n");
    folder.put("up.top", "topic: ~up()\nlanguage: frf\n");
    let text = "multilanguage:d\nenu:sub/t.top\nged:gone.top\n";
    let missing = (codes_of_check::MISSING_TOPIC, Severity::Error, "d/d.dlg:3:5".to_owned());
    assert_eq!(check(text), (vec![missing], vec!["d/sub/t.top".to_owned()]));
    // The player reads topics in the dialog's folder and below it, and no others.
    let (found, _) = check("multilanguage:d\nfrf:../up.top\n");
    assert_eq!(found, [(codes_of_check::PATH_ESCAPES, Severity::Error, "d/d.dlg:2:5".to_owned())]);
    assert!(open_dialog(&folder.0.join("d/d.dlg"), None).is_err());
    let (found, _) = check("multilanguage:d\n");
    assert_eq!(found, [(codes_of_check::BAD_CONTENT, Severity::Error, "d/d.dlg:1:1".to_owned())]);
    assert!(open_dialog(&folder.0.join("d/d.dlg"), None).is_err());
    folder.put_bytes("d/d.dlg", &utf_16(text));
    let found = dialog_file(&folder.0.join("d/d.dlg"), "d/d.dlg").unwrap_err();
    assert_eq!((found.finding.code, found.finding.severity), (files::BAD_ENCODING, Severity::Error));
}

/// The bytes of a text in UTF-16.
fn utf_16(text: &str) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn topics_of_android_have_their_language_from_their_folder() {
    let folder = Folder::new("android");
    let text = "topic: ~t()\nproposal: %init a\nu:(b) c\n";
    folder.put("app/res/raw-fr/t.top", text);
    assert!(topic_file(&folder.0.join("app/res/raw-fr/t.top"), "t.top").unwrap().is_empty());
    folder.put("app/t.top", text);
    let found = topic_file(&folder.0.join("app/t.top"), "t.top").unwrap();
    let found: Vec<_> = found.iter().map(|f| f.finding.code).collect();
    assert_eq!(found, [boxstep_check::codes::BAD_CONTENT, codes::UNUSED_PROPOSAL]);
    assert!(topic_file(&folder.0.join("none.top"), "none.top").is_err());
}

const PML: &str = "<Package name='p' format_version='4'><BehaviorDescriptions><BehaviorDescription name='b' src='b'/>\
    </BehaviorDescriptions><Dialogs><Dialog name='d' src='d/d.dlg'/></Dialogs>TOPICS</Package>";

const BOX: &str = r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1">
<Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="" id="1"/>
<Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/>
<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>
<Output name="answered" type="1" type_size="1" nature="2" inner="0" tooltip="" id="5"/>
<dialogFile>../d/d.dlg</dialogFile></Box></ChoregrapheProject>"#;

#[test]
fn every_topic_of_a_project_is_checked_once() {
    let folder = Folder::new("project");
    let listed = "<Topics><Topic name='d' src='d/d_enu.top' topicName='d' language='en_US'/></Topics>";
    folder.put("b/behavior.xar", BOX);
    folder.put("d/d.dlg", "multilanguage:d\nenu:d_enu.top\nfrf:d_frf.top\n");
    let topic = |language: &str| format!("topic: ~d()\nlanguage: {language}\nu:(a) ^gotoo(b) $answered=1\n");
    folder.put("d/d_enu.top", &topic("enu"));
    folder.put("d/d_frf.top", &topic("frf"));
    for topics in ["", listed] {
        folder.put("p.pml", &PML.replace("TOPICS", topics));
        let opened = open(&folder.0, &Limits::default()).unwrap();
        let found = project(&opened, &folder.0, None);
        let mut places: Vec<_> = found.iter().map(|f| f.sources.place(f.finding.span.unwrap())).collect();
        places.sort();
        assert!(found.iter().all(|f| f.finding.code == codes::UNKNOWN_FUNCTION), "{found:?}");
        assert!(places.len() == 2 && places[0].ends_with("d_enu.top:3:7"), "{places:?}");
        // Not again with the box.
        let dialogs = listed_dialogs(&opened);
        assert!(of_box(&folder, BOX, &dialogs).is_empty());
    }
    // Without a project, the box reports them.
    let found = of_box(&folder, BOX, &[]);
    assert_eq!(found.iter().map(|f| f.finding.code).collect::<Vec<_>>(), [codes::UNKNOWN_FUNCTION; 2]);
}

#[test]
fn topics_of_a_box_are_reported_in_their_files() {
    let folder = Folder::new("own_files");
    folder.put("p.pml", &PML.replace("<Dialogs><Dialog name='d' src='d/d.dlg'/></Dialogs>TOPICS", ""));
    folder.put("d/d.dlg", "multilanguage:d\nenu:d_enu.top\nfrf:gone.top\n");
    folder.put("d/d_enu.top", "topic: ~d()\nlanguage: enu\nu:(a) ^gotoo(b) $answred=1\n");
    let two = BOX.replace("</dialogFile>", "</dialogFile><Timeline enable='0'><BehaviorLayer name='l'><BehaviorKeyframe name='k' \
        index='1'><Diagram><Box name='Talk' id='1'><dialogFile>../d/d.dlg</dialogFile></Box></Diagram></BehaviorKeyframe>\
        </BehaviorLayer></Timeline>");
    let found = of_box(&folder, &two, &[]);
    let places: Vec<_> = found.iter().map(|f| (f.finding.code, f.sources.place(f.finding.span.unwrap()))).collect();
    let at = |code, place: &str| (code, format!("p/d/{place}"));
    // The ports are those of the one box; the other one does not tell the rest again.
    let wanted = [
        at(codes_of_check::MISSING_TOPIC, "d.dlg:3:5"),
        at(codes::UNKNOWN_FUNCTION, "d_enu.top:3:7"),
        at(codes::NO_SUCH_OUTPUT, "d_enu.top:3:17"),
    ];
    assert_eq!(places.iter().filter(|place| wanted.contains(place)).count(), 3, "{places:?}");
    assert!(found.iter().all(|f| f.file == f.sources.name(f.finding.span.unwrap().file)), "{found:?}");
    let told = found.iter().find(|found| found.finding.code == codes::UNKNOWN_FUNCTION).unwrap();
    let Found { finding, sources, file } = told;
    let shown = render(finding, sources, false);
    let wanted = "warning[BS0903]: `^gotoo` is no function of QiChat
 --> p/d/d_enu.top:3:7
  |
3 | u:(a) ^gotoo(b) $answred=1
  |       ^^^^^^
  |
  = note: this is the dialog of the box at p/b/behavior.xar:1:37
  = box: root
  = help: did you mean `^goto`?";
    assert_eq!(shown, wanted);
    let json = to_json(finding, sources, file);
    assert_eq!((&json["file"], &json["line"], &json["box"]), (&"p/d/d_enu.top".into(), &3.into(), &"root".into()));
    let log = sarif("1", [boxstep_check::Reported { finding, sources, file }]);
    let place = &log["runs"][0]["results"][0]["locations"][0];
    assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "p/d/d_enu.top");
    assert_eq!(place["physicalLocation"]["region"]["startLine"], 3);
    assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "root");
    // Where the finding stood in the baseline before, it still does.
    assert!(baseline::key(finding, "b/behavior.xar").ends_with(" b/behavior.xar root"));
    // A dialog that is reported elsewhere leaves only what the box's ports bring.
    let file = read_xar("p/b/behavior.xar", two.as_bytes(), &Limits::default()).unwrap();
    let dialogs = dialogs_of(&file, &folder.0.join("b"));
    assert!(dialogs.iter().any(|path| path.ends_with("d/d_enu.top")), "{dialogs:?}");
    let found = of_box(&folder, &two, &dialogs);
    assert!(!found.is_empty() && found.iter().all(|f| f.finding.code == codes::NO_SUCH_OUTPUT), "{found:?}");
}

/// The findings about the dialog of a dialog box. The behavior's file is `p/b/behavior.xar` in messages.
fn of_box(folder: &Folder, text: &str, dialogs: &[PathBuf]) -> Vec<Found> {
    let file = read_xar("p/b/behavior.xar", text.as_bytes(), &Limits::default()).unwrap();
    let behavior = folder.0.join("b");
    let context = Context { folder: Some(&behavior), dialogs, ..Context::default() };
    let found = check(&file, &context);
    let of_dialogs = |finding: &Diagnostic| DIALOG_CODES.iter().any(|(code, _)| *code == finding.code);
    assert!(!found.behavior.iter().any(of_dialogs), "{found:?}");
    found.dialogs
}

#[test]
fn ports_of_a_dialog_box() {
    let folder = Folder::new("ports");
    folder.put("p.pml", &PML.replace("TOPICS", ""));
    folder.put("d/d.dlg", "multilanguage:d\nenu:d_enu.top\n");
    let listed = listed_dialogs(&open(&folder.0, &Limits::default()).unwrap());
    let found = |rules: &str| {
        folder.put("d/d_enu.top", &format!("topic: ~d()\nlanguage: enu\n{rules}\n"));
        let found = of_box(&folder, BOX, &listed).into_iter().map(|found| found.finding).collect::<Vec<_>>();
        assert!(found.iter().all(|finding| finding.code == codes::NO_SUCH_OUTPUT), "{found:?}");
        let told = found.iter().map(|f| (f.severity, f.message.clone(), f.help.clone().unwrap_or_default()));
        told.collect::<Vec<_>>()
    };
    let told = |severity, message: &str, help: &str| (severity, message.to_owned(), help.to_owned());
    assert_eq!(found("u:(e:onStart) hi $answered=1\nu:(b) bye $onStopped=1"), []);
    let unset = "no answer sets the output \"answered\" of the box";
    assert_eq!(found("u:(a) b"), [told(Severity::Note, unset, "`$answered=1` in an answer stimulates it")]);
    let misspelled = told(Severity::Warning, "the box has no output \"onStoped\"", "did you mean `$onStopped`?");
    assert_eq!(found("u:(a) b $answered=1 $onStoped=1"), [misspelled]);
    let misspelled = told(Severity::Warning, "the box has no input \"onStrat\"", "did you mean `e:onStart`?");
    assert_eq!(found("u:(e:onStrat) b $answered=1"), [misspelled]);
    // Other names are keys of memory, and a variable that the topic reads is its own.
    assert_eq!(found("u:(a) $answered=1 $name=Ann\nu:(e:FrontTactilTouched) c"), []);
    assert_eq!(found("u:(a) $answered=1 $answers=1\nu:(b) $answers times"), []);
}

/// Set `BOXSTEP_CORPUS` to a folder of real files, or put it beside the repository as `../shared/corpus`. With
/// `BOXSTEP_SHOW` every finding is printed.
#[test]
fn every_real_topic_can_be_checked() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("BOXSTEP_CORPUS").map_or(beside, PathBuf::from);
    if !folder.is_dir() {
        return println!("skipped: there is no folder of real files at {}", folder.display());
    }
    let show = std::env::var_os("BOXSTEP_SHOW").is_some();
    let mut waiting = vec![folder];
    let mut counts = std::collections::BTreeMap::<(&str, String), usize>::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()));
        } else if path.extension().is_some_and(|e| e == "top") {
            for found in topic_file(&path, &path.to_string_lossy()).unwrap() {
                let finding = &found.finding;
                *counts.entry((finding.code.name, finding.severity.to_string())).or_default() += 1;
                let text = render(finding, &found.sources, false);
                assert!(text.contains("-->"), "{text}");
                if show {
                    println!("{text}\n");
                }
            }
        }
    }
    for ((name, severity), count) in counts {
        println!("{count} {name} ({severity})");
    }
}
