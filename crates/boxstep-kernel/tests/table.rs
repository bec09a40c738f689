//! Every request in every hook: what it is answered. One test for each cell, `table::HOOK::REQUEST`; the rows are those of
//! the table in `docs/reference/runner.md`. A refusal leaves all that is known of who has control as it was.

use crate::puppet::{Log, Show, offer, offer_all, puppet};
use boxstep_kernel::lifecycle::Phase;
use boxstep_kernel::runner::{BehaviorRunner, Control, Hook};
use boxstep_types::Value;

#[derive(Clone, Copy)]
enum Request {
    Ask,
    Delegate,
    CancelDelegates,
    CancelSelf,
    Complete,
    Fail,
    IsControlDelegated,
    CanDelegate,
}

/// From where the behavior P makes its request.
#[derive(Clone, Copy, PartialEq)]
enum From {
    Init,
    EnteredScope,
    Wants,
    Activated,
    UpdateInScope,
    UpdateInControl,
    UpdateDelegated,
    AfterItsEnd,
    DelegateEnded,
    OneOfTwoEnded,
    Deactivated,
    UpdateWindingDown,
    LeftScope,
    Settled,
    SettledWindingDown,
}

impl From {
    fn hook(self) -> Hook {
        match self {
            From::Init => Hook::Init,
            From::EnteredScope => Hook::EnteredScope,
            From::Wants => Hook::Wants,
            From::Activated => Hook::Activated,
            From::DelegateEnded | From::OneOfTwoEnded => Hook::DelegateEnded,
            From::Deactivated => Hook::Deactivated,
            From::LeftScope => Hook::LeftScope,
            From::Settled | From::SettledWindingDown => Hook::Settled,
            _ => Hook::Update,
        }
    }
}

/// Makes the request and writes down the answer.
fn request(cx: &mut Control<'_>, log: &Log, from: From, what: Request) {
    let c = cx.find("C").unwrap();
    if from == From::AfterItsEnd {
        cx.complete(Value::Null).unwrap();
    }
    if matches!(what, Request::Delegate) {
        let _ = cx.ask(c);
    }
    let before = cx.fingerprint();
    let answer = match what {
        Request::Ask => format!("{:?}", cx.ask(c)),
        Request::Delegate => format!("{:?}", cx.delegate_to(c).map(drop)),
        Request::CancelDelegates => format!("{:?}", cx.cancel_delegates()),
        Request::CancelSelf => format!("{:?}", cx.cancel_self()),
        Request::Complete => format!("{:?}", cx.complete(Value::Null)),
        Request::Fail => format!("{:?}", cx.fail("no")),
        Request::IsControlDelegated => format!("{:?}", cx.is_control_delegated()),
        Request::CanDelegate => format!("{:?}", cx.can_delegate()),
    };
    if answer.starts_with("Err") || matches!(what, Request::IsControlDelegated | Request::CanDelegate) {
        assert_eq!(cx.fingerprint(), before, "a refusal changes nothing");
    }
    log.add(format!("= {answer}"));
}

fn answer(from: From, what: Request) -> String {
    let mut tries = 0;
    let mut p = puppet("P", &["C", "D"]);
    let once = move |cx: &mut Control<'_>, log: &Log| {
        let right = match from {
            From::UpdateInScope => !cx.is_active(),
            From::UpdateInControl | From::AfterItsEnd => cx.can_delegate(),
            From::UpdateDelegated => cx.is_control_delegated(),
            From::UpdateWindingDown => tries > 0 && !cx.is_active(),
            From::SettledWindingDown => cx.runner().view(cx.id()).phase == Phase::Stopping,
            _ => true,
        };
        tries += 1;
        if right {
            request(cx, log, from, what);
        }
    };
    p = match from {
        From::Wants => p.wants(move |cx, log| {
            request(cx, log, from, what);
            true
        }),
        From::Settled => p.slow(3, 0, 0).on(from.hook(), once),
        From::UpdateWindingDown | From::SettledWindingDown => p.slow(0, 3, 0).on(from.hook(), once),
        _ => p.on(from.hook(), once),
    };
    p = match from {
        From::UpdateDelegated | From::DelegateEnded => p.offers(&["C"]),
        From::OneOfTwoEnded => p.on(Hook::Activated, |cx, _| offer_all(cx, &["C", "D"]).unwrap()),
        _ => p,
    };
    let mut c = puppet("C", &[]);
    if matches!(from, From::DelegateEnded | From::OneOfTwoEnded) {
        c = c.on(Hook::Update, |cx, _| cx.complete(Value::Null));
    }
    let mut r = puppet("R", &["P"]);
    if !matches!(from, From::UpdateInScope | From::Settled) {
        r = r.offers(&["P"]);
    }
    let mut ticks = 0;
    let r = r.on(Hook::Update, move |cx, _| {
        ticks += 1;
        if ticks == 2 && matches!(from, From::Deactivated | From::UpdateWindingDown | From::SettledWindingDown) {
            cx.cancel_delegates().unwrap();
        }
        if ticks > 2 && matches!(from, From::UpdateInScope) {
            let _ = offer(cx, "P");
        }
    });
    let mut show = Show::new(vec![r, p, c, puppet("D", &[])]);
    let mut all = show.log.take();
    for _ in 0..3 {
        all.extend(show.tick());
    }
    show.runner.stop();
    all.extend(show.log.take());
    let answers: Vec<&String> = all.iter().filter(|line| line.starts_with("= ")).collect();
    answers.first().unwrap_or_else(|| panic!("the request was never made: {all:#?}"))[2..].to_owned()
}

macro_rules! table {
    ($($hook:ident: $from:ident { $($request:ident: $what:ident => $answer:literal,)* })*) => { $(
        mod $hook {
            use super::*;
            $( #[test] fn $request() { assert_eq!(answer(From::$from, Request::$what), $answer); } )*
        }
    )* };
}

/// One row: the answers to ask, delegate, cancel_delegates, cancel_self, complete, fail, is_control_delegated, can_delegate.
macro_rules! rows {
    ($($hook:ident: $from:ident = $ask:literal $delegate:literal $cancel:literal $own:literal $done:literal $fail:literal $is:literal $can:literal;)*) => {
        table! { $($hook: $from {
            ask: Ask => $ask,
            delegate: Delegate => $delegate,
            cancel_delegates: CancelDelegates => $cancel,
            cancel_self: CancelSelf => $own,
            complete: Complete => $done,
            fail: Fail => $fail,
            is_control_delegated: IsControlDelegated => $is,
            can_delegate: CanDelegate => $can,
        })* }
    };
}

rows! {
    init: Init = "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "false" "false";
    entered_scope: EnteredScope = "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "false" "false";
    wants: Wants = "Err(Asking)" "Err(Asking)" "Err(Asking)" "Err(Asking)" "Err(Asking)" "Err(Asking)" "false" "false";
    activated: Activated = "Ok(Yes)" "Ok(())" "Ok(0)" "Ok(())" "Ok(())" "Ok(())" "false" "true";
    update_in_scope: UpdateInScope = "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "false" "false";
    update_in_control: UpdateInControl = "Ok(Yes)" "Ok(())" "Ok(0)" "Ok(())" "Ok(())" "Ok(())" "false" "true";
    update_delegated: UpdateDelegated = "Ok(No(AlreadyActive))" "Err(NotInControl)" "Ok(1)" "Ok(())" "Ok(())" "Ok(())" "true" "false";
    after_its_end: AfterItsEnd = "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "false" "false";
    delegate_ended: DelegateEnded = "Ok(Yes)" "Ok(())" "Ok(0)" "Ok(())" "Ok(())" "Ok(())" "false" "true";
    one_of_two_ended: OneOfTwoEnded = "Ok(Yes)" "Err(NotInControl)" "Ok(1)" "Ok(())" "Ok(())" "Ok(())" "true" "false";
    deactivated: Deactivated = "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "false" "false";
    update_winding_down: UpdateWindingDown = "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "false" "false";
    left_scope: LeftScope = "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "false" "false";
    settled: Settled = "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "Err(NotActive)" "false" "false";
    settled_winding_down: SettledWindingDown = "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "Err(Deactivating)" "false" "false";
}
