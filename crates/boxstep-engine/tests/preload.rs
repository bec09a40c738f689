//! Behaviors that are loaded before they are started.

use crate::support::*;
use boxstep_engine::config::Config;
use boxstep_engine::trace::EndReason;
use boxstep_types::Value;

fn start(name: &'static str, actions: Vec<Do>) -> ((&'static str, &'static str), Vec<Do>) {
    ((name, "onInput_onStart"), actions)
}

fn end() -> Do {
    Out("onStopped", Value::Null)
}

fn manage(method: &'static str) -> Do {
    Call("ALBehaviorManager", method, vec!["other".into()])
}

#[test]
fn a_preloaded_behavior_is_loaded_at_once_and_starts_when_it_is_told() {
    let other = root(&(boxed("O", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    for (method, over) in [("startBehavior", "2.000"), ("runBehavior", "3.000")] {
        let told = vec![
            manage("preloadBehavior"),
            Log("loaded"),
            Sleep(1.0),
            // It has nothing more to load.
            manage("preloadBehavior"),
            manage(method),
            Log("told"),
            end(),
        ];
        let scripts = Scripts::from([
            start("A", told),
            (("O", "onLoad"), vec![Log("loads"), Sleep(1.0)]),
            start("O", vec![Log("starts"), Sleep(1.0), end()]),
        ]);
        let run = Run::among(&xml, &[("other", &other)], scripts, Robot::default(), Config::default());
        let (lines, footer) = run.finish();
        assert_eq!(footer.reason, EndReason::Ended, "{lines:#?}");
        let mut said = only(&lines, &["log"]);
        let told = format!("{over} root/A log told");
        assert!(said.contains(&told), "{lines:#?}");
        said.retain(|line| *line != told);
        let expected = ["0.000 other/root/O log loads", "1.000 root/A log loaded", "2.000 other/root/O log starts"];
        assert_eq!(said, expected, "{lines:#?}");
    }
}
