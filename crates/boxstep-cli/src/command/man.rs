//! `boxstep man`

use crate::args::{Cli, ManArgs};
use crate::exit;
use crate::failure::Failure;
use clap::CommandFactory as _;
use clap_mangen::Man;
use std::fs;
use std::io::{self, Write as _};

/// Writes manual pages: of the program, of a command, or all into a folder.
pub(crate) fn run(args: &ManArgs) -> Result<i32, Failure> {
    let mut cli = Cli::command();
    cli.build();
    if let Some(folder) = &args.all {
        fs::create_dir_all(folder).map_err(|e| Failure::io(folder, &e))?;
        for (name, page) in pages(&cli)? {
            let path = folder.join(format!("{name}.1"));
            fs::write(&path, page).map_err(|e| Failure::io(&path, &e))?;
        }
        return Ok(exit::OK);
    }
    let wanted = match &args.command {
        None => "boxstep".to_owned(),
        Some(command) => format!("boxstep-{command}"),
    };
    let page = pages(&cli)?.into_iter().find(|(name, _)| *name == wanted);
    let (_, page) =
        page.ok_or_else(|| Failure::Usage(format!("there is no command `{}`", wanted.replace("boxstep-", ""))))?;
    let mut out = anstream::stdout().lock();
    out.write_all(&page)?;
    out.flush()?;
    Ok(exit::OK)
}

/// Name and text of each page, the program's first.
fn pages(cli: &clap::Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    let commands = cli.get_subcommands().filter(|c| !c.is_hide_set());
    let own = commands.map(|c| (format!("boxstep-{}", c.get_name()), c.clone()));
    let all = std::iter::once(("boxstep".to_owned(), cli.clone())).chain(own);
    all.map(|(name, command)| {
        let mut page = Vec::new();
        let source = format!("boxstep {}", env!("CARGO_PKG_VERSION"));
        Man::new(command).source(source).manual("Boxstep").render(&mut page)?;
        Ok((name, page))
    })
    .collect()
}
