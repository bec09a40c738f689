//! State machines, states and transitions.

use super::*;
use boxstep_engine::objects::{Error, Phase, When};
use boxstep_types::Time;

#[test]
fn entering_a_state_loads_the_next_then_unloads_the_one_before_then_tells() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b"], &notes);
    let t = engine.objects().state_machine(m).unwrap().add_transition(s[0], s[1]).unwrap();
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["load a", "state a"]);
    engine.objects().transition(t).unwrap().trigger().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["load b", "unload a", "state b"]);
}

#[test]
fn functions_are_never_called_within_a_call() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, _) = machine(&mut engine, &["a"], &notes);
    engine.objects().state_machine(m).unwrap().run().unwrap();
    assert_eq!(notes.take(), Vec::<String>::new());
    engine.settle();
    assert_eq!(notes.take(), ["load a", "state a"]);
}

#[test]
fn an_unload_waits_until_all_have_been_told_of_the_load() {
    // What is told of the load of b sees a still loaded.
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b"], &notes);
    let (a, b) = (engine.objects().state(s[0]).unwrap().boxes()[0], engine.objects().state(s[1]).unwrap().boxes()[0]);
    let told = notes.clone();
    engine.objects().get_box(b).unwrap().on_load(move |cx| {
        let loaded = cx.objects().get_box(a).unwrap().is_loaded();
        told.add(format!("a loaded: {loaded}"));
    });
    let t = engine.objects().state_machine(m).unwrap().add_transition(s[0], s[1]).unwrap();
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    notes.take();
    engine.objects().transition(t).unwrap().trigger().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["load b", "a loaded: true", "unload a", "state b"]);
}

#[test]
fn an_empty_machine_has_nothing_to_run() {
    let mut engine = engine();
    let m = engine.objects().new_state_machine("m").unwrap();
    let mut machine = engine.objects().state_machine(m).unwrap();
    assert!(matches!(machine.run(), Err(Error::NoSuchState(_))));
    assert_eq!((machine.states(), machine.current_state(), machine.initial_state()), (vec![], None, None));
    assert!(!machine.is_on_final_state() && !machine.is_running());
}

#[test]
fn a_state_can_be_initial_and_final() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["only"], &notes);
    let mut machine = engine.objects().state_machine(m).unwrap();
    machine.set_initial_state(s[0]).unwrap();
    machine.set_final_state(s[0]).unwrap();
    assert!(!machine.is_on_final_state());
    machine.run().unwrap();
    engine.settle();
    assert!(engine.objects().state_machine(m).unwrap().is_on_final_state());
}

#[test]
fn twenty_states_in_a_line() {
    let (mut engine, notes) = (engine(), Notes::default());
    let names: Vec<String> = (0..20).map(|n| format!("s{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (m, s) = machine(&mut engine, &names, &notes);
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    for pair in s.windows(2) {
        let t = engine.objects().state_machine(m).unwrap().add_transition(pair[0], pair[1]).unwrap();
        engine.objects().transition(t).unwrap().trigger().unwrap();
        engine.settle();
        assert_eq!(engine.objects().state_machine(m).unwrap().current_state(), Some(pair[1]));
    }
}

#[test]
fn the_last_initial_state_counts_and_without_one_the_first() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b", "c"], &notes);
    let mut machine = engine.objects().state_machine(m).unwrap();
    assert_eq!(machine.initial_state(), Some(s[0]));
    machine.set_initial_state(s[2]).unwrap();
    machine.set_initial_state(s[1]).unwrap();
    assert_eq!(machine.initial_state(), Some(s[1]));
    machine.run().unwrap();
    engine.settle();
    assert_eq!(current(&mut engine, m), "b");
    engine.objects().state_machine(m).unwrap().remove_initial_state().unwrap();
    assert_eq!(engine.objects().state_machine(m).unwrap().initial_state(), Some(s[0]));
}

#[test]
fn several_states_are_final_and_can_cease_to_be() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b", "c"], &notes);
    let mut machine = engine.objects().state_machine(m).unwrap();
    machine.set_final_state(s[1]).unwrap();
    machine.set_final_state(s[2]).unwrap();
    assert_eq!(machine.final_states(), [s[1], s[2]]);
    assert_eq!(machine.remove_final_state(s[1]), Ok(true));
    assert_eq!(machine.remove_final_state(s[1]), Ok(false));
    let (ab, bc) = (machine.add_transition(s[0], s[1]).unwrap(), machine.add_transition(s[1], s[2]).unwrap());
    machine.run().unwrap();
    machine.execute_transition(ab).unwrap();
    engine.settle();
    assert!(!engine.objects().state_machine(m).unwrap().is_on_final_state());
    // What is current may be called final later.
    engine.objects().state_machine(m).unwrap().set_final_state(s[1]).unwrap();
    assert!(engine.objects().state_machine(m).unwrap().is_on_final_state());
    engine.objects().state_machine(m).unwrap().execute_transition(bc).unwrap();
    engine.settle();
    assert!(engine.objects().state_machine(m).unwrap().is_on_final_state());
}

#[test]
fn transitions_are_taken_first_in_first_out_and_from_the_current_state_only() {
    let (mut engine, lines) = traced();
    let notes = Notes::default();
    let (m, s) = machine(&mut engine, &["a", "b", "c"], &notes);
    let mut machine = engine.objects().state_machine(m).unwrap();
    let ab = machine.add_transition(s[0], s[1]).unwrap();
    let bc = machine.add_transition(s[1], s[2]).unwrap();
    let ac = machine.add_transition(s[0], s[2]).unwrap();
    machine.run().unwrap();
    engine.settle();
    notes.take();
    let mut machine = engine.objects().state_machine(m).unwrap();
    // All at once: c is reached by way of b, and a → c comes too late.
    machine.execute_transition(ab).unwrap();
    machine.execute_transition(ac).unwrap();
    machine.execute_transition(bc).unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["load b", "unload a", "state b", "load c", "unload b", "state c"]);
    engine.run_for(1.0).unwrap();
    assert_eq!(engine.objects().transition(ab).unwrap().trigger(), Err(Error::NotCurrent));
    engine.objects().state_machine(m).unwrap().stop().unwrap();
    engine.settle();
    let seen = lines.all(&mut engine);
    assert_eq!(crate::support::only(&seen, &["too late"]).len(), 1, "{seen:#?}");
}

#[test]
fn a_transition_knows_its_states_its_name_and_when_it_is_taken() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b"], &notes);
    let id = engine.objects().state_machine(m).unwrap().add_transition(s[0], s[1]).unwrap();
    let mut t = engine.objects().transition(id).unwrap();
    assert_eq!((t.from(), t.to(), t.when(), &*t.name()), (Ok(s[0]), Ok(s[1]), Ok(When::Triggered), ""));
    assert_eq!((t.id(), t.state_machine()), (id, m));
    t.set_name("go");
    t.set_when(When::After(Time::from_millis(300)));
    assert_eq!((t.when(), &*t.name()), (Ok(When::After(Time::from_millis(300))), "go"));
    assert_eq!(engine.objects().state(s[0]).unwrap().transitions(), [id]);
    assert_eq!(engine.objects().state_machine(m).unwrap().transitions(), [id]);
    engine.objects().state_machine(m).unwrap().remove_transition(id).unwrap();
    assert_eq!(engine.objects().state(s[0]).unwrap().transitions(), []);
}

#[test]
fn timed_transitions_and_triggers_mix() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b", "c", "d"], &notes);
    let mut ids = Vec::new();
    for pair in s.windows(2) {
        ids.push(engine.objects().state_machine(m).unwrap().add_transition(pair[0], pair[1]).unwrap());
    }
    for id in [ids[0], ids[2]] {
        engine.objects().transition(id).unwrap().set_when(When::After(Time::from_millis(100)));
    }
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.run_until(Time::from_millis(99)).unwrap();
    assert_eq!(current(&mut engine, m), "a");
    engine.run_until(Time::from_millis(500)).unwrap();
    assert_eq!(current(&mut engine, m), "b");
    engine.objects().transition(ids[1]).unwrap().trigger().unwrap();
    engine.run_until(Time::from_millis(599)).unwrap();
    assert_eq!(current(&mut engine, m), "c");
    engine.run_until(Time::from_millis(600)).unwrap();
    assert_eq!(current(&mut engine, m), "d");
}

#[test]
fn a_time_that_is_set_while_its_state_is_current_counts_from_when_that_was_entered() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b"], &notes);
    let t = engine.objects().state_machine(m).unwrap().add_transition(s[0], s[1]).unwrap();
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.run_for(0.4).unwrap();
    engine.objects().transition(t).unwrap().set_when(When::After(Time::from_millis(500)));
    engine.run_for(0.09).unwrap();
    assert_eq!(current(&mut engine, m), "a");
    engine.run_for(0.01).unwrap();
    assert_eq!(current(&mut engine, m), "b");
}

#[test]
fn a_state_without_boxes_takes_its_done_transition_at_once() {
    let mut engine = engine();
    let m = engine.objects().new_state_machine("m").unwrap();
    let mut machine = engine.objects().state_machine(m).unwrap();
    let (a, b) = (machine.add_state("a", &[]).unwrap(), machine.add_state("b", &[]).unwrap());
    let t = machine.add_transition(a, b).unwrap();
    engine.objects().transition(t).unwrap().set_when(When::Done);
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    assert_eq!(current(&mut engine, m), "b");
}

#[test]
fn stop_unloads_the_state_and_the_next_run_enters_the_initial_one() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b"], &notes);
    let t = engine.objects().state_machine(m).unwrap().add_transition(s[0], s[1]).unwrap();
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    engine.objects().transition(t).unwrap().trigger().unwrap();
    engine.settle();
    assert_eq!(current(&mut engine, m), "b");
    notes.take();
    engine.objects().state_machine(m).unwrap().stop().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["unload b"]);
    let mut machine = engine.objects().state_machine(m).unwrap();
    assert_eq!((machine.current_state(), machine.is_running()), (None, false));
    assert_eq!(machine.execute_transition(t), Err(Error::NotLoaded));
    assert_eq!(machine.stop(), Err(Error::NotLoaded));
    machine.run().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["load a", "state a"]);
}

#[test]
fn run_after_a_stop_that_is_still_under_way_begins_anew() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, _) = machine(&mut engine, &["a"], &notes);
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    notes.take();
    let mut machine = engine.objects().state_machine(m).unwrap();
    machine.stop().unwrap();
    machine.run().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["unload a", "load a", "state a"]);
}

#[test]
fn what_is_asked_for_right_after_run_comes_after_the_initial_state() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b", "c"], &notes);
    let owner = engine.objects().state_machine(m).unwrap().owner();
    // Its own box has somebody who wants to know: it is not loaded at once.
    engine.objects().get_box(owner).unwrap().on_load(|_| {});
    let mut machine = engine.objects().state_machine(m).unwrap();
    let ab = machine.add_transition(s[0], s[1]).unwrap();
    machine.run().unwrap();
    machine.execute_transition(ab).unwrap();
    machine.go_to_state(s[2]).unwrap();
    engine.settle();
    let states: Vec<String> = notes.take().into_iter().filter(|n| n.starts_with("state")).collect();
    assert_eq!(states, ["state a", "state b", "state c"]);
}

#[test]
fn run_while_it_runs_changes_nothing() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, _) = machine(&mut engine, &["a"], &notes);
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    notes.take();
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    assert_eq!(notes.take(), Vec::<String>::new());
}

#[test]
fn pause_holds_times_and_triggers_and_run_goes_on() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b", "c"], &notes);
    let mut machine = engine.objects().state_machine(m).unwrap();
    let (ab, bc) = (machine.add_transition(s[0], s[1]).unwrap(), machine.add_transition(s[1], s[2]).unwrap());
    assert_eq!(machine.pause(), Err(Error::NotLoaded));
    machine.run().unwrap();
    engine.objects().transition(ab).unwrap().set_when(When::After(Time::from_millis(1000)));
    engine.run_until(Time::from_millis(400)).unwrap();
    engine.objects().state_machine(m).unwrap().pause().unwrap();
    engine.objects().state_machine(m).unwrap().pause().unwrap();
    engine.run_until(Time::from_millis(5000)).unwrap();
    assert_eq!(current(&mut engine, m), "a");
    assert!(engine.objects().state_machine(m).unwrap().is_paused());
    // 600 ms are left of the time of a.
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.run_until(Time::from_millis(5599)).unwrap();
    assert_eq!(current(&mut engine, m), "a");
    engine.run_until(Time::from_millis(5600)).unwrap();
    assert_eq!(current(&mut engine, m), "b");
    // What is triggered in a pause waits.
    engine.objects().state_machine(m).unwrap().pause().unwrap();
    engine.objects().transition(bc).unwrap().trigger().unwrap();
    engine.run_for(1.0).unwrap();
    assert_eq!(current(&mut engine, m), "b");
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    assert_eq!(current(&mut engine, m), "c");
}

#[test]
fn goto_goes_in_a_pause_too() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b"], &notes);
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    engine.objects().state_machine(m).unwrap().pause().unwrap();
    assert_eq!(engine.objects().state_machine(m).unwrap().go_to_state(s[1]), Ok(None));
    engine.settle();
    assert_eq!(current(&mut engine, m), "b");
}

#[test]
fn going_to_the_current_state_keeps_its_boxes_and_tells() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a"], &notes);
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    notes.take();
    engine.objects().state_machine(m).unwrap().go_to_state(s[0]).unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["state a"]);
}

#[test]
fn a_function_may_go_on_from_the_state_that_it_is_told_of() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a", "b", "c"], &notes);
    let next = [(s[0], s[1]), (s[1], s[2])];
    engine.objects().state_machine(m).unwrap().on_new_state(move |cx, state| {
        if let Some((_, to)) = next.iter().find(|(from, _)| *from == state) {
            cx.objects().state_machine(m).unwrap().go_to_state(*to).unwrap();
        }
    });
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    assert_eq!(current(&mut engine, m), "c");
}

#[test]
fn a_function_may_stop_the_machine_that_it_is_told_of() {
    let (mut engine, notes) = (engine(), Notes::default());
    let (m, s) = machine(&mut engine, &["a"], &notes);
    let b = engine.objects().state(s[0]).unwrap().boxes()[0];
    engine.objects().get_box(b).unwrap().on_load(move |cx| {
        cx.objects().state_machine(m).unwrap().stop().unwrap();
    });
    engine.objects().state_machine(m).unwrap().run().unwrap();
    engine.settle();
    assert_eq!(current(&mut engine, m), "");
    assert_eq!(engine.objects().get_box(b).unwrap().phase(), Phase::Out);
}
