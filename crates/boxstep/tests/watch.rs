//! `play --watch`: files that change while a behavior plays. Every step waits for what the program says of it.

#![cfg(unix)]
use crate::common::{Run, Temp, has_python, say, xar};
use std::fs;
use std::path::{Path, PathBuf};

/// The script of the box: it says a word, and what the module `helper` says.
fn script(word: &str) -> String {
    format!(
        "import helper\n\
         class MyClass(GeneratedClass):\n    \
             def onLoad(self):\n        print('{word} loads with ' + helper.word)\n    \
             def onUnload(self):\n        print('{word} unloads')\n    \
             def onInput_onStart(self):\n        print('{word} is ready')\n        self.onStopped()\n"
    )
}

/// A behavior of one box that is started and stops at once; the behavior goes on.
fn talking(script: &str) -> String {
    let talk = xar::a_box(1, "Talk", script, &xar::ports(), "");
    xar::behavior(&xar::ports(), &xar::flow(&(talk + &xar::link((0, 2), (1, 2)))))
}

/// A folder with the behavior and its module.
fn behavior(folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    let file = folder.join("behavior.xar");
    fs::write(&file, talking(&script("old"))).unwrap();
    helper(folder, "one");
    file
}

fn helper(folder: &Path, word: &str) {
    fs::write(folder.join("helper.py"), format!("word = '{word}'\n")).unwrap();
}

/// A run that is being watched.
fn watched(file: &Path, more: &[&str]) -> Run {
    Run::start(file, &[&["--watch"], more].concat())
}

#[test]
fn a_xar_gets_its_new_scripts_and_the_rest_is_told() {
    if !has_python() {
        return;
    }
    for host in ["native", "process"] {
        let place = Temp::new("d");
        let file = behavior(&place.0.join("talk"));
        let trace = Temp::new("jsonl");
        let mut run = watched(&file, &["--scripts", host, "--trace", trace.arg()]);
        run.says("old loads with one");
        run.says("old is ready");

        fs::write(&file, talking(&script("new"))).unwrap();
        run.says("old unloads");
        run.says("new loads with one");
        run.says("reload: has its new script");

        let broken = talking("class MyClass(GeneratedClass):\n    def onLoad(self):\n        pass\n    else:\n");
        let wrong = broken.lines().position(|line| line == "    else:").unwrap() + 1;
        fs::write(&file, broken).unwrap();
        let line = run.says("the new script does not compile; the old one goes on");
        assert!(line.contains(&format!("behavior.xar:{wrong}: ")), "{line}");

        helper(file.parent().unwrap(), "another");
        run.says("module helper has changed");
        run.says("new loads with another");

        fs::write(&file, talking(&script("newer")).replace(r#"name="onStopped""#, r#"name="over""#)).unwrap();
        let line = run.says("from the next start of boxstep");
        assert!(line.contains("output") && line.contains("over"), "{line}");
        fs::write(&file, "<ChoregrapheProject").unwrap();
        run.says("the behavior goes on as it was");
        run.interrupt();

        let text = fs::read_to_string(&trace.0).unwrap();
        let phases = text.lines().filter(|line| line.contains(r#""kind":"reload""#));
        let phase = |line: &str| {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            event["phase"].as_str().unwrap().to_owned()
        };
        let phases: Vec<String> = phases.map(phase).collect();
        assert_eq!(phases[..4], ["taken", "refused", "modules", "taken"], "{text}");
        assert!(phases[4..].contains(&"not_taken".to_owned()), "{text}");
        let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!((last["reason"].as_str(), last["deterministic"].as_bool()), (Some("interrupted"), Some(false)));
    }
}

#[test]
fn links_count_at_once_and_a_part_when_it_is_loaded_next() {
    if !has_python() {
        return;
    }
    let says = |word: &str| {
        format!(
            "class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        print('{word}')\n        self.onStopped()\n"
        )
    };
    let ticks = "import time\nclass MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        while True:\n            time.sleep(0.05)\n            self.tick()\n";
    let tick = r#"<Output name="tick" type="1" type_size="1" nature="2" inner="0" tooltip="" id="9" />"#;
    let clock = xar::a_box(1, "Clock", ticks, &(xar::ports() + tick), "");
    let boxes = clock
        + &xar::a_box(2, "One", &says("one ticks"), &xar::ports(), "")
        + &xar::a_box(3, "Part", "", &xar::ports(), "PART");
    let links = |to: i32| xar::link((0, 2), (1, 2)) + &xar::link((1, 9), (to, 2));
    let behavior = |to: i32, word: &str, id: i32| {
        let inside = xar::flow(
            &(xar::a_box(id, "Inner", &says(word), &xar::ports(), "")
                + &xar::link((0, 2), (id, 2))
                + &xar::link((id, 4), (0, 4))),
        );
        xar::behavior(&xar::ports(), &xar::flow(&(boxes.replace("PART", &inside) + &links(to))))
    };
    let place = Temp::new("d");
    fs::create_dir_all(&place.0).unwrap();
    let file = place.0.join("behavior.xar");
    fs::write(&file, behavior(2, "inner", 1)).unwrap();
    let mut run = watched(&file, &["--scripts", "process"]);
    run.says("one ticks");
    fs::write(&file, behavior(3, "inner", 1)).unwrap();
    run.says("reload: has its new links");
    run.says("inner");
    // Another box of that name: with each tick the part is loaded anew.
    fs::write(&file, behavior(3, "renewed", 7)).unwrap();
    run.says("reload: has its new inside");
    run.says("renewed");
    run.interrupt();
}

#[test]
fn a_split_folder_gets_the_file_of_a_script() {
    if !has_python() {
        return;
    }
    let place = Temp::new("d");
    let file = behavior(&place.0.join("from"));
    let folder = place.0.join("talk");
    say(&["convert", file.to_str().unwrap(), &format!("{}/", folder.display())]).code(0);
    helper(&folder, "one");
    let is_script = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains("old is ready"));
    let of_box = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).find(is_script).unwrap();
    let mut run = watched(&folder, &[]);
    run.says("old is ready");
    fs::write(&of_box, script("new")).unwrap();
    run.says("new loads with one");
    // As an editor does that writes beside the file and renames it.
    let beside = folder.join(".saving");
    fs::write(&beside, "class MyClass(GeneratedClass):\n    def\n").unwrap();
    fs::rename(&beside, &of_box).unwrap();
    let line = run.says("the new script does not compile; the old one goes on");
    let name = of_box.file_name().unwrap().to_str().unwrap();
    assert!(line.contains(&format!("{name}:2: ")), "{line}");
    let said = run.interrupt();
    assert!(said.out.contains("new unloads"), "{}", said.out);
}

#[test]
fn what_cannot_be_watched_is_refused_in_words() {
    let why = |args: &[&str]| say(&[&["play", "--watch"], args].concat()).code(2).err;
    let refused = why(&["examples/hello", "--virtual-time"]);
    assert!(refused.contains("a run in virtual time is over too soon for that"), "{refused}");
    let refused = why(&["examples/hello", "--scripts", "off"]);
    assert!(refused.contains("--scripts off runs none"), "{refused}");
    let archive = Temp::new("crg");
    say(&["pack", "examples/hello", archive.arg()]).code(0);
    let refused = why(&[archive.arg(), "--scripts", "process"]);
    assert!(refused.contains("boxstep unpack"), "{refused}");
    // A replay is in virtual time although nobody has said so.
    let trace = Temp::new("jsonl");
    say(&["play", "examples/hello", "--virtual-time", "--scripts", "process", "--trace", trace.arg()]).code(0);
    let refused = why(&["examples/hello", "--scripts", "process", "--replay", trace.arg()]);
    assert!(refused.contains("virtual time"), "{refused}");
}
