//! What stops a command before it is complete: the arms stop before they run into the body, and whole body control keeps
//! the balance.
//!
//! Source: the pages "Self-collision avoidance" and "Whole Body control" of the NAOqi documentation. (Ours: a robot goes
//! round an obstacle and moves its other joints to keep its balance. Here a command goes on until the last moment at
//! which nothing is wrong, and what it moves stays there.)

use super::collision::{self, ARMS, Arm};
use super::joints::{self, Track};
use super::whole_body;
use crate::world::{World, readable};
use boxstep_types::{Time, Value};

/// How often a command is looked at, if a joint has moved this much, in radians, and how many times at most.
const PERIOD: Time = Time::from_millis(40);
const SLIGHT: f64 = 0.05;
const MOST: i64 = 2_000;

/// A stop of a command.
#[derive(Debug)]
pub(super) struct Stop {
    /// What stops, and why.
    text: String,
    /// After how many seconds.
    seconds: f64,
}

/// The commanded angles at later times.
struct Future<'w> {
    w: &'w World,
    moving: Vec<usize>,
    angles: Vec<f64>,
}

impl<'w> Future<'w> {
    fn new(w: &'w World, now: Time) -> Self {
        let moves =
            |joint: &usize| w.motion.joints.get(w.body.leader(*joint)).is_some_and(|joint| joint.command.end() > now);
        Self { w, moving: (0..w.body.len()).filter(moves).collect(), angles: joints::angles(w, now, false) }
    }

    fn at(&mut self, time: Time) -> &[f64] {
        for joint in &self.moving {
            if let Some(angle) = self.angles.get_mut(*joint) {
                *angle = joints::command(self.w, *joint, time);
            }
        }
        &self.angles
    }

    /// Returns the last of the times before the first at which something is wrong; `None` if nothing is. Times at which no
    /// joint has moved much are left out.
    fn last_good(&mut self, now: Time, end: Time, mut is_wrong: impl FnMut(&[f64]) -> bool) -> Option<Time> {
        let step = Time(PERIOD.0.max((end - now).0 / MOST));
        let (mut good, mut next) = (now, now);
        let mut looked_at = self.angles.clone();
        while next < end {
            next = (next + step).min(end);
            let angles = self.at(next);
            let moved = angles.iter().zip(&looked_at).map(|(is, was)| (is - was).abs()).fold(0.0, f64::max);
            if moved < SLIGHT && next < end {
                continue;
            }
            if is_wrong(angles) {
                return Some(good);
            }
            looked_at.copy_from_slice(angles);
            good = next;
        }
        None
    }
}

/// Stops a command of these joints, which begins now, where that is needed.
pub(super) fn guard(w: &mut World, joints: &[usize], now: Time) -> Vec<Stop> {
    let mut stops = Vec::new();
    for arm in ARMS {
        stops.extend(keep_apart(w, arm, joints, now));
    }
    stops.extend(keep_balance(w, joints, now));
    stops
}

/// Returns when the last of these joints is still.
fn end(w: &World, joints: &[usize], now: Time) -> Time {
    joints.iter().filter_map(|joint| w.motion.joints.get(*joint)).map(|j| j.command.end()).fold(now, Time::max)
}

fn keep_apart(w: &mut World, arm: Arm, joints: &[usize], now: Time) -> Option<Stop> {
    if !collision::is_protected(w, arm) {
        return None;
    }
    let own = collision::joints(w, arm);
    let own: Vec<usize> = joints.iter().copied().filter(|joint| own.contains(joint)).collect();
    let end = end(w, &own, now);
    if end <= now {
        return None;
    }
    let search = collision::Search::new(w, arm)?;
    let mut future = Future::new(w, now);
    // An arm that is in another part may go out of it on any way.
    let mut was_free = !search.collides(&future.angles);
    let at = future.last_good(now, end, |angles| {
        let collides = search.collides(angles);
        was_free |= !collides;
        was_free && collides
    })?;
    hold(w, &own, at);
    Some(Stop { text: format!("{} stops before it runs into the body", arm.name()), seconds: (at - now).as_secs_f64() })
}

fn keep_balance(w: &mut World, joints: &[usize], now: Time) -> Option<Stop> {
    let end = end(w, joints, now);
    if end <= now {
        return None;
    }
    let mut future = Future::new(w, now);
    let limits = whole_body::Limits::new(w, &future.angles)?;
    let at = future.last_good(now, end, |angles| !limits.allow(w, angles))?;
    hold(w, joints, at);
    Some(Stop { text: "whole body control stops it".to_owned(), seconds: (at - now).as_secs_f64() })
}

/// Lets joints stay from a time on where they are then.
fn hold(w: &mut World, joints: &[usize], at: Time) {
    for joint in joints {
        if let Some(joint) = w.motion.joints.get_mut(*joint) {
            let track = std::mem::replace(&mut joint.command, Track::Still(0.0));
            joint.command = Track::Held(at, Box::new(track));
        }
    }
}

/// Adds stops to the text and the data of an act.
pub(super) fn tell(stops: &[Stop], text: &mut String, data: &mut Vec<(&str, Value)>) {
    for stop in stops {
        *text += &format!("; {} (after {})", stop.text, readable(stop.seconds));
    }
    if let Some(first) = stops.iter().map(|stop| stop.seconds).reduce(f64::min) {
        data.push(("held", Value::Float((first * 1e6).round() / 1e6)));
    }
}
