//! How long stops take: their deadline, who is busy, the stop by force (`docs/reference/semantics/stop.md`).

use crate::support::*;
use boxstep_engine::Engine;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::protocol::{Next, Scheduler};
use boxstep_engine::trace::{ClockKind, EndReason, Footer};
use boxstep_types::{Time, Value};
use std::time::Duration;

fn start(name: &'static str, actions: Vec<Do>) -> ((&'static str, &'static str), Vec<Do>) {
    ((name, "onInput_onStart"), actions)
}

fn within(seconds: u64) -> Config {
    Config { stop_within: Duration::from_secs(seconds), ..Config::default() }
}

fn boxes(names: &[&str]) -> String {
    root(&(1..).zip(names).map(|(i, n)| boxed(n, i, "", "") + &link(0, 2, i, 2)).collect::<String>())
}

fn walk() -> Do {
    Call("ALMotion", "moveToward", vec![1.0.into(), 0.0.into(), 0.0.into()])
}

fn robot(step: f64) -> Robot {
    let mut robot = Robot::default();
    robot.step = step;
    robot
}

/// A run that is stopped at second 1, in both clocks: they tell the same.
fn both(xml: &str, scripts: &Scripts, step: f64, config: &Config, how: &Control) -> (Vec<String>, Footer) {
    // Something has to happen at that time, else a virtual clock does not come there.
    let stopped = |run: Run| run.event(1.0, "now", Value::Null).control(1.0, how.clone()).finish();
    let (lines, footer) = stopped(Run::with(xml, scripts.clone(), robot(step), config.clone()));
    let real = stopped(Run::in_real_time(xml, scripts.clone(), robot(step), config.clone()));
    assert_eq!(lines, real.0, "both clocks tell the same story");
    (lines, footer)
}

/// What is done about the robot and the behavior after the stop.
fn story(lines: &[String]) -> Vec<String> {
    only(lines, &["stopping", "feet", "halt", "behavior unloaded", "Forced"])
        .iter()
        .map(|l| l.split("busy: ").next().unwrap().to_owned())
        .map(|l| if l.contains(" Act(") { shortened(&l) } else { l })
        .collect()
}

/// The time of an act and what it says.
fn shortened(line: &str) -> String {
    let text = line.split("text: \"").nth(1).and_then(|t| t.split('"').next()).unwrap();
    format!("{} {text}", &line[..5])
}

#[test]
fn stopping_until_both_feet_are_down() {
    let with_stop = Scripts::from([
        start("A", vec![walk(), Sleep(9.0)]),
        (("A", "onUnload"), vec![Call("ALMotion", "stopMove", vec![])]),
    ]);
    // A script that leaves the robot walking does not leave it walking: the run ends.
    let without = Scripts::from([start("A", vec![walk(), Sleep(9.0)])]);
    for scripts in [with_stop, without] {
        let (lines, footer) = both(&boxes(&["A"]), &scripts, 0.4, &within(10), &Control::Stop);
        let told = ["1.000 root behavior stopping", "1.400 both feet are down", "1.400 root behavior unloaded"];
        assert_eq!(story(&lines), told, "{lines:#?}");
        assert_eq!((footer.t, footer.forced), (Time::from_millis(1400), 0));
    }
}

/// Whatever a script does that nobody waits for any more: when the run is over, the robot has been told to stop.
#[test]
fn a_script_that_outlives_its_box_does_not_leave_the_robot_walking() {
    let scripts = Scripts::from([start("A", vec![walk(), Sleep(1.4), walk(), Log("walks again")])]);
    let (lines, footer) = both(&boxes(&["A"]), &scripts, 0.4, &within(10), &Control::Stop);
    let told = only(&lines, &["is told to stop", "log walks again"]);
    let at: Vec<&str> = told.iter().map(|l| &l[..5]).collect();
    assert!(told[1].contains("walks again") && at == ["1.000", "1.400", "1.400"], "{lines:#?}");
    assert_eq!(footer.t, Time::from_millis(1400));
}

#[test]
fn who_is_busy_is_told_while_it_stops() {
    let scripts = Scripts::from([
        start("A", vec![walk()]),
        (("A", "onUnload"), vec![Sleep(0.5), Call("ALMotion", "stopMove", vec![]), Sleep(0.1)]),
    ]);
    let run = Run::in_real_time(&boxes(&["A"]), scripts, robot(0.4), within(10));
    let mut run = run.control(1.0, Control::Stop);
    let mut seen: Vec<String> = Vec::new();
    loop {
        let next = run.engine.next();
        let busy = run.engine.busy().into_iter().filter(|b| b.path.is_none() || !b.waits_for.is_empty());
        let busy: Vec<String> = busy.map(|b| b.to_string()).collect();
        seen.extend(busy.into_iter().filter(|b| !seen.contains(b)).collect::<Vec<_>>());
        if matches!(next, Next::Ended) {
            break;
        }
        run.does(next);
    }
    assert_eq!(seen, ["root/A onUnload (since 1.000, waits for sleep)", "robot: walking (since 1.500)"]);
    assert_eq!(run.engine.busy(), [], "all is over");
}

#[test]
fn a_robot_that_does_not_come_to_stand_is_halted_at_the_deadline() {
    let scripts = Scripts::from([start("A", vec![walk()])]);
    let (lines, footer) = both(&boxes(&["A"]), &scripts, 100.0, &within(3), &Control::Stop);
    assert_eq!((footer.t, footer.forced, footer.reason), (Time::from_millis(4000), 1, EndReason::Ended));
    let story = story(&lines);
    assert!(story[1].starts_with("4.000 root Forced([Busy"), "{story:#?}");
    assert_eq!(story[2..], ["4.000 the robot stops at once", "4.000 root behavior unloaded"], "{lines:#?}");
    let warned = only(&lines, &["Warning"]);
    let text = "not stopped after 3.000 s, and stopped by force now; still busy: robot: walking (since 1.000)";
    assert!(warned.len() == 1 && warned[0].contains(text), "{warned:?}");
}

#[test]
fn scripts_that_do_not_end_are_named_and_left_at_the_deadline() {
    let mut scripts = Scripts::new();
    for name in ["A", "B", "C", "D"] {
        scripts.insert((name, "onUnload"), vec![Hang]);
    }
    scripts.insert(("E", "onUnload"), vec![Log("unloaded")]);
    let (lines, footer) = both(&boxes(&["A", "B", "C", "D", "E"]), &scripts, 0.0, &within(5), &Control::Stop);
    assert_eq!((footer.t, footer.forced), (Time::from_millis(6001), 1), "{lines:#?}");
    let warned = only(&lines, &["Warning"]);
    for who in [
        "root/C onUnload (since 5.000, waits for a lock)",
        "root/A onUnload (since 1.000, waits for a lock, given up)",
        "root/B onUnload (since 3.000, waits for a lock, given up)",
    ] {
        assert!(warned.len() == 1 && warned[0].contains(who), "{who}: {warned:#?}");
    }
    // Nobody is waited for any more, and everybody is told.
    assert_eq!(only(&lines, &[" log "]), ["6.001 root/E log unloaded"]);
    assert_eq!(only(&lines, &["call onUnload"]).len(), 5);
    for name in ["A", "B", "C", "D", "E"] {
        assert_eq!(only(&lines, &[&format!("root/{name} destroyed")]).len(), 1, "{lines:#?}");
        assert_eq!(only(&lines, &[&format!("root/{name} unloaded")]).len(), 1, "{lines:#?}");
    }
}

/// The root's onStopped output unloads the inside before the behavior stops: that is a part of the stop.
#[test]
fn the_time_of_a_stop_runs_from_the_end_of_the_root() {
    let out = vec![Sleep(1.0), Out("onStopped", Value::Null)];
    let scripts = Scripts::from([start("A", out), (("A", "onUnload"), vec![Hang]), (("B", "onUnload"), vec![Hang])]);
    let content = boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4);
    let (lines, footer) = Run::with(&root(&content), scripts, robot(0.0), within(3)).finish();
    let forced = only(&lines, &["Warning"]);
    assert!(forced[0].starts_with("4.000 ") && forced[0].contains("root/B onUnload (since 3.000"), "{lines:#?}");
    assert!(forced[0].contains("root/A onUnload (since 1.000, waits for a lock, given up)"), "{forced:?}");
    assert_eq!((footer.reason, footer.forced), (EndReason::Ended, 1));
}

/// Whatever hangs, in whatever way, at whatever stage, under whatever stop: it ends in time.
#[test]
fn no_stop_hangs_in_either_clock() {
    for how in [Control::Stop, Control::Interrupt] {
        for method in ["__init__", "onLoad", "onInput_onStart", "onInput_onStop", "onUnload"] {
            for hangs in [vec![Hang], vec![Sleep(1e6)], vec![Call("ALMotion", "slow", vec![])], vec![Busy], vec![Spin]]
            {
                for real in [false, true] {
                    // What computes for ever beside others is only there in real time; what spins only in virtual time.
                    match hangs[0] {
                        Busy if !real => continue,
                        Spin if real => continue,
                        _ => {}
                    }
                    let case = format!("{how:?} {method} {hangs:?} {real}");
                    let names = ["A", "B", "C", "D", "E", "F"];
                    let mut scripts = Scripts::new();
                    for name in names {
                        scripts.insert((name, method), hangs.clone());
                    }
                    let mut slow = robot(100.0);
                    slow.slow.insert("slow", 1e6);
                    let config = Config { limit: Some(Time::from_millis(2000)), ..within(5) };
                    let run = if real {
                        Run::in_real_time(&boxes(&names), scripts, slow, config)
                    } else {
                        Run::with(&boxes(&names), scripts, slow, config)
                    };
                    let (lines, footer) = run.control_by_clock(1.0, how.clone()).finish();
                    let most = if how == Control::Stop { 6200 } else { 2700 };
                    assert!(footer.t <= Time::from_millis(most), "{case}: {} {lines:#?}", footer.t);
                    assert_eq!(only(&lines, &["behavior unloaded"]).len(), 1, "{case}: {lines:#?}");
                    let made = only(&lines, &[" constructed"]).len();
                    assert!(only(&lines, &[" destroyed"]).len() >= made, "{case}: {lines:#?}");
                }
            }
        }
    }
}

#[test]
fn an_interrupt_lets_the_robot_end_its_step() {
    let scripts = Scripts::from([start("A", vec![walk(), Hang])]);
    let (lines, footer) = both(&boxes(&["A"]), &scripts, 0.4, &within(10), &Control::Interrupt);
    assert_eq!(
        story(&lines),
        [
            "1.000 the robot stops",
            "1.000 root/A stopping",
            "1.000 root stopping",
            "1.000 root behavior stopping",
            "1.400 both feet are down",
            "1.400 root behavior unloaded"
        ],
        "{lines:#?}"
    );
    assert_eq!((footer.reason, footer.forced), (EndReason::Interrupted, 0));
}

#[test]
fn an_interrupt_halts_the_robot_amid_its_step_at_the_deadline() {
    let scripts = Scripts::from([start("A", vec![walk(), Hang])]);
    for (seconds, ends) in [(10, 2500), (1, 2000)] {
        let (lines, footer) = both(&boxes(&["A"]), &scripts, 100.0, &within(seconds), &Control::Interrupt);
        assert_eq!((footer.reason, footer.forced), (EndReason::Interrupted, 1));
        assert_eq!(footer.t, Time::from_millis(ends), "a stop has no more time in an interrupt: {lines:#?}");
        assert_eq!(only(&lines, &["stops at once"]).len(), 1);
    }
}

#[test]
fn an_interrupt_shortens_a_stop_that_is_under_way() {
    let scripts = Scripts::from([start("A", vec![walk()])]);
    let run = Run::with(&boxes(&["A"]), scripts, robot(100.0), within(10)).control(1.0, Control::Stop);
    let (lines, footer) = run.control(3.0, Control::Interrupt).finish();
    assert_eq!((footer.t, footer.forced), (Time::from_millis(4500), 1), "{lines:#?}");
}

/// A behavior started by name has a deadline of its own, and the one that started it plays on.
#[test]
fn a_behavior_stopped_by_name_is_forced_alone() {
    let manage = |what: &'static str| Call("ALBehaviorManager", what, vec!["other".into()]);
    let scripts = Scripts::from([
        start("A", vec![manage("startBehavior"), Sleep(1.0), manage("stopBehavior"), Sleep(9.0), Log("plays on")]),
        start("O", vec![Hang]),
        (("O", "onUnload"), vec![Hang]),
        (("P", "onUnload"), vec![Hang]),
    ]);
    let other = boxes(&["O", "P"]);
    let mut run = Run::among(&boxes(&["A"]), &[("other", &other)], scripts, robot(0.0), within(3));
    let (lines, footer) = run.run_on();
    assert_eq!(footer.forced, 1, "{lines:#?}");
    let warned = only(&lines, &["Warning"]);
    assert!(warned[0].starts_with("4.000 ") && warned[0].contains("root/P onUnload (since 3.000"), "{warned:#?}");
    assert_eq!(only(&lines, &["stops at once"]), [""; 0], "the robot is not thrown over while somebody plays on");
    assert_eq!(only(&lines, &[" log "]).len(), 1, "{lines:#?}");
}

/// Somebody else's walk is none of a stop's business.
#[test]
fn a_behavior_stopped_by_name_leaves_the_walk_of_another_alone() {
    let manage = |what: &'static str| Call("ALBehaviorManager", what, vec!["other".into()]);
    let scripts =
        Scripts::from([start("A", vec![walk(), manage("startBehavior"), Sleep(1.0), manage("stopBehavior")])]);
    let other = boxes(&["O"]);
    let mut run = Run::among(&boxes(&["A"]), &[("other", &other)], scripts, robot(0.4), within(3));
    let (lines, _) = run.run_on();
    let unloaded = only(&lines, &["behavior unloaded"]);
    assert!(unloaded[0].starts_with("1.000 ") && unloaded[1].starts_with("1.400 "), "{lines:#?}");
}

#[test]
fn a_behavior_that_was_forced_starts_anew_with_all_its_time() {
    let manage = |what: &'static str| Call("ALBehaviorManager", what, vec!["other".into()]);
    let scripts = Scripts::from([
        start(
            "A",
            vec![
                manage("startBehavior"),
                manage("stopBehavior"),
                Sleep(1.9),
                manage("startBehavior"),
                manage("stopBehavior"),
                Sleep(3.0),
            ],
        ),
        (("O", "onUnload"), vec![Hang]),
        (("P", "onUnload"), vec![Hang]),
    ]);
    let other = boxes(&["O", "P"]);
    let mut run = Run::among(&boxes(&["A"]), &[("other", &other)], scripts, robot(0.0), within(1));
    let (lines, footer) = run.run_on();
    let at: Vec<_> = only(&lines, &["Forced"]).iter().map(|l| l[..5].to_owned()).collect();
    assert_eq!((at, footer.forced), (vec!["1.000".to_owned(), "2.900".to_owned()], 2), "{lines:#?}");
}

/// What is made in code stops as what is in files: the run waits until the robot stands.
#[test]
fn objects_wait_for_the_robot_too() {
    use boxstep_engine::config::NoLibrary;
    use boxstep_engine::objects::Draft;
    use boxstep_engine::trace::Header;
    let header = Header::new(ClockKind::Virtual);
    let mut walking = robot(0.4);
    walking.walks = true;
    let mut engine = Engine::new(within(3), Box::new(walking), Box::new(NoLibrary), &header, Vec::new());
    let id = engine.objects().new_box(Draft::new("b")).unwrap();
    engine.objects().get_box(id).unwrap().load().unwrap();
    engine.run_for(1.0).unwrap();
    engine.control(Time::ZERO, Control::Stop).unwrap();
    engine.settle();
    let busy: Vec<String> = engine.busy().iter().map(ToString::to_string).collect();
    assert_eq!(busy, ["robot: walking (since 1.000)"]);
    let footer = engine.end().unwrap();
    assert_eq!((footer.t, footer.forced), (Time::from_millis(1400), 0));
}
