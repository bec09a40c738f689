//! Boxes: life, ports, native code, what is inside.

use super::*;
use boxstep_engine::config::Control;
use boxstep_engine::native::{NativeBox, NativeCx, Natives};
use boxstep_engine::objects::{Error, Phase, TimelineCommand};
use boxstep_engine::protocol::Scheduler as _;
use boxstep_format::model::{InputNature, OutputNature, PortType};
use boxstep_types::Value;

/// Puts out how often it was asked, since it was made.
#[derive(Default)]
struct Counter(i64);

impl NativeBox for Counter {
    fn input(&mut self, cx: &mut NativeCx<'_>, _: usize, _: &Value) {
        self.0 += 1;
        cx.output(0, Value::Int(self.0));
    }
}

fn counter(name: &str) -> Draft {
    let draft = Draft::bare(name).input("ask", InputNature::OnEvent, PortType::Dynamic);
    draft.output("count", OutputNature::Punctual, PortType::Number)
}

/// Has what a box puts out written down.
fn hear(engine: &mut Engine, b: BoxId, output: &str, notes: &Notes) {
    let told = notes.clone();
    engine.objects().get_box(b).unwrap().on_output(output, move |_, value| told.add(value.to_string())).unwrap();
}

#[test]
fn load_start_stop_and_unload() {
    let (mut engine, notes) = (engine(), Notes::default());
    let b = watched(&mut engine, "b", &notes);
    let mut view = engine.objects().get_box(b).unwrap();
    assert_eq!(
        (view.phase(), view.is_loaded(), view.is_started(), view.unload()),
        (Phase::Out, false, false, Err(Error::NotLoaded))
    );
    view.load().unwrap();
    engine.settle();
    let mut view = engine.objects().get_box(b).unwrap();
    assert_eq!((notes.take(), view.is_loaded(), view.is_started()), (vec!["load b".to_owned()], true, false));
    view.load().unwrap();
    view.start().unwrap();
    engine.settle();
    assert!(engine.objects().get_box(b).unwrap().is_started());
    engine.objects().get_box(b).unwrap().start().unwrap();
    engine.settle();
    assert_eq!(notes.take(), Vec::<String>::new());
    engine.objects().get_box(b).unwrap().unload().unwrap();
    engine.settle();
    let view = engine.objects().get_box(b).unwrap();
    assert_eq!((notes.take(), view.phase(), view.is_started()), (vec!["unload b".to_owned()], Phase::Out, false));
}

#[test]
fn start_loads_and_stop_is_unload() {
    let (mut engine, notes) = (engine(), Notes::default());
    let b = watched(&mut engine, "b", &notes);
    engine.objects().get_box(b).unwrap().start().unwrap();
    engine.settle();
    let view = engine.objects().get_box(b).unwrap();
    assert_eq!((notes.take(), view.is_started()), (vec!["load b".to_owned()], true));
    engine.objects().get_box(b).unwrap().stop().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["unload b"]);
}

#[test]
fn a_start_after_a_stop_constructs_anew() {
    let (mut engine, lines) = traced();
    let notes = Notes::default();
    let b = engine.objects().new_box(counter("c").parameter("speed", 3).native(Counter::default)).unwrap();
    hear(&mut engine, b, "count", &notes);
    for round in 1..=2 {
        engine.objects().get_box(b).unwrap().start().unwrap();
        engine.settle();
        for _ in 0..2 {
            engine.objects().get_box(b).unwrap().input("ask", Value::Null).unwrap();
        }
        engine.settle();
        assert_eq!(notes.take(), ["1", "2"], "round {round}");
        assert_eq!(engine.objects().get_box(b).unwrap().parameter("speed"), Ok(Value::Int(3)));
        engine.objects().get_box(b).unwrap().set_parameter("speed", Value::Int(9)).unwrap();
        engine.objects().get_box(b).unwrap().stop().unwrap();
        engine.settle();
    }
    let seen = lines.all(&mut engine);
    assert_eq!(crate::support::only(&seen, &["constructed"]).len(), 2, "{seen:#?}");
    assert_eq!(crate::support::only(&seen, &["destroyed"]).len(), 2);
}

#[test]
fn native_boxes_by_name_in_what_a_factory_and_a_draft_make() {
    let (mut engine, notes) = (engine(), Notes::default());
    engine.set_natives(Box::new(Natives::new().with("c", || Box::new(Counter(100)))));
    let by_name = engine.objects().new_box(counter("c")).unwrap();
    let own = engine.objects().new_box(counter("c").native(Counter::default)).unwrap();
    let plain = engine.objects().new_box(counter("other")).unwrap();
    for b in [by_name, own, plain] {
        hear(&mut engine, b, "count", &notes);
        engine.objects().get_box(b).unwrap().load().unwrap();
        engine.settle();
        engine.objects().get_box(b).unwrap().input("ask", Value::Null).unwrap();
    }
    engine.settle();
    // The draft's own box comes before the factory's; a box that nobody makes does nothing.
    assert_eq!(notes.take(), ["101", "1"]);
}

#[test]
fn a_diagram_of_drafts_links_by_names() {
    let (mut engine, notes) = (engine(), Notes::default());
    let outer = Draft::new("outer").input("ask", InputNature::OnEvent, PortType::Dynamic);
    let outer = outer.output("count", OutputNature::Punctual, PortType::Number);
    let wires = [(("", "ask"), ("c", "ask")), (("c", "count"), ("", "count"))];
    let outer = outer.diagram(vec![counter("c").native(Counter::default)], &wires);
    let b = engine.objects().new_box(outer).unwrap();
    hear(&mut engine, b, "count", &notes);
    engine.objects().get_box(b).unwrap().start().unwrap();
    engine.settle();
    engine.objects().get_box(b).unwrap().input("ask", Value::Null).unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["1"]);
    let c = engine.objects().get_box(b).unwrap().child("c").unwrap();
    let view = engine.objects().get_box(c).unwrap();
    assert_eq!((view.parent(), view.path().to_string(), view.is_loaded()), (Some(b), "outer/c".to_owned(), true));
    assert_eq!(engine.objects().get_box(b).unwrap().boxes(), [c]);
}

#[test]
fn a_draft_that_links_what_is_not_there_is_refused() {
    let mut engine = engine();
    let wires = [(("", "onStart"), ("x", "none"))];
    let refused = engine.objects().new_box(Draft::new("d").diagram(vec![Draft::new("x")], &wires));
    assert!(matches!(refused, Err(Error::Invalid(why)) if why.contains("x.none")));
}

#[test]
fn every_value_on_an_output_is_heard_also_between_native_boxes() {
    let (mut engine, notes) = (engine(), Notes::default());
    let wires = [(("", "onStart"), ("a", "ask")), (("a", "count"), ("b", "ask"))];
    let both = vec![counter("a").native(Counter::default), counter("b").native(Counter::default)];
    let d = engine.objects().new_box(Draft::new("d").diagram(both, &wires)).unwrap();
    for name in ["a", "b"] {
        let b = engine.objects().get_box(d).unwrap().child(name).unwrap();
        hear(&mut engine, b, "count", &notes);
    }
    engine.objects().get_box(d).unwrap().start().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["1", "1"]);
}

#[test]
fn ports_and_parameters_by_name() {
    let (mut engine, notes) = (engine(), Notes::default());
    let b = engine
        .objects()
        .new_box(counter("c").parameter("text", "é").parameter("on", true).native(Counter::default))
        .unwrap();
    let mut view = engine.objects().get_box(b).unwrap();
    assert_eq!(view.inputs(), [("ask".into(), InputNature::OnEvent)]);
    assert_eq!(view.outputs(), [("count".into(), OutputNature::Punctual)]);
    assert_eq!((view.parameter("text"), view.parameter("on")), (Ok("é".into()), Ok(true.into())));
    assert_eq!(view.parameter("none"), Err(Error::NoSuchPort("none".into())));
    assert_eq!(view.set_parameter("none", Value::Null), Err(Error::NoSuchPort("none".into())));
    assert_eq!(view.input("none", Value::Null), Err(Error::NoSuchPort("none".into())));
    assert_eq!(view.input("ask", Value::Null), Err(Error::NotLoaded));
    assert_eq!(view.output("count", Value::Null), Err(Error::NotLoaded));
    assert!(matches!(view.on_output("none", |_, _| {}), Err(Error::NoSuchPort(_))));
    hear(&mut engine, b, "count", &notes);
    engine.objects().get_box(b).unwrap().load().unwrap();
    engine.settle();
    engine.objects().get_box(b).unwrap().output("count", Value::Int(7)).unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["7"]);
}

#[test]
fn a_draft_has_memory_inputs_and_inherited_parameters() {
    let (mut engine, notes) = (engine(), Notes::default());
    let inner = counter("c").inherited("speed", 1).native(Counter::default);
    let outer = Draft::new("outer").memory_input("bumper", "Bumper").parameter("speed", 7);
    let outer = outer.diagram(vec![inner], &[(("", "bumper"), ("c", "ask"))]);
    let b = engine.objects().new_box(outer).unwrap();
    let c = engine.objects().get_box(b).unwrap().child("c").unwrap();
    hear(&mut engine, c, "count", &notes);
    assert_eq!(engine.objects().get_box(c).unwrap().parameter("speed"), Ok(Value::Int(7)));
    let hit = || Control::Event { key: "Bumper".to_owned(), value: Value::Int(1) };
    engine.control(engine.now(), hit()).unwrap();
    engine.settle();
    assert_eq!(notes.take(), Vec::<String>::new(), "not loaded");
    engine.objects().get_box(b).unwrap().start().unwrap();
    engine.settle();
    engine.control(engine.now(), hit()).unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["1"]);
}

#[test]
fn an_input_and_an_output_may_have_one_name() {
    let (mut engine, notes) = (engine(), Notes::default());
    let draft = Draft::bare("b").input("x", InputNature::OnEvent, PortType::Dynamic);
    let b = engine.objects().new_box(draft.output("x", OutputNature::Punctual, PortType::Dynamic)).unwrap();
    hear(&mut engine, b, "x", &notes);
    engine.objects().get_box(b).unwrap().load().unwrap();
    engine.settle();
    engine.objects().get_box(b).unwrap().input("x", Value::Int(1)).unwrap();
    engine.objects().get_box(b).unwrap().output("x", Value::Int(2)).unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["2"]);
}

#[test]
fn a_part_is_loaded_by_what_it_is_in_and_started_by_its_input() {
    let (mut engine, lines) = traced();
    let inner = Draft::new("inner").diagram(vec![Draft::new("x")], &[]);
    let outer = engine.objects().new_box(Draft::new("outer").diagram(vec![inner], &[])).unwrap();
    let inner = engine.objects().get_box(outer).unwrap().child("inner").unwrap();
    let mut view = engine.objects().get_box(inner).unwrap();
    assert_eq!((view.load(), view.unload(), view.stop()), (Err(Error::Part), Err(Error::Part), Err(Error::NotLoaded)));
    assert_eq!((view.start(), view.set_name("y")), (Err(Error::NotLoaded), Err(Error::Part)));
    engine.objects().get_box(outer).unwrap().start().unwrap();
    engine.settle();
    engine.objects().get_box(inner).unwrap().start().unwrap();
    engine.settle();
    assert_eq!(engine.objects().get_box(inner).unwrap().phase(), Phase::Active);
    engine.objects().get_box(inner).unwrap().stop().unwrap();
    engine.settle();
    assert_eq!(engine.objects().get_box(inner).unwrap().phase(), Phase::InScope);
    let seen = lines.all(&mut engine);
    assert_eq!(crate::support::only(&seen, &["outer/inner/x unloaded"]).len(), 1, "{seen:#?}");
}

#[test]
fn a_name_is_that_of_the_path() {
    let mut engine = engine();
    let b = engine.objects().new_box(Draft::new("b").diagram(vec![Draft::new("x")], &[])).unwrap();
    engine.objects().get_box(b).unwrap().set_name("c").unwrap();
    let view = engine.objects().get_box(b).unwrap();
    assert_eq!((&*view.name(), view.path().to_string(), view.id()), ("c", "c".to_owned(), b));
    let x = engine.objects().find("c/x").unwrap();
    assert_eq!(engine.objects().get_box(b).unwrap().child("x"), Some(x));
    assert_eq!(engine.objects().find("b/x"), Err(Error::NoSuchBox("b/x".to_owned())));
}

/// Sends the timeline around it a command as soon as it is asked, and says so.
struct Remote(TimelineCommand);

impl NativeBox for Remote {
    fn input(&mut self, cx: &mut NativeCx<'_>, _: usize, _: &Value) {
        cx.parent_timeline(self.0.clone());
        cx.output(0, Value::Null);
    }
}

#[test]
fn a_parent_is_controlled_by_a_signal_that_comes_in_its_turn() {
    let (mut engine, notes) = (engine(), Notes::default());
    let remote = counter("r").native(|| Remote(TimelineCommand::GoTo(21.into())));
    let t = Draft::new("t").timeline(10, 1, Some(31)).keyframe("l", "k", 1, vec![remote], &[]);
    let t = engine.objects().new_box(t).unwrap();
    let timeline = engine.objects().get_box(t).unwrap().timeline().unwrap();
    engine.objects().get_box(t).unwrap().start().unwrap();
    engine.settle();
    let r = engine.objects().get_box(t).unwrap().child("r").unwrap();
    let told = notes.clone();
    engine
        .objects()
        .get_box(r)
        .unwrap()
        .on_output("count", move |cx, _| {
            let frame = cx.objects().timeline(timeline).unwrap().frame();
            told.add(frame.to_string());
        })
        .unwrap();
    engine.objects().get_box(r).unwrap().input("ask", Value::Null).unwrap();
    engine.settle();
    // In the queue: the goto, then what is told of the output.
    assert_eq!(notes.take(), ["21"]);
    // From outside, for the box.
    engine.objects().get_box(r).unwrap().signal_parent_timeline(TimelineCommand::GoTo(5.into())).unwrap();
    assert_eq!(engine.objects().timeline(timeline).unwrap().frame(), 21);
    engine.settle();
    assert_eq!(engine.objects().timeline(timeline).unwrap().frame(), 5);
    assert_eq!(
        engine.objects().get_box(t).unwrap().signal_parent_timeline(TimelineCommand::Play),
        Err(Error::NoTimeline)
    );
}

#[test]
fn a_signal_to_a_parent_does_not_outlive_its_box() {
    let mut engine = engine();
    let t = Draft::new("t").timeline(10, 1, Some(31)).keyframe("l", "k", 1, vec![Draft::new("r")], &[]);
    let t = engine.objects().new_box(t).unwrap();
    let timeline = engine.objects().get_box(t).unwrap().timeline().unwrap();
    engine.objects().get_box(t).unwrap().start().unwrap();
    engine.settle();
    let r = engine.objects().get_box(t).unwrap().child("r").unwrap();
    engine.objects().get_box(r).unwrap().signal_parent_timeline(TimelineCommand::GoTo(21.into())).unwrap();
    engine.objects().get_box(t).unwrap().stop().unwrap();
    engine.objects().get_box(t).unwrap().start().unwrap();
    engine.settle();
    assert_eq!(engine.objects().timeline(timeline).unwrap().frame(), 1);
}

#[test]
fn functions_are_called_in_the_order_in_which_they_were_given() {
    let (mut engine, notes) = (engine(), Notes::default());
    let b = engine.objects().new_box(Draft::new("b")).unwrap();
    for n in ["first", "second", "third"] {
        engine.objects().get_box(b).unwrap().on_load(notes.note(n));
    }
    engine.objects().get_box(b).unwrap().load().unwrap();
    engine.settle();
    assert_eq!(notes.take(), ["first", "second", "third"]);
}

#[test]
fn a_function_can_forget_itself_and_the_next() {
    let (mut engine, notes) = (engine(), Notes::default());
    let b = engine.objects().new_box(Draft::new("b")).unwrap();
    let ids = Arc::new(Mutex::new(Vec::new()));
    let (mine, told) = (ids.clone(), notes.clone());
    let first = engine.objects().get_box(b).unwrap().on_load(move |cx| {
        told.add("first");
        for id in mine.lock().unwrap().iter() {
            cx.objects().forget(*id).unwrap();
        }
    });
    let second = engine.objects().get_box(b).unwrap().on_load(notes.note("second"));
    ids.lock().unwrap().extend([first, second]);
    for _ in 0..2 {
        engine.objects().get_box(b).unwrap().load().unwrap();
        engine.settle();
        engine.objects().get_box(b).unwrap().unload().unwrap();
        engine.settle();
    }
    assert_eq!(notes.take(), ["first"]);
}

#[test]
fn objects_are_no_behaviors_that_a_script_could_start_by_name() {
    let inner = crate::support::boxed("A", 1, "", "") + &crate::support::link(0, 2, 1, 2);
    let scripts = crate::support::Scripts::from([(
        ("A", "onInput_onStart"),
        vec![
            crate::support::Call("ALBehaviorManager", "startBehavior", vec!["thing".into()]),
            crate::support::Log("done"),
        ],
    )]);
    let mut run = crate::support::Run::new(&crate::support::root(&inner), scripts);
    let b = run.engine.objects().new_box(Draft::new("thing")).unwrap();
    let (lines, _) = run.run_on();
    assert!(!run.engine.objects().get_box(b).unwrap().is_loaded());
    assert_eq!(crate::support::only(&lines, &["thing"]), Vec::<String>::new(), "{lines:#?}");
}
