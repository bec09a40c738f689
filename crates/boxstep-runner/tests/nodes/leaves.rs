//! Leaves, references and parameters.

use crate::support::{Double, Show};
use boxstep_engine::runner::{Action, Control, Progress};
use boxstep_runner::Natives;
use boxstep_types::Value;
use std::sync::{Arc, Mutex};

#[test]
fn each_leaf_says_what_the_world_is_to_do() {
    let text = "
main:
  queue:
    - { play: Dance.xar, parameters: { Speed: 2 } }
    - { animation: Hello }
    - { say: Hi, animated: true }
    - { call: ALMotion.moveTo, args: [1, 0.5, x] }
    - { call: ALMotion.wakeUp }
    - { script: Greeter, args: { name: Ada } }
";
    let lines: Vec<String> = Show::new(text).run(7.0).into_iter().map(|line| line[4..].to_owned()).collect();
    let expected = [
        "Dance.xar [(\"Speed\", Int(2))]",
        "animation Hello",
        "Hi animated",
        "ALMotion.moveTo[1,0.5,\"x\"]",
        "ALMotion.wakeUp[]",
        "script Greeter {\"name\":\"Ada\"}",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn of_several_texts_one_is_drawn() {
    let lines = Show::new("main: { repeat: { say: [quick a, quick b] } }").run(20.0);
    let count = |what: &str| lines.iter().filter(|line| line.ends_with(what)).count();
    assert!(count(" a") > 60 && count(" b") > 60 && count(" a") + count(" b") == 200);
}

#[test]
fn a_wait_lasts_so_long_and_varies_by_its_jitter() {
    let lines = Show::new("main: { sequence: [{ wait: 0.5 }, { say: a }] }").run(1.0);
    assert_eq!(lines, ["0.5 a"]);
    let text = "main: { repeat: { sequence: [{ wait: 1, jitter: 0.5 }, { say: quick }] } }";
    let lines = Show::new(text).run(100.0);
    let times: Vec<f64> = lines.iter().map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
    let gaps: Vec<f64> = times.windows(2).map(|two| two[1] - two[0]).collect();
    assert!(gaps.iter().all(|gap| (0.49..1.71).contains(gap)), "{gaps:?}");
    assert!(gaps.iter().any(|gap| *gap < 0.9) && gaps.iter().any(|gap| *gap > 1.2));
}

#[test]
fn a_leaf_that_the_world_does_not_want_says_no() {
    let double = Double::default();
    double.state().unwilling.insert("a".into());
    let mut show = Show::world("main: { priority: [{ say: a }, { say: long b }] }", 0, &Natives::new(), double.clone());
    assert_eq!(show.tick(), ["long b"]);
    double.state().unwilling.clear();
    assert_eq!(show.tick(), ["stop long b", "a"]);
}

#[test]
fn a_leaf_that_is_not_still_in_time_is_forced() {
    let double = Double::default();
    double.state().slow.insert("long idle".into(), [0.0, 99.0, 0.0]);
    let text = "main: { priority: [{ say: long alarm, when: { memory: Alarm } }, { say: long idle }] }";
    let mut show = Show::world(text, 0, &Natives::new(), double);
    show.tick();
    show.raise("Alarm", 1);
    assert_eq!(show.run(12.0), ["0.1 stop long idle", "10.1 force long idle", "10.1 long alarm"]);
}

struct Counter(Arc<Mutex<Vec<String>>>, i64);

impl Action for Counter {
    fn ready(&self, _: &mut Control<'_>) -> bool {
        self.1 > 0
    }
    fn start(&mut self, _: &mut Control<'_>, _: &Value) {
        self.0.lock().unwrap().push(format!("start {}", self.1));
    }
    fn poll(&mut self, _: &mut Control<'_>) -> Progress {
        self.1 -= 1;
        if self.1 == 0 { Progress::Done(Value::Null) } else { Progress::Running }
    }
    fn stop(&mut self, _: &mut Control<'_>) {
        self.0.lock().unwrap().push("stop".into());
    }
}

#[test]
fn a_native_is_an_action_bound_by_its_name() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let told = log.clone();
    let natives = Natives::new().bind("count", move |args| Counter(told.clone(), args.as_i64().unwrap()));
    let text = "main: { sequence: [{ native: count, args: 3 }, { pass: { native: count, args: 9 }, until: { elapsed: 0.1 } }, { say: then }] }";
    let mut show = Show::with(text, 0, &natives);
    assert_eq!(show.run(1.0), ["0.3 then"]);
    assert_eq!(*log.lock().unwrap(), ["start 3", "start 9", "stop"]);
}

#[test]
fn a_native_that_is_not_bound_is_told_with_its_place() {
    let text = "character: A\nbehaviors:\n  main: { native: blnik }";
    let character = boxstep_runner::Character::read(text, "a.yaml", &[]).unwrap();
    let natives = Natives::new().bind("blink", |_| Counter(Arc::default(), 1));
    let Err(findings) = character.build(Double::default(), &natives, 0) else { panic!("it is not bound") };
    assert_eq!((findings[0].at.line, findings[0].help.as_deref()), (3, Some("did you mean `blink`?")));
}

#[test]
fn a_behavior_that_two_refer_to_is_one_and_runs_once() {
    let text = "
main: { parallel: [one, two], failure: all }
one: { queue: [shared] }
two: { sequence: [{ wait: 0.5 }, { selector: [shared, { say: taken }] }] }
shared: { say: long shared }
";
    assert_eq!(Show::new(text).run(1.0), ["0.0 long shared", "0.5 taken"]);
}

#[test]
fn a_pattern_makes_a_behavior_of_its_own_for_each_use() {
    let text = "
main:
  queue:
    - { use: greet, with: { name: Ada } }
    - { use: greet, with: { name: Bob, twice: { say: again } } }
greet:
  takes: { name: null, twice: { wait: 0 } }
  sequence: [{ say: $name }, $twice]
";
    assert_eq!(Show::new(text).run(5.0), ["0.0 Ada", "1.0 Bob", "2.0 again"]);
}

#[test]
fn the_files_parameters_stand_for_their_values_and_can_be_given_others() {
    let text = "character: A\nparameters: { text: quick, price: 5 }\nbehaviors:\n  main: { queue: [{ say: $text }, { say: $$5 }, { call: A.b, args: [$price, $$x, { deep: [$text] }] }] }";
    let lines = Show::new(text).run(3.0);
    assert_eq!(lines, ["0.0 quick", "0.0 $5", "1.0 A.b[5,\"$x\",{\"deep\":[\"quick\"]}]"]);
    let set = [("text".into(), Value::from("Hello"))];
    let character = boxstep_runner::Character::read(text, "a.yaml", &set).unwrap();
    let boxstep_runner::Kind::Do(what) = &character.behaviors[1].kind else { panic!() };
    assert_eq!(crate::support::word(what), "Hello");
}

#[test]
fn what_is_given_along_reaches_the_child_of_a_pass_through() {
    let mut show = Show::new("character: A\nat_end: restart\nbehaviors:\n  main: { pass: { say: a } }");
    assert_eq!(show.run(2.0), ["0.0 a", "1.0 a"]);
}

#[test]
fn the_root_can_give_way_to_an_idle_behavior() {
    let text = "character: A\nroot: hello\nat_end: { idle: rest }\nbehaviors:\n  hello: { sequence: [{ say: hello }] }\n  rest: { sequence: [{ say: rest }] }";
    assert_eq!(Show::new(text).run(2.5), ["0.0 hello", "1.0 rest", "2.0 hello"]);
}

#[test]
fn a_topic_is_played_as_a_behavior_is() {
    let mut show = Show::new("main: { priority: [{ say: Hm, when: { event: Touch } }, { talk: long.top }] }");
    assert_eq!(show.tick(), ["talk long.top"]);
    show.raise("Touch", 1);
    assert_eq!(show.tick(), ["stop talk long.top", "Hm"]);
    let lines = show.run(1.5);
    assert_eq!(lines, ["1.1 talk long.top"], "it talks again");
}
