//! What the program tells about characters: `check`, `show`, `why`.

use crate::common::{Said, boxstep, has_python, say, xar};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of its own, with a character and other files.
fn folder(name: &str, character: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("character-tools").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("character.yaml"), character).unwrap();
    for (file, text) in files {
        fs::write(folder.join(file), text).unwrap();
    }
    folder
}

fn arg(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A behavior with one box and parameters of its root; `links` come after it.
fn behavior(parameters: &str, links: &str) -> String {
    let start = xar::input(2, "onStart", 2);
    let ports = start.clone() + parameters;
    let only = xar::a_box(1, "Say", "", &start, "");
    xar::behavior(&ports, &xar::flow(&(only + &xar::link((0, 2), (1, 2)) + links)))
}

const DANGLING: &str = r#"<Link inputowner="9" indexofinput="2" outputowner="1" indexofoutput="4" />"#;
const SPEED: &str = r#"<Parameter name="Speed" inherits_from_parent="0" content_type="2" value="1" default_value="1" min="0" max="10" tooltip="" id="9" />"#;

const WRONG: &str = "character: Test
behaviors:
  main:
    priority:
      - show
      - { sya: Hello }
  show:
    queue: [{ play: dance.xar, parameters: { speed: 2 } }, { animation: x/Wave }, { script: Greeter }]
";

#[test]
fn check_tells_everything_about_a_character_with_line_caret_and_way() {
    let folder =
        folder("check", &WRONG.replace("      - { sya: Hello }\n", ""), &[("dance.xar", &behavior(SPEED, DANGLING))]);
    let said = say(&["check", arg(&folder.join("character.yaml"))]).code(1);
    for text in [
        "error[BS0755]: main → show → show/1: `dance.xar` has no parameter `speed`",
        "did you mean `Speed`?",
        "error[BS0780]: main → show → show/1: `dance.xar` has an error of its own",
        "warning[BS0781]: main → show → show/2:",
        "warning[BS0782]: main → show → show/3:",
        "character.yaml:7:",
        "2 errors, 2 warnings in 1 character",
    ] {
        assert!(said.out.contains(text), "{text}\n{}", said.out);
    }
}

#[test]
fn check_tells_what_a_file_says_wrong_and_says_no_more_of_what_cannot_be_read() {
    let folder = folder("unread", WRONG, &[]);
    let said = say(&["check", arg(&folder)]).code(1);
    assert!(said.out.contains("error[BS0753]") && said.out.contains("did you mean `say`?"), "{}", said.out);
    assert!(said.out.ends_with("1 error, 0 warnings in 1 character\n"), "{}", said.out);
}

#[test]
fn check_finds_a_behavior_that_is_not_there() {
    let text = "character: Test\nbehaviors:\n  main: { play: none.xar }\n";
    let folder = folder("not-there", text, &[]);
    let said = say(&["check", arg(&folder)]).code(1);
    assert!(said.out.contains("error[BS0755]: main: there is no file `none.xar` beside the character"), "{}", said.out);
}

#[test]
fn check_looks_for_characters_in_folders_and_counts_them() {
    let inner =
        folder("many/inner", "character: Test\nbehaviors:\n  main: { say: a }\n", &[("one.xar", &behavior("", ""))]);
    let outer = inner.parent().unwrap();
    let said = say(&["check", "-r", arg(outer)]).code(0);
    assert_eq!(said.out, "0 errors, 0 warnings in 1 behavior and 1 character\n");
    // A folder alone is its character, and nothing that only lies there.
    let said = say(&["check", arg(&inner)]).code(0);
    assert!(said.out.ends_with("1 character\n"), "{}", said.out);
}

#[test]
fn findings_of_a_character_are_json_and_sarif_with_places() {
    let folder = folder("formats", WRONG, &[]);
    let file = folder.join("character.yaml");
    let json = say(&["check", arg(&file), "--format", "json"]).code(1).out;
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["code"], "BS0753");
    assert_eq!(first["line"], 6);
    assert!(first["file"].as_str().unwrap().ends_with("character.yaml"), "{first}");
    let sarif = say(&["check", arg(&file), "--format", "sarif"]).code(1).out;
    let log: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "BS0753");
}

#[test]
fn a_baseline_and_boxstep_toml_decide_about_characters_too() {
    let text = "character: Test\nbehaviors:\n  main: { animation: x/Wave }\n";
    let folder = folder("levels", text, &[]);
    let check = |more: &[&str]| say(&[&["check", arg(&folder)], more].concat());
    assert!(check(&[]).code(0).out.contains("warning[BS0781]"));
    assert!(check(&["--deny", "character-unknown-animation"]).code(1).out.contains("error[BS0781]"));
    fs::write(folder.join("boxstep.toml"), "allowed = [\"BS0781\"]\n").unwrap();
    assert_eq!(check(&[]).code(0).out, "0 errors, 0 warnings in 1 character\n");
    fs::write(folder.join("boxstep.toml"), "denied = [\"BS0781\"]\nbaseline = \"old.json\"\n").unwrap();
    assert!(check(&[]).code(1).out.contains("error[BS0781]"));
    check(&["--write-baseline"]).code(0);
    assert!(check(&[]).code(0).out.contains("1 old finding in the baseline"));
}

#[test]
fn the_pages_of_the_codes_are_there() {
    for code in ["BS0780", "BS0781", "BS0782"] {
        say(&["check", "--explain", code]).code(0);
    }
}

#[test]
fn a_file_that_is_no_text_is_one_that_cannot_be_read() {
    let folder = folder("bytes", "", &[]);
    fs::write(folder.join("character.yaml"), [0xff, 0xfe, 0x00]).unwrap();
    let said = say(&["check", arg(&folder)]).code(2);
    assert!(said.out.contains("byte 0 is not UTF-8"), "{}", said.out);
}

const GUIDE: &str = "character: Guide
at_end: { idle: rest }
behaviors:
  main:
    priority:
      - { name: hello, say: Hello, when: { became: { memory: Face } }, cooldown: 20, silences: walk }
      - { name: dance, play: dance.xar, when: { event: Touch, equals: 1 }, claims: [legs] }
      - walk
  walk:
    states: { Go: { random: [{ say: Left, weight: 3 }, { say: Right }] }, Stop: }
    transitions: [{ from: Go, to: Stop, when: { elapsed: 5 }, at: end }]
  rest: { wait: 1 }
";

#[test]
fn show_tells_a_character_as_text_with_branches() {
    let folder = folder("show", GUIDE, &[]);
    let expected = "\
Guide
(root) main: priority
├─ [1, when became (memory Face), cools 20 s from its end] hello: say “Hello”
│     silences walk
├─ [2, when event Touch equals 1] dance: play dance.xar
│     claims legs
└─ [3] walk: states
   │  Go → Stop at its end, when elapsed from 5 s
   ├─ [in Go (first)] walk/Go: random
   │  ├─ [weight 3 of 4] walk/Go/1: say “Left”
   │  └─ [weight 1 of 4] walk/Go/2: say “Right”
   └─ [in Stop] walk/Stop: nothing
(idle) rest: wait 1 s
";
    assert_eq!(say(&["show", arg(&folder)]).code(0).out, expected);
}

#[test]
fn show_draws_a_character_in_every_form() {
    let folder = folder("forms", GUIDE, &[]);
    let show = |format: &str| say(&["show", arg(&folder), "--format", format]).code(0).out;
    let dot = show("dot");
    assert!(
        dot.starts_with("digraph \"Guide\"") && dot.contains("style=dashed") && dot.contains("arrowhead=tee"),
        "{dot}"
    );
    assert!(show("mermaid").contains("|\"2, when event Touch equals 1\"|"));
    let json: serde_json::Value = serde_json::from_str(&show("json")).unwrap();
    assert_eq!(json["behaviors"][0]["children"][0]["when"], "1, when became (memory Face), cools 20 s from its end");
    for text in [show("svg"), show("html")] {
        assert!(text.contains("walk/Go/2") && text.contains("cools 20 s from its end"), "{text}");
    }
}

#[test]
fn show_tries_every_stack() {
    let folder = folder("stacks", GUIDE, &[]);
    let said = say(&["show", arg(&folder), "--stacks"]).code(0);
    let expected = "\
Guide
main: priority
  hello: say
  dance: play
  walk: states
    walk/Go: random
      walk/Go/1: say
      walk/Go/2: say
rest: wait
8 stacks, each activated and taken back
";
    assert_eq!(said.out, expected);
    let json = say(&["show", arg(&folder), "--stacks", "--format", "json"]).code(0).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["stacks"][6], serde_json::json!(["main", "walk", "walk/Go", "walk/Go/2"]));
    assert!(say(&["show", arg(&folder), "--stacks", "--format", "svg"]).code(2).err.contains("formats tree and json"));
    assert!(say(&["show", "examples/hello", "--stacks"]).code(2).err.contains("is for characters"));
}

#[test]
fn show_runs_no_python_when_it_tries_stacks_and_says_so() {
    let text = "character: P\nscripts: own.py\nbehaviors:\n  main: { queue: [{ name: own, script: Own, delegates: [{ name: rest, wait: 1 }] }] }\n";
    let own = "import boxstep\nclass Own(boxstep.Behavior):\n    def activated(self, value):\n        open('ran', 'w')\n        raise ValueError('it is run')\n";
    let folder = folder("stacks-python", text, &[("own.py", own)]);
    let said = say(&["show", arg(&folder), "--stacks"]).code(0);
    assert!(
        said.out.ends_with(
            "3 stacks, each activated and taken back\nno Python was run: what hooks of its classes do is not tried\n"
        ),
        "{}",
        said.out
    );
    assert!(said.out.contains("    rest: wait\n") && !folder.join("ran").exists());
}

#[test]
fn show_refuses_a_character_that_is_wrong_with_what_is_wrong() {
    let folder = folder("show-wrong", WRONG, &[]);
    let said = say(&["show", arg(&folder)]).code(2);
    assert!(said.err.contains("BS0753"), "{}", said.err);
}

/// A run of a character, written down.
fn recorded(folder: &Path, options: &[&str]) -> PathBuf {
    let trace = folder.join("run.jsonl");
    let args = ["play", arg(folder), "--virtual-time", "--scripts", "off", "--quiet", "--trace", arg(&trace)];
    say(&[&args[..], options].concat()).code(0);
    trace
}

fn why(name: &str, trace: &Path, more: &[&str]) -> Said {
    say(&[&["why", name, arg(trace)], more].concat())
}

const TALK: &str = "character: Talk
behaviors:
  main:
    priority:
      - { name: hello, say: Hello, when: { memory: Face, more: 0 }, cooldown: 20 }
      - { name: jump, say: Jump, when: { all: [{ event: Touch }, { memory: Battery, more: 50 }] } }
      - { name: rest, queue: [{ wait: 5 }, { name: last, wait: 100 }] }
";

#[test]
fn why_says_what_a_condition_has_found_and_what_it_wanted() {
    let folder = folder("why-condition", TALK, &[]);
    let trace = recorded(&folder, &["--for", "10", "--event", "Battery=30@1"]);
    let said = why("jump", &trace, &[]).code(0).out;
    assert!(said.starts_with("jump does not run at "), "{said}");
    for line in [
        "its condition is not true",
        "memory Battery more 50: no (is 30 since 1.000 s)",
        "event Touch: no",
        "main → rest → last",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

#[test]
fn why_says_how_long_a_cooldown_still_lasts() {
    let folder = folder("why-cooldown", TALK, &[]);
    let trace = recorded(&folder, &["--for", "60", "--event", "Face=1@1"]);
    let at = |t: &str| why("hello", &trace, &["--at", t]).code(0).out;
    assert!(at("0.5").contains("its condition is not true"), "{}", at("0.5"));
    let cools = at("10");
    assert!(cools.starts_with("hello does not run at 10.000 s: it cools down\n"), "{cools}");
    assert!(cools.contains("s of 20 s are left, until 2"), "{cools}");
    assert!(cools.contains("ran         once; it ended at"), "{cools}");
}

#[test]
fn why_says_who_gave_control_to_one_that_runs_and_what_is_out_of_scope() {
    let folder = folder("why-runs", TALK, &[]);
    let trace = recorded(&folder, &["--for", "60"]);
    assert!(
        why("rest", &trace, &["--at", "2"])
            .code(0)
            .out
            .starts_with("rest runs at 2.000 s: main gave it control at 0.000 s")
    );
    let waits = why("last", &trace, &["--at", "2"]).code(0).out;
    assert!(waits.contains("rest has given control to rest/1"), "{waits}");
    let runs = why("last", &trace, &[]).code(0).out;
    assert!(runs.contains("last runs at 60.000 s"), "{runs}");
}

#[test]
fn why_says_who_is_in_the_way_in_a_priority() {
    let text = "character: A\nbehaviors:\n  main:\n    priority: [{ name: first, say: Hi, when: { memory: Face } }, { name: second, wait: 100 }]\n";
    let folder = folder("why-priority", text, &[]);
    let trace = recorded(&folder, &["--for", "10", "--event", "Face=1@1"]);
    let said = why("second", &trace, &["--at", "1.1"]).code(0).out;
    assert!(said.contains("main has given control to first, which stands before it"), "{said}");
}

#[test]
fn why_is_told_as_json_too() {
    let folder = folder("why-json", TALK, &[]);
    let trace = recorded(&folder, &["--for", "10"]);
    let json = why("jump", &trace, &["--at", "3", "--format", "json"]).code(0).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json["runs"].as_bool(), json["at"].as_f64()), (Some(false), Some(3.0)));
    assert_eq!(json["wants"]["factors"][0]["parts"][1]["what"], "memory Battery more 50");
    assert_eq!(json["control"][0]["way"][1], "rest");
}

#[test]
fn why_of_an_unknown_name_has_a_suggestion_and_of_a_run_without_a_character_says_so() {
    let folder = folder("why-unknown", TALK, &[]);
    let trace = recorded(&folder, &["--for", "1"]);
    assert!(why("jum", &trace, &[]).code(2).err.contains("it has no behavior `jum`; did you mean `jump`?"));
    let hello = folder.join("hello.jsonl");
    say(&[
        "play",
        "examples/timeline-layers",
        "--virtual-time",
        "--scripts",
        "off",
        "--quiet",
        "--for",
        "1",
        "--trace",
        arg(&hello),
    ]);
    assert!(why("x", &hello, &[]).code(2).err.contains("it has no events of a character"));
    assert!(why("x", &folder.join("none.jsonl"), &[]).code(2).err.contains("none.jsonl"));
}

#[test]
fn why_reads_a_trace_that_is_still_written() {
    let folder = folder("why-live", TALK, &[]);
    let trace = folder.join("live.jsonl");
    let args = ["play", arg(&folder), "--scripts", "off", "--quiet", "--trace", arg(&trace), "--for", "60"];
    let mut run = boxstep(&args).spawn().unwrap();
    let said = loop {
        // The run is asked until it has come so far: a new process each time, no waiting of our own.
        let said = why("rest", &trace, &[]);
        if said.code == Some(0) {
            break said.out;
        }
        assert!(run.try_wait().unwrap().is_none(), "it ended: {}", said.err);
    };
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(said.starts_with("rest runs at ") && said.contains("main gave it control at "), "{said}");
}

#[test]
fn two_runs_tell_the_same_of_why() {
    let folder = folder("why-same", TALK, &[]);
    let options = ["--for", "30", "--event", "Face=1@1", "--event", "Touch=1@2", "--event", "Battery=80@3"];
    let one = fs::read(recorded(&folder, &options)).unwrap();
    assert!(one == fs::read(recorded(&folder, &options)).unwrap());
    let text = String::from_utf8(one).unwrap();
    for what in ["plan", "wants", "asked", "cools"] {
        assert!(text.contains(&format!("\"what\":\"{what}\"")), "{what}");
    }
}

#[test]
fn a_play_leaf_of_a_character_that_is_checked_with_python_is_one_that_plays() {
    if !has_python() {
        return;
    }
    let said = say(&["check", "examples/guide", "--deny", "warnings"]).code(0);
    assert!(said.out.ends_with("1 character\n"), "{}", said.out);
}

#[test]
fn a_behavior_tree_is_checked_and_shown_as_the_character_that_is_made_of_it() {
    let tree = r#"<root BTCPP_format="4"><BehaviorTree ID="Main"><Sequence><SayHello/><AlwaysSuccess/></Sequence></BehaviorTree></root>"#;
    let folder = folder("tree", "", &[("tree.xml", tree)]);
    let file = folder.join("tree.xml");
    let said = say(&["check", arg(&file)]).code(0);
    assert!(said.out.ends_with("in 1 character\n"), "{}", said.out);
    assert!(say(&["show", arg(&file)]).code(0).out.contains("sequence"));
}
