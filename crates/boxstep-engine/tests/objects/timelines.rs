//! Timelines.

use super::*;
use boxstep_engine::objects::{Error, TimelineId, Undriven};
use boxstep_engine::trace::EndReason;
use boxstep_format::model::{ActuatorCurve, CurveUnit, Key};
use boxstep_format::{Limits, read_xar};
use boxstep_types::Time;

/// A timeline of its own; its ends are written down.
fn timeline(engine: &mut Engine, fps: i32, end: Option<i32>, notes: &Notes) -> TimelineId {
    let b = engine.objects().new_box(Draft::new("t").timeline(fps, 1, end)).unwrap();
    let id = engine.objects().get_box(b).unwrap().timeline().unwrap();
    engine.objects().timeline(id).unwrap().on_stopped(notes.note("stopped"));
    id
}

/// A timeline of 100 frames at 10 a second, and the state machine that it drives: a from frame 1, b from 11, c from 21.
fn driven(engine: &mut Engine, notes: &Notes) -> (TimelineId, StateMachineId, Vec<StateId>) {
    let t = timeline(engine, 10, Some(101), notes);
    let (m, s) = machine(engine, &["a", "b", "c"], notes);
    let mut timeline = engine.objects().timeline(t).unwrap();
    timeline.set_state_machine(m).unwrap();
    for (frame, name) in [(1, "a"), (11, "b"), (21, "c")] {
        timeline.add_flag(frame, name).unwrap();
    }
    (t, m, s)
}

#[test]
fn it_plays_to_its_end_and_tells_once() {
    let (mut engine, notes) = (engine(), Notes::default());
    let t = timeline(&mut engine, 25, Some(51), &notes);
    let mut timeline = engine.objects().timeline(t).unwrap();
    assert_eq!((timeline.frame(), timeline.is_playing()), (-1, false));
    timeline.play().unwrap();
    engine.run_until(Time::from_millis(1999)).unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().frame(), 50);
    assert_eq!(notes.take(), Vec::<String>::new());
    engine.run_until(Time::from_millis(9000)).unwrap();
    assert_eq!(notes.take(), ["stopped"]);
    let timeline = engine.objects().timeline(t).unwrap();
    assert_eq!((timeline.frame(), timeline.is_playing()), (51, false));
}

#[test]
fn play_on_the_end_frame_starts_over() {
    let (mut engine, notes) = (engine(), Notes::default());
    let t = timeline(&mut engine, 10, Some(11), &notes);
    for round in 1..=3 {
        engine.objects().timeline(t).unwrap().play().unwrap();
        let at = engine.objects().timeline(t).unwrap().wait(Time::MAX).unwrap();
        assert_eq!(at, Time::from_millis(1000 * round));
        engine.settle();
        assert_eq!(notes.take(), ["stopped"]);
    }
}

#[test]
fn size_ends_and_speed_are_as_made() {
    let (mut engine, notes) = (engine(), Notes::default());
    let t = timeline(&mut engine, 15, Some(51), &notes);
    let timeline_51 = engine.objects().timeline(t).unwrap();
    assert_eq!((timeline_51.size(), timeline_51.fps()), (50, 15));
    assert_eq!((timeline_51.start_frame(), timeline_51.end_frame()), (1, Some(51)));
    let endless = timeline(&mut engine, 15, None, &notes);
    let endless = engine.objects().timeline(endless).unwrap();
    assert_eq!((endless.size(), endless.end_frame()), (0, None));
}

#[test]
fn wait_gives_the_time_and_returns_at_once_when_it_does_not_play() {
    let (mut engine, notes) = (engine(), Notes::default());
    let t = timeline(&mut engine, 25, Some(51), &notes);
    assert_eq!(engine.objects().timeline(t).unwrap().wait(Time::MAX).unwrap(), Time::ZERO);
    engine.objects().timeline(t).unwrap().play().unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().wait(Time::MAX).unwrap(), Time::from_millis(2000));
    let endless = timeline(&mut engine, 25, None, &notes);
    engine.objects().timeline(endless).unwrap().play().unwrap();
    assert!(matches!(engine.objects().timeline(endless).unwrap().wait(Time::MAX), Err(Undriven::Never)));
    engine.objects().timeline(t).unwrap().play().unwrap();
    assert!(matches!(engine.objects().timeline(t).unwrap().wait(Time::from_millis(3999)), Err(Undriven::Never)));
    assert_eq!(engine.objects().timeline(t).unwrap().wait(Time::from_millis(4000)).unwrap(), Time::from_millis(4000));
}

#[test]
fn pause_keeps_the_frame_and_play_goes_on() {
    let (mut engine, notes) = (engine(), Notes::default());
    let t = timeline(&mut engine, 10, Some(31), &notes);
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.run_for(1.05).unwrap();
    engine.objects().timeline(t).unwrap().pause().unwrap();
    engine.run_for(10.0).unwrap();
    let mut timeline = engine.objects().timeline(t).unwrap();
    assert_eq!((timeline.frame(), timeline.is_playing()), (11, false));
    timeline.play().unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().wait(Time::MAX).unwrap(), Time::from_millis(13_050));
}

#[test]
fn pause_returns_at_once_when_it_does_not_play() {
    let (mut engine, notes) = (engine(), Notes::default());
    let t = timeline(&mut engine, 10, Some(31), &notes);
    assert_eq!(engine.objects().timeline(t).unwrap().pause(), Err(Error::NotLoaded));
    engine.objects().timeline(t).unwrap().go_to(5).unwrap();
    engine.settle();
    // Loaded, and never played.
    assert_eq!(engine.objects().timeline(t).unwrap().pause(), Ok(()));
    assert_eq!(engine.objects().timeline(t).unwrap().pause(), Ok(()));
    assert_eq!(engine.objects().timeline(t).unwrap().frame(), 5);
}

#[test]
fn stop_puts_the_cursor_back_and_is_no_end() {
    let (mut engine, notes) = (engine(), Notes::default());
    let t = timeline(&mut engine, 10, Some(31), &notes);
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.run_for(1.0).unwrap();
    engine.objects().timeline(t).unwrap().stop().unwrap();
    engine.run_for(10.0).unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().frame(), -1);
    assert_eq!(engine.objects().timeline(t).unwrap().stop(), Err(Error::NotLoaded));
    assert_eq!(notes.take(), Vec::<String>::new());
    engine.objects().timeline(t).unwrap().play().unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().wait(Time::MAX).unwrap(), Time::from_millis(14_000));
}

#[test]
fn play_then_stop_at_once_and_play_again() {
    let (mut engine, notes) = (engine(), Notes::default());
    let t = timeline(&mut engine, 10, Some(31), &notes);
    let mut timeline = engine.objects().timeline(t).unwrap();
    timeline.play().unwrap();
    timeline.stop().unwrap();
    timeline.play().unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().wait(Time::MAX).unwrap(), Time::from_millis(3000));
    engine.settle();
    assert_eq!(notes.take(), ["stopped"]);
}

#[test]
fn the_speed_before_and_while_playing() {
    let (mut engine, notes) = (engine(), Notes::default());
    let t = timeline(&mut engine, 25, Some(31), &notes);
    engine.objects().timeline(t).unwrap().set_fps(15).unwrap();
    engine.objects().timeline(t).unwrap().play().unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().wait(Time::MAX).unwrap(), Time::from_millis(2000));
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.run_for(1.0).unwrap();
    engine.objects().timeline(t).unwrap().set_fps(5).unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().wait(Time::MAX).unwrap(), Time::from_millis(6000));
    let mut timeline = engine.objects().timeline(t).unwrap();
    assert_eq!(
        (timeline.fps(), timeline.set_fps(0), timeline.set_fps(-3)),
        (5, Err(Error::BadFps(0)), Err(Error::BadFps(-3)))
    );
}

#[test]
fn goto_before_play_and_while_playing_is_to_that_very_frame() {
    let (mut engine, notes) = (engine(), Notes::default());
    let t = timeline(&mut engine, 10, Some(51), &notes);
    assert_eq!(engine.objects().timeline(t).unwrap().go_to(44), Ok(44));
    engine.settle();
    assert_eq!(engine.objects().timeline(t).unwrap().frame(), 44);
    engine.objects().timeline(t).unwrap().play().unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().wait(Time::MAX).unwrap(), Time::from_millis(700));
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.run_for(0.1).unwrap();
    engine.objects().timeline(t).unwrap().go_to(44).unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().wait(Time::MAX).unwrap(), Time::from_millis(1500));
}

#[test]
fn a_goto_to_what_is_not_there_moves_nothing() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (t, m, _) = driven(&mut engine, &notes);
    let lost = engine.objects().state_machine(m).unwrap().add_state("frameless", &[]).unwrap();
    engine.objects().state(lost).unwrap().add_label("no frame").unwrap();
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.run_for(0.5).unwrap();
    notes.take();
    let mut timeline = engine.objects().timeline(t).unwrap();
    assert_eq!(timeline.go_to("nowhere"), Err(Error::NoSuchLabel("nowhere".into())));
    assert_eq!(timeline.go_to("no frame"), Err(Error::NoFrame("no frame".into())));
    engine.settle();
    let timeline = engine.objects().timeline(t).unwrap();
    assert_eq!((timeline.frame(), timeline.is_playing()), (6, true));
    assert_eq!(notes.take(), Vec::<String>::new());
}

#[test]
fn flags_enter_states_when_the_cursor_comes_to_them() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (t, m, _) = driven(&mut engine, &notes);
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["load a", "state a"]);
    engine.run_until(Time::from_millis(999)).unwrap();
    assert_eq!(current(&mut engine, m), "a");
    engine.run_until(Time::from_millis(1000)).unwrap();
    assert_eq!(notes.take(), ["load b", "unload a", "state b"]);
    engine.run_until(Time::from_millis(2000)).unwrap();
    assert_eq!(notes.take(), ["load c", "unload b", "state c"]);
    assert_eq!(engine.objects().timeline(t).unwrap().flags().len(), 3);
}

#[test]
fn a_flag_on_the_first_frame_enters_its_state_whatever_is_initial() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (t, m, s) = driven(&mut engine, &notes);
    engine.objects().state_machine(m).unwrap().set_initial_state(s[2]).unwrap();
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.settle();
    assert_eq!(current(&mut engine, m), "a");
}

#[test]
fn a_flag_on_the_end_frame_comes_before_the_end() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (t, _, _) = driven(&mut engine, &notes);
    engine.objects().timeline(t).unwrap().add_flag(101, "a").unwrap();
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.objects().timeline(t).unwrap().wait(Time::MAX).unwrap();
    engine.settle();
    // The end does not wait until the state has been entered, as little as for a keyframe's scripts.
    let seen = notes.take();
    assert_eq!(seen[seen.len() - 4..], ["load a", "stopped", "unload c", "state a"].map(String::from), "{seen:?}");
}

#[test]
fn a_flag_that_is_added_while_it_plays_counts() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (t, m, _) = driven(&mut engine, &notes);
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.run_for(0.2).unwrap();
    engine.objects().timeline(t).unwrap().add_flag(5, "c").unwrap();
    engine.run_until(Time::from_millis(400)).unwrap();
    assert_eq!(current(&mut engine, m), "c");
}

#[test]
fn a_flag_names_a_state_that_is_there() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (t, _, _) = driven(&mut engine, &notes);
    assert_eq!(engine.objects().timeline(t).unwrap().add_flag(7, "x"), Err(Error::NoSuchState("x".into())));
    // Before there is a state machine, any name will do, until one is given.
    let early = timeline(&mut engine, 10, Some(31), &notes);
    let (m, _) = machine(&mut engine, &["p"], &notes);
    let mut timeline = engine.objects().timeline(early).unwrap();
    timeline.add_flag(7, "q").unwrap();
    assert_eq!(timeline.set_state_machine(m), Err(Error::NoSuchState("q".into())));
    assert_eq!(timeline.state_machine(), None);
}

#[test]
fn goto_by_label_state_and_frame_keeps_both_in_step() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (t, m, s) = driven(&mut engine, &notes);
    engine.objects().state(s[2]).unwrap().add_label("my label").unwrap();
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.settle();
    for (to, frame, state) in [("b", 11, "b"), ("my label", 21, "c"), ("a", 1, "a")] {
        assert_eq!(engine.objects().timeline(t).unwrap().go_to(to), Ok(frame));
        engine.settle();
        assert_eq!(engine.objects().timeline(t).unwrap().frame(), frame);
        assert_eq!(current(&mut engine, m), state);
    }
    for (frame, state) in [(57, "c"), (15, "b"), (10, "a"), (11, "b")] {
        engine.objects().timeline(t).unwrap().go_to(frame).unwrap();
        engine.settle();
        assert_eq!((engine.objects().timeline(t).unwrap().frame(), current(&mut engine, m)), (frame, state.to_owned()));
    }
}

#[test]
fn a_goto_of_the_state_machine_moves_the_cursor_of_its_timeline() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (t, m, s) = driven(&mut engine, &notes);
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.settle();
    assert_eq!(engine.objects().state_machine(m).unwrap().go_to_state(s[2]), Ok(Some(21)));
    engine.settle();
    assert_eq!((engine.objects().timeline(t).unwrap().frame(), current(&mut engine, m)), (21, "c".to_owned()));
    assert_eq!(engine.objects().state_machine(m).unwrap().go_to_frame(17), Ok(s[1]));
    engine.settle();
    assert_eq!((engine.objects().timeline(t).unwrap().frame(), current(&mut engine, m)), (17, "b".to_owned()));
    notes.take();
    for nowhere in [0, 1000] {
        let expected = Err(Error::NoSuchState(format!("at frame {nowhere}").into()));
        assert_eq!(engine.objects().state_machine(m).unwrap().go_to_frame(nowhere), expected);
    }
    engine.settle();
    assert_eq!((engine.objects().timeline(t).unwrap().frame(), current(&mut engine, m)), (17, "b".to_owned()));
    assert!(engine.objects().timeline(t).unwrap().is_playing());
    assert_eq!(notes.take(), Vec::<String>::new());
}

#[test]
fn setfps_while_playing_keeps_both_in_step() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (t, m, _) = driven(&mut engine, &notes);
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.run_for(0.5).unwrap();
    // Frame 6; five more to b at one a second.
    engine.objects().timeline(t).unwrap().set_fps(1).unwrap();
    engine.run_until(Time::from_millis(5_499)).unwrap();
    assert_eq!((engine.objects().timeline(t).unwrap().frame(), current(&mut engine, m)), (10, "a".to_owned()));
    engine.run_until(Time::from_millis(5_500)).unwrap();
    assert_eq!((engine.objects().timeline(t).unwrap().frame(), current(&mut engine, m)), (11, "b".to_owned()));
}

#[test]
fn the_state_machine_is_paused_and_stopped_with_its_timeline() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (t, m, _) = driven(&mut engine, &notes);
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.run_for(0.5).unwrap();
    engine.objects().timeline(t).unwrap().pause().unwrap();
    assert!(engine.objects().state_machine(m).unwrap().is_paused());
    engine.run_for(5.0).unwrap();
    assert_eq!(current(&mut engine, m), "a");
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.run_for(0.5).unwrap();
    assert_eq!(current(&mut engine, m), "b");
    engine.objects().timeline(t).unwrap().stop().unwrap();
    engine.settle();
    assert_eq!(current(&mut engine, m), "");
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.settle();
    assert_eq!(current(&mut engine, m), "a");
}

#[test]
fn a_state_machine_follows_one_timeline_at_a_time() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (t, m, _) = driven(&mut engine, &notes);
    let other = timeline(&mut engine, 10, Some(31), &notes);
    engine.objects().timeline(other).unwrap().set_state_machine(m).unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().state_machine(), None);
    assert_eq!(engine.objects().timeline(other).unwrap().state_machine(), Some(m));
    let foreign = super::engine().objects().new_state_machine("x").unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().set_state_machine(foreign), Err(Error::Foreign));
}

#[test]
fn intervals_are_flags_too_and_of_two_on_a_frame_the_later_counts() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (t, m, s) = driven(&mut engine, &notes);
    engine.objects().state(s[2]).unwrap().set_interval(Some((31, 41))).unwrap();
    engine.objects().state(s[0]).unwrap().set_interval(Some((41, 51))).unwrap();
    engine.objects().timeline(t).unwrap().add_flag(11, "c").unwrap();
    engine.objects().timeline(t).unwrap().play().unwrap();
    for (at, state) in [(1.0, "c"), (3.0, "c"), (4.0, "a")] {
        engine.run_until(Time::from_secs_f64(at)).unwrap();
        assert_eq!(current(&mut engine, m), state, "after {at} s");
    }
}

#[test]
fn a_box_has_a_timeline_and_a_state_machine_in_one() {
    let (mut engine, notes) = (engine(), Notes::default());
    let b = engine.objects().new_box(Draft::new("b").timeline(10, 1, Some(31)).state_machine()).unwrap();
    let b_view = engine.objects().get_box(b).unwrap();
    let (t, m) = (b_view.timeline().unwrap(), b_view.state_machine().unwrap());
    let (x, y) = (watched(&mut engine, "x", &notes), watched(&mut engine, "y", &notes));
    let mut machine = engine.objects().state_machine(m).unwrap();
    let s = [machine.add_state("x", &[x]).unwrap(), machine.add_state("y", &[y]).unwrap()];
    engine.objects().state(s[1]).unwrap().set_interval(Some((11, 31))).unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().state_machine(), Some(m));
    engine.objects().get_box(b).unwrap().start().unwrap();
    engine.run_until(Time::from_millis(999)).unwrap();
    assert_eq!(notes.take(), ["load x"]);
    engine.run_until(Time::from_millis(1000)).unwrap();
    assert_eq!(notes.take(), ["load y", "unload x"]);
    engine.objects().get_box(b).unwrap().stop().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["unload y"]);
}

#[test]
fn a_timeline_is_made_from_that_of_a_file() {
    let xar = r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="1" fps="24" start_frame="1" end_frame="-1">
<ActuatorList model=""><ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0"><Key frame="49" value="1"/></ActuatorCurve></ActuatorList>
</Timeline></Box></ChoregrapheProject>"#;
    let file = read_xar("x.xar", xar.as_bytes(), &Limits::default()).unwrap();
    let mut engine = engine();
    let t = engine.objects().new_timeline("t", file.project.root.timeline.unwrap()).unwrap();
    let timeline = engine.objects().timeline(t).unwrap();
    assert_eq!((timeline.fps(), timeline.end_frame(), timeline.size()), (24, Some(49), 48));
    engine.objects().timeline(t).unwrap().play().unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().wait(Time::MAX).unwrap(), Time::from_millis(2000));
}

#[test]
fn the_end_is_that_of_the_last_curve_that_is_not_muted() {
    let curve = |mute, frame| ActuatorCurve {
        name: "value".to_owned(),
        actuator: "HeadYaw".into(),
        recordable: None,
        mute,
        always_visible: None,
        unit: CurveUnit::Degree,
        keys: vec![Key {
            frame,
            value: 1.0,
            smooth: None,
            symmetrical: None,
            left: None,
            right: None,
            span: Default::default(),
        }],
        span: Default::default(),
    };
    let mut engine = engine();
    let draft = Draft::new("t").timeline(10, 1, None).curve(curve(false, 21)).curve(curve(true, 99));
    let b = engine.objects().new_box(draft).unwrap();
    let t = engine.objects().get_box(b).unwrap().timeline().unwrap();
    assert_eq!(engine.objects().timeline(t).unwrap().end_frame(), Some(21));
}

#[test]
fn a_timeline_does_not_play_with_a_state_machine_without_states() {
    let (mut engine, notes) = (engine(), Notes::default());
    let t = timeline(&mut engine, 10, Some(31), &notes);
    let m = engine.objects().new_state_machine("m").unwrap();
    let mut timeline = engine.objects().timeline(t).unwrap();
    timeline.set_state_machine(m).unwrap();
    assert!(matches!(timeline.play(), Err(Error::NoSuchState(_))));
    assert!(!timeline.is_playing());
}

#[test]
fn a_flow_diagram_is_no_timeline() {
    let xar = r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="0"/></Box></ChoregrapheProject>"#;
    let file = read_xar("x.xar", xar.as_bytes(), &Limits::default()).unwrap();
    let made = engine().objects().new_timeline("t", file.project.root.timeline.unwrap());
    assert_eq!(made, Err(Error::NoTimeline));
}

#[test]
fn a_flow_diagram_has_no_timeline() {
    let mut engine = engine();
    let b = engine.objects().new_box(Draft::new("d").diagram(vec![Draft::new("x")], &[])).unwrap();
    assert_eq!(engine.objects().get_box(b).unwrap().timeline(), None);
    let m = engine.objects().new_state_machine("m").unwrap();
    let owner = engine.objects().state_machine(m).unwrap().owner();
    assert_eq!(engine.objects().get_box(owner).unwrap().timeline(), None);
}

#[test]
fn the_run_stops_all_that_was_made() {
    let (mut engine, lines) = traced();
    let notes = Notes::default();
    let (t, _, _) = driven(&mut engine, &notes);
    engine.objects().timeline(t).unwrap().play().unwrap();
    engine.run_for(0.5).unwrap();
    notes.take();
    let seen = lines.all(&mut engine);
    assert_eq!(notes.take(), ["unload a"]);
    assert_eq!(engine.outcome().map(|f| f.reason), Some(EndReason::Ended));
    assert_eq!(crate::support::only(&seen, &["behavior unloaded"]).len(), 2, "{seen:#?}");
    assert_eq!(engine.objects().timeline(t).unwrap().play(), Err(Error::Over));
    assert_eq!(engine.objects().new_state_machine("late"), Err(Error::Over));
}
