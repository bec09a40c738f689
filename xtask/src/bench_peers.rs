//! Runs all measurements that compare with a peer.

mod fleet;
mod programs;

use crate::tools::{self, output, python_with, root, run, target};
use crate::{Outcome, interop};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The parts that have peers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// libqi's own client and a bare socket; then a bare Python call, a hand-over between threads, a start of Python,
    /// a timed loop
    Qi,
    /// PyPI's `qi`, for programs in Python
    Programs,
    /// Engines of behavior trees: bonsai-bt, py_trees, BehaviorTree.CPP
    Runner,
    /// PyPI's `eclipse-zenoh`, for robots that start together
    Fleet,
}

/// Engines that are Python packages: the variable that names their Python for the benchmark, the package, its module.
const PYTHONS: &[(&str, &str, &str)] = &[
    ("BOXSTEP_PEER_BONSAI_PYTHON", "bonsai-bt==0.14.0", "bonsai_bt"),
    ("BOXSTEP_PEER_PY_TREES_PYTHON", "py_trees==2.6.0", "py_trees"),
    ("BOXSTEP_PEER_BEHAVIORTREEPY_PYTHON", "behaviortreepy==0.1.4", "behaviortreepy"),
];

/// Runs one part, or all.
pub(crate) fn run_all(part: Option<Part>) -> Outcome {
    // A missed limit in one part must not prevent the others.
    let wanted = |one: Part| part.is_none_or(|part| part == one);
    let qi = if wanted(Part::Qi) { qi() } else { Ok(()) };
    let programs = if wanted(Part::Programs) { programs::run() } else { Ok(()) };
    let runner = if wanted(Part::Runner) { runner() } else { Ok(()) };
    let fleet = if wanted(Part::Fleet) { fleet::run_both() } else { Ok(()) };
    runner.and(programs).and(qi).and(fleet)
}

fn qi() -> Outcome {
    let qi = run(tools::cargo(&["bench", "--quiet", "--package", "boxstep-qi", "--bench", "peers"])
        .env(interop::PYTHON, interop::python()?)
        .env_remove("RUSTFLAGS"));
    run(tools::cargo(&["bench", "--quiet", "--package", "boxstep", "--bench", "performance", "--", "peers"])
        .env_remove("RUSTFLAGS"))
    .and(qi)
}

/// Installs the peers that it can; the others are skipped, with the reason.
fn runner() -> Outcome {
    let mut bench = tools::cargo(&["bench", "--quiet", "--package", "boxstep-runner", "--bench", "peers"]);
    bench.env_remove("RUSTFLAGS");
    let mut peer = |variable: &str, program: Result<PathBuf, String>| match program {
        Ok(program) => drop(bench.env(variable, program)),
        Err(why) => println!("not measured: {why}"),
    };
    for (variable, package, module) in PYTHONS {
        peer(variable, python_with(OsStr::new("python3"), "peers", package, module));
    }
    peer("BOXSTEP_PEER_BONSAI", bonsai());
    peer("BOXSTEP_PEER_BEHAVIORTREE_CPP", behaviortree_cpp());
    run(&mut bench)
}

fn sources() -> PathBuf {
    root().join("crates/boxstep-runner/benches/peers")
}

/// bonsai-bt has a program of its own, so that the workspace does not depend on its dependencies.
fn bonsai() -> Result<PathBuf, String> {
    let place = target().join("peers").join("bonsai");
    run(tools::cargo(&["build", "--release", "--quiet", "--locked", "--manifest-path"])
        .arg(sources().join("bonsai/Cargo.toml"))
        .arg("--target-dir")
        .arg(&place)
        .env_remove("RUSTFLAGS"))?;
    Ok(place.join("release").join(format!("boxstep-peer-bonsai{}", std::env::consts::EXE_SUFFIX)))
}

/// Builds a program with the BehaviorTree.CPP of this machine, if there is one.
fn behaviortree_cpp() -> Result<PathBuf, String> {
    let flags = flags()
        .ok_or("there is no BehaviorTree.CPP 4 here: neither pkg-config knows it nor a folder of CMAKE_PREFIX_PATH, /usr, /opt/ros")?;
    let program = target().join("peers").join(format!("behaviortree_cpp{}", std::env::consts::EXE_SUFFIX));
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    std::fs::create_dir_all(target().join("peers")).map_err(|e| e.to_string())?;
    run(Command::new(compiler)
        .args(["-std=c++17", "-O2", "-o"])
        .arg(&program)
        .arg(sources().join("behaviortree_cpp.cpp"))
        .args(flags))?;
    Ok(program)
}

/// Returns the compiler flags for BehaviorTree.CPP.
fn flags() -> Option<Vec<String>> {
    let known = output(Command::new("pkg-config").args(["--cflags", "--libs", "behaviortree_cpp"]));
    if let Ok(flags) = known {
        return Some(flags.split_whitespace().map(str::to_owned).collect());
    }
    let listed = std::env::var_os("CMAKE_PREFIX_PATH").unwrap_or_default();
    let listed = std::env::split_paths(&listed).collect::<Vec<_>>();
    let ros = std::fs::read_dir("/opt/ros").into_iter().flatten().flatten().map(|entry| entry.path());
    let usual = ["/usr/local", "/usr"].into_iter().map(PathBuf::from);
    listed.into_iter().chain(ros).chain(usual).find_map(|prefix| flags_in(&prefix))
}

fn flags_in(prefix: &Path) -> Option<Vec<String>> {
    // Packages of ROS have a folder of their own in `include`.
    let places = [prefix.join("include"), prefix.join("include/behaviortree_cpp")];
    let headers = places.iter().find(|place| place.join("behaviortree_cpp/bt_factory.h").is_file())?;
    let mut flags = vec![format!("-I{}", headers.display())];
    for folder in ["lib", "lib64"].map(|lib| prefix.join(lib)).into_iter().filter(|folder| folder.is_dir()) {
        flags.extend([format!("-L{}", folder.display()), format!("-Wl,-rpath,{}", folder.display())]);
    }
    flags.extend(["-lbehaviortree_cpp", "-lpthread", "-ldl"].map(str::to_owned));
    Some(flags)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::TempDir;

    #[test]
    fn a_library_is_found_by_its_headers_also_where_ros_puts_them() {
        let place = TempDir::new("btcpp").unwrap();
        assert_eq!(flags_in(place.path()), None);
        let headers = place.path().join("include/behaviortree_cpp/behaviortree_cpp");
        std::fs::create_dir_all(&headers).unwrap();
        std::fs::create_dir_all(place.path().join("lib")).unwrap();
        std::fs::write(headers.join("bt_factory.h"), "").unwrap();
        let prefix = place.path().display();
        let flags = flags_in(place.path()).unwrap();
        assert_eq!(flags[0], format!("-I{prefix}/include/behaviortree_cpp"));
        assert!(
            flags.contains(&format!("-L{prefix}/lib")) && flags.contains(&"-lbehaviortree_cpp".to_owned()),
            "{flags:?}"
        );
    }
}
