//! Native boxes, which are written in Rust.

use crate::fast_path::Way;
use crate::protocol::TimelineCommand;
use boxstep_format::model::BoxDef;
use boxstep_types::{Time, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// A box written in Rust. Its methods must be short, because they run under the engine's lock.
pub trait NativeBox: Send {
    /// Called after the diagram around the box has been loaded.
    fn load(&mut self, cx: &mut NativeCx<'_>) {
        let _ = cx;
    }

    /// Called when an input is stimulated. `input` is its index in document order.
    fn input(&mut self, cx: &mut NativeCx<'_>, input: usize, value: &Value);

    /// Called when the diagram around the box is unloaded.
    fn unload(&mut self, cx: &mut NativeCx<'_>) {
        let _ = cx;
    }
}

/// What a native box may use while it is called.
pub struct NativeCx<'a> {
    pub(crate) now: Time,
    /// The outputs that take the ordinary path, in order.
    pub(crate) long: &'a mut Vec<Put>,
    /// The fast path, if it is open.
    pub(crate) way: Option<Way<'a>>,
}

/// An output of a native box on the ordinary path.
pub(crate) enum Put {
    Output(u16, Value),
    /// A command to the timeline around the box.
    Timeline(TimelineCommand),
}

impl NativeCx<'_> {
    /// The engine's time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Stimulates an output. `output` is its index in document order.
    #[inline]
    pub fn output(&mut self, output: usize, value: Value) {
        match &mut self.way {
            // After one output on the ordinary path, the others follow it to keep the order.
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

    /// Sends a command to the timeline around the box as a signal. It has an effect if the box is still loaded when it
    /// is delivered.
    pub fn parent_timeline(&mut self, command: TimelineCommand) {
        self.long.push(Put::Timeline(command));
    }
}

/// Decides which boxes are native, and creates them.
pub trait NativeFactory: Send {
    /// Creates the native box for a box of a file, or returns `None` to run the file's own script and inside.
    fn make(&mut self, definition: &BoxDef) -> Option<Box<dyn NativeBox>>;
}

type Make = Box<dyn FnMut() -> Box<dyn NativeBox> + Send>;

/// A factory of native boxes by name: in every behavior, a box of that name is run by Rust instead of its script and
/// inside.
///
/// ```
/// use boxstep_engine::native::{NativeBox, NativeCx, Natives};
/// use boxstep_engine::{Engine, config::Config, objects::Draft};
/// use boxstep_format::model::{OutputNature, PortType};
/// use boxstep_types::Value;
///
/// /// A box that is done as soon as it is started.
/// struct Done;
/// impl NativeBox for Done {
///     fn input(&mut self, cx: &mut NativeCx<'_>, _: usize, _: &Value) {
///         cx.output(0, Value::Null);
///     }
/// }
///
/// let mut engine = Engine::without_robot(Config::default());
/// engine.set_natives(Box::new(Natives::new().with("Say", || Box::new(Done))));
/// let draft = Draft::new("Say").output("onStopped", OutputNature::OnStopped, PortType::Bang);
/// let say = engine.objects().new_box(draft)?;
/// let (sender, ends) = std::sync::mpsc::channel();
/// engine.objects().get_box(say)?.on_output("onStopped", move |_, _| {
///     let _ = sender.send(());
/// })?;
/// engine.objects().get_box(say)?.start()?;
/// engine.settle();
/// assert_eq!(ends.try_iter().count(), 1);
/// # Ok::<(), boxstep_engine::objects::Error>(())
/// ```
#[derive(Default)]
pub struct Natives(HashMap<Arc<str>, Make>);

impl Natives {
    /// Creates an empty factory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a native box. `make` is called each time a box of this name is constructed.
    #[must_use]
    pub fn with(mut self, name: &str, make: impl FnMut() -> Box<dyn NativeBox> + Send + 'static) -> Self {
        self.0.insert(name.into(), Box::new(make));
        self
    }

    /// Adds all boxes of another factory, which replace those of the same name.
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
