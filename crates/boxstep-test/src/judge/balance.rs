//! Judges whether the robot stays on its feet.

use super::{Difference, Focus, JudgedRun};
use crate::balance::{RunBalance, RunFall};
use crate::expect::Expect;
use boxstep_dynamics::Model;

const KEEPS: &str = "the robot keeps its balance";

impl JudgedRun<'_> {
    pub(super) fn balance(&self, expect: &Expect, found: &mut Vec<Difference>) {
        let Some(wanted) = &expect.balanced else { return };
        let mut differs = |expected: &str, instead: String, focus| {
            found.push(self.differs(&wanted.span(), expected.to_owned(), instead, focus));
        };
        let expected = if *wanted.get_ref() { KEEPS } else { "the robot tips over" };
        let model = Model::new(self.body);
        let Some(balance) = RunBalance::of(&model, self.run) else {
            let why = format!("the masses or the feet of {}, or its joint angles, are not known", self.body.name);
            return differs(expected, why, Focus::End);
        };
        match (*wanted.get_ref(), balance.least) {
            (_, None) => differs(expected, "it never stands, so that it cannot be judged".to_owned(), Focus::End),
            (true, Some(_)) => {
                for fall in &balance.falls {
                    differs(KEEPS, in_words(fall), Focus::Time(fall.at));
                }
            }
            (false, Some((margin, at))) if balance.falls.is_empty() => {
                let least = format!("it keeps its balance; {} are left at {at} s", millimetres(margin));
                differs(expected, least, Focus::Time(at));
            }
            (false, Some(_)) => {}
        }
    }
}

/// Formats a fall: `it tips over at 3.200 s, forward, root/Dance, by 4 mm`.
fn in_words(fall: &RunFall) -> String {
    let path = if fall.path.is_empty() { String::new() } else { format!("{}, ", fall.path) };
    let why = if fall.still { "" } else { ", because it moves so fast" };
    format!("it tips over at {} s, {}, {path}by {}{why}", fall.at, fall.side.word(), millimetres(fall.out))
}

fn millimetres(metres: f64) -> String {
    format!("{:.0} mm", 1000.0 * metres)
}
