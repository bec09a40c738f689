//! What comes from outside a run. From these events alone a run can be played again.

use boxstep_types::Value;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Something from outside. Its box, if it is about one, is that of the event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "what", content = "details", rename_all = "snake_case")]
pub enum Control {
    /// An event of the robot's memory is raised.
    Event {
        /// Its key.
        key: Arc<str>,
        /// Its value.
        #[serde(default)]
        value: Value,
    },
    /// Somebody says something to the robot.
    Hear {
        /// What.
        text: Arc<str>,
    },
    /// A key of the robot's memory is set.
    Memory {
        /// The key.
        key: Arc<str>,
        /// Its value.
        #[serde(default)]
        value: Value,
    },
    /// An input or output is stimulated.
    Stimulate {
        /// Which.
        port: Arc<str>,
        /// With what.
        #[serde(default)]
        value: Value,
    },
    /// A parameter is set.
    Set {
        /// Which.
        parameter: Arc<str>,
        /// Its value.
        #[serde(default)]
        value: Value,
    },
    /// A program calls a service.
    Call {
        /// e.g. `ALMotion`
        service: Arc<str>,
        /// e.g. `rest`
        method: Arc<str>,
        /// The arguments.
        #[serde(default)]
        args: Vec<Value>,
    },
    /// The run is stopped.
    Stop(()),
    /// The run is interrupted, as by Ctrl-C.
    Interrupt(()),
    /// The time limit is reached.
    Limit(()),
}

impl Control {
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        match self {
            Control::Event { value, .. }
            | Control::Memory { value, .. }
            | Control::Stimulate { value, .. }
            | Control::Set { value, .. } => std::slice::from_mut(value),
            Control::Call { args, .. } => args.as_mut_slice(),
            Control::Hear { .. } | Control::Stop(()) | Control::Interrupt(()) | Control::Limit(()) => &mut [],
        }
        .iter_mut()
    }
}
