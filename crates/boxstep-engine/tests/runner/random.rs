//! Random graphs, with shared behaviors, of behaviors that ask, delegate, cancel and end themselves in every hook, some of
//! which take time or lock resources: the invariants I1 to I10 of `docs/runner.md` hold whatever they do.
//!
//! One property for each invariant; each plays cases of its own. `PROPTEST_CASES=20000 cargo test -p boxstep-engine --test
//! runner random` plays more of them.

use boxstep_engine::objects::Phase;
use boxstep_engine::runner::*;
use boxstep_engine::services::Topic;
use boxstep_types::{Time, Value};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// A case: a graph, what its behaviors are like, and a tape of choices that is read whenever something is to be decided.
#[derive(Clone, Debug)]
struct Case {
    /// Delegates of each, all with a higher number.
    delegates: Vec<Vec<usize>>,
    /// How many ticks each takes to enter, to stop, to leave.
    slow: Vec<[u32; 3]>,
    locks: Vec<Option<u8>>,
    tape: Vec<u8>,
    policy: u8,
    next_tick: bool,
    max_hops: u32,
    stop_at: usize,
}

const TICKS: usize = 12;

fn topic() -> Topic {
    Topic::Memory("Happens".into())
}

fn cases() -> impl Strategy<Value = Case> {
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
struct Seen {
    entered: bool,
    active: bool,
    updated: usize,
    said_yes: bool,
    /// Delegations that have neither ended nor been cancelled.
    tickets: BTreeSet<Ticket>,
}

/// Keeps what has been seen, and writes down what breaks a law.
#[derive(Debug, Default)]
struct Court {
    tape: Vec<u8>,
    at: usize,
    seen: Vec<Seen>,
    roots: Vec<usize>,
    log: Vec<String>,
    broken: Vec<(u8, String)>,
    granted: usize,
    refused: usize,
    /// Events raised before this tick.
    raised: usize,
}

type Bench = Arc<Mutex<Court>>;

impl Court {
    fn next(&mut self) -> u8 {
        let byte = self.tape.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    fn hold(&mut self, law: u8, kept: bool, what: impl FnOnce() -> String) {
        if !kept {
            let what = format!("{} after {:?}", what(), self.log.iter().rev().take(8).collect::<Vec<_>>());
            self.broken.push((law, what));
        }
    }
}

struct Bot {
    me: usize,
    delegates: Vec<usize>,
    lock: Option<u8>,
    slow: [u32; 3],
    left: u32,
    court: Bench,
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
fn built(case: &Case) -> (Runner, Bench, Vec<usize>) {
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

/// Plays a case. Gives what broke a law, and an account of all that happened.
fn play(case: &Case) -> (Vec<(u8, String)>, Vec<String>, [usize; 2]) {
    let (mut runner, court, roots) = built(case);
    let mut account = Vec::new();
    for tick in 0..3 * TICKS {
        for seen in &mut court.lock().unwrap().seen {
            (seen.updated, seen.said_yes) = (0, false);
        }
        if tick == case.stop_at || tick == 2 * TICKS {
            runner.stop();
        }
        let raised = usize::from(court.lock().unwrap().next() % 3);
        court.lock().unwrap().raised = raised;
        for n in 0..raised {
            assert!(runner.raise(&topic(), Value::Int(n as i64), Time::from_millis(100 * tick as i64)));
        }
        runner.tick(Time::from_millis(100 * tick as i64));
        account.extend(runner.take_account().into_iter().map(|h| format!("{h:?}")));
        look(&runner, case, &mut court.lock().unwrap(), &roots);
    }
    let mut court = court.lock().unwrap();
    court.hold(8, runner.is_over(), || "it is not over".into());
    for id in runner.behaviors() {
        let view = runner.view(id);
        let out = view.phase == Phase::Out && view.scopes == 0 && !view.active && view.holds == 0 && !view.waits;
        court.hold(8, out, || format!("{} is left behind: {view:?}", runner.name(id)));
        let seen = &court.seen[id.index()];
        let told = !seen.entered && !seen.active;
        court.hold(8, told, || format!("{} was not told that it is over", runner.name(id)));
    }
    account.append(&mut court.log);
    (std::mem::take(&mut court.broken), account, [court.granted, court.refused])
}

/// What must be so between two ticks.
fn look(runner: &Runner, case: &Case, court: &mut Court, roots: &[usize]) {
    let views: Vec<View> = runner.behaviors().map(|id| runner.view(id)).collect();
    let active = runner.active();
    let index = |id: BehaviorId| id.index();
    for (me, view) in views.iter().enumerate() {
        let listed = active.iter().filter(|id| index(**id) == me).count();
        court.hold(1, listed == usize::from(view.active), || format!("b{me} is active, and on no way from the root"));
        court.hold(1, view.active == court.seen[me].active, || format!("b{me} was told otherwise than it is"));
        // As many active delegates as delegations that run: one way, or one for each region.
        let children = views.iter().filter(|v| v.parent.map(index) == Some(me)).count();
        let waiting = court.seen[me].tickets.iter().filter(|t| runner.runs(**t)).count();
        court.hold(1, children <= waiting, || format!("b{me} has {children} active delegates, {waiting} delegations"));
        if !case.next_tick {
            let known = court.seen[me].tickets.clone();
            let lost = known.iter().find(|t| !runner.runs(**t));
            court.hold(1, lost.is_none(), || format!("b{me} was never told of the end of {lost:?}"));
        }
        match view.parent.map(index) {
            Some(parent) => {
                court.hold(2, case.delegates[parent].contains(&me), || format!("b{me} is no delegate of b{parent}"));
                court.hold(1, views[parent].active, || format!("b{me} is active, and b{parent} is not"));
            }
            None => court.hold(2, !view.active || roots.contains(&me), || format!("b{me} is active by nobody's doing")),
        }
        let over = runner.is_over() || !roots.iter().any(|r| views[*r].scopes > 0);
        let declaring = (0..views.len()).filter(|p| views[*p].active && case.delegates[*p].contains(&me)).count();
        let counted = declaring + usize::from(roots.contains(&me) && !over);
        court.hold(3, view.scopes as usize == counted, || format!("b{me}: {} scopes, {counted} parents", view.scopes));
        let in_scope = !matches!(view.phase, Phase::Out | Phase::Entering | Phase::Leaving);
        let updates = court.seen[me].updated;
        court.hold(5, !in_scope || updates == 1, || format!("b{me} is in scope, and was updated {updates} times"));
        let winding = matches!(view.phase, Phase::Stopping | Phase::Leaving);
        let holds = view.holds > 0;
        court.hold(7, !holds || view.active || winding, || format!("b{me} holds what it must not: {view:?}"));
        // Of an active one that locks something somebody on its way holds it.
        if view.active && case.locks[me].is_some() {
            let mut at = Some(me);
            let mut held = false;
            while let Some(one) = at {
                held |= views[one].holds > 0 && case.locks[one] == case.locks[me];
                at = views[one].parent.map(index);
            }
            court.hold(7, held, || format!("b{me} runs without its resource"));
        }
    }
}

fn kept(case: &Case, law: u8) -> Result<(), TestCaseError> {
    let (broken, ..) = play(case);
    let mine: Vec<&String> = broken.iter().filter(|(l, _)| *l == law).map(|(_, what)| what).collect();
    prop_assert!(mine.is_empty(), "{}", mine[0]);
    Ok(())
}

macro_rules! laws {
    ($($(#[$doc:meta])* $name:ident: $law:literal;)*) => { proptest! { $(
        $(#[$doc])*
        #[test]
        fn $name(case in cases()) { kept(&case, $law)?; }
    )* } };
}

laws! {
    i1_the_active_ones_are_one_way_from_the_root_for_each_region: 1;
    i2_every_active_one_is_declared_by_its_parent: 2;
    i3_the_scope_count_is_the_number_of_active_parents_that_declare_it: 3;
    i4_enter_and_leave_alternate_and_so_do_activate_and_deactivate: 4;
    i5_between_enter_and_leave_exactly_one_update_in_each_tick: 5;
    i6_activated_only_in_scope_and_after_a_yes_in_the_same_tick: 6;
    i7_who_has_been_deactivated_holds_no_resource: 7;
    i8_after_a_stop_every_count_is_0: 8;
    i9_a_refused_request_leaves_everything_as_it_was: 9;
}

proptest! {
    #[test]
    fn i10_the_same_plan_and_inputs_give_the_same_account(case in cases()) {
        prop_assert_eq!(play(&case).1, play(&case).1);
    }
}

/// Who owns what by the engine's word: a behavior's name, or that of somebody outside, and the resource.
fn owners(engine: &mut boxstep_engine::Engine) -> Vec<(String, String)> {
    let answer = super::claims::manages(engine, "ownersGet", Vec::new()).lock().unwrap().take().unwrap().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut all = Vec::new();
    for pair in answer.as_list().unwrap() {
        let pair = pair.as_list().unwrap();
        for owner in pair[1].as_list().unwrap() {
            all.push((text(owner).rsplit('/').next().unwrap().to_owned(), text(&pair[0])));
        }
    }
    all
}

proptest! {
    /// On an engine, where somebody outside takes and gives back the same resources.
    #[test]
    fn i7_what_behaviors_hold_the_engine_holds_for_them_and_for_nobody_else(
        case in cases(),
        outside in proptest::collection::vec((0u8..6, 0u8..2), 2 * TICKS..3 * TICKS),
    ) {
        let (runner, _, roots) = built(&case);
        let mut engine = boxstep_engine::Engine::without_robot(boxstep_engine::config::Config::default());
        engine.keep_open(true);
        let id = engine.add_runner(runner, Time::from_millis(100)).unwrap();
        for (tick, (act, lock)) in outside.iter().enumerate() {
            let name = Value::from(format!("resource {lock}"));
            let acquires = |seconds: i64| ("acquireResource", vec![name.clone(), "Out".into(), "".into(), seconds.into()]);
            let (method, args) = match act {
                0 => acquires(0),
                1 => acquires(60),
                2 | 3 => ("releaseResource", vec![name.clone(), "Out".into()]),
                _ => ("getResources", Vec::new()),
            };
            super::claims::manages(&mut engine, method, args);
            if tick == case.stop_at {
                engine.stop_runner(id);
            }
            engine.run_until(Time::from_millis(100 * tick as i64 + 50)).unwrap();
            let owners = owners(&mut engine);
            let runner = engine.runner(id).unwrap();
            for of in runner.behaviors() {
                let (name, holds) = (runner.name(of), runner.view(of).holds);
                let owns: Vec<&String> = owners.iter().filter(|(owner, _)| owner == name).map(|(_, what)| what).collect();
                // A root is not asked, and may run without what somebody outside has.
                let lacks = roots.contains(&of.index()) && owners.iter().any(|(owner, _)| owner == "Out");
                prop_assert!(owns.len() == holds || lacks && owns.len() < holds, "{} holds {}: {:?}", name, holds, owners);
            }
            for (owner, what) in owners.iter().filter(|(owner, _)| owner == "Out") {
                let shared = owners.iter().any(|(other, same)| other != owner && same == what);
                prop_assert!(!shared, "{} is shared: {:?}", what, owners);
            }
        }
        engine.stop_runner(id);
        engine.run_until(Time::from_millis(100_000)).unwrap();
        let left = owners(&mut engine).into_iter().find(|(owner, _)| owner != "Out");
        prop_assert!(left.is_none(), "{:?} is left", left);
    }
}

proptest! {
    /// A walk is a test of what users write; of what the runner itself must do it finds nothing wrong.
    #[test]
    fn a_walk_leaves_nothing_behind_and_finds_only_requests_and_slowness(case in cases()) {
        let mut runner = built(&case).0;
        let report = walk(&mut runner, Time::from_millis(100), 200);
        for problem in &report.problems {
            prop_assert!(!matches!(problem.what, Wrong::NotAsBefore(..)), "{report}");
        }
        prop_assert!(runner.is_over());
        for id in runner.behaviors() {
            let view = runner.view(id);
            prop_assert!(view.phase == Phase::Out && view.scopes == 0 && !view.active && !view.waits, "{view:?}");
        }
    }
}

/// What is drawn at random would prove nothing if it hardly ever came to what matters.
#[test]
fn the_cases_come_to_what_matters() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut all, mut counts) = (String::new(), [0; 2]);
    for _ in 0..800 {
        let case = cases().new_tree(&mut runner).unwrap().current();
        let (_, account, [granted, refused]) = play(&case);
        all += &account.join("\n");
        counts = [counts[0] + granted, counts[1] + refused];
    }
    let kinds = ["Entering", "Stopping", "Leaving", "Waits", "Forced", "Livelock", "Done", "Failed", "Itself", "told"];
    for what in kinds {
        assert!(all.matches(what).count() >= 10, "{what}: {}", all.matches(what).count());
    }
    for refusal in [
        "NotActive",
        "NotInControl",
        "NotDeclared",
        "NotAsked",
        "SaidNo",
        "AlreadyActive",
        "Deactivating",
        "Asking",
        "Taken",
    ] {
        assert!(all.matches(refusal).count() > 5, "{refusal}: {}", all.matches(refusal).count());
    }
    assert!(counts.iter().all(|c| *c > 1_000), "{counts:?}");
}
