//! Random graphs, with shared behaviors, of behaviors that ask, delegate, cancel and end themselves in every hook, some of
//! which take time or lock resources: the invariants I1 to I10 of `docs/inside/runner.md` hold whatever they do.
//!
//! One property for each invariant; each plays cases of its own. `PROPTEST_CASES=20000 cargo test -p boxstep-kernel --test
//! tests random` plays more of them.

use crate::cases::*;
use boxstep_kernel::lifecycle::Phase;
use boxstep_kernel::runner::*;
use boxstep_types::{Time, Value};
use proptest::prelude::*;

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
