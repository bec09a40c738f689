//! Names that were probably meant.

/// The candidate that differs least, if it differs little: in case, or by a letter or two.
pub(super) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = if name.chars().count() < 5 { 1 } else { 2 };
    let by = candidates.into_iter().map(|c| (distance(&name.to_lowercase(), &c.to_lowercase(), most), c));
    by.filter(|(d, c)| *d <= most && *c != name).min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

/// `did you mean …?`
pub(super) fn meant<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|n| format!("did you mean `{n}`?"))
}

/// Letters to change, insert or leave out; more than `most` is any number over it.
fn distance(a: &str, b: &str, most: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > most {
        return most + 1;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
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
    }
}
