//! Random graphs of behaviors on an engine, where somebody outside takes and gives back the resources that they lock.

use super::cases::{TICKS, built, cases};
use boxstep_types::{Time, Value};
use proptest::prelude::*;

/// Who owns what by the engine's word: a behavior's name, or that of somebody outside, and the resource.
fn owners(engine: &mut boxstep_engine::Engine) -> Vec<(String, String)> {
    let answer = super::claims::manages(engine, "ownersGet", Vec::new()).lock().unwrap().take().unwrap().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut all = Vec::new();
    for pair in answer.as_list().unwrap() {
        let pair = pair.as_list().unwrap();
        for owner in pair[1].as_list().unwrap() {
            all.push((text(owner).rsplit('/').next().unwrap().to_owned(), text(&pair[0])));
        }
    }
    all
}

proptest! {
    #[test]
    fn i7_what_behaviors_hold_the_engine_holds_for_them_and_for_nobody_else(
        case in cases(),
        outside in proptest::collection::vec((0u8..6, 0u8..2), 2 * TICKS..3 * TICKS),
    ) {
        let (runner, _, roots) = built(&case);
        let mut engine = boxstep_engine::Engine::without_robot(boxstep_engine::config::Config::default());
        engine.keep_open(true);
        let id = engine.add_runner(runner, Time::from_millis(100)).unwrap();
        for (tick, (act, lock)) in outside.iter().enumerate() {
            let name = Value::from(format!("resource {lock}"));
            let acquires = |seconds: i64| ("acquireResource", vec![name.clone(), "Out".into(), "".into(), seconds.into()]);
            let (method, args) = match act {
                0 => acquires(0),
                1 => acquires(60),
                2 | 3 => ("releaseResource", vec![name.clone(), "Out".into()]),
                _ => ("getResources", Vec::new()),
            };
            super::claims::manages(&mut engine, method, args);
            if tick == case.stop_at {
                engine.stop_runner(id);
            }
            engine.run_until(Time::from_millis(100 * tick as i64 + 50)).unwrap();
            let owners = owners(&mut engine);
            let runner = engine.runner(id).unwrap();
            for of in runner.behaviors() {
                let (name, holds) = (runner.name(of), runner.view(of).holds);
                let owns: Vec<&String> = owners.iter().filter(|(owner, _)| owner == name).map(|(_, what)| what).collect();
                // A root is not asked, and may run without what somebody outside has.
                let lacks = roots.contains(&of.index()) && owners.iter().any(|(owner, _)| owner == "Out");
                prop_assert!(owns.len() == holds || lacks && owns.len() < holds, "{} holds {}: {:?}", name, holds, owners);
            }
            for (owner, what) in owners.iter().filter(|(owner, _)| owner == "Out") {
                let shared = owners.iter().any(|(other, same)| other != owner && same == what);
                prop_assert!(!shared, "{} is shared: {:?}", what, owners);
            }
        }
        engine.stop_runner(id);
        engine.run_until(Time::from_millis(100_000)).unwrap();
        let left = owners(&mut engine).into_iter().find(|(owner, _)| owner != "Out");
        prop_assert!(left.is_none(), "{:?} is left", left);
    }
}
