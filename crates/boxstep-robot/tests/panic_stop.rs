//! `boxstep stop`: everything is stopped, motion first and safely, within bounded time.

use crate::support::Robot;
use boxstep_robot::naoqi::panic::{StopOutcome, stop};
use std::time::Duration;

/// So long that a busy machine does not matter where an answer comes, nor for the head start of motion, which is a
/// fraction of it.
const PATIENT: Duration = Duration::from_secs(600);
/// So short that a test is quick where no answer comes.
const HASTY: Duration = Duration::from_secs(2);

#[test]
fn everything_is_stopped_and_motion_first() {
    let robot = Robot::ready();
    let halt = stop(&robot.session(), PATIENT);
    assert!(halt.is_sure(), "{halt:?}");
    let told: Vec<_> = halt.stopped.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "motion: stopped",
            "Boxstep: told to stop, whichever plays on this robot",
            "behaviors: stopped",
            "tracking: stopped",
            "postures: stopped",
            "speech: stopped",
            "animated speech: stopped",
            "sounds: stopped",
        ]
    );
    assert_eq!(halt.life, None);
    let commands = robot.commands();
    assert_eq!(commands[0], "ALMotion.stopMove");
    for wanted in ["ALMotion.killAll", "ALBehaviorManager.stopAllBehaviors", "ALAnimatedSpeech._stopAll true"] {
        assert!(commands.iter().any(|c| c == wanted), "{commands:?}");
    }
    // Stops whatever had started to move while the rest was being stopped.
    assert_eq!(commands.iter().filter(|c| *c == "ALMotion.killAll").count(), 2);
    assert_eq!(commands.last().unwrap(), "ALMotion.killAll");
}

#[test]
fn a_walk_ends_with_its_step_before_anything_is_killed() {
    let robot = Robot::ready();
    robot.says("ALMotion.moveIsActive", true);
    assert!(stop(&robot.session(), PATIENT).is_sure());
    let of_motion: Vec<_> = robot.commands().into_iter().filter(|c| c.starts_with("ALMotion.")).collect();
    let order = of_motion.iter().take(4).map(|c| c.split([' ', '.']).nth(1).unwrap()).collect::<Vec<_>>();
    assert_eq!(order, ["stopMove", "killTasksUsingResources", "waitUntilMoveIsFinished", "killAll"]);
}

#[test]
fn a_walk_that_does_not_end_is_not_cut_off_and_is_reported() {
    let robot = Robot::ready();
    robot.says("ALMotion.moveIsActive", true);
    robot.hangs("ALMotion.waitUntilMoveIsFinished");
    let halt = stop(&robot.session(), HASTY);
    assert!(!halt.is_sure());
    assert!(halt.stopped[0].to_string().starts_with("motion: "), "{halt:?}");
    assert_ne!(halt.stopped[0].outcome, StopOutcome::Done);
    assert!(!robot.commands().contains(&"ALMotion.killAll".to_owned()));
    // The rest is stopped all the same.
    assert!(halt.stopped.iter().skip(1).all(|s| s.is_sure()), "{halt:?}");
}

#[test]
fn silent_and_failing_services_are_reported_and_the_rest_is_stopped() {
    let robot = Robot::ready();
    robot.hangs("ALTextToSpeech.stopAll");
    robot.fails("ALAudioPlayer.stopAll", "no sound card\n\nAt:\n  file.py(3): stopAll");
    let halt = stop(&robot.session(), HASTY);
    let open: Vec<_> = halt.stopped.iter().filter(|s| !s.is_sure()).map(ToString::to_string).collect();
    assert_eq!(open, ["speech: requested, and not yet confirmed by the robot", "sounds: NOT stopped: no sound card"]);
}

#[test]
fn a_boxstep_that_offers_its_services_there_is_told_to_stop() {
    let robot = Robot::ready();
    robot.offer("BoxstepClock", &["now::()->L"]);
    assert_eq!(stop(&robot.session(), PATIENT).stopped[1].outcome, StopOutcome::Told);
    // The event notifies programs elsewhere.
    assert!(robot.commands().contains(&"ALMemory.raiseEvent Boxstep/Stop boxstep stop".to_owned()));
    robot.offer("Boxstep", &["stop::()->v"]);
    assert_eq!(stop(&robot.session(), PATIENT).stopped[1].outcome, StopOutcome::Told);
    assert!(robot.commands().contains(&"Boxstep.stop".to_owned()));
}

#[test]
fn active_life_is_reported() {
    let robot = Robot::ready();
    robot.says("ALAutonomousLife.getState", "solitary");
    assert_eq!(stop(&robot.session(), PATIENT).life.as_deref(), Some("solitary"));
}

#[test]
fn a_robot_without_services_has_nothing_to_stop() {
    let robot = Robot::with(&[]);
    let halt = stop(&robot.session(), PATIENT);
    assert!(halt.stopped.iter().all(|s| s.outcome == StopOutcome::Absent), "{halt:?}");
}

#[test]
fn a_robot_that_is_gone_is_reported() {
    let robot = Robot::ready();
    let session = robot.session();
    robot.vanishes();
    let halt = stop(&session, PATIENT);
    assert!(halt.stopped.iter().all(|s| matches!(s.outcome, StopOutcome::Failed(_))), "{halt:?}");
}
