//! Suggestions for misspelled names.

/// Returns the candidate closest to `name` if it differs from it only in case, or by one or two letters.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = if name.chars().count() < 5 { 1 } else { 2 };
    let by = candidates.into_iter().map(|c| (distance(&name.to_lowercase(), &c.to_lowercase(), most), c));
    by.filter(|(d, c)| *d <= most && *c != name).min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

/// Formats the [`nearest`] candidate as a suggestion: `` did you mean `…`? ``
pub fn meant<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|n| format!("did you mean `{n}`?"))
}

/// Returns how many letters must be changed, inserted, removed or swapped with the next to turn `a` into `b`; if more
/// than `most`, the result is only some number above `most`.
fn distance(a: &str, b: &str, most: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > most {
        return most + 1;
    }
    // Row i: the distances of a's first i letters to each beginning of b.
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[i - 1][j - 1] + same).min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_letter_or_two() {
        let known = ["ALMotion", "ALMemory", "ALTextToSpeech"];
        assert_eq!(nearest("ALTextToSpeach", known), Some("ALTextToSpeech"));
        assert_eq!(nearest("almotion", known), Some("ALMotion"));
        assert_eq!(nearest("ALMotion", known), None);
        assert_eq!(nearest("KpiLib", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("sya", ["say", "stop"]), Some("say"));
    }
}
