//! Edits of a file that change only the lines they concern.

use super::printer::{Printer, Style, check, escape, push_attribute, push_section};
use super::touched::Touched;
use super::{Splice, WriteError, layout, order};
use crate::raw::{RawKind, RawNode, RawView};
use boxstep_types::{FileId, Span};

/// The position of a new element.
#[derive(Clone, Copy, Debug)]
pub enum At<'a> {
    /// Before all content of an element.
    Start(RawNode<'a>),
    /// After all content of an element.
    End(RawNode<'a>),
    /// Before a sibling.
    Before(RawNode<'a>),
    /// After a sibling.
    After(RawNode<'a>),
}

/// A list of changes to one file, all relative to the file as it was read.
///
/// New lines get the line ends and indentation of their neighbors; in a file on a single line, no new line is begun.
/// [`crate::XarFile::edits`] creates a list, and [`crate::XarFile::edited`] applies it. An invalid change is reported
/// when the list is applied.
///
/// ```
/// use boxstep_format::{Limits, read_xar};
///
/// let xar = br#"<ChoregrapheProject xar_version="3"><Box  id='-1'  name="root"/></ChoregrapheProject>"#;
/// let file = read_xar("behavior.xar", xar, &Limits::default())?;
/// let root = file.raw().all().find(|node| node.name() == "Box").expect("a box");
/// let mut edits = file.edits();
/// edits.set_attribute(root, "name", "main");
/// let edited = file.edited(edits, &Limits::default()).expect("a file that can be read");
/// assert_eq!(&*edited.project.root.name, "main");
/// // Everything else keeps its bytes, white space and quotes included.
/// assert!(edited.text().contains(r#"<Box  id='-1'  name="main"/>"#));
/// # Ok::<(), boxstep_format::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Edits<'a> {
    file: FileId,
    view: RawView<'a>,
    splices: Vec<Splice>,
    fault: Option<WriteError>,
    touched: Option<&'a Touched>,
}

impl<'a> Edits<'a> {
    pub(crate) fn new(file: FileId, view: RawView<'a>) -> Self {
        Self { file, view, splices: Vec::new(), fault: None, touched: None }
    }

    /// Says which parts of a model can differ from what was read, so that [`Edits::set_box`] looks at no others.
    #[must_use]
    pub fn only(mut self, touched: &'a Touched) -> Self {
        self.touched = Some(touched);
        self
    }

    pub(super) fn touched(&self) -> Option<&'a Touched> {
        self.touched
    }

    /// Sets the value of an attribute. A new attribute is placed where Choregraphe writes it.
    pub fn set_attribute(&mut self, element: RawNode<'a>, name: &str, value: &str) {
        self.remember(check(value, name));
        if !self.is_element(element) {
            return;
        }
        if let Some(a) = element.attributes().find(|a| a.name() == name) {
            let mut text = String::new();
            escape(&mut text, value);
            return self.splice(a.value_range(), text);
        }
        let local = element.name().rsplit(':').next().unwrap_or_default();
        let rank = order::rank(local, name);
        let before = element.attributes().filter(|a| order::rank(local, a.name()) <= rank).last();
        let at = match before {
            Some(a) => a.value_range().1 + 1,
            None => element.range().0 + 1 + element.name().len() as u32,
        };
        let mut text = String::new();
        push_attribute(&mut text, name, value);
        self.splice((at, at), text);
    }

    /// Removes an attribute, if the element has it.
    pub fn remove_attribute(&mut self, element: RawNode<'a>, name: &str) {
        let Some(a) = element.attributes().find(|a| a.name() == name) else { return };
        let before = self.view.slice(element.range().0, a.start());
        let white = before.len() - before.trim_end().len();
        self.splice((a.start() - white as u32, a.value_range().1 + 1), String::new());
    }

    /// Replaces the text of an element. A CDATA section stays one, and the text of a `content` element always becomes
    /// one. Comments beside it stay.
    pub fn set_text(&mut self, element: RawNode<'a>, text: &str) {
        self.remember(check(text, element.name()));
        if !self.is_element(element) {
            return;
        }
        let is_text = |n: &RawNode<'_>| matches!(n.kind(), RawKind::Text | RawKind::CData);
        let old: Vec<_> = element.children().filter(is_text).collect();
        let local = element.name().rsplit(':').next().unwrap_or_default();
        // A script counts its sections only.
        let place = old.iter().find(|n| n.kind() == RawKind::CData).or(old.first());
        let section = local.eq_ignore_ascii_case("content") || place.is_some_and(|n| n.kind() == RawKind::CData);
        let mut new = String::new();
        if section {
            push_section(&mut new, text);
        } else {
            escape(&mut new, text);
        }
        if let Some(place) = place {
            for other in old.iter().filter(|other| other.range() != place.range()) {
                self.splice(other.range(), String::new());
            }
            return self.splice(place.range(), new);
        }
        if section && let Some(style) = self.style_inside(element) {
            new = format!("{nl}{}{new}{nl}", style.indent, nl = style.newline);
        }
        self.fill(element, new);
    }

    /// Inserts new elements, those that `print` prints, at a position.
    pub fn insert(&mut self, at: At<'a>, print: impl FnOnce(&mut Printer)) {
        let (neighbour, style) = match at {
            At::Start(parent) | At::End(parent) => (parent, self.style_inside(parent)),
            At::Before(sibling) | At::After(sibling) => (sibling, self.style_of(sibling)),
        };
        let compact = Style { newline: "", indent: String::new(), unit: "" };
        let style = style.unwrap_or(compact);
        let mut printer = Printer::new(style.clone()).with_prefix(layout::prefix(self.view));
        print(&mut printer);
        let printed = match printer.finish() {
            Ok(printed) => printed,
            Err(fault) => return self.remember(Err(fault)),
        };
        if matches!(at, At::Start(_) | At::End(_)) && !self.is_element(neighbour) {
            return;
        }
        let nl = style.newline;
        // The text is inserted after the last character of a line and before its line end.
        let lines = || format!("{nl}{}", printed.strip_suffix(nl).unwrap_or(&printed));
        match at {
            At::After(sibling) => self.splice((sibling.range().1, sibling.range().1), lines()),
            At::Before(sibling) => {
                let own = printed.strip_prefix(style.indent.as_str()).unwrap_or(&printed);
                let text = format!("{own}{}", style.indent);
                self.splice((sibling.range().0, sibling.range().0), text);
            }
            At::Start(parent) | At::End(parent) => {
                let end = parent.children().last().filter(|_| matches!(at, At::End(_))).map(|n| n.range().1);
                match end {
                    Some(end) => self.splice((end, end), lines()),
                    None if parent.children().next().is_some() => {
                        let start = parent.start_tag_end();
                        self.splice((start, start), lines());
                    }
                    None => {
                        let outer = self.indent(parent).unwrap_or_default();
                        self.fill(parent, format!("{nl}{printed}{outer}"));
                    }
                }
            }
        }
    }

    /// Removes a node, and its line if nothing else is on it.
    pub fn remove(&mut self, node: RawNode<'a>) {
        let (mut start, mut end) = node.range();
        let after = self.view.slice(end, self.view.text().len() as u32);
        let rest = after.split('\n').next().unwrap_or_default();
        if let Some(indent) = self.indent(node)
            && rest.trim().is_empty()
            && rest.len() < after.len()
        {
            start -= indent.len() as u32;
            end += rest.len() as u32 + 1;
        }
        self.splice((start, end), String::new());
    }

    /// Returns the changes as splices, in the order of their ranges.
    ///
    /// # Errors
    /// An invalid change, or two changes of the same bytes.
    pub fn splices(mut self) -> Result<Vec<Splice>, WriteError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        // The sort is stable: insertions at the same offset stay in the order of the calls.
        self.splices.sort_by_key(|s| (s.start, s.end));
        match self.splices.windows(2).find(|pair| matches!(pair, [a, b] if b.start < a.end)) {
            Some([_, Splice { start, end, .. }]) => {
                Err(WriteError::Overlap(Span { file: self.file, start: *start, end: *end }))
            }
            _ => Ok(self.splices),
        }
    }

    /// Puts text into an element that contains only white space.
    fn fill(&mut self, element: RawNode<'a>, text: String) {
        if !element.is_self_closing() {
            return self.splice(element.inside_range(), text);
        }
        let end = element.range().1;
        let tag = element.source();
        let kept = tag.strip_suffix("/>").unwrap_or(tag).trim_end().len() as u32;
        self.splice((element.range().0 + kept, end), format!(">{text}</{}>", element.name()));
    }

    /// Returns the white space before a node that begins a line; `None` if it does not begin one.
    fn indent(&self, node: RawNode<'a>) -> Option<&'a str> {
        let before = self.view.slice(0, node.range().0);
        let (_, line) = before.rsplit_once('\n')?;
        line.trim().is_empty().then_some(line)
    }

    /// Returns the layout for siblings of a node; `None` if they belong on the node's line.
    fn style_of(&self, node: RawNode<'a>) -> Option<Style> {
        let indent = self.indent(node)?.to_owned();
        let unit = if indent.contains('\t') { "\t" } else { "    " };
        Some(Style { newline: layout::newline(self.view), indent, unit })
    }

    /// Returns the layout for children of a node; `None` if they belong on the node's line.
    fn style_inside(&self, node: RawNode<'a>) -> Option<Style> {
        if let Some(child) = node.children().next() {
            return self.style_of(child);
        }
        let own = self.style_of(node).or_else(|| {
            // The root may begin on the only line of its file; its children still get lines of their own.
            node.parent().is_none().then(|| Style { newline: layout::newline(self.view), ..Style::default() })
        })?;
        Some(Style { indent: own.indent.clone() + own.unit, ..own })
    }

    fn is_element(&mut self, node: RawNode<'a>) -> bool {
        let is = node.kind() == RawKind::Element;
        if !is {
            let (start, end) = node.range();
            self.remember(Err(WriteError::NotAnElement(Span { file: self.file, start, end })));
        }
        is
    }

    fn splice(&mut self, (start, end): (u32, u32), text: String) {
        self.splices.push(Splice { start, end, text });
    }

    pub(super) fn view(&self) -> RawView<'a> {
        self.view
    }

    /// The file that is changed.
    pub(super) fn file(&self) -> FileId {
        self.file
    }

    pub(super) fn remember(&mut self, result: Result<(), WriteError>) {
        if let Err(fault) = result {
            self.fault.get_or_insert(fault);
        }
    }
}
