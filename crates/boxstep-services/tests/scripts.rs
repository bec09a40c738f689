//! What scripts find: the table has what the runtime gives them, and editors are offered all of it.

use boxstep_services::scripts::{KINDS, Names, WITH_KEY, help, members_of};
use boxstep_services::{service, services};
use serde_json::Value;
use std::collections::HashSet;

/// Returns the lines of a class of the runtime.
fn class(file: &str, name: &str) -> Vec<String> {
    let runtime = concat!(env!("CARGO_MANIFEST_DIR"), "/../boxstep-script/python/boxstep_runtime");
    let text = std::fs::read_to_string(format!("{runtime}/{file}.py")).unwrap();
    let from = text.lines().skip_while(|line| !line.starts_with(&format!("class {name}("))).skip(1);
    // A loop over names after the class is a part of it.
    let until =
        from.take_while(|line| !line.starts_with("class ") && !line.starts_with("def ") && !line.starts_with('@'));
    until.map(str::to_owned).collect()
}

/// Returns the public methods of a class.
fn methods(file: &str, name: &str) -> Vec<String> {
    let lines = class(file, name);
    let defined = lines.iter().filter_map(|line| line.strip_prefix("    def ")?.split('(').next());
    // Other names of a method, written as `    addParam = addParameter`.
    let same = lines.iter().filter_map(|line| line.strip_prefix("    ")?.split_once(" = "));
    let word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '.');
    let same = same.filter(|(name, what)| word(name) && word(what)).map(|(name, _)| name);
    let all = defined.chain(same).filter(|name| !name.starts_with('_'));
    all.map(str::to_owned).collect()
}

/// Returns the methods of a kind of the table.
fn listed(kind: &str) -> Vec<String> {
    let methods = members_of(kind).iter().filter(|member| member.arguments.is_some());
    methods.map(|member| member.name.to_owned()).collect()
}

fn sorted(mut all: Vec<String>) -> Vec<String> {
    all.sort_unstable();
    all
}

#[test]
fn a_box_has_the_methods_of_the_runtime() {
    let mut given = methods("box", "BoxBase");
    given.extend(methods("legacy", "Legacy"));
    let runtime = concat!(env!("CARGO_MANIFEST_DIR"), "/../boxstep-script/python/boxstep_runtime/box.py");
    let text = std::fs::read_to_string(runtime).unwrap();
    // Methods that do nothing are defined in a loop over their names.
    let idle = text.split("for _name in (").nth(1).unwrap().split(')').next().unwrap();
    given.extend(idle.split('"').skip(1).step_by(2).map(str::to_owned));
    assert_eq!(listed("Box"), sorted(given), "in alphabetic order");
}

#[test]
fn other_kinds_have_the_methods_of_the_runtime() {
    let classes = [
        ("Timeline", "timeline", "Timeline"),
        ("StateMachine", "legacy", "StateMachine"),
        ("State", "legacy", "State"),
        ("Session", "session", "Session"),
        ("Signal", "signals", "MemorySignal"),
        ("Future", "futures", "Future"),
        ("PeriodicTask", "periodic", "PeriodicTask"),
    ];
    for (kind, file, name) in classes {
        assert_eq!(sorted(listed(kind)), sorted(methods(file, name)), "{kind}");
    }
    // These have more, which scripts do not need.
    for (kind, file, name) in [("Promise", "futures", "Promise"), ("Property", "proxies", "Member")] {
        let given = methods(file, name);
        assert!(listed(kind).iter().all(|member| given.contains(member)), "{kind}: {given:?}");
    }
    let runtime = concat!(env!("CARGO_MANIFEST_DIR"), "/../boxstep-script/python/boxstep_runtime/qi_module.py");
    let module = std::fs::read_to_string(runtime).unwrap();
    for name in listed("qi") {
        let known = [format!("\"{name}\""), format!("class {name}("), format!("def {name}(")];
        assert!(known.iter().any(|known| module.contains(known)), "qi.{name}");
    }
}

#[test]
fn members_are_named_once_and_give_what_there_is() {
    let mut kinds = HashSet::new();
    for kind in KINDS {
        assert!(kinds.insert(kind.name) && service(kind.name).is_none(), "{} twice", kind.name);
        let mut names = HashSet::new();
        for member in kind.members {
            assert!(names.insert(member.name) && !member.doc.is_empty(), "{}.{}", kind.name, member.name);
            if let Some(gives) = member.gives {
                assert!(!members_of(gives).is_empty() || service(gives).is_some(), "{}: {gives}", member.name);
            }
            if let Some(arguments) = member.arguments {
                assert!(arguments.starts_with('(') && arguments.ends_with(')'));
            }
            assert!(member.names.is_none_or(|_| member.arguments.is_some_and(|a| a != "()")), "{}", member.name);
        }
    }
    assert_eq!(members_of("Nothing").len(), 0);
    let memory = service("ALMemory").unwrap();
    for name in WITH_KEY {
        assert!(
            memory.method(name).is_some_and(|m| m
                .overloads()
                .any(|o| o.parameters.starts_with("(s") || o.parameters.starts_with("(m"))),
            "{name}"
        );
    }
}

/// Returns a member of what editors are offered.
fn member<'a>(help: &'a Value, kind: &str, name: &str) -> &'a Value {
    let members = help["kinds"][kind]["members"].as_array().unwrap();
    members.iter().find(|member| member["name"] == name).unwrap()
}

#[test]
fn editors_are_offered_each_method_of_each_service_and_no_other() {
    let help: Value = serde_json::from_str(&help()).unwrap();
    for of in services() {
        let kind = &help["kinds"][of.name];
        assert_eq!((&kind["doc"], &kind["service"]), (&of.doc.into(), &true.into()));
        let mut offered = HashSet::new();
        let like = kind["like"].as_array().unwrap().iter().map(|like| &help["kinds"][like.as_str().unwrap()]);
        for member in std::iter::once(kind).chain(like).flat_map(|kind| kind["members"].as_array().unwrap()) {
            let name = member["name"].as_str().unwrap();
            let known = of.method(name).is_some() || of.signal(name).is_some() || of.property(name).is_some();
            assert!(known || members_of("Proxy").iter().any(|m| m.name == name), "{}.{name}", of.name);
            offered.insert(name);
        }
        assert!(of.all_methods().all(|method| offered.contains(method.name)), "{}", of.name);
    }
    for kind in help["kinds"].as_object().unwrap().values() {
        for member in kind["members"].as_array().unwrap() {
            if let Some(gives) = member["gives"].as_str() {
                assert!(help["kinds"][gives].is_object(), "{member}");
            }
        }
    }
}

#[test]
fn editors_are_told_what_a_method_does() {
    let help: Value = serde_json::from_str(&help()).unwrap();
    let say = member(&help, "ALTextToSpeech", "say");
    assert_eq!(say["forms"], serde_json::json!(["(str)", "(str, str)"]));
    assert_eq!((&say["support"], &say["source"]), (&"simulated".into(), &"NAOqi 2.5".into()));
    assert_eq!(member(&help, "ALMemory", "getDataPtr")["support"], "known");
    let subscriber = member(&help, "ALMemory", "subscriber");
    assert_eq!((&subscriber["gives"], &subscriber["names"]), (&"Subscriber".into(), &"key".into()));
    assert_eq!(member(&help, "Box", "getParameter")["names"], serde_json::json!(Names::Parameter));
    assert_eq!(member(&help, "ALTabletService", "onTouchDown")["gives"], "Signal");
    assert!(help["keys"].as_array().unwrap().contains(&"FrontTactilTouched".into()));
}
