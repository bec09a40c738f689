//! The pages of the codes: the files in `docs/reference/codes`.

use boxstep_types::Code;

/// Returns the page of a code, given as `BS0600`, `600` or its name.
///
/// ```
/// assert!(boxstep_check::explain("dangling-link").is_some_and(|page| page.starts_with("# BS0600")));
/// ```
pub fn explain(code: &str) -> Option<&'static str> {
    let number = number(code).or_else(|| number_of_name(code))?;
    pages().iter().find(|(n, _)| *n == number).map(|(_, page)| *page)
}

/// All pages, each with the number of its code.
pub fn pages() -> &'static [(u16, &'static str)] {
    include!(concat!(env!("OUT_DIR"), "/pages.rs"))
}

/// Parses a number written as `BS0600`, `bs600` or `600`.
fn number(code: &str) -> Option<u16> {
    let digits = code.strip_prefix("BS").or_else(|| code.strip_prefix("bs")).unwrap_or(code);
    digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns the number of a code by its name. Names are taken from the first lines of the pages, `# BS0600
/// dangling-link`, because these cover the codes of every crate.
fn number_of_name(name: &str) -> Option<u16> {
    let is_it = |page: &str| page.lines().next().and_then(|l| l.split(' ').nth(2)) == Some(name);
    pages().iter().find(|(_, page)| is_it(page)).map(|(number, _)| *number)
}

/// Returns true if a code written by the user is this code.
pub(crate) fn is_code(written: &str, code: Code) -> bool {
    written == code.name || number(written) == Some(code.number)
}
