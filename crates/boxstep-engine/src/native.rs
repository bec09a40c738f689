//! Boxes written in Rust.

use crate::fast::Way;
use boxstep_format::model::BoxDef;
use boxstep_types::{Time, Value};

/// A box written in Rust. Its calls must be short: the engine's lock is held.
pub trait NativeBox: Send {
    /// The diagram around it has been loaded.
    fn load(&mut self, cx: &mut NativeCx<'_>) {
        let _ = cx;
    }

    /// An input was stimulated. `input` counts the box's inputs in document order.
    fn input(&mut self, cx: &mut NativeCx<'_>, input: usize, value: &Value);

    /// The diagram around it is unloaded.
    fn unload(&mut self, cx: &mut NativeCx<'_>) {
        let _ = cx;
    }
}

/// What a native box can do while it is called.
pub struct NativeCx<'a> {
    pub(crate) now: Time,
    /// What has to go the long way, in order.
    pub(crate) long: &'a mut Vec<(u16, Value)>,
    /// The short way, if it is open.
    pub(crate) way: Option<Way<'a>>,
}

impl NativeCx<'_> {
    /// The engine's time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Stimulates an output. `output` counts the box's outputs in document order.
    #[inline]
    pub fn output(&mut self, output: usize, value: Value) {
        match &mut self.way {
            // Once something went the long way the rest follows, in order.
            Some(way) if self.long.is_empty() => {
                if let Err(value) = way.send(output, value) {
                    self.long(output, value);
                }
            }
            _ => self.long(output, value),
        }
    }

    fn long(&mut self, output: usize, value: Value) {
        self.long.push((u16::try_from(output).unwrap_or(u16::MAX), value));
    }
}

/// Decides which boxes are native.
pub trait NativeFactory: Send {
    /// The native box for a box of a file, or `None` to run the file's own script and inside.
    fn make(&mut self, definition: &BoxDef) -> Option<Box<dyn NativeBox>>;
}
