//! The same objects, of behaviors that come from a file.

use super::*;
use crate::support::{Log, Out, Run, Scripts, boxed, link, only, project, root};
use boxstep_engine::native::{NativeBox, NativeCx, Natives};
use boxstep_engine::objects::{Error, Phase, Undriven};
use boxstep_engine::protocol::Next;
use boxstep_types::{Time, Value};

fn layers() -> String {
    let keyframe = |name: &str, index: i32| {
        format!(
            r#"<BehaviorKeyframe name="{name}" index="{index}"><Diagram>{}</Diagram></BehaviorKeyframe>"#,
            boxed(&name.to_uppercase(), 1, "", "") + &link(0, 1, 1, 2)
        )
    };
    let layer = keyframe("a", 1) + &keyframe("b", 26) + &keyframe("ein Wort", 51);
    format!(
        r#"<Timeline enable="1" fps="25" start_frame="1" end_frame="76"><BehaviorLayer name="l">{layer}</BehaviorLayer></Timeline>"#
    )
}

/// T in a root; its scripts do nothing.
fn played() -> Run {
    Run::new(&root(&(boxed("T", 1, "", &layers()) + &link(0, 2, 1, 2))), Scripts::new())
}

/// Does all that can be done at the first instant, scripts too.
fn begin(run: &mut Run) {
    loop {
        match run.engine.run_until(Time::ZERO) {
            Ok(()) => return,
            Err(Undriven::Script(job)) => run.does(Next::Job(*job)),
            Err(Undriven::Resume(task, wake)) => run.does(Next::Resume(task, wake)),
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn boxes_timelines_and_state_machines_of_a_file_are_found() {
    let mut run = played();
    let b = run.engine.objects().find("root/T").unwrap();
    let view = run.engine.objects().get_box(b).unwrap();
    let (t, m) = (view.timeline().unwrap(), view.state_machine().unwrap());
    let timeline = run.engine.objects().timeline(t).unwrap();
    assert_eq!((timeline.size(), timeline.fps(), timeline.state_machine()), (75, 25, Some(m)));
    let machine = run.engine.objects().state_machine(m).unwrap();
    let s = machine.states();
    assert_eq!((s.len(), machine.initial_state(), machine.final_states()), (3, Some(s[0]), vec![s[2]]));
    assert_eq!((machine.find("ein Wort"), machine.state_at(30)), (Some(s[2]), Some(s[1])));
    // The last lasts as long as the timeline.
    let at = [0, 1, 76, 77].map(|frame| machine.state_at(frame));
    assert_eq!(at, [None, Some(s[0]), Some(s[2]), None]);
    let state = run.engine.objects().state(s[1]).unwrap();
    assert_eq!((&*state.name(), state.labels(), state.interval()), ("state_1", vec!["b".into()], Some((26, 51))));
    // The keyframe may be left out of a path where only one box can be meant.
    let held = run.engine.objects().find("root/T/B").unwrap();
    assert_eq!(run.engine.objects().state(s[1]).unwrap().boxes(), [held]);
    assert_eq!(run.engine.objects().find("root/@l"), Err(Error::NoSuchBox("root/@l".to_owned())));
}

#[test]
fn the_states_of_layers_are_told_and_gone_to_after_the_choregraphe_order() {
    let mut run = played();
    let b = run.engine.objects().find("root/T").unwrap();
    let view = run.engine.objects().get_box(b).unwrap();
    let (t, m) = (view.timeline().unwrap(), view.state_machine().unwrap());
    let notes = Notes::default();
    for name in ["A", "B", "ein Wort"] {
        let inner = run.engine.objects().find(&format!("root/T/{}", name.to_uppercase())).unwrap();
        let mut inner = run.engine.objects().get_box(inner).unwrap();
        inner.on_load(notes.note(&format!("load {name}")));
        inner.on_unload(notes.note(&format!("unload {name}")));
    }
    let told = notes.clone();
    run.engine.objects().state_machine(m).unwrap().on_new_state(move |cx, state| {
        let label = cx.objects().state(state).unwrap().labels()[0].clone();
        told.add(format!("state {label}"));
        if &*label == "a" {
            assert_eq!(cx.objects().timeline(t).unwrap().go_to("ein Wort"), Ok(51));
        }
    });
    let (lines, footer) = run.run_on();
    // Keyframes: unload first, then load, then the event.
    let expected =
        ["load A", "state a", "unload A", "load ein Wort", "state ein Wort", "unload ein Wort"].map(String::from);
    assert_eq!(notes.take(), expected, "{lines:#?}");
    assert_eq!(footer.t.to_string(), "1.000");
}

#[test]
fn what_follows_from_layers_cannot_be_changed() {
    let mut run = played();
    let b = run.engine.objects().find("root/T").unwrap();
    let m = run.engine.objects().get_box(b).unwrap().state_machine().unwrap();
    let t = run.engine.objects().get_box(b).unwrap().timeline().unwrap();
    let mut machine = run.engine.objects().state_machine(m).unwrap();
    let s = machine.states();
    assert_eq!(machine.add_state("x", &[]), Err(Error::Derived));
    assert_eq!(machine.remove_state(s[0]), Err(Error::Derived));
    assert_eq!(machine.set_initial_state(s[0]), Err(Error::Derived));
    assert_eq!(machine.set_final_state(s[0]), Err(Error::Derived));
    assert_eq!(machine.add_transition(s[0], s[1]), Err(Error::Derived));
    assert_eq!(machine.pause(), Err(Error::Derived));
    assert_eq!(machine.set_name("x"), Err(Error::Part));
    let mut state = run.engine.objects().state(s[0]).unwrap();
    assert_eq!(state.add_label("x"), Err(Error::Derived));
    assert_eq!(state.set_interval(None), Err(Error::Derived));
    assert_eq!(run.engine.objects().timeline(t).unwrap().add_flag(5, "a"), Err(Error::Derived));
}

#[test]
fn a_timeline_of_a_file_is_driven_from_rust() {
    let mut run = played();
    begin(&mut run);
    let b = run.engine.objects().find("root/T").unwrap();
    assert_eq!(run.engine.objects().get_box(b).unwrap().phase(), Phase::Active);
    let t = run.engine.objects().get_box(b).unwrap().timeline().unwrap();
    let mut timeline = run.engine.objects().timeline(t).unwrap();
    assert!(timeline.is_playing());
    timeline.pause().unwrap();
    assert_eq!(timeline.go_to("b"), Ok(26));
    assert_eq!((timeline.frame(), timeline.is_playing()), (26, false));
    timeline.play().unwrap();
    timeline.stop().unwrap();
    assert_eq!(timeline.play(), Err(Error::NotLoaded));
    let (lines, _) = run.run_on();
    assert_eq!(only(&lines, &["timeline unload"]).len(), 1, "{lines:#?}");
}

#[test]
fn a_written_state_machine_of_a_file_is_driven_from_rust() {
    let boxes = boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 1, 1, 2) + &link(0, 1, 2, 2);
    let state =
        |name: &str, n: usize| format!(r#"<State Name="{name}"><Object number="{n}"/><Link number="{n}"/></State>"#);
    let machine = format!(
        r#"<StateMachine>{}{}<FinalState Name="t"/><Transition From="s" To="t" TimeOut="60000"/></StateMachine>"#,
        state("s", 0),
        state("t", 1)
    );
    let inside = format!(
        r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{boxes}</Diagram></BehaviorKeyframe></BehaviorLayer>{machine}</Timeline>"#
    );
    let scripts =
        Scripts::from([(("A", "onInput_onStart"), vec![Log("A")]), (("B", "onInput_onStart"), vec![Log("B")])]);
    let mut run = Run::new(&project(&boxed("root", -1, "", &inside)), scripts);
    begin(&mut run);
    let b = run.engine.objects().find("root").unwrap();
    let m = run.engine.objects().get_box(b).unwrap().state_machine().unwrap();
    let machine = run.engine.objects().state_machine(m).unwrap();
    let (s, t) = (machine.find("s").unwrap(), machine.find("t").unwrap());
    assert_eq!(
        (machine.current_state(), machine.final_states(), machine.is_on_final_state()),
        (Some(s), vec![t], false)
    );
    let id = machine.transitions()[0];
    run.engine.objects().transition(id).unwrap().trigger().unwrap();
    let (lines, footer) = run.run_on();
    assert_eq!(only(&lines, &["log"]), ["0.000 root/A log A", "0.000 root/B log B"], "{lines:#?}");
    // The time of the state that was left counts no more.
    assert_eq!(footer.t, Time::ZERO);
}

#[test]
fn a_behavior_that_is_opened_is_loaded_started_stopped_and_constructed_anew() {
    // Played: a root that does nothing; opened besides: one with a script.
    let mut run = Run::new(
        &root(""),
        Scripts::from([
            (("A", "onLoad"), vec![Log("load")]),
            (("A", "onInput_onStart"), vec![Log("start"), Out("onStopped", Value::Null)]),
        ]),
    );
    run.engine.keep_open(true);
    let b = run
        .engine
        .objects()
        .open(crate::support::source("other", &root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)))))
        .unwrap();
    let drive = |run: &mut Run| while !matches!(run.peek(), crate::support::Peek::Waits) {};
    drive(&mut run);
    run.engine.objects().get_box(b).unwrap().load().unwrap();
    drive(&mut run);
    let seen = run.seen();
    assert_eq!(only(&seen, &["log"]), ["0.000 other/root/A log load"], "{seen:#?}");
    run.engine.objects().get_box(b).unwrap().start().unwrap();
    drive(&mut run);
    assert_eq!(only(&run.seen(), &["log"]).len(), 2);
    run.engine.objects().get_box(b).unwrap().stop().unwrap();
    drive(&mut run);
    run.engine.objects().get_box(b).unwrap().start().unwrap();
    drive(&mut run);
    let seen = run.seen();
    assert_eq!(only(&seen, &["A constructed"]).len(), 2, "{seen:#?}");
    assert_eq!(only(&seen, &["A destroyed"]).len(), 1);
    assert_eq!(only(&seen, &["log"]).len(), 4);
    // The end of it is not that of the run.
    run.engine.objects().get_box(b).unwrap().unload().unwrap();
    drive(&mut run);
    assert!(run.engine.outcome().is_none());
}

#[test]
fn a_function_is_told_after_the_script_of_its_box_has_loaded() {
    let scripts = Scripts::from([(("A", "onLoad"), vec![Log("script")]), (("B", "onLoad"), vec![Log("next")])]);
    let mut run = Run::new(&root(&(boxed("A", 1, "", "") + &boxed("B", 2, "", ""))), scripts);
    let a = run.engine.objects().find("root/A").unwrap();
    let b = run.engine.objects().find("root/B").unwrap();
    let notes = Notes::default();
    let told = notes.clone();
    run.engine.objects().get_box(a).unwrap().on_load(move |cx| {
        let next = cx.objects().get_box(b).unwrap().phase();
        told.add(format!("{next:?}"));
    });
    let (lines, _) = run.run_on();
    assert_eq!(notes.take(), ["Out"], "the next box waits");
    assert_eq!(only(&lines, &["log"]), ["0.000 root/A log script", "0.000 root/B log next"]);
}

/// Says what it was given.
struct Said(Notes);

impl NativeBox for Said {
    fn input(&mut self, _: &mut NativeCx<'_>, input: usize, _: &Value) {
        self.0.add(format!("input {input}"));
    }
}

#[test]
fn a_box_of_a_file_is_run_by_rust_by_its_name() {
    let (mut engine, notes) = (engine(), Notes::default());
    let said = notes.clone();
    engine.set_natives(Box::new(Natives::new().with("Say", move || Box::new(Said(said.clone())))));
    let xml = root(&(boxed("Say", 1, "", "") + &link(0, 2, 1, 2)));
    // Without scripts the root's is not run either.
    let b = engine.objects().open(crate::support::source("test", &xml.replace("<![CDATA[root]]>", ""))).unwrap();
    engine.objects().get_box(b).unwrap().start().unwrap();
    engine.try_settle().unwrap();
    assert_eq!(notes.take(), ["input 1"]);
}

#[test]
fn an_engine_that_is_driven_by_hand_says_which_script_it_wants_run() {
    let mut engine = engine();
    let b = engine.objects().open(crate::support::source("test", &root(""))).unwrap();
    engine.objects().get_box(b).unwrap().load().unwrap();
    assert!(matches!(engine.run_until(Time::from_millis(5)), Err(Undriven::Script(_))));
    let real = Config { clock: boxstep_engine::config::ClockKind::Real, ..Config::default() };
    assert!(matches!(Engine::without_robot(real).run_for(1.0), Err(Undriven::RealTime)));
}
