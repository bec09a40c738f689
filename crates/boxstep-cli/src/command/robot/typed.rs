//! Parses what a person types to a simulated robot.

use crate::value_parsers;
use boxstep_bodies::Body;
use boxstep_engine::config::Control;
use boxstep_types::{Time, Value, meant};

/// How long a touch lasts.
const TOUCH: Time = Time::from_millis(200);

/// The meaning of a line.
#[derive(Debug, PartialEq)]
pub(super) enum Typed {
    /// Controls to apply in this order, each after a delay from now.
    Do(Vec<(Time, Control)>),
    Nothing,
    Quit,
}

const WORDS: &[&str] = &["touch", "say", "face", "battery", "event", "memory", "quit"];

/// Parses a line.
///
/// # Errors
/// What is wrong with the line, for the person who typed it.
pub(super) fn read(line: &str, body: &Body) -> Result<Typed, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let now = |controls: Vec<Control>| Ok(Typed::Do(controls.into_iter().map(|c| (Time::ZERO, c)).collect()));
    let event = |key: &str, value: Value| Control::Event { key: key.to_owned(), value };
    let memory = |key: &str, value: Value| Control::Remember { key: key.to_owned(), value };
    match (word, rest) {
        ("", _) => Ok(Typed::Nothing),
        ("quit", "") => Ok(Typed::Quit),
        ("touch", rest) if !rest.is_empty() => {
            let mut words = rest.split_whitespace();
            let sensor = words.next().unwrap_or_default();
            let names = || body.touch.iter().map(|s| s.event);
            let sensor = names().find(|name| *name == sensor).ok_or_else(|| {
                let all = names().collect::<Vec<_>>().join(", ");
                meant(sensor, names()).unwrap_or_else(|| format!("the sensors are {all}"))
            })?;
            match (words.next(), words.next()) {
                (None, _) => {
                    let down = (Time::ZERO, event(sensor, 1.0.into()));
                    Ok(Typed::Do(vec![down, (TOUCH, event(sensor, 0.0.into()))]))
                }
                (Some("1"), None) => now(vec![event(sensor, 1.0.into())]),
                (Some("0"), None) => now(vec![event(sensor, 0.0.into())]),
                _ => Err("write touch SENSOR, touch SENSOR 1 or touch SENSOR 0".to_owned()),
            }
        }
        ("say", words) if !words.is_empty() => now(vec![Control::Hear { text: words.to_owned() }]),
        ("face", name) if !name.is_empty() => now(vec![event("FaceDetected", face(name))]),
        ("battery", text) if !text.is_empty() => match text.trim_end_matches('%').trim_end().parse::<i64>() {
            Ok(charge @ 0..=100) => now(vec![
                memory("Device/SubDeviceList/Battery/Charge/Sensor/Value", (charge as f64 / 100.0).into()),
                event("BatteryChargeChanged", charge.into()),
            ]),
            _ => Err(format!("`{text}` is not a charge from 0 to 100 percent")),
        },
        ("event" | "memory", said) if !said.is_empty() => {
            let (key, value) = said.split_once('=').unwrap_or((said, "null"));
            let value = value_parsers::json_or_text(value.trim());
            now(vec![if word == "event" { event(key.trim(), value) } else { memory(key.trim(), value) }])
        }
        (word, _) if WORDS.contains(&word) => Err(format!("{word} needs an argument: see boxstep robot --help")),
        (word, _) => Err(match meant(word, WORDS.iter().copied()) {
            Some(words) => format!("nothing is called {word}: {words}"),
            None => format!("nothing is called {word}, but {}", WORDS.join(", ")),
        }),
    }
}

/// Returns the value of `FaceDetected` when a face with this name is seen straight ahead: time, face (shape; number,
/// score, name and the points of eyes, nose and mouth), what has been recognized anew, the camera's position twice, and
/// its number.
fn face(name: &str) -> Value {
    let zeros = |n: usize| Value::list(std::iter::repeat_n(Value::Float(0.0), n));
    let shape = Value::list([Value::Int(0), 0.0.into(), 0.0.into(), 0.2.into(), 0.2.into()]);
    let extra = [Value::Int(1), 0.9.into(), name.into()].into_iter().chain([14, 14, 6, 6, 6, 16].map(zeros));
    let face = Value::list([shape, Value::list(extra)]);
    let news = Value::list([Value::Int(2), Value::list([name.into()])]);
    let time = Value::list([Value::Int(0), Value::Int(0)]);
    Value::list([time, Value::list([face, news]), zeros(6), zeros(6), Value::Int(0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_bodies::BodyKind;

    fn controls(line: &str) -> Vec<(Time, Control)> {
        match read(line, BodyKind::Nao.body()) {
            Ok(Typed::Do(controls)) => controls,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_touch_is_a_finger_that_comes_and_goes() {
        let value = |at: &(Time, Control)| match &at.1 {
            Control::Event { key, value } if key == "FrontTactilTouched" => value.as_f64(),
            _ => None,
        };
        let touch = controls("touch FrontTactilTouched");
        assert_eq!(
            touch.iter().map(|t| (t.0, value(t))).collect::<Vec<_>>(),
            [(Time::ZERO, Some(1.0)), (Time::from_millis(200), Some(0.0))]
        );
        assert_eq!(controls("touch FrontTactilTouched 1").len(), 1);
        let wrong = read("touch FrontTactileTouched", BodyKind::Nao.body()).unwrap_err();
        assert!(wrong.contains("FrontTactilTouched"), "{wrong}");
    }

    #[test]
    fn words_faces_and_the_battery_are_events() {
        let key = |line: &str| match &controls(line).last().unwrap().1 {
            Control::Event { key, .. } => key.clone(),
            other => panic!("{other:?}"),
        };
        assert!(matches!(&controls("say hello you")[0].1, Control::Hear { text } if text == "hello you"));
        assert_eq!(key("face Ann"), "FaceDetected");
        assert_eq!(key("battery 20%"), "BatteryChargeChanged");
        assert_eq!(key("event Mood={\"a\":1}"), "Mood");
        assert!(matches!(&controls("memory Key=7")[0].1, Control::Remember { value: Value::Int(7), .. }));
    }

    #[test]
    fn what_cannot_be_understood_is_answered() {
        let wrong = |line| read(line, BodyKind::Nao.body()).unwrap_err();
        assert!(wrong("tuch X").contains("touch"));
        assert!(wrong("battery 120").contains("0 to 100"));
        assert!(wrong("say").contains("needs an argument"));
        assert_eq!(read("  ", BodyKind::Nao.body()), Ok(Typed::Nothing));
        assert_eq!(read("quit", BodyKind::Nao.body()), Ok(Typed::Quit));
    }
}
