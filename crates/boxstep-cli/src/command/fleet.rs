//! `boxstep fleet`

#[cfg(feature = "fleet")]
mod code;
#[cfg(feature = "fleet")]
mod join;
mod lanes;
#[cfg(feature = "fleet")]
mod lead;
#[cfg(feature = "fleet")]
mod live;
#[cfg(feature = "fleet")]
mod look;
pub(crate) mod merged;
pub(crate) mod recorded;
mod rehearse;
mod report;

use crate::Program;
use crate::args::{FleetArgs, FleetCommand};
use crate::failure::Failure;

/// Runs the command of the fleet that the arguments name.
pub(crate) fn run(args: &FleetArgs, program: &Program) -> Result<i32, Failure> {
    match &args.command {
        FleetCommand::Rehearse(args) => rehearse::run(args, program),
        #[cfg(feature = "fleet")]
        FleetCommand::Code(args) => code::run(args),
        #[cfg(feature = "fleet")]
        FleetCommand::Join(args) => join::run(args, program),
        #[cfg(feature = "fleet")]
        FleetCommand::Ls(args) => look::ls(args),
        #[cfg(feature = "fleet")]
        FleetCommand::Play(args) => lead::run(args),
        #[cfg(feature = "fleet")]
        FleetCommand::Stop(args) => lead::stop(args),
        #[cfg(feature = "fleet")]
        FleetCommand::Watch(args) => look::watch(args),
        #[cfg(feature = "fleet")]
        FleetCommand::Router(args) => lead::router(args),
        #[cfg(not(feature = "fleet"))]
        _ => Err(Failure::Usage(
            "this program was built without the network of fleets; wheels have it, and from source \
             `cargo build --release --features fleet`"
                .to_owned(),
        )),
    }
}
