//! `boxstep open`

use crate::args::OpenArgs;
use crate::failure::Failure;
use crate::gallery::FolderGallery;
use crate::remote::Waiting;
use crate::robot_address;
use crate::view::PageAddress;
use crate::{Program, browser, exit, output, page_lines};
use boxstep_view::Server;
use std::io::Write as _;

/// Serves the gallery of a folder until a signal ends the program and everything that plays.
pub(crate) fn run(args: &OpenArgs, program: &Program) -> Result<i32, Failure> {
    let PageAddress { at, access } = PageAddress::parse(&args.listen, args.view_token.as_deref())?;
    let gallery = FolderGallery::open(&args.folder, at.ip(), robots(args)?, (args.edit, &args.boxes), program)?;
    let server = Server::open(at, gallery.clone(), access).map_err(PageAddress::unheard(at))?;
    // A signal from now on ends everything in order, also while the browser is started.
    let waiting = Waiting::new()?;
    let mut out = output::stdout();
    writeln!(out, "{}", page_lines::announcement(&server.url()))?;
    out.flush()?;
    let _page = browser::open(&server.url(), !args.no_browser);
    waiting.wait();
    drop(server);
    gallery.end();
    Ok(exit::OK)
}

/// Returns the robots that the page offers; the page cannot name others.
fn robots(args: &OpenArgs) -> Result<Vec<String>, Failure> {
    if !args.robot.is_empty() {
        return Ok(args.robot.clone());
    }
    Ok(robot_address::of_environment()?.map(|endpoint| endpoint.to_string()).into_iter().collect())
}
