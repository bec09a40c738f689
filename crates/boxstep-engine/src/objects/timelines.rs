//! Timelines.

use super::{BoxId, Cx, Error, Frame, ListenerId, Phase, StateMachineId, TimelineCommand};
use crate::Engine;
use crate::behaviors::{BehaviorState, Behaviors};
use crate::callbacks::On;
use crate::context::Context;
use crate::graph::{Graph, InsideState};
use crate::ids;
use std::boxed::Box as Boxed;
use std::sync::Arc;

/// A timeline: its curves, its cursor and its flags.
///
/// The timeline owns the clock. The state machine that it has, or has been given, follows it: `play` runs it, `pause`
/// pauses it, `stop` stops it, and a goto enters the state of the frame.
pub struct Timeline<'e> {
    pub(super) engine: &'e mut Engine,
    pub(super) id: ids::BoxId,
}

impl Timeline<'_> {
    /// Returns the box that owns the timeline. One that was created on its own has its own box.
    pub fn owner(&self) -> BoxId {
        self.engine.graph.handle(self.id)
    }

    /// Plays from the cursor's frame, or from the start if the cursor is at the end. Loads the timeline unless it is
    /// loaded. A timeline that plays goes on playing.
    ///
    /// # Errors
    /// [`Error::NotLoaded`] if the timeline's box is an unloaded part of another; [`Error::NoSuchState`] if the state
    /// machine that it has been given has no states; [`Error::NoTimeline`], [`Error::Over`].
    pub fn play(&mut self) -> Result<(), Error> {
        self.clocked()?;
        let stateless = |m: ids::BoxId| self.engine.graph.machine(m).is_some_and(|m| m.first().is_none());
        if self.given_machine().is_some_and(stateless) {
            return Err(Error::NoSuchState("of any name".into()));
        }
        let root = self.engine.behaviors.root_of(&self.engine.graph, self.id);
        let resting = root.is_some_and(|b| {
            let behavior = &self.engine.behaviors.all[b.index()];
            !behavior.started || self.engine.behaviors.stops(&self.engine.cx, b)
        });
        if resting {
            self.own_box().load_root(true)?;
        } else {
            self.loaded()?;
            self.command(&TimelineCommand::Play);
        }
        match self.given_machine() {
            Some(machine) => super::StateMachine { engine: self.engine, id: machine }.run(),
            None => Ok(()),
        }
    }

    fn command(&mut self, command: &TimelineCommand) {
        let Engine { cx, graph, resources, stops, .. } = &mut *self.engine;
        let (_, next) = graph.timeline_command(cx, resources, stops, (self.id, false), command);
        self.engine.follow_up(next);
    }

    /// Stops the cursor, the motion and the state machine where they are. Has no effect if the timeline does not play.
    ///
    /// # Errors
    /// [`Error::NotLoaded`], [`Error::NoTimeline`].
    pub fn pause(&mut self) -> Result<(), Error> {
        self.clocked()?;
        self.loaded()?;
        self.command(&TimelineCommand::Pause);
        Ok(())
    }

    /// Unloads the timeline, and stops the state machine that it has been given. Its cursor is on the start frame when
    /// it is loaded again.
    ///
    /// # Errors
    /// [`Error::NotLoaded`], [`Error::NoTimeline`].
    pub fn stop(&mut self) -> Result<(), Error> {
        self.clocked()?;
        self.own_box().stop()?;
        if let Some(machine) = self.given_machine() {
            // The state machine may have been stopped separately.
            match (super::Box { engine: self.engine, id: machine }).stop() {
                Ok(()) | Err(Error::NotLoaded) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// Moves the cursor to a frame, or to that of a keyframe, label or state by name; returns the frame. A frame
    /// outside of start … end counts as reaching the end. A timeline that was created on its own is loaded, unless it
    /// is.
    ///
    /// # Errors
    /// [`Error::NoSuchLabel`] and [`Error::NoFrame`], without moving the cursor; [`Error::NotLoaded`],
    /// [`Error::NoTimeline`].
    pub fn go_to(&mut self, to: impl Into<Frame>) -> Result<i64, Error> {
        self.clocked()?;
        let frame = self.engine.graph.frame_of(self.id, &to.into())?;
        if self.loaded().is_err() {
            self.engine.behaviors.root_of(&self.engine.graph, self.id).ok_or(Error::NotLoaded)?;
            self.own_box().load_root(false)?;
        }
        match self.loaded() {
            Ok(()) => {
                let next = self.engine.graph.goto(&mut self.engine.cx, self.id, &Frame::Number(frame));
                self.engine.follow_up(next.into_iter().flatten());
            }
            // The callbacks of the load come first.
            Err(_) => self.engine.graph.signal_timeline(
                &mut self.engine.cx,
                self.id,
                false,
                TimelineCommand::GoTo(Frame::Number(frame)),
            ),
        }
        Ok(frame)
    }

    /// The box of the timeline.
    fn own_box(&mut self) -> super::Box<'_> {
        super::Box { engine: self.engine, id: self.id }
    }

    /// Returns end frame − start frame; 0 if the timeline never ends.
    pub fn size(&self) -> i64 {
        self.end_frame().map_or(0, |end| end - self.start_frame())
    }

    /// Returns the first frame.
    pub fn start_frame(&self) -> i64 {
        self.extent().0
    }

    /// Returns the last frame; none if the timeline never ends.
    pub fn end_frame(&self) -> Option<i64> {
        self.extent().1
    }

    /// Returns the frames per second.
    pub fn fps(&self) -> i32 {
        self.extent().2
    }

    /// Sets the frames per second from now on; cursor, states and motion continue from the last whole frame. If the
    /// timeline is not loaded, the speed applies to all later loads.
    ///
    /// # Errors
    /// [`Error::BadFps`], [`Error::NoTimeline`].
    pub fn set_fps(&mut self, fps: i32) -> Result<(), Error> {
        self.clocked()?;
        if fps <= 0 {
            return Err(Error::BadFps(fps));
        }
        let unloaded = self.loaded().is_err();
        if let Some(t) = self.engine.graph.timeline_mut(self.id).filter(|_| unloaded) {
            t.set_initial_fps(fps);
        }
        self.command(&TimelineCommand::SetFps(fps));
        Ok(())
    }

    /// Returns the frame of the cursor; −1 while the timeline is not loaded.
    pub fn frame(&self) -> i64 {
        self.engine.graph.cursor(&self.engine.cx, self.id)
    }

    /// Returns whether the timeline plays: the cursor moves, or waits for joints, or will move once the start that is
    /// under way is done.
    pub fn is_playing(&self) -> bool {
        self.engine.behaviors.plays_or_will(&self.engine.cx, &self.engine.graph, self.id)
    }

    /// Registers a callback for each time that the cursor comes to the end. A stop does not count.
    pub fn on_stopped(&mut self, mut f: impl FnMut(&mut Cx<'_>) + Send + 'static) -> ListenerId {
        self.engine.callbacks.listen_to(
            &mut self.engine.fast_path,
            &self.engine.graph,
            On::End(self.id),
            Boxed::new(move |cx, _| f(cx)),
        )
    }

    /// Enters a state of the timeline's state machine, by name or label, whenever the cursor comes to a frame. Of two
    /// flags on a frame, the later one counts. Without a state machine, the name may be that of a state that does not
    /// exist yet.
    ///
    /// # Errors
    /// [`Error::NoSuchState`]; [`Error::Derived`] if the timeline has layers; [`Error::NoTimeline`].
    pub fn add_flag(&mut self, frame: i64, state: &str) -> Result<(), Error> {
        self.clocked()?;
        let machine = self.engine.graph.driven_machine(self.id);
        if let Some(machine) = machine {
            let named = self.engine.graph.machine(machine).and_then(|m| m.named(state));
            named.ok_or_else(|| Error::NoSuchState(state.into()))?;
        }
        let Some(inside) = &mut self.engine.graph.boxes[self.id.index()].inside else { return Err(Error::NoTimeline) };
        if machine.is_none() && !inside.layers.is_empty() {
            return Err(Error::Derived);
        }
        inside.flags.push((frame, state.into()));
        if let Some(machine) = machine {
            self.engine.graph.index_flags(&mut self.engine.cx, machine);
        }
        Ok(())
    }

    /// Returns the flags, in the order in which they were added.
    pub fn flags(&self) -> Vec<(i64, Arc<str>)> {
        self.engine.graph.boxes[self.id.index()].inside.iter().flat_map(|i| &i.flags).cloned().collect()
    }

    /// Gives the timeline a state machine to drive. The timeline must have no layers. A state machine follows one
    /// timeline at a time.
    ///
    /// # Errors
    /// [`Error::Foreign`]; [`Error::NoStateMachine`], [`Error::Derived`]; [`Error::Part`] if the state machine's box is
    /// part of another; [`Error::NoSuchState`] if a flag names none of its states.
    pub fn set_state_machine(&mut self, machine: StateMachineId) -> Result<(), Error> {
        self.clocked()?;
        let given = self.engine.graph.own_box(BoxId { engine: machine.engine, index: machine.index })?;
        self.engine.behaviors.root_of(&self.engine.graph, given).ok_or(Error::Part)?;
        let machine = self.engine.graph.machine(given).ok_or(Error::NoStateMachine)?;
        let Some(inside) = &self.engine.graph.boxes[self.id.index()].inside else { return Err(Error::NoTimeline) };
        if !inside.layers.is_empty() {
            return Err(Error::Derived);
        }
        if let Some((_, name)) = inside.flags.iter().find(|(_, name)| machine.named(name).is_none()) {
            return Err(Error::NoSuchState(name.clone()));
        }
        self.engine.graph.give_machine(&mut self.engine.cx, self.id, Some(given));
        Ok(())
    }

    /// Returns the state machine that the timeline has or has been given.
    pub fn state_machine(&self) -> Option<StateMachineId> {
        let own = self.engine.graph.boxes[self.id.index()].inside.as_ref().is_some_and(|i| !i.layers.is_empty());
        let id = self.engine.graph.driven_machine(self.id).or(own.then_some(self.id))?;
        Some(StateMachineId { engine: self.engine.graph.number, index: id.0 })
    }

    fn given_machine(&self) -> Option<ids::BoxId> {
        self.engine.graph.boxes[self.id.index()].inside.as_ref().and_then(|i| i.drives)
    }

    fn extent(&self) -> (i64, Option<i64>, i32) {
        self.engine.graph.timeline(self.id).map_or((0, None, 0), crate::timeline::TimelineRun::extent)
    }

    fn clocked(&self) -> Result<(), Error> {
        self.engine.graph.timeline(self.id).filter(|t| t.clocked).map(|_| ()).ok_or(Error::NoTimeline)
    }

    fn loaded(&self) -> Result<(), Error> {
        self.engine.graph.inside_loaded(self.id).then_some(()).ok_or(Error::NotLoaded)
    }
}

impl Graph {
    pub(super) fn inside_loaded(&self, id: ids::BoxId) -> bool {
        let inside = self.boxes[id.index()].inside.as_ref();
        inside.is_some_and(|i| i.state == InsideState::Loaded && !i.unwinding)
    }

    /// Returns the number of a frame that may be given by name.
    pub(super) fn frame_of(&self, id: ids::BoxId, to: &Frame) -> Result<i64, Error> {
        let name = match to {
            Frame::Number(frame) => return Ok(*frame),
            Frame::Name(name) => name,
        };
        let states = self.boxes[id.index()].inside.as_ref().map(|i| &i.states);
        if let Some(frame) = states.and_then(|s| s.labelled(name)) {
            return Ok(frame);
        }
        let known = self.driven_machine(id).and_then(|m| self.machine(m)?.named(name));
        Err(if known.is_some() { Error::NoFrame(name.clone()) } else { Error::NoSuchLabel(name.clone()) })
    }
}

impl Behaviors {
    /// Returns whether the timeline plays, or its start is under way.
    pub(super) fn plays_or_will(&self, cx: &Context, graph: &Graph, id: ids::BoxId) -> bool {
        let coming = self.root_of(graph, id).is_some_and(|b| {
            let behavior = &self.all[b.index()];
            let begun = graph.boxes[id.index()].life.phase() != Phase::Active;
            let loads = behavior.state == BehaviorState::Loading && behavior.start;
            !self.stops(cx, b) && (loads || (behavior.started && begun))
        });
        coming || graph.timeline(id).is_some_and(crate::timeline::TimelineRun::playing)
    }
}
