//! The shortest way of a signal: from one native box to the next, with the trace off.
//!
//! It does what `Engine::input` and `Engine::output` do for such boxes, on packed tables that stay in
//! the nearest cache. Whatever is out of the ordinary goes the long way.

use crate::Engine;
use crate::engine::Work;
use crate::graph::{BoxId, DiagramId, Hot, HotOutput, Target};
use crate::native::NativeCx;
use crate::signals::suits;
use boxstep_types::Value;
use std::collections::VecDeque;

/// Where the outputs of a native box lead, at hand while it is called.
pub(crate) struct Way<'a> {
    pub(crate) work: &'a mut VecDeque<Work>,
    pub(crate) outputs: &'a [HotOutput],
    pub(crate) targets: &'a [Target],
    pub(crate) diagram: DiagramId,
    pub(crate) generation: u32,
    pub(crate) cause: u64,
}

impl Way<'_> {
    /// Sends a value along an output's links. Gives it back if it has to go the long way.
    #[inline]
    pub(crate) fn send(&mut self, output: u16, value: Value) -> Option<Value> {
        let Some(hot) = self.outputs.get(usize::from(output)) else { return Some(value) };
        if !hot.plain || !suits(hot.port_type, &value) {
            return Some(value);
        }
        let &mut Self { diagram, generation, cause, .. } = self;
        if let Some((last, rest)) = self.targets[hot.targets as usize..][..hot.count as usize].split_last() {
            for target in rest {
                let value = value.clone();
                self.work.push_back(Work::Signal { diagram, generation, target: *target, cause, value });
            }
            self.work.push_back(Work::Signal { diagram, generation, target: *last, cause, value });
        }
        None
    }
}

impl Engine {
    /// Lets a native box take a signal. Gives the value back if the box is none, or if somebody
    /// listens: then it has to go the long way.
    #[inline]
    pub(crate) fn fast_input(
        &mut self,
        diagram: DiagramId,
        generation: u32,
        to: BoxId,
        input: u16,
        value: Value,
    ) -> Option<Value> {
        let Some(&Hot { native, inputs, outputs, outputs_end }) = self.graph.hot.get(to.index()) else {
            return Some(value);
        };
        let Some(boxed) = self.natives.get_mut(native as usize) else { return Some(value) };
        if self.tracer.on() || self.signals >= self.config.livelock_bound {
            return Some(value);
        }
        let Some(wanted) = self.graph.hot_inputs.get(inputs as usize + usize::from(input)) else { return Some(value) };
        if !suits(*wanted, &value) {
            return Some(value);
        }
        self.signals += 1;
        let way = Way {
            work: &mut self.work,
            outputs: &self.graph.hot_outputs[outputs as usize..outputs_end as usize],
            targets: &self.graph.hot_targets,
            diagram,
            generation,
            cause: self.cause,
        };
        let mut cx = NativeCx { now: self.clock.now(), outputs: &mut self.native_outputs, way: Some(way) };
        boxed.input(&mut cx, usize::from(input), value);
        if !self.native_outputs.is_empty() {
            let outputs = std::mem::take(&mut self.native_outputs);
            self.native_done(to, outputs);
        }
        None
    }
}
