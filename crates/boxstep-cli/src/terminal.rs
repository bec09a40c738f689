//! All output for people goes through this module. It makes sure that text from a file, a script, a robot or an
//! argument cannot control the terminal.
//!
//! Colors are the only escape sequences that pass; commands write them themselves, and make foreign text [printable]
//! before they insert it. JSON escapes control characters in its own way. Output for other programs is unchanged,
//! unless it goes to a terminal.
//!
//! [printable]: boxstep_types::printable

use anstream::{AutoStream, ColorChoice};
use boxstep_types::is_order;
use std::io::{self, IsTerminal as _, StderrLock, Stdout, StdoutLock, Write};

/// The kind of reader of a command's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A person: control characters are escaped, colors pass.
    People,
    /// A program that reads JSON: control characters, which can only occur in strings, are escaped as in JSON.
    Json,
    /// Another program: the output is unchanged, unless it goes to a terminal.
    Program,
}

impl Reader {
    /// Returns the reader of a command that writes JSON on request.
    pub(crate) fn json_if(asked: bool) -> Self {
        if asked { Reader::Json } else { Reader::People }
    }
}

/// Returns standard output for people, in colors if they are supported.
pub(crate) fn stdout() -> SafeWriter<AutoStream<StdoutLock<'static>>> {
    stdout_for(Reader::People)
}

/// Returns standard output for use in another thread.
pub(crate) fn stdout_of_thread() -> SafeWriter<AutoStream<Stdout>> {
    SafeWriter::new(AutoStream::new(io::stdout(), stdout_colours()), Reader::People)
}

/// Returns standard error, in colors if they are supported.
pub(crate) fn stderr() -> SafeWriter<AutoStream<StderrLock<'static>>> {
    SafeWriter::new(AutoStream::new(io::stderr().lock(), AutoStream::choice(&io::stderr())), Reader::People)
}

/// Returns standard output for the given reader.
pub(crate) fn stdout_for(reader: Reader) -> SafeWriter<AutoStream<StdoutLock<'static>>> {
    let colours = if reader == Reader::People { stdout_colours() } else { ColorChoice::AlwaysAnsi };
    let shown = reader == Reader::Program && io::stdout().is_terminal();
    SafeWriter::new(AutoStream::new(io::stdout().lock(), colours), if shown { Reader::People } else { reader })
}

fn stdout_colours() -> ColorChoice {
    // Git's pager shows colors, though it is no terminal.
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let paged = set("GIT_PAGER_IN_USE") && !set("NO_COLOR");
    if paged { ColorChoice::Always } else { AutoStream::choice(&io::stdout()) }
}

/// The length of the longest color sequence that passes, and so the most that is held back: `ESC [
/// 38;2;255;255;255;48;2;255;255;255 m`.
const LONGEST: usize = 48;

/// A writer that escapes all control characters other than those of colors.
pub(crate) struct SafeWriter<W: Write> {
    out: W,
    /// The end of the last write, if it may be the beginning of a character, a color or a line end.
    kept: Vec<u8>,
    reader: Reader,
}

impl<W: Write> SafeWriter<W> {
    pub(crate) fn new(out: W, reader: Reader) -> Self {
        Self { out, kept: Vec::new(), reader }
    }

    /// Writes as much of `bytes` as is complete, or everything if it is the `last`. Returns how many bytes were
    /// consumed.
    fn write_complete(&mut self, bytes: &[u8], last: bool) -> io::Result<usize> {
        let mut shown = String::with_capacity(bytes.len() + 16);
        let mut rest = bytes;
        loop {
            let (text, broken) = match std::str::from_utf8(rest) {
                Ok(text) => (text, None),
                Err(e) => {
                    let (text, _) = rest.split_at(e.valid_up_to());
                    (std::str::from_utf8(text).unwrap_or_default(), Some(e.error_len()))
                }
            };
            let whole = broken.is_none() || matches!(broken, Some(None));
            let done = show(text, last || !whole, self.reader, &mut shown);
            let at = match broken {
                None => done,
                Some(None) if last && done == text.len() => {
                    shown.push(char::REPLACEMENT_CHARACTER);
                    rest.len()
                }
                Some(None) => done,
                Some(Some(wrong)) => {
                    shown.push(char::REPLACEMENT_CHARACTER);
                    text.len() + wrong
                }
            };
            rest = rest.get(at..).unwrap_or_default();
            if whole {
                break;
            }
        }
        self.out.write_all(shown.as_bytes())?;
        Ok(bytes.len() - rest.len())
    }
}

/// Appends as much of `text` as is complete, or everything if it is the `last`. Returns how many bytes were consumed.
fn show(text: &str, last: bool, reader: Reader, shown: &mut String) -> usize {
    let mut done = 0;
    while let Some(at) = text.get(done..).and_then(|rest| rest.find(is_order)).map(|at| done + at) {
        shown.push_str(text.get(done..at).unwrap_or_default());
        let order = text.get(at..).unwrap_or_default();
        done = at
            + match colour(order) {
                Some(length) => {
                    shown.push_str(order.get(..length).unwrap_or_default());
                    length
                }
                None if !last && begins(order) => return at,
                None if order.starts_with("\r\n") => 1,
                None => {
                    let c = order.chars().next().unwrap_or_default();
                    match reader {
                        // JSON's own escape; control characters are below U+10000.
                        Reader::Json => shown.push_str(&format!("\\u{:04x}", u32::from(c))),
                        Reader::People | Reader::Program => shown.extend(c.escape_default()),
                    }
                    c.len_utf8()
                }
            };
    }
    shown.push_str(text.get(done..).unwrap_or_default());
    text.len()
}

/// Returns the length of the color sequence that a text begins with, such as `ESC [ 1;31 m`.
fn colour(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\u{1b}[")?;
    let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == ';'))?;
    (digits + 3 <= LONGEST && rest.get(digits..)?.starts_with('m')).then_some(digits + 3)
}

/// Returns whether more text could complete a color sequence or a line end.
fn begins(text: &str) -> bool {
    let colour = |rest: &str| rest.len() < LONGEST && rest.chars().all(|c| c.is_ascii_digit() || c == ';');
    text == "\r" || text == "\u{1b}" || text.strip_prefix("\u{1b}[").is_some_and(colour)
}

impl<W: Write> Write for SafeWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.reader == Reader::Program {
            return self.out.write(bytes);
        }
        if self.kept.is_empty() {
            let done = self.write_complete(bytes, false)?;
            self.kept.extend(bytes.get(done..).unwrap_or_default());
        } else {
            let mut all = std::mem::take(&mut self.kept);
            all.extend(bytes);
            let done = self.write_complete(&all, false)?;
            self.kept = all.split_off(done);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write> Drop for SafeWriter<W> {
    fn drop(&mut self) {
        let kept = std::mem::take(&mut self.kept);
        // Callers that need to know of errors have flushed before.
        let _ = if kept.is_empty() { Ok(0) } else { self.write_complete(&kept, true) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(parts: &[&[u8]]) -> String {
        let mut out = Vec::new();
        let mut writer = SafeWriter::new(&mut out, Reader::People);
        for part in parts {
            writer.write_all(part).unwrap();
        }
        drop(writer);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_colours_pass_however_a_text_is_cut() {
        let text =
            "\u{1b}[1;31merror:\u{1b}[0m \u{9b}2J\u{1b}]0;x\u{7} \u{1b}[2J a\r\nb\rc \u{202e}é\u{2028}🤖\u{1b}[3";
        let wanted =
            "\u{1b}[1;31merror:\u{1b}[0m \\u{9b}2J\\u{1b}]0;x\\u{7} \\u{1b}[2J a\nb\\rc \\u{202e}é\\u{2028}🤖\\u{1b}[3";
        assert_eq!(written(&[text.as_bytes()]), wanted);
        for cut in 0..text.len() {
            let (a, b) = text.as_bytes().split_at(cut);
            assert_eq!(written(&[a, b]), wanted, "cut at {cut}");
        }
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(written(&bytes), wanted);
    }

    #[test]
    fn json_says_the_same_in_its_own_way() {
        let value = serde_json::json!({"name": "a\u{9b}2J\u{202e}\r\n\u{1b}[1m\u{7f}é"});
        let mut out = Vec::new();
        SafeWriter::new(&mut out, Reader::Json).write_all(value.to_string().as_bytes()).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("a\\u009b2J\\u202e\\r\\n") && !text.contains(is_order), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }

    #[test]
    fn what_is_no_text_is_marked() {
        assert_eq!(written(&[b"a\xffb\x9b2J\xe2\x80"]), "a\u{fffd}b\u{fffd}2J\u{fffd}");
        assert_eq!(written(&[b"a\xe2", b"\x80\xaeb"]), "a\\u{202e}b");
    }
}
