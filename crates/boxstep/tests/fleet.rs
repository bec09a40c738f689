//! Shows of several robots, rehearsed.

use crate::common::{Said, Temp, has_python, in_order, root, say};
use std::fs;

const CHORUS: &str = "examples/chorus/show.yaml";

/// Returns the time of a line of the account.
fn time(out: &str, what: &str) -> f64 {
    let line = out.lines().find(|line| line.ends_with(what)).unwrap_or_else(|| panic!("no `{what}`:\n{out}"));
    line.trim_start().split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn a_rehearsal_plays_the_example_in_step() {
    if !has_python() {
        return;
    }
    let traces = Temp::new("traces");
    let said = say(&["fleet", "rehearse", CHORUS, "--record", traces.arg()]).code(0);
    in_order(
        &said.out,
        &[
            "is armed",
            "“Greeting” is announced",
            "plays “Greeting”",
            "plays “Song”",
            "gives a signal",
            "the show is over",
        ],
    );
    let song = time(&said.out, "soprano: plays “Song”");
    for robot in ["alto", "bass"] {
        assert!((time(&said.out, &format!("{robot}: plays “Song”")) - song).abs() < 0.11, "{}", said.out);
        // The choir answers together, when the soprano has counted.
        let trace = fs::read_to_string(traces.0.join(format!("{robot}.jsonl"))).unwrap();
        assert!(trace.contains("And four!"), "{trace}");
    }
    let answered = |robot: &str| {
        let trace = fs::read_to_string(traces.0.join(format!("{robot}.jsonl"))).unwrap();
        let at = |words: &str| {
            let line = trace.lines().find(|line| line.contains(words)).unwrap();
            serde_json::from_str::<serde_json::Value>(line).unwrap()["t"].as_i64().unwrap()
        };
        // Each robot has a clock of its own.
        at("And four!") - at(r#""phase":"started","name":"answer""#)
    };
    assert!((answered("alto") - answered("bass")).abs() < 5_000_000, "within 5 ms");
    assert!(said.out.trim_end().lines().last().unwrap().starts_with("in step within 0."), "{}", said.out);
}

/// Rehearses the example into a folder.
fn recorded(more: &[&str]) -> Temp {
    let folder = Temp::new("recorded");
    say(&[&["fleet", "rehearse", CHORUS, "--record", folder.arg()], more].concat()).code(0);
    folder
}

#[test]
fn a_recorded_show_is_one_recording_in_which_causes_lead_from_robot_to_robot() {
    if !has_python() {
        return;
    }
    let folder = recorded(&["--wifi", "--seed", "3"]);
    let whole = folder.0.join("show.jsonl");
    let text = fs::read_to_string(&whole).unwrap();
    let of = |robot: &str| fs::read_to_string(folder.0.join(format!("{robot}.jsonl"))).unwrap().lines().count() - 2;
    for robot in ["soprano", "alto", "bass"] {
        assert!(lines_with(&text, &[&format!(r#""robot":"{robot}""#), r#""path""#]) > 10, "{robot}");
    }
    let events = ["soprano", "alto", "bass"].map(of).iter().sum::<usize>();
    assert_eq!(text.lines().count() - 2, events + lines_with(&text, &[r#""what":"account""#]));
    let times: Vec<i64> = text
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["t"].as_i64().unwrap())
        .collect();
    assert!(times.is_sorted());
    // The choir's answer was caused by the soprano, and that by the scene, which the leader has announced.
    for (asked, recording) in [("alto:root/Say", folder.arg()), ("bass: answer/root/Say", whole.to_str().unwrap())] {
        let said = say(&["why", asked, recording]).code(0);
        let first = said.out.lines().next().unwrap();
        assert!(
            first.contains("answer/root/Say started at")
                && first.contains("because the signal root/Say.onStopped came from soprano, given there at")
                && first.ends_with("by sing/root/Say.onStopped"),
            "{first}"
        );
        in_order(
            &said.out,
            &[
                "gets onStart",
                "event Chorus/Answer",
                "gives the signal root/Say.onStopped to alto, bass",
                "soprano: sing/root/Say",
                "“Song” is announced",
            ],
        );
    }
    let json = say(&["why", "alto:root/Say", folder.arg(), "--format", "json"]).code(0);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((json["robot"].as_str(), json["name"].as_str()), (Some("alto"), Some("answer/root/Say")));
    let said = say(&["why", folder.arg()]).code(0);
    assert!(said.out.contains(": the show is over"), "{}", said.out);
    let said = say(&["why", "alto", folder.arg()]).code(0);
    in_order(
        &said.out,
        &["alto: answer started at", "because the scene “Song” began", "alto: answer ended by itself at"],
    );
    let said = say(&["why", "root/Say", folder.arg()]).code(2);
    in_order(&said.err, &["several robots", "alto:root/Say", "bass:root/Say"]);
    let said = say(&["why", "alto:answr", folder.arg()]).code(2);
    assert!(said.err.contains("alto:answer"), "{}", said.err);
    // What is for one robot says so.
    for args in [&["convert", whole.to_str().unwrap(), "x.mcap"][..], &["replay", whole.to_str().unwrap(), CHORUS]] {
        let said = say(args).code(2);
        assert!(said.err.contains("the recording of a whole show"), "{}", said.err);
    }
    assert!(say(&["diff", whole.to_str().unwrap(), whole.to_str().unwrap()]).code(0).err.is_empty());
}

#[test]
fn recordings_are_put_together_later_and_what_is_missing_is_said() {
    if !has_python() {
        return;
    }
    let folder = recorded(&[]);
    let before = fs::read(folder.0.join("show.jsonl")).unwrap();
    let out = Temp::new("jsonl");
    let said = say(&["convert", folder.arg(), out.arg()]).code(0);
    in_order(&said.out, &["wrote", "events of 3 robots, times ±"]);
    assert!(said.err.is_empty(), "{}", said.err);
    assert!(fs::read(&out.0).unwrap() == before);
    let said = say(&["convert", folder.arg(), out.arg()]).code(2);
    assert!(said.err.contains("--force"), "{}", said.err);
    let again = || say(&["convert", "--force", folder.arg(), out.arg()]);
    // One is missing, one is cut off, and one is of an earlier version.
    fs::remove_file(folder.0.join("bass.jsonl")).unwrap();
    let alto = fs::read_to_string(folder.0.join("alto.jsonl")).unwrap();
    fs::write(folder.0.join("alto.jsonl"), &alto[..alto.len() / 2]).unwrap();
    let said = again().code(0);
    in_order(&said.err, &["bass: its recording is missing", "alto.jsonl: it breaks off in line"]);
    assert!(said.out.contains("events of 2 robots"), "{}", said.out);
    let why = say(&["why", out.arg()]).code(0);
    in_order(&why.out, &["the show is over", "alto: alto.jsonl: it breaks off", "bass: its recording is missing"]);
    let earlier: String =
        alto.lines().filter(|line| !line.contains(r#""kind":"show""#)).map(|line| format!("{line}\n")).collect();
    fs::write(folder.0.join("alto.jsonl"), earlier).unwrap();
    in_order(&again().code(0).err, &["alto.jsonl is left out", "it says of no robot in a show"]);
    // Of another performance.
    let other = recorded(&["--seed", "5"]);
    fs::copy(other.0.join("alto.jsonl"), folder.0.join("alto.jsonl")).unwrap();
    let said = again().code(2);
    in_order(&said.err, &["alto.jsonl and soprano.jsonl are of different performances"]);
    // Without the account all recordings count.
    fs::write(folder.0.join("alto.jsonl"), &alto).unwrap();
    fs::remove_file(folder.0.join("account.jsonl")).unwrap();
    let said = again().code(0);
    assert!(said.out.contains("events of 2 robots") && said.err.is_empty(), "{}{}", said.out, said.err);
    let said = say(&["view", "--no-browser", out.arg()]).code(2);
    in_order(&said.err, &["no account of the show", "boxstep view alto.jsonl"]);
    say(&["convert", CHORUS, out.arg(), "--force"]).code(2);
    say(&["convert", "examples", out.arg(), "--force"]).code(2);
}

#[test]
fn a_rehearsal_that_is_given_up_ends() {
    let said = say(&["fleet", "rehearse", CHORUS, "--no-scripts", "--for", "1"]).code(4);
    assert!(said.err.contains("the show has not come to its end"), "{}", said.err);
}

#[test]
fn the_same_seed_gives_the_same_rehearsal() {
    if !has_python() {
        return;
    }
    let rehearse = |seed: &str| {
        let traces = Temp::new("traces");
        let said = say(&[
            "fleet",
            "rehearse",
            CHORUS,
            "--wifi",
            "--lose",
            "alto@2-3",
            "--seed",
            seed,
            "--record",
            traces.arg(),
        ]);
        let mut files: Vec<_> = fs::read_dir(&traces.0).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        let texts: Vec<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
        (said.code(0).out, texts)
    };
    let first = rehearse("7");
    in_order(&first.0, &["alto: is lost", "alto: is back"]);
    // Alto has two traces: it was switched off and on. The last file has all of them.
    assert_eq!(first.1.len(), 6);
    assert_eq!(first, rehearse("7"));
}

#[test]
fn what_is_wrong_with_a_show_is_told() {
    let show = Temp::new("yaml");
    let with = |from: &str, to: &str| {
        let text = fs::read_to_string(root().join(CHORUS)).unwrap().replace(from, to);
        // Files are looked for beside the show.
        let from = |text: String, name: &str| {
            text.replace(&format!(" {name}.xar"), &format!(" {}/examples/chorus/{name}.xar", root().display()))
        };
        let text = ["sing", "wave", "answer"].into_iter().fold(text, from);
        fs::write(&show.0, text).unwrap();
        say(&["fleet", "rehearse", show.arg()])
    };
    let said = with("to: choir", "to: chor").code(2);
    in_order(&said.err, &["BS0931", "no robot and no group is called chor", "did you mean `choir`?", ".yaml:29:"]);
    let said = with("soprano: sing.xar", "soprano: cry.xar").code(2);
    in_order(&said.err, &["BS0931", "cry.xar", ".yaml:21:"]);
    let said = with("show: Chorus", "show: [").code(2);
    in_order(&said.err, &["BS0930", ".yaml:"]);
    say(&["fleet", "rehearse", CHORUS, "--lose", "tenor@3"]).code(2);
    say(&["fleet", "rehearse", CHORUS, "--lose", "alto@5-3"]).code(2);
    say(&["fleet", "rehearse", "examples/chorus/no.yaml"]).code(2);
    // A robot with another body than the show wants: the show is called off, and says why.
    let said = with("alto: { body: nao }", "alto: { body: snail }").code(2);
    assert!(said.err.contains("snail"), "{}", said.err);
}

#[test]
fn a_behavior_that_cannot_be_loaded_calls_the_show_off() {
    if !has_python() {
        return;
    }
    let place = Temp::new("show");
    fs::create_dir_all(&place.0).unwrap();
    let text = fs::read_to_string(root().join("examples/chorus/sing.xar")).unwrap();
    fs::write(
        place.0.join("sing.xar"),
        text.replace("class MyClass(GeneratedClass):", "class MyClass(GeneratedClass:"),
    )
    .unwrap();
    let show = place.0.join("show.yaml");
    fs::write(&show, "show: Broken\nrobots: { one: }\nscenes:\n  - { name: Song, play: { one: sing.xar } }\n").unwrap();
    let said = say(&["fleet", "rehearse", show.to_str().unwrap()]).code(4);
    in_order(&said.err, &["the show was called off", "one: sing/root/Say", "SyntaxError"]);
}

/// A folder with a show file, and what it names.
struct Written(Temp);

impl Written {
    /// Writes a show with these robots, and these lines for its scenes and cues.
    fn new(robots: &str, rest: &str) -> Self {
        let place = Temp::new("written");
        fs::create_dir_all(&place.0).unwrap();
        fs::write(place.0.join("show.yaml"), format!("show: Written\nrobots: {{ {robots} }}\n{rest}")).unwrap();
        Self(place)
    }

    /// Copies a behavior of the example.
    fn with(self, name: &str, of: &str) -> Self {
        let path = self.0.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(root().join("examples/chorus").join(of), path).unwrap();
        self
    }

    /// Writes a silent sound of so many seconds.
    fn with_sound(self, name: &str, seconds: u32) -> Self {
        let bytes = 16_000 * seconds;
        let mut wav = Vec::from(*b"RIFF");
        wav.extend((36 + bytes).to_le_bytes());
        wav.extend(*b"WAVEfmt ");
        // 16 bytes: PCM, one channel, 8,000 samples of 16 bits a second.
        wav.extend([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0, 16, 0]);
        wav.extend(*b"data");
        wav.extend(bytes.to_le_bytes());
        wav.resize(44 + bytes as usize, 0);
        fs::write(self.0.0.join(name), wav).unwrap();
        self
    }

    fn rehearse(&self, more: &[&str]) -> Said {
        let show = self.0.0.join("show.yaml");
        say(&[&["fleet", "rehearse", "--no-scripts", show.to_str().unwrap()], more].concat())
    }

    /// Rehearses, and returns what was printed and the trace of a robot.
    fn traced(&self, robot: &str) -> (String, String) {
        let folder = self.0.0.join("record");
        let out = self.rehearse(&["--record", folder.to_str().unwrap()]).code(0).out;
        (out, fs::read_to_string(folder.join(format!("{robot}.jsonl"))).unwrap())
    }
}

/// Returns how many lines of a trace have these words.
fn lines_with(trace: &str, words: &[&str]) -> usize {
    trace.lines().filter(|line| words.iter().all(|word| line.contains(word))).count()
}

#[test]
fn the_end_of_a_sound_does_not_end_the_next_scene() {
    let scenes =
        "scenes:\n  - { name: A, sound: { one: five.wav } }\n  - { name: B, at: 3, sound: { one: five.wav } }\n";
    let show = Written::new("one:", scenes).with_sound("five.wav", 5);
    let out = show.rehearse(&[]).code(0).out;
    // The first sound is cut off after three seconds.
    let plays = time(&out, "one: plays “B”") - time(&out, "one: plays “A”");
    assert!((plays - 3.0).abs() < 0.2, "{out}");
    let took = time(&out, "one: has ended “B”") - time(&out, "one: plays “B”");
    assert!((took - 5.0).abs() < 0.3, "{out}");
}

#[test]
fn the_same_behavior_starts_anew_in_the_next_scene_and_in_time() {
    let scene = |name: &str, at: u32| format!("  - {{ name: {name}, at: {at}, play: {{ one: wave.xar }} }}\n");
    let scenes = format!("scenes:\n{}{}{}", scene("A", 0), scene("B", 1), scene("C", 30));
    let (out, trace) = Written::new("one:", &scenes).with("wave.xar", "wave.xar").traced("one");
    let began = time(&out, "one: plays “A”");
    for (name, at) in [("B", 1.0), ("C", 30.0)] {
        let at_last = time(&out, &format!("one: plays “{name}”")) - began;
        assert!((at_last - at).abs() < 0.2, "{name}: {out}");
    }
    assert_eq!(lines_with(&trace, &[r#""phase":"started","name":"wave""#]), 3, "{trace}");
    assert!(!trace.contains("running already"), "{trace}");
}

#[test]
fn signals_and_ends_before_a_scene_begins_belong_to_the_one_before() {
    // The first scene ends within the second in which the next one is announced, which has other boxes.
    let scenes = "scenes:\n  - { name: A, play: { one: wave.xar, two: answer.xar }, at_most: 3.9 }\n  \
                  - { name: B, at: 4.4, play: { one: answer.xar, two: wave.xar }, at_most: 1 }\n\
                  cues:\n  - { from: one, output: root/Wave.onStopped, to: two, input: root/Say.onStart }\n";
    let show = Written::new("one: , two:", scenes).with("wave.xar", "wave.xar").with("answer.xar", "answer.xar");
    let (out, trace) = show.traced("two");
    let began = time(&out, "two: plays “A”");
    assert!((time(&out, "one: gives a signal to two") - began - 3.76).abs() < 0.3, "{out}");
    assert_eq!(lines_with(&trace, &[r#""answer/root/Say""#, r#""stimulate""#]), 1, "{trace}");
    assert!((time(&out, "two: has ended “A”") - began - 3.9).abs() < 0.3, "{out}");
    assert!((time(&out, "two: plays “B”") - began - 4.4).abs() < 0.2, "{out}");
    assert!(time(&out, "“B” is announced") < began + 3.7, "{out}");
}

#[test]
fn the_way_to_a_posture_ends_when_the_next_scene_begins() {
    let scenes = "lost: hold\nposture: Crouch\nscenes:\n  - { name: A, sound: { one: one.wav, two: one.wav } }\n  \
                  - { name: B, play: { one: wave.xar, two: wave.xar } }\n";
    let show = Written::new("one: , two:", scenes).with("wave.xar", "wave.xar").with_sound("one.wav", 1);
    let folder = show.0.0.join("record");
    let out = show.rehearse(&["--record", folder.to_str().unwrap(), "--lose", "two@0.5-1.6"]).code(0).out;
    in_order(&out, &["the show holds: waits for two", "one: plays “B”"]);
    let trace = fs::read_to_string(folder.join("one.jsonl")).unwrap();
    in_order(&trace, &[r#""goToPosture""#, r#""stopMove""#, r#""phase":"started","name":"wave""#]);
}

#[test]
fn files_of_the_same_name_are_told_apart() {
    let names = ["a", "b", "c", "d"];
    let scene = |name: &str| format!("  - {{ name: {name}, play: {{ one: {name}/part.xar }}, at_most: 5 }}\n");
    let scenes = format!("scenes:\n{}", names.map(scene).concat());
    // The second is a copy of the first.
    let show = names.iter().zip(["wave.xar", "wave.xar", "sing.xar", "answer.xar"]);
    let show = show.fold(Written::new("one:", &scenes), |show, (name, of)| show.with(&format!("{name}/part.xar"), of));
    let (_, trace) = show.traced("one");
    let started = |name: &str| lines_with(&trace, &[&format!(r#""phase":"started","name":"{name}""#)]);
    assert_eq!(["part", "part-2", "part-3"].map(started), [2, 1, 1], "{trace}");
}

#[test]
fn two_packages_with_one_uuid_and_other_contents_are_refused_with_their_place() {
    let place = Temp::new("twins");
    for (folder, of) in [("a", "wave.xar"), ("b", "sing.xar")] {
        let project = place.0.join(folder);
        fs::create_dir_all(project.join("part")).unwrap();
        fs::copy(root().join("examples/chorus").join(of), project.join("part/behavior.xar")).unwrap();
        let manifest = r#"<?xml version="1.0" encoding="UTF-8"?>
<package uuid="twin" version="1.0"><names><name lang="en_US">Twin</name></names>
<contents><behaviorContent path="part"><userRequestable/><nature>interactive</nature></behaviorContent></contents></package>"#;
        fs::write(project.join("manifest.xml"), manifest).unwrap();
    }
    let scenes = "scenes:\n  - { name: A, play: { one: a } }\n  - { name: B, play: { one: b } }\n";
    fs::write(place.0.join("show.yaml"), format!("show: Twins\nrobots: {{ one: }}\n{scenes}")).unwrap();
    let said = say(&["fleet", "rehearse", place.0.join("show.yaml").to_str().unwrap()]).code(2);
    in_order(&said.err, &["BS0931", "one cannot play both", "one package", "show.yaml:5:"]);
}

#[test]
fn a_robot_can_have_many_files() {
    let scene = |n: u32| format!("  - {{ name: S{n}, play: {{ one: f{n}.xar }}, at_most: 0.1 }}\n");
    let scenes = format!("scenes:\n{}", (0..66).map(scene).collect::<String>());
    let show = (0..66).fold(Written::new("one:", &scenes), |show, n| show.with(&format!("f{n}.xar"), "wave.xar"));
    assert!(show.rehearse(&[]).code(0).out.contains("the show is over"));
}

#[test]
fn each_robot_has_a_recording_of_its_own() {
    let scenes = "scenes:\n  - { name: A, sound: { all: five.wav } }\n";
    let groups = "groups: { all: [a.b, a-b, A-B, account] }\n";
    let show = Written::new("a.b: , a-b: , A-B: , account:", &format!("{groups}{scenes}")).with_sound("five.wav", 5);
    let folder = show.0.0.join("record");
    let record = folder.to_str().unwrap();
    let names = || {
        let mut names: Vec<String> =
            fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    show.rehearse(&["--record", record, "--lose", "account@0.5-2"]).code(0);
    let all = [
        "A-B-3.jsonl",
        "a-b-2.jsonl",
        "a-b.jsonl",
        "account-2.2.jsonl",
        "account-2.jsonl",
        "account.jsonl",
        "show.jsonl",
    ];
    assert_eq!(names(), all);
    // What stays of the user's is kept; what was recorded before is replaced.
    fs::write(folder.join("notes.jsonl"), "mine").unwrap();
    let file = show.0.0.join("show.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace(", A-B: ", "").replace(", A-B,", ",")).unwrap();
    show.rehearse(&["--record", record]).code(0);
    assert_eq!(names(), ["a-b-2.jsonl", "a-b.jsonl", "account-2.jsonl", "account.jsonl", "notes.jsonl", "show.jsonl"]);
    // The recording of another show is nobody's to replace.
    fs::write(&file, text.replace("show: Written", "show: Other")).unwrap();
    let said = show.rehearse(&["--record", record]).code(2);
    in_order(&said.err, &["the recording of another show", "“Written”"]);
    assert!(!said.out.contains("is there"), "{}", said.out);
}
