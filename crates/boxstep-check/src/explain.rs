//! The page of each code: the files of `docs/codes`.

use boxstep_types::Code;

/// The page of a code, by `BS0600`, `600` or its name.
///
/// ```
/// assert!(boxstep_check::explain("dangling-link").is_some_and(|page| page.starts_with("# BS0600")));
/// ```
pub fn explain(code: &str) -> Option<&'static str> {
    let number = number(code).or_else(|| name(code))?;
    pages().iter().find(|(n, _)| *n == number).map(|(_, page)| *page)
}

/// Every page with the number of its code.
pub fn pages() -> &'static [(u16, &'static str)] {
    include!(concat!(env!("OUT_DIR"), "/pages.rs"))
}

/// `BS0600`, `bs600` or `600`.
fn number(code: &str) -> Option<u16> {
    let digits = code.strip_prefix("BS").or_else(|| code.strip_prefix("bs")).unwrap_or(code);
    digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))
}

/// By the page's own first line, `# BS0600 dangling-link`: pages tell codes of every crate.
fn name(name: &str) -> Option<u16> {
    let is_it = |page: &str| page.lines().next().and_then(|l| l.split(' ').nth(2)) == Some(name);
    pages().iter().find(|(_, page)| is_it(page)).map(|(number, _)| *number)
}

/// Whether what a user wrote means this code.
pub(crate) fn means(written: &str, code: Code) -> bool {
    written == code.name || number(written) == Some(code.number)
}
