//! Scripts of boxes: read from their `.py` files, and put back into the place where a `.xar` has them.

use super::assemble::Assembly;
use super::converted::restored;
use super::files::{Loaded, is_plain};
use super::read::Session;
use super::write::local_name;
use super::xml::SCRIPT_PLACE;
use crate::codes;
use crate::error::FormatError;
use crate::raw::{RawKind, RawNode};
use boxstep_types::Span;
use std::sync::Arc;

/// A box's script, read from its own file.
pub(super) struct SplitScript {
    text: Arc<str>,
    whole: Span,
    /// The script before the original converter changed it, if it did.
    lines: Option<Vec<(String, Span)>>,
}

impl SplitScript {
    fn put(&self, out: &mut Assembly) {
        match &self.lines {
            Some(lines) => out.changed_script(lines),
            None => out.script(&self.text, self.whole),
        }
    }
}

impl Session<'_> {
    pub(super) fn script_of(
        &mut self,
        file: &Loaded,
        node: RawNode<'_>,
        name: &str,
        content: Option<String>,
    ) -> Result<Option<SplitScript>, FormatError> {
        let wanted = content.clone().filter(|c| !c.is_empty()).unwrap_or_else(|| format!("{name}.py"));
        if !is_plain(&wanted) {
            let message = format!("`{wanted}` is not the name of a file of this folder");
            self.report_error(codes::SPLIT_FILE, file.tag(node), message);
            return Ok(None);
        }
        let Some((id, text)) = self.reader.script(&wanted)? else {
            if content.is_some() {
                self.report_error(
                    codes::SPLIT_FILE,
                    file.tag(node),
                    format!("there is no {wanted}: the box has no script"),
                );
            }
            return Ok(None);
        };
        let whole = Span { file: id, start: 0, end: text.len() as u32 };
        let restored = restored(&text, whole, name);
        let Some(restored) = restored else { return Ok(Some(SplitScript { text, whole, lines: None })) };
        for at in &restored.doubtful {
            let message =
                "the original converter wrote this line, and it depends on the converter's library".to_owned();
            self.report_warning(codes::CONVERTED_SCRIPT, *at, message);
        }
        let lines = Some(restored.lines).filter(|lines| !lines.is_empty());
        Ok(lines.map(|lines| SplitScript { text, whole, lines: Some(lines) }))
    }

    /// Adds a script to a box whose file has no `script` element, if its `.py` is not empty.
    pub(super) fn bare_script(&mut self, at: Span, script: Option<&SplitScript>) {
        let Some(script) = script.filter(|s| !s.text.trim().is_empty()) else { return };
        self.out.generated(&format!("<{0}script language=\"4\"><{0}content>", self.prefix), at);
        script.put(&mut self.out);
        self.out.generated(&format!("</{0}content></{0}script>\n", self.prefix), at);
    }

    /// Copies a `script` element, with the script put back in its place.
    pub(super) fn script(&mut self, file: &Loaded, node: RawNode<'_>, script: Option<&SplitScript>) {
        let element = file.span(node);
        let has_text = script.is_some_and(|s| !s.text.is_empty());
        let is_content =
            |n: &RawNode<'_>| n.kind() == RawKind::Element && matches!(local_name(*n), "content" | "Content");
        let content = node.children().find(is_content);
        let start = self.out.begin(element);
        self.out.tag(node.name(), file, node);
        for a in node.attributes() {
            self.out.attribute(a.name(), file, a);
        }
        if node.children().next().is_none() && !has_text {
            return self.out.end_empty(start, element);
        }
        self.out.inside(file.tag(node));
        let mut met = false;
        for child in node.children() {
            if is_content(&child) && !std::mem::replace(&mut met, true) {
                self.content(file, child, script);
            } else {
                self.out.copy(file, child, child.name());
            }
        }
        if let (None, Some(script), true) = (content, script, has_text) {
            let start = self.out.begin(script.whole);
            self.out.generated(&format!("<{}content>", self.prefix), script.whole);
            script.put(&mut self.out);
            self.out.generated(&format!("</{}content>", self.prefix), script.whole);
            self.out.places.element(start, self.out.text.len(), script.whole);
            self.out.newline(script.whole);
        }
        self.out.end(node.name(), start, element);
    }

    fn content(&mut self, file: &Loaded, node: RawNode<'_>, script: Option<&SplitScript>) {
        let element = file.span(node);
        let start = self.out.begin(element);
        self.out.tag(node.name(), file, node);
        for a in node.attributes() {
            self.out.attribute(a.name(), file, a);
        }
        self.out.generated(">", file.tag(node));
        let is_place = |n: &RawNode<'_>| n.source() == SCRIPT_PLACE;
        let marked = node.children().any(|n| is_place(&n));
        let empty = node.children().next().is_none();
        for child in node.children() {
            match script {
                Some(script) if is_place(&child) => script.put(&mut self.out),
                _ => self.out.verbatim(file, child.range().0, child.range().1),
            }
        }
        if let Some(script) = script.filter(|s| !marked && (empty || !s.text.is_empty())) {
            script.put(&mut self.out);
        }
        self.out.generated(&format!("</{}>", node.name()), element);
        self.out.places.element(start, self.out.text.len(), element);
        self.out.newline(element);
    }
}
