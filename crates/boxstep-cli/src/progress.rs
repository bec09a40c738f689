//! A progress bar on the terminal.

use boxstep_types::printable_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::Path;

/// The progress through a list of files. It is drawn on standard error, and only if that is a terminal on which the
/// cursor can move; and only for more than one file.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(crate) fn new(files: usize) -> Self {
        let target = if files > 1 { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self::on(target, files)
    }

    /// Starts a progress whose files are not known yet; [`Progress::more`] adds them. It is drawn only if it is `long`.
    pub(crate) fn growing(long: bool) -> Self {
        Self::on(if long { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }, 0)
    }

    fn on(target: ProgressDrawTarget, files: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(files as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {bar:20} {wide_msg}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Adds files to those that are still to be worked on.
    pub(crate) fn more(&self, files: usize) {
        self.0.inc_length(files as u64);
    }

    /// Shows the file that is worked on.
    pub(crate) fn file(&self, path: &Path) {
        self.doing(&path.display().to_string());
    }

    /// Shows what is done.
    pub(crate) fn doing(&self, what: &str) {
        self.0.set_message(printable_line(what).into_owned());
    }

    /// Counts the file as done.
    pub(crate) fn done(&self) {
        self.0.inc(1);
    }

    /// Prints something while the bar is hidden.
    pub(crate) fn aside<R>(&self, say: impl FnOnce() -> R) -> R {
        self.0.suspend(say)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
