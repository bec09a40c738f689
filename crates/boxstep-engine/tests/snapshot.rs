//! Snapshots: what is quiet, what is refused and named, what is saved (`docs/snapshot.md`).

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod support;

use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, ClockKind, Config, Control, Library, Mock};
use boxstep_engine::door::Scheduler;
use boxstep_engine::native::{NativeBox, NativeCx, Natives};
use boxstep_engine::objects::{Draft, Phase, Undriven, When};
use boxstep_engine::services::Random;
use boxstep_engine::snapshot::{Resume, ResumeError, Snapshot, SnapshotError};
use boxstep_engine::trace::Header;
use boxstep_types::{Time, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use support::*;

/// A box without a script.
fn bare(name: &str, id: i32, extra: &str, inside: &str) -> String {
    boxed(name, id, extra, inside).replace(&format!("<![CDATA[{name}]]>"), "")
}

fn bare_root(extra: &str, inside: &str) -> String {
    project(&bare("root", -1, extra, inside))
}

const CURVE: &str = concat!(
    r#"<ActuatorList model=""><ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0">"#,
    r#"<Key frame="1" value="1"/><Key frame="26" value="2"/></ActuatorCurve></ActuatorList>"#
);

/// 10 s long; the head moves for one.
fn timeline(curve: &str) -> String {
    format!(r#"<Timeline enable="1" fps="25" start_frame="1" end_frame="251">{curve}</Timeline>"#)
}

fn secs(s: f64) -> Time {
    Time::from_secs_f64(s)
}

fn engine(source: &BehaviorSource) -> Engine {
    let mut engine = Engine::new(
        Config::default(),
        Box::new(Robot::default()),
        Box::new(boxstep_engine::config::NoLibrary),
        &header(),
        Vec::new(),
    );
    engine.play(source.clone()).unwrap();
    engine
}

fn header() -> Header {
    Header { product: "test".to_owned(), body: "nao".to_owned(), ..Header::new(ClockKind::Virtual) }
}

fn with(source: &BehaviorSource) -> Resume {
    Resume { services: Box::new(Robot::default()), ..Resume::without_robot(Config::default()) }.behavior(source.clone())
}

fn through_json(snapshot: &Snapshot) -> Snapshot {
    Snapshot::from_json(&snapshot.to_json()).unwrap()
}

fn phase(engine: &mut Engine, path: &str) -> Phase {
    let id = engine.objects().find(path).unwrap();
    engine.objects().get_box(id).unwrap().phase()
}

#[test]
fn while_the_head_moves_it_is_not_quiet_and_the_box_and_the_call_are_named() {
    let source = source("test", &bare_root("", &timeline(CURVE)));
    let mut engine = engine(&source);
    engine.run_until(secs(0.5)).unwrap();
    let Err(SnapshotError::NotQuiet(busy)) = engine.snapshot() else { panic!("quiet") };
    let busy: Vec<String> = busy.iter().map(ToString::to_string).collect();
    assert_eq!(busy, ["root (ALMotion.angleInterpolationBezier is under way)"]);
    assert_eq!(engine.run_until_quiet(secs(0.9)).unwrap_err().to_string(), Undriven::Never.to_string());
    assert_eq!(engine.run_until_quiet(secs(60.0)).unwrap(), secs(1.0));
    // It is quiet there already.
    assert_eq!(engine.run_until_quiet(secs(60.0)).unwrap(), secs(1.0));
    let snapshot = through_json(&engine.snapshot().unwrap());
    assert_eq!((snapshot.time(), snapshot.behavior()), (secs(1.0), Some("test")));
    let mut engine = Engine::resume(with(&source), &snapshot).unwrap();
    assert_eq!(engine.now(), secs(1.0));
    engine.run_until(secs(60.0)).unwrap();
    assert_eq!(phase(&mut engine, "root"), Phase::Out);
}

#[test]
fn a_fresh_run_has_work_to_do() {
    let source = source("test", &bare_root("", ""));
    let Err(SnapshotError::NotQuiet(busy)) = engine(&source).snapshot() else { panic!("quiet") };
    assert!(busy.iter().any(|b| b.path == "root"), "{busy:?}");
}

#[test]
fn boxes_with_scripts_are_named_with_the_way_out_though_their_keyframe_is_not_loaded() {
    let inside = format!("{}{}", boxed("A", 1, "", ""), bare("B", 2, "", &flow(&boxed("C", 1, "", ""))));
    let mut run = Run::new(&bare_root("", &flow(&inside)), Scripts::new());
    let why = run.engine.snapshot().unwrap_err();
    assert_eq!(why, SnapshotError::Scripted(vec!["root/A".to_owned(), "root/B/C".to_owned()]));
    assert!(why.to_string().contains("--replay"), "{why}");
    run.engine.end().unwrap_err();
}

#[test]
fn without_their_scripts_the_same_boxes_are_saved_but_not_resumed_with_them() {
    let source = source("test", &root(&boxed("A", 1, "", "")));
    let config = Config { scripts: false, ..Config::default() };
    let mut engine = Engine::without_robot(config.clone());
    engine.play(source.clone()).unwrap();
    engine.run_until(secs(1.0)).unwrap();
    let snapshot = engine.snapshot().unwrap();
    let refused = Engine::resume(Resume::without_robot(Config::default()).behavior(source.clone()), &snapshot);
    assert_eq!(refused.err(), Some(ResumeError::Option("scripts", "off".to_owned())));
    Engine::resume(Resume::without_robot(config).behavior(source), &snapshot).unwrap();
}

/// Counts what comes in; `saves` or not.
struct Counter {
    count: i64,
    saves: bool,
}

impl NativeBox for Counter {
    fn input(&mut self, cx: &mut NativeCx<'_>, _: usize, _: &Value) {
        self.count += 1;
        cx.output(1, Value::Int(self.count));
    }
    fn save(&self) -> Option<Value> {
        self.saves.then_some(Value::Int(self.count))
    }
    fn restore(&mut self, state: &Value) -> Result<(), String> {
        self.count = state.as_i64().ok_or("no number")?;
        Ok(())
    }
}

fn counters(saves: bool) -> Box<Natives> {
    Box::new(Natives::new().with("N", move || Box::new(Counter { count: 0, saves })))
}

const PORT: &str = r#"<Output name="o" type="2" type_size="1" nature="2" inner="0" tooltip="" id="5"/>"#;

#[test]
fn a_native_box_that_does_not_say_how_is_not_saved() {
    let source = source("test", &bare_root("", &flow(&boxed("N", 1, PORT, ""))));
    let mut engine = Engine::without_robot(Config::default());
    engine.set_natives(counters(false));
    engine.play(source).unwrap();
    engine.run_until(secs(1.0)).unwrap();
    assert_eq!(engine.snapshot().err(), Some(SnapshotError::Scripted(vec!["root/N".to_owned()])));
}

#[test]
fn a_native_box_goes_on_with_what_it_has_saved() {
    let source = source("test", &bare_root("", &flow(&boxed("N", 1, PORT, ""))));
    let lines = Lines::default();
    let mut engine = Engine::without_robot(Config::default());
    engine.set_natives(counters(true));
    engine.play(source.clone()).unwrap();
    let poke = Control::Stimulate { path: "root/N".parse().unwrap(), port: "onStart".to_owned(), value: Value::Null };
    for at in [0.5, 0.6, 1.5] {
        engine.control(secs(at), poke.clone()).unwrap();
    }
    engine.run_until(secs(1.0)).unwrap();
    let snapshot = through_json(&engine.snapshot().unwrap());
    let mut resume = Resume::without_robot(Config::default()).behavior(source.clone());
    let missing = Resume::without_robot(Config::default()).behavior(source.clone());
    assert!(matches!(Engine::resume(missing, &snapshot).err(), Some(ResumeError::Native(path, _)) if path == "root/N"));
    resume.natives = Some(counters(true));
    resume.sinks.push(Box::new(lines.clone()));
    let mut engine = Engine::resume(resume, &snapshot).unwrap();
    // What was still to come comes.
    engine.run_until(secs(2.0)).unwrap();
    let lines = lines.all(&mut engine);
    assert_eq!(only(&lines, &["< o"]), ["1.500 root/N < o 3"]);
}

#[test]
fn what_was_made_in_code_is_named() {
    let mut engine = Engine::without_robot(Config::default());
    engine.objects().new_box(Draft::bare("lamp")).unwrap();
    assert_eq!(engine.snapshot().err(), Some(SnapshotError::MadeInCode(vec!["lamp".to_owned()])));
}

/// A root whose state machine has the states s and t.
fn machine() -> BehaviorSource {
    let keyframe = r#"<BehaviorKeyframe name="k" index="1"><Diagram/></BehaviorKeyframe>"#;
    let states = r#"<StateMachine><State Name="s"/><State Name="t"/></StateMachine>"#;
    let inside =
        format!(r#"<Timeline enable="0"><BehaviorLayer name="l">{keyframe}</BehaviorLayer>{states}</Timeline>"#);
    source("test", &bare_root("", &inside))
}

#[test]
fn labels_and_transitions_that_were_edited_are_saved_and_states_that_were_added_refused() {
    let source = machine();
    let mut engine = engine(&source);
    engine.settle();
    let id = engine.objects().find("root").unwrap();
    let id = engine.objects().get_box(id).unwrap().state_machine().unwrap();
    let mut machine = engine.objects().state_machine(id).unwrap();
    let (s, t) = (machine.find("s").unwrap(), machine.find("t").unwrap());
    let over = machine.add_transition(s, t).unwrap();
    engine.objects().transition(over).unwrap().set_when(When::After(secs(3.0)));
    engine.objects().state(t).unwrap().add_label("there").unwrap();
    engine.run_until(secs(1.0)).unwrap();
    let snapshot = through_json(&engine.snapshot().unwrap());

    let mut resumed = Engine::resume(with(&source), &snapshot).unwrap();
    let id = resumed.objects().find("root").unwrap();
    let id = resumed.objects().get_box(id).unwrap().state_machine().unwrap();
    let there = resumed.objects().state_machine(id).unwrap().find("there");
    assert!(there.is_some());
    resumed.run_until(secs(2.9)).unwrap();
    assert_ne!(resumed.objects().state_machine(id).unwrap().current_state(), there);
    resumed.run_until(secs(3.0)).unwrap();
    assert_eq!(resumed.objects().state_machine(id).unwrap().current_state(), there);

    resumed.objects().state_machine(id).unwrap().add_state("u", &[]).unwrap();
    assert_eq!(resumed.snapshot().err(), Some(SnapshotError::MadeInCode(vec!["root".to_owned()])));
}

#[test]
fn another_file_is_refused_with_what_differs() {
    let a = bare("A", 1, "", &timeline(CURVE));
    let b = bare("B", 2, r#"<Parameter name="P" content_type="1" value="1" id="6"/>"#, "");
    let of = |inside: String| source("test", &bare_root("", &flow(&inside)));
    let first = of(format!("{a}{b}{}", link(0, 2, 1, 2)));
    let mut engine = engine(&first);
    engine.run_until(secs(2.0)).unwrap();
    let snapshot = engine.snapshot().unwrap();
    let differs = |other: BehaviorSource| match Engine::resume(with(&other), &snapshot).err() {
        Some(ResumeError::Differs(name, what)) if &*name == "test" => what.join("; "),
        other => panic!("{other:?}"),
    };
    let l = link(0, 2, 1, 2);
    assert_eq!(
        differs(of(format!("{}{b}{l}", a.replace("value=\"2\"", "value=\"2.5\"")))),
        "root/A has another timeline"
    );
    assert_eq!(
        differs(of(format!("{a}{}{l}", b.replace("value=\"1\"", "value=\"2\"")))),
        "root/B has other parameters"
    );
    assert_eq!(differs(of(format!("{a}{b}"))), "root has other links");
    let c = bare("C", 3, "", "");
    assert_eq!(differs(of(format!("{a}{c}{l}"))), "root/B is not there any more; root/C is new");
    // Where boxes are drawn, and how the file is laid out, makes no difference.
    let moved = of(format!("\n{}{b}{l}", a.replace("x=\"0\"", "x=\"70\"")));
    Engine::resume(with(&moved), &snapshot).unwrap();
    let none = Resume { services: Box::new(Robot::default()), ..Resume::without_robot(Config::default()) };
    assert_eq!(Engine::resume(none, &snapshot).err(), Some(ResumeError::Missing("test".to_owned())));
}

/// One behavior by name.
struct One(BehaviorSource);

impl Library for One {
    fn names(&self) -> Vec<String> {
        vec![self.0.name.to_string()]
    }
    fn open(&mut self, name: &str) -> Option<Result<BehaviorSource, String>> {
        (*name == *self.0.name).then(|| Ok(self.0.clone()))
    }
}

#[test]
fn a_behavior_that_is_not_given_comes_from_the_library() {
    let source = source("test", &bare_root("", &timeline("")));
    let mut engine = engine(&source);
    engine.run_until(secs(1.0)).unwrap();
    let snapshot = engine.snapshot().unwrap();
    let resume = Resume {
        services: Box::new(Robot::default()),
        library: Box::new(One(source)),
        ..Resume::without_robot(Config::default())
    };
    assert_eq!(phase(&mut Engine::resume(resume, &snapshot).unwrap(), "root"), Phase::Active);
}

#[test]
fn a_run_that_is_over_is_not_saved() {
    let source = source("test", &bare_root("", ""));
    let mut engine = engine(&source);
    engine.end().unwrap();
    assert_eq!(engine.snapshot().err(), Some(SnapshotError::Over));
}

#[test]
fn a_robot_that_does_not_say_how_is_refused_with_words() {
    struct Real;
    impl boxstep_engine::services::Services for Real {
        fn has_service(&self, _: &str) -> bool {
            false
        }
        fn call(
            &mut self,
            _: &mut boxstep_engine::services::ServiceCx<'_>,
            _: &boxstep_engine::services::ServiceCall<'_>,
        ) -> boxstep_engine::services::Outcome {
            boxstep_engine::services::Outcome::Pending
        }
        fn cancel(&mut self, _: &mut boxstep_engine::services::ServiceCx<'_>, _: boxstep_engine::CallId) {}
        fn timer(&mut self, _: &mut boxstep_engine::services::ServiceCx<'_>, _: u64) {}
        fn subscribe(
            &mut self,
            _: &mut boxstep_engine::services::ServiceCx<'_>,
            _: &boxstep_engine::services::Topic,
            _: bool,
        ) -> Result<(), boxstep_engine::services::ServiceError> {
            Ok(())
        }
        fn raise(&mut self, _: &mut boxstep_engine::services::ServiceCx<'_>, _: &str, _: Value) {}
        fn halt(&mut self, _: &mut boxstep_engine::services::ServiceCx<'_>, _: boxstep_engine::services::Halt) {}
        fn language(&self) -> String {
            "English".to_owned()
        }
    }
    let no_library = Box::new(boxstep_engine::config::NoLibrary);
    let engine = Engine::new(Config::default(), Box::new(Real), no_library, &header(), Vec::new());
    assert_eq!(engine.snapshot().err(), Some(SnapshotError::Robot("this robot cannot be saved".to_owned())));
}

#[test]
fn the_limit_is_that_of_whoever_resumes_and_mocks_go_on_counting() {
    let source = source("test", &bare_root("", &timeline(CURVE)));
    let mock = |times| Mock {
        service: "ALMotion".to_owned(),
        method: "angleInterpolationBezier".to_owned(),
        args: Vec::new(),
        answer: Ok(Value::Null),
        takes: Duration::ZERO,
        times,
    };
    let config = |limit| Config { limit: Some(secs(limit)), mocks: vec![mock(Some(1))], ..Config::default() };
    let mut engine = Engine::without_robot(config(5.0));
    engine.play(source.clone()).unwrap();
    engine.run_until(secs(1.0)).unwrap();
    let snapshot = through_json(&engine.snapshot().unwrap());
    let lines = Lines::default();
    let resume = Resume { sinks: vec![Box::new(lines.clone())], ..Resume::without_robot(config(7.0)) };
    let mut resumed = Engine::resume(resume.behavior(source.clone()), &snapshot).unwrap();
    let root = resumed.objects().find("root").unwrap();
    let timeline = resumed.objects().get_box(root).unwrap().timeline().unwrap();
    resumed.objects().timeline(timeline).unwrap().go_to(1).unwrap();
    resumed.run_until(secs(20.0)).unwrap();
    let lines = lines.all(&mut resumed);
    // The one answer has been given: this robot has no motion.
    assert_eq!(lines.iter().filter(|l| l.contains("Unsupported") || l.contains("Warning")).count(), 2, "{lines:?}");
    assert_eq!(only(&lines, &["control"]), ["7.000  control limit"]);
    let none = Resume::without_robot(Config::default()).behavior(source);
    assert_eq!(Engine::resume(none, &snapshot).err(), Some(ResumeError::Option("mocks", "1 in number".to_owned())));
}

#[test]
fn a_run_in_virtual_time_goes_on_in_real_time() {
    let source = source("test", &bare_root("", &timeline("")));
    let mut engine = engine(&source);
    engine.run_until(secs(4.0)).unwrap();
    let snapshot = engine.snapshot().unwrap();
    let config = Config { clock: ClockKind::Real, ..Config::default() };
    let resume = Resume { services: Box::new(Robot::default()), ..Resume::without_robot(config) };
    let mut engine = Engine::resume(resume.behavior(source), &snapshot).unwrap();
    // Its own clock begins at the snapshot's time.
    assert!(engine.now() >= secs(4.0));
    let clock = Arc::new(AtomicI64::new(secs(4.0).0));
    let read = clock.clone();
    engine.set_machine_clock(move || Time(read.load(Ordering::Relaxed)));
    engine.next();
    assert_eq!(phase(&mut engine, "root"), Phase::Active);
    clock.store(secs(10.0).0, Ordering::Relaxed);
    engine.next();
    assert_eq!(phase(&mut engine, "root"), Phase::Out);
}

/// Whatever is done to a snapshot's numbers, it is refused or played, without a panic.
#[test]
fn a_damaged_snapshot_is_no_panic() {
    let flags = r#"<Resource name="Legs" type="Pause on demand" timeout="-1"/>"#;
    let inside = format!(
        "{}{}{}{}",
        bare("A", 1, flags, &timeline("")),
        bare("B", 2, flags, &timeline("")),
        link(0, 2, 1, 2),
        link(0, 2, 2, 2)
    );
    let source = source("test", &bare_root("", &flow(&inside)));
    let mut engine = engine(&source);
    engine.run_until(secs(1.0)).unwrap();
    let text = engine.snapshot().unwrap().to_json();
    let numbers: Vec<(usize, &str)> = text.match_indices(|c: char| c.is_ascii_digit()).collect();
    let mut random = Random::new(1);
    let (mut refused, mut played) = (0, 0);
    for _ in 0..3000 {
        let mut text = text.clone();
        for _ in 0..1 + random.next_u64() % 3 {
            let (at, _) = numbers[(random.next_u64() % numbers.len() as u64) as usize];
            text.replace_range(at..=at, &(random.next_u64() % 10).to_string());
        }
        let Ok(snapshot) = Snapshot::from_json(&text) else {
            refused += 1;
            continue;
        };
        let went = catch_unwind(AssertUnwindSafe(|| match Engine::resume(with(&source), &snapshot) {
            Ok(mut engine) => {
                engine.run_for(30.0).unwrap();
                true
            }
            Err(_) => false,
        }));
        match went {
            Ok(true) => played += 1,
            Ok(false) => refused += 1,
            Err(_) => panic!("{text}"),
        }
    }
    assert!(refused > 100 && played > 100, "{refused} {played}");
    for n in (0..text.len()).step_by(97) {
        assert!(Snapshot::from_json(&text[..n]).is_err());
    }
}
