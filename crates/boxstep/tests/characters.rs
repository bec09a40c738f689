//! Characters that play: `boxstep play character.yaml`.

use crate::common::{Said, has_python, in_order, say, xar};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with a character and the behaviors that it plays: each a box with a script.
fn character(name: &str, behaviors: &str, scripts: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("characters").join(name);
    fs::create_dir_all(&folder).unwrap();
    for (file, script) in scripts {
        let ports = xar::ports() + &xar::input(3, "onStop", 3);
        let script = format!(
            "class MyClass(GeneratedClass):\n    def __init__(self):\n        GeneratedClass.__init__(self)\n{script}"
        );
        let only = xar::a_box(1, "Only", &script, &ports, "");
        let inside = xar::flow(&(only + &xar::link((0, 2), (1, 2)) + &xar::link((1, 4), (0, 4))));
        fs::write(folder.join(file), xar::behavior(&ports, &inside)).unwrap();
    }
    let file = folder.join("character.yaml");
    fs::write(&file, format!("character: Test\n{behaviors}")).unwrap();
    file
}

/// Plays it in virtual time; the lines of the account without its first two.
fn play(file: &Path, options: &[&str]) -> Said {
    let args = ["play", file.to_str().unwrap(), "--virtual-time", "--for", "20"];
    say(&[&args[..], options].concat())
}

#[test]
fn play_begins_to_load_in_scope_starts_when_it_is_activated_and_ends_with_on_stopped() {
    if !has_python() {
        return;
    }
    let script = "    def onLoad(self):\n        ALProxy('ALTextToSpeech').say('loaded')\n    def onInput_onStart(self):\n        self.onStopped()\n";
    let file = character(
        "life",
        "behaviors:\n  main: { queue: [{ wait: 2 }, { play: one.xar }, { say: after it }] }\n",
        &[("one.xar", script)],
    );
    let said = play(&file, &["--must-end"]).code(0);
    in_order(
        &said.out,
        &[
            "0.000",
            "says “loaded”",
            "behavior one loaded",
            "2.000",
            "behavior one started",
            "unloaded",
            "says “after it”",
        ],
    );
}

#[test]
fn who_takes_over_waits_until_the_behavior_has_wound_down() {
    if !has_python() {
        return;
    }
    let script = "    def onUnload(self):\n        ALProxy('ALTextToSpeech').say('putting my arms down')\n    def onInput_onStart(self):\n        pass\n";
    let file = character(
        "winding-down",
        "behaviors:\n  main:\n    priority:\n      - { say: I am touched, when: { memory: Touch, equals: 1 } }\n      - { play: one.xar }\n",
        &[("one.xar", script)],
    );
    let said = play(&file, &["--event", "Touch=1@3"]).code(0);
    in_order(
        &said.out,
        &[
            "behavior one started",
            "3.000",
            "cancelled: by main",
            "says “putting my arms down”",
            "unloaded",
            "says “I am touched”",
        ],
    );
}

#[test]
fn a_behavior_whose_script_raises_has_failed() {
    if !has_python() {
        return;
    }
    let script = "    def onInput_onStart(self):\n        raise ValueError('no music')\n";
    let file = character(
        "failing",
        "behaviors:\n  main: { fallback: [{ play: one.xar }, { say: Never mind }] }\n",
        &[("one.xar", script)],
    );
    let said = play(&file, &["--must-end"]);
    in_order(&said.out, &["failed: ValueError: no music", "says “Never mind”"]);
}

#[test]
fn a_behavior_plays_a_second_time_from_the_values_of_its_file() {
    if !has_python() {
        return;
    }
    let script = "    def onInput_onStart(self):\n        ALProxy('ALTextToSpeech').say('once more')\n        self.onStopped()\n";
    let file =
        character("twice", "behaviors:\n  main: { repeat: { play: one.xar }, times: 2 }\n", &[("one.xar", script)]);
    let said = play(&file, &["--must-end"]).code(0);
    assert_eq!(said.out.matches("says “once more”").count(), 2, "{}", said.out);
}

#[test]
fn leaves_are_calls_of_the_robots_services() {
    let file = character(
        "calls",
        "behaviors:\n  main:\n    sequence:\n      - { say: Look, animated: true }\n      - { animation: animations/Stand/Gestures/Hey_1 }\n      \
         - { call: ALMemory.raiseEvent, args: [Key, 5] }\n      - { say: It is there, when: { memory: Key, equals: 5 } }\n",
        &[],
    );
    let said = play(&file, &["--must-end", "--scripts", "off"]).code(0);
    in_order(&said.out, &["says “Look”", "animation animations/Stand/Gestures/Hey_1", "says “It is there”"]);
}

#[test]
fn memory_conditions_see_what_is_written_and_removed_without_an_event() {
    let file = character(
        "memory",
        "behaviors:\n  main: { parallel: [writing, watching], failure: all }\n  \
         writing: { sequence: [{ wait: 1 }, { call: ALMemory.insertData, args: [Key, 5] }, { wait: 1 }, { call: ALMemory.removeData, args: [Key] }] }\n  \
         watching:\n    priority:\n      - { say: It is there, when: { memory: Key, equals: 5 }, cooldown: 60 }\n      \
         - { say: It is gone, when: { all: [{ memory: Key, exists: false }, { elapsed: 1.5 }] }, cooldown: 60 }\n",
        &[],
    );
    let said = play(&file, &["--scripts", "off"]).code(0);
    in_order(&said.out, &["    1.050", "says “It is there”", "    2.", "says “It is gone”"]);
}

#[test]
fn a_name_that_is_no_resource_of_the_robot_is_free_unless_a_behavior_claims_it() {
    let file = character(
        "own-names",
        "behaviors:\n  main: { parallel: [{ wait: 2, claims: [stage] }, watching], failure: all }\n  \
         watching: { priority: [{ say: The stage is mine, when: { free: stage }, cooldown: 60 }] }\n",
        &[],
    );
    let said = play(&file, &["--scripts", "off"]).code(0);
    in_order(&said.out, &["    2.0", "says “The stage is mine”"]);
    assert!(!said.out.contains("0.000                          says"), "{}", said.out);
}

#[test]
fn a_call_that_the_robot_refuses_has_failed_and_so_has_a_service_that_is_not_there() {
    let file = character(
        "refused",
        "behaviors:\n  main: { fallback: [{ call: ALNothing.do }, { call: ALMotion.setAngles, args: [5] }, { say: Never mind }] }\n",
        &[],
    );
    let said = play(&file, &["--scripts", "off"]);
    in_order(&said.out, &["failed: Cannot find service: ALNothing", "failed: ALMotion.setAngles", "says “Never mind”"]);
}

#[test]
fn what_is_taken_control_from_stops_what_the_robot_does() {
    let file = character(
        "stopped",
        "behaviors:\n  main: { pass: { call: ALMotion.angleInterpolation, args: [HeadYaw, 1.0, 10.0, true] }, until: { elapsed: 1 } }\n",
        &[],
    );
    let said = play(&file, &["--must-end", "--scripts", "off"]).code(0);
    assert!(said.out.contains("played 1.0"), "{}", said.out);
}

#[test]
fn parameters_are_set_on_the_command_line() {
    let file = character("parameters", "parameters: { text: Hello }\nbehaviors:\n  main: { say: $text }\n", &[]);
    let said = play(&file, &["--scripts", "off", "--set", "character/text=Good evening"]).code(0);
    assert!(said.out.contains("says “Good evening”"), "{}", said.out);
    let said = play(&file, &["--scripts", "off", "--set", "character/txet=5"]).code(2);
    assert!(said.err.contains("did you mean `text`?"), "{}", said.err);
    let said = play(&file, &["--scripts", "off", "--set", "root/text=5"]).code(2);
    assert!(said.err.contains("write character/NAME=VALUE"), "{}", said.err);
}

#[test]
fn what_is_wrong_is_told_with_file_line_and_way_and_nothing_plays() {
    let file = character("wrong", "behaviors:\n  main:\n    queue:\n      - { say: a }\n      - { says: b }\n", &[]);
    let said = play(&file, &["--scripts", "off"]).code(2);
    for part in ["BS0753", "wrong/character.yaml:6:", "main", "did you mean `say`?"] {
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
    assert_eq!(said.out, "");
}

#[test]
fn a_behavior_that_is_not_there_is_told_where_it_is_named() {
    let file =
        character("missing", "behaviors:\n  main:\n    queue:\n      - { say: a }\n      - { play: dance.xar }\n", &[]);
    let said = play(&file, &["--scripts", "off"]).code(2);
    for part in ["missing/character.yaml:6:", "main/2", "there is no file `dance.xar` beside the character"] {
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
}

#[test]
fn a_character_has_no_boxes_to_be_stimulated() {
    let file = character("refusals", "behaviors:\n  main: { say: a }\n", &[]);
    let said = play(&file, &["--scripts", "off", "--stimulate", "root:onStop@1"]).code(2);
    assert!(said.err.contains("a character has no boxes of its own"), "{}", said.err);
}
