//! The hidden command `__selftest [--process] [--virtual-time] [--network] FILE.py`: runs the functions of a file on a
//! model of the engine and prints what they log. It shows, without boxes, that threads, locks and clocks work in a
//! given Python and with either host.

use crate::options::Options;
use crate::scheduler::model::Model;
use boxstep_engine::CallbackId;
use boxstep_engine::protocol::Order;
use boxstep_engine::shared::{Host, Shared};
use std::ffi::{OsStr, OsString};
use std::time::Duration;

/// The name and the text of the runtime module that replaces `boxstep_runtime.host`.
pub const STAND_IN: (&str, &str) = ("boxstep_runtime.selftest", include_str!("selftest.py"));

/// The parsed arguments.
pub struct Selftest<'a> {
    file: &'a OsStr,
    /// `--virtual-time`
    pub is_virtual: bool,
    /// The options of the runtime.
    pub options: Options,
}

impl<'a> Selftest<'a> {
    /// Parses the arguments.
    pub fn new(args: &'a [OsString]) -> Self {
        let has = |flag: &str| args.iter().any(|a| a == flag);
        let options = Options {
            epoch: 1_577_836_800,
            seed: 0,
            network: has("--network"),
            patience: Duration::from_secs(4),
            dialect: 3,
            language: String::new(),
            installed_qi: false,
            as_written: false,
            args: Vec::new(),
            robot: String::new(),
        };
        Self { file: args.last().map_or(OsStr::new(""), |a| a), is_virtual: has("--virtual-time"), options }
    }

    /// Runs the functions, prints their results, and returns the exit code.
    pub fn run(&self, host: &dyn Host<Model>) -> i32 {
        let text = match std::fs::read_to_string(self.file) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{}: {error}", self.file.display());
                return 2;
            }
        };
        // The first line states the number of functions: `# main: 3`.
        let count = text.lines().next().and_then(|l| l.strip_prefix("# main: ")?.trim().parse().ok()).unwrap_or(1);
        let mut model = Model::new(self.is_virtual);
        for callback in 0..count {
            model.push(Order::Deliver { callback: CallbackId(callback), args: Vec::new() });
        }
        let engine = Shared::new(model);
        if let Err(why) = host.drive(&engine) {
            eprintln!("{why}");
            return 4;
        }
        let model = engine.lock();
        for (t, line) in &model.log {
            // In real time only the order of the lines is reproducible.
            if self.is_virtual { println!("{t} {line}") } else { println!("{line}") }
        }
        if !model.stuck.is_empty() {
            println!("{} waiting for ever", model.stuck.len());
        }
        for why in &model.not_deterministic {
            println!("not deterministic: {why}");
        }
        0
    }
}
