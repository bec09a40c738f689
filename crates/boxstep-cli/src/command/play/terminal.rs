//! The console output of a run: what is about to be played, what happens, and how it ended.

use crate::console::{Console, Detail, Outlet, how_it_ended};
use crate::failure::{Failure, system_message};
use crate::open::Chosen;
use crate::playable::Playable;
use crate::remote::Remote;
use crate::run::{Account, Attachment, StartedRun};
use crate::run_setup::RunSetup;
use crate::{open, output, single_box};
use anstyle::{AnsiColor, Style};
use boxstep_engine::Wait;
use boxstep_engine::trace::{Footer, Sink};
use boxstep_record::Replay;
use boxstep_types::{printable, printable_line};
use std::io::Write as _;
use std::path::Path;

pub(super) const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default();

/// What is printed before a run begins.
pub(super) struct Announced<'a> {
    pub(super) setup: &'a RunSetup<'a>,
    /// The path as the user named it.
    pub(super) file: &'a Path,
    /// The robot's name in messages, unless it is the simulated one of this process.
    pub(super) robot: Option<&'a str>,
    /// Files are reloaded when they change.
    pub(super) watched: bool,
    /// The run that is replayed.
    pub(super) replay: Option<&'a Replay>,
}

/// The console output of a run that plays a behavior or character.
pub(super) struct Terminal<'a> {
    announced: Announced<'a>,
    quiet: bool,
    account: Account,
}

impl<'a> Terminal<'a> {
    /// Starts the console. If `prints_events` is false, it prints no events.
    pub(super) fn new(
        announced: Announced<'a>,
        detail: Detail,
        prints_events: bool,
        remote: Remote,
    ) -> Result<Self, Failure> {
        let (playable, spec) = (announced.setup.playable(), announced.setup.spec());
        let mut account = Account::new(spec.virtual_time, remote)?;
        if prints_events {
            let paths = playable.boxes().map(|path| path.to_string());
            account = account.with_console(|outlet| {
                let console = Console::new(detail, outlet, playable.folders_of_archives(), paths);
                if spec.joints.is_some() { console } else { console.without_joints() }
            });
        }
        Ok(Self { announced, quiet: detail == Detail::Quiet, account })
    }

    pub(super) fn outlet(&self) -> Outlet {
        self.account.outlet()
    }
}

impl Attachment for Terminal<'_> {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        self.account.sinks()
    }

    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        if self.quiet {
            return Ok(());
        }
        let Announced { setup, replay, .. } = self.announced;
        let (outlet, playable) = (self.outlet(), setup.playable());
        outlet.send(self.announced.text());
        let mut warnings: Vec<String> =
            playable.unnamed_curves(setup.body).map(|note| printable(&note).to_string()).into_iter().collect();
        if let Some(e) = &started.untranslated {
            let why = e.diagnostic().message;
            warnings.push(printable(&format!("texts stay as they are: {why}")).to_string());
        }
        if let Some(replay) = replay.filter(|replay| !same_files(&replay.header.files, playable)) {
            let files: Vec<&str> = replay.header.files.iter().map(|(name, _)| &**name).collect();
            let text = format!("the trace is of other files ({}): another run may come of it", files.join(", "));
            warnings.push(printable_line(&text).to_string());
        }
        for text in warnings {
            outlet.send(format!("{YELLOW}{text}{YELLOW:#}\n"));
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Failure> {
        self.account.write().map_err(|error| {
            let (why, kind) = (system_message(&error), self.announced.setup.playable().kind());
            Failure::Run(format!("cannot write to standard output ({why}); the {kind} was stopped"))
        })
    }
}

/// Returns whether a trace was made of these files.
fn same_files(files: &[(String, String)], playable: Playable<'_>) -> bool {
    let (mut was, mut is) = (files.to_vec(), playable.files().unwrap_or_default());
    was.sort();
    is.sort();
    was == is
}

impl Announced<'_> {
    /// Returns the lines that say what is about to be played.
    fn text(&self) -> String {
        let Self { setup, robot, .. } = self;
        let (playable, body) = (setup.playable(), format!("{} ({})", setup.body, setup.reason));
        let file = open::shown(self.file).display().to_string();
        let file = printable_line(&file);
        let mut text = format!("{BOLD}{}{BOLD:#} from {file}\n", printable_line(&playable.title()));
        if playable.all().len() > 1 {
            let all = playable.all().join(", ");
            text.push_str(&format!("{DIM}behaviors: {} (choose with --behavior){DIM:#}\n", printable_line(&all)));
        }
        let clock = if setup.spec().virtual_time { "virtual time" } else { "real time" };
        match robot {
            Some(robot) => text.push_str(&format!("{DIM}robot: {}; {clock}{DIM:#}\n", printable_line(robot))),
            None => text.push_str(&format!("{DIM}body: {}; {clock}{DIM:#}\n", printable_line(&body))),
        }
        if self.watched {
            let what = match playable {
                Playable::Behavior(_) => "scripts",
                Playable::Character(_) => "files",
            };
            text.push_str(&format!("{DIM}{what} that change are taken while it plays{DIM:#}\n"));
        }
        for line in single_box::notes_on_single_box(playable) {
            text.push_str(&format!("{YELLOW}{}{YELLOW:#}\n", printable_line(&line)));
        }
        for line in playable.behaviors().into_iter().flat_map(Chosen::left_out) {
            text.push_str(&format!("{YELLOW}{line}{YELLOW:#}\n"));
        }
        match playable.findings() {
            0 => {}
            1 => text.push_str(&format!("{YELLOW}the file has a finding: see boxstep check {file}{YELLOW:#}\n")),
            n => text.push_str(&format!("{YELLOW}the files have {n} findings: see boxstep check {file}{YELLOW:#}\n")),
        }
        text
    }
}

/// Prints the last lines: problems, then how long the run took.
pub(super) fn print_end(
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
        writeln!(out, "{YELLOW}{}{YELLOW:#}", printable_line(line))?;
    }
    for line in back {
        writeln!(out, "{DIM}{}{DIM:#}", printable_line(line))?;
    }
    writeln!(out, "{BOLD}{played}{BOLD:#}")?;
    out.flush()?;
    Ok(())
}
