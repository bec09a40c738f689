//! Tells the user, when an archive is played for the first time, that it runs programs: `docs/guides/trust.md`.

use crate::args::{PlayArgs, Scripts};
use crate::playable::Playable;
use crate::{flight, open};
use anstyle::Style;
use boxstep_types::printable_line;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

const DIM: Style = Style::new().dimmed();

/// Prints once for each archive, identified by its contents, that its scripts are programs. Errors are ignored, so that
/// they cannot stop a run.
pub(crate) fn warn_once(args: &PlayArgs, playable: Playable<'_>) {
    if args.quiet || args.spec.how() == Scripts::Off {
        return;
    }
    let mut archives: Vec<(&Path, &Path)> = playable.behaviors().into_iter().filter_map(|b| b.archive_file()).collect();
    archives.dedup();
    for (archive, bytes) in archives {
        if is_first(bytes) {
            let archive = archive.display().to_string();
            // A closed standard error is ignored.
            let _ = writeln!(
                crate::terminal::stderr(),
                "{DIM}{}: its scripts are programs that run with your rights (said once; docs/guides/trust.md){DIM:#}",
                printable_line(&archive)
            );
        }
    }
}

/// Returns whether no archive with these contents has been played before. Of two simultaneous runs only one gets true.
fn is_first(archive: &Path) -> bool {
    let Some(folder) = flight::state().map(|state| state.join("played")) else { return true };
    let Ok(bytes) = fs::read(archive) else { return false };
    let made = fs::create_dir_all(&folder).and_then(|()| fs::File::create_new(folder.join(open::sha256(&bytes))));
    !made.is_err_and(|e| e.kind() == ErrorKind::AlreadyExists)
}
