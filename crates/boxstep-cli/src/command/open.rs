//! `boxstep open`

use crate::args::OpenArgs;
use crate::failure::Failure;
use crate::gallery::Wall;
use crate::remote::wait_for_signal;
use crate::{Program, exit, output, view};
use boxstep_view::Server;
use std::io::Write as _;

/// Shows what can be played below a folder until a signal ends the program, and with it all that plays.
pub(crate) fn run(args: &OpenArgs, program: &Program) -> Result<i32, Failure> {
    let at = view::address(&args.listen)?;
    let wall = Wall::of(&args.folder, at.ip(), args.robot.clone(), program)?;
    let server = Server::open(at, wall.clone()).map_err(|e| view::unheard(at, &e))?;
    let mut out = output::stdout();
    writeln!(out, "{}", view::announced(&server))?;
    out.flush()?;
    wait_for_signal()?;
    drop(server);
    wall.end();
    Ok(exit::OK)
}
