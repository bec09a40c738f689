//! `boxstep migrate`: what it writes, that it means the same, and what it leaves alone. And the two ways to say that a
//! script is Python 3.

use crate::common::{Said, root, say, xar};
use boxstep_format::{Limits, paths, read_xar};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::TempDir::new().unwrap())
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.at(name);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn read(&self, name: &str) -> String {
        String::from_utf8(fs::read(self.at(name)).unwrap()).unwrap()
    }

    /// A copy of an example's folder.
    fn example(&self, name: &str) -> String {
        let folder = root().join("examples").join(name);
        for item in fs::read_dir(&folder).unwrap().map(|item| item.unwrap().path()) {
            if item.is_file() {
                let name = format!("{name}/{}", item.file_name().unwrap().to_str().unwrap());
                self.write(&name, fs::read(&item).unwrap());
            }
        }
        self.at(name)
    }
}

/// A behavior with a box for each of these scripts.
fn behavior(scripts: &[(&str, &str)]) -> String {
    let boxes = (1..).zip(scripts).map(|(id, (name, text))| {
        // As the author's, it is there even if it is empty.
        let script = if text.is_empty() { "\n" } else { text };
        xar::a_box(id, name, script, &xar::ports(), "") + &xar::link((0, 2), (id, 2))
    });
    xar::behavior(&xar::ports(), &xar::flow(&boxes.collect::<String>()))
}

/// The scripts of a file by their boxes' paths.
fn scripts(path: &str) -> BTreeMap<String, String> {
    let file = read_xar(path, &fs::read(path).unwrap(), &Limits::default()).unwrap();
    let boxes = paths::boxes(&file.project)
        .filter_map(|at| Some((at.path.to_string(), at.def.script.as_ref()?.text.to_string())));
    boxes.collect()
}

/// With `--write` wherever files are to be changed.
fn migrate(args: &[&str]) -> Said {
    let only_tells = args.contains(&"--check") || args.contains(&"-o");
    let write: &[&str] = if only_tells { &[] } else { &["--write"] };
    say(&[&["migrate"][..], args, write].concat())
}

/// What `--format json` tells.
fn told(said: &Said) -> Vec<Value> {
    said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'a>(told: &'a Value, key: &str) -> &'a str {
    told[key].as_str().unwrap_or_default()
}

/// The recorded cases of Python 2: name, script, what Python 2.7 printed.
fn cases() -> Vec<(String, String, PathBuf)> {
    let folder = root().join("crates/boxstep-script/tests/python2/cases");
    let mut cases: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|item| item.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(&path).unwrap(), path.with_extension("out"))
        })
        .collect();
    cases.sort();
    cases
}

/// Migrated and run by Python 3 alone, each prints what Python 2.7 printed, but for statements that the report told of.
#[test]
fn migrated_cases_print_what_python_2_printed() {
    let place = Place::new();
    let cases = cases();
    let given: Vec<_> = cases.iter().map(|(name, text, _)| (name.as_str(), text.as_str())).collect();
    let path = place.write("behavior.xar", behavior(&given));
    let said = migrate(&[&path, "--format", "json"]).code(1);
    let (told, new) = (told(&said), scripts(&path));
    // What Python 3 refuses to compile, and is told with its line.
    let left: Vec<_> = told.iter().filter(|t| !t["left"].is_null()).map(|t| text(t, "path")).collect();
    assert_eq!(left, ["root/classes", "root/late_global", "root/star_in_function"]);
    let (mut statements, mut right, mut wrong) = (0, 0, Vec::new());
    for (name, old, expected) in &cases {
        let path = format!("root/{name}");
        if left.contains(&path.as_str()) {
            assert_eq!(&new[&path], old);
            continue;
        }
        let eyes = told.iter().filter(|t| text(t, "path") == path && t["certain"] == false);
        // A line may have become several.
        let eyes = eyes.flat_map(|t| {
            let first = t["new_line"].as_u64().unwrap();
            first..first + text(t, "new").lines().count().max(1) as u64
        });
        let script = place.write(&format!("{name}.py"), &new[&path]);
        let done = Command::new("python3")
            .args(["-I", "-B", "-W", "ignore"])
            .arg(root().join("crates/boxstep/tests/migrate/statements.py"))
            .arg(&script)
            .arg(expected)
            .args(eyes.map(|line| line.to_string()))
            .output()
            .unwrap();
        let report = String::from_utf8_lossy(&done.stderr);
        if !done.status.success() {
            wrong.push(format!("{name}: {report}"));
            continue;
        }
        let counts = String::from_utf8(done.stdout).unwrap();
        let (all, strict) = counts.trim().split_once(' ').unwrap();
        statements += all.parse::<u32>().unwrap();
        right += strict.parse::<u32>().unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!(
        "{} cases: {right} of {statements} statements print what Python 2.7 printed, the others are told of",
        cases.len()
    );
    assert!(right * 3 > statements, "{right} of {statements}");

    let before = fs::read(&path).unwrap();
    let again = migrate(&[&path, "--format", "json"]).code(1);
    assert_eq!(again.out.lines().count(), left.len(), "{}", again.out);
    assert_eq!(fs::read(&path).unwrap(), before, "twice");
}

const OLD: &str = "class MyClass(GeneratedClass):\r\n    def onInput_onStart(self):\r\n        print 7 / 2, '<&>'\r\n        self.onStopped()\r\n";
const NEW: &str = "#!/usr/bin/env python3\r\nclass MyClass(GeneratedClass):\r\n    def onInput_onStart(self):\r\n        print(7 // 2, '<&>')\r\n        self.onStopped()\r\n";

#[test]
fn a_file_changes_in_its_scripts_only() {
    let place = Place::new();
    let urbi = "<script language=\"1\"><content><![CDATA[print 1;]]></content></script>";
    let before = behavior(&[("A", OLD), ("B", "#!/usr/bin/python3\nprint(1 / 2)\n"), ("C", OLD), ("Empty", " \n")])
        .replace("</Box>\n</ChoregrapheProject>", &format!("{urbi}</Box>\r\n <!-- kept --></ChoregrapheProject>"));
    let path = place.write("behavior.xar", &before);

    let said = migrate(&[&path, "--check"]).code(1);
    assert!(said.out.contains("  - print 7 / 2, '<&>'\n  + print(7 // 2, '<&>')\n"), "{}", said.out);
    assert!(
        said.out.contains("behavior.xar: root/A, line 3: certain: both are integers; print is a function\n"),
        "{}",
        said.out
    );
    assert!(said.out.contains(
        "\n2 scripts in 1 file would be migrated: 2 certain lines, 0 to review; 0 scripts left as written\n"
    ));
    assert!(said.out.ends_with("a robot whose scripts run in Python 2.7 may no longer run them\n"), "{}", said.out);
    assert_eq!(place.read("behavior.xar"), before);

    let told = say(&["migrate", &path]).code(0);
    assert!(told.out.ends_with("\nnothing is changed; --write changes the files\n"), "{}", told.out);
    assert_eq!(place.read("behavior.xar"), before);

    migrate(&[&path]).code(0);
    assert_eq!(place.read("behavior.xar"), before.replace(OLD, NEW));
    let again = migrate(&[&path]).code(0);
    assert!(again.out.starts_with("0 scripts in 0 files migrated: "), "{}", again.out);
    migrate(&[&path, "--check"]).code(0);
    assert_eq!(place.read("behavior.xar"), before.replace(OLD, NEW));
}

#[test]
fn a_script_that_means_the_same_in_both_stays_as_it_is() {
    let place = Place::new();
    let same = "class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        self.onStopped()\n";
    let two = format!("#!/usr/bin/python2\n{same}");
    place.write("a/behavior.xar", behavior(&[("Same", same), ("Two", &two)]));
    place.write("b/behavior.xar", behavior(&[("Same", same)]));
    // Whoever takes a folder gets all of it, also what did not have to change.
    let out = Place::new();
    let said = migrate(&["-r", &place.at(""), "-o", &out.at("new")]).code(0);
    assert!(said.out.starts_with("1 script in 1 file migrated: 0 certain lines"), "{}", said.out);
    assert_eq!(scripts(&out.at("new/a/behavior.xar"))["root/Same"], same);
    assert_eq!(scripts(&out.at("new/a/behavior.xar"))["root/Two"], format!("#!/usr/bin/env python3\n{same}"));
    assert_eq!(out.read("new/b/behavior.xar"), place.read("b/behavior.xar"));
}

#[test]
fn what_needs_eyes_has_its_lines_old_and_new() {
    let place = Place::new();
    let script = "import functools\ndef f(self, (a, b)):\n    'doc'\n    return a / b\nl = []\nl.sort(f)\n";
    let path = place.write("behavior.xar", behavior(&[("A", script)]));
    let said = migrate(&[&path, "--format", "json"]).code(1);
    let told = told(&said);
    let found: Vec<_> = told
        .iter()
        .map(|t| {
            (
                t["line"].as_u64().unwrap(),
                t["new_line"].as_u64().unwrap(),
                t["certain"] == true,
                text(t, "old"),
                text(t, "new"),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (2, 3, true, "def f(self, (a, b)):", "def f(self, a_b):"),
            (4, 5, false, "return a / b", "(a, b) = a_b\nreturn a / b"),
            (4, 5, true, "return a / b", "(a, b) = a_b\nreturn a / b"),
            (6, 8, false, "l.sort(f)", "l.sort(key=functools.cmp_to_key(f))"),
        ],
        "{told:#?}"
    );
    assert!(told.iter().all(|t| text(t, "file") == path && text(t, "path") == "root/A" && !text(t, "why").is_empty()));
}

#[test]
fn a_script_that_nobody_can_read_is_left_and_told() {
    let place = Place::new();
    let path = place.write("behavior.xar", behavior(&[("A", "print 1\nif x\n    pass\n"), ("B", "print 2\n")]));
    let said = migrate(&[&path]).code(1);
    assert!(said.out.contains("root/A, line 2: left as it is: expected ':'\n"), "{}", said.out);
    let new = scripts(&path);
    assert_eq!(new["root/A"], "print 1\nif x\n    pass\n");
    assert_eq!(new["root/B"], "#!/usr/bin/env python3\nprint(2)\n");
}

#[test]
fn a_split_folder_its_modules_and_its_library_are_migrated() {
    let place = Place::new();
    let old = "import helper\nclass MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        print helper.half(7)\n        self.onStopped()\n";
    let xar = place.write("from.xar", behavior(&[("A", old)]));
    say(&["convert", &xar, &place.at("split/")]).code(0);
    place.write("split/helper.py", "import deep\ndef half(x):\n    return int(x) / 2\n");
    place.write("split/lib/deep.py", "print 'deep'\n");
    place.write("split/lib/new.py", "#!/usr/bin/env python3\nprint(1 / 2)\n");
    place.write("split/latin.py", b"x = '\xe9'\n");
    let out = place.at("three");
    let said = migrate(&[&place.at("split"), "-o", &out]).code(2);
    assert!(said.err.contains("latin.py: it is not UTF-8; save it as that first"), "{}", said.err);
    assert_eq!(place.read("split/helper.py"), "import deep\ndef half(x):\n    return int(x) / 2\n");
    fs::remove_file(place.at("split/latin.py")).unwrap();
    // Not over what is there.
    assert!(migrate(&[&place.at("split"), "-o", &out]).code(2).err.contains("--force"));
    migrate(&[&place.at("split"), "-o", &out, "--force"]).code(0);
    assert_eq!(
        place.read("three/helper.py"),
        "#!/usr/bin/env python3\nimport deep\ndef half(x):\n    return int(x) // 2\n"
    );
    assert_eq!(place.read("three/lib/deep.py"), "#!/usr/bin/env python3\nprint('deep')\n");
    assert_eq!(place.read("three/lib/new.py"), place.read("split/lib/new.py"));
    assert_eq!(place.read("three/l0_root.xml"), place.read("split/l0_root.xml"));
    assert_eq!(place.read("three/main.py"), place.read("split/main.py"));
    let script = fs::read_dir(&out)
        .unwrap()
        .map(|i| i.unwrap().file_name().into_string().unwrap())
        .find(|n| n.ends_with("A.py"));
    assert_eq!(
        place.read(&format!("three/{}", script.unwrap())),
        format!("#!/usr/bin/env python3\n{}", old.replace("print helper.half(7)", "print(helper.half(7))"))
    );
    for how in ["native", "process"] {
        let said = say(&["play", &out, "--virtual-time", "--for", "5", "--scripts", how]).code(0);
        assert!(said.out.contains("deep") && said.out.contains('3'), "{}", said.out);
    }
}

/// A lone file takes the modules that it imports along, and no other.
#[test]
fn a_file_takes_along_what_it_imports() {
    let place = Place::new();
    let path = place.write("behavior.xar", behavior(&[("A", "from pack import x\nimport one\n")]));
    place.write("one.py", "import two\n");
    place.write("two.py", "print 2\n");
    place.write("pack/__init__.py", "print 3\n");
    place.write("pack/inner.py", "print 4\n");
    place.write("stranger.py", "print 5\n");
    let said = migrate(&[&path]).code(0);
    assert!(said.out.contains("3 scripts in 3 files migrated"), "{}", said.out);
    assert_eq!(place.read("stranger.py"), "print 5\n");
    assert_eq!(place.read("pack/inner.py"), "#!/usr/bin/env python3\nprint(4)\n");
    // Into another place.
    place.write("two.py", "print 2\n");
    fs::create_dir(place.at("new")).unwrap();
    migrate(&[&path, "-o", &place.at("new/b.xar")]).code(0);
    assert_eq!(place.read("two.py"), "print 2\n");
    assert_eq!(place.read("new/two.py"), "#!/usr/bin/env python3\nprint(2)\n");
    assert_eq!(fs::read(place.at("new/b.xar")).unwrap(), fs::read(&path).unwrap());
}

/// In Python 2 a module finds those beside it in its package by their own names.
#[test]
fn a_module_of_a_package_finds_those_beside_it() {
    let place = Place::new();
    let path = place.write("behavior.xar", behavior(&[("A", "import pack.one\nprint pack.one.x\n")]));
    let one = "import os, two\nfrom string import letters as x\nfrom Queue import y\nx = x, y, two.z, os.sep\n";
    place.write("pack/__init__.py", "");
    place.write("pack/one.py", one);
    place.write("pack/two.py", "z = 3\n");
    place.write("pack/string.py", "letters = 'own'\n");
    place.write("pack/Queue/__init__.py", "y = 4\n");
    // The same text where nothing is beside it.
    place.write("alone.py", one);
    migrate(&["-r", &place.at("")]).code(1);
    assert_eq!(
        place.read("pack/one.py"),
        "#!/usr/bin/env python3\nimport os; from . import two\nfrom .string import letters as x\nfrom .Queue import y\n\
         x = x, y, two.z, os.sep\n"
    );
    assert!(
        place.read("alone.py").contains("\nimport os, two\nfrom string import letters as x\nfrom queue import y\n")
    );
    for how in ["native", "process"] {
        let said = say(&["play", &path, "--virtual-time", "--for", "5", "--scripts", how]).code(0);
        assert!(said.out.contains("('own', 4, 3, '/')"), "{how}: {}", said.out);
    }
}

/// Where a folder may be searched itself, or the module is a program as well, nobody knows whether it is in its package.
#[test]
fn a_module_that_may_be_in_no_package_needs_eyes() {
    let place = Place::new();
    place.write("lib/__init__.py", "");
    place.write("lib/one.py", "import two\n");
    place.write("lib/two.py", "");
    place.write("pack/__init__.py", "");
    place.write("pack/one.py", "import two\nif __name__ == '__main__': print 1\n");
    place.write("pack/two.py", "");
    place.write("behavior.xar", behavior(&[("A", "print 1\n")]));
    let said = migrate(&["-r", &place.at(""), "--format", "json"]).code(1);
    let eyes: Vec<_> = told(&said).into_iter().filter(|t| t["certain"] == false).collect();
    assert_eq!(eyes.len(), 2, "{eyes:#?}");
    assert!(eyes.iter().all(|t| t["line"] == 1 && text(t, "why").ends_with("from . import")), "{eyes:#?}");
    assert!(place.read("lib/one.py").ends_with("\nimport two\n"));
    assert!(place.read("pack/one.py").contains("\nimport two\n"));
}

/// Each of these scripts prints something else, or fails, in Python 3: a line is written anew, or told.
#[test]
fn what_is_called_certain_is() {
    let place = Place::new();
    let kept = [
        ("Forget", "d = {1: 2}\ndef f(k): del d[k]\nfor k in d.keys(): f(k)\n", "in list(d.keys()): f(k)"),
        ("Any", "def f(x): return x\nx = any(map(f, [1, 2]))\n", "any(list(map(f, [1, 2])))"),
        ("Extend", "l = [1]\nl.extend(map(abs, l))\n", "l.extend(list(map(abs, l)))"),
        ("Lists", "x = [1] in {1: 2}.keys()\ny = {1: 2}\nx = 1 in y.keys()\n", "x = 1 in y.keys()"),
        ("Names", "import types\nx = type('') in types.StringTypes\n", "type('') in (str,)"),
        ("Lazy", "import itertools as i\nfor x in i.imap(f, i.count()):\n    print x\n", "for x in map(f, i.count()):"),
        ("Stops", "def f(i):\n    try: yield i.next()\n    except StopIteration: pass\n", "yield next(i)"),
    ];
    let path = place.write("kept.xar", behavior(&kept.map(|(name, old, _)| (name, old))));
    migrate(&[&path]).code(0);
    let new = scripts(&path);
    for (name, _, wanted) in kept {
        let text = &new[&format!("root/{name}")];
        assert!(text.contains(wanted), "{text}");
    }
    // And the line that needs review.
    let told_of = [
        ("Next", "def f(i):\n    yield i.next()\n", 2),
        ("Expression", "i = iter([])\nx = list(i.next() for j in 'ab')\n", 2),
        ("Raised", "def f():\n    yield 1\n    raise StopIteration\n", 3),
        ("Helper", "def h(i): return i.next()\ndef f(i): yield h(i)\n", 1),
        ("Star", "n = 5\nfrom math import *\nx = n / 2\n", 3),
        ("Globals", "n = 5\nglobals()['n'] = 2.5\nx = n / 2\n", 3),
        ("Long", "x = isinstance(5, long)\n", 1),
        ("Oct", "x = oct(8)\n", 1),
        ("Iterable", "x = hasattr('', '__iter__')\n", 1),
        ("Translate", "x = 'ab'.translate(None, 'b')\n", 1),
        ("Keys", "x = {}.keys\n", 1),
        ("Map", "f = map\n", 1),
        ("Write", "import os\nos.write(1, 'x')\n", 2),
        ("From", "from os import write\n", 1),
        ("Temporary", "import tempfile\nf = tempfile.NamedTemporaryFile()\n", 2),
        ("Array", "import array\nx = array.array('c')\n", 2),
        ("Order", "def f(): print 1\nprint 2, f()\n", 2),
    ];
    let path = place.write("told.xar", behavior(&told_of.map(|(name, old, _)| (name, old))));
    let said = migrate(&[&path, "--format", "json"]).code(1);
    let told = told(&said);
    for (name, _, line) in told_of {
        let path = format!("root/{name}");
        let eyes: Vec<_> = told.iter().filter(|t| text(t, "path") == path && t["certain"] == false).collect();
        assert!(eyes.len() == 1 && eyes[0]["line"] == line, "{name}: {eyes:#?}");
    }
}

#[test]
fn bad_input_is_refused_in_words() {
    let place = Place::new();
    let path = place.write("behavior.xar", behavior(&[("A", "print 1\n")]));
    say(&["pack", &place.at(""), &place.at("a.crg")]).code(0);
    let refused = |args: &[&str], why: &str| {
        let said = migrate(args).code(2);
        assert!(said.err.contains(why), "{args:?}: {}", said.err);
    };
    refused(&[&place.at("a.crg")], "is an archive: unpack it first (boxstep unpack)");
    refused(&[&place.at("none.xar")], "none.xar");
    refused(&[&path, &path, "-o", "x"], "--output is for one file or folder");
    refused(&[&path, "-o", "x", "--check"], "cannot be used with");
    refused(
        &[&path, "--python", "/no/such/python"],
        "no script was migrated: /no/such/python (--python): there is no such program",
    );
    refused(&[&place.write("broken.xar", "<a>")], "broken.xar");
    assert_eq!(scripts(&path)["root/A"], "print 1\n");
}

/// The boxes whose scripts were migrated, as the report has them.
fn migrated(said: &Said) -> BTreeSet<String> {
    told(said).iter().map(|t| text(t, "path").to_owned()).collect()
}

/// The events of a run, without its header, which has the files' hashes; with the lines of the scripts as they were.
fn events(folder: &str, migrated: &BTreeSet<String>, how: &str, options: &[&str], trace: &str) -> Vec<String> {
    let args = ["play", folder, "--virtual-time", "--for", "60", "-q", "--scripts", how, "--trace", trace];
    say(&[&args[..], options].concat()).code(0);
    let told = fs::read_to_string(trace).unwrap();
    let lines = told.lines().skip(1).map(|line| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        // A script that begins with one line more.
        if let Some(number) = event.get("line").and_then(Value::as_u64) {
            let more = migrated.contains(event["path"].as_str().unwrap_or_default());
            event["line"] = number.saturating_sub(u64::from(more)).into();
        }
        // The blank at the end of a line is what the report tells of (`print x,`).
        if let Some(printed) = event.get("text").and_then(Value::as_str) {
            event["text"] = printed.trim_end().into();
        }
        event.to_string()
    });
    lines.collect()
}

#[test]
fn a_migrated_example_plays_the_same() {
    let place = Place::new();
    let trace = place.at("trace.jsonl");
    for name in ["hello", "loop-counter", "nested-parameters", "python2", "say-and-wait", "timeline-layers", "touch"] {
        let options: &[&str] = match name {
            "touch" => &["--event", "FrontTactilTouched=1.0@4", "--event", "FrontTactilTouched=0.0@4.2"],
            _ => &[],
        };
        let folder = place.example(name);
        let new = place.at(&format!("migrated/{name}"));
        let said = migrate(&[&folder, "-o", &new, "--format", "json"]);
        assert!(said.code == Some(i32::from(name == "python2")), "{name}: {} {}", said.out, said.err);
        let (none, boxes) = (BTreeSet::new(), migrated(&said));
        let old = events(&folder, &none, "native", options, &trace);
        assert!(old.len() > 5, "{name}");
        for how in ["native", "process"] {
            assert_eq!(events(&new, &boxes, how, options, &trace), old, "{name}, {how}");
        }
        // And as a split folder, against that folder: it has the keys of curves in other digits than the `.xar`.
        let (split, new) = (place.at(&format!("split/{name}")), place.at(&format!("split-migrated/{name}")));
        say(&["convert", &folder, &format!("{split}/")]).code(0);
        let boxes = migrated(&migrate(&[&split, "-o", &new, "--format", "json"]));
        let parted = events(&split, &none, "native", options, &trace);
        let new = events(&new, &boxes, "native", options, &trace);
        assert_eq!(new, parted, "{name}, split");
        assert_eq!(parted.len(), old.len(), "{name}, split");
    }
}

#[test]
fn a_project_may_be_python_3_as_a_whole() {
    let place = Place::new();
    let script = |head: &str| {
        format!(
            "{head}class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        print(7 / 2)\n        self.onStopped()\n"
        )
    };
    let path =
        place.write("behavior.xar", behavior(&[("Plain", &script("")), ("Two", &script("#!/usr/bin/env python2\n"))]));
    let played = |how: &str| say(&["play", &path, "--virtual-time", "--for", "5", "--scripts", how]).code(0).out;
    for how in ["native", "process"] {
        assert!(!played(how).contains("3.5"), "{how}");
    }
    place.write("boxstep.toml", "dialect = 3\n");
    for how in ["native", "process"] {
        let out = played(how);
        assert!(out.contains("prints 3.5 (") && out.contains("prints 3 ("), "{how}: {out}");
    }
    let said = say(&["check", &path, "--notes"]);
    assert_eq!(said.out.matches("Python 2: `/`").count(), 1, "{}", said.out);
    // The one that says so is Python 2, and nothing else is there to be done.
    let said = migrate(&[&path, "--format", "json"]).code(0);
    assert!(said.out.lines().all(|line| line.contains("root/Two")), "{}", said.out);
}

/// Real behaviors, where a folder of them is named: all are migrated in a copy, and each result is Python 3.
#[test]
fn the_corpus_is_migrated() {
    let Some(corpus) = std::env::var_os("BOXSTEP_CORPUS").map(PathBuf::from).filter(|folder| folder.is_dir()) else {
        return println!("skipped: BOXSTEP_CORPUS names no folder");
    };
    let place = Place::new();
    let copied = Command::new("cp").arg("-r").arg(&corpus).arg(place.at("corpus")).status().unwrap();
    assert!(copied.success());
    let done = migrate(&["-r", &place.at("corpus"), "--format", "json"]);
    assert!(matches!(done.code, Some(0 | 1)), "{}", done.err);
    let left: std::collections::BTreeSet<_> =
        told(&done).iter().filter(|t| !t["left"].is_null()).map(|t| text(t, "left").to_owned()).collect();
    let (mut files, mut all, mut refused) = (0, std::collections::BTreeSet::new(), Vec::new());
    let mut folders = vec![PathBuf::from(place.at("corpus"))];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|item| item.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "xar") {
                files += 1;
                all.extend(scripts(path.to_str().unwrap()).into_values().filter(|text| !text.trim().is_empty()));
            }
        }
    }
    for (n, script) in all.iter().enumerate() {
        let path = place.write(&format!("scripts/{n}.py"), script);
        if !script.starts_with("#!/usr/bin/env python3") {
            refused.push(path);
        }
    }
    let compile = "import sys, pathlib\nfor p in sorted(pathlib.Path(sys.argv[1]).iterdir()):\n    try: compile(p.read_bytes().decode(), str(p), 'exec')\n    except SyntaxError: print(p)\n";
    let done =
        Command::new("python3").args(["-I", "-W", "ignore", "-c", compile, &place.at("scripts")]).output().unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    let mut broken: Vec<_> = out.lines().map(str::to_owned).collect();
    broken.sort();
    refused.sort();
    assert!(done.status.success());
    assert_eq!(broken, refused);
    println!("{files} files, {} distinct scripts after it; left: {left:?}", all.len());
    assert!(refused.len() <= left.len());
}
