//! A progress bar on the terminal.

use boxstep_types::printable_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::Path;

/// The progress through a list of files. It is drawn on a terminal only, and only for more than one file.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(crate) fn new(files: usize) -> Self {
        let target = if files > 1 { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(files as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {bar:20} {wide_msg}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Shows the file that is worked on.
    pub(crate) fn file(&self, path: &Path) {
        self.0.set_message(printable_line(&path.display().to_string()).into_owned());
    }

    /// Counts the file as done.
    pub(crate) fn done(&self) {
        self.0.inc(1);
    }

    /// Prints something while the bar is hidden.
    pub(crate) fn aside(&self, say: impl FnOnce()) {
        self.0.suspend(say);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
