//! Asks several robots at the same time.

use super::day::Day;
use crate::robot_link;
use boxstep_qi::{Endpoint, Options};
use boxstep_robot::naoqi::ask::{Job, THREADS, together};
use boxstep_robot::naoqi::health::{self, Patience, Seen};
use std::time::Duration;

/// How long a robot has for everything.
const WITHIN: Duration = Duration::from_secs(60);
/// A robot has more time for its answers than when somebody waits for them.
const PATIENCE: Patience = Patience {
    coming_back: Duration::from_secs(5),
    asking: Duration::from_secs(8),
    looking: Duration::from_millis(400),
};

/// Returns a day for each robot, in their order.
pub(super) fn all(robots: Vec<(String, Endpoint)>, options: &Options, at: i64) -> Vec<Day> {
    let names: Vec<String> = robots.iter().map(|(name, _)| name.clone()).collect();
    let jobs: Vec<Job<Day>> =
        robots.into_iter().map(|(name, endpoint)| one(name, endpoint, options.clone(), at)).collect();
    let rounds = u32::try_from(names.len().div_ceil(THREADS)).unwrap_or(u32::MAX);
    let days = together(jobs, WITHIN.saturating_mul(rounds));
    let late = |name: &String| Day::off(name, at, format!("no answer within {} s", WITHIN.as_secs()));
    names.iter().zip(days).map(|(name, day)| day.unwrap_or_else(|| late(name))).collect()
}

fn one(name: String, endpoint: Endpoint, options: Options, at: i64) -> Job<Day> {
    Box::new(move || match robot_link::connect_to(name.clone(), &endpoint, options) {
        Ok(link) => match health::inspect(&link.reach(), &PATIENCE) {
            seen if seen == Seen::default() => {
                Day::off(&name, at, "it has not answered what a robot answers".to_owned())
            }
            seen => {
                let findings = health::judge(&seen);
                Day::of(&name, at, seen, findings)
            }
        },
        Err(why) => {
            let why = why.to_string();
            let why = why.strip_prefix(&format!("{name}: ")).unwrap_or(&why).to_owned();
            Day::off(&name, at, why)
        }
    })
}
