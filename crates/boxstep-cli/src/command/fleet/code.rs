//! `boxstep fleet code`: the pairing code of this computer's fleet.

use crate::args::CodeArgs;
use crate::failure::Failure;
use crate::{exit, output};
use boxstep_fleet::pairing::{self, PairingCode};
use std::io::{self, BufRead as _, Write as _};

/// Shows the code, makes a new one, or takes that of another computer.
pub(crate) fn run(args: &CodeArgs) -> Result<i32, Failure> {
    let usage = |e: &dyn std::fmt::Display| Failure::Usage(e.to_string());
    let given = match args.code.as_deref() {
        Some("-") => {
            let mut line = String::new();
            io::stdin().lock().read_line(&mut line)?;
            Some(line)
        }
        text => text.map(str::to_owned),
    };
    let new = match given {
        Some(text) => Some(text.trim().parse::<PairingCode>().map_err(|e| usage(&e))?),
        None if args.new => Some(PairingCode::create().map_err(|e| Failure::Run(e.to_string()))?),
        None => None,
    };
    let mut out = output::stdout();
    match new {
        Some(code) => {
            let file = pairing::file().ok_or_else(|| usage(&pairing::StorageError::NoPlace))?;
            pairing::save(&file, &code).map_err(|e| Failure::Run(e.to_string()))?;
            if args.new {
                writeln!(out, "{}", code.reveal())?;
                writeln!(out, "On each computer of the fleet: boxstep fleet code {}", code.reveal())?;
            } else {
                writeln!(out, "this computer belongs to the fleet")?;
            }
        }
        None => writeln!(out, "{}", pairing::of_user().map_err(|e| usage(&e))?.reveal())?,
    }
    out.flush()?;
    Ok(exit::OK)
}
