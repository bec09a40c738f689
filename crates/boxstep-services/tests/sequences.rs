//! Long random sequences of calls, waits and stops: laws that hold whatever scripts do.

use crate::harness::{Harness, list, s};
use boxstep_bodies::BodyKind;
use boxstep_engine::CallId;
use boxstep_engine::services::{Random, Services};
use boxstep_services::SimOptions;
use boxstep_types::Value;

struct Dice(Random);

impl Dice {
    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[(self.0.next_u64() % items.len() as u64) as usize].clone()
    }

    fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.0.unit()
    }
}

fn random_call(dice: &mut Dice) -> (&'static str, Vec<Value>) {
    let joints = ["HeadYaw", "HeadPitch", "LElbowRoll", "RHand", "Head", "LArm"];
    let joint = s(dice.pick(&joints));
    let (angle, time) = (Value::Float(dice.between(-3.0, 3.0)), Value::Float(dice.between(0.01, 3.0)));
    let fraction = Value::Float(dice.between(0.05, 1.0));
    let (x, y, theta) = (dice.between(-1.0, 1.0), dice.between(-1.0, 1.0), dice.between(-3.0, 3.0));
    let pose: Vec<Value> = vec![x.into(), y.into(), theta.into()];
    match dice.0.next_u64() % 20 {
        0..=3 => ("ALMotion.angleInterpolation", vec![joint, angle, time, dice.pick(&[true, false]).into()]),
        4 | 5 => ("ALMotion.setAngles", vec![joint, angle, fraction]),
        6 => ("ALMotion.angleInterpolationWithSpeed", vec![joint, angle, fraction]),
        7 => ("ALMotion.setStiffnesses", vec![joint, dice.pick(&[0.0, 1.0]).into()]),
        8 => ("ALMotion.stiffnessInterpolation", vec![joint, dice.pick(&[0.0, 1.0]).into(), time]),
        9 => ("ALRobotPosture.goToPosture", vec![s(dice.pick(&["Stand", "StandZero", "StandInit"])), fraction]),
        10 => ("ALMotion.moveTo", pose),
        11 => ("ALMotion.moveToward", pose),
        12 => ("ALMotion.waitUntilMoveIsFinished", vec![]),
        13 => ("ALTextToSpeech.say", vec![s("a few words")]),
        14 => ("ALAnimatedSpeech.say", vec![s("^run(animations/x) more words")]),
        15 => ("ALLeds.fadeRGB", vec![s("FaceLeds"), s("green"), time]),
        16 => (dice.pick(&["ALMotion.wakeUp", "ALMotion.rest"]), vec![]),
        17 => (dice.pick(&["ALMotion.killAll", "ALMotion.stopMove", "ALRobotPosture.stopMove"]), vec![]),
        18 => ("ALMotion.killTasksUsingResources", vec![list([dice.pick(&joints)])]),
        _ => ("ALTextToSpeech.stopAll", vec![]),
    }
}

/// The harness also checks that no call is answered twice and no timer is in the past.
#[test]
fn no_sequence_breaks_the_robot() {
    for seed in 0..300 {
        let body = BodyKind::ALL[(seed % 2) as usize];
        let mut h = Harness::new(SimOptions { body: body.body(), ..SimOptions::default() });
        let mut dice = Dice(Random::new(seed));
        let mut calls: Vec<CallId> = Vec::new();
        for _ in 0..60 {
            match dice.0.next_u64() % 10 {
                0..=5 => {
                    let (method, args) = random_call(&mut dice);
                    calls.push(h.post(method, &args));
                }
                6 => {
                    let open: Vec<CallId> = calls.iter().copied().filter(|c| !h.done(*c)).collect();
                    if !open.is_empty() {
                        h.cancel(dice.pick(&open));
                    }
                }
                _ => h.wait(dice.between(0.0, 2.0)),
            }
            let now = h.now;
            for (joint, value) in h.robot.joints(now).unwrap() {
                let limits = body.body().joint(&joint).unwrap();
                let inside = (limits.min - 1e-9..=limits.max + 1e-9).contains(&value);
                assert!(inside, "seed {seed}: {joint} is {value}");
            }
        }
        // No movement lasts for ever, except a wait for a walk that nobody stops.
        h.get("ALMotion.stopMove", &[]);
        h.wait(1000.0);
        let open: Vec<&CallId> = calls.iter().filter(|c| !h.done(**c)).collect();
        assert!(open.is_empty(), "seed {seed}: never answered {open:?}");
        assert_eq!(h.get("ALMotion.getTaskList", &[]), Value::list([]), "seed {seed}");
    }
}

/// Joints move on from their current values: no command makes a stiff joint jump.
#[test]
fn stiff_joints_do_not_jump() {
    for seed in 0..100 {
        let mut h = Harness::nao();
        let mut dice = Dice(Random::new(1000 + seed));
        let mut before = h.joint("HeadYaw");
        for _ in 0..200 {
            if dice.0.next_u64().is_multiple_of(4) {
                let (angle, time) = (dice.between(-2.0, 2.0).into(), dice.between(0.5, 2.0).into());
                match dice.0.next_u64() % 3 {
                    0 => h.post("ALMotion.angleInterpolation", &[s("HeadYaw"), angle, time, true.into()]),
                    1 => h.post("ALMotion.setAngles", &[s("HeadYaw"), angle, 0.2.into()]),
                    _ => h.post("ALMotion.killTasksUsingResources", &[list(["HeadYaw"])]),
                };
            }
            h.wait(0.01);
            let now = h.joint("HeadYaw");
            // 4 rad in half a second, steepest in the middle of a smooth curve.
            assert!((now - before).abs() < 0.13, "seed {seed}: from {before} to {now}");
            before = now;
        }
    }
}

/// Stopped actions do not keep a run in virtual time going.
#[test]
fn timers_of_stopped_actions_are_not_alive() {
    let calls = [
        ("ALMotion.angleInterpolation", vec![s("HeadYaw"), 1.0.into(), 10.0.into(), true.into()], "ALMotion.killAll"),
        ("ALMotion.moveTo", vec![1.0.into(), 0.0.into(), 0.0.into()], "ALMotion.killMove"),
        ("ALTextToSpeech.say", vec![s("a sentence of some length")], "ALTextToSpeech.stopAll"),
    ];
    for (begin, args, stop) in calls {
        let mut h = Harness::nao();
        h.get("ALMotion.wakeUp", &[]);
        let call = h.post(begin, &args);
        h.wait(0.1);
        assert!(h.timers_alive() > 0 && !h.done(call), "{begin}");
        h.get(stop, &[]);
        assert_eq!(h.timers_alive(), 0, "{stop}");
    }
}
