//! The account of a run on the terminal: what is about to be played, what happens, how it ended.

use super::attachment::{Attachment, Run};
use crate::args::PlayArgs;
use crate::console::{Console, Detail, Outlet, Writer, how_it_ended};
use crate::failure::{Failure, plain};
use crate::open::Chosen;
use crate::playable::Playable;
use crate::remote::Remote;
use crate::{output, single_box};
use anstyle::{AnsiColor, Style};
use boxstep_engine::Wait;
use boxstep_engine::config::Control;
use boxstep_engine::trace::{Footer, Sink};
use boxstep_types::{printable, printable_line};
use std::io::Write as _;

pub(super) const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default();

/// The account, and the thread that writes it.
pub(super) struct Terminal {
    outlet: Outlet,
    writer: Option<Writer>,
    console: Option<Console>,
    /// What plays: a behavior or a character.
    kind: &'static str,
}

impl Terminal {
    /// A run is told of unless its trace is kept to be compared. When nobody reads any more, the run is stopped.
    pub(super) fn new(args: &PlayArgs, piece: Playable<'_>, remote: &Remote) -> Result<Self, Failure> {
        let broken = remote.clone();
        let stop = move || broken.send(Control::Stop);
        let (outlet, writer) = Outlet::start(crate::terminal::stdout_of_thread(), args.spec.virtual_time, stop)?;
        let paths = piece.boxes().map(|path| path.to_string());
        let console = Console::new(detail(args), outlet.clone(), piece.folders_of_archives(), paths);
        let console = if args.spec.joints.is_some() { console } else { console.without_joints() };
        let console = args.recordings.kept.is_none().then_some(console);
        Ok(Self { outlet, writer: Some(writer), console, kind: piece.kind() })
    }

    pub(super) fn outlet(&self) -> Outlet {
        self.outlet.clone()
    }
}

impl Attachment for Terminal {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        self.console.take().into_iter().map(|console| Box::new(console) as Box<dyn Sink>).collect()
    }

    fn attach(&mut self, run: &Run<'_>) -> Result<(), Failure> {
        if run.args.quiet {
            return Ok(());
        }
        let piece = run.piece();
        let body = format!("{} ({})", run.setup.body, run.setup.reason);
        self.outlet.send(announcement(run.args, piece, &body, run.robot));
        let mut warnings: Vec<String> =
            piece.unnamed_curves(run.setup.body).map(|told| printable(&told).to_string()).into_iter().collect();
        if let Some(e) = &run.untranslated {
            let why = e.diagnostic().message;
            warnings.push(printable(&format!("texts stay as they are: {why}")).to_string());
        }
        if let Some(replay) = run.scenario.replay.as_ref().filter(|r| !same_files(&r.header.files, piece)) {
            let files: Vec<&str> = replay.header.files.iter().map(|(name, _)| &**name).collect();
            let text = format!("the trace is of other files ({}): another run may come of it", files.join(", "));
            warnings.push(printable_line(&text).to_string());
        }
        for text in warnings {
            self.outlet.send(format!("{YELLOW}{text}{YELLOW:#}\n"));
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        writer.finish().or_else(output::unless_closed).map_err(|error| {
            let why = plain(&error);
            Failure::Run(format!("cannot write to standard output ({why}); the {} was stopped", self.kind))
        })
    }
}

fn detail(args: &PlayArgs) -> Detail {
    match (args.quiet, args.verbose) {
        (true, _) => Detail::Quiet,
        (_, true) => Detail::Verbose,
        _ => Detail::Normal,
    }
}

/// Is a trace of these files?
fn same_files(files: &[(String, String)], piece: Playable<'_>) -> bool {
    let (mut was, mut is) = (files.to_vec(), piece.files().unwrap_or_default());
    was.sort();
    is.sort();
    was == is
}

/// What is about to be played.
fn announcement(args: &PlayArgs, piece: Playable<'_>, body: &str, robot: Option<&str>) -> String {
    let file = args.file.display().to_string();
    let file = printable_line(&file);
    let mut text = format!("{BOLD}{}{BOLD:#} from {file}\n", printable_line(&piece.title()));
    if piece.all().len() > 1 {
        let all = piece.all().join(", ");
        text.push_str(&format!("{DIM}behaviors: {} (choose with --behavior){DIM:#}\n", printable_line(&all)));
    }
    let clock = if args.spec.virtual_time { "virtual time" } else { "real time" };
    match robot {
        Some(robot) => text.push_str(&format!("{DIM}robot: {}; {clock}{DIM:#}\n", printable_line(robot))),
        None => text.push_str(&format!("{DIM}body: {}; {clock}{DIM:#}\n", printable_line(body))),
    }
    if args.watch {
        let what = match piece {
            Playable::Behavior(_) => "scripts",
            Playable::Character(_) => "files",
        };
        text.push_str(&format!("{DIM}{what} that change are taken while it plays{DIM:#}\n"));
    }
    for line in single_box::not_as_usual(piece) {
        text.push_str(&format!("{YELLOW}{}{YELLOW:#}\n", printable_line(&line)));
    }
    for line in piece.behaviors().into_iter().flat_map(Chosen::left_out) {
        text.push_str(&format!("{YELLOW}{line}{YELLOW:#}\n"));
    }
    match piece.findings() {
        0 => {}
        1 => text.push_str(&format!("{YELLOW}the file has a finding: see boxstep check {file}{YELLOW:#}\n")),
        n => text.push_str(&format!("{YELLOW}the files have {n} findings: see boxstep check {file}{YELLOW:#}\n")),
    }
    text
}

/// The last lines: what was not as it should be, then how long it took.
pub(super) fn tell_end(
    footer: &Footer,
    (awaited, waits): (&[String], &[Wait]),
    unsettled: &[String],
    back: &[String],
    played: &str,
) -> Result<(), Failure> {
    let mut out = output::stdout();
    for line in how_it_ended(footer, awaited, waits) {
        writeln!(out, "{YELLOW}{}{YELLOW:#}", printable_line(&line))?;
    }
    for line in unsettled {
        writeln!(out, "{YELLOW}{}: the robot may still move{YELLOW:#}", printable_line(line))?;
    }
    for line in back {
        writeln!(out, "{DIM}{}{DIM:#}", printable_line(line))?;
    }
    writeln!(out, "{BOLD}{played}{BOLD:#}")?;
    out.flush()?;
    Ok(())
}
