//! Python 2 scripts through all three layers, in the installed `python3` (or in the Pythons that the environment
//! variable `BOXSTEP_TEST_PYTHONS` lists, separated as in `PATH`). The expected output was recorded with Python 2.7.

use crate::pythons;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use boxstep_script::rewrite::python2;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python2")
}

/// A running `runner.py`, which requests rewritten text over its standard streams.
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

    /// Answers requests until the runner ends; returns its output for each script, whether it succeeded, and its
    /// standard error.
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

/// Returns the test scripts in the order of their names.
fn cases() -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder().join("cases")).unwrap().map(|entry| entry.unwrap().path());
    let mut scripts: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "py")).collect();
    scripts.sort();
    scripts
}

/// Scripts print what Python 2.7 printed or, for documented differences, the expected output of Boxstep.
#[test]
fn scripts_print_what_python_2_printed() {
    let scripts = cases();
    let expected = scripts.iter().map(|script| {
        let recorded = std::fs::read_to_string(script.with_extension("out")).unwrap();
        let ours = std::fs::read_to_string(script.with_extension("ours")).ok();
        let differs = script.file_stem().unwrap().to_string_lossy().starts_with("differs_");
        assert_eq!(ours.is_some(), differs, "{}", script.display());
        assert_ne!(ours.as_ref(), Some(&recorded), "{} differs no more", script.display());
        ours.unwrap_or(recorded)
    });
    let expected: Vec<_> = expected.collect();
    for python in pythons::threes() {
        let (cases, success, report) = Runner::start(&python, &scripts).serve();
        assert!(success, "{}: {report}", python.display());
        assert_eq!(cases.len(), expected.len());
        for ((name, printed), expected) in cases.iter().zip(&expected) {
            assert_eq!(printed, expected, "{name} in {}", python.display());
        }
    }
}

#[test]
fn cases_are_what_python_2_prints() {
    let Some(python) = pythons::two() else { return };
    for script in cases() {
        let output = Command::new(&python).arg("-B").arg(&script).output().unwrap();
        let recorded = std::fs::read(script.with_extension("out")).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (printed, recorded) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&recorded));
        assert_eq!(printed, recorded, "{}", script.display());
    }
}

/// Every table of `docs/reference/python2.md` with a column `case` names a case in each row, and every case is named.
#[test]
fn every_row_has_a_case() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/python2.md")).unwrap();
    let scripts = cases();
    let names: BTreeSet<_> = scripts.iter().map(|s| s.file_stem().unwrap().to_string_lossy()).collect();
    let (mut within, mut rows) = (false, 0);
    for line in text.lines() {
        within = line.starts_with('|') && (within || line.ends_with("| case |"));
        if !within || line.ends_with("| case |") || line.starts_with("|---") {
            continue;
        }
        rows += 1;
        let last = line.trim_end_matches('|').rsplit('|').next().unwrap().trim();
        let name = last.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
        assert!(name.is_some_and(|name| names.contains(name)), "no case: {line}");
    }
    assert!(rows > 45, "{rows}");
    for name in names {
        assert!(text.contains(&format!("`{name}`")), "docs/reference/python2.md does not name {name}");
    }
}

#[test]
fn positions_imports_and_lifetimes() {
    for python in pythons::threes() {
        let (_, success, report) = Runner::start(&python, &[PathBuf::from("--checks")]).serve();
        assert!(success, "{}: {report}", python.display());
    }
}

/// Compiles real box scripts, if a folder of them is found: each compiles to as many lines as it has, or Python 2.7
/// refuses it at the same line.
#[test]
fn real_scripts_compile() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let root = std::env::var_os("BOXSTEP_CORPUS").map_or(root, PathBuf::from);
    let mut scripts = BTreeSet::new();
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
    // The scripts that are refused, and the line of the error.
    let refused = |python: &Path| -> BTreeMap<String, String> {
        let (cases, success, report) = Runner::start(python, &paths).serve();
        assert!(success, "{}: {report}", python.display());
        assert_eq!(cases.len(), scripts.len());
        let refused: BTreeMap<_, _> = cases.into_iter().filter(|(_, why)| !why.is_empty()).collect();
        let compile = scripts.len() - refused.len();
        println!("{}: {compile} of {} scripts compile; refused: {refused:?}", python.display(), scripts.len());
        refused.into_iter().map(|(name, why)| (name, why.split(' ').next().unwrap().to_owned())).collect()
    };
    let in_two = pythons::two().map(|python| refused(&python));
    for python in pythons::threes() {
        let found = refused(&python);
        // A defect of Boxstep would show in many scripts, and Python 2.7 may not be installed for a comparison.
        assert!(found.len() * 20 < scripts.len(), "{} of {} scripts are refused", found.len(), scripts.len());
        match &in_two {
            Some(in_two) => assert_eq!(&found, in_two, "{}", python.display()),
            None => println!("nobody tells whether Python 2.7 refuses them as well"),
        }
    }
    std::fs::remove_dir_all(&target).unwrap();
}

/// Collects every script of every behavior below a folder: the first CDATA section of each `content` element.
fn collect(folder: &Path, scripts: &mut BTreeSet<String>) {
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
