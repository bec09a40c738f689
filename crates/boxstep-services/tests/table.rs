//! The table of services: unique names, selected rows, and the generated page.

use boxstep_services::{
    Base, CAMERA_METHODS, COMMON_METHODS, EXTRACTOR_METHODS, Method, Source, Support, object_kinds, object_of, service,
    services,
};
use std::collections::HashSet;

#[test]
fn services_and_methods_are_named_once() {
    let mut seen = HashSet::new();
    for service in services() {
        assert!(seen.insert(service.name), "{} twice", service.name);
        let mut methods = HashSet::new();
        for method in service.methods {
            assert!(methods.insert(method.name), "{}.{} twice", service.name, method.name);
            assert!(!method.doc.is_empty() && !service.doc.is_empty());
        }
    }
    for base in [COMMON_METHODS, EXTRACTOR_METHODS, CAMERA_METHODS] {
        let mut names = HashSet::new();
        assert!(base.iter().all(|method| names.insert(method.name)));
    }
}

/// A method of the table answers each kind of object, and every method that answers one says what it offers.
#[test]
fn objects_are_those_that_methods_answer() {
    let answered = |service: &'static boxstep_services::Service| {
        service.methods.iter().filter_map(|method| object_of(service.name, method.name))
    };
    let answered: Vec<&str> = services().flat_map(answered).map(|object| object.name).collect();
    assert_eq!(answered, ["ExpressionObject", "LogListener", "LogListener"]);
    for kind in object_kinds() {
        assert!(answered.contains(&kind.name) && kind.method("ping").is_none(), "{}", kind.name);
    }
}

#[test]
fn methods_are_found_and_count_arguments() {
    let motion = service("ALMotion").unwrap();
    let bezier = motion.method("angleInterpolationBezier").unwrap();
    assert!(bezier.takes(3) && !bezier.takes(2) && !bezier.takes(4));
    assert_eq!(bezier.support(), Support::Simulated);
    assert!(motion.method("wait").is_some(), "every service has the common methods");
    assert!(motion.method("subscribe").is_none());
    assert!(service("ALFaceDetection").unwrap().method("subscribe").is_some());
    assert!(service("ALFaceDetection").unwrap().method("setResolution").is_some(), "it looks through a camera");
    assert!(service("ALSonar").unwrap().method("setResolution").is_none());
    let any = service("ALMemory").unwrap().method("pCall").unwrap();
    assert_eq!(any.counts(), (1, None));
    assert!(any.takes(400) && !any.takes(0));
    // ALDialog takes one argument where sensing services take up to three.
    assert_eq!(service("ALDialog").unwrap().method("subscribe").unwrap().counts(), (1, Some(1)));
    assert!(service("ALNobody").is_none());
    assert_eq!(service("ALTabletService").unwrap().signal("onTouchDown").unwrap().types, "(ff)");
    assert!(!service("DanceTemplate").unwrap().is_simulated());
}

#[test]
fn overloads_cover_every_number_of_arguments() {
    let overloads = |of: &str, method: &str| {
        let method = service(of).unwrap().method(method).unwrap();
        method.overloads().map(|o| format!("{}{}", o.parameters, o.returns)).collect::<Vec<_>>()
    };
    assert_eq!(overloads("ALTextToSpeech", "say"), ["(s)v", "(ss)v"]);
    assert_eq!(overloads("ALMotion", "getAngles"), ["(mb)[f]"]);
    // A tuple among the arguments is one of them.
    assert_eq!(overloads("LogManager", "log"), ["((si(ll)sss))v"]);
    // Without a description, any argument may be any value.
    assert_eq!(overloads("ALMemory", "getData"), ["(s)m", "(si)m"]);
    assert_eq!(overloads("ALMood", "getPersonData"), ["(m)m"]);
    assert_eq!(overloads("ALAudioPlayer", "playInLoop"), ["(m)m", "(mm)m", "(mmm)m"]);
    assert_eq!(overloads("ALTextToSpeech", "addToDictionary"), ["(ss)b", "(sssss)b", "(m)b", "(mmm)b", "(mmmm)b"]);
    assert_eq!(overloads("DanceTemplate", "init_template"), ["mm"]);
}

#[test]
fn sources_distinguish_nao_6_from_naoqi_2_5() {
    let source = |of: &str, method: &str| service(of).unwrap().method(method).unwrap().source;
    assert_eq!(source("ALMotion", "stopMove"), Source::Robot);
    assert_eq!(source("ALBasicAwareness", "engagePerson"), Source::Nao6);
    assert_eq!(source("ALBasicAwareness", "setEngagementMode"), Source::Described);
    assert_eq!(service("ALMood").unwrap().property("valenceLevel").unwrap().types, "(ff)");
    assert!(service("ALMotion").unwrap().properties.is_empty());
    // A property has a value.
    let none = services().flat_map(|service| service.properties).find(|property| property.types.contains(['v', ' ']));
    assert_eq!(none, None);
}

/// `docs/reference/services.md` is generated from this table: `BOXSTEP_BLESS=1` writes it.
#[test]
fn the_page_of_services_is_the_table() {
    let page = page();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/services.md");
    if std::env::var_os("BOXSTEP_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(found == page, "docs/reference/services.md is not the table: write it anew with BOXSTEP_BLESS=1");
}

const HEAD: &str = "# Services and their signatures

The services of a NAOqi robot that behaviors call, the types of their methods, and what the [simulated robot](simulation.md) does when one is called.
`boxstep check` warns by the same table, and [`boxstep robot`](../guides/served.md) serves it. To find a method, search this page for its name.

**Types** are those of the qi protocol:

| type | | type | |
|---|---|---|---|
| `s` | text | `[t]` | a list |
| `b` | boolean | `{kv}` | a map |
| `i` `I` | whole number of 32 bits, `I` without sign | `(…)` | a tuple, or the arguments |
| `l` `L` | whole number of 64 bits, `L` without sign | `o` | an object |
| `f` `d` | number of 32 and of 64 bits | `v` | nothing |
| `m` | anything | `X` | a value that cannot be sent |

**From**, the source of the types:

| word | they were |
|---|---|
| robot | reported by a robot with NAOqi 2.5 (the listing in the public repository lugu/qiloop) |
| 2.8 | reported by a NAO 6 with NAOqi 2.8 (the same repository), and not by 2.5 |
| described | found in public descriptions of NAOqi 2 |
| (empty) | not known: `m` for every argument and answer |

**Simulation**:

| word | the simulated robot |
|---|---|
| simulated | has the effect of the call, as far as a behavior or a person can tell |
| accepted | takes the arguments and gives a suitable answer, without any effect; qi clients can call these, too |
| (empty) | refuses the call, although robots are known to have the method |

The numbers of methods differ between robots and versions, so clients read them from the service. On the served robot the methods that every
service has are 102 to 111, as on a robot, and the others follow from 113 on in the order of this page.

## Properties

A NAO with NAOqi 2.5 reports no property. The simulated robot keeps those of a NAO 6, which are listed with their services below, without those of internal services:
scripts read and set them with `property` and `setProperty`, and an unknown name fails. As a qi object, a service of the served robot has none, like one of NAOqi 2.5. Those of
a Pepper (`ALTabletService`, `ALRecharge` …) are not known. On a real robot, scripts and `boxstep qi` can use all that it has.

## NAOqi 2.8

The table describes NAOqi 2.5. For these of its methods, a NAO 6 reports other types; Boxstep reads the types from the robot, so you configure nothing:

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

It has services that this table lacks: `AccessControl`, `Actuation`, `ActuationPrivate`, `ALDebug`, `ALModularity`, `ALPanoramaCompass`,
`AutonomousAbilities`, `ContextFactory`, `Conversation`, `Focus`, `Knowledge`, `LifeStarter`, `Mapping`, `SharedTopics`, `Touch`. None of 513 public behaviors uses one of them.
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    page.push_str("\n## Every service\n");
    page.push_str(&rows(COMMON_METHODS));
    page.push_str("\n## Every sensing service\n");
    page.push_str(&rows(EXTRACTOR_METHODS));
    page.push_str("\n## Every sensing service that looks through a camera\n");
    page.push_str(&rows(CAMERA_METHODS));
    for service in services().chain(object_kinds()) {
        let base = match service.base {
            Base::Module => "",
            Base::Extractor => " (a sensing service)",
            Base::Camera => " (a sensing service that looks through a camera)",
            Base::Object => " (an object that a service answers)",
        };
        page.push_str(&format!("\n## {}\n\n{}{base}.\n", service.name, service.doc));
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

fn rows(methods: &[Method]) -> String {
    let mut rows = String::from("\n| method | types | from | simulation | |\n|---|---|---|---|---|\n");
    for method in methods {
        let types = method.overloads().map(|o| format!("`{}{}`", o.parameters, o.returns));
        let source = match method.source {
            Source::Robot => "robot",
            Source::Nao6 => "2.8",
            Source::Described => "described",
            Source::Unknown => "",
        };
        let support = match method.support() {
            Support::Simulated => "simulated",
            Support::Accepted => "accepted",
            Support::Known => "",
        };
        let types = types.collect::<Vec<_>>().join(" ");
        rows.push_str(&format!("| `{}` | {types} | {source} | {support} | {} |\n", method.name, method.doc));
    }
    rows
}

/// A row of a service precedes one of its base, so it determines what the simulated robot does.
#[test]
fn no_row_hides_one_that_is_simulated() {
    let simulated = |method: &Method| method.is_of_robot() || method.is_of_engine();
    for service in services().filter(|service| service.is_simulated()) {
        for own in service.methods.iter().filter(|method| !simulated(method)) {
            let hidden = service.all_methods().find(|base| base.name == own.name && simulated(base));
            assert!(hidden.is_none(), "{}.{} hides the one of its base", service.name, own.name);
        }
    }
}
