//! `boxstep check` as a user meets it.

use crate::common::{boxstep, fixture, root, say, xar};
use std::path::{Path, PathBuf};

/// A new folder that goes when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("boxstep-check-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn put(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn arg(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A behavior with one box, whose script this is; `links` come after it.
fn behavior(script: &str, links: &str) -> String {
    let start = xar::input(2, "onStart", 2);
    let say = xar::a_box(1, "Say", script, &start, "");
    xar::behavior(&start, &xar::flow(&(say + &xar::link((0, 2), (1, 2)) + links)))
}

const DANGLING: &str = r#"<Link inputowner="9" indexofinput="2" outputowner="1" indexofoutput="4" />"#;
const DOUBLE: &str = r#"<Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2" />"#;

#[test]
fn the_examples_are_free_of_findings() {
    let said = say(&["check", "-r", "examples", "--deny", "warnings,scripts-not-checked"]).code(0);
    let last = said.out.lines().last().unwrap();
    assert!(last.starts_with("0 errors, 0 warnings in ") && !last.contains(" in 0 behaviors"), "{}", said.out);
}

#[test]
fn python_2_is_explained_where_notes_are_wanted() {
    let quiet = say(&["check", "examples/python2"]).code(0);
    assert!(quiet.out.contains("(--notes shows them)") && quiet.out.lines().count() == 1, "{}", quiet.out);
    let notes = say(&["check", "examples/python2", "--notes"]).code(0);
    assert!(notes.out.contains("Python 2: a print statement, read as the function `print(…)`"), "{}", notes.out);
    let denied = say(&["check", "examples/python2", "--deny", "python-2"]).code(1);
    assert!(denied.out.contains("error[BS0652]"), "{}", denied.out);
}

#[test]
fn codes_are_denied_and_allowed() {
    let folder = Folder::new("deny");
    let file = folder.put("a.xar", &behavior("x = 1", DOUBLE));
    let check = |more: &[&str]| say(&[&["check", &file], more].concat());
    assert!(check(&[]).code(0).out.contains("warning[BS0603]"));
    for deny in ["BS0603", "603", "double-link", "warnings"] {
        assert!(check(&["--deny", deny]).code(1).out.contains("error[BS0603]"), "{deny}");
    }
    assert_eq!(check(&["--allow", "double-link"]).code(0).out, "0 errors, 0 warnings in 1 behavior\n");
    assert!(check(&["--deny", "BS9999"]).code(2).err.contains("there is no code `BS9999`"));
    assert!(check(&["--deny", "603", "--allow", "BS0603"]).code(2).err.contains("denied and allowed"));
}

#[test]
fn a_project_says_what_it_wants() {
    let folder = Folder::new("toml");
    let file = folder.put("inner/a.xar", &behavior("ALProxy('ALTabletService')", DOUBLE));
    folder.put("boxstep.toml", "body = \"nao\"\ndenied = [\"double-link\"]\n");
    let said = say(&["check", &file]).code(1);
    assert!(said.out.contains("error[BS0603]") && said.out.contains("nao does not offer the service"), "{}", said.out);
    let said = say(&["check", &file, "--body", "pepper", "--allow", "double-link"]).code(0);
    assert_eq!(said.out, "0 errors, 0 warnings in 1 behavior\n");
    let path = folder.put("boxstep.toml", "body = \"nao\"\n\ncolour = \"red\"\n");
    let said = say(&["check", &file]).code(2);
    assert!(said.err.contains("BS0710") && said.err.contains(&format!("{path}:3:1")), "{}", said.err);
    // A project starts no program of its own.
    folder.put("boxstep.toml", "python = \"./mine\"\n");
    say(&["check", &file]).code(2);
}

#[test]
fn old_findings_are_silent_and_new_ones_are_not() {
    let folder = Folder::new("baseline");
    let file = folder.put("a.xar", &behavior("x = 1", &format!("{DANGLING}{DOUBLE}")));
    assert!(say(&["check", &file, "--write-baseline"]).code(2).err.contains("--baseline"));
    folder.put("boxstep.toml", "baseline = \"old.json\"\n");
    say(&["check", &file]).code(1);
    let said = say(&["check", &file, "--write-baseline"]).code(0);
    assert!(said.out.contains("; 2 findings written to "), "{}", said.out);
    let left = std::fs::read_dir(&folder.0).unwrap().count();
    assert_eq!(left, 3, "a.xar, boxstep.toml, old.json and nothing half written");
    let said = say(&["check", &file]).code(0);
    assert_eq!(said.out, "0 errors, 0 warnings in 1 behavior; 2 old findings in the baseline\n");
    // Lines move; one more of the same is new.
    let moved = behavior("x = 1\n\n\n", &format!("\n\n{DANGLING}\n{DOUBLE}"));
    folder.put("a.xar", &moved);
    say(&["check", &file, "--deny", "warnings"]).code(0);
    folder.put("a.xar", &moved.replace(DANGLING, &format!("{DANGLING}{DANGLING}")));
    let said = say(&["check", &file]).code(1);
    assert!(said.out.contains("1 error, 0 warnings in 1 behavior; 2 old findings"), "{}", said.out);
    folder.put("old.json", "{}");
    assert!(say(&["check", &file]).code(2).err.contains("is not a baseline"));
}

#[test]
fn sarif_has_what_the_standard_asks_for() {
    let folder = Folder::new("sarif");
    let bad = folder.put("a b.xar", &behavior("def f(:", &format!("{DANGLING}{DOUBLE}")));
    let missing = folder.0.join("none.xar");
    let said = say(&["check", "--format", "sarif", &bad, missing.to_str().unwrap()]).code(2);
    let log: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().contains("sarif-2.1.0"));
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "boxstep");
    let rules = driver["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 4, "{said}", said = said.out);
    for result in results {
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        assert!(["note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(!rule["shortDescription"]["text"].as_str().unwrap().is_empty());
        assert!(rule["help"]["text"].as_str().unwrap().starts_with("# BS"));
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(!uri.contains(' ') && uri.starts_with("file:///"), "{uri}");
        if let Some(region) = place["region"].as_object() {
            let number = |name: &str| region[name].as_u64().unwrap();
            assert!(number("startLine") >= 1 && number("startColumn") >= 1);
            assert!((number("startLine"), number("startColumn")) <= (number("endLine"), number("endColumn")));
        }
        assert!(result["partialFingerprints"]["boxstep/v1"].is_string());
    }
    let empty = say(&["check", "--format", "sarif", "examples/hello"]).code(0);
    let log: serde_json::Value = serde_json::from_str(&empty.out).unwrap();
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn folders_are_searched_and_each_behavior_is_checked_once() {
    let folder = Folder::new("recursive");
    folder.put("one/a.xar", &behavior("x = 1", ""));
    folder.put("one/two/b.xar", &behavior("x = 1", DANGLING));
    let notes = Folder::new("nothing");
    notes.put("notes.txt", "no behavior");
    assert!(say(&["check", "-r", notes.arg()]).code(2).err.contains("there is no behavior in it"));
    assert!(say(&["check", "-r", folder.arg()]).code(1).out.ends_with("1 error, 0 warnings in 2 behaviors\n"));
    let project = fixture("two");
    let twice = say(&["check", "-r", &project, &project, &format!("{project}/first/behavior.xar")]).code(0);
    assert!(twice.out.contains(" in 2 behaviors"), "{}", twice.out);
}

const TOPIC: &str = "topic: ~t()\nlanguage: enu\nu:(a) ^gotoo(b)\n";

/// A behavior with one box, the dialog of this file.
fn talk(dialog: &str) -> String {
    let ports = xar::input(2, "onStart", 2) + &xar::output(4, "onStopped", 1);
    let dialog = xar::a_box(1, "Talk", "", &format!("<dialogFile>{dialog}</dialogFile>{ports}"), "");
    xar::behavior(&xar::input(2, "onStart", 2), &xar::flow(&(dialog + &xar::link((0, 2), (1, 2)))))
}

/// The places in the text of a check.
fn places<'a>(folder: &Folder, out: &'a str) -> Vec<&'a str> {
    let places = out.lines().filter_map(|line| line.trim_start().strip_prefix("--> "));
    places.map(|place| place.trim_start_matches(folder.arg()).trim_start_matches('/')).collect()
}

#[test]
fn topics_in_folders_are_checked_each_once() {
    let folder = Folder::new("topics");
    folder.put("talk/a.dlg", "multilanguage:a\nenu:a_enu.top\nfrf:gone.top\n");
    folder.put("talk/a_enu.top", TOPIC);
    folder.put("b.top", TOPIC);
    let said = say(&["check", "-r", folder.arg()]).code(1);
    assert_eq!(places(&folder, &said.out), ["talk/a.dlg:3:5", "talk/a_enu.top:3:7", "b.top:3:7"]);
    assert!(said.out.ends_with("1 error, 2 warnings in 2 topics\n"), "{}", said.out);
    // Beside a behavior that names the dialog, a project that lists another one, and a behavior that shares that.
    folder.put("talk.xar", &talk("talk/a.dlg"));
    folder.put(
        "p/p.pml",
        "<Package name='p' format_version='4'><BehaviorDescriptions><BehaviorDescription name='b' src='b' \
        xar='behavior.xar'/></BehaviorDescriptions><Dialogs><Dialog name='d' src='d/d.dlg'/></Dialogs></Package>",
    );
    folder.put("p/b/behavior.xar", &talk("../d/d.dlg"));
    folder.put("p/c/behavior.xar", &talk("../d/d.dlg"));
    folder.put("p/d/d.dlg", "multilanguage:d\nenu:d.top\n");
    let listed = folder.put("p/d/d.top", TOPIC);
    folder.put("p/unlisted.top", TOPIC);
    let wanted = ["p/d/d.top:3:7", "b.top:3:7", "p/unlisted.top:3:7", "talk/a.dlg:3:5", "talk/a_enu.top:3:7"];
    let said = say(&["check", "-r", folder.arg(), &listed]).code(1);
    assert_eq!(places(&folder, &said.out), wanted, "{}", said.out);
    assert!(said.out.contains("1 error, 4 warnings in 3 behaviors and 3 topics; 1 note "), "{}", said.out);
}

#[test]
fn a_topic_of_a_box_is_named_as_the_user_names_files() {
    let folder = Folder::new("box-topic");
    folder.put("a.dlg", "multilanguage:a\nenu:a_enu.top\n");
    let topic = folder.put("a_enu.top", TOPIC);
    let file = folder.put("talk.xar", &talk("a.dlg"));
    let check = |more: &[&str]| say(&[&["check", &file], more].concat());
    let said = check(&[]).code(0);
    assert!(said.out.contains(&format!(" --> {topic}:3:7\n")) && said.out.contains("= box: root/Talk"), "{}", said.out);
    assert!(said.out.contains("3 | u:(a) ^gotoo(b)") && said.out.contains(&format!("at {file}:")), "{}", said.out);
    let json: serde_json::Value = serde_json::from_str(check(&["--format", "json"]).code(0).out.trim()).unwrap();
    assert_eq!((&json["file"], &json["line"]), (&topic.clone().into(), &3.into()));
    let sarif: serde_json::Value = serde_json::from_str(&check(&["--format", "sarif"]).code(0).out).unwrap();
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with("/a_enu.top"), "{sarif}");
    // Rules and baselines hold for it.
    assert!(check(&["--deny", "unknown-function"]).code(1).out.contains("error[BS0903]"));
    assert_eq!(check(&["--allow", "unknown-function"]).code(0).out, "0 errors, 0 warnings in 1 behavior\n");
    folder.put("boxstep.toml", "baseline = \"old.json\"\n");
    check(&["--write-baseline"]).code(0);
    folder.put("a_enu.top", &TOPIC.replace("u:", "\n\nu:"));
    let said = check(&["--deny", "warnings"]).code(0);
    assert_eq!(said.out, "0 errors, 0 warnings in 1 behavior; 1 old finding in the baseline\n");
    // A topic that the user names, too, is told by itself.
    folder.put("boxstep.toml", "");
    let said = check(&[&topic]).code(0);
    assert!(said.out.ends_with("0 errors, 1 warning in 1 behavior and 1 topic\n"), "{}", said.out);
}

#[test]
fn a_file_in_an_archive_is_named_with_it() {
    let folder = Folder::new("archive");
    let file = folder.put("a/behavior.xar", &behavior("x = 1", DANGLING));
    let archive = folder.0.join("a.crg");
    let archive = archive.to_str().unwrap();
    say(&["pack", Path::new(&file).parent().unwrap().to_str().unwrap(), archive]).code(0);
    let said = say(&["check", archive]).code(1);
    assert!(said.out.contains(archive) && said.out.contains("error[BS0600]"), "{}", said.out);
    let baseline = folder.0.join("old.json");
    let with = |more: &[&str]| say(&[&["check", archive, "--baseline", baseline.to_str().unwrap()], more].concat());
    with(&["--write-baseline"]).code(0);
    // Unpacked anew into another private folder, and the same findings all the same.
    with(&[]).code(0);
}

#[test]
fn a_split_folder_is_checked_at_the_lines_of_its_scripts() {
    let folder = Folder::new("split");
    let file = folder.put("a.xar", &behavior("x = 1\n", ""));
    let split = folder.0.join("split");
    say(&["convert", &file, &format!("{}/", split.display())]).code(0);
    std::fs::write(split.join("l1_Say.py"), "x = 1\ndef f(:\n").unwrap();
    std::fs::write(split.join("l9_stray.xml"), "no xml").unwrap();
    let said = say(&["check", "-r", split.to_str().unwrap(), "--notes"]).code(1);
    assert!(said.out.contains("l1_Say.py:2:1") && said.out.contains("warning[BS0085]: l9_stray.xml"), "{}", said.out);
}

#[test]
fn a_code_explains_itself() {
    let page = say(&["check", "--explain", "BS0600"]).code(0).out;
    assert_eq!(page, std::fs::read_to_string(root().join("docs/reference/codes/BS0600.md")).unwrap());
    assert_eq!(say(&["check", "--explain", "dangling-link"]).code(0).out, page);
    assert!(say(&["check", "--explain", "BS9999"]).code(2).err.contains("there is no code"));
    say(&["check"]).code(2);
}

#[test]
fn without_python_it_says_so() {
    let folder = Folder::new("python");
    let file = folder.put("a.xar", &behavior("def f(:", ""));
    let said = say(&["check", &file, "--python", "no-such-python"]).code(0);
    assert!(said.out.contains("note[BS0653]: 1 script was not checked: no-such-python (--python): "), "{}", said.out);
    say(&["check", &file, "--python", "no-such-python", "--deny", "scripts-not-checked"]).code(1);
    let sarif = say(&["check", &file, "--python", "no-such-python", "--format", "sarif"]).code(0).out;
    let log: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert!(place.as_str().unwrap().ends_with("/a.xar"), "code hosts refuse a result without a file: {sarif}");
    let named = boxstep(&["check", &file]).env("BOXSTEP_PYTHON", "no-such-python").output().unwrap();
    assert!(String::from_utf8(named.stdout).unwrap().contains("(BOXSTEP_PYTHON)"));
    say(&["check", &file]).code(1);
}
