//! Lines typed at the terminal, which the robot hears (`--talk`).

use crate::failure::Failure;
use crate::run::{Attachment, StartedRun};
use anstyle::Style;
use boxstep_engine::config::Control;
use std::io::{self, BufRead as _, Write as _};

/// Reads the terminal as long as the run lasts.
pub(super) struct TypedSentences;

const DIM: Style = Style::new().dimmed();

impl Attachment for TypedSentences {
    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        let engine = started.engine.clone();
        // A closed standard error is ignored.
        let _ = writeln!(crate::terminal::stderr(), "{DIM}type what you say to the robot{DIM:#}");
        // Reading cannot be interrupted: the thread ends with the process.
        let read = move || {
            for line in io::stdin().lock().lines() {
                let Ok(line) = line else { return };
                let text = line.trim().to_owned();
                if text.is_empty() {
                    continue;
                }
                engine.poke(|engine| {
                    // The engine refuses only controls of boxes that do not exist; this names no box.
                    let _ = engine.control(engine.now(), Control::Hear { text });
                });
            }
        };
        std::thread::Builder::new().name("typed".to_owned()).spawn(read)?;
        Ok(())
    }
}
