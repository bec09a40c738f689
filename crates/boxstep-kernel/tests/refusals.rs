//! Each refusal of a delegation, by name; that it changes nothing; what comes first if several apply.

use crate::puppet::{Log, Puppet, Show, offer, offer_all, puppet};
use boxstep_kernel::runner::{BehaviorRunner, Control, Hook, Refusal, Wants, WhyNot};
use boxstep_types::Value;

/// Delegates, and sees to it that a refusal has left everything as it was.
fn delegate(cx: &mut Control<'_>, log: &Log, names: &[&str]) {
    let ids: Vec<_> = names.iter().map(|n| cx.find(n).unwrap()).collect();
    let before = cx.fingerprint();
    match cx.delegate(&ids, Value::Null) {
        Ok(_) => log.add("accepted"),
        Err(why) => {
            assert_eq!(cx.fingerprint(), before);
            log.add(format!("refused {why:?}"));
        }
    }
}

/// What the root is answered in its first update.
fn answer(root: Puppet, others: Vec<Puppet>) -> Vec<String> {
    let mut show = Show::new(std::iter::once(root).chain(others).collect());
    let lines = show.tick();
    lines.into_iter().filter(|l| l.starts_with("refused") || l == "accepted").collect()
}

fn once(mut does: impl FnMut(&mut Control<'_>, &Log) + Send + 'static) -> impl FnMut(&mut Control<'_>, &Log) + Send {
    let mut done = false;
    move |cx, log| {
        if !std::mem::replace(&mut done, true) {
            does(cx, log);
        }
    }
}

fn ask(cx: &mut Control<'_>, name: &str) -> Result<Wants, Refusal> {
    let id = cx.find(name).unwrap();
    cx.ask(id)
}

#[test]
fn refused_because_not_active() {
    let p = puppet("P", &["C"]).on(Hook::Update, |cx, log| delegate(cx, log, &["C"]));
    assert_eq!(answer(puppet("R", &["P"]), vec![p, puppet("C", &[])]), ["refused NotActive"]);
}

#[test]
fn refused_because_not_in_control() {
    let r = puppet("R", &["A", "B"]).on(Hook::Update, |cx, log| {
        offer(cx, "A").unwrap();
        ask(cx, "B").unwrap();
        delegate(cx, log, &["B"]);
    });
    assert_eq!(answer(r, vec![puppet("A", &[]), puppet("B", &[])]), ["refused NotInControl"]);
}

#[test]
fn refused_because_not_a_declared_delegate() {
    let r = puppet("R", &["A"]).on(Hook::Update, |cx, log| {
        assert_eq!(ask(cx, "B"), Err(Refusal::NotDeclared));
        delegate(cx, log, &["B"]);
    });
    assert_eq!(answer(r, vec![puppet("A", &["B"]), puppet("B", &[])]), ["refused NotDeclared"]);
}

#[test]
fn refused_because_not_asked_in_this_tick() {
    let mut ticks = 0;
    let r = puppet("R", &["A"]).on(Hook::Update, move |cx, log| {
        ticks += 1;
        if ticks == 1 {
            delegate(cx, log, &["A"]);
            ask(cx, "A").unwrap();
        } else {
            delegate(cx, log, &["A"]);
        }
    });
    let mut show = Show::new(vec![r, puppet("A", &[])]);
    assert!(show.tick().contains(&"refused NotAsked".to_owned()));
    assert!(show.tick().contains(&"refused NotAsked".to_owned()), "the yes of the tick before is no yes any more");
}

#[test]
fn a_yes_is_good_for_one_delegation() {
    let r = puppet("R", &["A"]).on(Hook::Update, |cx, log| {
        offer(cx, "A").unwrap();
        cx.cancel_delegates().unwrap();
        delegate(cx, log, &["A"]);
    });
    assert_eq!(answer(r, vec![puppet("A", &[])]), ["refused NotAsked"]);
}

#[test]
fn what_was_asked_in_an_earlier_activation_was_not_asked() {
    let p = puppet("P", &["C"]).on(Hook::Activated, {
        let mut first = true;
        move |cx, log| {
            if std::mem::take(&mut first) {
                ask(cx, "C").unwrap();
            } else {
                delegate(cx, log, &["C"]);
            }
        }
    });
    let r = puppet("R", &["P"]).on(
        Hook::Update,
        once(|cx, _| {
            offer(cx, "P").unwrap();
            cx.cancel_delegates().unwrap();
            offer(cx, "P").unwrap();
        }),
    );
    assert_eq!(answer(r, vec![p, puppet("C", &[])]), ["refused NotAsked"]);
}

#[test]
fn refused_because_it_said_no() {
    let r = puppet("R", &["A"]).on(Hook::Update, |cx, log| {
        assert_eq!(ask(cx, "A"), Ok(Wants::No(WhyNot::SaysNo)));
        delegate(cx, log, &["A"]);
    });
    assert_eq!(answer(r, vec![puppet("A", &[]).wants(|_, _| false)]), ["refused SaidNo"]);
}

#[test]
fn refused_because_already_active() {
    // Two regions share S: who asks second is refused.
    let r = puppet("R", &["A", "B"]).on(Hook::Activated, |cx, _| offer_all(cx, &["A", "B"]).unwrap());
    let shares = |name| {
        puppet(name, &["S"]).on(Hook::Activated, |cx, log| {
            let _ = ask(cx, "S");
            delegate(cx, log, &["S"]);
        })
    };
    let all = vec![shares("A"), shares("B"), puppet("S", &[])];
    assert_eq!(answer(r, all), ["accepted", "refused AlreadyActive"]);
}

#[test]
fn one_named_twice_is_already_active() {
    let r = puppet("R", &["A"]).on(Hook::Update, |cx, log| {
        ask(cx, "A").unwrap();
        delegate(cx, log, &["A", "A"]);
    });
    assert_eq!(answer(r, vec![puppet("A", &[])]), ["refused AlreadyActive"]);
}

#[test]
fn refused_because_deactivating() {
    let r = puppet("R", &["A"]).on(Hook::Update, |cx, log| {
        ask(cx, "A").unwrap();
        cx.complete(Value::Null).unwrap();
        delegate(cx, log, &["A"]);
    });
    assert_eq!(answer(r, vec![puppet("A", &[])]), ["refused Deactivating"]);
}

#[test]
fn refused_because_asking_cannot_act() {
    let a = puppet("A", &["B"]).wants(|cx, log| {
        delegate(cx, log, &["B"]);
        true
    });
    let r = puppet("R", &["A"]).on(Hook::Update, |cx, _| ask(cx, "A").unwrap());
    assert_eq!(answer(r, vec![a, puppet("B", &[])]), ["refused Asking"]);
}

#[test]
fn refused_because_nobody_was_named() {
    let r = puppet("R", &["A"]).on(Hook::Update, |cx, log| delegate(cx, log, &[]));
    assert_eq!(answer(r, vec![puppet("A", &[])]), ["refused Nobody"]);
}

#[test]
fn refused_because_another_region_has_the_resource() {
    let r = puppet("R", &["A", "B"]).on(Hook::Activated, |cx, _| offer_all(cx, &["A", "B"]).unwrap());
    let b = puppet("B", &["C"]).on(Hook::Activated, |cx, log| {
        assert_eq!(ask(cx, "C"), Ok(Wants::No(WhyNot::Taken(0))));
        delegate(cx, log, &["C"]);
    });
    let all = vec![puppet("A", &[]).locks(&["Legs"]), b, puppet("C", &[]).locks(&["Legs"])];
    assert_eq!(answer(r, all), ["refused SaidNo"]);
}

#[test]
fn refused_because_two_of_the_request_need_one_resource_and_then_neither_runs() {
    let r = puppet("R", &["A", "B"]).on(Hook::Update, |cx, log| {
        ask(cx, "A").unwrap();
        ask(cx, "B").unwrap();
        delegate(cx, log, &["A", "B"]);
    });
    let all = vec![puppet("A", &[]).locks(&["Legs"]), puppet("B", &[]).locks(&["Legs"])];
    assert_eq!(answer(r, all), ["refused Taken"]);
}

#[test]
fn all_or_none_one_no_keeps_all_from_running() {
    let r = puppet("R", &["A", "B"]).on(Hook::Update, |cx, log| {
        ask(cx, "A").unwrap();
        ask(cx, "B").unwrap();
        delegate(cx, log, &["A", "B"]);
        assert!(!cx.is_control_delegated());
        // The yes of the other one is not used up by that.
        delegate(cx, log, &["A"]);
    });
    let all = vec![puppet("A", &[]), puppet("B", &[]).wants(|_, _| false)];
    assert_eq!(answer(r, all), ["refused SaidNo", "accepted"]);
}

#[test]
fn one_region_cannot_take_from_another_what_both_were_granted() {
    // A would delegate to S, which is itself a region of the same request.
    let r = puppet("R", &["A", "S"]).on(Hook::Activated, |cx, _| offer_all(cx, &["A", "S"]).unwrap());
    let a = puppet("A", &["S"]).on(Hook::Activated, |cx, log| {
        assert_eq!(ask(cx, "S"), Ok(Wants::No(WhyNot::AlreadyActive)));
        delegate(cx, log, &["S"]);
    });
    let mut show = Show::new(vec![r, a, puppet("S", &[])]);
    let lines = show.tick();
    assert!(lines.contains(&"refused AlreadyActive".to_owned()));
    assert_eq!(show.active(), ["R", "A", "S"]);
}

#[test]
fn a_delegate_uses_what_those_on_the_way_to_it_hold() {
    let r = puppet("R", &["P"]).offers(&["P"]);
    let p = puppet("P", &["C"]).locks(&["Legs"]).offers(&["C"]);
    let mut show = Show::new(vec![r, p, puppet("C", &[]).locks(&["Legs"])]);
    show.tick();
    assert_eq!(show.active(), ["R", "P", "C"]);
    assert_eq!((show.view("P").holds, show.view("C").holds), (1, 0));
}

#[test]
fn the_way_the_kinds_are_ordered() {
    // Several would apply: not in control comes before not declared, that before already active, that before not asked.
    let r = puppet("R", &["A", "B"]).on(Hook::Update, |cx, log| {
        delegate(cx, log, &["C"]);
        offer(cx, "A").unwrap();
        delegate(cx, log, &["C"]);
        delegate(cx, log, &["A"]);
    });
    let all = vec![puppet("A", &["C"]), puppet("B", &[]), puppet("C", &[])];
    assert_eq!(answer(r, all), ["refused NotDeclared", "refused NotInControl", "refused NotInControl"]);
}

#[test]
fn what_ones_own_delegate_has_is_not_taken_since_it_can_be_taken_back() {
    let r = puppet("R", &["A", "B"]).offers(&["A"]).on(Hook::Update, |cx, log| {
        assert_eq!(cx.tick(), 1);
        assert_eq!(ask(cx, "B"), Ok(Wants::Yes));
        cx.cancel_delegates().unwrap();
        delegate(cx, log, &["B"]);
        assert!(cx.is_control_delegated());
    });
    // The delegate of a delegate holds it.
    let a = puppet("A", &["C"]).offers(&["C"]);
    let all = vec![a, puppet("C", &[]).locks(&["Legs"]), puppet("B", &[]).locks(&["Legs"])];
    assert_eq!(answer(r, all), ["accepted"]);
}
