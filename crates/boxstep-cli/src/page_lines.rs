//! The lines in which a run tells of its page: `play` writes them, and whoever has begun it reads them.

use anstyle::Style;

const BOLD: Style = Style::new().bold();

/// What is said when a run is over whose page is still there.
pub(crate) const STAYS: &str = "the page stays as it is until Ctrl-C";

/// What to open, for people.
pub(crate) fn announced(url: &str) -> String {
    format!("{BOLD}view:{BOLD:#} {url}")
}

/// The page that a line announces, if it does; without the styles of a terminal.
pub(crate) fn told(line: &str) -> Option<&str> {
    line.strip_prefix("view: ")
}
