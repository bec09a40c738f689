//! Measures how well processes on this computer, whose clocks differ, start together and stay in step: `cargo run --release
//! -p boxstep-fleet --features zenoh --example start_together [PROCESSES] [SECONDS]`.
//!
//! The wall clock of the computer, which all of them share, is the truth; no process uses it but for this measurement.

use boxstep_fleet::leader::Leader;
use boxstep_fleet::member::{Member, STEP};
use boxstep_fleet::message::{MemberInfo, Message};
use boxstep_fleet::network::{Network as _, PeerId, Received};
use boxstep_fleet::pairing::PairingCode;
use boxstep_fleet::show::Lost;
use boxstep_fleet::simulation::ModelShow;
use boxstep_fleet::store::MemoryStore;
use boxstep_fleet::zenoh::{Options, ZenohNetwork};
use boxstep_types::Time;
use std::error::Error;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant, SystemTime};

/// How often positions are compared, in nanoseconds of the truth.
const SAMPLE: i64 = 250_000_000;

/// Nanoseconds of the truth.
fn truth() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// A clock that is off, and runs too fast or too slow.
#[derive(Clone, Copy)]
struct Skewed {
    zero: i64,
    offset: i64,
    drift: f64,
}

impl Skewed {
    fn at(&self, truth: i64) -> Time {
        let passed = truth - self.zero;
        Time(passed + self.offset + (passed as f64 * self.drift * 1e-6) as i64)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [code, zero, index, processes, seconds] = args.as_slice() {
        return member(&code.parse()?, zero.parse()?, index.parse()?, processes.parse()?, seconds.parse()?);
    }
    let processes = args.first().map_or(Ok(8), |text| text.parse())?;
    let seconds = args.get(1).map_or(Ok(30.0), |text| text.parse())?;
    lead(processes, seconds)
}

fn lead(processes: usize, seconds: f64) -> Result<(), Box<dyn Error>> {
    let (code, zero) = (PairingCode::create()?, truth());
    let model = ModelShow::new(processes, &[seconds], Lost::GoOn);
    let start = |index: usize| {
        let mut command = Command::new(std::env::current_exe()?);
        command.args([code.reveal(), zero.to_string(), index.to_string(), processes.to_string(), seconds.to_string()]);
        command.stdout(Stdio::piped()).spawn()
    };
    let members = (0..processes).map(start).collect::<Result<Vec<_>, _>>()?;
    let (network, received) = ZenohNetwork::open(&Options::default(), &code)?;
    let clock = Skewed { zero, offset: 0, drift: 0.0 };
    let mut leader = Leader::new(model.show, model.files, network.peer().0, 60.0, clock.at(truth()));
    while !leader.is_finished(clock.at(truth())) {
        pump(&received, |from, message| {
            leader.receive(clock.at(truth()), from, message);
            leader.take_messages().iter().for_each(|(to, message)| network.send(*to, &message.encode()));
        });
        leader.tick(clock.at(truth()));
        leader.take_messages().iter().for_each(|(to, message)| network.send(*to, &message.encode()));
    }
    let began = leader.scene().map_or(0, |start| start.at.0);
    let (mut starts, mut off, mut clocks) = (Vec::new(), Vec::new(), Vec::new());
    for mut member in members {
        let mut said = String::new();
        member.stdout.take().map(|mut out| out.read_to_string(&mut said)).transpose()?;
        member.wait()?;
        for line in said.lines() {
            let numbers: Vec<i64> = line.split(' ').skip(1).map(str::parse).collect::<Result<_, _>>()?;
            match (line.split(' ').next(), numbers.as_slice()) {
                (Some("start"), [at]) => starts.push((at - zero - began) as f64 / 1e6),
                (Some("off"), [off_by]) => off.push((*off_by as f64 / 1e6).abs()),
                (Some("clock"), [error]) => clocks.push((*error as f64 / 1e6).abs()),
                _ => {}
            }
        }
    }
    let spread = starts.iter().copied().fold(f64::MIN, f64::max) - starts.iter().copied().fold(f64::MAX, f64::min);
    println!("{processes} processes, clocks off by up to ±5 s and ±100 millionths, a scene of {seconds} s:");
    println!("starts spread over {spread:.2} ms ({} of {processes} started)", starts.len());
    println!("positions off: {}", summary(off));
    println!("clocks off: {}", summary(clocks));
    Ok(())
}

fn summary(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let at =
        |part: f64| values.get((values.len() as f64 * part) as usize).or(values.last()).copied().unwrap_or_default();
    format!("median {:.3} ms, p99 {:.3} ms, at most {:.3} ms, of {}", at(0.5), at(0.99), at(1.0), values.len())
}

/// Handles what comes within a step.
fn pump(received: &Receiver<Received>, mut handle: impl FnMut(PeerId, Message)) {
    let until = Instant::now() + STEP;
    while let Ok(Received { from, bytes }) = received.recv_timeout(until.saturating_duration_since(Instant::now())) {
        if let Ok(message) = Message::decode(&bytes) {
            handle(from, message);
        }
    }
}

fn member(code: &PairingCode, zero: i64, index: usize, processes: usize, seconds: f64) -> Result<(), Box<dyn Error>> {
    let part = index as f64 / processes.max(2) as f64 - 0.5;
    let clock = Skewed { zero, offset: (part * 10e9) as i64, drift: part * 200.0 };
    let model = ModelShow::new(processes, &[seconds], Lost::GoOn);
    let (network, received) = ZenohNetwork::open(&Options::default(), code)?;
    let info = MemberInfo { name: format!("robot{index}"), body: "nao".to_owned(), ..MemberInfo::default() };
    let now = || clock.at(truth());
    let mut member = Member::new(network.peer(), info, model.player(index), MemoryStore::default(), now());
    let (mut started, mut sampled, mut idle) = (None, 0, Instant::now());
    // It ends once the show is over, or never came.
    while idle.elapsed() < Duration::from_secs(if started.is_some() { 1 } else { 60 }) {
        pump(&received, |from, message| {
            member.receive(now(), from, message);
            member.take_messages().iter().for_each(|(to, message)| network.send(*to, &message.encode()));
        });
        member.tick(now());
        member.take_messages().iter().for_each(|(to, message)| network.send(*to, &message.encode()));
        let Some((_, since)) = member.playing() else { continue };
        idle = Instant::now();
        let (truth, run) = (truth(), member.run_clock());
        let local = clock.at(truth);
        let (Some(estimate), true) = (member.estimate(), run.at(local) >= since) else { continue };
        // The start is where the run's clock came to it, by the speed of now: it lies at most a step back.
        let played = run.at(local).0 - since.0;
        if started.is_none() {
            started = Some(truth - (played as f64 / run.rate() / (1.0 + clock.drift * 1e-6)) as i64);
            println!("start {}", started.unwrap_or_default());
        }
        if truth - sampled >= SAMPLE {
            sampled = truth;
            println!("off {}", played - (truth - started.unwrap_or(truth)));
            println!("clock {}", estimate.fleet_time(local).0 - (truth - zero));
        }
    }
    Ok(())
}
