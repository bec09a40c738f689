//! Behaviors that characters play: loads, stops and unloads that take time, their ends, instances, files, resources, and what the
//! trace says of them. All in virtual time.

use crate::common::{Said, Temp, has_python, say, xar};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A box with a script in a behavior: `Word` is a parameter of both, onStopped gives a text.
struct Script<'s> {
    text: &'s str,
    resource: &'s str,
}

fn script(text: &str) -> Script<'_> {
    Script { text, resource: "" }
}

impl Script<'_> {
    fn xar(&self) -> String {
        let word = |inherits: u8| {
            format!(
                "<Parameter name=\"Word\" inherits_from_parent=\"{inherits}\" content_type=\"3\" value=\"plain\" default_value=\"\" \
                 custom_choice=\"0\" tooltip=\"\" id=\"5\" />\n"
            )
        };
        let stopped = xar::output(4, "onStopped", 1).replace("type=\"1\"", "type=\"3\"");
        let ports = xar::input(1, "onLoad", 0) + &xar::input(2, "onStart", 2) + &xar::input(3, "onStop", 3) + &stopped;
        let text = format!(
            "import time\nclass MyClass(GeneratedClass):\n    def says(self, text):\n        self.log(text)\n{}",
            self.text
        );
        let resource = match self.resource {
            "" => String::new(),
            name => format!("<Resource name=\"{name}\" type=\"Lock\" timeout=\"0\" />\n"),
        };
        let only = xar::a_box(1, "Only", &text, &ports, &(word(1) + &resource));
        let links = xar::link((0, 2), (1, 2)) + &xar::link((0, 3), (1, 3)) + &xar::link((1, 4), (0, 4));
        xar::behavior(&ports, &(word(0) + &xar::flow(&(only + &links))))
    }
}

/// A folder with a character and files beside it.
fn character(name: &str, behaviors: &str, files: &[(&str, Script<'_>)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("delegates").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (file, script) in files {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, script.xar()).unwrap();
    }
    let file = folder.join("character.yaml");
    fs::write(&file, format!("character: Test\n{behaviors}")).unwrap();
    file
}

/// What was said, and the trace.
struct Played {
    said: Said,
    lines: Vec<Value>,
}

fn play(file: &Path, options: &[&str]) -> Played {
    let trace = Temp::new("jsonl");
    let args = ["play", file.to_str().unwrap(), "--virtual-time", "--trace", trace.arg()];
    let limit: &[&str] = if options.contains(&"--for") { &[] } else { &["--for", "20"] };
    let said = say(&[&args[..], limit, options].concat());
    let text = fs::read_to_string(&trace.0).unwrap_or_default();
    Played { said, lines: text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() }
}

impl Played {
    /// The lines in which these fields have these values.
    fn all(&self, fields: &[(&str, &str)]) -> Vec<&Value> {
        let fits = |line: &&Value| fields.iter().all(|(key, value)| line[key].as_str() == Some(value));
        self.lines.iter().filter(fits).collect()
    }

    /// The only one of them.
    #[track_caller]
    fn one(&self, fields: &[(&str, &str)]) -> &Value {
        let all = self.all(fields);
        assert_eq!(all.len(), 1, "{fields:?}: {all:#?}\n{}\n{}", self.said.out, self.said.err);
        all[0]
    }

    /// What is said, by the robot or in the log of a script, in order.
    fn texts(&self) -> Vec<(&str, f64)> {
        let says = |line: &&Value| line["kind"] == "log" || line["act"] == "say";
        self.lines.iter().filter(says).map(|line| (line["text"].as_str().unwrap(), seconds(line))).collect()
    }

    /// Seconds at which something is said first.
    #[track_caller]
    fn when(&self, text: &str) -> f64 {
        let found = self.texts().into_iter().find(|(said, _)| *said == text);
        found.unwrap_or_else(|| panic!("`{text}` is not said: {}\n{}", self.said.out, self.said.err)).1
    }
}

fn seconds(line: &Value) -> f64 {
    line["t"].as_i64().unwrap() as f64 / 1e9
}

#[track_caller]
fn near(is: f64, wanted: f64) {
    // A behavior is looked at in ticks.
    assert!((wanted - 1e-9..wanted + 0.16).contains(&is), "{is}, not {wanted}");
}

const TOUCHED: &str = "
behaviors:
  main:
    priority:
      - { say: I am touched, when: { event: Touch, equals: 1 } }
      - { name: dance, play: one.xar }
";

#[test]
fn an_event_that_one_takes_over_for_counts_although_a_behavior_needs_a_second_to_unload() {
    if !has_python() {
        return;
    }
    let slow = script("    def onUnload(self):\n        time.sleep(1.0)\n        self.says('down')\n");
    let played = play(&character("takes-over", TOUCHED, &[("one.xar", slow)]), &["--event", "Touch=1@3"]);
    near(played.when("down"), 4.0);
    near(played.when("I am touched"), 4.0);
    assert!(played.when("I am touched") >= played.when("down"));
    assert_eq!(played.one(&[("what", "waits")])["path"], "main/1");
}

#[test]
fn a_behavior_that_takes_time_to_load_is_asked_when_it_is_loaded() {
    if !has_python() {
        return;
    }
    let slow = script(
        "    def onLoad(self):\n        time.sleep(1.5)\n    def onInput_onStart(self):\n        self.says('here')\n        self.onStopped('')\n",
    );
    let behaviors = "behaviors:\n  main: { priority: [{ play: one.xar, cooldown: 60 }, { name: idle, wait: 60 }] }\n";
    let played = play(&character("loads", behaviors, &[("one.xar", slow)]), &[]);
    near(played.when("here"), 1.5);
    let idle = played.all(&[("what", "activated"), ("path", "main/idle")]);
    assert_eq!(seconds(idle[0]), 0.0, "who is loaded need not wait for who is not");
    let ended = played.all(&[("what", "ended"), ("path", "main/idle")]);
    assert_eq!((&ended[0]["how"], seconds(ended[0])), (&"cancelled".into(), played.when("here")));
}

#[test]
fn a_behavior_that_loads_when_it_is_not_wanted_any_more_leaves_off() {
    if !has_python() {
        return;
    }
    let slow = script(
        "    def onLoad(self):\n        time.sleep(1.5)\n    def onInput_onStart(self):\n        self.says('here')\n",
    );
    let behaviors = "behaviors:\n  main: { queue: [inner, { say: after it }] }\n  inner: { pass: { priority: [{ play: one.xar }] }, until: { elapsed: 1 } }\n";
    let played = play(&character("leaves-off", behaviors, &[("one.xar", slow)]), &["--must-end"]);
    near(played.when("after it"), 1.0);
    assert_eq!(played.texts().len(), 1, "{}", played.said.out);
    assert_eq!(played.all(&[("kind", "behavior"), ("phase", "unloaded")]).len(), 1);
}

#[test]
fn a_stop_that_takes_too_long_is_forced_and_whoever_waits_goes_on() {
    if !has_python() {
        return;
    }
    let endless = script("    def onUnload(self):\n        time.sleep(60)\n");
    let file = character("forced", TOUCHED, &[("one.xar", endless)]);
    let played = play(&file, &["--event", "Touch=1@3", "--stop-within", "0.5"]);
    near(played.when("I am touched"), 3.5);
    assert_eq!(played.all(&[("kind", "forced")]).len(), 2, "then, and at the end of the run");
}

#[test]
fn on_stop_of_a_behavior_is_not_called_by_a_stop_from_outside_and_on_unload_is() {
    if !has_python() {
        return;
    }
    let both = script(
        "    def onInput_onStop(self):\n        self.says('onStop')\n        self.onUnload()\n    def onUnload(self):\n        self.says('onUnload')\n",
    );
    let played =
        play(&character("plain-stop", TOUCHED, &[("one.xar", both)]), &["--event", "Touch=1@3", "--for", "3.5"]);
    let texts: Vec<&str> = played.texts().into_iter().map(|(text, _)| text).collect();
    assert_eq!(texts, ["onUnload", "I am touched"], "{}", played.said.out);
}

#[test]
fn what_a_behaviors_on_stopped_gives_is_what_its_parent_is_told() {
    if !has_python() {
        return;
    }
    let gives = script("    def onInput_onStart(self):\n        self.onStopped('forty two')\n");
    let behaviors = "behaviors:\n  main: { sequence: [{ name: dance, play: one.xar }] }\n";
    let played = play(&character("value", behaviors, &[("one.xar", gives)]), &["--must-end"]);
    for path in ["main/dance", "main"] {
        let ended = played.one(&[("what", "ended"), ("path", path)]);
        assert_eq!((&ended["how"], &ended["value"]), (&"done".into(), &"forty two".into()), "{path}");
    }
}

#[test]
fn a_script_error_fails_the_behavior_once_it_is_unloaded() {
    if !has_python() {
        return;
    }
    let raises = script(
        "    def onInput_onStart(self):\n        raise ValueError('no music')\n    def onUnload(self):\n        time.sleep(1.0)\n",
    );
    let behaviors = "behaviors:\n  main: { fallback: [{ name: dance, play: one.xar }, { say: Never mind }] }\n";
    let played = play(&character("raises", behaviors, &[("one.xar", raises)]), &["--must-end"]);
    let ended = played.one(&[("what", "ended"), ("path", "main/dance")]);
    assert_eq!(ended["how"], "failed");
    assert!(ended["why"].as_str().unwrap().starts_with("ValueError: no music"), "{ended}");
    near(played.when("Never mind"), 1.0);
}

#[test]
fn each_leaf_has_an_instance_with_its_own_parameters() {
    if !has_python() {
        return;
    }
    let says = script(
        "    def onInput_onStart(self):\n        time.sleep(0.5)\n        self.says(self.getParameter('Word'))\n        self.onStopped('')\n",
    );
    let behaviors = "
behaviors:
  main:
    sequence:
      - parallel:
          - { name: a, play: one.xar, parameters: { Word: first } }
          - { name: b, play: one.xar, parameters: { Word: second } }
          - { name: c, play: one.xar }
";
    let played = play(&character("instances", behaviors, &[("one.xar", says)]), &["--must-end"]);
    let at: Vec<f64> = ["first", "second", "plain"].map(|text| played.when(text)).into();
    assert!(at.iter().all(|t| *t == at[0]), "side by side: {at:?}");
    // Each under the path of its leaf.
    for leaf in ["a", "b", "c"] {
        let path = format!("main/1/{leaf}/root/Only");
        assert_eq!(played.all(&[("kind", "box"), ("phase", "starting"), ("path", &path)]).len(), 1, "{path}");
    }
}

#[test]
fn a_parameter_that_the_behavior_does_not_have_fails_it() {
    if !has_python() {
        return;
    }
    let nothing = script("    def onInput_onStart(self):\n        self.onStopped('')\n");
    let behaviors =
        "behaviors:\n  main: { fallback: [{ play: one.xar, parameters: { Wrod: a } }, { say: Never mind }] }\n";
    let played = play(&character("no-parameter", behaviors, &[("one.xar", nothing)]), &["--must-end"]);
    assert!(played.said.out.contains("the behavior has no parameter `Wrod`"), "{}", played.said.out);
    played.when("Never mind");
}

#[test]
fn behaviors_are_files_folders_archives_and_installed_ones() {
    if !has_python() {
        return;
    }
    let says = |text: &str| {
        format!("    def onInput_onStart(self):\n        self.says('{text}')\n        self.onStopped('')\n")
    };
    let (in_folder, in_archive, installed) = (says("in a folder"), says("in an archive"), says("installed"));
    let files = [
        ("folder/behavior.xar", script(&in_folder)),
        ("deep/er/one.xar", script(&in_folder)),
        ("pack/talk/behavior.xar", script(&in_archive)),
        ("dances/waltz/behavior.xar", script(&installed)),
    ];
    let behaviors = "behaviors:\n  main: { sequence: [{ play: folder }, { play: deep/er/one.xar }, { play: archive.pkg }, { play: dances/waltz }, { play: app/dances/waltz }] }\n";
    let file = character("files", behaviors, &files);
    let folder = file.parent().unwrap();
    let project = |name: &str, behavior: &str, src: &str| {
        format!(
            "<Package name=\"{name}\" format_version=\"4\"><Manifest src=\"manifest.xml\" /><BehaviorDescriptions><BehaviorDescription \
             name=\"{behavior}\" src=\"{src}\" xar=\"behavior.xar\" /></BehaviorDescriptions></Package>"
        )
    };
    fs::write(folder.join("pack/pack.pml"), project("pack", "behavior", "talk")).unwrap();
    fs::write(folder.join("pack/manifest.xml"), "<package uuid=\"pack\" version=\"0.0.1\"><contents/></package>")
        .unwrap();
    fs::write(folder.join("app.pml"), project("app", "waltz", "dances/waltz")).unwrap();
    fs::write(folder.join("manifest.xml"), "<package uuid=\"app\" version=\"0.0.1\"><contents/></package>").unwrap();
    let archive = folder.join("archive.pkg");
    say(&["pack", folder.join("pack").to_str().unwrap(), archive.to_str().unwrap()]).code(0);
    let played = play(&file, &["--must-end"]);
    let said: Vec<&str> = played.texts().into_iter().map(|(text, _)| text).collect();
    assert_eq!(said, ["in a folder", "in a folder", "in an archive", "installed", "installed"], "{}", played.said.err);
}

#[test]
fn a_behavior_that_ends_when_control_is_taken_from_it_ends_once() {
    if !has_python() {
        return;
    }
    // It ends 2 s after its start; control is taken at each of the ticks around that.
    let ends = script("    def onInput_onStart(self):\n        time.sleep(2.0)\n        self.onStopped('')\n");
    for at in ["1.9", "1.95", "2.0", "2.05", "2.1", "2.15"] {
        let behaviors = format!(
            "behaviors:\n  main: {{ sequence: [{{ pass: {{ name: dance, play: one.xar }}, until: {{ elapsed: {at} }} }}, {{ say: after it }}] }}\n"
        );
        let file = character("once", &behaviors, &[("one.xar", Script { ..script(ends.text) })]);
        let played = play(&file, &["--must-end"]);
        let ended = played.one(&[("what", "ended"), ("path", "main/1/dance")]);
        assert!(["done", "cancelled"].contains(&ended["how"].as_str().unwrap()), "{ended}");
        played.one(&[("kind", "behavior"), ("phase", "unloaded")]);
        played.one(&[("what", "ended"), ("path", "main/1")]);
        played.when("after it");
    }
}

#[test]
fn what_a_leaf_does_bears_its_path_and_follows_from_what_has_happened_to_it() {
    if !has_python() {
        return;
    }
    let ends = script("    def onInput_onStart(self):\n        pass\n");
    let behaviors = "
behaviors:
  main:
    sequence:
      - { pass: { name: dance, play: one.xar }, until: { elapsed: 1 } }
      - { name: nod, call: ALMotion.getSummary }
      - { pass: { name: turn, call: ALMotion.angleInterpolation, args: [HeadYaw, 1.0, 10.0, true] }, until: { elapsed: 1 } }
";
    let played = play(&character("causes", behaviors, &[("one.xar", ends)]), &["--must-end"]);
    let cause = |line: &Value| played.lines.iter().find(|l| l["n"] == line["cause"]).unwrap_or(&Value::Null).clone();
    let caused = |line: &Value, what: &str, path: &str| {
        let cause = cause(line);
        assert_eq!((&cause["what"], &cause["path"]), (&what.into(), &path.into()), "{line}");
    };
    let dance = "main/1/dance";
    let root = format!("{dance}/root");
    let phase = |phase| played.one(&[("kind", "behavior"), ("phase", phase), ("path", &root)]);
    caused(phase("loading"), "entering", dance);
    caused(phase("started"), "activated", dance);
    caused(phase("stopping"), "ended", dance);
    let call = |method| played.one(&[("kind", "service"), ("method", method)]);
    assert_eq!(call("getSummary")["path"], "main/nod");
    caused(call("getSummary"), "activated", "main/nod");
    caused(call("angleInterpolation"), "activated", "main/3/turn");
    // A call that is stopped is over with the call's line as its cause, as any call is.
    assert_eq!(cause(played.one(&[("kind", "service_done"), ("method", "angleInterpolation")]))["kind"], "service");
}

#[test]
fn the_end_of_a_leaf_follows_from_what_ended_it() {
    if !has_python() {
        return;
    }
    let ends = script("    def onInput_onStart(self):\n        self.onStopped('done')\n");
    let behaviors = "
behaviors:
  main:
    sequence:
      - { name: dance, play: one.xar }
      - { name: turn, call: ALMotion.angleInterpolation, args: [HeadYaw, 0.5, 1.0, true] }
      - { name: ask, call: ALMotion.getSummary }
      - { name: rest, wait: 1 }
";
    let played = play(&character("ends", behaviors, &[("one.xar", ends)]), &["--must-end"]);
    let cause = |leaf: &str| {
        let ended = played.one(&[("what", "ended"), ("path", leaf)]);
        played.lines.iter().find(|line| line["n"] == ended["cause"]).unwrap_or_else(|| panic!("{ended}"))
    };
    let unloaded = cause("main/dance");
    assert_eq!((&unloaded["kind"], &unloaded["phase"]), (&"behavior".into(), &"unloaded".into()));
    let answered = cause("main/turn");
    assert_eq!((&answered["kind"], &answered["method"]), (&"service_done".into(), &"angleInterpolation".into()));
    // One that is answered at once: the call itself.
    assert_eq!((&cause("main/ask")["kind"], &cause("main/ask")["method"]), (&"service".into(), &"getSummary".into()));
    // Time has passed since it was given control.
    assert_eq!((&cause("main/rest")["what"], &cause("main/rest")["path"]), (&"activated".into(), &"main/rest".into()));
    assert_eq!((&cause("main")["what"], &cause("main")["path"]), (&"ended".into(), &"main/rest".into()));
}

/// Says who starts, and stays.
const STAYS: &str = "    def onInput_onStart(self):\n        self.says('I dance')\n";
const ERROR: &str = "    def onInput_onStart(self):\n        self.says('I dance')\n    def onResourceError(self):\n        self.says('I cannot')\n";

#[test]
fn boxes_of_a_leaf_use_what_their_leaf_claims_and_what_those_on_the_way_to_it_claim() {
    if !has_python() {
        return;
    }
    for claims in ["{ play: one.xar, claims: [legs] }", "{ sequence: [{ play: one.xar }], claims: [legs] }"] {
        let one = Script { text: ERROR, resource: "Left leg" };
        let behaviors = format!("behaviors:\n  main: {{ sequence: [{claims}] }}\n");
        let played = play(&character("uses", &behaviors, &[("one.xar", one)]), &[]);
        played.when("I dance");
        let taken = played.all(&[("kind", "resource"), ("what", "taken")]);
        let names: Vec<&str> = taken.iter().map(|line| line["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["Legs", "Left leg"]);
        assert_eq!(taken[0]["path"], "main/1");
        let released = played.all(&[("kind", "resource"), ("what", "released")]);
        assert_eq!(released.len(), 2, "{released:?}");
    }
}

#[test]
fn boxes_of_others_are_refused_what_a_behavior_claims_and_free_sees_both() {
    if !has_python() {
        return;
    }
    let behaviors = "
behaviors:
  main: { parallel: [moving, { sequence: [{ wait: 1 }, { play: one.xar }] }, watching], failure: all }
  moving: { wait: 5, claims: [legs] }
  watching: { queue: [{ wait: 0.5 }, { repeat: { check: { not: { free: Left leg } } } }, { say: it is free }] }
";
    let one = Script { text: ERROR, resource: "Legs" };
    let played = play(&character("refused", behaviors, &[("one.xar", one)]), &[]);
    played.when("I cannot");
    near(played.when("it is free"), 5.0);
}

#[test]
fn a_behavior_does_not_want_what_a_box_of_another_region_has() {
    if !has_python() {
        return;
    }
    let until = "    def onInput_onStart(self):\n        time.sleep(3.0)\n        self.onStopped('')\n";
    let one = Script { text: until, resource: "Legs" };
    let behaviors = "
behaviors:
  main: { parallel: [{ play: one.xar }, { priority: [{ name: walk, say: I walk, claims: [legs], when: { elapsed: 1 } }] }], failure: all }
";
    let played = play(&character("region", behaviors, &[("one.xar", one)]), &["--for", "4"]);
    let walks = played.all(&[("what", "activated"), ("path", "main/2/walk")]);
    near(seconds(walks[0]), 3.05);
}

#[test]
fn who_interrupts_a_behavior_may_claim_what_its_boxes_have_once_they_have_let_go() {
    if !has_python() {
        return;
    }
    let text = format!("{STAYS}    def onUnload(self):\n        time.sleep(1.0)\n");
    let one = Script { text: &text, resource: "Legs" };
    let behaviors = "
behaviors:
  main: { priority: [{ name: walk, say: I walk, claims: [legs], when: { event: Touch } }, { play: one.xar }] }
";
    let played =
        play(&character("interrupts", behaviors, &[("one.xar", one)]), &["--event", "Touch=1@3", "--for", "4.5"]);
    near(played.when("I walk"), 4.0);
    let about: Vec<(&str, &str)> = played
        .all(&[("kind", "resource")])
        .iter()
        .map(|line| (line["path"].as_str().unwrap(), line["what"].as_str().unwrap()))
        .collect();
    let only = "main/2/root/Only";
    assert_eq!(about[..3], [(only, "taken"), (only, "released"), ("main/walk", "taken")]);
}

#[test]
fn two_side_by_side_that_claim_one_thing_of_the_robot_by_two_names_are_found_before_anything_plays() {
    let behaviors = "behaviors:\n  main: { parallel: [{ say: a, claims: [legs] }, { say: b, claims: [Left leg] }, { say: c, claims: [Head] }] }\n";
    let said = play(&character("contended", behaviors, &[]), &["--scripts", "off"]).said.code(2);
    for part in ["BS0759", "`main/1` and `main/2` run side by side, and claim `legs` and `Left leg`"] {
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
    assert!(!said.err.contains("main/3"), "{}", said.err);
}
