//! Which lines have changed.

use boxstep_format::XarFile;
use boxstep_format::write::Splice;
use boxstep_types::line_ends;
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
    let mut known = (0, 1);
    for place in places {
        let first = at(file, place.start, &mut known);
        let last = at(file, (place.end - 1).max(place.start), &mut known);
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
/// the last character of a line. `known` is a byte with its line: what was asked for last.
fn at(file: &XarFile, byte: i64, known: &mut (usize, u32)) -> u32 {
    let text = file.text();
    let byte = (byte.max(0) as usize).min(text.len());
    let rest = text.as_bytes().get(byte..).unwrap_or_default();
    let after = if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
    let to = byte + after;
    if to < known.0 {
        *known = (0, 1);
    }
    // A place inside a character is on the line of the character.
    let between = text.get(known.0..to).map(line_ends);
    let line = between.map_or_else(|| file.sources.line(file.file, to as u32), |ends| known.1 + ends);
    if between.is_some() {
        *known = (to, line);
    }
    line
}
