//! Suggestions for misspelled names.

use strsim::osa_distance;

/// Returns the candidate closest to `name` if it differs from it only in case, or by one or two letters.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name_length = name.chars().count();
    let most = if name_length < 5 { 1 } else { 2 };
    // Two swapped letters count as one change. The lengths are compared first, because that costs less.
    let is_near = |c: &&str| *c != name && c.chars().count().abs_diff(name_length) <= most;
    let by = candidates.into_iter().filter(is_near).map(|c| (osa_distance(&name.to_lowercase(), &c.to_lowercase()), c));
    by.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance).map(|(_, c)| c)
}

/// Formats the [`nearest`] candidate as a suggestion: `` did you mean `…`? ``
pub fn meant<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|n| format!("did you mean `{n}`?"))
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
