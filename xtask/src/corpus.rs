//! `cargo xtask corpus`: reads and plays every behavior of a folder.
//!
//! Each file plays for two minutes of virtual time in a process of its own. Memory inputs, touches of the body and the
//! root's own inputs are stimulated once each, so that boxes that wait for an event run as well. A file with scripts
//! that did not run is also played on the other body, for these scripts only. The results are compared with
//! `xtask/corpus/expected.tsv`, which contains hashes and outcomes and nothing of the files.
//!
//! With `--robot` each file plays a second time on a robot in a process of its own that follows its client's clock,
//! and both traces must be identical; with `--real-time` some files play on such a robot in real time.

pub(crate) mod play;
mod prepare;
mod report;
mod robot;
mod tables;

use crate::{Outcome, tools};
use play::Played;
use prepare::Prepared;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use walkdir::WalkDir;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder [default: ../shared/corpus beside the repository]
    dir: Option<PathBuf>,
    /// How many play at once [default: one per core]
    #[arg(long, short)]
    jobs: Option<usize>,
    /// Seconds of wall-clock time after which a file counts as hanging
    #[arg(long, default_value_t = 20)]
    patience: u64,
    /// Write the results as the expected ones
    #[arg(long)]
    bless: bool,
    /// Report each file and each error
    #[arg(long, short)]
    verbose: bool,
    /// Keep each file's trace in this folder, named by the file's hash
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Only files whose path contains this
    #[arg(long)]
    only: Option<String>,
    /// The program [default: this tree's, built for release]
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Also play each file on a served robot that follows its client's clock: the traces must be identical
    #[arg(long, conflicts_with = "bless")]
    robot: bool,
    /// Only this many files, evenly spread, or with --real-time those with the smallest hashes [default there: 10]
    #[arg(long, conflicts_with = "bless")]
    files: Option<usize>,
    /// Play some files on a served robot in real time
    #[arg(long, requires = "robot")]
    real_time: bool,
    /// The seconds of real time
    #[arg(long = "for", value_name = "SECONDS", default_value_t = 20, requires = "real_time")]
    seconds: u64,
}

/// The results of one file.
pub(crate) struct File {
    /// Path below the folder.
    pub(crate) name: String,
    pub(crate) hash: String,
    /// The number of boxes with a script that is not blank.
    pub(crate) scripts: usize,
    pub(crate) played: Played,
    /// The result on a served robot.
    pub(crate) served: Option<robot::Served>,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let beside = || tools::root().join("../shared/corpus");
    let dir = options.dir.clone().unwrap_or_else(beside);
    if !dir.is_dir() {
        if options.dir.is_none() {
            println!("skipped: there is no folder {}; name one", dir.display());
            return Ok(());
        }
        return Err(format!("{} is no folder", dir.display()));
    }
    let mut paths = behaviors(&dir)?;
    if let Some(only) = &options.only {
        paths.retain(|p| p.to_string_lossy().contains(only.as_str()));
    }
    let binary = options.binary.clone().map_or_else(tools::release_binary, Ok)?;
    if options.real_time {
        return robot::real_time(&binary, &dir, &paths, options);
    }
    if let Some(files) = options.files.filter(|n| *n < paths.len()) {
        let all = paths.len();
        paths = (0..files).map(|i| std::mem::take(&mut paths[i * all / files])).collect();
    }
    let began = Instant::now();
    let files = play_all(&binary, &dir, &paths, options)?;
    report::report(&files, options.verbose, began.elapsed());
    if options.robot {
        return robot::report(&files);
    }
    let whole = options.only.is_none() && options.files.is_none();
    tables::compare(&files, options.bless, whole)?;
    report::bar(&files, began.elapsed())
}

/// Returns every `.xar` below a folder, sorted.
pub(crate) fn behaviors(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for entry in WalkDir::new(dir).sort_by_file_name() {
        let entry = entry.map_err(|e| e.to_string())?;
        if entry.file_type().is_file() && entry.path().extension().is_some_and(|e| e == "xar") {
            found.push(entry.into_path());
        }
    }
    Ok(found)
}

fn play_all(binary: &Path, dir: &Path, paths: &[PathBuf], options: &Options) -> Result<Vec<File>, String> {
    let jobs = options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from)).max(1);
    let place = tools::TempDir::new("corpus")?;
    if let Some(keep) = &options.keep {
        std::fs::create_dir_all(keep).map_err(|e| format!("{}: {e}", keep.display()))?;
    }
    let patience = Duration::from_secs(options.patience);
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<File, String>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..jobs {
            let (next, done) = (&next, &done);
            let trace = place.path().join(format!("{worker}.jsonl"));
            scope.spawn(move || {
                let mut robot = None;
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = paths.get(index) else { return };
                    let name = path.strip_prefix(dir).unwrap_or(path).to_string_lossy().into_owned();
                    let file = one(binary, path, name, &trace, patience, options.robot.then_some(&mut robot));
                    let file = file.and_then(|f| kept(f, &trace, options));
                    done.lock().unwrap_or_else(|e| e.into_inner()).push((index, file));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|e| e.into_inner());
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, file)| file).collect()
}

/// Keeps a trace, if requested.
fn kept(file: File, trace: &Path, options: &Options) -> Result<File, String> {
    if let Some(keep) = &options.keep
        && trace.exists()
    {
        let to = keep.join(format!("{}.jsonl", file.hash));
        std::fs::copy(trace, &to).map_err(|e| format!("{}: {e}", to.display()))?;
    }
    Ok(file)
}

fn one(
    binary: &Path,
    path: &Path,
    name: String,
    trace: &Path,
    patience: Duration,
    robot: Option<&mut Option<robot::Robot>>,
) -> Result<File, String> {
    let (hash, prepared) = prepare::prepare(path, 120.0)?;
    Ok(match prepared {
        Err(why) => File { name, hash, scripts: 0, played: Played::unread(why), served: None },
        Ok(Prepared { scripts, options }) => {
            let mut played = play::play(binary, path, &options, trace, patience)?;
            let served =
                robot.map(|robot| robot::play_again(robot, binary, path, &options, trace, patience)).transpose()?;
            // Some behaviors query the type of the robot, and may do on one what they do not do on the other.
            if played.called.len() < scripts
                && let Some(other) = other_body(&played.body)
            {
                let options = [options, vec!["--body".to_owned(), other.to_owned()]].concat();
                let again = trace.with_extension("again.jsonl");
                played.also(play::play(binary, path, &options, &again, patience)?);
            }
            File { name, hash, scripts, played, served }
        }
    })
}

/// Returns the other one of the two simulated bodies.
fn other_body(body: &str) -> Option<&'static str> {
    match body {
        "nao" => Some("pepper"),
        "pepper" => Some("nao"),
        _ => None,
    }
}
