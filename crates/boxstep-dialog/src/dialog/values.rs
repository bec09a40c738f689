//! Variables, and how they are compared and said.

use super::Dialog;
use crate::topic::{Comparison, Item, ItemKind};
use crate::words;
use crate::world::World;
use boxstep_types::{Value, calendar};
use std::ops::Range;

/// The prefix of variables that belong to a user.
const USER: &str = "user/";

/// A value as it is said.
pub(super) fn as_text(value: &Value) -> String {
    match value {
        Value::Str(text) => text.to_string(),
        Value::Null => String::new(),
        // 3.0 is said as 3.
        Value::Float(x) if x.fract() == 0.0 && x.abs() < 9.0e15 => format!("{}", *x as i64),
        other => other.to_string(),
    }
}

/// A text as a value: variables have no type, so a number is stored as one.
pub(super) fn as_value(text: &str) -> Value {
    if let Ok(number) = text.parse::<i64>() {
        return Value::Int(number);
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && text.bytes().any(|b| b.is_ascii_digit()) => Value::Float(number),
        _ => Value::from(text),
    }
}

/// Compares a variable with a text.
///
/// Decision: a condition on a variable that is not set is false (the documentation says both this and that it is
/// ignored). Numbers are compared as numbers, other texts without regard to case and punctuation; only numbers are
/// less or greater.
pub(super) fn compare(value: Option<&Value>, comparison: Comparison, with: Option<&str>) -> bool {
    let (Some(value), Some(with)) = (value, with) else { return false };
    let numbers = number(value).zip(with.trim().parse::<f64>().ok());
    let equal = || match (numbers, value) {
        (Some((a, b)), _) => a == b,
        (None, Value::Bool(b)) => with.eq_ignore_ascii_case(if *b { "true" } else { "false" }),
        (None, value) => {
            let text = as_text(value);
            let same = |text: &str| words::words(text).into_iter().map(|heard| heard.word).collect::<Vec<_>>();
            text == with || (!with.trim().is_empty() && same(&text) == same(with))
        }
    };
    match comparison {
        Comparison::Equal => equal(),
        Comparison::Unequal => !equal(),
        Comparison::Less => numbers.is_some_and(|(a, b)| a < b),
        Comparison::Greater => numbers.is_some_and(|(a, b)| a > b),
        Comparison::LessOrEqual => numbers.is_some_and(|(a, b)| a <= b),
        Comparison::GreaterOrEqual => numbers.is_some_and(|(a, b)| a >= b),
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

impl Dialog {
    /// The value of a variable as a topic sees it; an empty text counts as not set, because files clear variables so.
    pub(super) fn variable(&self, world: &dyn World, topic: u32, key: &str) -> Option<Value> {
        let found = match key.strip_prefix(USER) {
            Some(of_user) => self.user_data(of_user),
            None => clock(world, key).or_else(|| world.variable(&self.name_of(topic), key)),
        };
        found.filter(|value| *value != Value::Null && value.as_str() != Some(""))
    }

    pub(super) fn set_variable(&mut self, world: &mut dyn World, topic: u32, key: &str, value: Value) {
        match key.strip_prefix(USER) {
            Some(of_user) => self.set_user_data(of_user, value),
            None => world.set_variable(&self.name_of(topic), key, value),
        }
    }

    pub(super) fn clear_variable(&mut self, world: &mut dyn World, topic: u32, key: &str) {
        match key.strip_prefix(USER) {
            Some(of_user) => {
                let user = self.users.present.unwrap_or(0);
                self.users.data.retain(|(of, key), _| *of != user || &**key != of_user);
            }
            None => world.clear_variable(&self.name_of(topic), key),
        }
    }

    pub(super) fn user_data(&self, key: &str) -> Option<Value> {
        self.users.data.get(&(self.users.present.unwrap_or(0), key.into())).cloned()
    }

    pub(super) fn set_user_data(&mut self, key: &str, value: Value) {
        self.users.data.insert((self.users.present.unwrap_or(0), key.into()), value);
    }

    /// The text of items that only name words and variables, without any effect; `None` if a variable is not set.
    pub(super) fn plain_text(&self, world: &dyn World, topic: u32, items: &[Item]) -> Option<String> {
        let mut text = String::new();
        for item in items {
            if item.spaced && !text.is_empty() {
                text.push(' ');
            }
            match &item.kind {
                ItemKind::Text(word) => text.push_str(word),
                ItemKind::Phrase(items) => text.push_str(&self.plain_text(world, topic, items)?),
                ItemKind::Variable(key) => text.push_str(&as_text(&self.variable(world, topic, key)?)),
                _ => {}
            }
        }
        Some(text)
    }

    pub(super) fn is_off(&self, topic: u32, tag: &str) -> bool {
        !self.tags_off.is_empty() && self.tags_off.contains(&(topic, tag.into()))
    }
}

/// The variables of the robot's clock ("Dialog/Hour" …).
fn clock(world: &dyn World, key: &str) -> Option<Value> {
    let part = key.strip_prefix("Dialog/")?;
    // Decision: 1 in these hours, 0 in others.
    let in_hours = |hours: Range<i64>| {
        let hour = world.unix_time().div_euclid(3_600).rem_euclid(24);
        Some(Value::Int(i64::from(hours.contains(&hour) || hours.contains(&(hour + 24)))))
    };
    let range = match part {
        "Year" => 0..4,
        "Hour" => 11..13,
        "Minute" => 14..16,
        "Second" => 17..19,
        "DateCode" => {
            let text = calendar::rfc3339(world.unix_time());
            return Some(format!("{}{}", text.get(5..7)?, text.get(8..10)?).into());
        }
        "Morning" => return in_hours(5..11),
        "Default" => return in_hours(11..19),
        "Night" => return in_hours(19..5 + 24),
        _ => return None,
    };
    let text = calendar::rfc3339(world.unix_time());
    text.get(range)?.parse::<i64>().ok().map(Value::Int)
}
