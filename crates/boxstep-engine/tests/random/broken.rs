//! The law book is proven: for each law a small hand-made trace that breaks it, and is in order but for that.

use super::law::names::*;
use super::law::{Broken, Law};
use crate::support::{boxed, flow, link, project, source};
use Edit::{After, Instead, Not, Of, Sum};
use boxstep_engine::trace::{
    DropReason, EndReason, Event, Footer, Kind, Name, PathId, Paths, Place, ResourceEvent, Sink as _,
};
use boxstep_types::{Time, Value};
use serde::de::DeserializeOwned;
use serde_json::json;
use std::sync::Arc;

/// A flow diagram A with B inside, a timeline T with two keyframes, a state machine M whose states share Y, and C, which
/// wants what A has a part of.
fn behavior() -> String {
    let needs = |names: &[&str]| -> String {
        names.iter().map(|n| format!(r#"<Resource name="{n}" type="Lock" timeout="0"/>"#)).collect()
    };
    let memory =
        r#"<Input name="m" type="0" type_size="1" nature="4" inner="1" tooltip="" id="8" stm_value_name="Key"/>"#;
    let keyframe = |name: &str, index: u32, content: &str| {
        format!(r#"<BehaviorKeyframe name="{name}" index="{index}"><Diagram>{content}</Diagram></BehaviorKeyframe>"#)
    };
    let layer = |content: &str| format!(r#"<BehaviorLayer name="l">{content}</BehaviorLayer>"#);
    let states = [("s0", [0, 1]), ("s1", [1, 2]), ("s2", [0, 2])]
        .map(|(name, [a, b])| format!(r#"<State Name="{name}"><Object number="{a}"/><Object number="{b}"/></State>"#));
    let timeline = layer(&(keyframe("k0", 1, &boxed("K", 1, "", "")) + &keyframe("k1", 10, &boxed("L", 1, "", ""))));
    let timeline = format!(r#"<Timeline enable="1" fps="10" start_frame="1" end_frame="20">{timeline}</Timeline>"#);
    let shared = boxed("X", 1, "", "") + &boxed("Y", 2, "", "") + &boxed("Z", 3, "", "");
    let machine = layer(&keyframe("k0", 1, &shared));
    let machine =
        format!(r#"<Timeline enable="0">{machine}<StateMachine>{}</StateMachine></Timeline>"#, states.concat());
    let content = boxed("A", 1, &(needs(&["Legs", "Speech"]) + memory), &flow(&boxed("B", 1, "", "")))
        + &boxed("T", 2, "", &timeline)
        + &boxed("M", 3, "", &machine)
        + &boxed("C", 4, &needs(&["Body"]), "")
        + &link(0, 2, 1, 2);
    project(&boxed("root", -1, "", &flow(&content)))
}

/// A run in order: `PATH WHAT`, and `~` where half a second passes.
const ORDER: &str = "
root behavior loading
root constructed
root/A constructed
root/T constructed
root/M constructed
root/C constructed
root/A/B constructed
root/T/@l:k0/K constructed
root/T/@l:k1/L constructed
root/M/X constructed
root/M/Y constructed
root/M/Z constructed
root loading
root diagram loading
root/A loading
root/A call onLoad
root/A loaded
root/T loading
root/T loaded
root/M loading
root/M loaded
root/C loading
root/C loaded
root diagram loaded
root loaded
root behavior loaded
root behavior started
root > onStart
root/A > onStart
root/A starting
root/A resource Legs taken
root/A resource Speech taken
root/A call onInput_onStart
root/A diagram loading
root/A/B loading
root/A/B loaded
root/A diagram loaded
root/A started
root/A > m
root/A < onStopped
root/T > onStart
root/T timeline load 1
root/T diagram l:k0 loading
root/T/@l:k0/K loading
root/T/@l:k0/K loaded
root/T diagram l:k0 loaded
root/T timeline play 1
~
root/T timeline frame 10
root/T diagram l:k0 unloading
root/T/@l:k0/K unloading
root/T/@l:k0/K unloaded
root/T diagram l:k0 unloaded
root/T diagram l:k1 loading
root/T/@l:k1/L loading
root/T/@l:k1/L loaded
root/T diagram l:k1 loaded
root/T diagram l:k1 unloading
root/T/@l:k1/L unloading
root/T/@l:k1/L unloaded
root/T diagram l:k1 unloaded
root/T timeline unload -1
root/M diagram l:s0 loading
root/M/X loading
root/M/X loaded
root/M/Y loading
root/M/Y loaded
root/M diagram l:s0 loaded
root/M diagram l:s1 loading
root/M/Z loading
root/M/Z loaded
root/M diagram l:s1 loaded
root/M diagram l:s0 unloading
root/M/X unloading
root/M/X unloaded
root/M diagram l:s0 unloaded
root/M diagram l:s1 unloading
root/M/Y unloading
root/M/Y unloaded
root/M/Z unloading
root/M/Z unloaded
root/M diagram l:s1 unloaded
~
root control stop
root behavior stopping
root unloading
root diagram unloading
root/A unloading
root/A resource Legs released
root/A resource Speech released
root/A call onUnload
root/A diagram unloading
root/A/B unloading
root/A/B unloaded
root/A diagram unloaded
root/A unloaded
root/T unloading
root/T unloaded
root/M unloading
root/M unloaded
root/C unloading
root/C unloaded
root diagram unloaded
root unloaded
root destroyed
root/A destroyed
root/T destroyed
root/M destroyed
root/C destroyed
root/A/B destroyed
root/T/@l:k0/K destroyed
root/T/@l:k1/L destroyed
root/M/X destroyed
root/M/Y destroyed
root/M/Z destroyed
root behavior unloaded
";

/// What makes a trace out of order.
enum Edit {
    /// After this line come these.
    After(&'static str, &'static [&'static str]),
    /// These lines do not come.
    Not(&'static [&'static str]),
    /// A line says something else.
    Instead(&'static str, &'static str),
    /// An event of these is another.
    Of(fn(&mut [Event])),
    /// The last word is another; `None`: there is none.
    Sum(fn(Footer) -> Option<Footer>),
}

fn lines(edit: &Edit) -> Vec<&'static str> {
    let mut lines: Vec<&str> = ORDER.trim().lines().collect();
    let at = |lines: &[&str], line: &str| lines.iter().position(|l| *l == line).unwrap_or_else(|| panic!("{line}"));
    match edit {
        After(line, more) => {
            let at = at(&lines, line);
            lines.splice(at + 1..=at, more.iter().copied());
        }
        Not(less) => {
            for line in *less {
                lines.remove(at(&lines, line));
            }
        }
        Instead(line, other) => {
            let at = at(&lines, line);
            lines[at] = other;
        }
        Of(_) | Sum(_) => {}
    }
    lines
}

/// `loading` … as events have them.
fn word<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_value(text.into()).unwrap()
}

fn kind(text: &str) -> Kind {
    let words: Vec<&str> = text.split(' ').collect();
    match &*words {
        ["behavior", what] => Kind::Behavior { phase: word(what), name: "test".into() },
        ["diagram", what] => Kind::Diagram { phase: word(what), place: None },
        ["diagram", place, what] => {
            let (layer, keyframe) = place.split_once(':').unwrap();
            Kind::Diagram {
                phase: word(what),
                place: Some(Arc::new(Place { layer: layer.into(), keyframe: keyframe.into() })),
            }
        }
        [">", name] => Kind::Input { port: Name::new(name), value: Value::Null },
        ["<", name] => Kind::Output { port: Name::new(name), value: Value::Null },
        ["dropped", name] => Kind::Dropped { port: Name::new(name), value: Value::Null, why: DropReason::BoxNotLoaded },
        ["call", method] => Kind::Call { method: (*method).into() },
        ["timeline", what, frame] => Kind::Timeline { command: word(what), frame: frame.parse().unwrap() },
        ["resource", name, what] => {
            let (name, what) = ((*name).into(), word(what));
            Kind::Resource(Box::new(ResourceEvent { what, name, owner: None, others: Vec::new() }))
        }
        ["control", what] => Kind::control(serde_json::from_value(json!({ "what": what, "details": null })).unwrap()),
        ["warning", ..] => Kind::Warning { text: text.strip_prefix("warning ").unwrap().into() },
        [what] => Kind::Box { phase: word(what) },
        _ => panic!("{text}"),
    }
}

/// What the law book says of a trace.
fn verdict(edit: &Edit, livelock_bound: u64) -> Result<(), Broken> {
    let file = source("test", &behavior());
    let mut law = Law::of([("test", &*file.project)], &[("Legs", "Body")], livelock_bound);
    let (mut paths, mut ids): (Paths, Vec<(&str, PathId)>) = Default::default();
    let mut events: Vec<Event> = Vec::new();
    let mut t = Time::ZERO;
    for line in lines(edit) {
        let Some((path, what)) = line.split_once(' ') else {
            t = t + Time::from_millis(500);
            continue;
        };
        let known = ids.iter().find(|(p, _)| *p == path).map(|(_, id)| *id);
        let id = known.unwrap_or_else(|| paths.add(&path.parse().unwrap()));
        ids.push((path, id));
        let n = events.len() as u64 + 1;
        events.push(Event { n, t, cause: n - 1, path: id, kind: kind(what) });
    }
    let count = |what: &str| events.iter().filter(|e| crate::support::word(&e.kind, "kind") == what).count() as u64;
    let footer = Footer {
        reason: EndReason::Ended,
        t,
        events: events.len() as u64,
        errors: 0,
        not_compiled: 0,
        unsupported: 0,
        dropped: count("dropped"),
        warnings: count("warning"),
        forced: count("forced"),
        deterministic: Ok(()),
    };
    let footer = match edit {
        Sum(edit) => edit(footer),
        _ => Some(footer),
    };
    if let Of(edit) = edit {
        edit(&mut events);
    }
    law.events(&events, &paths);
    if let Some(footer) = footer {
        law.end(&footer);
    }
    law.verdict()
}

#[rustfmt::skip]
const BROKEN: &[(&str, Edit)] = &[
    (NUMBERS, Of(|events| events[5].n = 7)),
    (CAUSES, Of(|events| events[5].cause = 6)),
    (TIME, Of(|events| events[80].t = Time::ZERO)),
    (KNOWN_BOX, After("root loading", &["root/Nobody loading"])),
    (KNOWN_DIAGRAM, After("root loading", &["root/T diagram l:k7 loading"])),
    (BEHAVIOR_ORDER, Not(&["root behavior loaded"])),
    (BEHAVIOR_ORDER, After("root behavior loading", &["root behavior unloaded"])),
    (OUTLIVES, Not(&["root/A/B destroyed"])),
    (CONSTRUCTED_ONCE, After("root/A constructed", &["root/A constructed"])),
    (DESTROYED_MADE, After("root/A destroyed", &["root/A destroyed"])),
    (DESTROYED_UNLOADED, After("root/A loaded", &["root/A destroyed"])),
    (LOADED_MADE, Not(&["root/A constructed"])),
    (LOADS_ALTERNATE, After("root/A loaded", &["root/A loaded"])),
    (LOADS_ALTERNATE, Not(&["root/A unloading", "root/A call onUnload"])),
    (LOADED_WITH_DIAGRAM, After("root loading", &["root/A loading"])),
    (UNLOADED_WITH_DIAGRAM, After("root behavior stopping", &["root/A unloading"])),
    (SHARED_STAYS, After("root/M diagram l:s0 unloading", &["root/M/Y unloading"])),
    (UNLOADED_EMPTY, Not(&["root/A diagram unloaded"])),
    (UNLOADED_HOLDS_NOTHING, Not(&["root/A resource Legs released", "root/A resource Speech released"])),
    (STARTED_LOADED, After("root/A loading", &["root/A starting"])),
    (STARTS_ALTERNATE, After("root/A starting", &["root/A starting"])),
    (STARTS_ALTERNATE, After("root/A started", &["root/A stopping", "root/A stopped", "root/A stopped"])),
    (DIAGRAMS_ALTERNATE, After("root/A diagram loading", &["root/A diagram loading"])),
    (DIAGRAM_WHOLE, Not(&["root/A/B loaded"])),
    (DIAGRAM_WHOLE, Not(&["root/M/X unloaded"])),
    (KEYFRAME_ORDER, After("root/T diagram l:k0 unloading", &["root/T diagram l:k1 loading"])),
    (ONE_STATE, After("root/M diagram l:s1 loading", &["root/M diagram l:s2 loading"])),
    (OUTPUT_LOADED, After("root/A unloaded", &["root/A < onStopped"])),
    (INPUT_LOADED, After("root/A unloaded", &["root/A > onStart"])),
    (INSIDE_HEARS, After("root/A starting", &["root/A > m"])),
    (LINKS_ACTIVE, After("root/A loaded", &["root/A > onStart"])),
    (LINKS_ACTIVE, After("root diagram unloading", &["root/A > onStart"])),
    (ON_LOAD_ONCE, After("root/A call onLoad", &["root/A call onLoad"])),
    (ON_LOAD_ONCE, After("root/A loaded", &["root/A call onLoad"])),
    (ON_UNLOAD_ONCE, After("root/A call onUnload", &["root/A call onUnload"])),
    (ON_UNLOAD_ONCE, After("root behavior stopping", &["root/A call onUnload"])),
    (CALLED_LOADED, After("root/A unloading", &["root/A call onInput_onStop"])),
    (CALLED_MADE, After("root/A destroyed", &["root/A call heard"])),
    (NO_CURSOR, After("root/A starting", &["root/A timeline play 1"])),
    (CURSOR_FIRST, Instead("root/T timeline load 1", "root/T timeline load 5")),
    (CURSOR_GONE, Instead("root/T timeline unload -1", "root/T timeline unload 20")),
    (CURSOR_WITHIN, Instead("root/T timeline frame 10", "root/T timeline frame 21")),
    (CURSOR_WITHIN, Instead("root/T timeline frame 10", "root/T timeline frame 0")),
    (GROUP_WHOLE, Not(&["root/A resource Speech taken"])),
    (GROUP_WHOLE, Not(&["root/A resource Legs released"])),
    (GROUP_ONLY, After("root/A resource Speech taken", &["root/A resource Leds taken"])),
    (TAKEN_FREE, After("root/A resource Speech taken", &["root/C resource Body taken"])),
    (TAKEN_LOADED, After("root/C unloaded", &["root/C resource Body taken"])),
    (TAKEN_ONCE, After("root/A resource Speech taken", &["root/A resource Legs taken"])),
    (RELEASED_HELD, After("root/A starting", &["root/A resource Legs released"])),
    (HAS_END, Sum(|_| None)),
    (COUNTS_EVENTS, Sum(|footer| Some(Footer { events: footer.events + 1, ..footer }))),
    (COUNTS_ERRORS, Sum(|footer| Some(Footer { errors: 1, ..footer }))),
    (COUNTS_UNSUPPORTED, Sum(|footer| Some(Footer { unsupported: 1, ..footer }))),
    (COUNTS_WARNINGS, Sum(|footer| Some(Footer { warnings: 1, ..footer }))),
    (COUNTS_DROPPED, Sum(|footer| Some(Footer { dropped: 1, ..footer }))),
    // Three that are told of and not counted.
    (COUNTS_DROPPED, After("root/A started", &["root warning signals go round: 3 are dropped"])),
    (BEHAVIORS_END, Not(&["root behavior unloaded"])),
    (BOXES_END, After("root behavior unloaded", &["root/A constructed"])),
];

#[test]
fn every_law_can_be_broken_and_the_law_book_names_it() {
    for (law, edit) in BROKEN {
        match verdict(edit, 1_000_000) {
            Err(broken) => assert_eq!(broken.law, *law, "{}", broken.how),
            Ok(()) => panic!("nothing is said of: {law}"),
        }
    }
    for law in ALL {
        assert!(BROKEN.iter().any(|(broken, _)| broken == law), "nobody breaks: {law}");
    }
}

#[test]
fn a_run_in_order_breaks_no_law() {
    assert!(verdict(&Not(&[]), 1_000_000).is_ok(), "{:?}", verdict(&Not(&[]), 1_000_000));
    // What is dropped and told of is counted.
    assert!(verdict(&After("root/A started", &["root/A dropped onStart"]), 1_000_000).is_ok());
}

#[test]
fn only_where_signals_may_have_gone_round_more_may_be_dropped_than_is_told() {
    let more = Sum(|footer| Some(Footer { dropped: footer.dropped + 5, ..footer }));
    assert_eq!(verdict(&more, 1_000_000).unwrap_err().law, COUNTS_DROPPED);
    // So many events at one time may be a circle.
    assert!(verdict(&more, 100).is_ok());
    // Never fewer.
    let fewer = After("root/A started", &["root warning signals go round: 3 are dropped"]);
    assert_eq!(verdict(&fewer, 100).unwrap_err().law, COUNTS_DROPPED);
}
