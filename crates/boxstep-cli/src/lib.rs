//! The `boxstep` command line, without a Python interpreter.
//!
//! [`main`] runs every command but brings no Python of its own: the caller passes a script [`Host`]. [`needs_python`]
//! says beforehand
//! whether a command line needs one, so that a [`Program`] can start the right interpreter first.

mod args;
mod body;
mod box_folders;
mod boxes;
mod browser;
mod character;
mod children;
mod command;
mod computer;
mod console;
mod editing;
mod examples;
mod exit;
mod failure;
mod files;
mod fleet;
mod flight;
mod gallery;
mod help;
mod helper;
mod html;
mod interrupt;
mod known_robots;
mod member;
mod near;
mod open;
mod outcomes;
mod output;
mod own_modules;
mod page_lines;
mod playable;
mod played;
mod plot_data;
mod process_group;
mod program;
mod progress;
pub mod python;
mod qi_listener;
mod reenacted;
mod remote;
mod requirements;
mod rescued;
mod robot_address;
mod robot_disk;
mod robot_facts;
mod robot_files;
mod robot_health;
mod robot_link;
mod robot_way;
mod robot_word;
mod run;
mod run_setup;
mod scenario;
pub mod session;
mod settings;
mod signals;
mod single_box;
mod ssh_access;
mod supervisor;
mod terminal;
mod texts;
mod topic_errors;
mod tree;
mod trial;
mod trust;
mod uploads;
mod value_parsers;
mod view;
mod walk;
mod watch;

use args::{Cli, Command, FleetArgs, FleetCommand, Qi, RunSpec, Scripts};
use boxstep_engine::Engine;
use boxstep_engine::shared::Host;
use boxstep_script::options::Options;
use boxstep_test::Suite;
use boxstep_types::printable_line;
use clap::Parser as _;
use clap::error::ErrorKind;
use failure::Failure;
pub use program::Program;
pub use remote::interrupt_until_the_end;
#[cfg(windows)]
pub use signals::leave_signals_to_child;
pub use signals::{end_early_at_signal, was_signalled};
use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a command line says about the Python that runs its scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonWish {
    /// `--python`.
    pub python: Option<PathBuf>,
    /// The Python that the project's `boxstep.toml` names, a name on `PATH`. The user's `BOXSTEP_PYTHON` takes
    /// precedence.
    pub project_python: Option<String>,
    /// `--seed`. It also sets `PYTHONHASHSEED`, which must be set before Python starts.
    pub seed: u64,
    /// `--epoch`: the time of the virtual clock at the start, in seconds since 1970.
    pub epoch: i64,
    /// `--virtual-time`.
    pub virtual_time: bool,
    /// `--network`: scripts may use the network in virtual time.
    pub network: bool,
    /// `--patience`: how long a script may compute while nothing else can happen, in wall-clock time.
    pub patience: Duration,
    /// `--language`, or else the language of the project.
    pub language: Option<String>,
    /// `--qi installed`, or the project's `qi = "installed"`: scripts import the installed `qi` package instead of
    /// Boxstep's.
    pub installed_qi: bool,
    /// `--as-written`: a program connects to the robots that it names.
    pub as_written: bool,
    /// The project's `dialect`: the Python version, 2 or 3, of scripts whose first line does not name one.
    pub dialect: u8,
    /// The arguments of a program, without its name.
    pub args: Vec<String>,
    /// `--robot FILE.py` as an absolute path, or an empty string.
    pub robot: String,
}

impl PythonWish {
    /// Returns `None` if the project's `boxstep.toml` cannot be used: that is an error for which no Python is needed.
    fn new(spec: &RunSpec, file: &Path) -> Option<Self> {
        let config = &settings::Settings::for_path(file).ok()?.config;
        Some(Self {
            python: spec.python.clone(),
            project_python: config.python.clone(),
            seed: spec.seed.unwrap_or_default(),
            epoch: spec.epoch(),
            virtual_time: spec.virtual_time,
            network: spec.network,
            patience: spec.patience(),
            language: spec.language.clone().or_else(|| config.language.clone()),
            installed_qi: spec.qi.map_or(config.installed_qi, |qi| qi == Qi::Installed),
            as_written: spec.as_written,
            dialect: config.dialect,
            args: spec.args.clone(),
            robot: String::new(),
        })
    }

    /// Returns the wish of a `play` command and how its scripts run. With `--replay` the trace may decide both. Returns
    /// `None` if there is no such file: that is an error for which no Python is needed.
    fn of_play(play: &args::PlayArgs) -> Option<(Scripts, Self)> {
        if !play.file.exists() && !open::is_stdin(&play.file) {
            return None;
        }
        let scenario = scenario::of_play(play).ok()?;
        let play = scenario.args;
        let wish = Self::new(&play.spec, &play.file)?;
        let robot = play.own_robot().and_then(|path| path.canonicalize().ok());
        let robot = robot.map_or_else(String::new, |path| path.to_string_lossy().into_owned());
        Some((play.spec.how(), Self { robot, ..wish }))
    }

    /// Returns the wish of `boxstep robot`: the behaviors that clients will send are not known yet.
    fn of_robot(robot: &args::RobotSimArgs) -> Self {
        Self {
            python: robot.python.clone(),
            project_python: None,
            seed: robot.seed,
            epoch: 0,
            virtual_time: false,
            network: true,
            patience: Duration::from_secs(30),
            language: Some(robot.language.clone()),
            installed_qi: false,
            as_written: false,
            dialect: 2,
            args: Vec::new(),
            robot: String::new(),
        }
    }

    fn of_test(test: &args::TestOneArgs) -> Option<Self> {
        let suite = Suite::open(&test.file).ok()?;
        let spec = test.spec_of(suite.tests.get(test.index)?).ok()?;
        Self::new(&spec, &suite.behavior().ok()?.0)
    }

    /// Returns the options that the Python runtime gets.
    pub fn options(&self) -> Options {
        Options {
            epoch: self.epoch,
            seed: self.seed,
            network: self.network,
            patience: self.patience,
            dialect: self.dialect,
            language: self.language.clone().unwrap_or_default(),
            installed_qi: self.installed_qi,
            as_written: self.as_written,
            args: self.args.clone(),
            robot: self.robot.clone(),
        }
    }
}

/// Returns which Python a command line needs in this process; its first argument is the program's name.
///
/// Returns `None` if it needs none, and for arguments that [`main`] refuses.
pub fn needs_python(args: impl IntoIterator<Item = OsString>) -> Option<PythonWish> {
    match Cli::try_parse_from(args).ok()?.command {
        Command::Play(play)
            if play.spec.how() == Scripts::Native && play.refused().is_none() && !play.is_supervisor() =>
        {
            let wish = PythonWish::of_play(&play)?;
            (wish.0 == Scripts::Native).then_some(wish.1)
        }
        Command::Robot(robot) if robot.runs_scripts() && robot.scripts == Scripts::Native => {
            Some(PythonWish::of_robot(&robot))
        }
        Command::Replay(replay) => {
            let wish = PythonWish::of_play(&replay.play().ok()?)?;
            (wish.0 == Scripts::Native).then_some(wish.1)
        }
        Command::TestOne(test) if test.spec.how() == Scripts::Native => PythonWish::of_test(&test),
        _ => None,
    }
}

/// Returns whether a command line starts a helper process whose run must be repeatable.
pub fn starts_helper_in_virtual_time(args: impl IntoIterator<Item = OsString>) -> bool {
    match Cli::try_parse_from(args).map(|cli| cli.command) {
        Ok(Command::Play(play)) => {
            PythonWish::of_play(&play).is_some_and(|(how, wish)| how == Scripts::Process && wish.virtual_time)
        }
        Ok(Command::Replay(replay)) => {
            let wish = replay.play().ok().and_then(|play| PythonWish::of_play(&play));
            wish.is_some_and(|(how, _)| how == Scripts::Process)
        }
        Ok(Command::TestOne(test)) => test.spec.how() == Scripts::Process,
        _ => false,
    }
}

/// Returns the names of the tests in a test file, in order.
///
/// # Errors
/// A readable description of what is wrong with the file.
pub fn names_of_tests(file: &Path) -> Result<Vec<String>, String> {
    match Suite::open(file) {
        Ok(suite) => Ok(suite.tests.into_iter().map(|test| test.name).collect()),
        Err(wrong) => {
            let text = scenario::failure(&wrong).to_string();
            Err(anstream::adapter::strip_str(&text).to_string().trim_end().to_owned())
        }
    }
}

/// Runs the command that the program's arguments name and returns the exit code.
///
/// Codes: 0 fine, 1 findings, 2 bad usage or file, 3 not ended, 4 failed, 5 unsupported call,
/// 130 interrupted; see `docs/reference/exit-codes.md`.
pub fn main(program: &Program, host: Option<&dyn Host<Engine>>) -> i32 {
    let mut args = program.args.clone();
    // A bare `boxstep` on a terminal opens the gallery of the current folder.
    if args.len() == 1 && std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        args.push("open".into());
    }
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        // clap reports help and version as errors too; their code is 0. A broken pipe is ignored.
        Err(e) => return refused(&args, &e),
    };
    // Commands that play something stop it before they exit, and those that change a robot put it back. All others may
    // exit at once.
    let watching = match cli.command {
        Command::Play(_) | Command::Replay(_) | Command::Robot(_) | Command::Open(_) => Ok(None),
        Command::Install(_) | Command::Pull(_) | Command::Rescue(_) => Ok(None),
        Command::Fleet(FleetArgs { command: FleetCommand::Join(_) | FleetCommand::Play(_) }) => Ok(None),
        _ => remote::end_at_signal().map(Some),
    };
    let ends = matches!(watching, Ok(Some(_)));
    let done =
        watching.map_err(|e| Failure::Run(format!("signals cannot be handled: {}", failure::system_message(&e))));
    let done = done.and_then(|_watching| match cli.command {
        Command::Play(args) => command::play::run(&args, program, host),
        Command::Ls(args) => command::behaviors::ls(&args),
        Command::Ps(args) => command::behaviors::ps(&args),
        Command::Start(args) => command::behaviors::start(&args),
        Command::Check(args) => command::check::run(&args, program),
        Command::Completions(args) => command::completions::run(&args),
        Command::Diff(args) => command::diff::run(&args),
        Command::Doctor(args) => command::doctor::run(&args, program),
        Command::Examples => command::examples::run(),
        Command::Man(args) => command::man::run(&args),
        Command::Fleet(args) => command::fleet::run(&args, program),
        Command::Plot(args) => command::plot::run(&args),
        Command::Qi(args) => command::qi::run(&args),
        Command::Replay(args) => command::replay::run(&args, program, host),
        Command::Robot(args) => command::robot::run(&args, program, host),
        Command::Robots(args) => command::robots::run(&args),
        Command::Send(args) => command::send::run(&args),
        Command::Show(args) => command::show::run(&args),
        Command::Stop(args) => command::stop::run(&args),
        Command::Open(args) => command::open::run(&args, program),
        Command::View(args) => command::view::run(&args),
        Command::Convert(args) => command::convert::run(&args),
        Command::Fmt(args) => command::fmt::run(&args),
        Command::Migrate(args) => command::migrate::run(&args, program),
        Command::Edit(args) => command::edit::run(&args),
        Command::Install(args) => command::install::install(&args, program),
        Command::Uninstall(args) => command::install::uninstall(&args),
        Command::Pull(args) => command::install::pull(&args),
        Command::Keep(args) => command::keep::run(&args),
        Command::Rescue(args) => command::rescue::run(&args, program),
        Command::Retarget(args) => command::retarget::run(&args),
        Command::New(args) => command::new::run(&args),
        Command::Test(args) => command::test::run(&args, program),
        Command::TestOne(args) => command::test::one(&args, program, host),
        Command::Pack(args) => command::pack::run(&args),
        Command::Unpack(args) => command::unpack::run(&args),
        Command::Talk(args) => command::talk::run(&args),
        Command::Why(args) => command::why::run(&args),
    });
    match done {
        _ if ends && signals::was_signalled() => {
            boxstep_format::output::clear();
            exit::INTERRUPTED
        }
        Ok(code) => code,
        Err(failure) => {
            failure.print();
            failure.code()
        }
    }
}

/// Prints clap's message for refused arguments, or the help or version that they request. Control characters are
/// removed from the arguments that the message quotes, so that it cannot affect the terminal.
fn refused(args: &[OsString], error: &clap::Error) -> i32 {
    if let Some(path) = args.get(1).map(Path::new).filter(|path| path.exists())
        && error.kind() == ErrorKind::InvalidSubcommand
    {
        let path = path.display();
        let failure = Failure::Usage(format!("`{path}` is not a command: `boxstep play {path}` plays it"));
        failure.print();
        return failure.code();
    }
    let shown: Vec<OsString> = args.iter().map(|arg| (*printable_line(&arg.to_string_lossy())).into()).collect();
    let shown = help::command_for(&shown).try_get_matches_from(shown).err();
    let text = shown.as_ref().unwrap_or(error).render();
    let _ = match error.use_stderr() {
        true => {
            let words = args.iter().skip(2).filter_map(|word| word.to_str());
            let advice = words.filter(|_| error.kind() == ErrorKind::UnknownArgument).find_map(robot_word::advice);
            let advice = advice.map(|advice| format!("\n{advice}\n")).unwrap_or_default();
            write!(terminal::stderr(), "{}{advice}", text.ansi())
        }
        false => write!(terminal::stdout(), "{}", text.ansi()),
    };
    error.exit_code()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(args: &str) -> Option<PythonWish> {
        needs_python(std::iter::once("boxstep").chain(args.split(' ')).map(OsString::from))
    }

    #[test]
    fn only_playing_scripts_needs_python() {
        let w =
            wish("run src --virtual --seed 7 --python /p --epoch 5 --network --language French --patience 2").unwrap();
        let python = Some(PathBuf::from("/p"));
        let language = Some("French".to_owned());
        let patience = Duration::from_secs(2);
        assert_eq!(
            w,
            PythonWish {
                python,
                project_python: None,
                seed: 7,
                epoch: 5,
                virtual_time: true,
                network: true,
                patience,
                language,
                installed_qi: false,
                as_written: false,
                dialect: 2,
                args: Vec::new(),
                robot: String::new(),
            }
        );
        assert!(wish("play -").is_some());
        assert_eq!(wish("play src").unwrap().patience, Duration::from_secs(30));
        assert_eq!(wish("play src").unwrap().epoch, 1_577_836_800);
        assert!(wish("play src --qi installed").unwrap().installed_qi);
        assert!(!wish("play src --qi own").unwrap().installed_qi);
        for none in [
            "show x",
            "check x",
            "play src --scripts off",
            "play src --scripts process",
            "play",
            "play no-such-file",
            "play src --help",
            "test x",
            "new x",
            "test-one no-such-file 0",
        ] {
            assert_eq!(wish(none), None, "{none}");
        }
    }

    #[test]
    fn the_table_of_options_is_sound() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
    }

    #[test]
    fn options_with_numbers_take_negative_ones_to_say_that_they_are_wrong() {
        use clap::CommandFactory as _;
        fn check(command: &clap::Command) -> usize {
            let is_number = |arg: &&clap::Arg| {
                let names = arg.get_value_names().unwrap_or_default();
                names.iter().any(|name| ["SECONDS", "NUMBER", "HZ", "TIME"].contains(&name.as_str()))
            };
            let numbers: Vec<&clap::Arg> = command.get_arguments().filter(is_number).collect();
            for arg in &numbers {
                assert!(arg.is_allow_negative_numbers_set(), "{} {}", command.get_name(), arg.get_id());
            }
            numbers.len() + command.get_subcommands().map(check).sum::<usize>()
        }
        assert!(check(&Cli::command()) > 12);
    }
}
