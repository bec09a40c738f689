//! Whole runs of the program, from the start of the process.

use crate::report::{Figure, count, is_test, median, short};
use boxstep_bodies::BodyKind;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Instant;

const ROUNDS: usize = 21;

/// The program, without the user's settings.
pub(crate) fn boxstep() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boxstep"));
    command.env_remove("BOXSTEP_ROBOT").env_remove("BOXSTEP_PYTHON");
    command
}

pub(crate) struct Python {
    /// The interpreter itself: what is found on PATH may be a script that looks for one.
    pub(crate) program: String,
    pub(crate) version: String,
}

fn found_python() -> Option<&'static Python> {
    static PYTHON: OnceLock<Option<Python>> = OnceLock::new();
    let found = PYTHON.get_or_init(|| {
        let asked = std::env::var_os("BOXSTEP_PYTHON").unwrap_or_else(|| "python3".into());
        let ask = "import platform, sys; print(sys.executable); print(platform.python_version())";
        let output = Command::new(asked).args(["-c", ask]).output().ok()?;
        let said = String::from_utf8(output.stdout).unwrap();
        let mut lines = said.lines().map(str::to_owned);
        Some(Python { program: lines.next()?, version: lines.next()? })
    });
    found.as_ref()
}

/// There is a Python to measure scripts with.
pub(crate) fn has_python() -> bool {
    found_python().is_some()
}

/// The interpreter that all is measured with.
pub(crate) fn python() -> &'static Python {
    found_python().unwrap()
}

/// A file of our own, below the build's folder.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("performance");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn ms(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// From the start of the process until it says a line with this text; then it is ended.
fn until(command: &mut Command, text: &str) -> f64 {
    let began = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let seen = lines.any(|line| line.unwrap().contains(text));
    let took = ms(began);
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(seen, "nobody said {text:?}: {}", String::from_utf8_lossy(&output.stderr));
    took
}

const PORTS: &str = r#"<Input name="onStart" type="1" type_size="1" nature="2" inner="0" id="2"/><Input name="onStop" type="1" type_size="1" nature="3" inner="0" id="3"/><Output name="onStopped" type="1" type_size="1" nature="1" inner="0" id="4"/>"#;

fn project(inside: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><ChoregrapheProject xar_version="3"><Box name="root" id="-1">{PORTS}{inside}</Box></ChoregrapheProject>"#
    )
}

/// A box that says a line as soon as it runs.
fn speaker() -> PathBuf {
    let script = "class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        print('the first event')\n";
    file(
        "speaker.xar",
        &project(&format!(
            r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram><Box name="Speaker" id="1"><script language="4"><content><![CDATA[{script}]]></content></script>{PORTS}</Box><Link outputowner="0" indexofoutput="2" inputowner="1" indexofinput="2"/></Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#
        )),
    )
}

pub(crate) fn without_scripts() -> Vec<Figure> {
    let speaker = speaker();
    let start = || until(boxstep().arg("play").arg(&speaker).args(["--scripts", "off", "--verbose"]), "Speaker");
    start();
    let rounds = (0..count(ROUNDS)).map(|_| start()).collect();
    let note = "process to the first event of a box, caches warm".to_owned();
    vec![Figure { name: "start without scripts", unit: "ms", rounds, bar: 50.0, note }]
}

pub(crate) fn with_scripts() -> Vec<Figure> {
    let speaker = speaker();
    let python = python();
    let start = || until(boxstep().arg("play").arg(&speaker).arg("--python").arg(&python.program), "the first event");
    let bare = || {
        let began = Instant::now();
        assert!(Command::new(&python.program).args(["-c", "pass"]).status().unwrap().success());
        ms(began)
    };
    start();
    bare();
    let pairs: Vec<(f64, f64)> = (0..count(ROUNDS)).map(|_| (start(), bare())).collect();
    let (ours, pass): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let note = format!(
        "process to the first line of a script, {} ms, above `python3 -c pass`, {} ms; Python {}",
        short(median(&ours)),
        short(median(&pass)),
        python.version
    );
    let rounds = pairs.iter().map(|(ours, pass)| ours - pass).collect();
    vec![Figure { name: "start with scripts", unit: "ms", rounds, bar: 200.0, note }]
}

/// The same in a process of their own.
pub(crate) fn with_helper() -> Vec<Figure> {
    let speaker = speaker();
    let python = python();
    let start = || {
        let mut command = boxstep();
        command.arg("play").arg(&speaker).args(["--scripts", "process", "--python", &python.program]);
        until(&mut command, "the first event")
    };
    start();
    let rounds = (0..count(ROUNDS)).map(|_| start()).collect();
    let note = format!("process to the first line of a script, --scripts process; Python {}", python.version);
    vec![Figure { name: "start with a helper process", unit: "ms", rounds, bar: 300.0, note }]
}

/// Two boxes that start each other so many times; each call asks the engine so many things.
fn ping_pong(turns: u32, asks: u32) -> PathBuf {
    let script = format!(
        "class MyClass(GeneratedClass):\n    def onLoad(self):\n        self.n = 0\n    def onInput_onStart(self):\n        \
         for i in range({asks}):\n            self.getParameter('p')\n        self.n += 1\n        \
         if self.n < {turns}:\n            self.onStopped()\n"
    );
    let of_box = |id: u8| {
        format!(
            r#"<Box name="b{id}" id="{id}"><script language="4"><content><![CDATA[{script}]]></content></script>{PORTS}<Parameter name="p" inherits_from_parent="0" content_type="1" value="1" default_value="1" min="0" max="9" tooltip="" id="5"/></Box>"#
        )
    };
    let links = [(0, 2, 1, 2), (1, 4, 2, 2), (2, 4, 1, 2)].map(|(from, output, to, input)| {
        format!(r#"<Link outputowner="{from}" indexofoutput="{output}" inputowner="{to}" indexofinput="{input}"/>"#)
    });
    let inside = of_box(1) + &of_box(2) + &links.concat();
    file(
        &format!("ping-{turns}-{asks}.xar"),
        &project(&format!(
            r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{inside}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#
        )),
    )
}

/// The difference of two runs: what does not grow with the number of calls drops out.
pub(crate) fn helper_calls() -> Vec<Figure> {
    const ASKS: u32 = 20;
    let turns = if is_test() { 20 } else { 2_000 };
    let python = python();
    let play = |behavior: &Path, host: &str| {
        let mut command = boxstep();
        command.arg("play").arg(behavior).args([
            "--virtual-time",
            "-q",
            "--scripts",
            host,
            "--python",
            &python.program,
        ]);
        let began = Instant::now();
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        ms(began) * 1e3
    };
    let [none, bare, asking] = [ping_pong(1, 0), ping_pong(turns, 0), ping_pong(turns, ASKS)];
    let calls = f64::from(2 * turns);
    let round = |host: &str| {
        let [none, bare, asking] = [&none, &bare, &asking].map(|file| play(file, host));
        ((bare - none) / calls, (asking - bare) / (calls * f64::from(ASKS)))
    };
    let (hops, asks): (Vec<f64>, Vec<f64>) = (0..count(7)).map(|_| round("process")).unzip();
    let native: Vec<(f64, f64)> = (0..count(7)).map(|_| round("native")).collect();
    let (native_hops, native_asks): (Vec<f64>, Vec<f64>) = native.into_iter().unzip();
    let note = |what: &str, native: &[f64]| {
        format!(
            "{what}, on the clock, virtual time; native host {} µs; Python {}",
            short(median(native)),
            python.version
        )
    };
    vec![
        Figure {
            name: "helper process: call",
            unit: "µs",
            rounds: hops,
            bar: 250.0,
            note: note("an output and the call it leads to", &native_hops),
        },
        Figure {
            name: "helper process: question",
            unit: "µs",
            rounds: asks,
            bar: 100.0,
            note: note("getParameter", &native_asks),
        },
    ]
}

/// 26 joints for ten minutes, a key each 0.6 s, and a diagram of its own with two boxes each half minute.
fn long() -> PathBuf {
    const FPS: u32 = 25;
    const FRAMES: u32 = 600 * FPS;
    let mut inside = format!(
        r#"<Timeline enable="1" fps="{FPS}" start_frame="1" end_frame="{FRAMES}" size="{FRAMES}"><ActuatorList model="nao">"#
    );
    for joint in BodyKind::Nao.body().joints.iter().map(|joint| joint.name) {
        let hand = joint.ends_with("Hand");
        let _ = write!(
            inside,
            r#"<ActuatorCurve name="value" actuator="{joint}" recordable="1" mute="0" unit="{}">"#,
            u8::from(hand)
        );
        for (i, frame) in (15..=FRAMES).step_by(15).enumerate() {
            let value = if hand { (i % 2) as f64 } else { (i * 7 % 20) as f64 };
            let _ = write!(inside, r#"<Key frame="{frame}" value="{value}"/>"#);
        }
        inside.push_str("</ActuatorCurve>");
    }
    inside.push_str(r#"</ActuatorList><BehaviorLayer name="scenes">"#);
    for (i, frame) in (1..FRAMES).step_by(30 * FPS as usize).enumerate() {
        let _ = write!(
            inside,
            r#"<BehaviorKeyframe name="scene{i}" index="{frame}"><Diagram><Box name="A" id="1">{PORTS}</Box><Box name="B" id="2">{PORTS}</Box><Link outputowner="0" indexofoutput="2" inputowner="1" indexofinput="2"/><Link outputowner="1" indexofoutput="4" inputowner="2" indexofinput="2"/></Diagram></BehaviorKeyframe>"#
        );
    }
    inside.push_str("</BehaviorLayer></Timeline>");
    file("long.xar", &project(&inside))
}

pub(crate) fn ten_minutes() -> Vec<Figure> {
    let long = long();
    let play = || {
        let began = Instant::now();
        let output = boxstep().arg("play").arg(&long).args(["--virtual-time", "--scripts", "off"]).output().unwrap();
        let took = ms(began);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && said.contains("10 min"),
            "{said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        took
    };
    play();
    let rounds = (0..count(ROUNDS)).map(|_| play()).collect();
    let note = "whole process: 26 curves, 26,000 keys, 20 diagrams".to_owned();
    vec![Figure { name: "10-minute behavior", unit: "ms", rounds, bar: 100.0, note }]
}

/// A file as most are: three boxes, 10 kB, most of it tooltips and scripts.
fn usual() -> PathBuf {
    let line = "        self.logger.info('a line of a script as they are written, with a few words in it')\n";
    let script = format!("class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n{}", line.repeat(34));
    let boxes: String = (1..=3)
        .map(|id| {
            format!(
                r#"<Box name="Box {id}" id="{id}" tooltip="" x="{id}" y="68"><script language="4"><content><![CDATA[{script}]]></content></script>{PORTS}</Box>"#
            )
        })
        .collect();
    file(
        "usual.xar",
        &project(&format!(
            r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{boxes}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#
        )),
    )
}

pub(crate) fn conversion() -> Vec<Figure> {
    let from = usual();
    let size = std::fs::metadata(&from).unwrap().len();
    assert!((9_000..12_000).contains(&size), "{size}");
    let to = from.with_extension("crg");
    let convert = || {
        let began = Instant::now();
        assert!(boxstep().arg("convert").args([&from, &to]).arg("--force").output().unwrap().status.success());
        ms(began)
    };
    convert();
    let rounds = (0..count(ROUNDS)).map(|_| convert()).collect();
    let note = "whole process: a .xar of 10 kB and three boxes to a .crg".to_owned();
    vec![Figure { name: "conversion", unit: "ms", rounds, bar: 50.0, note }]
}
