//! Walks every path through a plan for a trial, without a robot and without waiting until behaviors would take it.

use super::state::NONE;
use super::{BehaviorId, Refusal, Runner, Wants, What};
use crate::lifecycle::Phase;
use boxstep_trace::Request;
use boxstep_types::{Time, Value};
use std::fmt;

/// The result of a walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Every possible stack of active behaviors, in the order in which they were tried: a behavior before its
    /// delegates.
    pub visits: Vec<Visit>,
    /// The problems found.
    pub problems: Vec<Problem>,
    /// Whether the walk was cut short because there are more paths than allowed.
    pub cut: bool,
    names: Vec<std::sync::Arc<str>>,
}

/// One stack of active behaviors.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    /// The path from the root to the behavior that was tried last.
    pub way: Vec<BehaviorId>,
    /// Its answer when it was asked; `None` for roots, which are not asked.
    pub wants: Option<Wants>,
}

/// A problem of a behavior.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The stack of active behaviors.
    pub way: Vec<BehaviorId>,
    /// The behavior with the problem.
    pub of: BehaviorId,
    /// The kind of the problem.
    pub what: Wrong,
}

/// The kind of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// A request that can never be granted where it is made: to a delegate that was not declared, or from a hook in
    /// which requests are not allowed.
    Request(Request, Refusal),
    /// It did not settle in time ([`super::Settings::settle_within`]).
    NeverSettles,
    /// The behavior's state differs after an activation and a cancel: its phase, and the number of parents that have it
    /// in scope.
    NotAsBefore(Phase, u32),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Request(request, why) => write!(f, "its request {request} can never be granted there: {why}"),
            Wrong::NeverSettles => f.write_str("it does not settle in time"),
            Wrong::NotAsBefore(phase, scopes) => {
                write!(f, "after a cancel it is not as before: {phase:?}, in scope {scopes} times")
            }
        }
    }
}

impl Report {
    fn name(&self, id: BehaviorId) -> &str {
        self.names.get(id.index()).map_or("", |name| name)
    }

    fn way(&self, way: &[BehaviorId]) -> String {
        way.iter().map(|id| self.name(*id)).collect::<Vec<_>>().join(" → ")
    }
}

/// Formats the tree of visits with the answers, then the problems.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Visit { way, wants } in &self.visits {
            let Some(last) = way.last() else { continue };
            let answer = match wants {
                None => "",
                Some(Wants::Yes) => ": yes",
                Some(Wants::No(why)) => &format!(": no ({why})"),
            };
            writeln!(f, "{}{}{answer}", "  ".repeat(way.len() - 1), self.name(*last))?;
        }
        if self.cut {
            writeln!(f, "and more")?;
        }
        for Problem { way, of, what } in &self.problems {
            writeln!(f, "{}: {}: {what}", self.way(way), self.name(*of))?;
        }
        Ok(())
    }
}

/// Activates every possible stack of active behaviors, one after the other, whatever they answer when they are asked.
/// For each it ticks once, cancels, and checks whether everything is as before. Visits at most `most` stacks.
///
/// Behaviors decide nothing meanwhile: each of their own requests is refused ([`Refusal::Walking`]), and those that
/// could never be granted are reported as problems. Time passes by `period` in each tick. The runner has stopped
/// afterwards. A runner that has already begun is only stopped.
pub fn walk(runner: &mut Runner, period: Time, most: usize) -> Report {
    let mut walk =
        Walk { report: Report { names: runner.names.clone(), ..Report::default() }, way: Vec::new(), period, most };
    if runner.ticks() == 0 {
        let kept = runner.events.on;
        runner.keep_account(true);
        runner.walking = true;
        walk.roots(runner);
        runner.walking = false;
        runner.stop();
        walk.tick_until(runner, |runner| runner.is_over());
        runner.keep_account(kept);
    } else {
        runner.stop();
    }
    walk.report
}

struct Walk {
    report: Report,
    way: Vec<BehaviorId>,
    period: Time,
    most: usize,
}

impl Walk {
    fn roots(&mut self, runner: &mut Runner) {
        // Like the first tick, but without giving control to the root.
        runner.state.started = true;
        for root in runner.roots.all() {
            runner.enter(root);
        }
        self.check_events(runner);
        for root in runner.roots.all() {
            self.visit(runner, NONE, BehaviorId(root));
        }
    }

    /// Tries a behavior, and all that can be reached from it.
    fn visit(&mut self, runner: &mut Runner, parent: u32, of: BehaviorId) {
        if self.report.visits.len() >= self.most {
            self.report.cut = true;
            return;
        }
        self.way.push(of);
        self.tick_until(runner, |runner| runner.state.slow.is_empty());
        let wants = (parent != NONE).then(|| runner.wants(parent, of.0));
        self.report.visits.push(Visit { way: self.way.clone(), wants });
        self.check_events(runner);
        let before = runner.view(of);
        if before.phase == Phase::InScope && runner.state.slow.is_empty() {
            runner.state.tickets += 1;
            runner.start(parent, &[(of.0, runner.state.tickets)], &Value::Null);
            self.tick(runner);
            for at in 0..runner.delegates(of).len() {
                self.visit(runner, of.0, runner.delegates(of)[at]);
            }
            runner.end(of.0, super::End::Cancelled(super::By::Stop), super::By::Stop);
            self.tick_until(runner, |runner| !runner.state.winds_down(of.0));
        } else {
            self.add_problem(of, Wrong::NeverSettles);
        }
        self.check_events(runner);
        let after = runner.view(of);
        if (after.phase, after.scopes) != (before.phase, before.scopes) {
            self.add_problem(of, Wrong::NotAsBefore(after.phase, after.scopes));
        }
        self.way.pop();
    }

    fn tick(&mut self, runner: &mut Runner) {
        runner.tick(runner.now + self.period);
        self.check_events(runner);
    }

    /// Ticks until a condition holds, but no longer than behaviors may take to settle.
    fn tick_until(&mut self, runner: &mut Runner, done: impl Fn(&Runner) -> bool) {
        let until = runner.now + runner.settings.settle_within + self.period;
        while !done(runner) && runner.now <= until && self.period > Time::ZERO {
            self.tick(runner);
        }
    }

    /// Checks the events for problems.
    fn check_events(&mut self, runner: &mut Runner) {
        for happened in runner.take_account() {
            let Some(of) = happened.of else { continue };
            match happened.what {
                What::Refused(_, _, Refusal::Walking) => {}
                What::Refused(request, _, why @ (Refusal::NotDeclared | Refusal::Asking | Refusal::Deactivating)) => {
                    self.add_problem(of, Wrong::Request(request, why));
                }
                What::Forced => self.add_problem(of, Wrong::NeverSettles),
                _ => {}
            }
        }
    }

    fn add_problem(&mut self, of: BehaviorId, what: Wrong) {
        let known = |p: &Problem| p.of == of && p.what == what;
        if !self.report.problems.iter().any(known) {
            self.report.problems.push(Problem { way: self.way.clone(), of, what });
        }
    }
}
