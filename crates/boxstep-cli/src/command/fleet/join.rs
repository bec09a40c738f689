//! `boxstep fleet join`: offers a robot to the shows of the fleet.

use crate::args::{Cli, Command, JoinArgs, PlayArgs};
use crate::command::play;
use crate::failure::Failure;
use crate::fleet::{EnginePlayer, Launch, PERSON, Peer, RealRunClock, RunClock};
use crate::{Program, computer, exit, flight, output, remote};
use boxstep_edit::templates;
use boxstep_fleet::member::{Member, STEP};
use boxstep_fleet::message::{MemberInfo, MemberState, Message, Status};
use boxstep_fleet::player::Player as _;
use boxstep_fleet::store::FolderStore;
use boxstep_record::show::STAGE;
use boxstep_types::printable_line;
use clap::Parser as _;
use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How often the last state is told before the process ends.
const FAREWELLS: u32 = 3;
/// How long files of shows are kept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// How long a robot has to stop before the process ends.
const WIND_DOWN: Duration = Duration::from_secs(5);

/// Takes part in shows until a signal comes.
pub(crate) fn run(args: &JoinArgs, program: &Program) -> Result<i32, Failure> {
    let name = args.name.clone().unwrap_or_else(computer::name);
    if name.is_empty() || name.len() > 100 || name.chars().any(char::is_control) {
        return Err(Failure::Usage("a robot needs a name of 1 to 100 characters".to_owned()));
    }
    let state =
        flight::state().ok_or_else(|| Failure::Run("this system has no place for files of programs".to_owned()))?;
    let folder = state.join("fleet");
    let store = FolderStore::open(&folder, &name).map_err(|e| Failure::io(&folder, &e))?;
    store.prune(KEPT);
    let stage = tempfile::tempdir()?;
    let launch = launch(args, program, &name, stage.path())?;
    let noted = remote::note_signals(1).map_err(|e| Failure::Run(format!("signals cannot be handled: {e}")))?;
    let peer = Peer::open(&args.network)?;
    let clock = Arc::new(RealRunClock::new());
    let (find, sounds) = (store.clone(), store.sounds());
    let player = EnginePlayer::new(launch, RunClock::Real(clock.clone()), move |of| find.path(of), sounds);
    let robot = args.robot.clone().unwrap_or_else(|| "simulated".to_owned());
    let info = MemberInfo {
        name: name.clone(),
        body: args.body.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        robot,
    };
    let mut out = output::stdout();
    writeln!(out, "{} takes part in the shows of the fleet; Ctrl-C ends it", printable_line(&name))?;
    out.flush()?;
    drop(out);
    let mut member = Member::new(peer.id(), info, player, store, clock.local());
    let mut told = None;
    while !noted.is_set() {
        step(&mut member, &peer, &clock, |_| true);
        tell(&member.status(clock.local()), &mut told);
    }
    // The run itself has got the signal, too: it stops the robot.
    member.stop(PERSON);
    let (mut farewells, until) = (0, Instant::now() + WIND_DOWN);
    while farewells < FAREWELLS || member.player().records().is_some() && Instant::now() < until {
        // No other show takes this robot now.
        step(&mut member, &peer, &clock, |message| !matches!(message, Message::Performance(_)));
        farewells += 1;
    }
    Ok(exit::INTERRUPTED)
}

/// Lets a member hear the messages of a moment that are for it, and answer.
fn step(
    member: &mut Member<EnginePlayer, FolderStore>,
    peer: &Peer,
    clock: &RealRunClock,
    hears: impl Fn(&Message) -> bool,
) {
    let until = Instant::now() + STEP;
    while let Some((from, message)) = peer.next(until) {
        if hears(&message) {
            member.receive(clock.local(), from, message);
        }
        clock.set(member.run_clock());
        peer.send_all(member.take_messages());
    }
    member.tick(clock.local());
    clock.set(member.run_clock());
    peer.send_all(member.take_messages());
}

/// Prints the state when it is new.
fn tell(status: &Status, told: &mut Option<MemberState>) {
    let state = match &status.state {
        // Its progress changes all the time.
        MemberState::Fetching { .. } => MemberState::Fetching { have: 0, of: 0 },
        state => state.clone(),
    };
    if told.as_ref() == Some(&state) {
        return;
    }
    let is_first = told.replace(state).is_none();
    if !is_first {
        // A closed standard output is ignored: the robot plays on.
        let mut out = output::stdout();
        let _ = writeln!(out, "{}", printable_line(&super::report::state(status))).and_then(|()| out.flush());
    }
}

/// Returns what plays the robot's part in a show.
fn launch(args: &JoinArgs, program: &Program, name: &str, folder: &Path) -> Result<Launch, Failure> {
    let stage = folder.join(format!("{STAGE}.xar"));
    fs::write(&stage, templates::BEHAVIOR)?;
    let scripts = if args.no_scripts { "off" } else { "process" };
    let mut line: Vec<OsString> =
        ["boxstep", "play", "--scripts", scripts, "--body", &args.body].map(Into::into).into();
    if let Some(robot) = &args.robot {
        line.extend(["--robot".into(), robot.into()]);
    }
    if let Some(view) = &args.view {
        line.push(format!("--view={view}").into());
    }
    if let Some(python) = &args.python {
        line.extend(["--python".into(), python.into()]);
    }
    line.extend(["--".into(), stage.into()]);
    let play = Cli::try_parse_from(line).map_err(|e| Failure::Usage(e.to_string()))?;
    let Command::Play(mut play) = play.command else { return Err(Failure::Usage("not a play".to_owned())) };
    (play.access, play.leave) = (args.access.clone(), args.leave);
    if let Some(folder) = &args.trace {
        fs::create_dir_all(folder).map_err(|e| Failure::io(folder, &e))?;
    }
    let (program, traces, runs) = (program.clone(), args.trace.clone(), AtomicU32::new(0));
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    Ok(Arc::new(move |link| {
        let mut args: PlayArgs = (*play).clone();
        args.recordings.files.trace = traces.as_ref().map(|folder| {
            // A trace of before, also of another process, is kept.
            let file = |run: u32| folder.join(format!("{name}-{run}.jsonl"));
            let mut run = runs.fetch_add(1, Ordering::Relaxed) + 1;
            while file(run).exists() {
                run = runs.fetch_add(1, Ordering::Relaxed) + 1;
            }
            file(run)
        });
        play::run_part(&args, &program, link)
    }))
}
