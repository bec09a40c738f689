//! Changes of a text as replacements of ranges.

/// The replacement of a range of bytes of a text by another text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The first byte that is replaced.
    pub start: u32,
    /// One past the last byte that is replaced.
    pub end: u32,
    /// The new text.
    pub text: String,
}

/// Returns a text with splices applied, which are in the order of their ranges and do not overlap; `None` if they are
/// not, or are not of this text.
pub fn spliced(text: &str, splices: &[Splice]) -> Option<String> {
    let mut out = String::with_capacity(text.len() + splices.iter().map(|s| s.text.len()).sum::<usize>());
    let mut done = 0;
    for splice in splices {
        out.push_str(text.get(done..splice.start as usize)?);
        out.push_str(&splice.text);
        done = splice.end as usize;
        if splice.end < splice.start {
            return None;
        }
    }
    out.push_str(text.get(done..)?);
    Some(out)
}

/// Returns the splices that undo others: applied to the text that those have made, they give `text` back. Ranges that
/// are not of the text count as empty.
pub fn inverse(text: &str, splices: &[Splice]) -> Vec<Splice> {
    let mut grown = 0i64;
    let back = splices.iter().map(|splice| {
        let start = (i64::from(splice.start) + grown).max(0) as u32;
        let old = text.get(splice.start as usize..splice.end as usize).unwrap_or_default();
        grown += splice.text.len() as i64 - old.len() as i64;
        Splice { start, end: start + splice.text.len() as u32, text: old.to_owned() }
    });
    back.collect()
}
