//! Boxes written in Rust.

use crate::fast_path::Way;
use crate::protocol::TimelineCommand;
use boxstep_format::model::BoxDef;
use boxstep_types::{Time, Value};
use std::collections::HashMap;
use std::sync::Arc;

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
    pub(crate) long: &'a mut Vec<Put>,
    /// The short way, if it is open.
    pub(crate) way: Option<Way<'a>>,
}

/// What a native box has put out the long way.
pub(crate) enum Put {
    Output(u16, Value),
    /// To the timeline around it.
    Timeline(TimelineCommand),
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
        self.long.push(Put::Output(u16::try_from(output).unwrap_or(u16::MAX), value));
    }

    /// Sends a signal to the timeline around the box. It arrives in its turn, if the box is still loaded then.
    pub fn parent_timeline(&mut self, command: TimelineCommand) {
        self.long.push(Put::Timeline(command));
    }
}

/// Decides which boxes are native.
pub trait NativeFactory: Send {
    /// The native box for a box of a file, or `None` to run the file's own script and inside.
    fn make(&mut self, definition: &BoxDef) -> Option<Box<dyn NativeBox>>;
}

type Make = Box<dyn FnMut() -> Box<dyn NativeBox> + Send>;

/// Native boxes by the name of the box: whichever behavior it is in, a box of that name is run by Rust instead of its
/// script and inside.
#[derive(Default)]
pub struct Natives(HashMap<Arc<str>, Make>);

impl Natives {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more. A box is made anew each time it is constructed.
    #[must_use]
    pub fn with(mut self, name: &str, make: impl FnMut() -> Box<dyn NativeBox> + Send + 'static) -> Self {
        self.0.insert(name.into(), Box::new(make));
        self
    }

    /// These and those; of one name those.
    #[must_use]
    pub fn and(mut self, others: Natives) -> Self {
        self.0.extend(others.0);
        self
    }
}

impl NativeFactory for Natives {
    fn make(&mut self, definition: &BoxDef) -> Option<Box<dyn NativeBox>> {
        self.0.get_mut(&*definition.name).map(|make| make())
    }
}
