//! What the Python runtime is told at the start, by either host.

use boxstep_types::Value;
use std::time::Duration;

/// See `boxstep_runtime.host.setup`.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the virtual clock says at the start: seconds since 1970.
    pub epoch: i64,
    /// Of every random number, and of hash order.
    pub seed: u64,
    /// Scripts may use the network and other programs in virtual time.
    pub network: bool,
    /// How long a script may compute while nothing else can happen.
    pub patience: Duration,
    /// Of scripts whose first line names no Python: 2 or 3.
    pub dialect: u8,
    /// Of speech, e.g. `English`; empty if it is not chosen.
    pub language: String,
    /// Scripts get the package `qi` that is installed.
    pub installed_qi: bool,
    /// A Python file whose classes are the robot's services; absolute, empty if there is none.
    pub robot: String,
}

impl Options {
    /// The options by the names that the runtime knows them by.
    pub fn table(&self, is_virtual: bool) -> Vec<(&'static str, Value)> {
        vec![
            ("epoch", Value::Int(self.epoch)),
            ("virtual", Value::Bool(is_virtual)),
            // A value has 63 bits and a sign. Whoever makes Python's table makes a number of this.
            ("seed", Value::from(self.seed.to_string())),
            ("network", Value::Bool(self.network)),
            ("dialect", Value::Int(self.dialect.into())),
            ("language", Value::from(self.language.as_str())),
            ("installed_qi", Value::Bool(self.installed_qi)),
            ("robot", Value::from(self.robot.as_str())),
        ]
    }
}
