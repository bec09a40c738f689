//! Changes of a text, and which place of the old text is which of the new one.

use std::ops::Range;

/// Replacements in one text, none of which overlap.
#[derive(Debug, Default)]
pub(super) struct Patch {
    pieces: Vec<(Range<usize>, String)>,
}

impl Patch {
    pub(super) fn new(mut pieces: Vec<(Range<usize>, String)>) -> Self {
        pieces.sort_by_key(|(span, _)| (span.start, span.end));
        Self { pieces }
    }

    pub(super) fn apply(&self, text: &str) -> String {
        let (mut new, mut done) = (String::with_capacity(text.len() + 64), 0);
        for (span, piece) in &self.pieces {
            new.push_str(text.get(done..span.start).unwrap_or_default());
            new.push_str(piece);
            done = span.end;
        }
        new.push_str(text.get(done..).unwrap_or_default());
        new
    }

    /// Where a place of the old text is in the new one; behind what was put in there, or before it.
    pub(super) fn forward(&self, at: usize, behind: bool) -> usize {
        let mut moved = at as isize;
        for (span, piece) in &self.pieces {
            let before = span.end < at || (span.end == at && (behind || !span.is_empty()));
            if before {
                moved += piece.len() as isize - span.len() as isize;
            } else if span.start < at {
                // Within what was replaced.
                return (moved - (at - span.start) as isize) as usize + if behind { piece.len() } else { 0 };
            } else {
                break;
            }
        }
        moved as usize
    }

    /// Where a place of the new text comes from.
    pub(super) fn back(&self, at: usize) -> usize {
        let mut shift = 0_isize;
        for (span, piece) in &self.pieces {
            let start = (span.start as isize + shift) as usize;
            if at < start {
                break;
            }
            if at < start + piece.len() {
                return span.start;
            }
            shift += piece.len() as isize - span.len() as isize;
        }
        (at as isize - shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Patch;

    #[test]
    fn places_go_there_and_back() {
        // "print x" -> "print(x)", a line put in before the second.
        let patch = Patch::new(vec![(12..12, ")".into()), (5..6, "(".into()), (8..8, "new\n".into())]);
        assert_eq!(patch.apply("print a\nfoo x\n"), "print(a\nnew\nfoo )x\n");
        assert_eq!((patch.forward(0, false), patch.forward(8, false), patch.forward(8, true)), (0, 8, 12));
        assert_eq!((patch.forward(7, true), patch.forward(13, true)), (7, 18));
        assert_eq!((patch.back(0), patch.back(9), patch.back(12), patch.back(17)), (0, 8, 8, 12));
    }
}
