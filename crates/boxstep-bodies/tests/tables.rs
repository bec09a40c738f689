//! The resource tree is a tree; services and methods are named once.

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
    assert_eq!(overloads("ALMood", "getPersonData"), ["(m)m"]);
    assert_eq!(overloads("ALAudioPlayer", "playInLoop"), ["(m)m", "(mm)m", "(mmm)m"]);
    assert_eq!(overloads("ALTextToSpeech", "addToDictionary"), ["(ss)b", "(sssss)b", "(m)b", "(mmm)b", "(mmmm)b"]);
    assert_eq!(overloads("DanceTemplate", "init_template"), ["mm"]);
}

#[test]
fn what_only_a_nao_6_says_is_told_from_what_2_5_says() {
    let source = |service: &str, method: &str| boxstep_bodies::service(service).unwrap().method(method).unwrap().source;
    assert_eq!(source("ALMotion", "stopMove"), Source::Robot);
    assert_eq!(source("ALBasicAwareness", "engagePerson"), Source::Nao6);
    assert_eq!(source("ALBasicAwareness", "setEngagementMode"), Source::Described);
    assert_eq!(service("ALMood").unwrap().property("valenceLevel").unwrap().types, "(ff)");
    assert!(service("ALMotion").unwrap().properties.is_empty());
    // A property has a value.
    let none = services().flat_map(|service| service.properties).find(|property| property.types.contains(['v', ' ']));
    assert_eq!(none, None);
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
- *2.8*: a NAO 6, which has NAOqi 2.8, says so (the same repository); the listing of 2.5 does not have the method.
- *described*: public descriptions of NAOqi 2 say so. Methods without any of these have `m` for every argument and answer.
- *simulated*: the [simulated robot](simulation.md) does it, and the served one offers it. Others are known by name alone.

Numbers of methods differ between robots and versions: clients take them from the service. On the served robot those that every
service has are 100 to 112 as on a robot, and the others follow in the order of this page.

## Properties

No service of a NAO with NAOqi 2.5 says that it has a property, so those of the simulated robot have none: `properties()` answers an empty list, and `property` and
`setProperty` fail, with the name that was asked for. A NAO 6 has a few, which are listed with their services below and not simulated; those of `_UserSessionManager`,
`_UserIdentification` and `_ExitInteractive` are its own business and left out. What a Pepper has beyond that (`ALTabletService`, `ALRecharge` and others are in
neither listing) is not known. On a real robot scripts and `boxstep qi` reach whatever is there.

## NAOqi 2.8

The table is NAOqi 2.5's. Of the methods that it has from a robot, a NAO 6 says otherwise of these; Boxstep asks a robot for its types, so nothing has to be set:

| service | with NAOqi 2.8 |
|---|---|
| every service | `wait` `(i)v` as well, so the numbers of `isRunning` and of all that follow it are one higher |
| `ALMotion` | `wakeUp`, `moveTo`, `walkTo`, `stopMove`, `stopWalk`, `wbGoToBalance` answer `b`; `setAngles` also `(mm[f])v`; `rest` takes no argument; no `updateTrackerTarget` |
| `ALNavigation` | `navigateTo` `(ff)b` `(fff)b` alone; no `moveTo`, `setSecurityDistance`, `getSecurityDistance` |
| `ALAutonomousLife` | `switchFocus` also `(sim)v` |
| `ALTextToSpeech` | `synchroTTS` is `(L)`; no `sayToFileAndPlay`, `enableNotifications`, `disableNotifications` |
| `ALDialog` | `generateSentences` also `(sssi)v`; no `deleteSerializationFiles`, `wordRecognized` |
| `ALMood` | `subscribe` `(ss)b`, `unsubscribe` `(s)b`, and nothing else of a sensing service |
| `ALBehaviorManager` | no `installBehavior`, `removeBehavior` |
| `ALServiceManager` | `services` answers `[(bssbs)]` |
| `ALBattery` | no `enablePowerMonitoring` |
| `PackageManager` | `install` also `(o)b` |
| `LogManager` | `log` `([(sisssILL)])v` |
| `ALRedBallTracker` | is not there |

It has services that this table lacks: `AccessControl`, `Actuation`, `ActuationPrivate`, `ALColorBlobDetection`, `ALDebug`, `ALFileManager`, `ALFsr`, `ALKnowledge`, `ALLauncher`,
`ALLocalization`, `ALModularity`, `ALMotionRecorder`, `ALPanoramaCompass`, `ALPreferences`, `ALSegmentation3D`, `ALThinkingExpression`, `ALVisualCompass`, `ALVisualSpaceHistory`,
`AutonomousAbilities`, `ContextFactory`, `Conversation`, `Focus`, `Knowledge`, `LifeStarter`, `Mapping`, `SharedTopics`, `Touch`. No script of the 513 public behaviors that Boxstep is
tried with asks for one of them.
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    let rows = |methods: &[boxstep_bodies::Method]| {
        let mut rows = String::from("\n| method | types | from | simulated | |\n|---|---|---|---|---|\n");
        for method in methods {
            let types = method.overloads().into_iter().map(|o| format!("`{}{}`", o.parameters, o.returns));
            let source = match method.source {
                Source::Robot => "robot",
                Source::Nao6 => "2.8",
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
        if !service.properties.is_empty() {
            let properties = service.properties.iter().map(|p| format!("`{}` `{}`", p.name, p.types));
            page.push_str(&format!("\nProperties of NAOqi 2.8: {}.\n", properties.collect::<Vec<_>>().join(", ")));
        }
    }
    page
}
