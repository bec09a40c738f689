//! The lines by which a run reports its page: `play` prints them, and its parent process reads them.

use anstyle::Style;
use boxstep_engine::trace::Footer;

const BOLD: Style = Style::new().bold();

/// Printed when a run is over while its page remains.
pub(crate) const STAYS: &str = "the page remains available until Ctrl-C";

/// Printed when another run begins on the page of the one before.
pub(crate) const AGAIN: &str = "plays again";

/// The beginning of the line that says how a run has ended.
const RESULT: &str = "result: ";

/// Returns the line that says how a run has ended: its footer.
pub(crate) fn result(footer: &Footer) -> serde_json::Result<String> {
    Ok(format!("{RESULT}{}", serde_json::to_string(footer)?))
}

/// Returns how a run has ended, if a line says that.
pub(crate) fn result_of(line: &str) -> Option<Footer> {
    serde_json::from_str(line.strip_prefix(RESULT)?).ok()
}

/// Returns the line that announces the URL of a page to people.
pub(crate) fn announcement(url: &str) -> String {
    format!("{BOLD}view:{BOLD:#} {url}")
}

/// Returns the URL that a line announces, if it does. The line must be without terminal styles.
pub(crate) fn announced_url(line: &str) -> Option<&str> {
    line.strip_prefix("view: ")
}
