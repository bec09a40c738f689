//! Parses a YAML or JSON text to a tree with positions. JSON is YAML 1.2, so there is one parser.
//!
//! Texts are untrusted input: their size, depth and number of parts are bounded. Parts that aliases repeat count each
//! time.

use crate::finding::{Finding, Rule};
use boxstep_types::Value;
use granit_parser::{Event, Options, Parser, ScalarStyle, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The largest text that is read, in bytes.
pub const MAX_BYTES: usize = 32 << 20;
/// The largest nesting depth of lists and maps.
pub const MAX_DEPTH: usize = 100;
/// The largest number of texts, numbers, lists and maps.
pub const MAX_PARTS: usize = 4_000_000;
/// How many keys are interned: most of a file's keys are the same few words.
const MAX_WORDS: usize = 256;

/// A position in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The first byte, from 0.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub col: u32,
}

impl Place {
    fn of(span: &Span) -> Self {
        let byte = |marker: granit_parser::Marker| marker.byte_offset().unwrap_or_else(|| marker.index()) as u32;
        Self {
            start: byte(span.start),
            end: byte(span.end),
            line: span.start.line().max(1) as u32,
            col: span.start.col() as u32 + 1,
        }
    }
}

/// A part of a text. Clones share its contents.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tree {
    pub(crate) at: Place,
    pub(crate) what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Arc<str>),
    List(Rc<[Tree]>),
    Map(Rc<[(Key, Tree)]>),
}

/// The key of a pair.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub(crate) text: Arc<str>,
    pub(crate) at: Place,
}

impl Tree {
    /// Returns the value of a key of a map.
    pub(crate) fn get(&self, key: &str) -> Option<&Tree> {
        match &self.what {
            What::Map(pairs) => pairs.iter().find(|(k, _)| &*k.text == key).map(|(_, value)| value),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&Arc<str>> {
        match &self.what {
            What::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self.what {
            What::Int(n) => Some(n as f64),
            What::Float(x) => Some(x),
            _ => None,
        }
    }

    /// Returns the type of the part, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self.what {
            What::Null => "nothing",
            What::Bool(_) => "true or false",
            What::Int(_) => "a whole number",
            What::Float(_) => "a number",
            What::Text(_) => "a text",
            What::List(_) => "a list",
            What::Map(_) => "a map",
        }
    }

    /// Converts the part to the value that behaviors, services and memory use.
    pub(crate) fn value(&self) -> Value {
        match &self.what {
            What::Null => Value::Null,
            What::Bool(b) => Value::Bool(*b),
            What::Int(n) => Value::Int(*n),
            What::Float(x) => Value::Float(*x),
            What::Text(text) => Value::Str(text.clone()),
            What::List(items) => Value::list(items.iter().map(|item| item.value())),
            What::Map(pairs) => Value::map(pairs.iter().map(|(key, value)| (key.text.clone(), value.value()))),
        }
    }
}

/// A list or map that is not complete yet.
struct Unfinished {
    at: Place,
    is_map: bool,
    /// The index of its first part in the builder's items or pairs.
    first: usize,
    /// The key whose value comes next.
    key: Option<Key>,
    anchor: usize,
    /// The number of parts before it.
    before: usize,
    /// The nesting depth of its deepest part.
    height: usize,
}

/// A part that aliases can repeat.
struct Anchored {
    tree: Tree,
    parts: usize,
    height: usize,
}

struct Builder<'f> {
    open: Vec<Unfinished>,
    /// The contents of incomplete lists, and of incomplete maps; those of inner ones come last.
    items: Vec<Tree>,
    pairs: Vec<(Key, Tree)>,
    words: HashSet<Arc<str>>,
    anchors: HashMap<usize, Anchored>,
    parts: usize,
    root: Option<Tree>,
    findings: &'f mut Vec<Finding>,
}

/// Parses a text. `None` if there is no tree to read further; the findings say why.
pub(crate) fn read(text: &str, findings: &mut Vec<Finding>) -> Option<Tree> {
    if text.len() > MAX_BYTES {
        let message = format!("the file has {} bytes; {MAX_BYTES} are read at most", text.len());
        findings.push(Finding::new(Rule::TooMuch, Place { line: 1, col: 1, ..Place::default() }, message));
        return None;
    }
    let mut options = Options::default();
    (options.flow_nesting_limit, options.block_nesting_limit) = (MAX_DEPTH, MAX_DEPTH);
    let mut builder = Builder {
        open: Vec::new(),
        items: Vec::new(),
        pairs: Vec::new(),
        words: HashSet::new(),
        anchors: HashMap::new(),
        parts: 0,
        root: None,
        findings,
    };
    for event in Parser::new_from_str_with_options(text, options) {
        let answer = match event {
            Ok((event, span)) => builder.take(event, &span),
            Err(error) => {
                let marker = *error.marker();
                let at = Place::of(&Span::empty(marker));
                Err(Finding::new(Rule::NotYaml, at, format!("not YAML: {}", error.info())))
            }
        };
        if let Err(finding) = answer {
            builder.findings.push(finding);
            return None;
        }
    }
    if builder.root.is_none() && builder.findings.is_empty() {
        let at = Place { line: 1, col: 1, ..Place::default() };
        builder.findings.push(Finding::new(Rule::Missing, at, "the file is empty"));
    }
    builder.root
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>, span: &Span) -> Result<(), Finding> {
        let at = Place::of(span);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let core = tag.as_ref().is_some_and(|tag| tag.core_suffix() == Some("str"));
                if tag.is_some() && !core {
                    return Err(Finding::new(Rule::NotYaml, at, "tags other than !!str have no meaning here"));
                }
                let meant = if style == ScalarStyle::Plain && !core { plain(&text) } else { None };
                let what = meant.unwrap_or_else(|| What::Text(self.text(&text)));
                self.put(Tree { at, what }, anchor, 1, 1, 0)
            }
            Event::SequenceStart(.., Some(_)) | Event::MappingStart(.., Some(_)) => {
                Err(Finding::new(Rule::NotYaml, at, "tags of lists and maps have no meaning here"))
            }
            Event::SequenceStart(_, anchor, _) => self.begin(at, false, anchor),
            Event::MappingStart(_, anchor, _) => self.begin(at, true, anchor),
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(mut open) = self.open.pop() else { return Ok(()) };
                open.at.end = open.at.end.max(at.end);
                let what = match open.is_map {
                    true => What::Map(self.pairs.drain(open.first..).collect()),
                    false => What::List(self.items.drain(open.first..).collect()),
                };
                let parts = self.parts - open.before + 1;
                self.put(Tree { at: open.at, what }, open.anchor, parts, 1, open.height + 1)
            }
            Event::Alias(id) => {
                let Some(Anchored { tree, parts, height }) = self.anchors.get(&id) else {
                    return Err(Finding::new(Rule::NotYaml, at, "the alias is inside the part that it refers to"));
                };
                let (tree, parts, height) = (tree.clone(), *parts, *height);
                if self.open.len() + height > MAX_DEPTH {
                    return Err(Finding::new(Rule::TooMuch, at, format!("more than {MAX_DEPTH} levels")));
                }
                self.put(tree, 0, parts, parts, height)
            }
            Event::DocumentStart(..) if self.root.is_some() => {
                Err(Finding::new(Rule::NotYaml, at, "a second document: a file is one character"))
            }
            _ => Ok(()),
        }
    }

    /// Returns a text. The texts of keys are interned, because they are likely to repeat.
    fn text(&mut self, text: &str) -> Arc<str> {
        let is_key = self.open.last().is_some_and(|open| open.is_map && open.key.is_none());
        if !is_key {
            return text.into();
        }
        if let Some(word) = self.words.get(text) {
            return word.clone();
        }
        let word: Arc<str> = text.into();
        if self.words.len() < MAX_WORDS {
            self.words.insert(word.clone());
        }
        word
    }

    fn begin(&mut self, at: Place, is_map: bool, anchor: usize) -> Result<(), Finding> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Finding::new(Rule::TooMuch, at, format!("more than {MAX_DEPTH} levels")));
        }
        let first = if is_map { self.pairs.len() } else { self.items.len() };
        self.open.push(Unfinished { at, is_map, first, key: None, anchor, before: self.parts, height: 0 });
        Ok(())
    }

    /// Adds a complete part, with its number of parts, and how many of these have not been counted yet.
    fn put(&mut self, tree: Tree, anchor: usize, parts: usize, new: usize, height: usize) -> Result<(), Finding> {
        self.parts += new;
        if self.parts > MAX_PARTS {
            return Err(Finding::new(Rule::TooMuch, tree.at, format!("more than {MAX_PARTS} parts")));
        }
        if anchor != 0 {
            self.anchors.insert(anchor, Anchored { tree: tree.clone(), parts, height });
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(tree);
            return Ok(());
        };
        open.height = open.height.max(height);
        match (open.is_map, open.key.take()) {
            (false, _) => self.items.push(tree),
            (true, Some(key)) => self.pairs.push((key, tree)),
            (true, None) => open.key = Some(Key { at: tree.at, text: key(tree)? }),
        }
        Ok(())
    }
}

fn key(tree: Tree) -> Result<Arc<str>, Finding> {
    Ok(match tree.what {
        What::Text(text) if &*text == "<<" => {
            let why = "merge keys (`<<`) are not read: write what they stand for, or use a pattern (`takes`, `use`)";
            return Err(Finding::new(Rule::NotYaml, tree.at, why));
        }
        What::Text(text) => text,
        What::Bool(b) => b.to_string().into(),
        What::Int(n) => n.to_string().into(),
        What::Float(x) => x.to_string().into(),
        What::Null => "null".into(),
        What::List(_) | What::Map(_) => {
            return Err(Finding::new(
                Rule::WrongType,
                tree.at,
                format!("a key is a text, and this is {}", tree.kind()),
            ));
        }
    })
}

/// Returns the meaning of an unquoted text by the core schema of YAML 1.2; `None` for a text.
fn plain(text: &str) -> Option<What> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Some(What::Null),
        "true" | "True" | "TRUE" => return Some(What::Bool(true)),
        "false" | "False" | "FALSE" => return Some(What::Bool(false)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Some(What::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => return Some(What::Float(f64::NEG_INFINITY)),
        ".nan" | ".NaN" | ".NAN" => return Some(What::Float(f64::NAN)),
        _ => {}
    }
    // Rust also parses `inf` and `nan`, which are texts here.
    if !text.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let based = |digits: &str, base| i64::from_str_radix(digits, base).ok().filter(|_| !digits.starts_with(['+', '-']));
    let whole = match text.get(..2) {
        Some("0x") => based(&text[2..], 16),
        Some("0o") => based(&text[2..], 8),
        _ => text.parse().ok(),
    };
    whole.map(What::Int).or_else(|| text.parse().ok().map(What::Float))
}
