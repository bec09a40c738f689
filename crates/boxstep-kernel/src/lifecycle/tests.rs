use super::*;
use proptest::prelude::*;

/// A member whose hooks run at once, like those of a native delegate, and which records its stages.
struct Native {
    life: Life,
    policy: Policy,
    seen: Vec<String>,
}

impl Native {
    fn new(policy: Policy) -> Self {
        Self { life: Life::default(), policy, seen: Vec::new() }
    }

    fn run(&mut self, step: Step) {
        for stage in self.policy.stages(step) {
            self.seen.push(format!("{step:?}.{stage:?}"));
        }
    }

    fn enter(&mut self) -> Result<(), StepRefusal> {
        if self.life.enter()? == Entered::Begin {
            self.run(Step::Enter);
            self.life.entered()?;
        }
        Ok(())
    }

    fn activate(&mut self) -> Result<(), StepRefusal> {
        if self.life.activate()? == Activated::Begin {
            self.run(Step::Activate);
            self.life.activated()?;
        }
        Ok(())
    }

    fn stop(&mut self, step: Step) -> Result<(), StepRefusal> {
        self.life.stop()?;
        self.run(step);
        if self.life.stopped()? == Stopped::Again {
            self.run(Step::Activate);
            self.life.activated()?;
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<(), StepRefusal> {
        if self.life.leave()? == Left::Begin {
            self.run(Step::Leave);
            self.life.left()?;
        }
        Ok(())
    }
}

#[test]
fn a_native_delegate_passes_every_phase_at_once() {
    let mut d = Native::new(Policy::Delegator);
    assert_eq!(d.activate(), Err(StepRefusal::NotInScope));
    d.enter().unwrap();
    d.activate().unwrap();
    assert_eq!(d.life.phase(), Phase::Active);
    assert_eq!(d.activate(), Err(StepRefusal::AlreadyActive));
    d.stop(Step::Stop).unwrap();
    d.leave().unwrap();
    assert_eq!(d.life.phase(), Phase::Out);
    let seen = [
        "Enter.Own",
        "Activate.Claim",
        "Activate.Inside",
        "Activate.Own",
        "Stop.Inside",
        "Stop.Own",
        "Stop.Release",
        "Leave.Own",
    ];
    assert_eq!(d.seen, seen);
}

#[test]
fn a_box_runs_its_script_first_and_ends_inside_first() {
    let mut b = Native::new(Policy::Box);
    b.enter().unwrap();
    b.activate().unwrap();
    b.stop(Step::End).unwrap();
    b.leave().unwrap();
    let seen = [
        "Enter.Own",
        "Activate.Claim",
        "Activate.Own",
        "Activate.Inside",
        "Activate.Forward",
        "End.Release",
        "End.Inside",
        "End.Transmit",
        "Leave.Release",
        "Leave.Own",
        "Leave.Inside",
    ];
    assert_eq!(b.seen, seen);
}

#[test]
fn a_delegate_still_entering_is_not_in_scope_yet() {
    let mut life = Life::default();
    life.enter().unwrap();
    assert_eq!(life.can_activate(), Err(StepRefusal::NotInScope));
    life.entered().unwrap();
    assert_eq!(life.can_activate(), Ok(()));
}

#[test]
fn an_activation_waits_for_the_wind_down() {
    let mut life = Life::default();
    life.enter().unwrap();
    life.entered().unwrap();
    life.activate().unwrap();
    life.activated().unwrap();
    life.stop().unwrap();
    assert_eq!(life.activate(), Ok(Activated::Waiting));
    assert_eq!(life.stopped(), Ok(Stopped::Again));
    assert_eq!(life.phase(), Phase::Activating);
    life.activated().unwrap();
    // A stop cancels a waiting activation.
    life.stop().unwrap();
    life.activate().unwrap();
    assert_eq!(life.stop(), Err(StepRefusal::NotActive));
    assert_eq!(life.stopped(), Ok(Stopped::Done));
}

#[test]
fn a_stop_during_activation_wins() {
    let mut life = Life::default();
    life.enter().unwrap();
    life.entered().unwrap();
    life.activate().unwrap();
    life.stop().unwrap();
    assert_eq!(life.activated(), Err(StepRefusal::OutOfOrder));
    assert_eq!(life.stopped(), Ok(Stopped::Done));
}

#[test]
fn two_parents_share_one_member() {
    let mut d = Native::new(Policy::Delegator);
    d.enter().unwrap();
    d.enter().unwrap();
    assert_eq!(d.life.scopes(), 2);
    d.leave().unwrap();
    assert!(d.life.in_scope());
    d.leave().unwrap();
    assert_eq!(d.seen, ["Enter.Own", "Leave.Own"]);
    assert_eq!(d.leave(), Err(StepRefusal::NotInScope));
}

proptest! {
    /// Checks for every order of steps that enters and leaves alternate, members are activated only in scope, counts
    /// stay right, and a refused step changes nothing.
    #[test]
    fn hooks_alternate_whatever_is_asked(asks in proptest::collection::vec(0u8..9, 0..80)) {
        let mut life = Life::default();
        let (mut entered, mut active) = (false, false);
        for ask in asks {
            let before = life;
            let refused = match ask {
                0 => life.enter().map(|e| if e == Entered::Begin {
                    assert!(!entered);
                    entered = true;
                }).is_err(),
                1 => life.entered().is_err(),
                2 => life.activate().map(|a| if a == Activated::Begin {
                    assert!(entered && !active);
                    active = true;
                }).is_err(),
                3 => life.activated().is_err(),
                4 => life.stop().map(|()| assert!(active)).is_err() && before.phase() != Phase::Stopping,
                5 => life.stopped().map(|s| active = s == Stopped::Again).is_err(),
                6 => life.leave().map(|l| if l == Left::Begin {
                    assert!(entered);
                    active = false;
                }).is_err(),
                7 => life.left().map(|()| {
                    assert!(entered);
                    entered = false;
                }).is_err(),
                _ => life.can_activate().is_err(),
            };
            if refused {
                prop_assert_eq!(life, before);
            }
            prop_assert_eq!(life.scopes() > 0, !matches!(life.phase(), Phase::Out | Phase::Leaving));
            if life.phase() == Phase::Out {
                prop_assert!(!entered && !active);
            }
        }
    }
}
