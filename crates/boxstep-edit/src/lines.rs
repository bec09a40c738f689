//! Which lines have changed.

use boxstep_format::XarFile;
use boxstep_format::write::Splice;
use std::ops::Range;

/// Returns the lines of a file, from 1, that edits have made or changed, or after which they have removed some.
pub(crate) fn changed(file: &XarFile, edits: &[Vec<Splice>]) -> Vec<Range<u32>> {
    let mut places: Vec<Range<i64>> = Vec::new();
    for splices in edits {
        for place in &mut places {
            *place = moved(place.start, splices)..moved(place.end, splices);
        }
        let mut grown = 0;
        for splice in splices {
            let start = i64::from(splice.start) + grown;
            places.push(start..start + splice.text.len() as i64);
            grown += splice.text.len() as i64 - i64::from(splice.end - splice.start);
        }
    }
    places.sort_by_key(|place| (place.start, place.end));
    let mut lines: Vec<Range<u32>> = Vec::new();
    for place in places {
        let (first, last) = (at(file, place.start), at(file, (place.end - 1).max(place.start)));
        match lines.last_mut() {
            Some(before) if first <= before.end => before.end = before.end.max(last + 1),
            _ => lines.push(first..last + 1),
        }
    }
    lines
}

/// Returns where a byte is after later splices.
fn moved(byte: i64, splices: &[Splice]) -> i64 {
    let before = splices.iter().filter(|splice| i64::from(splice.end) <= byte);
    byte + before.map(|splice| splice.text.len() as i64 - i64::from(splice.end - splice.start)).sum::<i64>()
}

/// Returns the line of a byte. A line end belongs to the line that it begins, because splices insert whole lines after
/// the last character of a line.
fn at(file: &XarFile, byte: i64) -> u32 {
    let byte = byte.max(0) as u32;
    let rest = file.text().get(byte as usize..).unwrap_or_default();
    let after = if rest.starts_with("\r\n") { 2 } else { u32::from(rest.starts_with('\n')) };
    file.sources.line(file.file, byte + after)
}
