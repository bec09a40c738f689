//! How text becomes words that can be compared.
//!
//! Rules (`docs/reference/qichat.md`, "How words are compared"): lower case, without punctuation, apostrophes are
//! letters, typographic signs and full-width letters equal plain ones. Scripts that are written without blanks
//! (Japanese, Chinese) have one word for each character.

use smol_str::SmolStr;
use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// A word of a sentence: its text in the form that is compared, and the bytes of the sentence that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// The word in the form that is compared.
    pub word: SmolStr,
    /// Where it stands in the sentence.
    pub place: Range<usize>,
}

/// The longest sentence that is understood, in words. What comes after is not heard.
pub const LONGEST_SENTENCE: usize = 400;

/// Splits a text into the words that are compared.
pub fn words(text: &str) -> Vec<Heard> {
    let mut found = Vec::with_capacity(text.len() / 4 + 1);
    let mut start = None;
    let mut chars = text.char_indices().peekable();
    let mut before = None;
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|(_, next)| *next);
        let alone = stands_alone(c);
        if !alone && is_letter(c, before, after) {
            start.get_or_insert_with(|| if is_negative(text, at) { at - 1 } else { at });
        } else {
            if let Some(begin) = start.take() {
                push(&mut found, text, begin..at);
            }
            if alone {
                push(&mut found, text, at..at + c.len_utf8());
            }
        }
        before = Some(c);
    }
    if let Some(begin) = start {
        push(&mut found, text, begin..text.len());
    }
    found.truncate(LONGEST_SENTENCE);
    found
}

/// Returns whether the number that begins here has a sign. Decision: the sign is no part of the word that is compared,
/// so that `3` matches "-3"; but what is captured is what was said.
fn is_negative(text: &str, at: usize) -> bool {
    let is_number = text[at..].starts_with(|c: char| c.is_ascii_digit());
    let before = text[..at].strip_suffix('-').filter(|_| is_number);
    before.is_some_and(|before| before.is_empty() || before.ends_with(char::is_whitespace))
}

fn push(found: &mut Vec<Heard>, text: &str, place: Range<usize>) {
    let word = compared(&text[place.clone()]);
    // A lone apostrophe is a quotation mark.
    let word = word.trim_start_matches('-').trim_matches('\'');
    if !word.is_empty() {
        found.push(Heard { word: word.into(), place });
    }
}

/// Returns a word in the form that is compared: lower case, compatibility forms replaced.
fn compared(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return match word.bytes().any(|b| b.is_ascii_uppercase()) {
            true => Cow::Owned(word.to_ascii_lowercase()),
            false => Cow::Borrowed(word),
        };
    }
    let plain = |c| if is_apostrophe(c) { '\'' } else { c };
    Cow::Owned(word.nfkc().map(plain).flat_map(char::to_lowercase).nfc().collect())
}

/// Returns a word without the accents of Latin, Greek and Cyrillic letters, with ligatures written out.
pub fn without_accents(word: &str) -> Cow<'_, str> {
    if word.is_ascii() || word.chars().any(stands_alone) {
        return Cow::Borrowed(word);
    }
    let plain = word.nfd().filter(|c| !is_combining_mark(*c));
    Cow::Owned(plain.collect::<String>().replace('œ', "oe").replace('æ', "ae").replace('ß', "ss").replace('ø', "o"))
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2018}' | '\u{02BC}' | '\u{FF07}' | '`' | '\u{00B4}')
}

/// Returns whether a character is part of a word. A dot or comma between digits is; other punctuation is not.
fn is_letter(c: char, before: Option<char>, after: Option<char>) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    match c {
        '.' | ',' => digit(before) && digit(after),
        _ => c.is_alphanumeric() || is_combining_mark(c) || is_apostrophe(c),
    }
}

/// Returns whether a character is a word by itself: Chinese characters, Japanese syllables, and their signs for
/// repetition and length. Korean has blanks between words, so its syllables are letters.
pub fn stands_alone(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}'
        | '\u{3031}'..='\u{3035}'
        | '\u{3041}'..='\u{3096}'
        | '\u{309D}'..='\u{309F}'
        | '\u{30A1}'..='\u{30FA}'
        | '\u{30FC}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9D}'
        | '\u{20000}'..='\u{323AF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        words(text).into_iter().map(|heard| heard.word.into()).collect()
    }

    #[test]
    fn words_are_lower_case_without_punctuation_and_keep_their_place() {
        assert_eq!(split("What's up, Rendez-vous?"), ["what's", "up", "rendez", "vous"]);
        assert_eq!(split("What\u{2019}s 'up' ÉTÉ 3.5 km. no.no"), ["what's", "up", "été", "3.5", "km", "no", "no"]);
        assert_eq!(split("Ａ１ e\u{301}te\u{301}"), ["a1", "été"]);
        assert_eq!(split("… ' ! — "), [""; 0]);
        let text = "Hi, Ann!";
        assert_eq!(words(text).iter().map(|h| &text[h.place.clone()]).collect::<Vec<_>>(), ["Hi", "Ann"]);
    }

    #[test]
    fn scripts_without_blanks_have_a_word_for_each_character() {
        assert_eq!(split("東京へ行くNAO２台"), ["東", "京", "へ", "行", "く", "nao2", "台"]);
        assert_eq!(split("ロボット、ｶﾒﾗー"), ["ロ", "ボ", "ッ", "ト", "カ", "メ", "ラ", "ー"]);
        assert_eq!(split("안녕 하세요"), ["안녕", "하세요"]);
    }

    #[test]
    fn accents_can_be_left_out() {
        for (word, plain) in [("été", "ete"), ("straße", "strasse"), ("cœur", "coeur"), ("が", "が"), ("ёж", "еж")]
        {
            assert_eq!(without_accents(word), plain);
        }
    }
}
