//! `boxstep man`

use crate::args::{Cli, ManArgs};
use crate::exit;
use crate::failure::Failure;
use crate::help::{commands_of, group};
use crate::output;
use crate::terminal::Reader;
use clap::CommandFactory as _;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::fs;
use std::io::{self, Write as _};

/// Writes the manual page of the program or of a command, or all pages into a folder.
pub(crate) fn run(args: &ManArgs) -> Result<i32, Failure> {
    let mut cli = Cli::command();
    cli.build();
    if let Some(folder) = &args.all {
        fs::create_dir_all(folder).map_err(|e| Failure::io(folder, &e))?;
        for (name, page) in pages(&cli)? {
            let path = folder.join(format!("{name}.1"));
            fs::write(&path, page).map_err(|e| Failure::unwritten(&path, &e))?;
        }
        return Ok(exit::OK);
    }
    let wanted = match &args.command {
        None => "boxstep".to_owned(),
        // The name may be an alias.
        Some(name) => format!("boxstep-{}", cli.find_subcommand(name).map_or(name.as_str(), |c| c.get_name())),
    };
    let page = pages(&cli)?.into_iter().find(|(name, _)| *name == wanted);
    let (_, page) =
        page.ok_or_else(|| Failure::Usage(format!("there is no command `{}`", wanted.replace("boxstep-", ""))))?;
    let mut out = output::stdout_for(Reader::Program);
    out.write_all(&page)?;
    out.flush()?;
    Ok(exit::OK)
}

/// Returns the name and text of each page, starting with that of the program.
fn pages(cli: &clap::Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    let commands = cli.get_subcommands().filter(|c| !c.is_hide_set());
    // The heading of a command is its group among the others, and not that of its own commands.
    let page_of = |parent: &str, c: &clap::Command| {
        (format!("{parent}-{}", c.get_name()), c.clone().subcommand_help_heading("COMMANDS"))
    };
    let own = commands.flat_map(|c| {
        let (name, command) = page_of("boxstep", c);
        let inner: Vec<_> = c
            .get_subcommands()
            .map(|sub| page_of(&name, &sub.clone().bin_name(format!("boxstep {} {}", c.get_name(), sub.get_name()))))
            .collect();
        std::iter::once((name, command)).chain(inner)
    });
    let all = std::iter::once(("boxstep".to_owned(), cli.clone())).chain(own);
    all.map(|(name, command)| {
        let mut page = Vec::new();
        let source = format!("boxstep {}", env!("CARGO_PKG_VERSION"));
        let program = name == "boxstep";
        let has_commands = command.has_subcommands();
        let man = Man::new(command).source(source).manual("Boxstep");
        man.render_title(&mut page)?;
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
        if program {
            grouped_commands(cli).to_writer(&mut page)?;
        } else if has_commands {
            man.render_subcommands_section(&mut page)?;
        }
        if program {
            about_the_program().to_writer(&mut page)?;
            man.render_version_section(&mut page)?;
        } else {
            let mut extra = Vec::new();
            man.render_extra_section(&mut extra)?;
            // The text after the options has examples, and exit codes if a command has special ones.
            page.extend(String::from_utf8_lossy(&extra).replace(".SH EXTRA", ".SH EXAMPLES").into_bytes());
        }
        Ok((name, page))
    })
    .collect()
}

/// Returns the section with the pages of the commands, in the groups of the help.
fn grouped_commands(cli: &clap::Command) -> Roff {
    let mut page = Roff::new();
    page.control("SH", ["COMMANDS"]);
    for group in group::ALL {
        page.control("SS", [group]);
        for command in commands_of(cli, group) {
            page.control("TP", []);
            page.text([bold(format!("boxstep-{}(1)", command.get_name()))]);
            page.text([roman(command.get_about().map(ToString::to_string).unwrap_or_default())]);
        }
    }
    page
}

/// Returns the sections that hold for every command.
fn about_the_program() -> Roff {
    let mut page = Roff::new();
    let mut section = |title: &str, rows: &[(&str, &str)]| {
        page.control("SH", [title]);
        for (term, text) in rows {
            page.control("TP", []);
            page.text([bold(*term)]);
            page.text([roman(*text)]);
        }
    };
    section("EXIT STATUS", &EXIT_STATUS);
    section("ENVIRONMENT", &ENVIRONMENT);
    page
}

const EXIT_STATUS: [(&str, &str); 7] = [
    ("0", "done; for play: ended, waiting, or at --for; for test: all passed"),
    ("1", "check found errors, diff found differences, or fmt --check found files to format"),
    ("2", "bad usage, or a file that is missing, unreadable or already exists; or no tests"),
    ("3", "play --must-end: the behavior had not ended"),
    ("4", "the behavior, a test or a call failed, a robot cannot be reached, or a result could not be written"),
    ("5", "a script, or qi, called a service or method that does not exist"),
    ("130", "interrupted"),
];

const ENVIRONMENT: [(&str, &str); 5] = [
    ("BOXSTEP_PYTHON", "the Python that runs box scripts, if --python names none; then VIRTUAL_ENV, then python3"),
    ("BOXSTEP_ROBOT", "the robot of commands that connect to one, unless an argument names it"),
    ("BOXSTEP_PASSWORD", "the password for robots that require one, unless --password names a file"),
    ("NO_COLOR, CLICOLOR_FORCE", "no colors; colors even without a terminal"),
    ("TMPDIR", "where archives are unpacked while they are in use"),
];
