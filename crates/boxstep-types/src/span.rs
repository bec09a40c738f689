//! Positions in source files.

use std::sync::{Arc, OnceLock};

/// The number of a file in a [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A range of bytes of a file's decoded (UTF-8) text; `end` is not part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A line and column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineCol {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub col: u32,
}

/// The texts that spans refer to, so that an error can show its line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    files: Vec<Source>,
}

#[derive(Clone, Debug)]
struct Source {
    name: Arc<str>,
    /// Not an `Arc<str>`, which would copy the text of a large file that a page changes.
    text: Arc<String>,
    /// Made when a place is asked for: most versions of a file that a page changes are never asked.
    tables: Arc<OnceLock<Tables>>,
}

#[derive(Debug)]
struct Tables {
    line_starts: Box<[u32]>,
    /// The number of characters that begin before each multiple of [`STEP`] bytes. It keeps column lookups fast in
    /// files that are one long line.
    chars: Box<[u32]>,
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.text == other.text
    }
}

const STEP: usize = 4096;

impl Source {
    fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| {
            let ends = self.text.match_indices('\n').map(|(at, _)| at as u32 + 1);
            let line_starts = std::iter::once(0).chain(ends).collect();
            let mut sum = 0;
            let chars = self.text.as_bytes().chunks(STEP).map(|bytes| {
                let before = sum;
                sum += char_starts(bytes);
                before
            });
            Tables { line_starts, chars: chars.collect() }
        })
    }

    fn line_starts(&self) -> &[u32] {
        &self.tables().line_starts
    }

    /// Returns the number of characters that begin before a byte.
    fn chars_before(&self, byte: usize) -> u32 {
        let chars = &self.tables().chars;
        let step = (byte / STEP).min(chars.len().saturating_sub(1));
        let rest = self.text.as_bytes().get(step * STEP..byte).unwrap_or_default();
        chars.get(step).copied().unwrap_or_default() + char_starts(rest)
    }
}

/// Returns the number of characters that begin in these bytes of UTF-8 text.
fn char_starts(bytes: &[u8]) -> u32 {
    if bytes.is_ascii() {
        return bytes.len() as u32;
    }
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u32
}

impl Sources {
    /// Creates an empty set of sources.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file; messages print it as `name`. A `String` is taken without a copy.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<String>) -> FileId {
        self.add_shared(name, Arc::new(text.into()))
    }

    /// Adds a file whose text others have, too.
    pub fn add_shared(&mut self, name: impl Into<Arc<str>>, text: Arc<String>) -> FileId {
        self.files.push(Source { name: name.into(), text, tables: Arc::default() });
        FileId(self.files.len() as u32 - 1)
    }

    /// The name given to [`Sources::add`]; empty for an id that is not of these sources.
    pub fn name(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |f| &f.name)
    }

    /// The whole text of a file; empty for an id that is not of these sources.
    pub fn text(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |f| &f.text)
    }

    /// The text of a span; empty if the span does not fit its file.
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Returns the line and column of a byte of a file. The cost does not depend on the length of the line.
    pub fn line_col(&self, file: FileId, byte: u32) -> LineCol {
        let Some(f) = self.files.get(file.0 as usize) else { return LineCol { line: 1, col: 1 } };
        let line = f.line_starts().partition_point(|&s| s <= byte).max(1) - 1;
        let start = f.line_starts()[line] as usize;
        let is_there = f.text.is_char_boundary(byte as usize);
        let col = if is_there { f.chars_before(byte as usize) - f.chars_before(start) } else { 0 };
        LineCol { line: line as u32 + 1, col: col + 1 }
    }

    /// Returns the byte range of the line that contains a byte, without the line feed. The cost does not depend on the
    /// length of the line.
    pub fn line_range(&self, file: FileId, byte: u32) -> std::ops::Range<usize> {
        let Some(f) = self.files.get(file.0 as usize) else { return 0..0 };
        let next = f.line_starts().partition_point(|&s| s <= byte).max(1);
        let end = f.line_starts().get(next).map_or(f.text.len(), |next| *next as usize - 1);
        f.line_starts()[next - 1] as usize..end
    }

    /// Returns the line number of a byte, from 1. The cost does not depend on the length of the line.
    pub fn line(&self, file: FileId, byte: u32) -> u32 {
        let number = |f: &Source| f.line_starts().partition_point(|&s| s <= byte).max(1) as u32;
        self.files.get(file.0 as usize).map_or(1, number)
    }

    /// Formats the start of a span as `name:line:col`.
    pub fn place(&self, span: Span) -> String {
        let at = self.line_col(span.file, span.start);
        format!("{}:{}:{}", self.name(span.file), at.line, at.col)
    }
}

/// Returns the number of line ends of a text. Unlike [`Sources::line`] it makes no table of the lines, which is worth it
/// for one question about a large text.
pub fn line_ends(text: &str) -> u32 {
    // In pieces that a byte can count, so that the compiler counts many bytes at a time.
    let count = |bytes: &[u8]| u32::from(bytes.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>());
    text.as_bytes().chunks(255).map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_counted_in_texts_of_any_length() {
        assert_eq!(line_ends(""), 0);
        assert_eq!(line_ends(&"a\n".repeat(1000)), 1000);
        assert_eq!(line_ends(&"\n".repeat(777)), 777);
    }

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let mut s = Sources::new();
        let f = s.add("a.xar", "é\nxy\n");
        assert_eq!(s.line_col(f, 0), LineCol { line: 1, col: 1 });
        assert_eq!(s.line_col(f, 2), LineCol { line: 1, col: 2 });
        assert_eq!(s.line_col(f, 4), LineCol { line: 2, col: 2 });
        assert_eq!(s.line_col(f, 6), LineCol { line: 3, col: 1 });
        assert_eq!(s.place(Span { file: f, start: 3, end: 4 }), "a.xar:2:1");
        let lines = [0, 2, 3, 5, 6, 9].map(|byte| s.line_range(f, byte));
        assert_eq!(lines, [0..2, 0..2, 3..5, 3..5, 6..6, 6..6]);
    }

    #[test]
    fn columns_of_long_lines_are_those_of_counting() {
        let mut s = Sources::new();
        let text = format!("ä\n{}", "aé日🤖".repeat(2000));
        let f = s.add("a.xar", &*text);
        for (i, (byte, _)) in text.char_indices().enumerate().skip(2) {
            assert_eq!(s.line_col(f, byte as u32), LineCol { line: 2, col: i as u32 - 1 });
        }
        let end = LineCol { line: 2, col: 8001 };
        assert_eq!(s.line_col(f, text.len() as u32), end);
        assert_eq!(s.line_col(f, text.len() as u32 + 9), LineCol { col: 1, ..end });
        let empty = s.add("b.xar", "");
        assert_eq!(s.line_col(empty, 0), LineCol { line: 1, col: 1 });
    }
}
