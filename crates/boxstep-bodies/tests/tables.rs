//! The resource tree is a tree; services and methods are named once.

#![allow(clippy::unwrap_used)]

use boxstep_bodies::{
    ANY, BodyKind, COMMON_METHODS, EXTRACTOR_METHODS, JointKind, ResourceKind, Source, resource, resources, service,
    services,
};
use std::collections::HashSet;

#[test]
fn the_resource_tree_has_no_cycle() {
    let mut seen = HashSet::new();
    for entry in resources() {
        // Parents come first, so no way leads back.
        assert!(entry.parent.is_none_or(|parent| seen.contains(parent)), "{}", entry.name);
        assert!(seen.insert(entry.name), "{} twice", entry.name);
    }
}

#[test]
fn every_joint_is_one_of_all_motors() {
    for body in BodyKind::ALL.map(BodyKind::body) {
        for joint in body.joints.iter().filter(|joint| joint.kind != JointKind::Wheel) {
            let mut at = resource(joint.name).unwrap();
            while let Some(parent) = at.parent {
                at = resource(parent).unwrap();
            }
            assert_eq!(at.name, "All motors", "{}", joint.name);
        }
    }
}

#[test]
fn states_stand_alone() {
    let states: Vec<_> = resources().iter().filter(|entry| entry.kind == ResourceKind::State).collect();
    assert!(states.iter().any(|entry| entry.name == "Standing"));
    assert!(states.iter().all(|entry| entry.parent.is_none()));
    assert_eq!(resource("Audio player").unwrap().parent, Some("Speakers"));
    assert_eq!(resource("Moon"), None);
}

#[test]
fn services_and_methods_are_named_once() {
    let mut seen = HashSet::new();
    for service in services() {
        assert!(seen.insert(service.name), "{} twice", service.name);
        let mut methods = HashSet::new();
        for method in service.methods {
            assert!(methods.insert(method.name), "{}.{} twice", service.name, method.name);
            assert!(method.min_args <= method.max_args, "{}.{}", service.name, method.name);
            assert!(!method.doc.is_empty() && !service.doc.is_empty());
        }
    }
    let mut common = HashSet::new();
    assert!(COMMON_METHODS.iter().all(|method| common.insert(method.name)));
}

#[test]
fn methods_are_found_and_count_arguments() {
    let motion = service("ALMotion").unwrap();
    let bezier = motion.method("angleInterpolationBezier").unwrap();
    assert!(bezier.takes(3) && !bezier.takes(2) && !bezier.takes(4) && bezier.simulated);
    assert!(motion.method("wait").is_some(), "every service has the common methods");
    assert!(motion.method("subscribe").is_none());
    assert!(service("ALFaceDetection").unwrap().method("subscribe").is_some());
    let any = service("ALMemory").unwrap().method("pCall").unwrap();
    assert!(any.max_args == ANY && any.takes(400) && !any.takes(0));
    // ALDialog takes one argument where sensing services take up to three.
    assert_eq!(service("ALDialog").unwrap().method("subscribe").unwrap().max_args, 1);
    assert!(service("ALNobody").is_none());
    assert_eq!(service("ALTabletService").unwrap().signal("onTouchDown").unwrap().types, "(ff)");
    assert!(!service("ALVolumeSlider").unwrap().simulated());
}

#[test]
fn overloads_cover_every_number_of_arguments() {
    let overloads = |service: &str, method: &str| {
        let method = boxstep_bodies::service(service).unwrap().method(method).unwrap();
        method.overloads().into_iter().map(|o| format!("{}{}", o.parameters, o.returns)).collect::<Vec<_>>()
    };
    assert_eq!(overloads("ALTextToSpeech", "say"), ["(s)v", "(ss)v"]);
    assert_eq!(overloads("ALMotion", "getAngles"), ["(mb)[f]"]);
    // A tuple among the arguments is one of them.
    assert_eq!(overloads("LogManager", "log"), ["((si(ll)sss))v"]);
    // Numbers of arguments that nobody has described take anything.
    assert_eq!(overloads("ALMemory", "getData"), ["(s)m", "(si)m"]);
    assert_eq!(overloads("ALMood", "currentPersonState"), ["()m"]);
    assert_eq!(overloads("ALTextToSpeech", "addToDictionary"), ["(m)m", "(mm)m", "(mmm)m"]);
    assert_eq!(overloads("DanceTemplate", "init_template"), ["mm"]);
}

/// `docs/services.md` is this table: `BOXSTEP_BLESS=1` writes it anew.
#[test]
fn the_page_of_services_is_the_table() {
    let page = page();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/services.md");
    if std::env::var_os("BOXSTEP_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(found == page, "docs/services.md is not the table: write it anew with BOXSTEP_BLESS=1");
}

const HEAD: &str = "# Services and their signatures

What a NAOqi robot offers, as far as behaviors call it, and with which types: the table in
`crates/boxstep-bodies/src/services`, from which `boxstep robot` also makes what it tells qi clients. This page is made from it
(`BOXSTEP_BLESS=1 cargo test -p boxstep-bodies`).

Types are those of the qi protocol: `s` text, `b` boolean, `i` `I` whole numbers of 32 bits, `f` `d` numbers of 32 and 64 bits, `m`
anything, `o` an object, `[t]` a list, `{kv}` a map, `(…)` a tuple, `v` nothing, `X` what cannot travel.

- *robot*: a robot with NAOqi 2.5 says so of itself (the listing in the public repository lugu/qiloop).
- *described*: public descriptions of NAOqi 2 say so. Methods without either have `m` for every argument and answer.
- *simulated*: the [simulated robot](simulation.md) does it, and the served one offers it. Others are known by name alone.

Numbers of methods differ between robots and versions: clients take them from the service. On the served robot those that every
service has are 100 to 112 as on a robot, and the others follow in the order of this page.
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    let rows = |methods: &[boxstep_bodies::Method]| {
        let mut rows = String::from("\n| method | types | from | simulated | |\n|---|---|---|---|---|\n");
        for method in methods {
            let types = method.overloads().into_iter().map(|o| format!("`{}{}`", o.parameters, o.returns));
            let source = match method.source {
                Source::Robot => "robot",
                Source::Described => "described",
                Source::Unknown => "",
            };
            let simulated = if method.simulated { "yes" } else { "" };
            let types = types.collect::<Vec<_>>().join(" ");
            rows.push_str(&format!("| `{}` | {types} | {source} | {simulated} | {} |\n", method.name, method.doc));
        }
        rows
    };
    page.push_str("\n## Every service\n");
    page.push_str(&rows(COMMON_METHODS));
    page.push_str("\n## Every sensing service\n");
    page.push_str(&rows(EXTRACTOR_METHODS));
    for service in services() {
        let sensing = if service.extractor { " (a sensing service)" } else { "" };
        page.push_str(&format!("\n## {}\n\n{}{sensing}.\n", service.name, service.doc));
        if !service.methods.is_empty() {
            page.push_str(&rows(service.methods));
        }
        if !service.signals.is_empty() {
            let signals = service.signals.iter().map(|s| format!("`{}` `{}`", s.name, s.types));
            page.push_str(&format!("\nSignals: {}.\n", signals.collect::<Vec<_>>().join(", ")));
        }
    }
    page
}
