//! The robot among the words of a command: `boxstep qi` and `boxstep send` took it there before they had `--robot`, and
//! still do.
//!
//! `docs/reference/qi.md`, "The robot as a word", has the rules.

use crate::failure::Failure;
use crate::robot_address::VARIABLE;
use anstyle::Style;
use boxstep_types::printable_line;
use std::io::Write as _;

const DIM: Style = Style::new().dimmed();

/// The words of a command, with the robot taken out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Words {
    /// The robot that `--robot` names, or else a word.
    pub(crate) robot: Option<String>,
    /// All other words.
    pub(crate) rest: Vec<String>,
}

/// How a command finds the robot among its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `[ROBOT] SERVICE.MEMBER [ARG…]`
    Call,
    /// `[ROBOT] [SERVICE]`
    Info,
    /// `[ROBOT] SERVICE.SIGNAL`
    Signal,
    /// `[ROBOT]`
    Alone,
}

impl Words {
    /// Takes the robot out of the words. If a word names it, a note on standard error says how that is written now.
    pub(crate) fn take(form: Form, robot: Option<&str>, words: Vec<String>) -> Result<Words, Failure> {
        let taken = Words::sort(form, robot, words, std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty()))?;
        if let (None, Some(word)) = (robot, &taken.robot) {
            hint(word);
        }
        Ok(taken)
    }

    fn sort(form: Form, robot: Option<&str>, mut words: Vec<String>, has_variable: bool) -> Result<Words, Failure> {
        let first_is_robot = robot.is_none()
            && match (form, words.as_slice()) {
                (_, []) => false,
                (Form::Call, [first, rest @ ..]) => begins_with_robot(first, rest.first(), has_variable),
                (Form::Info, [first]) => is_address(first) || first.contains('.') || !has_variable,
                (Form::Signal, [_]) => false,
                (Form::Info | Form::Signal | Form::Alone, _) => true,
            };
        let most = match form {
            Form::Call => usize::MAX,
            Form::Info | Form::Signal => 1,
            Form::Alone => 0,
        };
        let robot = if first_is_robot { Some(words.remove(0)) } else { robot.map(str::to_owned) };
        match words.get(most) {
            Some(word) => Err(Failure::Usage(format!("`{word}` is one word too many"))),
            None => Ok(Words { robot, rest: words }),
        }
    }
}

/// Returns whether the words of a call begin with the robot.
fn begins_with_robot(first: &str, second: Option<&String>, has_variable: bool) -> bool {
    // A member has a dot, and so a word without one is a name.
    if is_address(first) || !first.contains('.') {
        return true;
    }
    second.is_some_and(|second| is_member(second)) && (!has_variable || first.matches('.').count() > 1)
}

/// Returns whether a word can only be a robot.
fn is_address(word: &str) -> bool {
    let local = word.to_ascii_lowercase().ends_with(".local");
    word == "-" || word == "localhost" || word.contains(':') || local || word.parse::<std::net::IpAddr>().is_ok()
}

/// Returns what to say about a word where no robot is taken as one, if it looks like one.
pub(crate) fn advice(word: &str) -> Option<String> {
    let is_robot = word.to_ascii_lowercase().ends_with(".local") || word.parse::<std::net::IpAddr>().is_ok();
    is_robot.then(|| format!("a robot is named with `--robot {}`", printable_line(word)))
}

/// Returns whether a word can be a member of a service: two names, and not a number.
fn is_member(word: &str) -> bool {
    let is_name = |name: &str| {
        let mut chars = name.chars();
        chars.next().is_some_and(|c| c.is_alphabetic() || c == '_') && chars.all(|c| c.is_alphanumeric() || c == '_')
    };
    word.rsplit_once('.').is_some_and(|(service, member)| service.split('.').all(is_name) && is_name(member))
}

/// Says how the robot is written now.
pub(crate) fn hint(word: &str) {
    let text = match word {
        "-" => format!("note: leave `-` out: without --robot, the robot is that of {VARIABLE}"),
        word => format!("note: write --robot {}, as for every command", printable_line(word)),
    };
    // A closed standard error is ignored.
    let _ = writeln!(crate::terminal::stderr(), "{DIM}{text}{DIM:#}");
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The robot and the other words, where `BOXSTEP_ROBOT` is set or not.
    fn sorted(form: Form, words: &str, has_variable: bool) -> (Option<String>, String) {
        let words = words.split_whitespace().map(str::to_owned).collect();
        let words = Words::sort(form, None, words, has_variable).unwrap();
        (words.robot, words.rest.join(" "))
    }

    #[test]
    fn a_call_begins_with_a_robot_if_the_word_can_be_nothing_else() {
        for first in [
            "nao.local",
            "NAO.local",
            "nao",
            "10.0.0.2",
            "10.0.0.2:9559",
            "tcps://x.y",
            "[fe80::1]:7",
            "-",
            "localhost",
        ] {
            for has_variable in [false, true] {
                let words = format!("{first} ALTextToSpeech.say Hello.World");
                let rest = "ALTextToSpeech.say Hello.World".to_owned();
                assert_eq!(sorted(Form::Call, &words, has_variable), (Some(first.to_owned()), rest), "{first}");
            }
        }
    }

    #[test]
    fn any_other_word_with_a_dot_is_a_robot_only_if_a_member_follows_and_nothing_else_names_one() {
        for (words, has_variable, robot) in [
            ("ALTextToSpeech.say Hello", true, None),
            ("ALTextToSpeech.say Hello", false, None),
            ("ALTextToSpeech.say", false, None),
            ("ALTextToSpeech.say Hello.World", true, None),
            ("ALMotion.setAngles HeadYaw 0.5 0.1", false, None),
            ("Lamp.dim 0.5", false, None),
            ("nao.lan ALTextToSpeech.say Hello", false, Some("nao.lan")),
            ("nao.example.org ALTextToSpeech.say Hello", true, Some("nao.example.org")),
            ("nao.example.org ALTextToSpeech.say Hello", false, Some("nao.example.org")),
        ] {
            assert_eq!(sorted(Form::Call, words, has_variable).0.as_deref(), robot, "{words} {has_variable}");
        }
    }

    #[test]
    fn a_single_word_of_info_is_a_service_if_the_robot_is_known() {
        for (words, has_variable, robot, rest) in [
            ("", true, None, ""),
            ("nao", false, Some("nao"), ""),
            ("ALMotion", true, None, "ALMotion"),
            ("nao.local", true, Some("nao.local"), ""),
            ("-", true, Some("-"), ""),
            ("nao ALMotion", true, Some("nao"), "ALMotion"),
        ] {
            assert_eq!(sorted(Form::Info, words, has_variable), (robot.map(str::to_owned), rest.to_owned()), "{words}");
        }
    }

    #[test]
    fn words_are_counted_where_their_number_decides() {
        assert_eq!(sorted(Form::Signal, "Lamp.switched", true), (None, "Lamp.switched".to_owned()));
        assert_eq!(
            sorted(Form::Signal, "x.y Lamp.switched", true),
            (Some("x.y".to_owned()), "Lamp.switched".to_owned())
        );
        assert_eq!(sorted(Form::Alone, "x.y", true), (Some("x.y".to_owned()), String::new()));
        let words = |form, robot, words: &[&str]| {
            Words::sort(form, robot, words.iter().map(|word| (*word).to_owned()).collect(), false)
        };
        for form in [Form::Info, Form::Signal] {
            assert!(
                words(form, None, &["a", "B.c", "d"]).unwrap_err().to_string().contains("`d` is one word too many")
            );
            assert!(words(form, Some("nao"), &["a", "b"]).is_err());
        }
        assert!(words(Form::Alone, Some("nao"), &["a"]).is_err());
    }

    #[test]
    fn with_the_option_no_word_is_the_robot() {
        let words = Words::sort(Form::Call, Some("nao"), vec!["nao.local".to_owned(), "A.b".to_owned()], true).unwrap();
        assert_eq!(
            words,
            Words { robot: Some("nao".to_owned()), rest: vec!["nao.local".to_owned(), "A.b".to_owned()] }
        );
    }
}
