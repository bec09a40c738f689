//! The lines by which a run reports its page: `play` prints them, and its parent process reads them.

use anstyle::Style;

const BOLD: Style = Style::new().bold();

/// Printed when a run is over while its page remains.
pub(crate) const STAYS: &str = "the page remains available until Ctrl-C";

/// Printed when another run begins on the page of the one before.
pub(crate) const AGAIN: &str = "plays again";

/// Returns the line that announces the URL of a page to people.
pub(crate) fn announcement(url: &str) -> String {
    format!("{BOLD}view:{BOLD:#} {url}")
}

/// Returns the URL that a line announces, if it does. The line must be without terminal styles.
pub(crate) fn announced_url(line: &str) -> Option<&str> {
    line.strip_prefix("view: ")
}
