//! The queries of the preflight, the verdicts on the answers, and the restoration of the robot's state.

use crate::support::Robot;
use boxstep_bodies::BodyKind;
use boxstep_qi::{Error, Value};
use boxstep_robot::naoqi::preflight::{
    Changes, Life, NeededCall, Patience, Permissions, Prepared, Report, Requirements, RestoreOutcome, Step, Topic,
    Verdict, inspect, prepare,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// So long that a busy machine does not matter where an answer comes.
const PATIENT: Patience = Patience {
    asking: Duration::from_secs(30),
    changing: Duration::from_secs(30),
    coming_back: Duration::from_secs(30),
};
/// So short that a test is quick where no answer comes.
const HASTY: Patience =
    Patience { asking: Duration::from_millis(1500), changing: Duration::from_millis(500), ..PATIENT };

/// The requirements of a behavior for a NAO that turns its head and speaks.
fn needs() -> Requirements {
    let call = |service: &str, method: Option<&str>| NeededCall {
        service: service.to_owned(),
        method: method.map(str::to_owned),
        guarded: false,
        place: "root/Say, line 4".to_owned(),
    };
    Requirements {
        body: Some(BodyKind::Nao),
        joints: vec!["HeadYaw".to_owned()],
        calls: vec![
            call("ALTextToSpeech", None),
            call("ALTextToSpeech", Some("say")),
            call("ALFrameManager", Some("exitBehavior")),
        ],
        ..Requirements::default()
    }
}

fn looked(robot: &Robot, needs: &Requirements, leave: Permissions) -> Report {
    inspect(&robot.reach(), needs, &leave, &PATIENT)
}

#[track_caller]
fn fact(report: &Report, topic: Topic, verdict: Verdict, words: &str) {
    let fact = report.fact(topic).unwrap();
    assert_eq!(fact.verdict, verdict, "{fact}");
    assert!(fact.to_string().contains(words), "{fact}");
}

fn texts(list: &[&str]) -> Value {
    Value::list(list.iter().map(|text| Value::from(*text)))
}

fn ready(robot: &Robot, leave: Permissions) -> (Report, Changes, Vec<String>) {
    let mut told = Vec::new();
    let prepared = prepare(
        &robot.reach(),
        &needs(),
        &leave,
        &PATIENT,
        &mut |step| {
            if let Step::Doing(what) = step {
                told.push(what.to_owned());
            }
        },
        &|| false,
    );
    match prepared {
        Prepared::Ready(report, changes) => (report, changes, told),
        Prepared::Refused(report, _) => panic!("{report:?}"),
    }
}

#[test]
fn a_robot_that_is_ready_is_fine_in_every_point_and_nothing_is_changed() {
    let robot = Robot::ready();
    let report = looked(&robot, &needs(), Permissions::default());
    assert_eq!(report.verdict(), Verdict::Fine, "{report:#?}");
    let values: Vec<_> = report.facts.iter().map(|f| format!("{}={}", f.topic.id(), f.value)).collect();
    assert_eq!(
        values,
        [
            "version=2.5.7.1",
            "body=nao, naoH25",
            "battery=87 %",
            "temperature=41 °C at most, HeadPitch",
            "awake=yes",
            "stiffness=1.00",
            "life=disabled",
            "behaviors=none runs",
            "services=13, with all 2 that the scripts call",
            "voice=English; also French",
        ]
    );
    assert_eq!(robot.commands(), [""; 0]);
}

#[test]
fn a_robot_that_rests_is_refused_unless_nothing_moves_or_it_may_be_woken_up() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    fact(&looked(&robot, &needs(), Permissions::default()), Topic::Awake, Verdict::Refused, "does none of them");
    let wake = Permissions { wake: true, ..Permissions::default() };
    fact(&looked(&robot, &needs(), wake), Topic::Awake, Verdict::Told, "woken up");
    let still = Requirements { joints: Vec::new(), ..needs() };
    fact(&looked(&robot, &still, Permissions::default()), Topic::Awake, Verdict::Fine, "nothing is moved");
    // Without a file, anything may be required.
    fact(&looked(&robot, &Requirements::anything(), Permissions::default()), Topic::Awake, Verdict::Refused, "");
    assert_eq!(robot.commands(), [""; 0]);
}

#[test]
fn joints_without_stiffness_are_refused_if_the_file_moves_them() {
    let robot = Robot::ready();
    robot.says("ALMotion.getStiffnesses", Value::list([0.0, 1.0, 1.0].map(Value::from)));
    fact(
        &looked(&robot, &needs(), Permissions::default()),
        Topic::Stiffness,
        Verdict::Refused,
        "HeadYaw without stiffness",
    );
    let knee = Requirements { joints: vec!["LKneePitch".to_owned()], ..needs() };
    fact(&looked(&robot, &knee, Permissions::default()), Topic::Stiffness, Verdict::Fine, "1.00");
}

#[test]
fn autonomous_life_is_refused_until_somebody_decides() {
    let robot = Robot::ready();
    robot.says("ALAutonomousLife.getState", "solitary");
    let with = |life| Permissions { life, ..Permissions::default() };
    fact(&looked(&robot, &needs(), with(None)), Topic::Life, Verdict::Refused, "solitary");
    fact(&looked(&robot, &needs(), with(Some(Life::Disabled))), Topic::Life, Verdict::Told, "on again at the end");
    fact(&looked(&robot, &needs(), with(Some(Life::Keep))), Topic::Life, Verdict::Told, "goes on");
}

#[test]
fn an_answer_that_is_not_understood_does_not_say_that_all_is_well() {
    for (asked, answer, topic) in [
        ("ALBodyTemperature.getTemperatureDiagnosis", Value::from("hot"), Topic::Temperature),
        ("ALBodyTemperature.getTemperatureDiagnosis", Value::list([Value::from("2")]), Topic::Temperature),
        ("ALMotion.getStiffnesses", Value::list([]), Topic::Stiffness),
        ("ALMotion.getStiffnesses", Value::list([Value::from(1.0)]), Topic::Stiffness),
        ("ALMotion.getStiffnesses", Value::list([1.0; 4].map(Value::from)), Topic::Stiffness),
    ] {
        let robot = Robot::ready();
        robot.says(asked, answer.clone());
        let report = looked(&robot, &needs(), Permissions::default());
        assert!(
            report.facts.iter().any(|f| f.topic == topic && f.verdict == Verdict::Refused),
            "{answer:?} {report:?}"
        );
    }
}

#[test]
fn another_body_and_missing_joints_are_refused_where_something_moves() {
    let robot = Robot::ready();
    let pepper = Requirements { body: Some(BodyKind::Pepper), ..needs() };
    fact(&looked(&robot, &pepper, Permissions::default()), Topic::Body, Verdict::Refused, "made for pepper");
    let speaks = Requirements { joints: Vec::new(), ..pepper };
    fact(&looked(&robot, &speaks, Permissions::default()), Topic::Body, Verdict::Told, "made for pepper");
    // Nobody knows which joints of an unknown model are where.
    let strange = Robot::ready();
    let config = ["Model Type", "Buddy"].map(|text| texts(&[text]));
    strange.says("ALMotion.getRobotConfig", Value::list(config));
    let nao = Requirements { body: Some(BodyKind::Nao), ..needs() };
    let unknown = looked(&strange, &nao, Permissions::default());
    assert!(unknown.facts.iter().any(|f| f.topic == Topic::Body && f.verdict == Verdict::Refused), "{unknown:?}");
    let speaks = Requirements { joints: Vec::new(), ..nao };
    let unknown = looked(&strange, &speaks, Permissions::default());
    assert!(unknown.facts.iter().all(|f| f.topic != Topic::Body || f.verdict != Verdict::Refused), "{unknown:?}");
    let hip = Requirements { joints: vec!["HeadYaw".to_owned(), "HipPitch".to_owned()], ..needs() };
    fact(&looked(&robot, &hip, Permissions::default()), Topic::Body, Verdict::Told, "the file moves HipPitch,");
}

#[test]
fn the_battery_is_reported_and_never_refused() {
    let robot = Robot::ready();
    for (charge, plugged, verdict, words) in [
        (30, false, Verdict::Fine, "30 %"),
        (29, false, Verdict::Told, "low"),
        (10, false, Verdict::Told, "nearly empty"),
        (10, true, Verdict::Fine, "plugged in"),
    ] {
        robot.says("ALBattery.getBatteryCharge", charge);
        robot.says("ALMemory.getData", plugged);
        fact(&looked(&robot, &needs(), Permissions::default()), Topic::Battery, verdict, words);
    }
}

#[test]
fn overheated_joints_are_refused() {
    let robot = Robot::ready();
    let hot = |level: i32| Value::list([Value::from(level).dynamic(), texts(&["HeadPitch"]).dynamic()]);
    let still = Requirements { joints: Vec::new(), ..needs() };
    for (level, verdict, words) in [
        (0, Verdict::Told, "warm: HeadPitch"),
        (1, Verdict::Refused, "released the limbs"),
        (2, Verdict::Refused, "cannot be woken"),
    ] {
        robot.says("ALBodyTemperature.getTemperatureDiagnosis", hot(level));
        fact(&looked(&robot, &needs(), Permissions::default()), Topic::Temperature, verdict, words);
        fact(&looked(&robot, &still, Permissions::default()), Topic::Temperature, Verdict::Told, words);
    }
}

#[test]
fn behaviors_that_run_already_are_refused_unless_life_runs_them() {
    let robot = Robot::ready();
    robot.says("ALBehaviorManager.getRunningBehaviors", texts(&["boot/always", "dance/all"]));
    fact(&looked(&robot, &needs(), Permissions::default()), Topic::Behaviors, Verdict::Refused, "1 running: dance/all");
    robot.says("ALAutonomousLife.getState", "interactive");
    fact(&looked(&robot, &needs(), Permissions::default()), Topic::Behaviors, Verdict::Told, "dance/all");
}

#[test]
fn missing_services_and_methods_are_reported_with_their_places() {
    let robot = Robot::ready();
    let call = |service: &str, method: Option<&str>, guarded| NeededCall {
        service: service.to_owned(),
        method: method.map(str::to_owned),
        guarded,
        place: format!("root/{service}, line 1"),
    };
    let mut needs = needs();
    needs.calls.extend([
        call("ALTabletService", None, false),
        call("ALMotion", Some("dance"), false),
        call("ALMotion", Some("moveTo"), false),
        // Every service has this method, or its proxy implements it.
        call("ALMotion", Some("post"), false),
        call("ALLeds", Some("fade"), true),
    ]);
    let report = looked(&robot, &needs, Permissions::default());
    let services = report.fact(Topic::Services).unwrap();
    assert_eq!(services.verdict, Verdict::Refused);
    assert_eq!(services.value, "13, without 3 of 7 that the scripts call");
    let why = services.why.as_deref().unwrap();
    assert_eq!(
        why,
        "not there: ALTabletService at root/ALTabletService, line 1, ALMotion.dance at root/ALMotion, line 1; a script \
         that comes to it fails"
    );
    // A missing method reports itself when a script calls it.
    needs.calls.retain(|c| c.service != "ALTabletService");
    fact(
        &looked(&robot, &needs, Permissions::default()),
        Topic::Services,
        Verdict::Told,
        "ALMotion.dance at root/ALMotion",
    );
    needs.calls.retain(|c| c.method.as_deref() != Some("dance"));
    let report = looked(&robot, &needs, Permissions::default());
    assert!(report.fact(Topic::Services).unwrap().why.as_deref().unwrap().contains("ALLeds.fade, and the scripts are"));
}

#[test]
fn texts_in_another_language_than_the_robot_speaks_are_refused() {
    let robot = Robot::ready();
    let wants = |language: &str| Requirements { language: Some(language.to_owned()), ..needs() };
    fact(&looked(&robot, &wants("English"), Permissions::default()), Topic::Voice, Verdict::Fine, "English");
    let report = looked(&robot, &wants("French"), Permissions::default());
    fact(&report, Topic::Voice, Verdict::Refused, "would read them in English");
    assert!(report.fact(Topic::Voice).unwrap().help.as_deref().unwrap().contains("setLanguage French"));
    let report = looked(&robot, &wants("German"), Permissions::default());
    assert!(report.fact(Topic::Voice).unwrap().help.as_deref().unwrap().contains("that it has"));
    let silent = Requirements { calls: Vec::new(), ..wants("French") };
    fact(&looked(&robot, &silent, Permissions::default()), Topic::Voice, Verdict::Fine, "English");
}

#[test]
fn a_robot_that_lacks_services_has_unknown_facts() {
    let robot = Robot::with(&[("ALSystem", &["robotName::()->s"])]);
    let report = looked(&robot, &Requirements::anything(), Permissions::default());
    for topic in [Topic::Version, Topic::Body, Topic::Battery, Topic::Temperature, Topic::Awake, Topic::Stiffness] {
        assert_eq!(report.fact(topic).unwrap().value, "unknown", "{topic:?}");
    }
    fact(&report, Topic::Version, Verdict::Told, "ALSystem has no method systemVersion");
    fact(&report, Topic::Life, Verdict::Told, "no service ALAutonomousLife");
    fact(&report, Topic::Services, Verdict::Fine, "2");
    assert_eq!(report.verdict(), Verdict::Told);
}

#[test]
fn a_robot_that_never_answers_has_unknown_facts_and_is_refused_for_those_that_could_refuse_it() {
    let robot = Robot::ready();
    robot.hangs("ALMotion.robotIsWakeUp");
    robot.hangs("ALBattery.getBatteryCharge");
    let report = inspect(&robot.reach(), &needs(), &Permissions::default(), &HASTY);
    fact(&report, Topic::Awake, Verdict::Refused, "did not answer within 1.5 s");
    fact(&report, Topic::Battery, Verdict::Told, "unknown");
    fact(&report, Topic::Version, Verdict::Fine, "2.5.7.1");
    fact(&report, Topic::Stiffness, Verdict::Fine, "1.00");
}

#[test]
fn a_refused_robot_is_not_changed() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    robot.says("ALAutonomousLife.getState", "solitary");
    let wake = Permissions { wake: true, ..Permissions::default() };
    let prepared = prepare(
        &robot.reach(),
        &needs(),
        &wake,
        &PATIENT,
        &mut |step| assert!(matches!(step, Step::Seen(_)), "{step:?}"),
        &|| false,
    );
    let Prepared::Refused(report, back) = prepared else { panic!("{prepared:?}") };
    assert_eq!(report.refused().map(|f| f.topic).collect::<Vec<_>>(), [Topic::Life]);
    assert_eq!((back.len(), robot.commands()), (0, Vec::new()));
}

#[test]
fn changes_are_restored() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    let (_, changes, told) = ready(&robot, Permissions { wake: true, ..Permissions::default() });
    assert_eq!(told, ["waking the robot up"]);
    assert_eq!(robot.commands(), ["ALMotion.wakeUp"]);
    let session = robot.session();
    let back = changes.put_back(move || Ok((session, true)), PATIENT.changing);
    let back: Vec<_> = back.iter().map(ToString::to_string).collect();
    assert_eq!(back, ["put back: the robot rests again"]);
    assert_eq!(robot.commands(), ["ALMotion.wakeUp", "ALMotion.rest"]);
}

#[test]
fn a_robot_that_lies_down_without_life_is_woken_up_and_life_is_restored() {
    let robot = Robot::ready();
    robot.says("ALAutonomousLife.getState", "interactive");
    robot.lies_down_without_life();
    let (_, changes, told) = ready(&robot, Permissions { life: Some(Life::Disabled), ..Permissions::default() });
    assert_eq!(told, ["switching Autonomous Life off", "waking the robot up"]);
    let session = robot.session();
    let back = changes.put_back(move || Ok((session, true)), PATIENT.changing);
    assert_eq!(back.len(), 1, "{back:?}");
    // "Interactive" is reached through activities only.
    let commands = ["ALAutonomousLife.setState disabled", "ALMotion.wakeUp", "ALAutonomousLife.setState solitary"];
    assert_eq!(robot.commands(), commands);
}

#[test]
fn stiffness_is_set_and_removed_again_except_in_legs() {
    let robot = Robot::ready();
    robot.says("ALMotion.getStiffnesses", Value::list([0.0, 1.0, 0.0].map(Value::from)));
    let (_, changes, _) = ready(&robot, Permissions { wake: true, ..Permissions::default() });
    let session = robot.session();
    let back = changes.put_back(move || Ok((session, true)), PATIENT.changing);
    assert_eq!(back[0].outcome, RestoreOutcome::Done);
    assert_eq!(robot.commands(), ["ALMotion.wakeUp", "ALMotion.setStiffnesses [HeadYaw] [0]"]);
}

#[test]
fn a_robot_that_does_not_wake_up_is_refused_and_restored() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    robot.says("ALAutonomousLife.getState", "solitary");
    robot.fails("ALMotion.wakeUp", "the robot is on its charger");
    let leave = Permissions { wake: true, life: Some(Life::Disabled), anyway: false };
    let prepared = prepare(&robot.reach(), &needs(), &leave, &PATIENT, &mut |_| {}, &|| false);
    let Prepared::Refused(report, back) = prepared else { panic!("{prepared:?}") };
    fact(&report, Topic::Awake, Verdict::Refused, "the robot is on its charger");
    assert_eq!(back.iter().map(|b| b.what).collect::<Vec<_>>(), ["Autonomous Life is on again"]);
    let anyway = Permissions { anyway: true, ..leave };
    robot.says("ALAutonomousLife.getState", "solitary");
    robot.says("ALMotion.robotIsWakeUp", false);
    let (report, changes, _) = ready(&robot, anyway);
    fact(&report, Topic::Awake, Verdict::Told, "on its charger");
    assert!(!changes.is_empty());
}

#[test]
fn an_interrupt_while_the_robot_wakes_up_restores_it() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    robot.hangs("ALMotion.wakeUp");
    let asked = AtomicUsize::new(0);
    // After a few polls the robot is waking up.
    let give_up = || asked.fetch_add(1, Ordering::Relaxed) > 3;
    let leave = Permissions { wake: true, ..Permissions::default() };
    let prepared = prepare(&robot.reach(), &needs(), &leave, &PATIENT, &mut |_| {}, &give_up);
    let Prepared::Refused(report, back) = prepared else { panic!("{prepared:?}") };
    fact(&report, Topic::Awake, Verdict::Refused, "interrupted");
    assert_eq!(back.iter().map(|b| b.what).collect::<Vec<_>>(), ["the robot rests again"]);
    assert_eq!(robot.commands(), ["ALMotion.wakeUp", "ALMotion.rest"]);
}

#[test]
fn restoring_ends_in_time_and_reports_what_is_open() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    let (_, changes, _) = ready(&robot, Permissions { wake: true, ..Permissions::default() });
    robot.hangs("ALMotion.rest");
    let session = robot.session();
    let back = changes.put_back(move || Ok((session, true)), HASTY.changing);
    assert_eq!(back[0].to_string(), "requested, and not yet confirmed: the robot rests again");
    // The robot was asked to rest, and continues with it.
    assert_eq!(robot.commands().last().unwrap(), "ALMotion.rest");
}

#[test]
fn without_a_connection_unrestored_changes_are_reported() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    let (_, changes, _) = ready(&robot, Permissions { wake: true, ..Permissions::default() });
    let session = robot.session();
    robot.vanishes();
    let back = changes.put_back(move || Ok((session, true)), PATIENT.changing);
    assert!(matches!(back[0].outcome, RestoreOutcome::Failed(_)), "{back:?}");
    let refused = || Err(Error::Refused { address: "nao.local".to_owned() });
    let back = changes.put_back(refused, PATIENT.changing);
    assert_eq!(
        back[0].to_string(),
        "NOT put back: the robot rests again: nothing listens at nao.local: connection refused"
    );
    let (never, held) = std::sync::mpsc::channel::<()>();
    let waits = move || held.recv().map_or(Err(Error::Canceled), |()| Err(Error::Canceled));
    let back = changes.put_back(waits, HASTY.changing);
    assert!(back[0].to_string().contains("no connection in time"), "{back:?}");
    drop(never);
}

#[test]
fn without_changes_there_is_nothing_to_restore() {
    let robot = Robot::ready();
    let (_, changes, told) = ready(&robot, Permissions { wake: true, life: Some(Life::Disabled), anyway: true });
    assert!(changes.is_empty() && told.is_empty());
    assert_eq!(changes.put_back(|| panic!("nobody connects"), PATIENT.changing), []);
    assert_eq!(robot.commands(), [""; 0]);
}

#[test]
fn a_failed_query_refuses_where_its_answer_could() {
    let mute = Robot::ready();
    for (method, topic) in [
        ("ALMotion.robotIsWakeUp", Topic::Awake),
        ("ALMotion.getStiffnesses", Topic::Stiffness),
        ("ALMotion.getRobotConfig", Topic::Body),
        ("ALBodyTemperature.getTemperatureDiagnosis", Topic::Temperature),
        ("ALAutonomousLife.getState", Topic::Life),
        ("ALBehaviorManager.getRunningBehaviors", Topic::Behaviors),
    ] {
        let robot = Robot::ready();
        robot.fails(method, "not now");
        mute.fails(method, "not now");
        let report = looked(&robot, &needs(), Permissions::default());
        fact(&report, topic, Verdict::Refused, "not now");
    }
    // If nothing can be refused, it is a note.
    let still = Requirements { joints: Vec::new(), calls: Vec::new(), ..needs() };
    let keep = Permissions { life: Some(Life::Keep), ..Permissions::default() };
    assert_eq!(looked(&mute, &still, keep).verdict(), Verdict::Told);
}

#[test]
fn a_robot_without_a_service_for_joints_is_refused_curves() {
    let robot = Robot::with(&[("ALTextToSpeech", &["say::(s)->v"])]);
    let report = looked(&robot, &needs(), Permissions::default());
    fact(&report, Topic::Services, Verdict::Refused, "ALMotion, which moves the joints");
}

#[test]
fn a_robot_that_cannot_be_checked_after_a_change_is_refused_and_restored() {
    let robot = Robot::ready();
    robot.says("ALAutonomousLife.getState", "solitary");
    robot.stays_in_life();
    let leave = Permissions { life: Some(Life::Disabled), ..Permissions::default() };
    let prepared = prepare(&robot.reach(), &needs(), &leave, &PATIENT, &mut |_| {}, &|| false);
    let Prepared::Refused(report, back) = prepared else { panic!("{prepared:?}") };
    fact(&report, Topic::Life, Verdict::Refused, "solitary");
    assert_eq!(back.len(), 1, "{back:?}");
}

#[test]
fn over_a_new_link_a_robot_is_restored_only_in_the_state_it_was_left_in() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    let (_, changes, _) = ready(&robot, Permissions { wake: true, ..Permissions::default() });
    let anew = |robot: &Robot| {
        let session = robot.session();
        move || Ok((session, false))
    };
    robot.says("ALAutonomousLife.getState", "solitary");
    let back = changes.put_back(anew(&robot), PATIENT.changing);
    assert!(back[0].to_string().contains("its Autonomous Life is solitary"), "{back:?}");
    robot.fails("ALAutonomousLife.getState", "not now");
    let back = changes.put_back(anew(&robot), PATIENT.changing);
    assert!(back[0].to_string().contains("does not report its state now"), "{back:?}");
    assert_eq!(robot.commands(), ["ALMotion.wakeUp"]);
    robot.says("ALAutonomousLife.getState", "disabled");
    assert_eq!(changes.put_back(anew(&robot), PATIENT.changing)[0].outcome, RestoreOutcome::Done);
    assert_eq!(robot.commands(), ["ALMotion.wakeUp", "ALMotion.rest"]);
    // It rests already.
    assert_eq!(changes.put_back(anew(&robot), PATIENT.changing)[0].outcome, RestoreOutcome::Done);
    assert_eq!(robot.commands(), ["ALMotion.wakeUp", "ALMotion.rest"]);
}

/// The requirements of a behavior that speaks, with unknown calls.
fn unseen() -> Requirements {
    let unknown = vec!["helper.py, line 3 asks for a service by a name that shows only at run time".to_owned()];
    Requirements { joints: Vec::new(), calls: Vec::new(), unknown, ..needs() }
}

#[test]
fn unknown_calls_count_as_moving_and_refuse_no_ready_robot() {
    let robot = Robot::ready();
    let said = "the scripts may call anything: helper.py, line 3 asks";
    let report = looked(&robot, &unseen(), Permissions::default());
    fact(&report, Topic::Services, Verdict::Told, said);
    assert!(report.fact(Topic::Services).unwrap().value.ends_with("and what the scripts call is not known"));
    // Nor is a wrong voice refused that it may not need.
    let report =
        looked(&robot, &Requirements { language: Some("French".to_owned()), ..unseen() }, Permissions::default());
    fact(&report, Topic::Voice, Verdict::Told, "the scripts may let it speak: helper.py, line 3");
    assert_eq!(report.verdict(), Verdict::Told, "{report:#?}");
    robot.says("ALAutonomousLife.getState", "solitary");
    let keep = Permissions { life: Some(Life::Keep), ..Permissions::default() };
    assert_eq!(looked(&robot, &unseen(), keep).verdict(), Verdict::Told);

    robot.says("ALMotion.robotIsWakeUp", false);
    let report = looked(&robot, &unseen(), keep);
    fact(&report, Topic::Awake, Verdict::Refused, "does none of them, and the scripts may move it: helper.py, line 3");
    assert_eq!(looked(&robot, &unseen(), Permissions { wake: true, ..keep }).verdict(), Verdict::Told);
    // If something is missing, too, both are reported.
    let mut lacks = Requirements { calls: needs().calls, ..unseen() };
    lacks.calls[0].service = "ALFooBar".to_owned();
    let report = looked(&robot, &lacks, keep);
    fact(&report, Topic::Services, Verdict::Refused, "ALFooBar at root/Say, line 4");
    fact(&report, Topic::Services, Verdict::Refused, "the scripts may call anything else: helper.py, line 3");
}

#[test]
fn the_name_of_a_service_that_moves_is_enough_to_count_as_moving() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    let named = |name: &str| Requirements { unknown: Vec::new(), named: vec![name.to_owned()], ..unseen() };
    fact(&looked(&robot, &named("ALMotion"), Permissions::default()), Topic::Awake, Verdict::Refused, "none of them");
    fact(&looked(&robot, &named("ALLeds"), Permissions::default()), Topic::Awake, Verdict::Fine, "nothing is moved");
}
