//! `play --watch`: files that change while a behavior plays. Every step waits for what the program says of it.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // in the helpers of tests too

mod common;

use common::{Said, Temp, boxstep, say};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

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
fn xar(script: &str) -> String {
    let ports = r#"<Input name="onLoad" type="1" type_size="1" nature="1" inner="1" tooltip="" id="1" /><Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2" /><Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4" />"#;
    let of_box = |name: &str, id: i8, script: &str, inside: &str| {
        format!(
            r#"<Box name="{name}" id="{id}" localization="8" tooltip="" x="0" y="0"><bitmap>b.png</bitmap><script language="4"><content><![CDATA[{script}]]></content></script>{ports}{inside}</Box>"#
        )
    };
    let link = r#"<Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2" />"#;
    let talk = of_box("Talk", 1, script, "");
    let inside = format!(
        r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram scale="100">{talk}{link}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#
    );
    let root = of_box("root", -1, "", &inside);
    format!(
        r#"<?xml version="1.0" encoding="UTF-8" ?><ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">{root}</ChoregrapheProject>"#
    )
}

/// A folder with the behavior and its module.
fn behavior(folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    let file = folder.join("behavior.xar");
    fs::write(&file, xar(&script("old"))).unwrap();
    helper(folder, "one");
    file
}

fn helper(folder: &Path, word: &str) {
    fs::write(folder.join("helper.py"), format!("word = '{word}'\n")).unwrap();
}

fn has_python() -> bool {
    let found = Command::new("python3").args(["-c", "pass"]).status().is_ok_and(|s| s.success());
    if !found {
        println!("skipped: there is no python3");
    }
    found
}

/// A run that is being watched.
struct Run {
    child: Child,
    reader: BufReader<ChildStdout>,
    out: String,
    /// What has been waited for already.
    seen: usize,
}

impl Run {
    fn start(file: &Path, more: &[&str]) -> Self {
        // If a change is missed the run ends all the same, and the test fails.
        let args = ["play", file.to_str().unwrap(), "--watch", "--for", "120"];
        let mut command = boxstep(&[&args[..], more].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let reader = BufReader::new(child.stdout.take().unwrap());
        Self { child, reader, out: String::new(), seen: 0 }
    }

    /// Waits until it says this, after what it has been waited for before; gives that line.
    fn says(&mut self, what: &str) -> String {
        loop {
            if let Some(at) = self.out[self.seen..].find(what) {
                let from = self.out[..self.seen + at].rfind('\n').map_or(0, |n| n + 1);
                self.seen += at + what.len();
                return self.out[from..].lines().next().unwrap_or_default().to_owned();
            }
            assert_ne!(self.reader.read_line(&mut self.out).unwrap(), 0, "it never said {what:?}:\n{}", self.out);
        }
    }

    fn interrupt(mut self) -> Said {
        assert!(Command::new("kill").arg("-INT").arg(self.child.id().to_string()).status().unwrap().success());
        self.reader.read_to_string(&mut self.out).unwrap();
        let mut said = Said::from(self.child.wait_with_output().unwrap());
        said.out = self.out;
        said.code(130)
    }
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
        let mut run = Run::start(&file, &["--scripts", host, "--trace", trace.arg()]);
        run.says("old loads with one");
        run.says("old is ready");

        fs::write(&file, xar(&script("new"))).unwrap();
        run.says("old unloads");
        run.says("new loads with one");
        run.says("reload: has its new script");

        // The fourth line of the text, which begins on the first of the file.
        fs::write(&file, xar("class MyClass(GeneratedClass):\n    def onLoad(self):\n        pass\n    else:\n"))
            .unwrap();
        let line = run.says("the new script does not compile; the old one goes on");
        assert!(line.contains("behavior.xar:4: "), "{line}");

        helper(file.parent().unwrap(), "another");
        run.says("module helper has changed");
        run.says("new loads with another");

        fs::write(&file, xar(&script("newer")).replace(r#"name="onStopped""#, r#"name="over""#)).unwrap();
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
    let mut run = Run::start(&folder, &[]);
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
    assert!(refused.contains("in virtual time it has played before anybody could"), "{refused}");
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
