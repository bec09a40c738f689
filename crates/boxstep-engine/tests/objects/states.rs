//! States: what they hold, how they are called, when they may change.

use super::*;
use boxstep_engine::objects::Error;

#[test]
fn a_removed_state_is_neither_initial_nor_final_nor_led_to() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b"], &notes);
    let mut machine = engine.objects().state_machine(m).unwrap();
    machine.set_initial_state(s[1]).unwrap();
    machine.set_final_state(s[1]).unwrap();
    let t = machine.add_transition(s[0], s[1]).unwrap();
    machine.remove_state(s[1]).unwrap();
    assert_eq!((machine.states(), machine.initial_state(), machine.final_states()), (vec![s[0]], Some(s[0]), vec![]));
    assert_eq!((machine.transitions(), machine.find("b")), (vec![], None));
    assert_eq!(machine.set_final_state(s[1]), Err(Error::UnknownState));
    assert_eq!(machine.remove_state(s[1]), Err(Error::UnknownState));
    assert!(matches!(engine.objects().transition(t), Err(Error::UnknownTransition)));
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    assert_eq!(engine.objects().state_machine(m).unwrap().remove_state(s[0]), Err(Error::Current));
}

#[test]
fn goto_by_state_name_label_and_frame() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b", "c"], &notes);
    for (state, begin) in [(s[0], 1), (s[1], 11), (s[2], 21)] {
        engine.objects().state(state).unwrap().set_interval(Some((begin, begin + 10))).unwrap();
    }
    engine.objects().state(s[2]).unwrap().add_label("my frame: é").unwrap();
    let mut machine = engine.objects().state_machine(m).unwrap();
    assert_eq!(machine.go_to_name("b"), Err(Error::NotLoaded));
    machine.run().unwrap();
    engine.settle();
    for (goto, expected) in [("b", "b"), ("my frame: é", "c"), ("a", "a")] {
        engine.objects().state_machine(m).unwrap().go_to_name(goto).unwrap();
        engine.settle();
        assert_eq!(current(&mut engine, m), expected);
    }
    // Half open: frame 11 is the first of b and not the last of a.
    for (frame, expected) in [(20, "b"), (21, "c"), (10, "a"), (11, "b"), (30, "c")] {
        engine.objects().state_machine(m).unwrap().go_to_frame(frame).unwrap();
        engine.settle();
        assert_eq!(current(&mut engine, m), expected, "frame {frame}");
    }
    notes.take();
    let mut machine = engine.objects().state_machine(m).unwrap();
    assert!(matches!(machine.go_to_name("nowhere"), Err(Error::NoSuchState(_))));
    for nowhere in [0, 31, 1000] {
        assert_eq!(machine.go_to_frame(nowhere), Err(Error::NoSuchState(format!("at frame {nowhere}").into())));
    }
    engine.settle();
    assert_eq!(notes.take(), Vec::<String>::new());
}

#[test]
fn a_label_comes_before_a_name_and_of_two_the_first_counts() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b", "c"], &notes);
    engine.objects().state(s[1]).unwrap().add_label("a").unwrap();
    engine.objects().state(s[2]).unwrap().add_label("a").unwrap();
    assert_eq!(engine.objects().state_machine(m).unwrap().find("a"), Some(s[1]));
    assert_eq!(engine.objects().state(s[1]).unwrap().labels(), ["a".into()]);
}

#[test]
fn every_one_of_a_thousand_labels_is_found() {
    let mut engine = engine();
    let m = engine.objects().new_state_machine("m").unwrap();
    let mut states = Vec::new();
    for n in 0..1000 {
        let state = engine.objects().state_machine(m).unwrap().add_state(&format!("s{n}"), &[]).unwrap();
        engine.objects().state(state).unwrap().add_label(&format!("label {n}")).unwrap();
        states.push(state);
    }
    let machine = engine.objects().state_machine(m).unwrap();
    for (n, state) in states.iter().enumerate() {
        assert_eq!(machine.find(&format!("label {n}")), Some(*state));
    }
}

#[test]
fn intervals_are_checked_and_can_be_taken_away() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a"], &notes);
    let mut state = engine.objects().state(s[0]).unwrap();
    assert_eq!(state.interval(), None);
    assert_eq!(state.set_interval(Some((5, 5))), Err(Error::BadInterval(5, 5)));
    state.set_interval(Some((5, 9))).unwrap();
    assert_eq!(state.interval(), Some((5, 9)));
    for (frame, expected) in [(4, None), (5, Some(s[0])), (8, Some(s[0])), (9, None)] {
        assert_eq!(engine.objects().state_machine(m).unwrap().state_at(frame), expected, "frame {frame}");
    }
    engine.objects().state(s[0]).unwrap().set_interval(None).unwrap();
    assert_eq!(engine.objects().state_machine(m).unwrap().state_at(7), None);
}

#[test]
fn a_box_of_two_states_is_loaded_once_and_onload_reaches_what_is_new() {
    let (mut engine, lines) = traced();
    let notes = Notes::default();
    let m = engine.objects().new_state_machine("m").unwrap();
    let owner = engine.objects().state_machine(m).unwrap().owner();
    let [a, shared, c] = ["a", "shared", "c"].map(|name| watched(&mut engine, name, &notes));
    let mut machine = engine.objects().state_machine(m).unwrap();
    let s = machine.add_state("s", &[a, shared]).unwrap();
    let t = machine.add_state("t", &[shared, c]).unwrap();
    for (state, b) in [(s, a), (s, shared), (t, shared), (t, c)] {
        engine.objects().state(state).unwrap().link((owner, "onLoad"), (b, "onStart")).unwrap();
    }
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["load a", "load shared"]);
    engine.objects().state_machine(m).unwrap().go_to_state(t).unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["load c", "unload a"]);
    assert_eq!(engine.objects().get_box(shared).unwrap().scopes(), 1);
    let seen = lines.all(&mut engine);
    let started = crate::support::only(&seen, &["> onStart"]);
    let expected = ["m/a > onStart null", "m/shared > onStart null", "m > onStart null", "m/c > onStart null"];
    assert_eq!(started.iter().map(|l| &l[6..]).collect::<Vec<_>>(), expected, "{seen:#?}");
}

#[test]
fn a_state_tells_of_its_load_and_unload() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b"], &notes);
    engine.objects().state(s[0]).unwrap().on_load(notes.note("links of a")).unwrap();
    let gone = engine.objects().state(s[0]).unwrap().on_unload(notes.note("no links of a")).unwrap();
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    engine.objects().state_machine(m).unwrap().go_to_state(s[1]).unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["load a", "links of a", "state a", "load b", "no links of a", "unload a", "state b"]);
    assert_eq!(engine.objects().forget(gone), Ok(true));
    assert_eq!(engine.objects().forget(gone), Ok(false));
    engine.objects().state_machine(m).unwrap().go_to_state(s[0]).unwrap();
    engine.settle();
    engine.objects().state_machine(m).unwrap().go_to_state(s[1]).unwrap();
    engine.settle();
    assert_eq!(notes.take()[4..], ["load b", "unload a", "state b"].map(String::from));
}

#[test]
fn states_are_added_while_it_runs() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, _) = machine(&mut engine, &["a"], &notes);
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    let late = watched(&mut engine, "late", &notes);
    let state = engine.objects().state_machine(m).unwrap().add_state("late", &[late]).unwrap();
    notes.take();
    engine.objects().state_machine(m).unwrap().go_to_state(state).unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["load late", "unload a", "state late"]);
    engine.objects().state_machine(m).unwrap().stop().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["unload late"]);
}

#[test]
fn the_boxes_and_links_of_the_current_state_stay_as_they_are() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a"], &notes);
    let other = watched(&mut engine, "other", &notes);
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    let a = engine.objects().state(s[0]).unwrap().boxes()[0];
    let mut state = engine.objects().state(s[0]).unwrap();
    assert_eq!(state.add_box(other), Err(Error::Current));
    assert_eq!(state.link((a, "onStopped"), (a, "onStart")), Err(Error::Current));
}

#[test]
fn links_are_checked() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (_, s) = machine(&mut engine, &["a", "b"], &notes);
    let a = engine.objects().state(s[0]).unwrap().boxes()[0];
    let b = engine.objects().state(s[1]).unwrap().boxes()[0];
    let mut state = engine.objects().state(s[0]).unwrap();
    assert_eq!(state.link((a, "none"), (a, "onStart")), Err(Error::NoSuchPort("none".into())));
    assert_eq!(state.link((b, "onStart"), (a, "onStart")), Err(Error::NoSuchBox("b".to_owned())));
}

#[test]
fn a_machine_has_the_name_of_its_box_and_takes_another_before_it_runs() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, _) = machine(&mut engine, &["a"], &notes);
    let mut machine = engine.objects().state_machine(m).unwrap();
    assert_eq!((&*machine.name(), machine.id()), ("m", m));
    machine.set_name("door").unwrap();
    assert_eq!(&*machine.name(), "door");
    machine.run().unwrap();
    assert_eq!(machine.set_name("gate"), Err(Error::Loaded));
    assert!(engine.objects().find("door/a").is_ok());
    assert!(engine.objects().find("m/a").is_err());
}

#[test]
fn a_state_has_a_name_that_it_can_change() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a"], &notes);
    let mut state = engine.objects().state(s[0]).unwrap();
    assert_eq!((&*state.name(), state.id(), state.state_machine()), ("a", s[0], m));
    state.set_name("b").unwrap();
    assert_eq!(engine.objects().state_machine(m).unwrap().find("b"), Some(s[0]));
    assert_eq!(engine.objects().state_machine(m).unwrap().find("a"), None);
}

#[test]
fn handles_of_another_engine_are_refused() {
    let notes = Notes::default();
    let (mut one, mut two) = (engine(), engine());
    let (m, s) = machine(&mut one, &["a", "b"], &notes);
    let (n, r) = machine(&mut two, &["a", "b"], &notes);
    let t = one.objects().state_machine(m).unwrap().add_transition(s[0], s[1]).unwrap();
    assert!(matches!(two.objects().state_machine(m), Err(Error::Foreign)));
    assert!(matches!(two.objects().state(s[0]), Err(Error::Foreign)));
    assert!(matches!(two.objects().transition(t), Err(Error::Foreign)));
    let mut machine = two.objects().state_machine(n).unwrap();
    assert_eq!(machine.set_initial_state(s[0]), Err(Error::Foreign));
    assert_eq!(machine.add_transition(r[0], s[1]), Err(Error::Foreign));
    assert_eq!(machine.execute_transition(t), Err(Error::Foreign));
    let b = one.objects().state(s[0]).unwrap().boxes()[0];
    assert_eq!(two.objects().state_machine(n).unwrap().add_state("c", &[b]), Err(Error::Foreign));
    // A state of another machine of the same engine is no better.
    let other = one.objects().new_state_machine("other").unwrap();
    assert_eq!(one.objects().state_machine(other).unwrap().set_final_state(s[0]), Err(Error::UnknownState));
}

#[test]
fn a_box_is_a_part_of_one_thing_only() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (_, s) = machine(&mut engine, &["a"], &notes);
    let a = engine.objects().state(s[0]).unwrap().boxes()[0];
    let other = engine.objects().new_state_machine("other").unwrap();
    assert_eq!(engine.objects().state_machine(other).unwrap().add_state("x", &[a]), Err(Error::Elsewhere));
    let loaded = watched(&mut engine, "loaded", &notes);
    engine.objects().get_box(loaded).unwrap().load().unwrap();
    assert_eq!(engine.objects().state_machine(other).unwrap().add_state("x", &[loaded]), Err(Error::Loaded));
    let itself = engine.objects().state_machine(other).unwrap().owner();
    assert_eq!(engine.objects().state_machine(other).unwrap().add_state("x", &[itself]), Err(Error::Elsewhere));
}
