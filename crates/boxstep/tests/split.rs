//! Split folders through the program: they play as their `.xar` does, by `main.py` too, and tracebacks name
//! their own files.

use crate::common::{Temp, root, say};
use boxstep_format::{Limits, read_xar, split};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder that is removed when dropped.
struct Folder(PathBuf);

impl Folder {
    /// A split folder, by the name that its behavior has.
    fn new(name: &str, files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let parent = Temp::new("d").0.clone();
        let folder = parent.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in files {
            std::fs::write(folder.join(name), bytes).unwrap();
        }
        Self(folder)
    }

    /// What `boxstep convert` would write.
    fn of_xar(name: &str, xar: &Path) -> Self {
        let file = read_xar("behavior.xar", &std::fs::read(xar).unwrap(), &Limits::default()).unwrap();
        Self::new(name, split::write(&file, &Limits::default()).unwrap())
    }

    fn arg(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.0.parent().unwrap());
    }
}

/// A trace without the header, which names files and their hashes.
fn trace(what: &str, options: &[&str]) -> String {
    trace_of("60", what, options)
}

/// Of so many seconds.
fn trace_of(seconds: &str, what: &str, options: &[&str]) -> String {
    let file = Temp::new("jsonl");
    let args = ["play", what, "--virtual-time", "--for", seconds, "-q", "--trace", file.arg()];
    say(&[&args[..], options].concat());
    let text = std::fs::read_to_string(&file.0).unwrap();
    text.split_once('\n').unwrap().1.to_owned()
}

fn plays_the_same(name: &str, xar: &Path, options: &[&str]) {
    let folder = Folder::of_xar(name, xar);
    let (before, after) = (trace(xar.to_str().unwrap(), options), trace(folder.arg(), options));
    assert!(before.lines().count() > 3, "{before}");
    assert_eq!(boxstep_record::diff(&before, &after), None, "{name}");
}

#[test]
fn a_split_folder_gives_the_trace_of_its_xar() {
    let touch = ["--event", "FrontTactilTouched=1.0@4"];
    // The folder is of the `.xar` alone: what stands beside that stays there.
    let arm = root().join("examples/small-arm/arm.toml");
    let with_body = [&touch[..], &["--body", arm.to_str().unwrap()]].concat();
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let folder = entry.unwrap().path();
        // What a character plays has a name of its own; a dialog is a folder beside the behavior.
        if folder.join("behavior.xar").is_file() && !folder.join("talk").is_dir() {
            let name = folder.file_name().unwrap().to_str().unwrap();
            let options = if name == "small-arm" { &with_body[..] } else { &touch };
            plays_the_same(name, &folder.join("behavior.xar"), options);
        }
    }
}

/// Real files, where they are at hand. A traceback names the file that a script stands in, so those that end with
/// one are compared up to it.
#[test]
fn thirty_real_files_give_the_same_trace_from_a_folder() {
    let beside = root().join("../shared/corpus");
    let corpus = std::env::var_os("BOXSTEP_CORPUS").map_or(beside, PathBuf::from);
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "xar") {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        return println!("skipped: there are no real files");
    }
    files.sort();
    let mut played = 0;
    for path in files.iter().step_by(files.len() / 60 + 1) {
        let Ok(file) = read_xar("behavior.xar", &std::fs::read(path).unwrap(), &Limits::default()) else { continue };
        if played == 30 {
            break;
        }
        // In folders of one name, alone: what else is in the project plays no part.
        let xar = Folder::new("real", [("behavior.xar".to_owned(), std::fs::read(path).unwrap())]);
        let folder = Folder::new("real", split::write(&file, &Limits::default()).unwrap());
        let told = |what: &str| {
            let trace = trace_of("10", what, &[]);
            let lines =
                trace.lines().take_while(|l| !l.contains("Traceback") && !l.contains(".py\\\"")).map(str::to_owned);
            lines.collect::<Vec<String>>().join("\n")
        };
        let (before, after) = (told(xar.0.join("behavior.xar").to_str().unwrap()), told(folder.arg()));
        assert_eq!(boxstep_record::diff(&before, &after), None, "{}", path.display());
        played += usize::from(before.lines().count() > 3);
    }
    assert!(played >= 20, "{played}");
}

#[test]
fn layers_muted_degenerate_and_nested_play_the_same_from_a_folder() {
    let log = |name: &str| {
        format!(
            "<Box name='{name}' id='1'><script language='4'><content><![CDATA[class MyClass(GeneratedClass):\n    def onLoad(self):\n        self.log('{name}')\n    def onUnload(self):\n        self.log('not {name}')\n]]></content></script></Box>"
        )
    };
    let key = |name: &str, index: i32| {
        format!("<BehaviorKeyframe name='{name}' index='{index}'><Diagram>{}</Diagram></BehaviorKeyframe>", log(name))
    };
    let layers = format!(
        "<BehaviorLayer name='A'>{}{}{}</BehaviorLayer><BehaviorLayer name='B' mute='1'>{}</BehaviorLayer><BehaviorLayer name='C'>{}{}</BehaviorLayer>",
        key("late", 20),
        key("one", 5),
        key("two", 5),
        key("muted", 1),
        key("zero", 0),
        key("x y", 20)
    );
    let xar = format!(
        "<ChoregrapheProject xar_version='3'><Box name='root' id='-1'><Input name='onStart' type='1' type_size='1' nature='2' inner='0' tooltip='' id='2'/><Output name='onStopped' type='1' type_size='1' nature='1' inner='0' tooltip='' id='4'/><Timeline enable='1' fps='10' start_frame='0' end_frame='40'>{layers}</Timeline></Box></ChoregrapheProject>"
    );
    let file = Folder::new("layers", [("behavior.xar".to_owned(), xar.into_bytes())]);
    plays_the_same("layers", &file.0.join("behavior.xar"), &[]);
}

#[test]
fn convert_writes_a_split_folder_and_a_xar_from_one() {
    let out = Temp::new("d");
    let (folder, back) = (format!("{}/hello/", out.arg()), format!("{}/back.xar", out.arg()));
    std::fs::create_dir_all(&out.0).unwrap();
    say(&["convert", "examples/hello", &folder]).code(0);
    assert!(Path::new(&folder).join("l0_root.py").is_file() && Path::new(&folder).join("main.py").is_file());
    say(&["convert", "examples/hello", &folder]).code(2);
    say(&["convert", &folder, &back]).code(0);
    // The example is in Choregraphe's layout.
    let original = std::fs::read_to_string(root().join("examples/hello/behavior.xar")).unwrap();
    assert_eq!(std::fs::read_to_string(&back).unwrap(), original);
    std::fs::remove_dir_all(&out.0).unwrap();
}

const SCRIPT: &str = "class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        ";

fn a_box(name: &str, script: &str) -> [(String, Vec<u8>); 2] {
    let ports = r#"<Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="" id="1" />
    <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2" />
    <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4" />"#;
    let shown = name.split_once('_').unwrap().1;
    let xml = format!("<Box name=\"{shown}\" id=\"1\" tooltip=\"\" x=\"0\" y=\"0\">{ports}</Box>");
    [(format!("{name}.xml"), xml.into_bytes()), (format!("{name}.py"), script.as_bytes().to_vec())]
}

/// A folder as the published description has it, typed by hand: Hello, then Bye, then the end.
fn typed(transition: &str) -> Folder {
    let link = |to: &str, input: &str, from: &str, output: &str| {
        format!(r#"<Link inputowner="{to}" indexofinput="{input}" outputower="{from}" indexofoutput="{output}" />"#)
    };
    let state = |object: &str, more: &str| format!("<State><Object Name=\"{object}\" />{more}</State>").into_bytes();
    let hello = link("l1_Hello", "onStart", "l0_root", "onLoad");
    let bye = link("l1_Bye", "onStart", "l0_root", "onLoad") + &link("l0_root", "onStopped", "l1_Bye", "onStopped");
    let says = |text: &str| format!("{SCRIPT}self.log('{text}')\n        self.onStopped()\n");
    let machine = format!(
        "<StateMachine><State Name=\"l0_root_state_0\" /><State Name=\"l0_root_state_1\" /><InitialState Name=\"l0_root_state_0\" /><FinalState Name=\"l0_root_state_1\" />{transition}</StateMachine>"
    );
    let mut files = vec![
        ("l0_root_state_machine.xml".to_owned(), machine.into_bytes()),
        ("l0_root_state_0.xml".to_owned(), state("l1_Hello", &hello)),
        ("l0_root_state_1.xml".to_owned(), state("l1_Bye", &bye)),
        ("main.py".to_owned(), split::MAIN.as_bytes().to_vec()),
    ];
    files.extend(a_box("l0_root", ""));
    files.extend(a_box("l1_Hello", &says("hello")));
    files.extend(a_box("l1_Bye", &says("bye")));
    Folder::new("typed", files)
}

/// When, in seconds, each line was logged.
fn logged(folder: &Folder) -> Vec<String> {
    let lines: Vec<serde_json::Value> =
        trace(folder.arg(), &["--must-end"]).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let logs = lines.iter().filter(|l| l["kind"] == "log");
    logs.map(|l| format!("{} {}", l["t"].as_i64().unwrap() / 1_000_000, l["text"].as_str().unwrap())).collect()
}

#[test]
fn transitions_of_a_folder_typed_by_hand_run_with_and_without_a_time() {
    let timed = typed(r#"<Transition From="l0_root_state_0" To="l0_root_state_1" TimeOut="1500" />"#);
    assert_eq!(logged(&timed), ["0 hello", "1500 bye"]);
    let bare = typed(r#"<Transition From="l0_root_state_0" To="l0_root_state_1" />"#);
    assert_eq!(logged(&bare), ["0 hello", "0 bye"]);
}

#[test]
fn a_traceback_names_the_py_of_the_box_and_its_line() {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    files.extend(a_box("l0_root", &format!("{SCRIPT}raise ValueError('no')\n")));
    let folder = Folder::new("broken", files);
    let said = say(&["play", folder.arg(), "--virtual-time"]);
    assert_eq!(said.code, Some(4), "{}{}", said.out, said.err);
    let all = said.out + &said.err;
    assert!(all.contains("l0_root.py") && all.contains("line 3") && all.contains("ValueError: no"), "{all}");
}

#[test]
fn check_and_show_take_a_split_folder() {
    let folder = typed(r#"<Transition From="l0_root_state_0" To="l0_root_state_1" />"#);
    assert!(say(&["show", folder.arg()]).code(0).out.contains("Hello"));
    std::fs::write(folder.0.join("l1_stray.xml"), "<Box").unwrap();
    let said = say(&["check", folder.arg()]);
    assert!(said.out.contains("l1_stray.xml is not read"), "{}{}", said.out, said.err);
    std::fs::write(folder.0.join("l1_Bye.xml"), "<Box").unwrap();
    let said = say(&["check", folder.arg()]);
    assert_eq!(said.code, Some(2));
    assert!((said.out + &said.err).contains("l1_Bye.xml:1:"));
}

fn python() -> Command {
    let mut command = Command::new("python3");
    command.env_remove("BOXSTEP_PYTHON").env_remove("PYTHONPATH");
    command
}

#[test]
fn main_py_plays_its_folder_with_the_program_on_the_path() {
    let folder = typed(r#"<Transition From="l0_root_state_0" To="l0_root_state_1" />"#);
    let program = Path::new(env!("CARGO_BIN_EXE_boxstep")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(program.to_owned()).chain(std::env::split_paths(&path))).unwrap();
    let mut command = python();
    command.arg(folder.0.join("main.py")).args(["--virtual-time", "--must-end"]).env("PATH", path);
    let output = command.output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{out}{}", String::from_utf8_lossy(&output.stderr));
    assert!(out.contains("hello") && out.contains("bye"), "{out}");
}

#[test]
fn main_py_says_in_one_line_how_to_get_what_it_needs() {
    let folder = typed("");
    let found = python().args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    let program = String::from_utf8(found.stdout).unwrap().trim().to_owned();
    let mut command = Command::new(&program);
    // Alone, without modules that are installed beside the interpreter.
    command.args(["-I", "-S"]).arg(folder.0.join("main.py")).env("PATH", folder.arg());
    let output = command.output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    let expected = format!(
        "main.py: {program} has no package `boxstep`: get it with `{program} -m pip install boxstep` \
         (or the path of a wheel or of its sources)\n"
    );
    assert_eq!((output.status.code(), err), (Some(2), expected));
}
