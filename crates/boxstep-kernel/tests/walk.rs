//! A walk tries every way through a plan.

use crate::puppet::{Puppet, Show, offer, puppet};
use boxstep_kernel::runner::{BehaviorRunner, Hook, Refusal, Report, Settings, Wrong, walk};
use boxstep_trace::Request;
use boxstep_types::{Time, Value};

fn walked(puppets: Vec<Puppet>, most: usize) -> (Report, Show) {
    let root = puppets[0].name();
    let settings = Settings { settle_within: Time::from_millis(1000), ..Settings::new(root) };
    let mut show = Show::with(puppets, settings);
    let report = walk(&mut show.runner, Time::from_millis(100), most);
    (report, show)
}

fn wrong(report: &Report) -> Vec<(usize, Wrong)> {
    report.problems.iter().map(|p| (p.of.index(), p.what)).collect()
}

#[test]
fn a_walk_goes_every_way_whatever_behaviors_answer_and_leaves_nothing_behind() {
    let all =
        vec![puppet("R", &["A", "B"]), puppet("A", &["S"]).wants(|_, _| false), puppet("B", &["S"]), puppet("S", &[])];
    let (report, show) = walked(all, 100);
    let tree = "R\n  A: no (it says no)\n    S: yes\n  B: yes\n    S: yes\n";
    assert_eq!(report.to_string(), tree);
    assert!(report.problems.is_empty() && !report.cut);
    assert!(show.runner.is_over());
    for name in ["R", "A", "B", "S"] {
        assert_eq!(show.view(name).scopes, 0);
    }
    let log = show.log.take();
    assert_eq!(log.iter().filter(|l| *l == "S.activated").count(), 2);
    assert_eq!(log.iter().filter(|l| l.starts_with("S.deactivated")).count(), 2);
}

#[test]
fn behaviors_decide_nothing_in_a_walk() {
    let r = puppet("R", &["A", "B"]).offers(&["B"]).on(Hook::Update, |cx, log| {
        log.add(format!("{:?}", cx.complete(Value::Null)));
    });
    let (report, show) = walked(vec![r, puppet("A", &[]), puppet("B", &[])], 100);
    assert_eq!(report.to_string(), "R\n  A: yes\n  B: yes\n");
    assert!(show.log.take().contains(&format!("{:?}", Err::<(), _>(Refusal::Walking))));
}

#[test]
fn requests_that_can_never_be_granted_are_found() {
    let p = puppet("P", &["A"])
        .on(Hook::Activated, |cx, _| offer(cx, "B").is_err())
        .on(Hook::Deactivated, |cx, _| cx.cancel_self().is_err())
        .wants(|cx, _| cx.cancel_delegates().is_err());
    let all = vec![puppet("R", &["P", "B"]), p, puppet("A", &[]), puppet("B", &[])];
    let (report, _) = walked(all, 100);
    let expected = [
        (1, Wrong::Request(Request::CancelDelegates, Refusal::Asking)),
        (1, Wrong::Request(Request::Ask, Refusal::NotDeclared)),
        (1, Wrong::Request(Request::CancelSelf, Refusal::Deactivating)),
    ];
    assert_eq!(wrong(&report), expected);
    assert!(report.to_string().contains("R → P: P: its request ask can never be granted there"));
}

#[test]
fn delegates_that_take_time_are_waited_for_and_those_that_never_settle_are_found() {
    let all = vec![puppet("R", &["A", "B"]), puppet("A", &[]).slow(2, 2, 2), puppet("B", &[])];
    assert!(walked(all, 100).0.problems.is_empty());
    let all = vec![puppet("R", &["A"]), puppet("A", &[]).slow(0, 999, 0)];
    assert_eq!(wrong(&walked(all, 100).0), [(1, Wrong::NeverSettles)]);
    let all = vec![puppet("R", &["A"]), puppet("A", &[]).slow(999, 0, 0)];
    assert_eq!(wrong(&walked(all, 100).0), [(1, Wrong::NeverSettles)]);
}

#[test]
fn a_walk_ends_where_it_is_told_to() {
    let all = vec![puppet("R", &["A", "B"]), puppet("A", &[]), puppet("B", &[])];
    let (report, show) = walked(all, 2);
    assert_eq!(report.to_string(), "R\n  A: yes\nand more\n");
    assert!(report.cut && show.runner.is_over());
}
