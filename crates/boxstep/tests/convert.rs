//! Converting, packing, unpacking and laying out: what is written, what is refused, and that nothing is lost.

use crate::common;
use crate::common::{Said, boxstep, fixture, has_python, say, xar};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is removed when dropped.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::TempDir::new().unwrap())
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// A project with a script that reads a file and plays a sound beside it.
    fn content(&self) -> String {
        let folder = PathBuf::from(self.at("content"));
        fs::create_dir_all(folder.join("sounds")).unwrap();
        let from = common::root().join(fixture("content"));
        for name in ["behavior.xar", "words.txt"] {
            fs::copy(from.join(name), folder.join(name)).unwrap();
        }
        fs::write(folder.join("sounds/blip.wav"), wav(0.5)).unwrap();
        folder.to_str().unwrap().to_owned()
    }
}

/// Silence of so many seconds.
fn wav(seconds: f64) -> Vec<u8> {
    let rate = 8000u32;
    let data = vec![128u8; (f64::from(rate) * seconds) as usize];
    let mut wav = b"RIFF".to_vec();
    wav.extend((36 + data.len() as u32).to_le_bytes());
    wav.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    wav.extend(rate.to_le_bytes());
    wav.extend(rate.to_le_bytes());
    wav.extend(b"\x01\0\x08\0data");
    wav.extend((data.len() as u32).to_le_bytes());
    wav.extend(data);
    wav
}

fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
        for item in fs::read_dir(folder).unwrap() {
            let path = item.unwrap().path();
            if path.is_dir() {
                walk(root, &path, all);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                all.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut all = BTreeMap::new();
    walk(folder.as_ref(), folder.as_ref(), &mut all);
    all
}

fn ok(args: &[&str]) -> Said {
    say(args).code(0)
}

#[test]
fn what_is_unpacked_and_packed_again_is_the_same_to_the_byte() {
    let place = Place::new();
    let project = common::root().join(fixture("two")).to_str().unwrap().to_owned();
    for kind in ["crg", "pkg", "cbl"] {
        let (first, again) = (place.at(&format!("a.{kind}")), place.at(&format!("b.{kind}")));
        let folder = place.at(kind);
        ok(&["pack", &project, &first]);
        let said = ok(&["unpack", &first, &folder]);
        assert_eq!(said.out, format!("unpacked {} files into {folder}\n", files(&project).len()));
        assert_eq!(files(&folder), files(&project), "{kind}");
        ok(&["pack", &folder, &again]);
        assert_eq!(fs::read(&first).unwrap(), fs::read(&again).unwrap(), "{kind}");
    }
}

#[test]
fn every_command_takes_archives() {
    let place = Place::new();
    for kind in ["crg", "pkg"] {
        let archive = place.at(&format!("two.{kind}"));
        ok(&["pack", &fixture("two"), &archive]);
        let played = ok(&["play", &archive, "--behavior", "second", "--virtual", "--scripts", "off", "--for", "1"]);
        assert!(played.out.contains(&format!("second from {archive}\n")), "{}", played.out);
        assert!(ok(&["show", &archive, "--behavior", "first"]).out.contains("root"));
        assert!(ok(&["check", &archive]).out.contains("in 2 behaviors"));
    }
    let broken = place.at("broken.crg");
    fs::create_dir(place.at("b")).unwrap();
    fs::copy(common::root().join(fixture("broken.xar")), place.at("b/behavior.xar")).unwrap();
    ok(&["pack", &place.at("b"), &broken]);
    let said = say(&["check", &broken]).code(2);
    assert!(said.out.contains(&format!("{broken}/behavior.xar:3:")), "{}", said.out);
}

#[test]
fn a_behavior_in_an_archive_finds_its_files() {
    let place = Place::new();
    let folder = place.content();
    let temp = place.at("temp");
    fs::create_dir(&temp).unwrap();
    let trace = |file: &str, to: &str| {
        let trace = place.at(to);
        let mut play = boxstep(&["play", file, "--virtual", "--trace", &trace]);
        let said = Said::from(play.env("TMPDIR", &temp).output().unwrap()).code(0);
        assert!(said.out.contains("info: found the words from "), "{}", said.out);
        assert!(said.out.contains("played 500 ms in "), "the sound lasts half a second: {}", said.out);
        fs::read_to_string(trace).unwrap()
    };
    for kind in ["crg", "pkg"] {
        let archive = place.at(&format!("content.{kind}"));
        ok(&["convert", &folder, &archive]);
        let first = trace(&archive, "one.jsonl");
        assert_eq!(first, trace(&archive, "two.jsonl"), "the private folder is not in the trace");
        assert!(!first.contains(&temp), "{first}");
    }
    assert!(files(&temp).is_empty(), "what was unpacked is removed");
    assert_eq!(fs::read_dir(&temp).unwrap().count(), 0);
}

#[test]
fn every_form_converts_into_every_other_and_back() {
    let place = Place::new();
    let project = fixture("two");
    let original = files(common::root().join(&project).to_str().unwrap());
    let mut from = format!("{project}/two.pml");
    for (n, to) in ["a.crg", "b.pkg", "c.cbl", "d/two.pml", "e.pkg", "f.crg"].iter().enumerate() {
        let to = place.at(to);
        let said = ok(&["convert", &from, &to]);
        assert_eq!(said.out, format!("wrote {to}\n"));
        let folder = place.at(&format!("check-{n}"));
        ok(&["convert", &to, &folder, "--to", "folder"]);
        assert_eq!(files(&folder), original, "{to}");
        from = to;
    }
    let xar = place.at("second.xar");
    ok(&["convert", &from, &xar, "--behavior", "second"]);
    assert_eq!(fs::read(&xar).unwrap(), original["second/behavior.xar"]);
    let unclear = say(&["convert", &from, &place.at("x.xar")]).code(2);
    assert!(unclear.err.contains("choose with --behavior:\n  first\n  second"), "{}", unclear.err);
}

#[test]
fn a_lone_xar_takes_what_it_attaches_along() {
    let place = Place::new();
    let folder = place.content();
    let xar = format!("{folder}/own.xar");
    let text = fs::read_to_string(format!("{folder}/behavior.xar")).unwrap();
    let output = "<Output name=\"onStopped\"";
    let parameter = r#"<Parameter name="File" inherits_from_parent="0" content_type="4" value="/sounds/blip.wav" default_value="" tooltip="" id="9" />"#;
    let with = text.rsplit_once(output).map(|(a, b)| format!("{a}{output}{b}")).unwrap();
    let with = with
        .replace("</Box>\n                        <Link", &format!("{parameter}</Box>\n                        <Link"));
    assert_ne!(with, text);
    fs::write(&xar, &with).unwrap();
    let (pkg, out) = (place.at("own.pkg"), place.at("own"));
    ok(&["convert", &xar, &pkg]);
    ok(&["unpack", &pkg, &out]);
    let all = files(&out);
    assert_eq!(all.keys().collect::<Vec<_>>(), ["behavior.xar", "manifest.xml", "sounds/blip.wav"]);
    assert_eq!(all["behavior.xar"], with.as_bytes());
    let said = ok(&["play", &pkg, "--virtual", "--scripts", "off"]);
    assert!(said.out.starts_with("own from "), "the manifest names the package: {}", said.out);
}

#[test]
fn what_is_there_is_replaced_with_force_only() {
    let place = Place::new();
    let (crg, folder) = (place.at("a.crg"), place.at("a"));
    fs::write(&crg, "mine").unwrap();
    fs::create_dir(&folder).unwrap();
    fs::write(place.at("a/mine.xar"), "").unwrap();
    for args in [["convert", "examples/hello", &crg], ["pack", "examples/hello", &crg]] {
        let said = say(&args).code(2);
        assert_eq!(said.err, format!("error: {crg}: it is there already; replace it with --force\n"));
        assert_eq!(fs::read(&crg).unwrap(), b"mine");
    }
    ok(&["convert", "examples/hello", &crg, "--force"]);
    let said = say(&["unpack", &crg, &folder]).code(2);
    assert!(said.err.contains("it is there already; replace it with --force"), "{}", said.err);
    assert_eq!(files(&folder).keys().collect::<Vec<_>>(), ["mine.xar"]);
    ok(&["unpack", &crg, &folder, "--force"]);
    assert!(files(&folder).contains_key("behavior.xar") && !files(&folder).contains_key("mine.xar"));
}

#[test]
fn what_cannot_be_converted_leaves_nothing() {
    let place = Place::new();
    let bad = place.at("bad.crg");
    let sound = place.at("sound.crg");
    ok(&["pack", "examples/hello", &sound]);
    let bytes = fs::read(&sound).unwrap();
    fs::write(&bad, &bytes[..bytes.len() - 40]).unwrap();
    for args in [
        vec!["unpack", &bad, &place.at("out")],
        vec!["convert", &bad, &place.at("out.pkg")],
        vec!["convert", &place.at("none.xar"), &place.at("out.pkg")],
        vec!["convert", &fixture("broken.xar"), &place.at("out.crg")],
        vec!["convert", "examples/hello", &place.at("out.txt")],
        vec!["pack", &place.at("none"), &place.at("out.crg")],
        vec!["pack", "examples/hello", &place.at("out.rar")],
        vec!["unpack", "README.md", &place.at("out")],
    ] {
        let said = say(&args).code(2);
        assert!(said.err.starts_with("error"), "{args:?}: {}", said.err);
    }
    assert!(
        say(&["unpack", &bad, "x"]).err.contains(&format!("{bad}: the entry `data.tar.gz`: the archive is damaged"))
    );
    let inside_a_file = format!("{bad}/x.crg");
    let said = say(&["convert", "examples/hello", &inside_a_file]).code(4);
    assert!(said.err.starts_with(&format!("error: cannot write {inside_a_file}: ")), "{}", said.err);
    assert_eq!(files(&place.at("")).len(), 2, "{:?}", files(&place.at("")).keys());
}

#[test]
fn a_whole_folder_converts_and_one_bad_file_stops_nothing() {
    let place = Place::new();
    fs::create_dir_all(place.at("in/deep")).unwrap();
    ok(&["pack", &fixture("two"), &place.at("in/deep/two.pkg")]);
    ok(&["pack", "examples/hello", &place.at("in/hello.crg")]);
    ok(&["convert", "examples/touch", &place.at("in/touch"), "--to", "folder"]);
    fs::copy(common::root().join(fixture("told.xar")), place.at("in/told.xar")).unwrap();
    fs::write(place.at("in/bad.crg"), "bad").unwrap();
    let said = say(&["convert", "-r", &place.at("in"), &place.at("out"), "--to", "xar"]).code(2);
    assert!(
        said.out.ends_with(&format!("wrote 5 to {}; 1 of 5 could not be converted\n", place.at("out"))),
        "{}",
        said.out
    );
    assert!(said.err.contains("bad.crg: this is neither an ar nor a zip archive"), "{}", said.err);
    let names: Vec<_> = files(&place.at("out")).into_keys().collect();
    assert_eq!(names, ["deep/two/first.xar", "deep/two/second.xar", "hello.xar", "told.xar", "touch.xar"]);
    let said = say(&["convert", "-r", &place.at("in"), &place.at("out"), "--to", "xar"]).code(2);
    assert!(said.out.starts_with("wrote 0 to "), "{}", said.out);
}

#[test]
fn two_sources_never_make_one_result() {
    let place = Place::new();
    fs::create_dir(place.at("in")).unwrap();
    ok(&["pack", "examples/hello", &place.at("in/a.crg")]);
    ok(&["pack", "examples/touch", &place.at("in/a.pkg")]);
    let said = say(&["convert", "-r", &place.at("in"), &place.at("out"), "--to", "xar", "--force"]).code(2);
    assert!(said.err.contains("would replace what was written to"), "{}", said.err);
    let hello = fs::read(common::root().join("examples/hello/behavior.xar")).unwrap();
    assert_eq!(files(&place.at("out"))["a.xar"], hello);
}

#[test]
fn fmt_changes_layout_only_and_says_what_it_would_change() {
    let place = Place::new();
    let path = place.at("a.xar");
    let example = fs::read_to_string(common::root().join("examples/hello/behavior.xar")).unwrap();
    let squeezed = example.replace("    <Box", "<Box").replace("\" />", "\"/>");
    assert_ne!(squeezed, example);
    fs::write(&path, &squeezed).unwrap();
    let said = say(&["fmt", "--check", &path]).code(1);
    assert_eq!(said.out, format!("would change {path}\n1 of 1 files would change\n"));
    assert_eq!(fs::read_to_string(&path).unwrap(), squeezed);
    assert!(ok(&["fmt", &path]).out.starts_with(&format!("changed {path}\n")));
    assert_eq!(fs::read_to_string(&path).unwrap(), example);
    ok(&["fmt", "--check", &path]);
    fs::write(&path, &squeezed).unwrap();
    fs::write(place.at("broken.xar"), "<x>").unwrap();
    let said = say(&["fmt", "-r", &place.at("")]).code(2);
    assert!(
        said.out.ends_with("1 of 2 files changed\n") && said.err.contains("broken.xar:1:1"),
        "{}{}",
        said.out,
        said.err
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), example);
    ok(&["fmt", "--check", "examples/hello", "examples/touch"]);
    let crg = place.at("a.crg");
    ok(&["pack", "examples/hello", &crg]);
    assert!(say(&["fmt", &crg]).code(2).err.contains("is an archive: unpack it first"));
}

#[test]
fn a_split_folder_has_what_lies_beside_the_behavior() {
    let place = Place::new();
    let (content, folder, xar) = (place.content(), place.at("split/"), place.at("back.xar"));
    say(&["convert", &content, &folder]).code(0);
    assert!(Path::new(&place.at("split/words.txt")).is_file());
    say(&["play", &folder, "--virtual"]).code(0);
    // And none of it is taken for a file that describes the behavior.
    say(&["convert", &folder, &xar]).code(0);
    say(&["diff", &xar, &content]).code(0);
}

/// Its scripts find beside it what they found in their application.
#[test]
fn a_split_folder_has_the_modules_of_its_application() {
    let place = Place::new();
    let script = "import deep, helper, pack.inner\nclass MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        \
                  print('found ' + deep.word + helper.word + pack.inner.word + repr(7 / 2))\n        self.onStopped()\n";
    let script = xar::a_box(1, "Say", script, &xar::ports(), "");
    let links = xar::link((0, 2), (1, 2)) + &xar::link((1, 4), (0, 4));
    let behavior = xar::behavior(&xar::ports(), &xar::flow(&(script + &links)));
    let described = |name: &str| format!("<BehaviorDescription name=\"{name}\" src=\"{name}\" xar=\"behavior.xar\" />");
    let described = format!("{}{}", described("one"), described("two"));
    let pml = format!(
        "<Package name=\"app\" format_version=\"4\"><BehaviorDescriptions>{described}</BehaviorDescriptions></Package>"
    );
    for (name, text) in [
        ("app.pml", pml.as_str()),
        ("boxstep.toml", "dialect = 3\nbaseline = \"old.txt\"\n"),
        ("one/behavior.xar", &behavior),
        ("one/helper.py", "word = 'own '\n"),
        ("two/behavior.xar", &behavior),
        ("helper.py", "word = 'shared '\n"),
        ("old.txt", ""),
        ("notes.txt", "of the application"),
        ("pack/__init__.py", ""),
        ("pack/inner.py", "word = 'inner '\n"),
        ("plain/other.py", "no package"),
        ("lib/python/deep.py", "import wide\nword = wide.word\n"),
        ("lib/wide.py", "word = 'wide '\n"),
    ] {
        let file = PathBuf::from(place.at(&format!("app/{name}")));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    for (name, helper) in [("one", "own"), ("two", "shared")] {
        let out = place.at(&format!("{name}/"));
        ok(&["convert", &place.at("app"), &out, "--behavior", name]);
        let names: Vec<String> = files(&out).into_keys().filter(|n| !n.starts_with('l') || n.contains("lib")).collect();
        let expected = [
            "boxstep.toml",
            "helper.py",
            "lib/python/deep.py",
            "lib/wide.py",
            "main.py",
            "old.txt",
            "pack/__init__.py",
            "pack/inner.py",
        ];
        assert_eq!(names, expected, "{name}");
        if has_python() {
            // Where the application is out of reach.
            let said = ok(&["play", &out, "--virtual"]);
            assert!(said.out.contains(&format!("found wide {helper} inner 3.5")), "{}", said.out);
        }
    }
    // Of a file that was given alone nobody knows what belongs to it.
    ok(&["convert", &place.at("app/two/behavior.xar"), &place.at("alone/")]);
    assert!(files(&place.at("alone")).keys().all(|n| n.starts_with("l0_") || n.starts_with("l1_") || n == "main.py"));
}

#[test]
#[cfg(unix)]
fn a_signal_in_a_long_conversion_leaves_whole_results_only() {
    let place = Place::new();
    fs::create_dir(place.at("in")).unwrap();
    let hello = common::root().join("examples/hello/behavior.xar");
    for n in 0..2000 {
        fs::copy(&hello, place.at(&format!("in/{n}.xar"))).unwrap();
    }
    let (input, output) = (place.at("in"), place.at("out"));
    let mut child = boxstep(&["convert", "-r", &input, &output, "--to", "split"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // As soon as the first is there.
    while !fs::read_dir(&output)
        .is_ok_and(|mut all| all.any(|e| Path::new(&e.unwrap().path()).join("main.py").exists()))
    {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it began");
        std::thread::yield_now();
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let said = Said::from(child.wait_with_output().unwrap()).code(130);
    let all: Vec<PathBuf> = fs::read_dir(&output).unwrap().map(|e| e.unwrap().path()).collect();
    assert!(!all.is_empty() && all.len() < 2000, "{}", said.out);
    // Every result is whole, and nothing is left beside them.
    for folder in all {
        assert!(folder.join("main.py").is_file() && folder.join("l0_root.xml").is_file(), "{}", folder.display());
    }
}

#[test]
fn a_split_folder_becomes_a_behavior_again_where_others_are_to_open_it() {
    let place = Place::new();
    let split = place.at("split/");
    ok(&["convert", "examples/hello", &split]);
    let xar = place.at("again.xar");
    ok(&["convert", &split, &xar]);
    for name in ["app.pkg", "app.crg", "app/app.pml"] {
        let out = place.at(name);
        ok(&["convert", &split, &out]);
        let files = if name.ends_with("pml") {
            files(&place.at("app"))
        } else {
            ok(&["unpack", &out, &place.at(&format!("{name}.d"))]);
            files(&place.at(&format!("{name}.d")))
        };
        let inside = files.iter().find(|(n, _)| n.ends_with("behavior.xar"));
        assert_eq!(inside.map(|(_, bytes)| bytes), Some(&fs::read(&xar).unwrap()), "{name}");
        assert!(!files.keys().any(|n| n.contains("l0_root") || n.ends_with("main.py")), "{:?}", files.keys());
        let played = ok(&["play", &out, "--virtual-time"]);
        assert!(played.out.contains("says “Hello, I am a robot.”"), "{}", played.out);
        if let Some(manifest) = files.get("manifest.xml") {
            let manifest = String::from_utf8(manifest.clone()).unwrap();
            assert!(manifest.contains("uuid=\"app\"") && manifest.contains("behaviorContent"), "{manifest}");
        }
    }
}

#[test]
fn what_does_not_fit_together_is_said_before_anything_is_written() {
    let place = Place::new();
    fs::create_dir(place.at("empty")).unwrap();
    let refused = |args: &[&str], why: &str| {
        let said = say(args).code(2);
        assert!(said.err.contains(why), "{}", said.err);
    };
    let (crg, empty) = (place.at("x.crg"), place.at("empty"));
    refused(&["convert", "examples/hello", &crg, "--behavior", "hello"], "--behavior is for .xar and split folders");
    refused(&["convert", "examples/hello", &place.at("x/"), "--to", "xar"], "names a folder, and --to a file");
    refused(&["convert", "-r", &empty, &place.at("out"), "--to", "xar"], "there is nothing to convert in it");
    refused(&["fmt", "-r", &empty], "there is no .xar and no .top in it");
    refused(&["pack", &empty, &crg], "there is no file in it");
    ok(&["convert", "examples/hello", &place.at("split/")]);
    refused(&["fmt", &place.at("split")], "is a split folder: its files are laid out as they are written");
    let mut left: Vec<_> = fs::read_dir(place.at("")).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["empty", "split"]);
}

#[test]
fn a_behavior_inside_another_ones_folder_is_converted_beside_it() {
    let place = Place::new();
    for folder in ["in/dance", "in/dance/init"] {
        fs::create_dir_all(place.at(folder)).unwrap();
        fs::copy(common::root().join("examples/hello/behavior.xar"), place.at(&format!("{folder}/behavior.xar")))
            .unwrap();
        fs::write(place.at(&format!("{folder}/words.txt")), folder).unwrap();
    }
    ok(&["convert", "-r", &place.at("in"), &place.at("out"), "--to", "split"]);
    let out = files(&place.at("out"));
    for name in ["dance/l0_root.xml", "dance/words.txt", "dance/init/l0_root.xml", "dance/init/words.txt"] {
        assert!(out.contains_key(name), "{name}: {:?}", out.keys());
    }
}
