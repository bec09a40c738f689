//! Random graphs of behaviors that ask, delegate, cancel and end themselves in every hook; also played on an engine, by its tests.

use boxstep_kernel::runner::*;
use boxstep_types::Topic;
use boxstep_types::{Time, Value};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// A case: a graph, what its behaviors are like, and a tape of choices that is read whenever something is to be decided.
#[derive(Clone, Debug)]
pub struct Case {
    /// Delegates of each, all with a higher number.
    pub delegates: Vec<Vec<usize>>,
    /// How many ticks each takes to enter, to stop, to leave.
    pub slow: Vec<[u32; 3]>,
    pub locks: Vec<Option<u8>>,
    pub tape: Vec<u8>,
    pub policy: u8,
    pub next_tick: bool,
    pub max_hops: u32,
    pub stop_at: usize,
}

pub const TICKS: usize = 12;

pub fn topic() -> Topic {
    Topic::Memory("Happens".into())
}

pub fn cases() -> impl Strategy<Value = Case> {
    (2usize..9).prop_flat_map(|n| {
        let edges = proptest::collection::vec(any::<u16>(), n);
        let slow = proptest::collection::vec(prop_oneof![3 => Just([0; 3]), 1 => prop::array::uniform3(0u32..6)], n);
        let locks = proptest::collection::vec(prop_oneof![Just(None), (0u8..2).prop_map(Some)], n);
        let tape = proptest::collection::vec(any::<u8>(), 0..400);
        (edges, slow, locks, tape, 0u8..4, any::<bool>(), prop_oneof![Just(2), Just(15)], 0..2 * TICKS).prop_map(
            move |(edges, slow, locks, tape, policy, next_tick, max_hops, stop_at)| {
                let mut delegates: Vec<Vec<usize>> =
                    (0..n).map(|i| (i + 1..n).filter(|j| edges[i] >> j & 1 == 1).collect()).collect();
                // Everybody is reachable; the last one may be the idle behavior, which is a root.
                for (j, edge) in edges.iter().enumerate().skip(1) {
                    if !delegates.iter().any(|d| d.contains(&j)) {
                        let parent = usize::from(*edge) % j;
                        delegates[parent].push(j);
                    }
                }
                Case { delegates, slow, locks, tape, policy, next_tick, max_hops, stop_at }
            },
        )
    })
}

/// What one behavior has been told and has asked.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub entered: bool,
    pub active: bool,
    pub updated: usize,
    pub said_yes: bool,
    /// Delegations that have neither ended nor been cancelled.
    pub tickets: BTreeSet<Ticket>,
}

/// Keeps what has been seen, and writes down what breaks a law.
#[derive(Debug, Default)]
pub struct Court {
    pub tape: Vec<u8>,
    pub at: usize,
    pub seen: Vec<Seen>,
    pub roots: Vec<usize>,
    pub log: Vec<String>,
    pub broken: Vec<(u8, String)>,
    pub granted: usize,
    pub refused: usize,
    /// Events raised before this tick.
    pub raised: usize,
}

pub type Bench = Arc<Mutex<Court>>;

impl Court {
    pub fn next(&mut self) -> u8 {
        let byte = self.tape.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    pub fn hold(&mut self, law: u8, kept: bool, what: impl FnOnce() -> String) {
        if !kept {
            let what = format!("{} after {:?}", what(), self.log.iter().rev().take(8).collect::<Vec<_>>());
            self.broken.push((law, what));
        }
    }
}

pub struct Bot {
    pub me: usize,
    pub delegates: Vec<usize>,
    pub lock: Option<u8>,
    pub slow: [u32; 3],
    pub left: u32,
    pub court: Bench,
}

impl Bot {
    fn court(&self) -> std::sync::MutexGuard<'_, Court> {
        self.court.lock().unwrap()
    }

    fn called(&self, hook: &str) {
        let line = format!("b{} {hook}", self.me);
        self.court().log.push(line);
    }

    /// Asks for up to three things.
    fn acts(&self, cx: &mut Control<'_>) {
        for _ in 0..3 {
            let (what, which) = {
                let mut court = self.court();
                (court.next() % 16, court.next())
            };
            let before = cx.fingerprint();
            let some: Vec<BehaviorId> =
                cx.delegates().iter().copied().filter(|id| which >> (id.index() % 8) & 1 == 1).collect();
            let one = cx.find(&format!("b{}", which % 9));
            let answer = match (what, one) {
                (0, Some(one)) => cx.ask(one).map(|_| ()),
                (1, Some(one)) => cx.delegate_to(one).map(|t| self.took(&[t])),
                (2 | 3, _) if !some.is_empty() => {
                    let asked: Vec<_> = some.iter().map(|id| cx.ask(*id)).collect();
                    let before = cx.fingerprint();
                    let answer = cx.delegate(&some, Value::Int(i64::from(which)));
                    if answer.is_err() {
                        self.same(&before, cx, "delegate");
                    }
                    let willing = asked.iter().all(|a| *a == Ok(Wants::Yes));
                    self.court().hold(6, answer.is_err() || willing, || "delegated without a yes".into());
                    let _ = answer.map(|t| self.took(&t.iter().collect::<Vec<_>>()));
                    continue;
                }
                (4..7, _) => {
                    let Some(&first) = some.first() else { continue };
                    let _ = cx.offer(first).map(|t| self.took(&[t]));
                    continue;
                }
                (7, _) => cx.cancel_delegates().map(|_| self.court().seen[self.me].tickets.clear()),
                (8, _) => cx.cancel_self(),
                (9 | 10, _) => cx.complete(Value::Int(i64::from(which))),
                (11, _) => cx.fail("no"),
                (12, _) => {
                    let Some(&first) = some.first() else { continue };
                    let _ = cx.ask(first);
                    let before = cx.fingerprint();
                    let answer = cx.delegate(&[first, first], Value::Null);
                    assert!(answer.is_err());
                    self.same(&before, cx, "delegation to one named twice");
                    continue;
                }
                _ => continue,
            };
            match answer {
                Ok(()) => self.court().granted += 1,
                Err(_) => self.same(&before, cx, "request"),
            }
        }
    }

    fn same(&self, before: &str, cx: &Control<'_>, what: &str) {
        let after = cx.fingerprint();
        let mut court = self.court();
        court.refused += 1;
        court.hold(9, after == before, || format!("a refused {what} has changed\n{before}\nto\n{after}"));
    }

    fn took(&self, tickets: &[Ticket]) {
        let mut court = self.court();
        court.granted += 1;
        court.seen[self.me].tickets.extend(tickets);
        // Those that ended in the same call are told of later.
    }
}

impl Behavior for Bot {
    fn init(&mut self, cx: &mut Control<'_>) {
        self.called("init");
        cx.subscribe(topic());
        self.acts(cx);
    }

    fn entered_scope(&mut self, cx: &mut Control<'_>) {
        self.called("entered");
        self.left = self.slow[0];
        {
            let mut court = self.court();
            let was = court.seen[self.me].entered;
            court.hold(4, !was, || format!("b{} enters twice", self.me));
            court.seen[self.me].entered = true;
        }
        self.acts(cx);
    }

    fn activated(&mut self, cx: &mut Control<'_>, _: &Value) {
        self.called("activated");
        {
            let mut court = self.court();
            let Seen { entered, active, said_yes, .. } = court.seen[self.me];
            court.hold(4, !active, || format!("b{} is activated twice", self.me));
            court.hold(6, entered && cx.is_in_scope(), || format!("b{} is activated out of scope", self.me));
            let root = court.roots.contains(&self.me);
            court.hold(6, said_yes || root, || format!("b{} is activated without a yes", self.me));
            court.seen[self.me].active = true;
            court.seen[self.me].said_yes = false;
        }
        self.acts(cx);
    }

    fn deactivated(&mut self, cx: &mut Control<'_>, end: &End) {
        self.called(&format!("deactivated {end:?}"));
        self.left = self.slow[1];
        {
            let mut court = self.court();
            let was = court.seen[self.me].active;
            court.hold(4, was, || format!("b{} is deactivated twice", self.me));
            court.seen[self.me].active = false;
            court.seen[self.me].tickets.clear();
        }
        self.acts(cx);
    }

    fn left_scope(&mut self, cx: &mut Control<'_>) {
        self.called("left");
        self.left = self.slow[2];
        {
            let mut court = self.court();
            let Seen { entered, active, .. } = court.seen[self.me];
            court.hold(4, entered && !active, || format!("b{} leaves and was not in, or is active", self.me));
            court.seen[self.me].entered = false;
        }
        self.acts(cx);
    }

    fn wants_to_be_activated(&self, cx: &mut Control<'_>) -> bool {
        self.called("wants");
        let yes = {
            let mut court = self.court();
            let entered = court.seen[self.me].entered;
            court.hold(6, entered, || format!("b{} is asked out of scope", self.me));
            let yes = court.next() % 4 != 1;
            court.seen[self.me].said_yes = yes;
            yes
        };
        self.acts(cx);
        yes
    }

    fn update(&mut self, cx: &mut Control<'_>) {
        self.called("update");
        {
            let mut court = self.court();
            court.seen[self.me].updated += 1;
            let Seen { entered, updated, .. } = court.seen[self.me];
            court.hold(5, updated == 1, || format!("b{} is updated twice", self.me));
            court.hold(5, entered && cx.is_in_scope(), || format!("b{} is updated out of scope", self.me));
            let (heard, raised) = (cx.events().count(), court.raised);
            court.hold(5, heard == raised, || format!("b{} hears {heard} events of {raised}", self.me));
            let random = cx.random();
            court.log.push(format!("random {random}"));
        }
        self.acts(cx);
    }

    fn on_delegate_ended(&mut self, cx: &mut Control<'_>, ticket: Ticket, end: &End) {
        self.called(&format!("told {ticket} {end:?}"));
        {
            let mut court = self.court();
            let mine = court.seen[self.me].tickets.remove(&ticket);
            court.hold(1, mine, || format!("b{} is told of {ticket}, which it does not have", self.me));
        }
        self.acts(cx);
    }

    fn all_delegates(&self, all: &mut Delegates) {
        for delegate in &self.delegates {
            all.add(format!("b{delegate}"));
        }
        if let Some(lock) = self.lock {
            all.lock(format!("resource {lock}"));
        }
    }

    fn settled(&mut self, cx: &mut Control<'_>) -> bool {
        let settled = self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.acts(cx);
        settled
    }
}

/// The runner of a case, who looks on, and its roots.
pub fn built(case: &Case) -> (Runner, Bench, Vec<usize>) {
    let n = case.delegates.len();
    let mut settings = Settings { hand_over_next_tick: case.next_tick, max_hops: case.max_hops, ..Settings::new("b0") };
    // A short time, so that some are forced.
    settings.settle_within = Time::from_millis(250);
    let last = n - 1;
    let mut roots = vec![0];
    settings.at_end = match case.policy {
        0 => RootPolicy::Stop,
        1 => RootPolicy::Restart,
        _ => {
            roots.push(last);
            RootPolicy::Idle(format!("b{last}").into())
        }
    };
    let seen = vec![Seen::default(); n];
    let court = Court { tape: case.tape.clone(), seen, roots: roots.clone(), ..Court::default() };
    let court: Bench = Arc::new(Mutex::new(court));
    let mut plan = Plan::new();
    for me in 0..n {
        let (delegates, lock, slow) = (case.delegates[me].clone(), case.locks[me], case.slow[me]);
        plan.add(format!("b{me}"), Bot { me, delegates, lock, slow, left: 0, court: court.clone() });
    }
    let mut runner = plan.build(settings).unwrap();
    runner.keep_account(true);
    (runner, court, roots)
}
