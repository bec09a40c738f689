//! The `boxstep` command line, without an interpreter.
//!
//! [`main`] does everything but run Python: whoever can gives it a [`Host`]. [`needs_python`] says
//! beforehand whether that is wanted, so that the binary can hand over to the right interpreter.

mod account;
mod args;
mod body;
mod command;
mod exit;
mod failure;
mod files;
mod grammar;
mod open;
mod output;
mod progress;
mod remote;
mod scenario;
mod settings;
mod stage;
mod walk;

use args::{Cli, Command, Qi, Scripts};
use boxstep_engine::Engine;
use boxstep_engine::shared::Host;
use boxstep_test::{Given, Suite};
use boxstep_types::Time;
use clap::Parser as _;
use failure::Failure;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the arguments say about Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonWish {
    /// `--python`
    pub python: Option<PathBuf>,
    /// The one that the project's `boxstep.toml` names, a name on `PATH`; the user's `BOXSTEP_PYTHON` comes first.
    pub project_python: Option<String>,
    /// `--seed`: also `PYTHONHASHSEED`, which must be set before Python starts.
    pub seed: u64,
    /// `--epoch`: what the virtual clock says at the start, seconds since 1970.
    pub epoch: i64,
    /// `--virtual-time`
    pub virtual_time: bool,
    /// `--network`: scripts may use it in virtual time.
    pub network: bool,
    /// `--patience`: how long a script may compute while nothing else can happen, by the wall clock.
    pub patience: Duration,
    /// `--language`, or the project's.
    pub language: Option<String>,
    /// `--qi installed`, or the project's `qi = "installed"`: scripts get that package and not Boxstep's.
    pub installed_qi: bool,
}

impl PythonWish {
    /// `None` for a `boxstep.toml` that cannot be used, which is refused without any Python.
    fn new(
        python: Option<PathBuf>,
        given: &Given,
        file: &Path,
        virtual_time: bool,
        patience: Duration,
        qi: Option<Qi>,
    ) -> Option<Self> {
        let config = &settings::Settings::of(file).ok()?.config;
        Some(Self {
            python,
            project_python: config.python.clone(),
            seed: given.seed.unwrap_or_default(),
            epoch: stage::epoch(given),
            virtual_time,
            network: given.network == Some(true),
            patience,
            language: given.language.clone().or_else(|| config.language.clone()),
            installed_qi: qi.map_or(config.installed_qi, |qi| qi == Qi::Installed),
        })
    }
}

/// Whether these arguments (the first is the program's name) need Python, and which.
///
/// `None` also for arguments that [`main`] will refuse.
pub fn needs_python(args: impl IntoIterator<Item = OsString>) -> Option<PythonWish> {
    match Cli::try_parse_from(args).ok()?.command {
        Command::Play(play) if play.scripts == Scripts::Native && play.refused().is_none() => {
            let given = scenario::of_play(&play).ok()?.given;
            let patience = play.patience.since(Time::ZERO);
            PythonWish::new(play.python, &given, &play.file, play.virtual_time, patience, play.qi)
        }
        Command::TestOne(test) if test.scripts.how == Scripts::Native => {
            let suite = Suite::open(&test.file).ok()?;
            let given = &suite.tests.get(test.index)?.given;
            let file = suite.behavior().ok()?.0;
            let patience = test.scripts.patience.since(Time::ZERO);
            PythonWish::new(test.scripts.python, given, &file, true, patience, None)
        }
        _ => None,
    }
}

/// Runs a command (the first argument is the program's name) and gives its exit code.
///
/// Codes: 0 fine, 1 findings, 2 bad usage or file, 3 not ended, 4 failed, 5 unsupported call met,
/// 130 interrupted; see `docs/exit-codes.md`.
pub fn main(args: impl IntoIterator<Item = OsString>, host: Option<&dyn Host<Engine>>) -> i32 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        // Help and version are "errors" too; their code is 0. A broken pipe has no listener.
        Err(e) => {
            let _ = e.print();
            return e.exit_code();
        }
    };
    // A run winds down when it is interrupted; nothing else has anything to wind down.
    let watching = match cli.command {
        Command::Play(_) => Ok(None),
        _ => remote::end_at_signal().map(Some),
    };
    let done = watching.map_err(|e| Failure::Run(format!("signals cannot be heard: {}", failure::plain(&e))));
    let done = done.and_then(|_watching| match cli.command {
        Command::Play(args) => command::play::run(&args, host),
        Command::Check(args) => command::check::run(&args),
        Command::Completions(args) => command::completions::run(&args),
        Command::Diff(args) => command::diff::run(&args),
        Command::Man(args) => command::man::run(&args),
        Command::Plot(args) => command::plot::run(&args),
        Command::Show(args) => command::show::run(&args),
        Command::Convert(args) => command::convert::run(&args),
        Command::Fmt(args) => command::fmt::run(&args),
        Command::New(args) => command::new::run(&args),
        Command::Test(args) => command::test::run(&args),
        Command::TestOne(args) => command::test::one(&args, host),
        Command::Pack(args) => command::pack::run(&args),
        Command::Unpack(args) => command::unpack::run(&args),
    });
    match done {
        Ok(code) => code,
        Err(failure) => {
            failure.tell();
            failure.code()
        }
    }
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
            wish("run x --virtual --seed 7 --python /p --epoch 5 --network --language French --patience 2").unwrap();
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
                installed_qi: false
            }
        );
        assert_eq!(wish("play x").unwrap().patience, Duration::from_secs(30));
        assert_eq!(wish("play x").unwrap().epoch, 1_577_836_800);
        assert!(wish("play x --qi installed").unwrap().installed_qi);
        assert!(!wish("play x --qi own").unwrap().installed_qi);
        for none in [
            "show x",
            "check x",
            "play x --scripts off",
            "play x --scripts process",
            "play",
            "play x --help",
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
}
