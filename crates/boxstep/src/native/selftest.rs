//! The hidden command `__selftest [--virtual-time] [--network] FILE.py`: runs functions of a file on a model of the
//! engine, and prints what they logged. It shows that threads, locks and clocks work in a given Python, without boxes.

use super::host::{Options, PythonHost};
use boxstep_engine::CallbackId;
use boxstep_engine::door::{Order, Scheduler as _};
use boxstep_engine::shared::{Host as _, Shared};
use boxstep_script::baton::model::Model;
use std::ffi::OsString;
use std::time::Duration;

pub(crate) fn main(args: &[OsString]) -> i32 {
    let has = |flag: &str| args.iter().any(|a| a == flag);
    let Some(file) = args.last() else { return 2 };
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            return 2;
        }
    };
    // The first line says how many functions there are: `# main: 3`.
    let count = text.lines().next().and_then(|l| l.strip_prefix("# main: ")?.trim().parse().ok()).unwrap_or(1);
    let options = Options {
        epoch: 1_577_836_800,
        seed: 0,
        network: has("--network"),
        patience: Duration::from_secs(4),
        dialect: 3,
        language: String::new(),
        installed_qi: false,
    };
    let mut model = Model::new(has("--virtual-time"));
    for callback in 0..count {
        model.push(Order::Deliver { callback: CallbackId(callback), args: Vec::new() });
    }
    let engine = Shared::new(model);
    let host = PythonHost::with_stand_in(options, "boxstep_runtime.selftest", include_str!("selftest.py"));
    if let Err(why) = host.drive(&engine) {
        eprintln!("{why}");
        return 4;
    }
    let model = engine.lock();
    for (t, line) in &model.log {
        // Real time is only good for the order of things.
        if model.is_virtual() { println!("{t} {line}") } else { println!("{line}") }
    }
    if !model.stuck.is_empty() {
        println!("{} waiting for ever", model.stuck.len());
    }
    for why in &model.not_deterministic {
        println!("not deterministic: {why}");
    }
    0
}
