//! Changes of a text, and the mapping of positions between the old and the new text.

use std::ops::Range;

/// Replacements in one text, none of which overlap.
#[derive(Debug, Default)]
pub(super) struct Patch {
    pieces: Vec<Fragment>,
    /// How much longer the new text is, in bytes.
    longer: isize,
}

#[derive(Debug)]
struct Fragment {
    span: Range<usize>,
    text: String,
    /// By how many bytes the fragments before this one move it.
    shift: isize,
}

impl Patch {
    pub(super) fn new(mut pieces: Vec<(Range<usize>, String)>) -> Self {
        pieces.sort_by_key(|(span, _)| (span.start, span.end));
        let mut longer = 0;
        let shifted = pieces.into_iter().map(|(span, text)| {
            let shift = longer;
            longer += text.len() as isize - span.len() as isize;
            Fragment { span, text, shift }
        });
        let pieces = shifted.collect();
        Self { pieces, longer }
    }

    pub(super) fn apply(&self, text: &str) -> String {
        let (mut new, mut done) = (String::with_capacity(text.len() + 64), 0);
        for piece in &self.pieces {
            new.push_str(text.get(done..piece.span.start).unwrap_or_default());
            new.push_str(&piece.text);
            done = piece.span.end;
        }
        new.push_str(text.get(done..).unwrap_or_default());
        new
    }

    /// Maps a byte position of the old text to the new one. If text was inserted there, `behind` selects the position
    /// behind it.
    pub(super) fn forward(&self, at: usize, behind: bool) -> usize {
        let before =
            |piece: &Fragment| piece.span.end < at || (piece.span.end == at && (behind || !piece.span.is_empty()));
        match self.pieces.get(self.pieces.partition_point(before)) {
            // The position is inside a replaced part.
            Some(piece) if piece.span.start < at => {
                (piece.span.start as isize + piece.shift) as usize + if behind { piece.text.len() } else { 0 }
            }
            Some(piece) => (at as isize + piece.shift) as usize,
            None => (at as isize + self.longer) as usize,
        }
    }

    /// Maps a byte position of the new text to the old one.
    pub(super) fn back(&self, at: usize) -> usize {
        let start = |piece: &Fragment| (piece.span.start as isize + piece.shift) as usize;
        let next = self.pieces.partition_point(|piece| start(piece) <= at);
        match next.checked_sub(1).and_then(|last| self.pieces.get(last)) {
            Some(piece) if at < start(piece) + piece.text.len() => piece.span.start,
            _ => (at as isize - self.pieces.get(next).map_or(self.longer, |piece| piece.shift)) as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Patch;

    #[test]
    fn places_go_there_and_back() {
        // "print x" -> "print(x)", and a line inserted before the second.
        let patch = Patch::new(vec![(12..12, ")".into()), (5..6, "(".into()), (8..8, "new\n".into())]);
        assert_eq!(patch.apply("print a\nfoo x\n"), "print(a\nnew\nfoo )x\n");
        assert_eq!((patch.forward(0, false), patch.forward(8, false), patch.forward(8, true)), (0, 8, 12));
        assert_eq!((patch.forward(7, true), patch.forward(13, true)), (7, 18));
        assert_eq!((patch.back(0), patch.back(9), patch.back(12), patch.back(17)), (0, 8, 8, 12));
    }
}
