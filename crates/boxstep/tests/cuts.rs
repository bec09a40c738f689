//! The link to a robot is cut all through a session of the program, once and for good: it commands nothing before it has heard over the
//! same link how the robot is, and how it ended is told.

#![cfg(unix)]
use crate::common::Said;
use crate::cut::{Cut, Wire};
use crate::ready::{WALK, behavior, play_at};
use crate::support::Robot;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Every link that is gone for good is waited for, so many are looked at side by side.
const SIDE_BY_SIDE: usize = 16;

/// A test of every change cuts after each fourth message, and for good, which takes as long as the program waits for the robot, after each
/// sixteenth. Where it begins is a matter of `BOXSTEP_SEED`, so that a row of seeds has them all.
const EACH: usize = 4;
const FOR_GOOD_EACH: usize = 16;

/// What has to be heard before a command.
const ASKED: [&str; 2] = ["ALMotion.robotIsWakeUp", "ALAutonomousLife.getState"];

/// What moves the robot, or lets it speak.
const COMMANDS: [&str; 2] = ["ALMotion.moveTo", "ALTextToSpeech.say"];

/// Plays on a robot over a link that is cut so; how many messages passed.
fn play(cut: Cut, asleep: bool) -> usize {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", !asleep);
    let line = Wire::start(&robot.address(), cut, || {});
    let said: Said = play_at(&line.address().to_string(), &behavior(WALK), &[]).wait_with_output().unwrap().into();
    let what = format!("{cut:?}, asleep: {asleep}\n{}{}", said.out, said.err);
    let heard = robot.heard();
    for (at, (over, command)) in heard.iter().enumerate() {
        if COMMANDS.iter().any(|c| command.starts_with(c)) {
            assert!(!asleep, "{command}: {what}");
            let known = |question: &&str| heard[..at].iter().any(|(link, heard)| link == over && heard == question);
            assert!(ASKED.iter().all(known), "{command} in {heard:?}: {what}");
        }
    }
    let words = ["lost", "refused", "closed", "no connection", "not ready"];
    match said.code {
        Some(0) => assert!(!asleep && heard.iter().any(|(_, c)| c.starts_with(COMMANDS[0])), "{what}"),
        Some(4) => assert!(words.iter().any(|word| what.contains(word)), "{what}"),
        other => panic!("{other:?}: {what}"),
    }
    line.messages()
}

#[test]
fn wherever_the_link_is_cut_the_program_commands_nothing_before_it_knows_and_tells_how_it_ended() {
    let seed: usize = std::env::var("BOXSTEP_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_default();
    let mut cuts = Vec::new();
    for asleep in [false, true] {
        let messages = play(Cut::Never, asleep);
        assert!(messages > 20, "{messages}");
        let each = |step: usize| (1 + seed % step..=messages).step_by(step);
        cuts.extend(each(EACH).map(|k| (Cut::Once(k), asleep)));
        cuts.extend(each(FOR_GOOD_EACH).map(|k| (Cut::ForGood(k), asleep)));
    }
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                while let Some((cut, asleep)) = cuts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    play(*cut, *asleep);
                }
            });
        }
    });
}
