//! Which parts of a model somebody may have changed.

use boxstep_types::Span;

/// The parts of a file's model that may differ from what was read: everything else is a copy of it. So a change of a
/// large file costs no comparison of all that is in it.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    /// Ranges of bytes whose items may all be others, in order and apart from each other.
    whole: Vec<(u32, u32)>,
    /// Elements whose own list of items may be another one, but not the items, by their first byte and in order.
    lists: Vec<u32>,
}

/// What may have happened to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// Nothing: it is as it was read.
    Nothing,
    /// Something inside it.
    Inside,
    /// Anything.
    Anything,
}

impl Touched {
    /// Says that an item, and everything in it, may have changed.
    pub fn whole(&mut self, span: Span) {
        let (mut start, mut end) = (span.start, span.end);
        let first = self.whole.partition_point(|range| range.1 < start);
        let last = self.whole.partition_point(|range| range.0 <= end);
        if let Some(ranges) = self.whole.get(first..last).filter(|ranges| !ranges.is_empty()) {
            start = ranges.iter().fold(start, |least, range| least.min(range.0));
            end = ranges.iter().fold(end, |most, range| most.max(range.1));
        }
        self.whole.splice(first..last, [(start, end)]);
    }

    /// Says that items may have come to an element, or have gone, except boxes; what stays is as it was.
    pub fn list(&mut self, span: Span) {
        let at = self.lists.partition_point(|start| *start < span.start);
        if self.lists.get(at) != Some(&span.start) {
            self.lists.insert(at, span.start);
        }
    }

    /// Whether an item is as it was read, with all that is in it.
    pub(crate) fn is_as_read(&self, span: Span) -> bool {
        self.of(span) == Touch::Nothing
    }

    pub(super) fn of(&self, span: Span) -> Touch {
        let next = self.whole.partition_point(|range| range.1 <= span.start);
        match self.whole.get(next) {
            Some(range) if range.0 <= span.start && span.end <= range.1 => return Touch::Anything,
            Some(range) if range.0 < span.end => return Touch::Inside,
            _ => {}
        }
        let list = self.lists.get(self.lists.partition_point(|start| *start < span.start));
        if list.is_some_and(|start| *start < span.end) { Touch::Inside } else { Touch::Nothing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_types::FileId;

    #[test]
    fn what_is_around_and_in_a_touched_item_is_told_from_the_rest() {
        let span = |start, end| Span { file: FileId(0), start, end };
        let mut touched = Touched::default();
        touched.whole(span(20, 30));
        touched.whole(span(50, 60));
        touched.list(span(80, 90));
        for (range, is) in [
            ((0, 10), Touch::Nothing),
            ((0, 100), Touch::Inside),
            ((20, 30), Touch::Anything),
            ((22, 28), Touch::Anything),
            ((30, 50), Touch::Nothing),
            ((40, 70), Touch::Inside),
            ((80, 90), Touch::Inside),
            ((81, 85), Touch::Nothing),
            ((90, 95), Touch::Nothing),
        ] {
            assert_eq!(touched.of(span(range.0, range.1)), is, "{range:?}");
        }
        touched.whole(span(10, 55));
        assert_eq!((touched.whole.as_slice(), touched.of(span(35, 40))), ([(10, 60)].as_slice(), Touch::Anything));
    }
}
