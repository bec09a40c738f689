//! Python 2 scripts through all three layers, in whatever `python3` is there (or the ones that the environment variable
//! `BOXSTEP_TEST_PYTHONS` lists, separated like `PATH`). What they print was recorded from Python 2.7.

#![allow(clippy::unwrap_used)] // a test that cannot go on fails

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use boxstep_script::rewrite::python2;

fn pythons() -> Vec<PathBuf> {
    if let Some(list) = std::env::var_os("BOXSTEP_TEST_PYTHONS") {
        return std::env::split_paths(&list).collect();
    }
    let found = Command::new("python3").arg("-c").arg("import sys; sys.exit(sys.version_info < (3, 9))").status();
    if found.is_ok_and(|status| status.success()) {
        return vec![PathBuf::from("python3")];
    }
    println!("skipped: no python3 of version 3.9 or later");
    Vec::new()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python2")
}

/// A running `runner.py`, which asks for rewritten text over its standard streams.
struct Runner {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Runner {
    fn start(python: &Path, args: &[PathBuf]) -> Self {
        let mut child = Command::new(python)
            .arg("-B") // leaves no files behind
            .arg(folder().join("runner.py"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let to = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        Self { child, to, from }
    }

    /// Answers requests until the runner ends; returns what it printed for each script, and its report.
    fn serve(mut self) -> (Vec<(String, String)>, bool, String) {
        let mut stderr = self.child.stderr.take().unwrap();
        let report = std::thread::spawn(move || {
            let mut text = Vec::new();
            stderr.read_to_end(&mut text).unwrap();
            String::from_utf8_lossy(&text).into_owned()
        });
        let mut cases = Vec::new();
        let mut line = String::new();
        while self.from.read_line(&mut line).unwrap() > 0 {
            let (head, length) = line.trim_end().rsplit_once(' ').unwrap();
            let mut body = vec![0; length.parse().unwrap()];
            self.from.read_exact(&mut body).unwrap();
            let body = String::from_utf8(body).unwrap();
            match head.strip_prefix("case ") {
                Some(name) => cases.push((name.to_owned(), body)),
                None => {
                    let text = python2(&body).text;
                    write!(self.to, "{}\n{text}", text.len()).unwrap();
                    self.to.flush().unwrap();
                }
            }
            line.clear();
        }
        let status = self.child.wait().unwrap();
        (cases, status.success(), report.join().unwrap())
    }
}

#[test]
fn scripts_print_what_python_2_printed() {
    let mut scripts: Vec<PathBuf> =
        std::fs::read_dir(folder().join("cases")).unwrap().map(|entry| entry.unwrap().path()).collect();
    scripts.retain(|path| path.extension().is_some_and(|e| e == "py"));
    scripts.sort();
    assert!(!scripts.is_empty());
    for python in pythons() {
        let (cases, success, report) = Runner::start(&python, &scripts).serve();
        assert!(success, "{}: {report}", python.display());
        assert_eq!(cases.len(), scripts.len());
        for (script, (name, printed)) in scripts.iter().zip(cases) {
            let recorded = std::fs::read_to_string(script.with_extension("out")).unwrap();
            assert_eq!(printed, recorded, "{name} in {}", python.display());
        }
    }
}

#[test]
fn positions_imports_and_lifetimes() {
    for python in pythons() {
        let (_, success, report) = Runner::start(&python, &[PathBuf::from("--checks")]).serve();
        assert!(success, "{}: {report}", python.display());
    }
}

/// Real box scripts, where a folder of them lies beside the repository: each compiles, on as many lines as it has.
#[test]
fn real_scripts_compile() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let root = std::env::var_os("BOXSTEP_CORPUS").map_or(root, PathBuf::from);
    let mut scripts = std::collections::BTreeSet::new();
    collect(&root, &mut scripts);
    if scripts.is_empty() {
        return println!("skipped: no scripts below {}", root.display());
    }
    let target = std::env::temp_dir().join(format!("boxstep-scripts-{}", std::process::id()));
    std::fs::create_dir_all(&target).unwrap();
    let mut paths = vec![PathBuf::from("--compile")];
    for (index, script) in scripts.iter().enumerate() {
        assert_eq!(python2(script).text.split('\n').count(), script.split('\n').count());
        let path = target.join(format!("{index}.py"));
        std::fs::write(&path, script).unwrap();
        paths.push(path);
    }
    for python in pythons() {
        let (cases, success, report) = Runner::start(&python, &paths).serve();
        assert!(success, "{}: {report}", python.display());
        let failed: Vec<_> = cases.iter().filter(|(_, error)| !error.is_empty()).collect();
        println!("{}: {} of {} scripts compile", python.display(), cases.len() - failed.len(), cases.len());
        // Some authors' scripts never were Python of any version.
        assert!(failed.len() * 100 <= cases.len(), "{failed:?}");
    }
    std::fs::remove_dir_all(&target).unwrap();
}

/// Every script of every behavior below a folder: the first CDATA section of each `content` element.
fn collect(folder: &Path, scripts: &mut std::collections::BTreeSet<String>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            collect(&path, scripts);
        } else if path.extension().is_some_and(|e| e == "xar") {
            let text = std::fs::read_to_string(&path).unwrap();
            let contents = text.split("<content>").skip(1);
            let cdata = contents.filter_map(|c| c.trim_start().strip_prefix("<![CDATA[")?.split("]]>").next());
            scripts.extend(cdata.filter(|script| !script.trim().is_empty()).map(str::to_owned));
        }
    }
}
