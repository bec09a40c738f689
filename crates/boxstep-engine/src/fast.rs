//! The shortest way of a signal: from one native box to the next, with the trace off.
//!
//! It does what `Engine::input` and `Engine::output` do for such boxes, on packed tables that stay in
//! the nearest cache. Whatever is out of the ordinary goes the long way.

use crate::Engine;
use crate::engine::Work;
use crate::graph::{BoxId, DiagramId, Hot};
use crate::native::NativeCx;
use crate::signals::suits;
use boxstep_format::model::PortType;
use boxstep_types::Value;

impl Engine {
    /// Lets a native box take a signal. False: it is none, or somebody listens; go the long way.
    #[inline]
    pub(crate) fn fast_input(
        &mut self,
        diagram: DiagramId,
        generation: u32,
        to: BoxId,
        input: u16,
        value: &mut Value,
    ) -> bool {
        let Some(&Hot { native, inputs, outputs }) = self.graph.hot.get(to.index()) else { return false };
        if native == Hot::NONE || self.tracer.on() || self.signals >= self.config.livelock_bound {
            return false;
        }
        let wanted = self.graph.hot_inputs.get(inputs as usize + usize::from(input));
        if !wanted.is_some_and(|wanted| suits(*wanted, value)) {
            return false;
        }
        self.signals += 1;
        let mut cx = NativeCx { now: self.clock.now(), outputs: &mut self.native_outputs };
        self.natives[native as usize].input(&mut cx, usize::from(input), std::mem::take(value));
        if self.native_outputs.len() != 1 {
            let outputs = std::mem::take(&mut self.native_outputs);
            self.native_done(to, outputs);
            return true;
        }
        let Some((output, value)) = self.native_outputs.pop() else { return true };
        match self.graph.hot_outputs.get(outputs as usize + usize::from(output)) {
            Some(hot) if suits(hot.port_type, &value) && !matches!(hot.port_type, PortType::Unknown(_)) => {
                let targets = hot.targets as usize..(hot.targets + hot.count) as usize;
                let cause = self.cause;
                if let Some((last, rest)) = self.graph.hot_targets[targets].split_last() {
                    for target in rest {
                        let value = value.clone();
                        self.work.push_back(Work::Signal { diagram, generation, target: *target, cause, value });
                    }
                    self.work.push_back(Work::Signal { diagram, generation, target: *last, cause, value });
                }
            }
            _ => self.native_done(to, vec![(output, value)]),
        }
        true
    }
}
