//! Parses arguments that have several parts: `--event`, `--set`, `--for`.
//!
//! Values are JSON, or text if they are not valid JSON. In box paths and names `\` escapes the next character, as
//! everywhere in box paths.

use boxstep_format::project::{known_language, language_names};
use boxstep_types::{BoxPath, Time, Value, meant, value_from_json};
use std::num::{NonZeroU64, NonZeroUsize};
use std::str::FromStr;

/// `--event 'NAME=VALUE@SECONDS'`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TimedEvent {
    pub(crate) key: String,
    pub(crate) value: Value,
    pub(crate) at: Time,
}

impl FromStr for TimedEvent {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (what, at) = timed(text)?;
        let (key, value) = what.split_once('=').ok_or("write NAME=VALUE@SECONDS")?;
        if key.is_empty() {
            return Err("the event has no name: write NAME=VALUE@SECONDS".to_owned());
        }
        Ok(Self { key: key.to_owned(), value: json_or_text(value), at })
    }
}

/// `--hear 'TEXT@SECONDS'`; without `@SECONDS` the text is said after the one before has been answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TimedText {
    pub(crate) text: String,
    pub(crate) at: Option<Time>,
}

impl FromStr for TimedText {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (said, at) = match text.rsplit_once('@') {
            Some((said, at)) => (said, Some(seconds(at)?)),
            None => (text, None),
        };
        if said.trim().is_empty() {
            return Err("nothing is said: write TEXT@SECONDS".to_owned());
        }
        Ok(Self { text: said.to_owned(), at })
    }
}

/// `--set 'Path/Parameter=VALUE'`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    pub(crate) path: BoxPath,
    pub(crate) parameter: String,
    pub(crate) value: Value,
}

impl FromStr for Setting {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (place, value) = split_first(text, '=').ok_or("write PATH/PARAMETER=VALUE")?;
        let (path, parameter) = member(place, '/', "no `/` between the box path and the parameter")?;
        Ok(Self { path, parameter, value: json_or_text(value) })
    }
}

/// `PATH/PARAMETER=TEXT`: a value as a file has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParameterText {
    pub(crate) path: BoxPath,
    pub(crate) parameter: String,
    pub(crate) value: String,
}

impl FromStr for ParameterText {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (place, value) = split_first(text, '=').ok_or("write PATH/PARAMETER=VALUE")?;
        let (path, parameter) = member(place, '/', "no `/` between the box path and the parameter")?;
        Ok(Self { path, parameter, value: value.to_owned() })
    }
}

/// `PATH.PORT`: a port of a box.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) path: BoxPath,
    pub(crate) port: String,
}

impl FromStr for Member {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (path, port) = member(text, '.', "no `.` between the box path and the port")?;
        Ok(Self { path, port })
    }
}

/// `--stimulate 'PATH:INPUT=VALUE@SECONDS'`; without `=VALUE` it is a bang.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stimulus {
    pub(crate) path: BoxPath,
    pub(crate) port: String,
    pub(crate) value: Value,
    pub(crate) at: Time,
}

impl FromStr for Stimulus {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (what, at) = timed(text)?;
        let (place, value) = match split_first(what, '=') {
            Some((place, value)) => (place, json_or_text(value)),
            None => (what, Value::Null),
        };
        let (path, port) = member(place, ':', "no `:` between the box path and the input")?;
        Ok(Self { path, port, value, at })
    }
}

/// Splits `…@SECONDS`.
fn timed(text: &str) -> Result<(&str, Time), String> {
    let (what, at) = text.rsplit_once('@').ok_or("no time: end it with @SECONDS")?;
    Ok((what, seconds(at)?))
}

/// Parses a time of the run in seconds, such as `2.5`.
pub(crate) fn seconds(text: &str) -> Result<Time, String> {
    match text.parse::<f64>() {
        Ok(s) if (0.0..1e9).contains(&s) => Ok(Time::from_secs_f64(s)),
        Ok(s) if s < 0.0 => Err(format!("`{text}` is not a number of seconds from 0 on")),
        _ => Err(format!("`{text}` is not a number of seconds")),
    }
}

/// Parses a whole number: a seed, or, where the type excludes 0, how many of something there are.
pub(crate) fn whole<T: FromStr + Counted>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is not a whole number from {} on", T::FIRST))
}

/// The types of whole numbers, each with its first number.
pub(crate) trait Counted {
    const FIRST: u8;
}

impl Counted for u64 {
    const FIRST: u8 = 0;
}

impl Counted for NonZeroU64 {
    const FIRST: u8 = 1;
}

impl Counted for NonZeroUsize {
    const FIRST: u8 = 1;
}

/// Parses the name of a language, in any of its spellings (`German`, `de_DE`, `ged`), or another locale (`en_GB`), for
/// which a project may have texts.
pub(crate) fn language(text: &str) -> Result<String, String> {
    let is_locale = text.split_once('_').is_some_and(|(language, country)| {
        let fits = |part: &str, is: fn(&u8) -> bool| (2..=3).contains(&part.len()) && part.bytes().all(|b| is(&b));
        fits(language, u8::is_ascii_lowercase) && fits(country, u8::is_ascii_uppercase)
    });
    if is_locale || known_language(text).is_some() {
        return Ok(text.to_owned());
    }
    let names: Vec<&str> = language_names().collect();
    let help = meant(text, names.iter().copied()).unwrap_or_else(|| format!("there are {}", names.join(", ")));
    Err(format!("there is no language `{text}`; {help}"))
}

/// Parses a sample rate in Hz.
pub(crate) fn hertz(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(hz) if hz > 0.0 && hz <= 1000.0 => Ok(hz),
        _ => Err(format!("`{text}` is not a rate between 0 and 1000 Hz")),
    }
}

/// Parses JSON; any other text is itself the value.
pub(crate) fn json_or_text(text: &str) -> Value {
    value_from_json(text).unwrap_or_else(|_| Value::from(text))
}

fn member(place: &str, separator: char, without: &str) -> Result<(BoxPath, String), String> {
    BoxPath::with_member(place, separator).map_err(|e| e.map_or_else(|| without.to_owned(), |e| e.to_string()))
}

/// Returns the positions of a character that is not escaped by `\`.
fn unescaped(text: &str, wanted: char) -> impl Iterator<Item = usize> {
    let mut escaped = false;
    text.char_indices().filter_map(move |(i, c)| {
        let hit = !escaped && c == wanted;
        escaped = !escaped && c == '\\';
        hit.then_some(i)
    })
}

fn split_first(text: &str, at: char) -> Option<(&str, &str)> {
    let i = unescaped(text, at).next()?;
    Some((text.get(..i)?, text.get(i + at.len_utf8()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_take_json_or_text_and_a_time() {
        let e: TimedEvent = "FrontTactilTouched=1.0@2.5".parse().unwrap();
        assert_eq!((e.key.as_str(), e.value, e.at), ("FrontTactilTouched", Value::Float(1.0), Time::from_millis(2500)));
        let e: TimedEvent = "A/B=me@home.org=x@0".parse().unwrap();
        assert_eq!((e.key.as_str(), e.value, e.at), ("A/B", Value::from("me@home.org=x"), Time::ZERO));
        for bad in ["A=1", "A@1", "=1@1", "A=1@x", "A=1@-1", "A=1@inf"] {
            assert!(bad.parse::<TimedEvent>().is_err(), "{bad}");
        }
    }

    #[test]
    fn settings_split_at_the_first_equals_and_the_last_slash() {
        let s: Setting = r#"root/Say/Text="a=b/c""#.parse().unwrap();
        assert_eq!((s.path.to_string().as_str(), s.parameter.as_str()), ("root/Say", "Text"));
        assert_eq!(s.value, Value::from("a=b/c"));
        let s: Setting = r"root/a\/b/x\=y\/z=plain text".parse().unwrap();
        assert_eq!((s.path.name(), s.parameter.as_str(), s.value), ("a/b", "x=y/z", Value::from("plain text")));
        let s: Setting = "root/Speed (%)=80".parse().unwrap();
        assert_eq!((s.path.to_string().as_str(), s.parameter.as_str()), ("root", "Speed (%)"));
        assert!("Speed=1".parse::<Setting>().is_err());
        assert!("root/Say/Text".parse::<Setting>().is_err());
    }

    #[test]
    fn languages_have_three_spellings_and_projects_may_have_others() {
        for known in ["German", "german", "de_DE", "ged", "en_GB", "fil_PH"] {
            assert_eq!(language(known).as_deref(), Ok(known));
        }
        let why = language("Klingon").unwrap_err();
        assert!(why.starts_with("there is no language `Klingon`; there are Arabic, Brazilian, "), "{why}");
        assert!(why.ends_with(", Swedish, Turkish"), "{why}");
        assert_eq!(language("Germn").unwrap_err(), "there is no language `Germn`; did you mean `German`?");
        for wrong in ["", "en_gb", "e_GB", "en_", "_"] {
            assert!(language(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_say_where_they_begin() {
        assert_eq!(seconds("-3").unwrap_err(), "`-3` is not a number of seconds from 0 on");
        assert_eq!(whole::<u64>("-1").unwrap_err(), "`-1` is not a whole number from 0 on");
        assert_eq!(whole::<NonZeroU64>("0").unwrap_err(), "`0` is not a whole number from 1 on");
        assert_eq!((seconds("0"), whole::<u64>("7")), (Ok(Time::ZERO), Ok(7)));
    }

    #[test]
    fn stimuli_may_be_bangs_below_a_keyframe() {
        let s: Stimulus = "root/@steps:left/Say:onStart@3".parse().unwrap();
        assert_eq!((s.path.to_string().as_str(), s.port.as_str()), ("root/@steps:left/Say", "onStart"));
        assert_eq!((s.value, s.at), (Value::Null, Time::from_millis(3000)));
        let s: Stimulus = "root:in=[1,2]@0.5".parse().unwrap();
        assert_eq!(s.value, Value::list([Value::Int(1), Value::Int(2)]));
    }
}
