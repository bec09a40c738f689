//! Boxes written in Rust for random cases: each input puts out something, until they have done enough.

use boxstep_engine::native::{NativeBox, NativeCx, NativeFactory};
use boxstep_engine::protocol::TimelineCommand;
use boxstep_format::model::BoxDef;
use boxstep_types::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What an input of a native box makes it do.
#[derive(Clone, Debug, PartialEq)]
pub enum Puts {
    Nothing,
    Output(usize),
    /// To the timeline around it.
    Timeline(TimelineCommand),
}

struct Native {
    puts: Vec<Puts>,
    /// How often it does anything: a circle of native boxes is one of signals without end otherwise.
    left: u32,
    heard: Arc<AtomicU64>,
}

impl NativeBox for Native {
    fn input(&mut self, cx: &mut NativeCx<'_>, input: usize, value: &Value) {
        self.heard.fetch_add(1, Ordering::Relaxed);
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        match &self.puts[input % self.puts.len()] {
            Puts::Nothing => {}
            Puts::Output(output) => cx.output(*output, value.clone()),
            Puts::Timeline(command) => cx.parent_timeline(command.clone()),
        }
    }
}

/// Makes the native boxes of a case, by name, and counts what they hear.
pub struct Factory {
    pub natives: BTreeMap<&'static str, Vec<Puts>>,
    pub heard: Arc<AtomicU64>,
}

impl NativeFactory for Factory {
    fn make(&mut self, definition: &BoxDef) -> Option<Box<dyn NativeBox>> {
        let puts = self.natives.get(&*definition.name)?.clone();
        Some(Box::new(Native { puts, left: 200, heard: self.heard.clone() }))
    }
}
