//! `cargo xtask offline`: builds the page that needs no program, the extension for VS Code that shows it, and tries both.

use crate::Outcome;
use crate::tools::{self, add_target, cargo, root, run, target};
use crate::view::{Node, browser};
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How the page is built and tested.
#[derive(Args, Default)]
pub(crate) struct Options {
    /// Do not test
    #[arg(long)]
    no_tests: bool,
    /// The folder for the tests' screenshots
    #[arg(long)]
    shots: Option<PathBuf>,
}

const TARGET: &str = "wasm32-unknown-unknown";

/// The files of a page on a server, and what each is.
const FILES: [(&str, &str); 8] = [
    ("index.html", "the page"),
    ("drawing.css", "the style of drawings"),
    ("offline.css", "the style of the page"),
    ("offline.js", "the page's script"),
    ("editor.js", "the editor of scripts, loaded with the first one"),
    ("Library.js", "the boxes that can be added, loaded when somebody wants to see them"),
    ("robot.js", "the robot, loaded when somebody wants to see it"),
    ("boxstep.wasm", "what reads, draws, checks and changes behaviors"),
];
/// The same in one file, which needs no server.
const ONE: &str = "boxstep.html";

/// Builds the page and the extension into `target/offline`, and tests them with `program`; without one, builds the
/// program as well.
pub(crate) fn run_all(options: &Options, program: Option<&Path>) -> Outcome {
    if let Some(why) = missing_target() {
        println!("offline: NOT RUN, neither built nor tried: {why}");
        return Ok(());
    }
    let place = target().join("offline");
    let page = place.join("page");
    std::fs::create_dir_all(&page).map_err(|e| format!("{}: {e}", page.display()))?;
    let node = Node::find()?;
    let web = root().join("crates/boxstep-view/web");
    installed(&node, &web)?;
    built(&node, &web, &page)?;
    let extension = root().join("editors/vscode");
    installed(&node, &extension)?;
    run(node.npm(&["run", "build"]).current_dir(&extension).env("BOXSTEP_OFFLINE", &page))?;
    sizes(&page)?;
    if options.no_tests {
        return Ok(());
    }
    let program = program.map_or_else(tools::program, |program| Ok(program.to_owned()))?;
    let browser = browser()?;
    for (folder, test) in [(&web, "e2e/offline.test.mjs"), (&extension, "test/extension.test.mjs")] {
        let mut tests = Command::new(&node.program);
        tests.args(["--test", "--test-timeout=300000", test]).current_dir(folder);
        tests.env("BOXSTEP", &program).env("CHROMIUM", &browser).env("BOXSTEP_OFFLINE", &page);
        if let Some(shots) = &options.shots {
            std::fs::create_dir_all(shots).map_err(|e| format!("{}: {e}", shots.display()))?;
            tests.env("SHOTS", shots.canonicalize().map_err(|e| format!("{}: {e}", shots.display()))?);
        }
        run(&mut tests)?;
    }
    Ok(())
}

/// Returns why this machine cannot compile for WebAssembly, if it cannot.
fn missing_target() -> Option<String> {
    let added = add_target(TARGET);
    let mut rustc = Command::new("rustc");
    let folder = tools::output(rustc.args(["--print", "target-libdir", "--target", TARGET]).current_dir(root()));
    let there = folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir());
    let why = || added.err().unwrap_or_else(|| format!("the compiler has no standard library for {TARGET}"));
    (!there).then(why)
}

/// Installs the packages of a folder, unless they are there as its lock names them.
fn installed(node: &Node, folder: &Path) -> Outcome {
    let changed = |name: &str| std::fs::metadata(folder.join(name)).and_then(|meta| meta.modified()).ok();
    if changed("node_modules/.package-lock.json") >= changed("package-lock.json") {
        return Ok(());
    }
    run(node.npm(&["ci", "--no-audit", "--no-fund"]).current_dir(folder))
}

/// Builds the module and the page, as files for a server and as one file.
fn built(node: &Node, web: &Path, page: &Path) -> Outcome {
    run(&mut cargo(&["build", "--package", "boxstep-wasm", "--profile", "wasm", "--target", TARGET]))?;
    let one = target().join("offline/one");
    for (mode, to) in [("offline", page), ("offline-one", &one)] {
        let args = ["run", "build", "--", "--logLevel", "warn", "--mode", mode, "--emptyOutDir", "--outDir"];
        run(node.npm(&args).arg(to).current_dir(web).env("BOXSTEP_OFFLINE", page))?;
        if mode == "offline" {
            let module = target().join(TARGET).join("wasm/boxstep_wasm.wasm");
            copy(&module, &page.join("boxstep.wasm"))?;
            copy(&page.join("offline.html"), &page.join("index.html"))?;
            let style = page.join("drawing.css");
            std::fs::write(&style, boxstep_draw::live_style()).map_err(|e| format!("{}: {e}", style.display()))?;
            // It has another name now.
            let _ = std::fs::remove_file(page.join("offline.html"));
        }
    }
    copy(&one.join(ONE), &page.join(ONE))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    std::fs::copy(from, to).map(|_| ()).map_err(|e| format!("{} to {}: {e}", from.display(), to.display()))
}

/// Prints how large each file is, as it is and as servers send it.
fn sizes(page: &Path) -> Outcome {
    let (mut all, mut sent) = (0, 0);
    println!("{:>14}  {:>10}  {:>10}", "", "bytes", "gzip");
    for (name, what) in FILES.into_iter().chain([(ONE, "all of it in one file")]) {
        let path = page.join(name);
        let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        let packed = gzip.write_all(&bytes).and_then(|()| gzip.finish()).map_err(|e| e.to_string())?;
        println!("{name:>14}  {:>10}  {:>10}  {what}", bytes.len(), packed.len());
        if name == ONE {
            continue;
        }
        (all, sent) = (all + bytes.len(), sent + packed.len());
    }
    println!("{:>14}  {all:>10}  {sent:>10}  without the one file\n{}", "together", page.display());
    Ok(())
}
