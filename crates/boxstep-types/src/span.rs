//! Where something stands in a file.

use std::sync::Arc;

/// One of the files of a [`Sources`].
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

/// The texts that spans point into, so that an error can show its line.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

#[derive(Clone, Debug)]
struct Source {
    name: Arc<str>,
    text: Arc<str>,
    line_starts: Arc<[u32]>,
}

impl Sources {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file; `name` is what messages print.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> FileId {
        let text = text.into();
        let starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        self.files.push(Source { name: name.into(), text, line_starts: starts });
        FileId(self.files.len() as u32 - 1)
    }

    /// The name given to [`Sources::add`]; empty for a file of other sources.
    pub fn name(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |f| &f.name)
    }

    /// The whole text; empty for a file of other sources.
    pub fn text(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |f| &f.text)
    }

    /// The text of a span; empty if it does not fit its file.
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of a byte of a file.
    pub fn line_col(&self, file: FileId, byte: u32) -> LineCol {
        let Some(f) = self.files.get(file.0 as usize) else { return LineCol { line: 1, col: 1 } };
        let line = f.line_starts.partition_point(|&s| s <= byte).max(1) - 1;
        let start = f.line_starts[line] as usize;
        let col = f.text.get(start..byte as usize).map_or(0, |t| t.chars().count());
        LineCol { line: line as u32 + 1, col: col as u32 + 1 }
    }

    /// The line alone, from 1. However long the line is, this takes no time.
    pub fn line(&self, file: FileId, byte: u32) -> u32 {
        let of = |f: &Source| f.line_starts.partition_point(|&s| s <= byte).max(1) as u32;
        self.files.get(file.0 as usize).map_or(1, of)
    }

    /// `name:line:col` of where a span begins.
    pub fn place(&self, span: Span) -> String {
        let at = self.line_col(span.file, span.start);
        format!("{}:{}:{}", self.name(span.file), at.line, at.col)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let mut s = Sources::new();
        let f = s.add("a.xar", "é\nxy\n");
        assert_eq!(s.line_col(f, 0), LineCol { line: 1, col: 1 });
        assert_eq!(s.line_col(f, 2), LineCol { line: 1, col: 2 });
        assert_eq!(s.line_col(f, 4), LineCol { line: 2, col: 2 });
        assert_eq!(s.line_col(f, 6), LineCol { line: 3, col: 1 });
        assert_eq!(s.place(Span { file: f, start: 3, end: 4 }), "a.xar:2:1");
    }
}
