//! `boxstep completions`
//!
//! The scripts are those of `clap_complete`. Options that name a robot have a hint for host names; where a script
//! follows it, the robots that were found last take the place of host names (`known_robots.rs`).

use crate::args::{Cli, CompletionsArgs};
use crate::exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Reader;
use clap::CommandFactory as _;
use clap_complete::Shell;
use std::collections::BTreeSet;
use std::io::Write as _;

/// The file of `known_robots.rs`, as shells name it.
const FILE: &str = "\"${XDG_CACHE_HOME:-$HOME/.cache}/boxstep/robots\"";

/// Writes the completion script of a shell.
pub(crate) fn run(args: &CompletionsArgs) -> Result<i32, Failure> {
    let mut out = output::stdout_for(Reader::Program);
    out.write_all(script(args.shell).as_bytes())?;
    out.flush()?;
    Ok(exit::OK)
}

fn script(shell: Shell) -> String {
    // The generator does not report write errors, so it writes to memory first.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "boxstep", &mut text);
    let text = String::from_utf8_lossy(&text);
    match shell {
        Shell::Bash => bash(&text),
        Shell::Zsh => zsh(&text),
        Shell::Fish => fish(&text),
        _ => text.into_owned(),
    }
}

/// Bash completes file names if no robot matches, so that `play --robot` also completes a file.
fn bash(script: &str) -> String {
    let known = format!("_boxstep_robots() {{\n    cat {FILE} 2>/dev/null\n}}\n\n");
    let files = "COMPREPLY=($(compgen -f \"${cur}\"))";
    let robots = "COMPREPLY=($(compgen -W \"$(_boxstep_robots)\" -- \"${cur}\"))";
    let mut is_robot = false;
    let lines = script.lines().map(|line| {
        let line = if is_robot { line.replace(files, robots) } else { line.to_owned() };
        is_robot = line.trim() == "--robot)";
        line + "\n"
    });
    known + &lines.collect::<String>()
}

fn zsh(script: &str) -> String {
    let known = format!(
        "\n_boxstep_robots() {{\n    local -a robots\n    robots=(${{(f)\"$(cat {FILE} 2>/dev/null)\"}})\n    compadd -a robots || _files\n}}\n"
    );
    let begin = "autoload -U is-at-least\n";
    let mut script = script.replacen(begin, &format!("{begin}{known}"), 1).replace(":_hosts", ":_boxstep_robots");
    // The generator leaves out this escape, and zsh takes what is behind the colon for a command.
    for name in names_with_colons(&Cli::command()) {
        script = script.replace(&format!(":{name}:"), &format!(":{}:", name.replace(':', "\\:")));
    }
    script
}

/// Returns the names of values that have a colon, such as HOST:PORT.
fn names_with_colons(command: &clap::Command) -> BTreeSet<String> {
    let own = command.get_arguments().filter_map(clap::Arg::get_value_names).flatten();
    let own = own.filter(|name| name.contains(':')).map(ToString::to_string);
    own.chain(command.get_subcommands().flat_map(names_with_colons)).collect()
}

fn fish(script: &str) -> String {
    let file = "$XDG_CACHE_HOME/boxstep/robots $HOME/.cache/boxstep/robots";
    let known = format!(
        "function __boxstep_robots\n\tfor file in {file}\n\t\ttest -r $file; and cat $file; and return\n\tend\nend\n\n"
    );
    known + &script.replace("-r -f -a \"(__fish_print_hostnames)\"", "-r -a \"(__boxstep_robots)\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many options name a robot.
    fn robots(command: &clap::Command) -> usize {
        let own = command.get_arguments().filter(|arg| arg.get_long() == Some("robot")).count();
        own + command.get_subcommands().map(robots).sum::<usize>()
    }

    #[test]
    fn every_option_that_names_a_robot_completes_the_robots_that_are_known() {
        let all = robots(&Cli::command());
        assert!(all > 12, "{all}");
        // The function itself has the name once more.
        for (shell, used) in [
            (Shell::Bash, "$(_boxstep_robots)"),
            (Shell::Zsh, ":_boxstep_robots'"),
            (Shell::Fish, "(__boxstep_robots)"),
        ] {
            let script = script(shell);
            // Aliases of commands have options of their own.
            assert!(script.matches(used).count() >= all, "{shell}: {}", script.matches(used).count());
            assert!(!script.contains("_hosts") && !script.contains("hostnames"), "{shell}");
        }
        assert!(script(Shell::Zsh).contains(":NAME|IP|HOST\\:PORT|URL:_boxstep_robots'"));
    }
}
