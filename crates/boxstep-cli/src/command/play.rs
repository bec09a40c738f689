//! `boxstep play`

mod flight_recording;
mod ready;
mod robot;
mod server;
mod terminal;
mod typed;
mod watched;

use crate::args::{PlayArgs, Scripts};
use crate::character::{self, LoadedCharacter};
use crate::command::check::interpreter::choose;
use crate::console::{Detail, Outlet, played};
use crate::editing::BehaviorEditor;
use crate::failure::Failure;
use crate::fleet::{PartLink, PlayedPart, Staged};
use crate::playable::{Playable, Read};
use crate::remote::Waiting;
use crate::run::{Attachment, Ended, NODE_HZ, NextRun, Page, Recordings, RosNode, Run, Shown, Signals};
use crate::run_setup::RunSetup;
use crate::scenario::{self, Scenario};
use crate::settings::Settings;
use crate::single_box::SingleBox;
use crate::texts::FolderTexts;
use crate::trial::TrialRuns;
use crate::view::{self, LivePage, PlayAlone, ServicesOfClients};
use crate::{Program, PythonWish, exit, helper, member, open, output, page_lines, supervisor, trust};
use boxstep_engine::Engine;
use boxstep_engine::config::Config;
use boxstep_engine::shared::{Host, NoScripts};
use boxstep_types::Time;
use boxstep_view::{Models, Texts};
use flight_recording::FlightRecording;
use ready::RobotGuard;
use robot::{PlayedOn, Robot};
use server::QiServer;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use terminal::{DIM, Terminal, print_end};
use typed::TypedSentences;
use watched::WatchedFiles;

/// Plays a behavior or a character to its end and prints how it ended.
pub(crate) fn run(asked: &PlayArgs, program: &Program, host: Option<&dyn Host<Engine>>) -> Result<i32, Failure> {
    if let Some(why) = asked.refused() {
        return Err(Failure::Usage(why));
    }
    if asked.is_supervisor() {
        return supervisor::supervise(asked, program);
    }
    let settings = Settings::for_path(&asked.file)?;
    let scenario = scenario::of_play(asked)?;
    let args = &scenario.args;
    // A replay is always in virtual time, so check again with its options.
    if let Some(why) = args.refused_together() {
        return Err(Failure::Usage(why));
    }
    let mut read = Read::open(asked, &scenario)?;
    let texts = args.page.edit.then(|| FolderTexts::of_run(&read)).flatten();
    let editor = editor(args, &read, &settings, program, texts.is_some())?;
    if let Some(editor) = &editor {
        editor.overlay(&mut read);
        // Nothing runs beside a robot: scripts could reach it.
        if args.robots()?.is_empty() && args.own_robot().is_none() && args.serve.is_none() {
            editor.offer(TrialRuns::new(args, program));
        }
    }
    trust::warn_once(args, read.playable());
    let mut helper = None;
    let host = host_of(args.spec.how(), asked, program, host, &mut helper)?;
    let mut next = None;
    loop {
        let play = Play {
            args,
            program,
            settings: &settings,
            scenario: &scenario,
            read: &read,
            editor: editor.as_ref(),
            texts: texts.clone(),
            part: None,
        };
        let over = match play.to_its_end(host, next.take())? {
            Finished::Over(code) => return Ok(code),
            Finished::Again(over) => over,
        };
        match read_again(asked, &scenario, over)? {
            Some((anew, over)) => {
                (read, next) = (anew, Some(over));
                if let Some(editor) = &editor {
                    editor.overlay(&mut read);
                }
            }
            None => return Ok(exit::FAILED),
        }
    }
}

/// Reads the files for the next run: they may have changed. If that fails, the page says why, and waits until one tries
/// again; `None` if a signal comes first.
fn read_again(asked: &PlayArgs, scenario: &Scenario, mut over: NextRun) -> Result<Option<(Read, NextRun)>, Failure> {
    loop {
        let why = match Read::open(asked, scenario) {
            Ok(read) => return Ok(Some((read, over))),
            Err(why) => why.to_string(),
        };
        // A closed standard error is ignored.
        let _ = writeln!(crate::terminal::stderr(), "{}", why.trim_end());
        // What is wrong and where; the terminal has the lines, too.
        let plain = anstream::adapter::strip_str(&why).to_string();
        let first: Vec<&str> = plain.lines().take(2).map(str::trim).collect();
        over.page.notify(&format!("it cannot be played again: {}", first.join(" ")));
        match over.page.wait_for_restart(Waiting::new()?) {
            Some(from) => over.from = from,
            None => return Ok(None),
        }
    }
}

/// Plays a robot's part in a show: an empty behavior, whose run the player of the link controls.
pub(crate) fn run_part(args: &PlayArgs, program: &Program, link: &Arc<PartLink>) -> Result<i32, Failure> {
    let settings = Settings::for_path(&args.file)?;
    let scenario = scenario::of_play(args)?;
    let read = Read::open(args, &scenario)?;
    let mut helper = None;
    let host = host_of(args.spec.how(), args, program, None, &mut helper)?;
    let play = Play {
        args: &scenario.args,
        program,
        settings: &settings,
        scenario: &scenario,
        read: &read,
        editor: None,
        texts: None,
        part: Some(link),
    };
    match play.to_its_end(host, None)? {
        Finished::Over(code) => Ok(code),
        // The page of a part cannot begin another run.
        Finished::Again(_) => Ok(exit::OK),
    }
}

/// How a run has finished.
enum Finished {
    /// With this exit code.
    Over(i32),
    /// A page wants another one.
    Again(NextRun),
}

/// Everything that `play` has read before the run.
struct Play<'a> {
    args: &'a PlayArgs,
    program: &'a Program,
    settings: &'a Settings,
    scenario: &'a Scenario,
    read: &'a Read,
    /// Changes the file of the behavior, if the page may.
    editor: Option<&'a Arc<BehaviorEditor>>,
    /// Changes the texts of what plays, if the page may.
    texts: Option<Arc<FolderTexts>>,
    /// The player, if this is a robot's part in a show.
    part: Option<&'a Arc<PartLink>>,
}

impl<'a> Play<'a> {
    fn playable(&self) -> Playable<'a> {
        self.read.playable()
    }

    /// Whether a page can begin another run. A real robot is made ready once; standard input and a trace on standard
    /// output are there once.
    fn restarts(&self, simulated: bool) -> bool {
        let once = open::is_stdin(&self.args.file) || self.args.recordings.kept.is_some() || self.args.talk;
        simulated && !once && self.args.member.is_none() && self.part.is_none()
    }

    fn to_its_end(&self, host: &dyn Host<Engine>, next: Option<NextRun>) -> Result<Finished, Failure> {
        let (args, scenario, playable) = (self.args, self.scenario, self.playable());
        // The input is watched from the first run on.
        let mut signals = Signals::new().and_input(args.ends_with_input && next.is_none());
        let remote = signals.remote();
        let mut robot = robot::connect(args, playable)?;
        let mut guard = robot.as_mut().map(|robot| self.guard(robot, &signals)).transpose()?;
        let simulated = robot.is_none();
        let models = next.as_ref().map(|next| next.page.models()).unwrap_or_default();
        let setup = self.setup(robot.as_ref(), models)?;
        let poses = args.node.ros2.map(|_| NODE_HZ).or(args.page.view.as_ref().map(|_| view::POSES));
        let mut config = Config { pose_hz: poses, ..args.spec.config() };
        if robot.is_some() {
            config.interrupt_within = robot::INTERRUPT_WITHIN;
        }
        let stop_within = Time::ZERO + config.stop_within;
        let on = PlayedOn::choose(robot, args, &setup)?;
        let shown = on.shown();

        // Recordings come first: whatever another attachment shows has been recorded before.
        let normal = playable.normal()?;
        let mut recordings = Recordings::new(&args.recordings.files, args.one_of_several(), &normal)?;
        if let Some(kept) = &args.recordings.kept {
            recordings.keep(kept, &normal);
        }
        let mut flight = on.real().map(|robot| FlightRecording::new(robot, args, playable)).transpose()?.flatten();
        let mut terminal = self.terminal(&setup, shown.as_deref(), &signals)?;
        let others = ServicesOfClients::default();
        let mut page = self.page(&setup, others.clone(), terminal.outlet(), simulated, next)?;
        let mut server = self.server(&setup, on.is_simulated(), others, terminal.outlet());
        let announced = (!args.quiet).then(|| terminal.outlet());
        let mut node = RosNode::new(&args.node, setup.body, on.real().map(|robot| robot.handle.clone()), announced)?;
        let mut typed = args.talk.then_some(TypedSentences);
        let mut part = self.part.zip(setup.uploads()).map(|(link, uploads)| PlayedPart {
            link: link.clone(),
            uploads: uploads.clone(),
            staged: Staged { language: setup.language().to_owned(), body: setup.body, stop_within },
            models: setup.models().cloned(),
            normal: normal.clone(),
        });
        let mut files = args.watch.then(|| WatchedFiles::new(self.read, &args.file, &setup));
        let attachments: Vec<&mut dyn Attachment> = vec![
            &mut signals,
            &mut guard,
            &mut recordings,
            &mut flight,
            &mut terminal,
            &mut server,
            &mut node,
            &mut page,
            &mut typed,
            &mut part,
            &mut files,
        ];
        let engine = |sinks| setup.engine_with(on.services(&setup)?, config, sinks, scenario.begin());
        let run = Run::start(engine, attachments)?;
        if args.member.is_some() {
            member::wait_for_start(&remote);
        }
        let ended = run.drive(host)?;
        self.report_end(ended, guard.as_ref(), page.map(Page::into_live))
    }

    fn guard(&self, robot: &mut Robot, signals: &Signals) -> Result<RobotGuard, Failure> {
        let (args, playable, settings, program) = (self.args, self.playable(), self.settings, self.program);
        let language = self.args.spec.language.as_deref();
        let ready = ready::prepare(robot, &ready::Plan { args, playable, settings, language, program })?;
        Ok(RobotGuard::new(ready, robot.handle.clone(), signals.remote()))
    }

    fn setup(&self, robot: Option<&Robot>, models: Models) -> Result<RunSetup<'a>, Failure> {
        let args = self.args;
        let mut setup = RunSetup::new(self.playable(), &args.spec, &self.scenario.given, self.settings)?;
        self.scenario.check_body(setup.body)?;
        if let Some(robot) = robot {
            setup = setup.on(&robot.shown, &robot.services);
        }
        if let Some(file) = args.own_robot() {
            setup = setup.played_by(file)?;
        }
        if args.serve.is_some() || self.part.is_some() {
            setup = setup.receiving();
        }
        if args.page.view.is_some() {
            setup = setup.drawn(models);
        }
        Ok(setup)
    }

    fn terminal<'s>(
        &self,
        setup: &'s RunSetup<'s>,
        robot: Option<&'s str>,
        signals: &Signals,
    ) -> Result<Terminal<'s>, Failure>
    where
        'a: 's,
    {
        let args = self.args;
        let prints_events = args.recordings.kept.is_none();
        let replay = self.scenario.replay.as_ref();
        let announced = terminal::Announced { setup, file: &args.file, robot, watched: args.watch, replay };
        Terminal::new(announced, Detail::from_flags(args.quiet, args.verbose), prints_events, signals.remote())
    }

    /// Creates the page, if `--view` is set.
    fn page<'s>(
        &self,
        setup: &'s RunSetup<'s>,
        others: ServicesOfClients,
        outlet: Outlet,
        simulated: bool,
        next: Option<NextRun>,
    ) -> Result<Option<Page<'s>>, Failure>
    where
        'a: 's,
    {
        let (wish, playable) = (&self.args.page, self.playable());
        let (Some(at), Some(models)) = (&wish.view, setup.models()) else { return Ok(None) };
        let (args, program) = (self.args, self.program);
        let alone = move |at| {
            let alone = SingleBox::new(args, playable, program, at)?;
            Ok(Box::new(move |behavior: &str, path: &str| alone.begin(behavior, path)) as PlayAlone)
        };
        let shown = Shown {
            at,
            token: wish.view_token.as_deref(),
            meshes: wish.meshes.as_deref(),
            paused: wish.paused,
            stays: self.part.is_none(),
            title: playable.title(),
            playable: Some(playable),
            models: models.clone(),
            body: setup.body,
            language: setup.language().to_owned(),
            simulated,
            alone: Box::new(alone),
            others,
            outlet,
            restarts: self.restarts(simulated),
            editor: self.editor.cloned(),
            texts: self.texts.clone().map(|texts| texts as Arc<dyn Texts>),
        };
        let normal = playable.normal()?;
        match next {
            Some(next) => Page::again(shown, normal, next).map(Some),
            None => Page::new(shown, normal).map(Some),
        }
    }

    /// Creates the server for qi clients, if `--serve` is set.
    fn server<'s>(
        &self,
        setup: &'s RunSetup<'s>,
        simulated: bool,
        others: ServicesOfClients,
        outlet: Outlet,
    ) -> Option<QiServer<'s>>
    where
        'a: 's,
    {
        let args = self.args;
        let (at, uploads) = (args.serve.as_deref()?, setup.uploads()?.clone());
        let announcements = (!args.quiet).then_some(outlet);
        Some(QiServer {
            at,
            accept: &args.accept,
            setup,
            uploads,
            simulated,
            others,
            announcements,
            serving: None,
            announcement: None,
        })
    }

    /// Prints how the run ended, and waits as long as its page stays.
    fn report_end(
        &self,
        ended: Ended,
        guard: Option<&RobotGuard>,
        page: Option<LivePage>,
    ) -> Result<Finished, Failure> {
        ended.driven.map_err(|why| Failure::Usage(format!("the scripts cannot be run: {why}")))?;
        let footer = ended.footer.ok_or_else(|| Failure::Run("the run was left before its end".to_owned()))?;
        let code = exit::of_run(&footer, self.args.must_end);
        if self.args.recordings.kept.is_some() {
            return Ok(Finished::Over(code));
        }
        let (unsettled, back) = guard.map(RobotGuard::report).unwrap_or_default();
        let played = played(footer.t, ended.took, self.args.spec.virtual_time);
        print_end(&footer, (&ended.waiting_for, &ended.waits), unsettled, back, &played)?;
        if self.args.ends_with_input {
            let line = page_lines::result(&footer).map_err(|e| Failure::Run(e.to_string()))?;
            writeln!(output::stdout(), "{line}")?;
        }
        if let (Some(stays), Some(page)) = (ended.stays, page) {
            if !page.wants_restart() {
                let mut out = output::stdout();
                writeln!(out, "{DIM}{}{DIM:#}", page_lines::STAYS)?;
                out.flush()?;
            }
            if let Some(from) = page.wait_for_restart(stays) {
                return Ok(Finished::Again(NextRun { page, from }));
            }
        }
        // The behavior may have succeeded while the robot was not restored.
        let sound = guard.is_none_or(RobotGuard::is_sound);
        Ok(Finished::Over(if code == exit::OK && !sound { exit::FAILED } else { code }))
    }
}

impl Read {
    /// Reads the behavior or character to play, and checks that it has what the inputs refer to.
    pub(crate) fn open(args: &PlayArgs, scenario: &Scenario) -> Result<Self, Failure> {
        if let Some(file) = args.character() {
            if scenario.args.spec.as_written {
                return Err(not_a_program(&file));
            }
            if scenario.args.spec.alone.is_some() {
                let why = "--box plays a box of a behavior, and this is a character: name the file of the behavior that has the box";
                return Err(Failure::Usage(why.to_owned()));
            }
            character::takes(&scenario.given)?;
            let loaded = LoadedCharacter::read(&file, &character::parameters(&scenario.given)?)?;
            if !args.quiet {
                // A closed standard error is ignored.
                let _ = write!(crate::terminal::stderr(), "{}", loaded.import_notes());
            }
            return Ok(Read::Character(Box::new(loaded)));
        }
        let chosen = open::behavior_or_box(
            &args.file,
            scenario.args.spec.behavior.as_deref(),
            scenario.args.spec.alone.as_ref(),
        )?;
        if args.talk && open::is_stdin(&args.file) {
            let why = "--talk reads what you type, and the behavior comes from standard input: name its file";
            return Err(Failure::Usage(why.to_owned()));
        }
        if args.watch && open::is_stdin(&args.file) {
            let why = "--watch reloads files that change, and standard input does not: name the file";
            return Err(Failure::Usage(why.to_owned()));
        }
        if args.watch && chosen.archive().is_some() {
            let file = args.file.display();
            return Err(Failure::Usage(format!("--watch does not look into archives: `boxstep unpack {file}` first")));
        }
        if scenario.args.spec.as_written && !chosen.is_program() {
            return Err(not_a_program(&args.file));
        }
        scenario.check_names(&chosen.file.project)?;
        Ok(Read::Behavior(Box::new(chosen)))
    }
}

/// Returns what changes the behavior, if its page may. The gallery asks for it without knowing whether the behavior can be
/// changed; of a dialog or a character it is the texts that change.
fn editor(
    args: &PlayArgs,
    read: &Read,
    settings: &Settings,
    program: &Program,
    has_texts: bool,
) -> Result<Option<Arc<BehaviorEditor>>, Failure> {
    if !args.page.edit {
        return Ok(None);
    }
    match BehaviorEditor::open(read, interpreter(args, settings, program), &args.page.boxes) {
        Err(Failure::Usage(_)) if args.ends_with_input || has_texts => Ok(None),
        opened => opened.map(Some),
    }
}

/// Returns the Python that parses scripts of a page that changes them, and the version of those that name none.
fn interpreter(args: &PlayArgs, settings: &Settings, program: &Program) -> (boxstep_check::Python, u8) {
    let config = &settings.config;
    (choose(args.spec.python.as_deref(), config.python.as_deref(), program), config.dialect)
}

fn not_a_program(file: &Path) -> Failure {
    Failure::Usage(format!("--as-written is for Python programs, and {} is none", file.display()))
}

/// Returns the host that runs the scripts. A helper process is kept in `helper`.
fn host_of<'a>(
    scripts: Scripts,
    asked: &PlayArgs,
    program: &Program,
    host: Option<&'a dyn Host<Engine>>,
    helper: &'a mut Option<Box<dyn Host<Engine>>>,
) -> Result<&'a dyn Host<Engine>, Failure> {
    match (scripts, host) {
        (Scripts::Off, _) => Ok(&NoScripts),
        (Scripts::Process, _) => {
            let started = helper::start(PythonWish::of_play(asked).map(|(_, wish)| wish), program)?;
            Ok(&**helper.insert(started))
        }
        (Scripts::Native, Some(host)) => Ok(host),
        (Scripts::Native, None) => Err(Failure::Usage(
            "box scripts need Python 3, and this program has none: leave scripts out with --scripts off".to_owned(),
        )),
    }
}
