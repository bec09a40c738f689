//! The state that all reading functions share: spans, findings, interned names, attribute values.

use super::known::Known;
use crate::model::BoxDef;
use crate::raw::{RawAttribute, RawKind, RawNode};
use crate::{Limits, codes};
use boxstep_types::{Code, Diagnostic, FileId, Span};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

pub(super) struct Context<'a> {
    file: FileId,
    limits: &'a Limits,
    findings: Vec<Diagnostic>,
    unshown: usize,
    names: HashMap<Cow<'a, str>, Arc<str>>,
    /// The root element's prefix with its colon, which all known elements have too.
    prefix: &'a str,
    /// What was read of this file before it was changed.
    known: Option<&'a Known<'a>>,
}

impl<'a> Context<'a> {
    pub(super) fn new(file: FileId, limits: &'a Limits, prefix: &'a str, known: Option<&'a Known<'a>>) -> Self {
        Self { file, limits, findings: Vec::new(), unshown: 0, names: HashMap::new(), prefix, known }
    }

    /// Returns a box that has not changed since the file was read before, and reports what was found in it then.
    pub(super) fn known_box(&mut self, node: RawNode<'a>) -> Option<BoxDef> {
        let (def, findings) = self.known?.box_at(self.file, node.range())?;
        findings.into_iter().for_each(|finding| self.report(finding));
        Some(def)
    }

    pub(super) fn finish(mut self, root: RawNode<'a>) -> Vec<Diagnostic> {
        self.findings.sort_by_key(|d| d.span.map_or(0, |s| s.start));
        if self.unshown > 0 {
            let n = self.unshown;
            let more = Diagnostic::warning(codes::MORE_FINDINGS, format!("there are {n} more findings"));
            self.findings.push(more.at(self.tag_span(root)));
        }
        self.findings
    }

    pub(super) fn report(&mut self, finding: Diagnostic) {
        if self.findings.len() < self.limits.findings {
            self.findings.push(finding);
        } else {
            self.unshown += 1;
        }
    }

    pub(super) fn warn(&mut self, code: Code, at: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(code, message).at(at));
    }

    pub(super) fn error(&mut self, code: Code, at: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, message).at(at));
    }

    pub(super) fn span(&self, (start, end): (u32, u32)) -> Span {
        Span { file: self.file, start, end }
    }

    pub(super) fn node_span(&self, node: RawNode<'a>) -> Span {
        self.span(node.range())
    }

    /// The span of `<name` of an element, which messages refer to.
    pub(super) fn tag_span(&self, node: RawNode<'a>) -> Span {
        let start = node.range().0;
        self.span((start, start + 1 + node.name().len() as u32))
    }

    pub(super) fn value_span(&self, attribute: RawAttribute<'a>) -> Span {
        self.span(attribute.value_range())
    }

    /// The element's name without the root's prefix.
    pub(super) fn local(&self, node: RawNode<'a>) -> &'a str {
        let name = node.name();
        if self.prefix.is_empty() { name } else { name.strip_prefix(self.prefix).unwrap_or(name) }
    }

    /// Returns one shared string for all equal names in a file.
    pub(super) fn intern(&mut self, text: Cow<'a, str>) -> Arc<str> {
        if let Some(known) = self.names.get(&text) {
            return known.clone();
        }
        let name: Arc<str> = Arc::from(&*text);
        self.names.insert(text, name.clone());
        name
    }

    pub(super) fn unknown_element(&mut self, node: RawNode<'a>) {
        let parent = node.parent().map_or("", |p| self.local(p));
        let message = format!("<{}> is not known inside <{parent}>", node.name());
        self.warn(codes::UNKNOWN_ELEMENT, self.tag_span(node), message);
    }

    pub(super) fn repeated(&mut self, node: RawNode<'a>) {
        let message = format!("a second <{}>; the first one counts", node.name());
        self.warn(codes::REPEATED_ELEMENT, self.tag_span(node), message);
    }

    pub(super) fn missing(&mut self, node: RawNode<'a>, attribute: &str) {
        let message = format!("<{}> has no `{attribute}`", node.name());
        self.error(codes::MISSING_ATTRIBUTE, self.tag_span(node), message);
    }

    /// Reports an unknown attribute. Namespace declarations and `xml:` or `xsi:` attributes belong to XML and are
    /// ignored.
    pub(super) fn unknown_attribute(&mut self, node: RawNode<'a>, attribute: RawAttribute<'a>) {
        let name = attribute.name();
        if name == "xmlns" || name.starts_with("xmlns:") || name.starts_with("xml:") || name.starts_with("xsi:") {
            return;
        }
        let at = self.span((attribute.start(), attribute.start() + name.len() as u32));
        let message = format!("`{name}` is not an attribute of <{}>", node.name());
        self.report(Diagnostic::note(codes::UNKNOWN_ATTRIBUTE, message).at(at));
    }

    pub(super) fn other_spelling(&mut self, at: Span, found: &str, usual: &str) {
        let message = format!("`{found}` is read as `{usual}`");
        self.report(Diagnostic::note(codes::OTHER_SPELLING, message).at(at));
    }

    /// Reports an element under an unusual spelling.
    pub(super) fn element_spelling(&mut self, node: RawNode<'a>, usual: &str) {
        self.other_spelling(self.tag_span(node), node.name(), usual);
    }

    /// Reports the elements inside an element that holds only data.
    pub(super) fn no_children(&mut self, node: RawNode<'a>) {
        for child in node.elements() {
            self.unknown_element(child);
        }
    }

    /// The text of an element such as `bitmap`, without the white space around it.
    pub(super) fn trimmed_content(&mut self, node: RawNode<'a>) -> String {
        self.no_children(node);
        node.content().trim().to_owned()
    }

    /// Parses a whole number, which may be written as `25.0`; reports anything else.
    pub(super) fn int(&mut self, attribute: RawAttribute<'a>) -> Option<i32> {
        let value = attribute.value();
        let whole = whole_number(&value);
        if whole.is_none() {
            self.bad_number(attribute, value.trim(), "a whole number");
        }
        whole
    }

    /// Parses a finite number with a decimal point; reports anything else.
    pub(super) fn float(&mut self, attribute: RawAttribute<'a>) -> Option<f64> {
        let value = attribute.value();
        let text = value.trim();
        let number = text.parse::<f64>().ok().filter(|x| x.is_finite());
        if number.is_none() {
            self.bad_number(attribute, text, "a number");
        }
        number
    }

    fn bad_number(&mut self, attribute: RawAttribute<'a>, text: &str, what: &str) {
        let message = format!("`{}` is `{}`, which is not {what}", attribute.name(), shorten(text));
        self.error(codes::BAD_NUMBER, self.value_span(attribute), message);
    }

    /// Parses 0, 1, true or false; reports anything else.
    pub(super) fn flag(&mut self, attribute: RawAttribute<'a>) -> Option<bool> {
        let value = attribute.value();
        let flag = crate::params::flag(&value);
        if flag.is_none() {
            let message = format!("`{}` is `{}`; it should be 0 or 1", attribute.name(), shorten(&value));
            self.warn(codes::BAD_FLAG, self.value_span(attribute), message);
        }
        flag
    }

    /// Parses a number that has a meaning in a table of the format; reports one that has none.
    pub(super) fn code<T: Copy>(
        &mut self,
        attribute: RawAttribute<'a>,
        known: impl Fn(i32) -> Option<T>,
        unknown: impl Fn(i32) -> T,
    ) -> Option<T> {
        let number = self.int(attribute)?;
        Some(known(number).unwrap_or_else(|| {
            self.unknown_code(attribute, &number.to_string());
            unknown(number)
        }))
    }

    pub(super) fn unknown_code(&mut self, attribute: RawAttribute<'a>, code: &str) {
        let message = format!("`{}` has no meaning for `{}`", shorten(code), attribute.name());
        self.warn(codes::UNKNOWN_CODE, self.value_span(attribute), message);
    }

    /// Reports ids that more than one of `items` has. `what` names the items in messages.
    pub(super) fn duplicate_ids(&mut self, what: &str, items: impl Iterator<Item = (i32, Span)>) {
        let mut seen: Vec<(i32, Span)> = items.filter(|(id, _)| *id != crate::model::NO_ID).collect();
        seen.sort_by_key(|(id, at)| (*id, at.start));
        for pair in seen.windows(2) {
            let [(a, first), (b, second)] = pair else { continue };
            if a == b {
                let at = Span { end: second.start + 1, ..*second };
                let finding = Diagnostic::error(codes::DUPLICATE_ID, format!("{what} has the id {b} a second time"))
                    .at(at)
                    .with_note(Some(Span { end: first.start + 1, ..*first }), "it is used here first")
                    .help("links to this id go to the first one");
                self.report(finding);
            }
        }
    }
}

/// Shortens a text to the length that fits into a message.
pub(super) fn shorten(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(40) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Returns the first text or CDATA section inside an element, if there is one.
pub(super) fn has_stray_text(node: RawNode<'_>) -> Option<RawNode<'_>> {
    node.children().find(|n| matches!(n.kind(), RawKind::Text | RawKind::CData))
}

/// Parses a whole number as files write it: `2.0` is 2.
pub(crate) fn whole_number(text: &str) -> Option<i32> {
    let text = text.trim();
    let float = || text.parse::<f64>().ok().filter(|x| x.fract() == 0.0 && x.abs() < 2_147_483_648.0);
    text.parse().ok().or_else(|| float().map(|x| x as i32))
}
