//! Behaviors in Python: `script` leaves and `custom` conditions of characters, and runners in boxes (docs/guides/python-behaviors.md).

#![cfg(unix)]
#[path = "python_behaviors/page.rs"]
mod page;
use crate::common::{Said, Temp, has_python, root, say, xar};
use crate::pythons;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const HOSTS: [&str; 2] = ["native", "process"];

/// A folder with a character and its Python file.
fn scene(name: &str, behaviors: &str, script: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-behaviors").join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("character.yaml"), format!("character: Test\nscripts: own.py\nbehaviors:\n{behaviors}"))
        .unwrap();
    fs::write(folder.join("own.py"), format!("import time\nimport boxstep\nfrom boxstep import Behavior\n{script}"))
        .unwrap();
    folder
}

/// Plays it in virtual time; its trace, and what was said.
fn play(folder: &Path, host: &str, code: i32, more: &[&str]) -> (Vec<Value>, Said) {
    let trace = Temp::new("jsonl");
    let file = folder.join("character.yaml");
    let mut args = vec!["play", file.to_str().unwrap(), "--virtual-time", "--for", "20", "--scripts", host];
    args.extend(["--trace", trace.arg()]);
    args.extend(more);
    let said = say(&args).code(code);
    let text = fs::read_to_string(&trace.0).unwrap_or_default();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), said)
}

/// Plays it in both hosts, which have to give the same trace: that.
#[track_caller]
fn both(folder: &Path, code: i32, more: &[&str]) -> Vec<Value> {
    let [first, second] = HOSTS.map(|host| play(folder, host, code, more).0);
    assert_eq!(first[1..], second[1..], "the hosts differ");
    assert_eq!(first.last().unwrap()["deterministic"], true, "{:?}", first.last());
    first
}

/// What was printed, with the milliseconds at which it was and by whom.
fn printed(trace: &[Value]) -> Vec<String> {
    let said = |e: &Value| {
        Some(format!(
            "{} {}: {}",
            e["t"].as_i64()? / 1_000_000,
            e["path"].as_str().unwrap_or(""),
            e["text"].as_str()?.trim_end()
        ))
    };
    trace.iter().filter(|e| e["kind"] == "print").filter_map(said).collect()
}

/// What happened to a behavior, as `activated`, `ended done "x"` and so on.
fn happened(trace: &[Value], path: &str) -> Vec<String> {
    let of = |e: &&Value| e["kind"] == "delegation" && e["path"] == path;
    let words = |e: &Value| {
        let mut text = e["what"].as_str().unwrap_or_default().to_owned();
        for key in ["request", "how", "why"] {
            if let Some(word) = e[key].as_str() {
                text += &format!(" {word}");
            }
        }
        match &e["value"] {
            Value::Null => text,
            value => format!("{text} {value}"),
        }
    };
    trace.iter().filter(of).map(words).collect()
}

fn raised(trace: &[Value]) -> Vec<String> {
    let one = |e: &Value| {
        let error = &e["error"];
        format!(
            "{} {}: {}",
            e["path"].as_str().unwrap_or(""),
            error["kind"].as_str().unwrap(),
            error["message"].as_str().unwrap()
        )
    };
    trace.iter().filter(|e| e["kind"] == "raised").map(one).collect()
}

#[test]
fn a_class_has_all_the_calls_of_a_behavior_in_their_order_in_both_hosts() {
    if !has_python() {
        return;
    }
    let folder = scene(
        "calls",
        "  main: { queue: [{ name: own, script: Own, args: { word: hey } }, { say: after it }] }\n",
        "
class Own(Behavior):
    def __init__(self, word):
        print('made', word, self.name)
    def init(self):
        print('init')
    def entered_scope(self):
        print('entered')
    def wants_to_be_activated(self):
        print('asked')
        return True
    def activated(self, value):
        print('activated', value, self.is_active(), self.can_delegate())
        self.turns = 0
    def update(self, events):
        self.turns = getattr(self, 'turns', 0) + 1
        print('update', self.turns, self.time)
        if self.turns == 2:
            self.complete({'n': 5})
    def deactivated(self, end):
        print('deactivated', end.how, end.value)
    def left_scope(self):
        print('left')
",
    );
    let trace = both(&folder, 0, &["--must-end"]);
    let path = "main/own: ";
    let expected = [
        "0 : made hey own".to_owned(),
        format!("0 {path}init"),
        format!("0 {path}entered"),
        format!("0 {path}asked"),
        format!("0 {path}activated None True True"),
        format!("0 {path}update 1 0.0"),
        format!("50 {path}update 2 0.05"),
        format!("50 {path}deactivated done {{'n': 5}}"),
    ];
    let seen = printed(&trace);
    assert_eq!(seen[..8], expected, "{seen:#?}");
    assert_eq!(seen.last().unwrap().split(": ").nth(1), Some("left"));
    assert_eq!(happened(&trace, "main/own")[1..3], ["activated", "ended done {\"n\":5}"]);
}

#[test]
fn a_class_in_the_midst_of_the_tree_delegates_to_what_the_file_declares() {
    if !has_python() {
        return;
    }
    let folder = scene(
        "delegates",
        "  main: { sequence: [{ name: own, script: Own, delegates: [one, { name: two, wait: 1 }, { name: three, script: Leaf }] }, { say: the end }] }\n  one: { say: first }\n",
        "
class Own(Behavior):
    def activated(self, value):
        print(list(self.delegates))
        self.ticket = self.offer('one')
    def on_delegate_ended(self, ticket, end):
        print(ticket == self.ticket, end.how, end.value)
        if end.value == 'leaf':
            self.complete('all')
        elif self.is_control_delegated():
            pass
        elif end.how == 'done' and not hasattr(self, 'both'):
            for name in ('two', 'three'):
                assert self.ask(name), name
            self.both = self.delegate('two', 'three', value='given')
            print(len(self.both))

class Leaf(Behavior):
    def activated(self, value):
        print('leaf', value)
        self.since = self.time
    def update(self, events):
        if self.is_active() and self.time >= self.since + 2:
            self.complete('leaf')
",
    );
    let trace = both(&folder, 0, &["--must-end"]);
    let words: Vec<String> = printed(&trace).iter().map(|line| line.split(": ").nth(1).unwrap().to_owned()).collect();
    let expected =
        ["['one', 'two', 'three']", "True done None", "leaf given", "2", "False done None", "False done leaf"];
    assert_eq!(words, expected);
    assert!(happened(&trace, "main/own").contains(&"ended done \"all\"".to_owned()));
}

#[test]
fn a_refusal_is_an_exception_and_changes_nothing() {
    if !has_python() {
        return;
    }
    let folder = scene(
        "refusals",
        "  main: { queue: [{ name: own, script: Own, delegates: [one, { name: no, script: No }] }] }\n  one: { wait: 1 }\n",
        "
def tries(behavior, request, *args):
    try:
        return getattr(behavior, request)(*args)
    except boxstep.Refusal as refusal:
        return refusal.reason

class No(Behavior):
    def wants_to_be_activated(self):
        print('asking', tries(self, 'complete'), tries(self, 'ask', 'one'), self.can_delegate())
        print('asking', tries(self, 'call', 'ALMemory.getDataListName'), tries(self, 'subscribe', 'Key'))
        return False

class Own(Behavior):
    def init(self):
        print('init', tries(self, 'ask', 'one'), tries(self, 'complete'))
    def entered_scope(self):
        print('scope', tries(self, 'delegate', 'one'))
    def activated(self, value):
        print(tries(self, 'delegate', 'one'), tries(self, 'delegate', 'nobody'), tries(self, 'delegate'))
        answer = self.ask('no')
        print(bool(answer), answer.why, tries(self, 'delegate', 'no'))
        print(self.offer('no'), type(self.offer('one')).__name__)
        print(tries(self, 'delegate', 'one'), self.is_control_delegated(), self.cancel_delegates())
        self.complete('x')
        print(tries(self, 'ask', 'one'), tries(self, 'fail', 'y'))
    def deactivated(self, end):
        print(end.how, tries(self, 'cancel_self'))
",
    );
    let trace = both(&folder, 0, &["--must-end"]);
    let words: Vec<String> = printed(&trace).iter().map(|line| line.split(": ").nth(1).unwrap().to_owned()).collect();
    let expected = [
        "init NotActive NotActive",
        "scope NotActive",
        "NotAsked NotDeclared Nobody",
        "asking Asking Asking False",
        "asking Asking Asking",
        "False says_no SaidNo",
        "asking Asking Asking False",
        "asking Asking Asking",
        "None Ticket",
        "NotInControl True 1",
        "Deactivating Deactivating",
        "done Deactivating",
    ];
    assert_eq!(words, expected);
    assert!(
        happened(&trace, "main/own").iter().any(|line| line.starts_with("refused delegate the delegate was not asked"))
    );
}

#[test]
fn an_exception_fails_the_behavior_with_its_line_and_traceback_and_the_rest_goes_on() {
    if !has_python() {
        return;
    }
    let folder = scene(
        "raises",
        "  main: { fallback: [{ name: a, script: Begins }, { name: b, script: Goes }, { name: c, script: Asked }, { say: Never mind }] }\n",
        "
class Begins(Behavior):
    def activated(self, value):
        self.helper()
    def helper(self):
        raise ValueError('no music')

class Goes(Behavior):
    def update(self, events):
        if self.is_active():
            1 // 0

class Asked(Behavior):
    def wants_to_be_activated(self):
        raise KeyError('x')
",
    );
    let trace = both(&folder, 0, &["--must-end"]);
    assert!(
        happened(&trace, "main/a").contains(&"ended failed ValueError: no music (own.py line 9)".to_owned()),
        "{:?}",
        happened(&trace, "main/a")
    );
    assert!(happened(&trace, "main/b").iter().any(|line| line.starts_with("ended failed ZeroDivisionError")));
    assert!(!happened(&trace, "main/c").contains(&"activated".to_owned()));
    let told = raised(&trace);
    assert_eq!(told[0], "main/a ValueError: no music (own.py line 9)");
    assert_eq!(told.len(), 3, "{told:?}");
    let event = trace.iter().find(|e| e["kind"] == "raised").unwrap();
    let traceback = event["error"]["traceback"].as_str().unwrap();
    assert!(
        traceback.contains("File \"own.py\", line 9, in helper") && traceback.contains("raise ValueError"),
        "{traceback}"
    );
    // The cause of the exception is that control was given.
    let cause = trace.iter().find(|e| e["n"] == event["cause"]).unwrap();
    assert_eq!((&cause["what"], &cause["path"]), (&"activated".into(), &"main/a".into()));
    assert!(trace.iter().any(|e| e["text"] == "Never mind" || e["args"][0] == "Never mind"), "it goes on");
}

#[test]
fn a_hook_may_wait_but_not_for_ever() {
    if !has_python() {
        return;
    }
    let folder = scene(
        "waits",
        "  main: { fallback: [{ name: a, script: Short }, { name: b, script: Long }, { say: Never mind }] }\n",
        "
class Short(Behavior):
    def activated(self, value):
        time.sleep(2)
        print('slept')
        self.fail('rested')

class Long(Behavior):
    def activated(self, value):
        try:
            time.sleep(60)
        finally:
            print('given up')
",
    );
    let trace = both(&folder, 0, &["--must-end"]);
    assert_eq!(printed(&trace)[0], "2000 main/a: slept");
    assert_eq!(raised(&trace), ["main/b TimeoutError: activated took longer than 5.000 s, and is given up"]);
    assert!(happened(&trace, "main/b").iter().any(|line| line.starts_with("ended failed TimeoutError")));
    let last = trace.last().unwrap()["t"].as_i64().unwrap() / 1_000_000;
    assert!((7_000..9_000).contains(&last), "{last}");
}

#[test]
fn a_hook_that_never_comes_to_an_end_is_given_up_and_named() {
    if !has_python() {
        return;
    }
    let folder = scene(
        "endless",
        "  main: { fallback: [{ name: a, script: Endless }, { say: Never mind }] }\n",
        "
class Endless(Behavior):
    def activated(self, value):
        while True:
            pass
",
    );
    for host in HOSTS {
        let (trace, said) = play(&folder, host, 0, &["--patience", "1", "--must-end"]);
        assert!(said.out.contains("Never mind"), "{host}: {}", said.out);
        assert_eq!(raised(&trace), ["main/a TimeoutError: activated does not come to an end, and is given up"]);
    }
}

#[test]
fn a_condition_is_a_function_and_says_why() {
    if !has_python() {
        return;
    }
    let folder = scene(
        "conditions",
        "  main: { priority: [{ say: Hungry, when: { custom: hungry, args: { since: 3 } }, cooldown: 10 }, { say: Odd, when: { all: [{ custom: odd }, { custom: broken }] } }] }\n",
        "
asked = []

def hungry(since):
    asked.append(since)
    return time.time() % 100 >= since, 'for %d s' % since

def odd():
    return True

def broken():
    raise ValueError('no')
",
    );
    let trace = both(&folder, 0, &[]);
    let said = |e: &&Value| e["kind"] == "service" && e["method"] == "say";
    let words: Vec<(i64, &str)> = trace
        .iter()
        .filter(said)
        .map(|e| (e["t"].as_i64().unwrap() / 1_000_000, e["args"][0].as_str().unwrap()))
        .collect();
    assert_eq!(words[0].1, "Hungry");
    assert!(words.iter().all(|word| word.1 != "Odd"));
    // It is false from then on, and not asked again.
    assert_eq!(raised(&trace), [" ValueError: no (own.py line 15)"]);
}

#[test]
fn what_the_python_files_do_not_have_is_told_before_anything_plays() {
    if !has_python() {
        return;
    }
    let leaf = "  main: { queue: [{ say: Hello }, { script: Own, delegates: [one] }] }\n  one: { wait: 1 }\n";
    let cases = [
        (
            "class",
            leaf,
            "class Owl(Behavior): pass\n",
            "there is no class of boxstep.Behavior `Own` in own.py; did you mean `Owl`?",
        ),
        ("syntax", leaf, "class Own(Behavior)\n", "SyntaxError"),
        (
            "init",
            leaf,
            "class Own(Behavior):\n    def __init__(self): raise ValueError('broken')\n",
            "ValueError: broken (own.py line 5)",
        ),
        (
            "args",
            "  main: { script: Own, args: { a: 1 } }\n",
            "class Own(Behavior):\n    def __init__(self): pass\n",
            "TypeError",
        ),
        (
            "more",
            leaf,
            "class Own(Behavior):\n    def all_delegates(self): return ['one', 'two']\n",
            "`main/2` may delegate to `two`",
        ),
        ("condition", "  main: { wait: 1, when: { custom: hungry } }\n", "", "there is no function `hungry` in own.py"),
    ];
    for (name, behaviors, script, told) in cases {
        let folder = scene(&format!("missing-{name}"), behaviors, script);
        for host in HOSTS {
            let (trace, said) = play(&folder, host, 4, &[]);
            assert!(said.out.contains(told) || said.err.contains(told), "{name} {host}: {}\n{}", said.out, said.err);
            assert!(!trace.iter().any(|e| e["kind"] == "service"), "{name}: something plays");
        }
    }
}

#[test]
fn a_character_without_a_python_file_or_without_scripts_is_refused_in_words() {
    let folder = scene("no-file", "  main: { script: Own }\n", "");
    fs::remove_file(folder.join("own.py")).unwrap();
    let (_, said) = play(&folder, "process", 2, &[]);
    assert!(said.err.contains("there is no file `own.py` beside the character"), "{}", said.err);
    fs::write(folder.join("character.yaml"), "character: Test\nbehaviors:\n  main: { script: Own }\n").unwrap();
    let (_, said) = play(&folder, "process", 2, &[]);
    assert!(
        said.err.contains("no Python file has the class `Own`: `scripts` at the top names the files"),
        "{}",
        said.err
    );
    let folder = scene("off", "  main: { script: Own }\n", "");
    let (_, said) = play(&folder, "off", 2, &[]);
    assert!(said.err.contains("the runner has behaviors in Python, and this run runs no scripts"), "{}", said.err);
}

#[test]
fn events_calls_and_numbers_by_chance_are_those_of_the_run() {
    if !has_python() {
        return;
    }
    let folder = scene(
        "events",
        "  main: { script: Own }\n",
        "
class Own(Behavior):
    def init(self):
        self.subscribe('Touched')
        self.job = None
    def update(self, events):
        for event in events:
            print(event.key, event.value, event.time, self.latest('Touched'))
            print(0 <= self.random() < 1)
            self.job = self.call('ALMemory.getData', 'Touched')
            print(self.job.poll())
        if not events and self.job is not None and self.job.poll() != 'running':
            print(self.job.poll(), self.job.value, self.latest('Touched'))
            self.complete()
",
    );
    let trace = both(&folder, 0, &["--event", "Touched=7@1.02", "--must-end"]);
    let words: Vec<String> = printed(&trace).iter().map(|line| line.split(": ").nth(1).unwrap().to_owned()).collect();
    assert_eq!(words, ["Touched 7 1.02 7", "True", "running", "done 7 7"]);
    let call = trace.iter().find(|e| e["kind"] == "service").unwrap();
    assert_eq!(call["method"], "getData");
}

#[test]
fn the_end_of_the_process_fails_the_behavior_and_the_run_comes_to_its_end() {
    if !has_python() {
        return;
    }
    let folder = scene(
        "crash",
        "  main: { fallback: [{ name: a, script: Dies }, { say: Never mind }] }\n",
        "
import os
class Dies(Behavior):
    def activated(self, value):
        os._exit(3)
",
    );
    let (trace, _) = play(&folder, "process", 0, &["--must-end"]);
    assert!(
        happened(&trace, "main/a").iter().any(|line| line.starts_with("ended failed ProcessEnded")),
        "{:?}",
        happened(&trace, "main/a")
    );
}

#[test]
fn who_is_asked_again_after_a_wait_knows_it_and_may_hold_to_its_yes() {
    if !has_python() {
        return;
    }
    let folder = scene(
        "waited",
        "  main: { priority: [{ name: own, script: Own }, { name: dance, play: dance.xar }] }\n",
        "
class Own(Behavior):
    touched = False
    def init(self):
        self.subscribe('Touch')
    def update(self, events):
        self.touched = bool(events)
    def wants_to_be_activated(self):
        # The touch is over when the dance has wound down.
        if self.touched or self.has_waited():
            print('asked', self.touched, self.has_waited())
            return True
        return False
    def activated(self, value):
        self.complete('touched')
",
    );
    let slow = "import time\nclass MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        pass\n    def onUnload(self):\n        time.sleep(1)\n";
    let ports = xar::ports() + &xar::input(3, "onStop", 3);
    let only = xar::a_box(1, "Dance", slow, &ports, "");
    let inside = xar::flow(&(only + &xar::link((0, 2), (1, 2))));
    let written = xar::written("python-behaviors", "waited-dance", &xar::behavior(&ports, &inside));
    fs::copy(written.join("behavior.xar"), folder.join("dance.xar")).unwrap();
    let trace = both(&folder, 0, &["--event", "Touch=1@2"]);
    let words: Vec<String> = printed(&trace).iter().map(|line| line.split(": ").nth(1).unwrap().to_owned()).collect();
    assert_eq!(words, ["asked True False", "asked False True"]);
    let own = happened(&trace, "main/own");
    assert!(own.contains(&"ended done \"touched\"".to_owned()), "{own:?}");
}

#[test]
fn in_real_time_the_same_happens_as_in_virtual_time() {
    if !has_python() {
        return;
    }
    let folder = scene(
        "real-time",
        "  main: { queue: [{ name: own, script: Own, delegates: [{ name: rest, wait: 0.1 }], when: { custom: ready } }] }\n",
        "
class Own(Behavior):
    def activated(self, value):
        print('begins')
        self.job = self.call('ALMemory.getDataListName')
        self.offer('rest')
    def on_delegate_ended(self, ticket, end):
        print('rested', end.how, self.job.poll())
        self.complete('well')

def ready():
    return True, 'always'
",
    );
    let expected = both(&folder, 0, &["--must-end"]);
    for host in HOSTS {
        let trace = Temp::new("jsonl");
        let file = folder.join("character.yaml");
        say(&["play", file.to_str().unwrap(), "--for", "60", "--must-end", "--scripts", host, "--trace", trace.arg()])
            .code(0);
        let text = fs::read_to_string(&trace.0).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for path in ["main", "main/own", "main/own/rest"] {
            assert_eq!(happened(&lines, path), happened(&expected, path), "{host} {path}");
        }
        let words = |all: &[Value]| -> Vec<String> {
            printed(all).iter().map(|l| l.split(": ").nth(1).unwrap().to_owned()).collect()
        };
        assert_eq!(words(&lines), ["begins", "rested done done"], "{host}");
    }
}

#[test]
fn python_2_is_refused_in_words() {
    let Some(python) = pythons::two() else { return };
    let folder = scene("python2", "  main: { script: Own }\n", "class Own(Behavior):\n    pass\n");
    let python = python.to_string_lossy().into_owned();
    let (_, said) = play(&folder, "process", 4, &["--python", &python]);
    let all = said.out + &said.err;
    assert!(all.contains("behaviors in Python cannot be run"), "{all}");
    assert!(all.contains("behaviors in Python need Python 3.9 or newer, and this is Python 2.7"), "{all}");
}
