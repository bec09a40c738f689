//! The options that either host passes to the Python runtime at its start.

use boxstep_types::Value;
use std::time::Duration;

/// The options of `boxstep_runtime.host.setup`.
#[derive(Clone, Debug)]
pub struct Options {
    /// The virtual clock's time at the start of the run, in seconds since 1970.
    pub epoch: i64,
    /// The seed of all random numbers and of the hash order.
    pub seed: u64,
    /// Whether scripts may use the network and other programs in virtual time.
    pub network: bool,
    /// How long a script may compute while nothing else can happen.
    pub patience: Duration,
    /// The Python version (2 or 3) of scripts whose first line does not name one.
    pub dialect: u8,
    /// The language of speech, e.g. `English`; empty if none is chosen.
    pub language: String,
    /// Whether scripts get the installed package `qi` instead of Boxstep's.
    pub installed_qi: bool,
    /// Whether a program connects to the addresses that it names, instead of using the run's robot. Only Python inside
    /// Boxstep's own process can: it needs the native module.
    pub as_written: bool,
    /// The arguments of a program, without its name.
    pub args: Vec<String>,
    /// The absolute path of a Python file whose classes are the robot's services; empty if there is none.
    pub robot: String,
}

impl Options {
    /// Returns the options under the names that the runtime uses.
    pub fn table(&self, is_virtual: bool) -> Vec<(&'static str, Value)> {
        vec![
            ("epoch", Value::Int(self.epoch)),
            ("virtual", Value::Bool(is_virtual)),
            // A seed has 64 bits, a [`Value`] 63 and a sign: the seed is passed as text, and the host converts it to
            // Python's `int`.
            ("seed", Value::from(self.seed.to_string())),
            ("network", Value::Bool(self.network)),
            ("dialect", Value::Int(self.dialect.into())),
            ("language", Value::from(self.language.as_str())),
            ("installed_qi", Value::Bool(self.installed_qi)),
            ("as_written", Value::Bool(self.as_written)),
            ("args", Value::list(self.args.iter().map(|arg| Value::from(arg.as_str())))),
            ("robot", Value::from(self.robot.as_str())),
        ]
    }
}
