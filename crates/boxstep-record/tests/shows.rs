//! The recordings of a show's robots, put together.

use boxstep_record::show::{Account, AccountEntry, Fault, Merged, PartFile, ShowError, Unusable, merge};
use boxstep_record::why::{NoAnswer, across};
use boxstep_trace::{EndReason, Kind, Recording, ShowEvent};
use boxstep_types::{Random, Time, Value};
use std::fmt::Write as _;
use std::io::Cursor;
use std::sync::Arc;

const FOOTER: &str = r#"{"reason":"ended","t":99,"events":0,"deterministic":true}"#;

/// Writes the recording of a robot.
struct Run {
    text: String,
    n: u64,
}

impl Run {
    fn new(robot: &str) -> Self {
        Self::of("Chorus", "a1", robot)
    }

    fn of(show: &str, performance: &str, robot: &str) -> Self {
        let text = "{\"schema\":1,\"product\":\"x\",\"body\":\"nao\",\"clock\":\"virtual\",\"files\":{}}\n".to_owned();
        let mut run = Self { text, n: 0 };
        run.add(0, 0, &format!(
            r#""kind":"show","what":"part","show":"{show}","performance":"{performance}","robot":"{robot}","process":"{robot}-1""#
        ));
        run
    }

    /// Adds an event and returns its number.
    fn add(&mut self, t: i64, cause: u64, rest: &str) -> u64 {
        self.n += 1;
        writeln!(self.text, "{{\"n\":{},\"t\":{t},\"cause\":{cause},{rest}}}", self.n).unwrap();
        self.n
    }

    fn clock(&mut self, at: i64, fleet: i64, rate: f64, error: i64) -> &mut Self {
        let clock =
            format!(r#""kind":"show","what":"clock","at":{at},"fleet":{fleet},"rate":{rate:?},"error":{error}"#);
        self.add(at, 0, &clock);
        self
    }

    fn says(&mut self, t: i64, text: &str) -> &mut Self {
        self.add(t, 0, &format!(r#""kind":"print","text":"{text}""#));
        self
    }

    fn ends(&mut self) -> String {
        format!("{}{FOOTER}\n", self.text)
    }
}

fn file(name: &str, text: impl Into<Vec<u8>>) -> PartFile {
    let text: Arc<[u8]> = text.into().into();
    PartFile { name: name.to_owned(), open: Box::new(move || Ok(Box::new(Cursor::new(text.clone())))) }
}

fn merged(files: &[PartFile], account: Option<&Account>) -> (Merged, String) {
    let mut out = Vec::new();
    let merged = merge(files, account, &mut out).unwrap();
    (merged, String::from_utf8(out).unwrap())
}

fn refused(files: &[PartFile], account: Option<&Account>) -> ShowError {
    let mut out = Vec::new();
    let why = merge(files, account, &mut out).unwrap_err();
    assert!(out.is_empty());
    why
}

/// Returns when each line was printed, and by whom.
fn said(text: &str) -> Vec<(i64, String, String)> {
    let recording = Recording::read(text.as_bytes()).unwrap();
    let print = |event: &boxstep_trace::Event| match &event.kind {
        Kind::Print { text, .. } => Some((event.t.0, recording.paths.place(event.path), text.to_string())),
        _ => None,
    };
    recording.events.iter().filter_map(print).collect()
}

#[test]
fn events_come_in_the_order_of_the_shows_time_and_at_one_instant_by_robot_and_line() {
    let mut alto = Run::new("alto");
    // Its clock is 1 s behind the show's, and goes half as fast from 20 s on.
    alto.says(1_000, "a0").clock(2_000, 1_000_002_000, 1.0, 100).says(3_000, "a1").says(3_000, "a2");
    alto.clock(4_000, 1_000_004_000, 2.0, 300).says(5_000, "a3");
    let mut bass = Run::new("bass");
    bass.clock(0, 1_000_000_000, 1.0, 100).says(1_000, "b0").says(3_000, "b1").says(5_500, "b2").says(6_001, "b3");
    let files = [file("bass.jsonl", bass.ends()), file("alto.jsonl", alto.ends())];
    let (merged, text) = merged(&files, None);
    let order: Vec<String> =
        said(&text).into_iter().map(|(t, who, what)| format!("{} {who} {what}", t - 1_000_000_000)).collect();
    let wanted = [
        "1000 alto a0",
        "1000 bass b0",
        "3000 alto a1",
        "3000 alto a2",
        "3000 bass b1",
        "5500 bass b2",
        "6000 alto a3",
        "6001 bass b3",
    ];
    assert_eq!(order, wanted);
    let parts: Vec<_> = merged.parts.iter().map(|part| (part.file.as_str(), part.error, part.faults.len())).collect();
    assert_eq!(parts, [("alto.jsonl", Time(300), 0), ("bass.jsonl", Time(100), 0)]);
    // Numbers count the events of all, and the times never go back.
    let recording = Recording::read(text.as_bytes()).unwrap();
    assert!(recording.events.iter().zip(1..).all(|(event, n)| event.n == n));
    assert!(recording.events.is_sorted_by_key(|event| event.t));
    let show = recording.header.unwrap().show.unwrap();
    assert_eq!((show.name.as_str(), show.robots.len(), show.robots[0].runs[0].error), ("Chorus", 2, Time(300)));
    let footer = recording.footer.unwrap();
    assert_eq!((footer.reason, footer.events, footer.deterministic), (EndReason::Ended, merged.events, Ok(())));
    // Whatever the order of the files.
    let files = [file("alto.jsonl", alto.ends()), file("bass.jsonl", bass.ends())];
    assert_eq!(self::merged(&files, None).1, text);
}

/// A signal that soprano gives and alto gets.
const GIVEN: &str = r#""kind":"show","what":"given","number":1,"cue":"root/Say.onStopped","to":["alto"]"#;
const GOT: &str =
    r#""kind":"show","what":"got","number":1,"cue":"root/Say.onStopped","from":"soprano","process":"soprano-1""#;

/// A show in which soprano gives a signal at 2 s, and alto gets it at 2.2 s. Alto's clock is off by so much.
fn cued(off: i64, error: i64) -> [PartFile; 2] {
    let s = 1_000_000_000;
    let mut soprano = Run::new("soprano");
    soprano.clock(0, s, 1.0, 100);
    let begun = soprano.add(s / 2, 0, r#""kind":"show","what":"scene","scene":"Song""#);
    let started = soprano.add(s / 2, begun, r#""path":"sing/root","kind":"behavior","phase":"started","name":"sing""#);
    let started = soprano.add(s, started, r#""path":"sing/root/Say","kind":"input","port":"onStart","value":null"#);
    let said = soprano.add(s, started, r#""path":"sing/root/Say","kind":"output","port":"onStopped","value":null"#);
    soprano.add(s, said, GIVEN);
    soprano.says(3 * s, "the end");
    let mut alto = Run::new("alto");
    alto.clock(0, s + off, 1.0, error);
    let started = alto.add(s / 2, 0, r#""path":"answer/root","kind":"behavior","phase":"started","name":"answer""#);
    let got = alto.add(s + s / 5, 0, GOT);
    let event = alto.add(s + s / 5, got, r#""kind":"event","dir":"in","key":"Answer","value":1"#);
    alto.add(s + s / 5, event, r#""path":"answer/root/Say","kind":"input","port":"onStart","value":null"#);
    alto.add(2 * s, started, r#""path":"answer/root","kind":"behavior","phase":"stopping","name":"answer""#);
    [file("soprano.jsonl", soprano.ends()), file("alto.jsonl", alto.ends())]
}

#[test]
fn a_signal_of_another_robot_is_a_cause() {
    let (_, text) = merged(&cued(0, 100), None);
    let recording = Recording::read(text.as_bytes()).unwrap();
    let says = recording.events.iter().find(|event| recording.path(event) == "answer/root/Say").unwrap();
    let chain = recording.chain(says).events;
    let places: Vec<String> = chain.iter().map(|event| recording.paths.place(event.path)).collect();
    let say = "soprano: sing/root/Say";
    let wanted = ["alto: answer/root/Say", "alto", "alto", "soprano", say, say, "soprano: sing/root", "soprano"];
    assert_eq!(places, wanted);
}

#[test]
fn why_leads_from_one_robot_to_another() {
    let (_, text) = merged(&cued(0, 100), None);
    let recording = Recording::read(text.as_bytes()).unwrap();
    let told = |name: &str| across(&recording, Some(name), None);
    for name in ["alto:root/Say", "alto: answer/root/Say", "answer/root/Say"] {
        let answer = told(name).unwrap().to_string();
        let first = answer.lines().next().unwrap();
        assert_eq!(
            first,
            "alto: answer/root/Say started at 2.200 s because the signal root/Say.onStopped came from soprano, given there at \
             2.000 s by sing/root/Say.onStopped"
        );
        assert!(answer.contains("soprano: sing/root/Say  puts out onStopped"), "{answer}");
        assert!(answer.contains("the scene “Song” begins") && answer.lines().count() <= 10, "{answer}");
    }
    let answer = told("soprano").unwrap();
    assert!(answer.sentence.contains("sing started at 1.500 s because the scene “Song” began"), "{answer}");
    assert_eq!(answer.json()["steps"][0]["robot"], "soprano");
    // A behavior that stopped says how.
    let answer = told("answer").unwrap();
    assert!(answer.besides[0].starts_with("alto: answer ended"), "{answer:?}");
    let Err(NoAnswer::Several(_, names)) = told("root/Say") else { panic!() };
    assert_eq!(names, ["alto:root/Say", "soprano:root/Say"]);
    let Err(NoAnswer::NoBehavior(_, Some(help))) = told("alto:answr") else { panic!() };
    assert!(help.contains("alto:answer"), "{help}");
    // What is later than asked for does not count.
    assert!(across(&recording, Some("alto:root/Say"), Some(Time::from_millis(2100))).is_err());
    let whole = across(&recording, None, None).unwrap().to_string();
    assert!(whole.starts_with("Chorus ends at 4.000 s in this recording, which has no account"), "{whole}");
}

#[test]
fn a_signal_never_comes_before_it_was_given_whatever_the_clocks_say() {
    // Alto's clock is half a second behind: the signal seems to come 0.3 s early.
    for (error, complains) in [(400_000_000, false), (1000, true)] {
        let (merged, text) = merged(&cued(-500_000_000, error), None);
        let given = text.find(r#""what":"given""#).unwrap();
        let got = text.find(r#""what":"got""#).unwrap();
        assert!(given < got, "{text}");
        let faults: Vec<&Fault> = merged.parts.iter().flat_map(|part| &part.faults).collect();
        let wanted = Fault::Before(1, Time(300_000_000), "soprano".into());
        assert_eq!(faults, if complains { vec![&wanted] } else { vec![] });
        let recording = Recording::read(text.as_bytes()).unwrap();
        assert!(recording.events.is_sorted_by_key(|event| event.t));
        assert!(across(&recording, Some("alto:root/Say"), None).unwrap().sentence.contains("from soprano"));
    }
}

#[test]
fn recordings_that_wait_for_each_other_lose_nothing() {
    let part = |me: &str, other: &str| {
        let mut run = Run::new(me);
        run.clock(0, 0, 1.0, 0);
        run.add(
            5,
            0,
            &format!(r#""kind":"show","what":"got","number":1,"cue":"c","from":"{other}","process":"{other}-1""#),
        );
        run.add(6, 0, &format!(r#""kind":"show","what":"given","number":1,"cue":"c","to":["{other}"]"#));
        file(me, run.ends())
    };
    let (merged, text) = merged(&[part("a", "b"), part("b", "a")], None);
    assert_eq!((merged.events, text.matches(r#""what":"got""#).count()), (8, 2));
    assert!(Recording::read(text.as_bytes()).unwrap().events.is_sorted_by_key(|event| event.t));
}

fn account(entries: &[(i64, Option<usize>, Option<&str>, &str)]) -> Account {
    let entry = |(at, robot, scene, text): &(i64, Option<usize>, Option<&str>, &str)| AccountEntry {
        at: Time::from_millis(*at),
        robot: *robot,
        event: ShowEvent::Account { scene: scene.map(Into::into), text: (*text).into(), entry: Value::Null },
    };
    Account {
        name: "Chorus".to_owned(),
        robots: ["soprano", "alto", "bass"].map(str::to_owned).into(),
        show: Value::Null,
        entries: entries.iter().map(entry).collect(),
        end: Some(EndReason::Ended),
    }
}

#[test]
fn the_account_of_the_show_stands_between_the_events() {
    let account = account(&[
        (1000, None, Some("Song"), "“Song” is announced"),
        (2100, Some(2), None, "is lost"),
        (5000, None, None, "the show is over"),
    ]);
    let (merged, text) = merged(&cued(0, 100), Some(&account));
    assert_eq!(merged.missing, ["bass"]);
    let recording = Recording::read(text.as_bytes()).unwrap();
    let names: Vec<&str> = recording
        .header
        .as_ref()
        .unwrap()
        .show
        .as_ref()
        .unwrap()
        .robots
        .iter()
        .map(|robot| robot.name.as_str())
        .collect();
    assert_eq!(names, ["soprano", "alto", "bass"]);
    // The beginning of a scene on a robot leads to its announcement.
    let answer = across(&recording, Some("soprano"), None).unwrap();
    assert!(answer.to_string().contains("“Song” is announced"), "{answer}");
    let whole = across(&recording, None, None).unwrap();
    assert_eq!(whole.sentence, "Chorus, at 5.000 s: the show is over");
    assert_eq!(whole.besides, ["bass: its recording is missing", "bass, at 2.100 s: is lost"]);
    // An account that breaks off has no end.
    let cut = Account { end: None, ..account };
    let (_, text) = self::merged(&cued(0, 100), Some(&cut));
    assert!(Recording::read(text.as_bytes()).unwrap().footer.is_none());
}

#[test]
fn recordings_of_different_shows_are_refused() {
    let run = |show: &str, performance: &str, robot: &str| Run::of(show, performance, robot).clock(0, 0, 1.0, 0).ends();
    let alto = || file("alto.jsonl", run("Chorus", "a1", "alto"));
    let why = refused(&[alto(), file("bass.jsonl", run("Duo", "a1", "bass"))], None);
    assert_eq!(why.to_string(), "alto.jsonl is of the show “Chorus”, and bass.jsonl of “Duo”");
    let why = refused(&[alto(), file("bass.jsonl", run("Chorus", "b2", "bass"))], None);
    assert!(matches!(why, ShowError::Performances(_)), "{why}");
    let other = Account { name: "Duo".to_owned(), ..account(&[]) };
    let why = refused(&[alto()], Some(&other));
    assert_eq!(why.to_string(), "alto.jsonl is of the show “Chorus”, and the account of “Duo”");
}

#[test]
fn what_cannot_be_used_is_named_and_the_others_are_put_together() {
    let good = || file("alto.jsonl", Run::new("alto").clock(0, 0, 1.0, 0).ends());
    let no_clock = file("bass.jsonl", Run::new("bass").says(1, "x").ends());
    let other = file("dance.jsonl", format!("{{\"schema\":1}}\n{FOOTER}\n"));
    let files =
        [good(), no_clock, other, file("notes.jsonl", "mine"), file("empty.jsonl", ""), file("bytes", vec![0xff; 9])];
    let (merged, _) = merged(&files, None);
    let left_out: Vec<(&str, bool)> = merged
        .left_out
        .iter()
        .map(|(file, why)| (file.as_str(), matches!(why, Unusable::NoClock | Unusable::NoShow | Unusable::NoTrace(_))))
        .collect();
    assert_eq!(
        left_out,
        [("bass.jsonl", true), ("dance.jsonl", true), ("notes.jsonl", true), ("empty.jsonl", true), ("bytes", true)]
    );
    assert!(matches!(merged.left_out[0].1, Unusable::NoClock));
    // What was put together already is none of one robot.
    let whole = file("whole.jsonl", self::merged(&[good()], None).1);
    let (merged, _) = self::merged(&[good(), whole], None);
    assert!(matches!(&merged.left_out[..], [(_, Unusable::Whole)]), "{merged:?}");
    let why = refused(&files[1..], None).to_string();
    assert!(why.starts_with("no recording can be used:\n  bass.jsonl: it has no time of the show"), "{why}");
    assert_eq!(refused(&[], None).to_string(), "there is no recording of a robot");
}

#[test]
fn a_recording_that_breaks_off_or_is_damaged_is_used_as_far_as_it_goes() {
    let mut run = Run::new("alto");
    run.clock(0, 0, 1.0, 0).says(5, "one");
    let cut = run.text.clone();
    let (merged, text) = merged(&[file("a", cut.clone())], None);
    assert_eq!((&*merged.parts[0].faults, said(&text).len()), (&[Fault::NoEnd][..], 1));
    assert!(Recording::read(text.as_bytes()).unwrap().footer.is_none());
    let faults = |text: &str| {
        let (merged, text) = self::merged(&[file("a", text)], None);
        assert!(Recording::read(text.as_bytes()).is_ok());
        (merged.parts[0].faults.clone(), said(&text).len())
    };
    assert_eq!(faults(&format!("{cut}{{\"n\":4,\"t\":9,\"ki")), (vec![Fault::HalfLine(5)], 1));
    run.text += "nonsense\n[]\n";
    run.says(7, "two");
    let damaged = faults(&run.ends());
    assert!(matches!(&damaged.0[..], [Fault::Unreadable(2, 5, _)]), "{damaged:?}");
    assert_eq!(damaged.1, 2);
    let short = cut + &FOOTER.replace("\"events\":0", "\"events\":9") + "\n";
    assert_eq!(faults(&short), (vec![Fault::Missing(3, 9)], 1));
}

#[test]
fn lines_that_cannot_be_read_cost_only_their_own_causes() {
    let mut run = Run::new("alto");
    run.clock(0, 0, 1.0, 0);
    let lost = run.add(5, 0, r#""kind":"print","text":"lost""#);
    let kept = run.add(6, 0, r#""kind":"print","text":"kept""#);
    run.add(7, kept, r#""kind":"print","text":"caused""#);
    run.add(8, lost, r#""kind":"print","text":"without""#);
    // An array is no event, although its values could be taken for those of one.
    let line = format!(r#"{{"n":{lost},"t":5,"cause":0,"kind":"print","text":"lost"}}"#);
    let text = run.ends().replace(&line, r#"[3,5,0,"print"]"#);
    let (merged, text) = merged(&[file("a", text)], None);
    assert!(matches!(&merged.parts[0].faults[..], [Fault::Unreadable(1, 4, _)]), "{:?}", merged.parts[0]);
    let recording = Recording::read(text.as_bytes()).unwrap();
    let of = |wanted: &str| {
        let is = |kind: &Kind| matches!(kind, Kind::Print { text, .. } if **text == *wanted);
        recording.events.iter().find(|event| is(&event.kind)).unwrap()
    };
    assert_eq!((of("caused").cause, of("without").cause), (of("kept").n, 0));
}

#[test]
fn the_same_run_under_two_names_is_used_once() {
    let mut run = Run::new("alto");
    run.clock(0, 0, 1.0, 0).says(5, "one");
    let cut = run.text.clone();
    let files = [file("a", cut), file("b", run.says(7, "two").ends()), file("c", run.ends())];
    let (merged, text) = merged(&files, None);
    assert_eq!(said(&text).len(), 2, "{text}");
    let left_out: Vec<_> = merged.left_out.iter().map(|(file, why)| format!("{file}: {why}")).collect();
    assert_eq!(left_out, ["c: it has the same run as b", "a: it has the same run as b"]);
}

#[test]
fn times_of_which_nothing_is_recorded_are_told() {
    let scene = r#""kind":"show","what":"scene","scene":"Song""#;
    let run = |robot: &str, process: u32, from: i64, until: i64| {
        let mut run = Run::new(robot);
        run.text = run.text.replace(&format!("{robot}-1"), &format!("{robot}-{process}"));
        run.clock(0, from * 1_000_000_000, 1.0, 0).says((until - from) * 1_000_000_000, "x");
        run
    };
    let mut soprano = run("soprano", 1, 0, 2);
    soprano.add(3_000_000_000, 0, scene);
    let soprano = file("soprano", soprano.says(20_000_000_000, "end").ends());
    // One whose first process was killed, and one whose connection was lost.
    let alto = file("alto.2", run("alto", 2, 9, 20).ends());
    let bass = [file("bass", run("bass", 1, 1, 6).ends()), file("bass.2", run("bass", 1, 11, 20).ends())];
    let [bass, again] = bass;
    let (merged, text) = merged(&[soprano, alto, bass, again], None);
    let faults: Vec<_> = merged.parts.iter().map(|part| (part.file.as_str(), part.faults.clone())).collect();
    let hole = |from: i64, to: i64| vec![Fault::Hole(Time::from_millis(from * 1000), Time::from_millis(to * 1000))];
    assert_eq!(
        faults,
        [("alto.2", hole(3, 9)), ("bass", vec![]), ("bass.2", hole(6, 11)), ("soprano", vec![])],
        "{text}"
    );
    assert!(text.contains("nothing is recorded of the robot from 3.000 s to 9.000 s"), "{text}");
}

#[test]
fn times_that_go_back_or_are_none_lose_nothing() {
    let mut run = Run::new("alto");
    run.clock(0, 1000, 1.0, 0).says(50, "one").says(20, "two").says(60, "three");
    run.clock(70, 0, f64::MAX, 0).clock(80, i64::MAX, 1.0, 0).clock(90, 0, 1.0, -5).says(100, "four");
    run.says(i64::MAX, "five").says(i64::MIN, "six");
    let mut bass = Run::new("bass");
    bass.clock(0, 1000, 1.0, 0).says(55, "bass");
    let (merged, text) = merged(&[file("a", run.ends()), file("b", bass.ends())], None);
    let faults = &merged.parts[0].faults;
    assert_eq!(*faults, [Fault::Back(5, Time(50), Time(20)), Fault::BadClock(3, 7)]);
    let texts: Vec<String> = said(&text).into_iter().map(|(.., text)| text).collect();
    assert_eq!(texts, ["one", "two", "bass", "three", "four", "five", "six"]);
    assert!(Recording::read(text.as_bytes()).unwrap().events.is_sorted_by_key(|event| event.t));
}

/// When something happens, at which robot, and if it is a signal that comes: its number, and the robot that gave it.
type Happening = (f64, usize, Option<(u64, usize)>);

/// Robots on clocks that are off and run apart, which state by how much they may be wrong. They give each other signals.
fn random_show(seed: u64) -> (Vec<PartFile>, Vec<i64>) {
    let mut random = Random::new(seed);
    let robots = 2 + (random.next_u64() % 4) as usize;
    let mut unit = move |least: f64, most: f64| least + (most - least) * random.unit();
    // In true time: who gives a signal when, who gets it, and after how long.
    let mut happens: Vec<Happening> = Vec::new();
    for number in 1..=20u64 {
        let (at, from, to) = (unit(1.0, 60.0), unit(0.0, robots as f64) as usize, unit(0.0, robots as f64) as usize);
        happens.push((at, from, None));
        if to != from {
            happens.push((at + unit(0.001, 0.5), to, Some((number, from))));
        }
    }
    happens.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The order in which the signals were given counts.
    let (mut files, mut errors) = (Vec::new(), Vec::new());
    let mut given = vec![0u64; robots];
    let mut numbers: Vec<(usize, u64, f64)> = Vec::new();
    for (at, robot, got) in &happens {
        if got.is_none() {
            given[*robot] += 1;
            numbers.push((*robot, given[*robot], *at));
        }
    }
    for robot in 0..robots {
        let (began, drift, error) = (unit(-5.0, 0.5), unit(-1e-4, 1e-4), unit(0.0, 0.02));
        let mut run = Run::new(&format!("r{robot}"));
        let own = |truth: f64| ((truth - began) * (1.0 + drift) * 1e9) as i64;
        // What it knows of the time is off, within what it states, and learned anew now and then.
        let mut samples: Vec<f64> = (0..6).map(|_| unit(0.7, 60.0)).collect();
        samples.push(0.6);
        samples.sort_by(f64::total_cmp);
        let mut mine: Vec<(f64, String)> = Vec::new();
        for at in samples {
            let (fleet, rate) = (((at + unit(-error, error)) * 1e9) as i64, 1.0 / (1.0 + drift));
            let (own, error) = (own(at), (error * 1e9) as i64);
            mine.push((
                at,
                format!(r#""kind":"show","what":"clock","at":{own},"fleet":{fleet},"rate":{rate:?},"error":{error}"#),
            ));
        }
        for (number, at) in numbers.iter().filter(|(of, ..)| *of == robot).map(|(_, number, at)| (number, at)) {
            mine.push((*at, format!(r#""kind":"show","what":"given","number":{number},"cue":"c","to":[]"#)));
        }
        for (at, _, got) in happens.iter().filter(|(_, of, got)| *of == robot && got.is_some()) {
            let (_, from) = got.unwrap();
            // Any signal that this robot has given before.
            let before = numbers.iter().filter(|(of, _, given)| *of == from && given < at).count() as u64;
            if before > 0 {
                let got = format!(
                    r#""kind":"show","what":"got","number":{before},"cue":"c","from":"r{from}","process":"r{from}-1""#
                );
                mine.push((*at, got));
            }
        }
        mine.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (at, line) in mine {
            run.add(own(at), 0, &line);
        }
        files.push(file(&format!("r{robot}"), run.ends()));
        errors.push((error * 1e9) as i64);
    }
    (files, errors)
}

#[test]
fn with_any_clocks_the_order_respects_causes_and_no_clock_is_blamed_that_states_its_error() {
    for seed in 0..100 {
        let (files, _) = random_show(seed);
        let (merged, text) = merged(&files, None);
        assert!(merged.parts.iter().all(|part| part.faults.is_empty()), "seed {seed}: {:?}", merged.parts);
        let recording = Recording::read(text.as_bytes()).unwrap();
        assert!(recording.events.is_sorted_by_key(|event| event.t), "seed {seed}");
        let mut signals = 0;
        for event in &recording.events {
            let Kind::Show(told) = &event.kind else { continue };
            let ShowEvent::Got { number, from, .. } = &**told else { continue };
            let cause = recording.cause(event).unwrap_or_else(|| panic!("seed {seed}: {event:?} has no earlier cause"));
            assert_eq!(recording.paths.robot(cause.path), Some(from), "seed {seed}");
            assert!(
                matches!(&cause.kind, Kind::Show(given) if matches!(&**given, ShowEvent::Given { number: n, .. } if n == number))
            );
            signals += 1;
        }
        assert!(signals > 0, "seed {seed}");
        // Each robot's own events keep their order.
        for robot in &recording.header.as_ref().unwrap().show.as_ref().unwrap().robots {
            let of =
                |event: &&boxstep_trace::Event| recording.paths.robot(event.path).is_some_and(|of| **of == *robot.name);
            let count = recording.events.iter().filter(of).count();
            assert!(count > 7, "seed {seed}");
        }
        assert_eq!(self::merged(&files, None).1, text, "seed {seed}");
    }
}
