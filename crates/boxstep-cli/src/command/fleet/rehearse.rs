//! `boxstep fleet rehearse`: a show with simulated robots, in virtual time, over a network of the engine's own.

use super::{merged, report};
use crate::args::{Cli, Command, Loss, PlayArgs, RehearseArgs, TraceBuffer};
use crate::command::play;
use crate::failure::Failure;
use crate::fleet::{Bundle, EnginePlayer, Launch, RunClock};
use crate::{Program, exit, output};
use boxstep_edit::templates;
use boxstep_fleet::digest::Digest;
use boxstep_fleet::leader::Files as _;
use boxstep_fleet::show::Show;
use boxstep_fleet::simulation::{Link, MemoryFiles, Simulation};
use boxstep_fleet::store::{FolderStore, Store as _};
use boxstep_record::show::STAGE;
use clap::Parser as _;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// How much time passes between two looks at the fleet, in seconds.
const LOOK: f64 = 0.1;
/// How long a show may take, if nothing else is said: a day.
const LONGEST: f64 = 86_400.0;

/// The traces of a robot, one for each time that its process was started.
type Traces = Arc<Mutex<Vec<TraceBuffer>>>;

/// Rehearses a show and prints its account.
pub(crate) fn run(args: &RehearseArgs, program: &Program) -> Result<i32, Failure> {
    let bundle = Bundle::open(&args.show)?;
    let show = bundle.show.clone();
    let losses = losses(args, &show)?;
    if let Some(folder) = &args.record {
        report::may_record(folder, &show)?;
    }
    let folder = tempfile::tempdir()?;
    let files = files(&bundle, folder.path())?;
    let traces: Vec<Traces> = show.robots.iter().map(|_| Traces::default()).collect();
    let launches = (0..show.robots.len())
        .map(|robot| launch(args, program, &show, robot, folder.path(), traces[robot].clone()))
        .collect::<Result<Vec<_>, _>>()?;
    let links = if args.wifi { wifi(show.robots.len()) } else { Vec::new() };
    let (store, sounds) = (FolderStore::open(&folder.path().join("files"), "rehearsal")?, folder.path().join("sounds"));
    let player = move |robot: usize| {
        let store = store.clone();
        EnginePlayer::new(launches[robot].clone(), RunClock::Virtual, move |of| store.path(of), sounds.clone())
    };
    let mut fleet = Simulation::new(&show, files, &links, args.seed, player);
    let deviations = perform(&mut fleet, args, losses)?;
    for robot in 0..show.robots.len() {
        if let Some(member) = fleet.member(robot) {
            member.player().join();
        }
    }
    let Some(leader) = fleet.leader() else { return Ok(exit::FAILED) };
    if let Some(folder) = &args.record {
        write_traces(folder, &show, &traces, leader.account())?;
    }
    if let Some(why) = report::failure(leader.phase()) {
        return Err(Failure::Run(why));
    }
    let mut out = output::stdout();
    writeln!(out, "{}", in_step(deviations))?;
    out.flush()?;
    Ok(exit::OK)
}

/// Lets the performance pass and prints what happens. Returns by how much robots were off, in seconds.
fn perform(
    fleet: &mut Simulation<EnginePlayer>,
    args: &RehearseArgs,
    mut losses: Vec<(f64, usize, bool)>,
) -> Result<Vec<f64>, Failure> {
    let limit = args.limit.map_or(LONGEST, |limit| limit.as_secs_f64());
    let (mut deviations, mut told) = (Vec::new(), 0);
    let mut began = None;
    while !fleet.is_finished() {
        fleet.run_for(LOOK);
        let Some(leader) = fleet.leader() else { break };
        let mut out = output::stdout();
        for entry in &leader.account()[told..] {
            writeln!(out, "{}", report::line(leader.show(), entry))?;
        }
        out.flush()?;
        told = leader.account().len();
        let robots = leader.robots().len();
        if leader.scene().is_some() {
            began.get_or_insert(fleet.seconds());
        }
        let passed = began.map_or(0.0, |began| fleet.seconds() - began);
        while let Some((_, robot, on)) = losses.pop_if(|(at, ..)| *at <= passed) {
            if on { fleet.start(robot) } else { fleet.kill(robot) }
        }
        deviations.extend((0..robots).filter_map(|robot| fleet.deviation(robot)).map(f64::abs));
        if passed > limit {
            break;
        }
    }
    Ok(deviations)
}

fn in_step(mut deviations: Vec<f64>) -> String {
    deviations.sort_by(f64::total_cmp);
    let at = |part: f64| deviations.get((deviations.len() as f64 * part) as usize).or(deviations.last());
    match (at(0.99), deviations.last()) {
        (Some(p99), Some(most)) => {
            format!("in step within {:.1} ms in 99 % of the time, {:.1} ms at most", p99 * 1e3, most * 1e3)
        }
        _ => "no robot has played".to_owned(),
    }
}

/// Returns when computers are switched off (false) and on, the latest first.
fn losses(args: &RehearseArgs, show: &Show) -> Result<Vec<(f64, usize, bool)>, Failure> {
    let mut losses = Vec::new();
    for Loss { robot, from, to } in &args.lose {
        let index = show.robot(robot);
        let index = index.ok_or_else(|| Failure::Usage(format!("--lose: the show has no robot called {robot}")))?;
        losses.push((*from, index, false));
        losses.extend(to.map(|to| (to, index, true)));
    }
    losses.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    Ok(losses)
}

/// Reads the files of a show into memory, from where the simulated leader hands them out, and into the folder where
/// players find them.
fn files(bundle: &Bundle, folder: &Path) -> Result<MemoryFiles, Failure> {
    let mut store = FolderStore::open(&folder.join("files"), "rehearsal")?;
    let mut files = BTreeMap::new();
    for package in &bundle.show.packages {
        let most = usize::try_from(package.size).unwrap_or(usize::MAX);
        let bytes = bundle.read(package.digest, 0, most).unwrap_or_default();
        if Digest::of(&bytes) != package.digest {
            return Err(Failure::Run(format!("{} has changed meanwhile", package.name)));
        }
        store.append(package.digest, &bytes)?;
        store.complete(package.digest)?;
        files.insert(package.digest, bytes);
    }
    Ok(MemoryFiles(Rc::new(files)))
}

/// Returns what plays the part of a robot.
fn launch(
    args: &RehearseArgs,
    program: &Program,
    show: &Show,
    robot: usize,
    folder: &Path,
    traces: Traces,
) -> Result<Launch, Failure> {
    let stage = folder.join(format!("{STAGE}.xar"));
    fs::write(&stage, templates::BEHAVIOR)?;
    let body = show.robots[robot].body.clone().unwrap_or_else(|| "nao".to_owned());
    let scripts = if args.no_scripts { "off" } else { "process" };
    let seed = args.seed.wrapping_add(robot as u64).to_string();
    let mut line: Vec<OsString> =
        ["boxstep", "play", "--quiet", "--virtual-time", "--scripts", scripts].map(Into::into).into();
    line.extend(["--seed", &seed, "--body", &body].map(OsString::from));
    if let Some(python) = &args.python {
        line.extend(["--python".into(), python.into()]);
    }
    line.extend(["--".into(), stage.into()]);
    let play = Cli::try_parse_from(line).map_err(|e| Failure::Usage(e.to_string()))?;
    let Command::Play(play) = play.command else { return Err(Failure::Usage("not a play".to_owned())) };
    let program = program.clone();
    Ok(Arc::new(move |link| {
        let trace = TraceBuffer::default();
        traces.lock().unwrap_or_else(PoisonError::into_inner).push(trace.clone());
        let mut args: PlayArgs = (*play).clone();
        args.recordings.kept = Some(trace);
        play::run_part(&args, &program, link)
    }))
}

/// The links of a bad Wi-Fi.
fn wifi(robots: usize) -> Vec<Link> {
    let drift = |robot: usize| [100.0, -100.0, 40.0, -60.0][robot % 4];
    let link = |robot| Link { up: (0.0005, 0.02), down: (0.0005, 0.06), loss: 0.05, drift: drift(robot) };
    std::iter::once(Link { drift: -50.0, ..Link::default() }).chain((0..robots).map(link)).collect()
}

fn write_traces(
    folder: &Path,
    show: &Show,
    traces: &[Traces],
    account: &[boxstep_fleet::leader::Entry],
) -> Result<(), Failure> {
    report::clear(folder)?;
    for (name, traces) in report::file_names(show).iter().zip(traces) {
        let traces = traces.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, trace) in (1..).zip(traces.iter()) {
            let path = report::trace_file(folder, name, number);
            fs::write(&path, trace.text()).map_err(|e| Failure::io(&path, &e))?;
        }
    }
    report::write_account(folder, show, account)?;
    merged::write(folder)
}
