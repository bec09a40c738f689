//! The lifecycle kernel: one set of rules for boxes, diagrams, timelines and delegating behaviors.
//!
//! ```text
//! Out → Entering → InScope → Activating → Active → Stopping → InScope → Leaving → Out
//! ```
//!
//! "In scope" is Choregraphe's *loaded*, "active" is *started*. [`Life`] holds the phase of one member, the number of
//! parents that keep it in scope, and whether a new activation waits for the old one to wind down. It does nothing by
//! itself: the driver of a member requests a step, runs the stages that the member's [`Policy`] lists for it, however
//! long that takes, and reports that they are done. A step that is not allowed is refused and changes nothing.
//!
//! Public sources: "Loading, unloading, starting and stopping a behavior, a box, a diagram or a
//! Timeline" (Choregraphe reference 1.14) and "Behavior Lifecycle Overview" (K. Karol, 2017). See
//! `docs/reference/semantics/lifecycle.md`.

/// The phase of a member's lifecycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// In no parent's scope.
    #[default]
    Out,
    /// Entering scope (a box: `onLoad` runs).
    Entering,
    /// In scope and not active (a box: loaded).
    InScope,
    /// Being activated (a box: its onStart script runs, its inside is loaded).
    Activating,
    /// Active (a box: started).
    Active,
    /// Winding down (a box: its onStop script runs, its inside is unloaded).
    Stopping,
    /// Leaving scope (a box: `onUnload` runs).
    Leaving,
}

/// The reason why a step is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepRefusal {
    /// The member is not in scope, or not yet.
    NotInScope,
    /// The member is already active, or about to be.
    AlreadyActive,
    /// The member is neither active nor being activated.
    NotActive,
    /// The member is leaving scope.
    Leaving,
    /// A stage was reported as done that had not begun.
    OutOfOrder,
}

/// The result of [`Life::enter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// This is the first parent: run the stages of [`Step::Enter`].
    Begin,
    /// This is a further parent: nothing to do.
    Counted,
}

/// The result of [`Life::leave`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// This was the last parent: run the stages of [`Step::Leave`]. If the member was active or entering scope, its
    /// pending stages must be unwound first.
    Begin,
    /// Other parents remain: nothing to do.
    Counted,
}

/// The result of [`Life::activate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activated {
    /// Run the stages of [`Step::Activate`].
    Begin,
    /// The old activation is winding down; the new one begins after its end ([`Stopped::Again`]).
    Waiting,
}

/// The result of [`Life::stopped`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The stop is complete.
    Done,
    /// An activation was waiting: run the stages of [`Step::Activate`] now.
    Again,
}

/// A step in a member's lifecycle, which runs stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Enter scope.
    Enter,
    /// Become active.
    Activate,
    /// Stop on request from outside (a box: an onStop input).
    Stop,
    /// End by itself (a box: an onStopped output).
    End,
    /// Stop on request of its own script or of one inside it (a timeline's `stop()`).
    Halt,
    /// Stop because others need its resources (a box: "Stop on demand").
    Yield,
    /// Leave scope.
    Leave,
}

/// A stage of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Take the resources that the member needs.
    Claim,
    /// Call the member's own hook (a box: its script).
    Own,
    /// Take the member's inside into or out of scope.
    Inside,
    /// Start the inside: forward the signal, play the time cursor.
    Forward,
    /// Release the resources.
    Release,
    /// Notify the parent.
    Transmit,
}

/// The order in which a kind of member runs its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// A box: its script precedes its inside, also when it stops or leaves; but an onStopped output unloads the inside
    /// first and then transmits.
    Box,
    /// The root box of a behavior: its inside is loaded with it, not when it starts.
    Root,
    /// A delegating behavior: its children enter scope before it is activated, and leave scope before it is
    /// deactivated.
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

/// The lifecycle of one member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Life {
    phase: Phase,
    scopes: u32,
    again: bool,
    generation: u32,
}

impl Life {
    /// The current phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The number of active parents that keep the member in scope.
    pub fn scopes(&self) -> u32 {
        self.scopes
    }

    /// The lifecycle generation: the number of times the member has entered scope. What was begun in another generation
    /// is stale.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Returns whether the member is in scope: from the end of entering to the beginning of leaving.
    pub fn in_scope(&self) -> bool {
        matches!(self.phase, Phase::InScope | Phase::Activating | Phase::Active | Phase::Stopping)
    }

    /// Returns whether the member is leaving or out of scope.
    pub fn leaving(&self) -> bool {
        matches!(self.phase, Phase::Leaving | Phase::Out)
    }

    /// Returns whether a new activation waits for the old one to wind down.
    pub fn again(&self) -> bool {
        self.again
    }

    /// Returns whether the member has been started and not yet stopped.
    pub fn started(&self) -> bool {
        matches!(self.phase, Phase::Activating | Phase::Active)
    }

    /// Checks whether the member may be activated now. It may not while it is entering scope (loading).
    pub fn can_activate(&self) -> Result<(), StepRefusal> {
        match self.phase {
            Phase::InScope | Phase::Stopping => Ok(()),
            Phase::Activating | Phase::Active => Err(StepRefusal::AlreadyActive),
            Phase::Leaving => Err(StepRefusal::Leaving),
            Phase::Out | Phase::Entering => Err(StepRefusal::NotInScope),
        }
    }

    /// Lets a parent take the member into scope.
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

    /// Reports that the stages of [`Step::Enter`] are done.
    pub fn entered(&mut self) -> Result<(), StepRefusal> {
        self.advance(Phase::Entering, Phase::InScope)
    }

    /// Begins an activation, or lets it wait for the end of the current stop.
    pub fn activate(&mut self) -> Result<Activated, StepRefusal> {
        self.can_activate()?;
        if self.phase == Phase::Stopping {
            self.again = true;
            return Ok(Activated::Waiting);
        }
        self.phase = Phase::Activating;
        Ok(Activated::Begin)
    }

    /// Reports that the stages of [`Step::Activate`] are done. Refused if a stop came in between.
    pub fn activated(&mut self) -> Result<(), StepRefusal> {
        self.advance(Phase::Activating, Phase::Active)
    }

    /// Begins to wind down, by itself ([`Step::End`]) or by request ([`Step::Stop`]). Cancels a waiting activation.
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

    /// Reports that the stages of the stop are done, or that its deadline has forced it.
    pub fn stopped(&mut self) -> Result<Stopped, StepRefusal> {
        self.advance(Phase::Stopping, Phase::InScope)?;
        if std::mem::take(&mut self.again) {
            self.phase = Phase::Activating;
            return Ok(Stopped::Again);
        }
        Ok(Stopped::Done)
    }

    /// Lets a parent release the member from its scope. An active member stops by this.
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

    /// Reports that the stages of [`Step::Leave`] are done.
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
