//! The lifecycle kernel: one set of rules for boxes, diagrams, timelines and delegating behaviors.
//!
//! ```text
//! Out → Entering → InScope → Activating → Active → Stopping → InScope → Leaving → Out
//! ```
//!
//! "In scope" is Choregraphe's *loaded*, "active" is *started*. [`Life`] holds where one member
//! is, how many parents keep it in scope, and whether a new activation waits for the old one to wind
//! down. It does nothing by itself: the driver of a member requests a step, runs the stages that
//! the member's [`Policy`] lists for it, however long that takes, and reports that they are done.
//! A step that is not allowed is refused and changes nothing.
//!
//! Public sources: "Loading, unloading, starting and stopping a behavior, a box, a diagram or a
//! Timeline" (Choregraphe reference 1.14) and "Behavior Lifecycle Overview" (K. Karol, 2017). See
//! `docs/semantics/lifecycle.md`.

/// Where a member is in its life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Not in anybody's scope.
    #[default]
    Out,
    /// Coming into scope (a box: `onLoad` runs).
    Entering,
    /// In scope and not active (a box: loaded).
    InScope,
    /// Being activated (a box: its onStart script runs, its inside is loaded).
    Activating,
    /// Active (a box: started).
    Active,
    /// Winding down (a box: its onStop script runs, its inside is unloaded).
    Stopping,
    /// Going out of scope (a box: `onUnload` runs).
    Leaving,
}

/// Why a step is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepRefusal {
    /// The member is not in scope, or not yet.
    NotInScope,
    /// The member is already active, or about to be.
    AlreadyActive,
    /// There is nothing to stop.
    NotActive,
    /// The member is on its way out of scope.
    Leaving,
    /// A stage was reported done that had not begun.
    OutOfOrder,
}

/// The answer to [`Life::enter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// The first parent: run the stages of [`Step::Enter`].
    Begin,
    /// A further parent: nothing to do.
    Counted,
}

/// The answer to [`Life::leave`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The last parent: run the stages of [`Step::Leave`]. If the member was active or coming into
    /// scope, its pending stages are to be unwound first.
    Begin,
    /// Other parents remain: nothing to do.
    Counted,
}

/// The answer to [`Life::activate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activated {
    /// Run the stages of [`Step::Activate`].
    Begin,
    /// The old activation winds down; the new one begins when it has ended ([`Stopped::Again`]).
    Waiting,
}

/// The answer to [`Life::stopped`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Over.
    Done,
    /// An activation had been waiting: run the stages of [`Step::Activate`] now.
    Again,
}

/// A step of a member's life that runs stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Come into scope.
    Enter,
    /// Become active.
    Activate,
    /// Be stopped from outside (a box: an onStop input).
    Stop,
    /// End by itself (a box: an onStopped output).
    End,
    /// Be halted by its own script or by one inside it (a timeline's `stop()`).
    Halt,
    /// Be stopped because others want its resources (a box: "Stop on demand").
    Yield,
    /// Go out of scope.
    Leave,
}

/// A stage of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Take the resources the member needs.
    Claim,
    /// The member's own hook (a box: its script).
    Own,
    /// The member's inside: its children come into or go out of scope.
    Inside,
    /// What starts the inside: the signal goes in, the time cursor plays.
    Forward,
    /// Give the resources back.
    Release,
    /// Tell the parent.
    Transmit,
}

/// In which order a kind of member runs its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// A box: script before inside, also on the way out; but an onStopped output unloads the inside
    /// first and then transmits.
    Box,
    /// The root box of a behavior: its inside is loaded with it, not when it starts.
    Root,
    /// A delegating behavior: its children enter scope before it is activated, and leave before it
    /// is deactivated.
    Delegator,
}

impl Policy {
    /// The stages of a step, in order.
    pub const fn stages(self, step: Step) -> &'static [Stage] {
        use Stage::{Claim, Forward, Inside, Own, Release, Transmit};
        match (self, step) {
            (Policy::Box | Policy::Delegator, Step::Enter) => &[Own],
            (Policy::Root, Step::Enter) => &[Own, Inside],
            (Policy::Box | Policy::Root, Step::Activate) => &[Claim, Own, Inside, Forward],
            (Policy::Box | Policy::Root, Step::Stop) => &[Own, Inside, Release],
            (Policy::Box | Policy::Root, Step::End) => &[Release, Inside, Transmit],
            (Policy::Box | Policy::Root, Step::Halt) => &[Inside, Release],
            (Policy::Box | Policy::Root, Step::Yield) => &[Own, Inside, Release, Transmit],
            (Policy::Box | Policy::Root, Step::Leave) => &[Release, Own, Inside],
            (Policy::Delegator, Step::Activate) => &[Claim, Inside, Own],
            (Policy::Delegator, Step::Stop) => &[Inside, Own, Release],
            (Policy::Delegator, Step::Halt) => &[Inside, Release],
            (Policy::Delegator, Step::Yield | Step::End) => &[Inside, Own, Release, Transmit],
            (Policy::Delegator, Step::Leave) => &[Own],
        }
    }
}

/// One member's life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Life {
    phase: Phase,
    scopes: u32,
    again: bool,
    generation: u32,
}

impl Life {
    /// Where it is.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// How many active parents keep it in scope.
    pub fn scopes(&self) -> u32 {
        self.scopes
    }

    /// Counts the times it came into scope: what was begun in another life is stale.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// True from the end of entering to the begin of leaving.
    pub fn in_scope(&self) -> bool {
        matches!(self.phase, Phase::InScope | Phase::Activating | Phase::Active | Phase::Stopping)
    }

    /// True from the begin of leaving until it is entered again.
    pub fn leaving(&self) -> bool {
        matches!(self.phase, Phase::Leaving | Phase::Out)
    }

    /// True if a new activation waits for the old one to wind down.
    pub fn again(&self) -> bool {
        self.again
    }

    /// True if it has been started and not yet stopped.
    pub fn started(&self) -> bool {
        matches!(self.phase, Phase::Activating | Phase::Active)
    }

    /// May it be activated now? "No" while it is still entering (it is loading).
    pub fn can_activate(&self) -> Result<(), StepRefusal> {
        match self.phase {
            Phase::InScope | Phase::Stopping => Ok(()),
            Phase::Activating | Phase::Active => Err(StepRefusal::AlreadyActive),
            Phase::Leaving => Err(StepRefusal::Leaving),
            Phase::Out | Phase::Entering => Err(StepRefusal::NotInScope),
        }
    }

    /// A parent takes it into scope.
    pub fn enter(&mut self) -> Result<Entered, StepRefusal> {
        match self.phase {
            Phase::Leaving => Err(StepRefusal::Leaving),
            Phase::Out => {
                *self = Self { phase: Phase::Entering, scopes: 1, again: false, generation: self.generation + 1 };
                Ok(Entered::Begin)
            }
            _ => {
                self.scopes += 1;
                Ok(Entered::Counted)
            }
        }
    }

    /// The stages of [`Step::Enter`] are done.
    pub fn entered(&mut self) -> Result<(), StepRefusal> {
        self.advance(Phase::Entering, Phase::InScope)
    }

    /// It is to become active.
    pub fn activate(&mut self) -> Result<Activated, StepRefusal> {
        self.can_activate()?;
        if self.phase == Phase::Stopping {
            self.again = true;
            return Ok(Activated::Waiting);
        }
        self.phase = Phase::Activating;
        Ok(Activated::Begin)
    }

    /// The stages of [`Step::Activate`] are done. Refused if a stop came in between.
    pub fn activated(&mut self) -> Result<(), StepRefusal> {
        self.advance(Phase::Activating, Phase::Active)
    }

    /// It is to wind down, by itself ([`Step::End`]) or not ([`Step::Stop`]). A waiting activation
    /// is forgotten.
    pub fn stop(&mut self) -> Result<(), StepRefusal> {
        match self.phase {
            Phase::Activating | Phase::Active => {
                self.phase = Phase::Stopping;
                Ok(())
            }
            Phase::Stopping => {
                self.again = false;
                Err(StepRefusal::NotActive)
            }
            _ => Err(StepRefusal::NotActive),
        }
    }

    /// The stages of the stop are done, or its deadline forced it.
    pub fn stopped(&mut self) -> Result<Stopped, StepRefusal> {
        self.advance(Phase::Stopping, Phase::InScope)?;
        if std::mem::take(&mut self.again) {
            self.phase = Phase::Activating;
            return Ok(Stopped::Again);
        }
        Ok(Stopped::Done)
    }

    /// A parent lets it go out of scope. An active member is stopped by this.
    pub fn leave(&mut self) -> Result<Left, StepRefusal> {
        match self.phase {
            Phase::Out => Err(StepRefusal::NotInScope),
            Phase::Leaving => Err(StepRefusal::Leaving),
            _ if self.scopes > 1 => {
                self.scopes -= 1;
                Ok(Left::Counted)
            }
            _ => {
                self.scopes = 0;
                self.again = false;
                self.phase = Phase::Leaving;
                Ok(Left::Begin)
            }
        }
    }

    /// The stages of [`Step::Leave`] are done.
    pub fn left(&mut self) -> Result<(), StepRefusal> {
        self.advance(Phase::Leaving, Phase::Out)
    }

    fn advance(&mut self, from: Phase, to: Phase) -> Result<(), StepRefusal> {
        if self.phase != from {
            return Err(StepRefusal::OutOfOrder);
        }
        self.phase = to;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
