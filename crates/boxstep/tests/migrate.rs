//! `boxstep migrate`: what it writes, that it means the same, and what it leaves alone. And the two ways to say that a
//! script is Python 3.
#![allow(clippy::unwrap_used)]

mod common;

use boxstep_format::{Limits, paths, read_xar};
use common::{Said, root, say};
use serde_json::Value;
use std::collections::BTreeMap;
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
    let port = |kind, name, nature, id| {
        format!("<{kind} name=\"{name}\" type=\"1\" type_size=\"1\" nature=\"{nature}\" inner=\"0\" tooltip=\"\" id=\"{id}\" />\n")
    };
    let boxes: String = scripts
        .iter()
        .enumerate()
        .map(|(n, (name, text))| {
            let id = n + 1;
            let ports = port("Input", "onLoad", 0, 1) + &port("Input", "onStart", 2, 2) + &port("Output", "onStopped", 1, 4);
            format!(
                "<Box name=\"{name}\" id=\"{id}\" x=\"0\" y=\"0\">\n<script language=\"4\">\n  <content>\n    <![CDATA[{}]]>\n  \
                 </content>\n</script>\n{ports}</Box>\n<Link inputowner=\"{id}\" indexofinput=\"2\" outputowner=\"0\" indexofoutput=\"2\" />\n",
                text.replace("]]>", "]]]]><![CDATA[>")
            )
        })
        .collect();
    let ports = port("Input", "onLoad", 0, 1) + &port("Input", "onStart", 2, 2) + &port("Output", "onStopped", 1, 4);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<ChoregrapheProject xmlns=\"http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd\" \
         xar_version=\"3\">\n<Box name=\"root\" id=\"-1\" x=\"0\" y=\"0\">\n{ports}<Timeline enable=\"0\">\n<BehaviorLayer name=\"layer\">\n\
         <BehaviorKeyframe name=\"key\" index=\"1\">\n<Diagram>\n{boxes}</Diagram>\n</BehaviorKeyframe>\n</BehaviorLayer>\n</Timeline>\n\
         </Box>\n</ChoregrapheProject>\n"
    )
}

/// The scripts of a file by their boxes' paths.
fn scripts(path: &str) -> BTreeMap<String, String> {
    let file = read_xar(path, &fs::read(path).unwrap(), &Limits::default()).unwrap();
    let boxes = paths::boxes(&file.project).filter_map(|at| Some((at.path.to_string(), at.def.script.as_ref()?.text.to_string())));
    boxes.collect()
}

fn migrate(args: &[&str]) -> Said {
    say(&[&["migrate"][..], args].concat())
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
    println!("{} cases: {right} of {statements} statements print what Python 2.7 printed, the others are told of", cases.len());
    assert!(right * 2 > statements, "{right} of {statements}");

    let before = fs::read(&path).unwrap();
    let again = migrate(&[&path, "--format", "json"]).code(1);
    assert_eq!(again.out.lines().count(), left.len(), "{}", again.out);
    assert_eq!(fs::read(&path).unwrap(), before, "twice");
}
