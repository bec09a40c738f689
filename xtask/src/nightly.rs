//! `cargo xtask nightly`: checks that take too long for each change. CONTRIBUTING.md says what each step proves.

use crate::steps::Step;
use crate::tools::{cargo, root, run, run_tests};
use crate::{
    Outcome, bench_peers, determinism, dist, interop, interrupts, ros2, static_build, torture, wheel, windows,
};
use std::ffi::OsStr;
use std::process::Command;

pub(crate) const STEPS: [Step; 13] = [
    Step { name: "models", run: models },
    Step { name: "laws", run: laws },
    Step { name: "traces", run: || determinism::run(20, &[]) },
    Step { name: "ctrl-c", run: || interrupts::run(&interrupts::Options::often()) },
    Step { name: "libqi", run: interop::all },
    Step { name: "ros2", run: || ros2::run_all(&ros2::Options::default()) },
    Step { name: "hostile", run: || torture::run(&torture::Options::long()) },
    Step { name: "fuzz", run: fuzz },
    Step { name: "package", run: || wheel::run_all(&wheel::Options::of_profile("dist"), &root()) },
    Step { name: "windows", run: || windows::run_all(&windows::Options::default()) },
    Step { name: "release", run: || dist::run_all(&dist::Options::default()) },
    Step { name: "on-robot", run: static_build::run_all },
    Step { name: "figures", run: figures },
];

/// Explores every order in which threads pass on the turn.
fn models() -> Outcome {
    run(cargo(&["test", "--package", "boxstep-script", "--test", "turn", "--test", "mailbox"])
        .env("RUSTFLAGS", "--cfg loom"))
}

/// Runs a million random behaviors for each property.
fn laws() -> Outcome {
    let cases = |count| [("BOXSTEP_CASES", OsStr::new(count))];
    run_tests(&["--release", "--test", "tests"], &["random::", "contention::"], &cases("1000000"))?;
    run_tests(&["--test", "order"], &[], &cases("400"))
}

/// Runs each fuzz target for ten minutes; needs `cargo-fuzz` and a nightly compiler.
fn fuzz() -> Outcome {
    let folder = root().join("fuzz/fuzz_targets");
    let mut targets: Vec<String> = std::fs::read_dir(&folder)
        .map_err(|e| format!("{}: {e}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    targets.sort();
    targets.iter().try_for_each(|target| {
        let mut command = Command::new("cargo");
        // cargo-fuzz selects the compiler by itself.
        command.args(["+nightly", "fuzz", "run", target, "--", "-max_total_time=600"]).env_remove("CARGO");
        run(command.env_remove("RUSTUP_TOOLCHAIN").current_dir(root()))
    })
}

fn figures() -> Outcome {
    run(&mut cargo(&["bench", "--package", "boxstep"]))?;
    bench_peers::run_all(None)
}
