//! `boxstep play character.yaml`

use super::{BOLD, DIM, config, create_trace_as, detail, host_of, tell_end};
use crate::account::{Account, Outlet, played};
use crate::args::PlayArgs;
use crate::character::{self, Cast, Files};
use crate::failure::{Failure, plain};
use crate::remote::{Remote, watch};
use crate::settings::Settings;
use crate::stage::{Played, configured};
use crate::{Program, body, exit, output, scenario};
use boxstep_engine::Engine;
use boxstep_engine::config::Control;
use boxstep_engine::services::Services;
use boxstep_engine::shared::{Host, Shared};
use boxstep_engine::trace::Sink;
use boxstep_record::Normal;
use boxstep_robot::{ScriptedRobot, SimOptions, SimRobot};
use boxstep_runner::{Natives, NotPlayed};
use boxstep_test::Given;
use boxstep_types::Time;
use std::path::Path;
use std::time::Instant;

/// What `play` does for a behavior only.
fn refused(args: &PlayArgs) -> Result<(), Failure> {
    let not = [
        ("--replay", args.replay.is_some()),
        ("--resume", args.resume.is_some()),
        ("--snapshot-at", args.snapshot_at.is_some()),
        ("--stimulate", !args.stimulate.is_empty()),
        ("--serve", args.serve.is_some()),
        ("--watch", args.watch),
        ("--robot on the network", !args.robots()?.is_empty()),
    ];
    match not.iter().find(|(_, wanted)| *wanted) {
        Some((option, _)) => Err(Failure::Usage(format!("{option} is for behaviors, and this is a character"))),
        None => Ok(()),
    }
}

/// Plays a character until it ends, and says how that was.
pub(super) fn run(
    file: &Path,
    args: &PlayArgs,
    settings: &Settings,
    program: &Program,
    host: Option<&dyn Host<Engine>>,
) -> Result<i32, Failure> {
    refused(args)?;
    let cast = Cast::read(file, &character::set(args)?)?;
    // What is set of a character is not a box's parameter.
    let given = Given { set: Default::default(), ..scenario::of_play(args)?.given };
    let mut helper = None;
    let host = host_of(args.scripts, args, program, host, &mut helper)?;

    let asked = given.body.as_ref().map(|word| body::asked(&word.0)).transpose()?;
    let body = match asked {
        Some(body) => body,
        None => body::of_settings(settings)?.unwrap_or(SimOptions::default().body),
    };
    let language = given.language.clone().or_else(|| settings.config.language.clone());
    let language = language.unwrap_or_else(|| SimOptions::default().language);
    let folder = cast.folder()?;
    let mut files = Files::new(folder.clone(), &language, body);

    let normal = Normal::new().folder(&folder, "character").folder(&std::env::temp_dir(), "temp");
    let normal = match std::env::current_dir() {
        Ok(here) => normal.folder(&here, "cwd"),
        Err(_) => normal,
    };
    let (trace_sink, trace_file) = args.trace.as_deref().map(|path| create_trace_as(path, normal)).transpose()?.unzip();
    let (remote, commands) = Remote::new();
    let broken = remote.clone();
    let (outlet, writer) = Outlet::start(anstream::stdout(), args.virtual_time, move || broken.send(Control::Stop))?;
    let account = Account::new(detail(args), outlet.clone(), Normal::new(), std::iter::empty());
    let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
    sinks.extend(trace_sink.map(|sink| Box::new(sink) as Box<dyn Sink>));
    sinks.push(Box::new(account));

    let config = configured(config(args), &given);
    // All files are read before anything plays, so that the trace can name them.
    let mut opened = std::collections::HashMap::new();
    for name in cast.character.plays() {
        opened.entry(name.clone()).or_insert_with(|| files.open(name));
    }
    let mut all = vec![cast.file()];
    all.append(&mut files.read);
    let about =
        Played { kind: "character", name: &cast.character.name, files: all, language: &language, body, given: &given };
    let header = about.header(&config, args.scripts.name(), Vec::new());
    let robot = SimRobot::new(SimOptions {
        body,
        language: language.clone(),
        folder: Some(folder.clone()),
        name: body.to_string(),
    });
    let services: Box<dyn Services> = match args.own_robot() {
        Some(_) => Box::new(ScriptedRobot::new(robot)),
        None => Box::new(robot),
    };
    let stop_within = Time::ZERO + config.stop_within;
    let library = character::installed(&folder, &language, body);
    let mut engine = Engine::new(config, services, library, &header, sinks);
    let mut open = |name: &str| opened.get(name).cloned().unwrap_or_else(|| Err(format!("`{name}` was not read")));
    cast.character.perform(&mut engine, &mut open, &Natives::new(), stop_within).map_err(|why| match why {
        NotPlayed::Found(findings) => cast.wrong(&findings),
        NotPlayed::Refused(why) => Failure::Usage(why.to_string()),
    })?;
    given.apply(&mut engine).map_err(|refused| Failure::Usage(format!("--{}: {}", refused.what, refused.why)))?;
    if !args.quiet {
        let clock = if args.virtual_time { "virtual time" } else { "real time" };
        let (name, file) = (&cast.character.name, file.display());
        outlet.send(format!("{BOLD}{name}{BOLD:#} from {file}\n{DIM}body: {body}; {clock}{DIM:#}\n"));
    }

    let engine = Shared::of_run(engine);
    let cut_off = trace_file.clone();
    let watching = watch(engine.clone(), remote, commands, move || {
        if let Some(file) = cut_off {
            file.flush_now();
        }
    })?;
    let began = Instant::now();
    let driven = host.drive(&engine);
    let took = began.elapsed();
    drop(watching);
    let state = engine.lock();
    let footer = state.outcome().cloned();
    let awaited = state.awaited();
    drop(state);
    let written = writer.finish();
    if let Some(error) = trace_file.and_then(|file| file.take_error()) {
        let path = args.trace.clone().unwrap_or_default();
        return Err(Failure::Run(format!("the trace is not complete: {}: {}", path.display(), plain(&error))));
    }
    if let Err(error) = written.or_else(output::unless_closed) {
        return Err(Failure::Run(format!(
            "cannot write to standard output ({}); the character was stopped",
            plain(&error)
        )));
    }
    driven.map_err(|why| Failure::Usage(format!("the scripts cannot be run: {why}")))?;
    let footer = footer.ok_or_else(|| Failure::Run("the run was left before its end".to_owned()))?;
    tell_end(&footer, &awaited, &[], &[], &played(footer.t, took, args.virtual_time))?;
    Ok(exit::of_run(&footer, args.must_end))
}
