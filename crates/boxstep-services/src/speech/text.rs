//! Converts the text that a script passes to the sentence that a person hears: removes tags, and estimates the
//! duration.
//!
//! Tags are those of the NAOqi pages "Using tags for voice tuning" (`\RSPD=90\`) and "Annotated text" of
//! ALAnimatedSpeech (`^start(animations/…)`). The speed of voices is not documented; the rates here are our own, and
//! `docs/reference/simulation.md` lists them.

/// Letters, digits and spaces per second at 100 % speed: about 150 English words per minute.
const LETTERS_PER_SECOND: f64 = 14.0;
/// Characters per second of writing systems in which one character is a syllable or a word.
const SYLLABLES_PER_SECOND: f64 = 6.0;
/// The silence in seconds after `,` `;` `:`, and after `.` `!` `?` before further text.
const SHORT_PAUSE: f64 = 0.2;
const LONG_PAUSE: f64 = 0.4;
/// The shortest duration of a sentence, in seconds.
const SHORTEST: f64 = 0.3;

/// A sentence that is ready to be spoken.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Utterance {
    /// The text that a person hears.
    pub(crate) text: String,
    /// The duration in seconds.
    pub(crate) seconds: f64,
    /// The words, with the second at which each begins.
    pub(crate) words: Vec<(f64, String)>,
    /// The bookmarks (`\MRK=n\`), with the second at which each is reached.
    pub(crate) marks: Vec<(f64, i64)>,
    /// Voice tags other than pauses, speed and bookmarks, as written.
    pub(crate) tags: Vec<String>,
    /// Animation instructions (`^start(…)`), as written.
    pub(crate) animations: Vec<String>,
}

/// Reads a text. `speed` is the voice's speed in percent; `animated` also removes `^` instructions.
pub(crate) fn read(text: &str, speed: f64, animated: bool) -> Utterance {
    let mut reader = Reader { out: Utterance::default(), speed, base: speed, time: 0.0, pause: 0.0, word: None };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let tag = match c {
            '\\' => voice_tag(rest),
            '^' if animated => animation_tag(rest),
            _ => None,
        };
        match tag {
            Some((inner, len)) if c == '\\' => {
                reader.voice(inner);
                rest = rest.get(len..).unwrap_or_default();
            }
            Some((inner, len)) => {
                reader.end_word();
                reader.out.animations.push(inner.to_owned());
                rest = rest.get(len..).unwrap_or_default();
            }
            None => {
                reader.character(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
    }
    reader.finish()
}

/// Returns the content of `\NAME=value\` or `\NAME\` at the start of a text, and the length of the whole tag.
fn voice_tag(text: &str) -> Option<(&str, usize)> {
    // Texts that were escaped twice contain tags with doubled backslashes.
    let slashes = if text.starts_with("\\\\") { 2 } else { 1 };
    let body = text.get(slashes..)?;
    let end = body.find('\\')?;
    let inner = body.get(..end)?;
    let name = inner.split('=').next()?;
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphabetic()) || inner.len() > 200 {
        return None;
    }
    let closing = body.get(end..)?.chars().take(slashes).take_while(|c| *c == '\\').count();
    Some((inner, slashes + end + closing))
}

/// Returns `^name(…)` at the start of a text, and its length.
fn animation_tag(text: &str) -> Option<(&str, usize)> {
    let name_end = text.get(1..)?.find(|c: char| !c.is_ascii_alphabetic())? + 1;
    if name_end < 2 || !text.get(name_end..)?.starts_with('(') {
        return None;
    }
    let end = text.find(')')? + 1;
    Some((text.get(..end)?, end))
}

struct Reader {
    out: Utterance,
    speed: f64,
    base: f64,
    time: f64,
    /// A silence that counts only if further text follows.
    pause: f64,
    word: Option<(f64, String)>,
}

impl Reader {
    fn voice(&mut self, tag: &str) {
        self.end_word();
        let (name, value) = tag.split_once('=').unwrap_or((tag, ""));
        let number = value.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        match (name.to_ascii_uppercase().as_str(), number) {
            ("PAU", Some(ms)) => self.time += ms.clamp(0.0, 3.6e6) / 1000.0,
            ("RSPD", Some(percent)) => {
                self.speed = percent.clamp(30.0, 400.0);
                self.out.tags.push(tag.to_owned());
            }
            ("RST", _) => self.speed = self.base,
            ("MRK", Some(n)) => self.out.marks.push((self.time, n as i64)),
            _ => self.out.tags.push(tag.to_owned()),
        }
    }

    fn character(&mut self, c: char) {
        if c.is_whitespace() {
            self.end_word();
            if !self.out.text.is_empty() && !self.out.text.ends_with(' ') {
                self.out.text.push(' ');
                self.time += self.scaled(1.0 / LETTERS_PER_SECOND);
            }
            return;
        }
        self.out.text.push(c);
        if c.is_alphanumeric() {
            self.time += std::mem::take(&mut self.pause);
            if self.word.is_none() {
                self.word = Some((self.time, String::new()));
            }
        }
        if let Some((_, word)) = &mut self.word {
            word.push(c);
        }
        let rate = if is_syllable(c) { SYLLABLES_PER_SECOND } else { LETTERS_PER_SECOND };
        match c {
            ',' | ';' | ':' | '、' => self.pause = self.scaled(SHORT_PAUSE),
            '.' | '!' | '?' | '。' | '！' | '？' | '…' => self.pause = self.scaled(LONG_PAUSE),
            c if c.is_alphanumeric() => self.time += self.scaled(1.0 / rate),
            _ => {}
        }
    }

    fn scaled(&self, seconds: f64) -> f64 {
        seconds * 100.0 / self.speed
    }

    fn end_word(&mut self) {
        if let Some((at, word)) = self.word.take() {
            let word = word.trim_end_matches(|c: char| !c.is_alphanumeric()).to_owned();
            self.out.words.push((at, word));
        }
    }

    fn finish(mut self) -> Utterance {
        self.end_word();
        let text = self.out.text.trim_end().len();
        self.out.text.truncate(text);
        self.out.seconds = if self.out.words.is_empty() { self.time } else { self.time.max(SHORTEST) };
        self.out
    }
}

/// Returns whether a character is Kana, Hangul or Han, and so a syllable or more.
fn is_syllable(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_not_spoken() {
        let u = read("\\RSPD=100\\ \\VCT=90\\ Hello \\MRK=3\\ my friends! \\RST\\ ", 100.0, false);
        assert_eq!(u.text, "Hello my friends!");
        assert_eq!(u.tags, ["RSPD=100", "VCT=90"]);
        assert_eq!(u.words.iter().map(|w| w.1.as_str()).collect::<Vec<_>>(), ["Hello", "my", "friends"]);
        assert_eq!(u.marks.len(), 1);
        assert!(u.marks[0].0 > 0.0 && u.marks[0].0 < u.seconds);
    }

    #[test]
    fn speed_and_pauses_count() {
        let plain = read("one two three four five", 100.0, false).seconds;
        let slow = read("\\RSPD=50\\one two three four five", 100.0, false).seconds;
        let voice = read("one two three four five", 50.0, false).seconds;
        let paused = read("one two three\\PAU=500\\ four five", 100.0, false).seconds;
        assert!((slow - 2.0 * plain).abs() < 1e-9);
        assert!((slow - voice).abs() < 1e-9);
        assert!((paused - plain - 0.5).abs() < 1e-9);
        assert_eq!(read("  \\RST\\ ", 100.0, false).seconds, 0.0);
        assert_eq!(read("\\pau=1000\\", 100.0, false).seconds, 1.0);
    }

    #[test]
    fn animations_are_kept_apart() {
        let text = "^start(animations/Stand/Gestures/Hey_1) Hello ^wait(animations/Stand/Gestures/Hey_1)";
        let u = read(text, 100.0, true);
        assert_eq!(u.text, "Hello");
        assert_eq!(u.animations.len(), 2);
        assert_eq!(read("2^3 is ^nothing", 100.0, true).text, "2^3 is ^nothing");
        assert_eq!(read("^start(x) a", 100.0, false).text, "^start(x) a");
    }

    #[test]
    fn any_text_can_be_said() {
        for text in
            ["\\", "\\\\", "^", "^(", "\\=\\", "a\\b", "\\PAU=nan\\x", "\\PAU=1e999\\x", "日本語。", "^run(é", "\\é\\"]
        {
            assert!(read(text, 100.0, true).seconds.is_finite(), "{text}");
        }
        assert_eq!(read("C:\\dir\\file", 100.0, false).text, "C:file");
        assert_eq!(read("\\\\RSPD=80\\\\ hi", 100.0, false).text, "hi");
    }
}
