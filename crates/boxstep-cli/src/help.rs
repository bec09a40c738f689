//! What the help shows of the commands, for people who are new: groups of commands, and with `-h` the options that
//! people use most.
//!
//! Commands, options and examples are declared in [`crate::args`]; this module only arranges them.

use crate::args::Cli;
use clap::builder::StyledStr;
use clap::{Command, CommandFactory as _};
use std::ffi::OsString;
use std::fmt::Write as _;

/// The groups of commands. Each command names its group as its `subcommand_help_heading`.
pub(crate) mod group {
    pub(crate) const PLAY: &str = "Play";
    pub(crate) const LOOK: &str = "Look";
    pub(crate) const CHANGE: &str = "Change";
    pub(crate) const TEST: &str = "Test";
    pub(crate) const ROBOTS: &str = "Robots";
    pub(crate) const CONVERT: &str = "Convert";
    pub(crate) const OTHER: &str = "Other";

    /// All groups, in the order of the help.
    pub(crate) const ALL: [&str; 7] = [PLAY, LOOK, CHANGE, TEST, ROBOTS, CONVERT, OTHER];
}

/// The options, by their long names, that `-h` shows of a command that has more than a few.
const MAIN: &[(&str, &[&str])] = &[
    ("play", &["view", "virtual-time", "event", "set", "for", "robot"]),
    ("show", &["output", "format", "box", "behavior", "stacks"]),
    ("plot", &["output", "joint", "box", "behavior", "body"]),
    ("view", &["behavior", "listen", "no-browser"]),
    ("migrate", &["write", "output", "check", "recursive", "format"]),
    ("edit", &["dry-run"]),
    ("retarget", &["to", "output", "from", "format"]),
    ("check", &["recursive", "notes", "deny", "statistics", "format", "explain"]),
    ("test", &["filter", "list", "bless", "junit", "quiet"]),
    ("replay", &["format", "output", "scripts", "python", "quiet"]),
    ("robots", &["robot", "within", "json"]),
    ("doctor", &["robot", "behavior", "wake", "life", "ssh", "json"]),
    ("stop", &["robot", "within", "json"]),
    ("keep", &["robot"]),
    ("install", &["robot", "replace", "default"]),
    ("uninstall", &["robot"]),
    ("pull", &["robot", "output", "force"]),
    ("rescue", &["robot", "from", "ssh", "report"]),
    ("ls", &["robot", "json"]),
    ("ps", &["robot", "json"]),
    ("start", &["robot", "wait"]),
    ("send", &["robot", "behavior", "no-start", "wait"]),
    ("robot", &["body", "listen", "view", "for", "scenario", "verbose"]),
];

/// The commands of a group, in the order of the help.
pub(crate) fn commands_of<'a>(cli: &'a Command, group: &'a str) -> impl Iterator<Item = &'a Command> {
    cli.get_subcommands().filter(move |c| !c.is_hide_set() && c.get_subcommand_help_heading() == Some(group))
}

/// Returns the command line with the help that the arguments ask for.
pub(crate) fn command_for(args: &[OsString]) -> Command {
    let before_files = args.iter().skip(1).take_while(|arg| *arg != "--");
    // Anything else, such as `-qh`, gets the long help, which has everything.
    let short = args.len() < 2 || before_files.into_iter().any(|arg| arg == "-h");
    let cli = Cli::command();
    let top = if short { short_top(&cli) } else { long_top(&cli) };
    cli.help_template(top).mut_subcommands(|command| {
        let command = if short { short_of(command) } else { command };
        // The heading of a command that has commands itself is for these.
        command.subcommand_help_heading("Commands")
    })
}

/// Returns the template of `boxstep --help`.
fn long_top(cli: &Command) -> StyledStr {
    let (header, literal) = (cli.get_styles().get_header(), cli.get_styles().get_literal());
    let width = cli.get_subcommands().map(|c| c.get_name().len()).max().unwrap_or_default();
    let mut text = format!("{{about}}\n\n  {}\n\n{{usage-heading}} {{usage}}\n\n", FIRST);
    for group in group::ALL {
        let _ = writeln!(text, "{header}{group}:{header:#}");
        for command in commands_of(cli, group) {
            let aliases: Vec<_> = command.get_visible_aliases().collect();
            let aliases = if aliases.is_empty() { String::new() } else { format!(" [alias: {}]", aliases.join(", ")) };
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {literal}{:width$}{literal:#}  {about}{aliases}", command.get_name());
        }
        text.push('\n');
    }
    let _ = write!(text, "{header}Options:{header:#}\n{{options}}\n\n{MORE}");
    text.into()
}

/// Returns the template of `boxstep -h`.
fn short_top(cli: &Command) -> StyledStr {
    let header = cli.get_styles().get_header();
    let width = group::ALL.iter().map(|group| group.len()).max().unwrap_or_default();
    let mut text = format!("{{about}}\n\n  {}\n\n", FIRST);
    for group in group::ALL {
        let names: Vec<&str> = commands_of(cli, group).map(Command::get_name).collect();
        // Many names take several lines, below each other.
        let margin = format!("\n{:1$}", "", width + 3);
        let lines: Vec<String> = names.chunks(NAMES).map(|names| names.join(", ")).collect();
        let names = lines.join(&format!(",{margin}"));
        let _ = writeln!(text, "{header}{group}:{header:#}{:1$}{names}", "", width - group.len() + 2);
    }
    let _ = write!(text, "\n`boxstep --help` says what each command does,\n{MORE}");
    text.into()
}

/// How many names of commands are in a line.
const NAMES: usize = 9;

/// The first thing to try.
const FIRST: &str = "boxstep play hello";

const MORE: &str = "`boxstep COMMAND -h` shows the main options of a command,\n`boxstep COMMAND --help` all of them, with more examples.";

/// Returns a command whose help is short: its main options without headings, and one example.
fn short_of(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let main = MAIN.iter().find(|(of, _)| *of == name).map(|(_, main)| *main);
    let is_main = |arg: &clap::Arg| {
        arg.is_positional() || main.is_none_or(|main| arg.get_long().is_some_and(|long| main.contains(&long)))
    };
    let order_of = |arg: &clap::Arg| main?.iter().position(|long| arg.get_long() == Some(*long));
    let example = first_example(&command).map(|line| format!("Example:\n  {line}\n\n")).unwrap_or_default();
    let note = format!("{example}`boxstep {name} --help` shows everything.");
    let command = command.mut_args(|arg| {
        let (hidden, order) = (arg.is_hide_set() || !is_main(&arg), order_of(&arg));
        let arg = match order {
            Some(order) => arg.display_order(order),
            None => arg,
        };
        brief(arg.hide(hidden).help_heading(None))
    });
    command.after_help(note).mut_subcommands(|inner| inner.mut_args(|arg| arg.help_heading(None)))
}

/// Shortens what the help says of an option, so that it fits one line: its first sentence, and one form of its value.
fn brief(arg: clap::Arg) -> clap::Arg {
    if arg.is_positional() {
        return arg;
    }
    // A robot has many forms, and the first of them is its name.
    let has_forms = arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.contains('|')));
    let arg = if has_forms { arg.value_name("NAME") } else { arg };
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let end = ["; ", ". ", "\n"].iter().filter_map(|end| help.find(end)).min();
    match end.and_then(|end| help.get(..end)) {
        Some(first) => arg.help(first.to_owned()),
        None => arg,
    }
}

/// Returns the first example in the text after the options.
fn first_example(command: &Command) -> Option<String> {
    let text = command.get_after_help()?.to_string();
    let mut lines = text.lines().skip_while(|line| !line.starts_with("Example"));
    lines.nth(1).map(|line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many options `-h` shows at most.
    const FEW: usize = 6;

    fn shown() -> Vec<Command> {
        Cli::command().get_subcommands().filter(|c| !c.is_hide_set()).cloned().collect()
    }

    fn help(args: &[&str]) -> String {
        let args: Vec<OsString> = std::iter::once("boxstep").chain(args.iter().copied()).map(Into::into).collect();
        command_for(&args).try_get_matches_from(args).unwrap_err().render().to_string()
    }

    #[test]
    fn each_command_is_in_exactly_one_group() {
        let (long, short) = (help(&["--help"]), help(&["-h"]));
        for command in shown() {
            let name = command.get_name();
            let of = command.get_subcommand_help_heading().unwrap_or_else(|| panic!("{name} has no group"));
            assert!(group::ALL.contains(&of), "{name}: there is no group {of}");
            let line = format!("\n  {name} ");
            assert_eq!(long.matches(&line).count(), 1, "{name}:\n{long}");
            // The lines of the groups are between the example and the last words.
            let groups = short.split("\n\n").filter(|part| part.starts_with(&format!("{}:", group::ALL[0])));
            let names = groups
                .flat_map(str::lines)
                .flat_map(|line| line.split([' ', ',']))
                .filter(|word| *word == name)
                .count();
            assert_eq!(names, 1, "{name}:\n{short}");
        }
        for group in group::ALL {
            assert!(commands_of(&Cli::command(), group).count() > 0, "{group} is empty");
            assert!(long.contains(&format!("\n{group}:\n")) && short.contains(&format!("\n{group}:")), "{group}");
        }
    }

    #[test]
    fn the_help_of_the_program_fits_a_terminal_and_begins_with_an_example() {
        for text in [help(&["--help"]), help(&["-h"]), help(&[])] {
            assert!(text.lines().nth(2).is_some_and(|line| line.trim() == FIRST), "{text}");
            assert_eq!(text.lines().find(|line| line.chars().count() > 84), None, "{text}");
        }
        assert!(help(&["-h"]).lines().count() <= 16, "{}", help(&["-h"]));
    }

    #[test]
    fn the_short_help_of_a_command_is_short_and_leads_to_the_long_one() {
        for command in shown() {
            let name = command.get_name();
            let options = |help: &str| help.lines().filter(|line| line.trim_start().starts_with('-')).count();
            let (short, long) = (help(&[name, "-h"]), help(&[name, "--help"]));
            assert!(options(&short) <= FEW + 1, "{name}: name its main options in MAIN\n{short}");
            // A screen, or what lists all commands of a command.
            let most = 27.max(17 + command.get_subcommands().count());
            assert!(short.lines().count() <= most, "{name}: {}\n{short}", short.lines().count());
            assert!(short.contains(&format!("Usage: boxstep {name}")), "{short}");
            let example = short.split("Example:\n  ").nth(1).unwrap_or_else(|| panic!("{name} has no example"));
            assert!(long.contains(example.lines().next().unwrap()), "{name}");
            assert!(short.contains(&format!("`boxstep {name} --help` shows everything")), "{short}");
            for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
                let shown = arg.get_long().is_none_or(|name| long.contains(&format!("--{name}")));
                assert!(shown, "{name} --help does not show {}", arg.get_id());
            }
        }
    }

    #[test]
    fn main_options_exist() {
        for (name, main) in MAIN {
            let cli = Cli::command();
            let command = cli.find_subcommand(name).unwrap();
            for option in *main {
                let found = command.get_arguments().any(|arg| arg.get_long() == Some(option) && !arg.is_hide_set());
                assert!(found, "boxstep {name} has no --{option}");
            }
        }
    }

    #[test]
    fn examples_are_valid() {
        for command in shown() {
            let text = command.get_after_help().unwrap().to_string();
            let lines = text.lines().map(str::trim).filter_map(|line| line.strip_prefix("boxstep "));
            for line in lines {
                let line = line.split(['|', '>', '&']).next().unwrap().split("   ").next().unwrap();
                let mut words = vec![String::from("boxstep")];
                for (n, part) in line.trim().split('\'').enumerate() {
                    match n % 2 {
                        0 => words.extend(part.split_whitespace().map(str::to_owned)),
                        _ => words.push(part.to_owned()),
                    }
                }
                if let Err(error) = Cli::command().try_get_matches_from(&words) {
                    panic!("boxstep {line}: {error}");
                }
            }
        }
    }
}
