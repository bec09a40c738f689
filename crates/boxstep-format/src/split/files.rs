//! Access to a folder's files, and their conversion from bytes to text.

use crate::decode::decode;
use crate::error::{FormatError, Problem};
use crate::raw::{Doctype, RawNode, RawTree, parse};
use crate::{Limits, XarFile, codes, split::Folder};
use boxstep_types::{Diagnostic, FileId, Sources, Span};
use encoding_rs::Encoding;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{self, Read as _};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// A source of the files of a split folder, which has no subfolders.
pub trait Files {
    /// Reads a file; returns `None` if there is none of this name. No more than `most` bytes need be returned. `name`
    /// is always a plain file name.
    fn bytes(&self, name: &str, most: usize) -> io::Result<Option<Vec<u8>>>;

    /// Returns the names of all files.
    fn names(&self) -> io::Result<Vec<String>>;
}

/// Returns the name, without extension, of the file from which a folder is read: `l0_root`. The original converter
/// named this file after the root box. So if there is no `l0_root.xml`, the root is the `l0_….xml` whose name is a
/// prefix of all the others, because those are its timeline and states.
pub fn root(files: &dyn Files) -> Option<String> {
    if !matches!(files.bytes(&format!("{}.xml", super::ROOT), 0), Ok(None)) {
        return Some(super::ROOT.to_owned());
    }
    let names = files.names().ok()?;
    let level = |n: &String| n.strip_suffix(".xml").filter(|n| n.starts_with("l0_")).map(str::to_owned);
    let roots: Vec<String> = names.iter().filter_map(level).collect();
    let root = roots.iter().min_by_key(|n| n.len())?;
    let of_root =
        |n: &String| n.strip_prefix(root.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    roots.iter().all(of_root).then(|| root.clone())
}

impl Files for Folder {
    fn bytes(&self, name: &str, most: usize) -> io::Result<Option<Vec<u8>>> {
        Ok(self.get(name).map(|b| b[..b.len().min(most)].to_vec()))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.keys().cloned().collect())
    }
}

/// A folder on a disk.
#[derive(Clone, Copy, Debug)]
pub struct Dir<'a>(pub &'a Path);

impl Files for Dir<'_> {
    fn bytes(&self, name: &str, most: usize) -> io::Result<Option<Vec<u8>>> {
        let path = self.0.join(name);
        // The type is checked before opening, because opening a pipe would block until its other end is opened.
        match std::fs::metadata(&path) {
            Ok(data) if data.is_file() => {}
            Ok(_) => return Err(io::Error::other("not a regular file")),
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e),
        }
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(most as u64).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let names = std::fs::read_dir(self.0)?.flatten().filter_map(|e| e.file_name().into_string().ok());
        Ok(names.collect())
    }
}

impl Dir<'_> {
    /// Returns warnings about files that are named like those of a box or state but were not read, because nothing
    /// refers to them. Other files may be modules or data of scripts.
    pub fn strays(&self, read: &XarFile) -> Vec<Diagnostic> {
        let count = read.file.0;
        // The first file read is that of the root.
        let root = read.sources.name(FileId(0));
        let root = Path::new(root).file_name().unwrap_or_default().to_string_lossy();
        let reached: HashSet<&str> =
            (0..count).filter_map(|n| Path::new(read.sources.name(FileId(n))).file_name()?.to_str()).collect();
        let ours = |n: &String| {
            let level = n.strip_prefix('l').and_then(|rest| rest.split_once('_')).map(|(level, _)| level);
            let leveled = level.is_some_and(|l| !l.is_empty() && l.bytes().all(|b| b.is_ascii_digit()));
            leveled && (n.ends_with(".xml") || n.ends_with(".py"))
        };
        let names = self.names().unwrap_or_default().into_iter();
        let mut strays: Vec<String> = names.filter(|n| ours(n) && !reached.contains(&**n)).collect();
        strays.sort();
        let note = |n: &String| format!("{n} is not read: nothing leads to it from {root}");
        strays.iter().map(|n| Diagnostic::warning(codes::STRAY_FILE, note(n))).collect()
    }
}

/// Returns true for a name that cannot lead out of the folder on any system.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':', '\0'])
}

/// A file that has been read.
pub(super) struct Loaded {
    pub(super) file: FileId,
    pub(super) text: Arc<str>,
    tree: RawTree,
}

impl Loaded {
    /// The root element. It exists, because the parser refuses a file without one.
    pub(super) fn root(&self) -> Option<RawNode<'_>> {
        self.tree.view(&self.text).root()
    }

    /// The root element and the nodes before and after it.
    pub(super) fn top_level(&self) -> Vec<RawNode<'_>> {
        self.tree.view(&self.text).top_level().collect()
    }

    pub(super) fn span(&self, node: RawNode<'_>) -> Span {
        let (start, end) = node.range();
        Span { file: self.file, start, end }
    }

    /// The span of `<name` of an element, which messages refer to.
    pub(super) fn tag(&self, node: RawNode<'_>) -> Span {
        let start = node.range().0;
        Span { file: self.file, start, end: start + 1 + node.name().len() as u32 }
    }
}

/// Reads each file once, up to the limit on bytes for all of them together.
pub(super) struct Reader<'a> {
    files: &'a dyn Files,
    shown: &'a str,
    limits: &'a Limits,
    bytes: usize,
    pub(super) sources: Sources,
    loaded: HashMap<String, Option<Rc<Loaded>>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(files: &'a dyn Files, shown: &'a str, limits: &'a Limits) -> Self {
        Self { files, shown, limits, bytes: 0, sources: Sources::new(), loaded: HashMap::new() }
    }

    /// Reads an XML file of the folder, by its name without extension; `None` if it does not exist.
    pub(super) fn xml(&mut self, name: &str) -> Result<Option<Rc<Loaded>>, FormatError> {
        if let Some(known) = self.loaded.get(name) {
            return Ok(known.clone());
        }
        let loaded = match self.bytes(&format!("{name}.xml"))? {
            None => None,
            Some(bytes) => {
                let decoded = decode(&bytes);
                let (text, _) = decoded.map_err(|problem| self.undecoded(&format!("{name}.xml"), problem))?;
                let text: Arc<str> = text.into();
                let file = self.sources.add(self.path(&format!("{name}.xml")), &*text);
                let tree = parse(&text, self.limits, Doctype::Refused).map_err(|(problem, at)| {
                    let span = Span { file, start: at.start as u32, end: at.end as u32 };
                    FormatError::at(problem, span, self.sources.clone())
                })?;
                Some(Rc::new(Loaded { file, text, tree }))
            }
        };
        self.loaded.insert(name.to_owned(), loaded.clone());
        Ok(loaded)
    }

    /// Reads a script as its file's decoded text; `None` if it does not exist.
    pub(super) fn script(&mut self, name: &str) -> Result<Option<(FileId, Arc<str>)>, FormatError> {
        let Some(bytes) = self.bytes(name)? else { return Ok(None) };
        let text = python_text(&bytes).map_err(|problem| self.undecoded(name, problem))?;
        let text: Arc<str> = text.into();
        Ok(Some((self.sources.add(self.path(name), &*text), text)))
    }

    fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, FormatError> {
        let most = self.limits.bytes.min(u32::MAX as usize - 1);
        let left = most - self.bytes;
        let bytes = self
            .files
            .bytes(name, left + 1)
            .map_err(|e| FormatError::new(Problem::Unreadable(self.path(name).into(), e.to_string())))?;
        let length = bytes.as_ref().map_or(0, Vec::len);
        if length > left {
            return Err(self.undecoded(name, Problem::Limit("bytes", most)));
        }
        self.bytes += length;
        Ok(bytes)
    }

    fn path(&self, name: &str) -> String {
        Path::new(self.shown).join(name).to_string_lossy().into_owned()
    }

    /// Creates the error of a file without readable text.
    fn undecoded(&self, name: &str, problem: Problem) -> FormatError {
        let mut sources = Sources::new();
        sources.add(self.path(name), "");
        FormatError::nowhere(problem, sources)
    }
}

/// Decodes a script as UTF-8, or if that fails in the encoding of its coding line. One leading byte order mark belongs
/// to the file, not to the script.
fn python_text(bytes: &[u8]) -> Result<Cow<'_, str>, Problem> {
    let body = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let error = match std::str::from_utf8(body) {
        Ok(text) => return Ok(Cow::Borrowed(text)),
        Err(e) => Problem::Encoding { encoding: "UTF-8".into(), at: Some(bytes.len() - body.len() + e.valid_up_to()) },
    };
    let encoding = declared(body).and_then(|label| Encoding::for_label(label.as_bytes()));
    encoding.and_then(|e| e.decode_without_bom_handling_and_without_replacement(body)).ok_or(error)
}

/// Returns the encoding that one of the first two lines of a Python file declares, as a label of the WHATWG encoding
/// standard.
fn declared(bytes: &[u8]) -> Option<String> {
    let lines = bytes.split(|b| *b == b'\n').take(2).filter(|l| l.trim_ascii_start().starts_with(b"#"));
    for line in lines {
        let line = String::from_utf8_lossy(line);
        let Some((_, rest)) = line.split_once("coding") else { continue };
        let Some(rest) = rest.strip_prefix([':', '=']) else { continue };
        let name: String =
            rest.trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).collect();
        let name = name.to_ascii_lowercase().replace('_', "-");
        return Some(match name.as_str() {
            "latin-1" | "iso-latin-1" => "latin1".into(),
            _ => name,
        });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_utf8_or_what_their_coding_line_says() {
        assert_eq!(python_text("a = 'é'".as_bytes()).unwrap(), "a = 'é'");
        assert_eq!(python_text(b"\xEF\xBB\xBFx").unwrap(), "x");
        assert_eq!(python_text(b"\xEF\xBB\xBF\xEF\xBB\xBFx").unwrap(), "\u{FEFF}x");
        assert_eq!(python_text(b"# -*- coding: latin-1 -*-\n# \xE9").unwrap(), "# -*- coding: latin-1 -*-\n# é");
        let bad = python_text(b"x\xE9").unwrap_err();
        assert_eq!(bad, Problem::Encoding { encoding: "UTF-8".into(), at: Some(1) });
    }

    #[test]
    fn names_do_not_leave_the_folder() {
        for bad in ["", "..", ".x", "a/b", "..\\x", "C:x", "a\0"] {
            assert!(!is_plain(bad), "{bad:?}");
        }
        assert!(is_plain("l1_Say"));
    }
}
