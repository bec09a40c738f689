//! The language of conditions, as far as public pages describe it: keys in single quotes, `!`, `&&`, `||`, comparisons,
//! `c ~ n` (`c` has been true for at least `n` seconds) and `e @ n` (the value of `e`, `n` seconds ago).
//!
//! The order of `~` and `@` among the other operators is not described: they bind to what is before them, and where
//! that leaves a choice, parentheses are required. Numbers, texts in double quotes, `true` and `false` are constants.
//! `#`, `bang()` and all else are refused by name.

use boxstep_types::{Time, Value};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fmt;

/// The longest text, in characters.
const TEXT: usize = 4000;

/// The deepest nesting.
const DEPTH: usize = 50;

/// The longest delay, in seconds.
const LONGEST: f64 = 1e6;

/// Why a condition cannot be read, with the position, in characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    at: usize,
    why: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the condition, at character {}: {}", self.at, self.why)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    And,
    Or,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
}

/// A condition, with what it remembers of the past.
#[derive(Debug)]
pub(crate) enum Condition {
    /// The last value of an event.
    Key(String, Value),
    Constant(Value),
    Not(Box<Condition>),
    Two(Operator, Box<(Condition, Condition)>),
    /// True for at least this long, and since when it has been true.
    Lasts(Box<Condition>, Time, Option<Time>),
    /// The value this long ago; then the changes since, and the value before them.
    Ago(Box<Condition>, Time, VecDeque<(Time, Value)>, Value),
}

use Condition::{Ago, Constant, Key, Lasts, Not, Two};

impl Condition {
    /// Reads a condition.
    pub(crate) fn read(text: &str) -> Result<Condition, Unreadable> {
        let mut reader = Reader { text: text.chars().collect(), at: 0, depth: 0 };
        if reader.text.len() > TEXT {
            return reader.fail(format!("it is longer than {TEXT} characters"));
        }
        let condition = reader.either()?;
        reader.skip();
        match reader.text.get(reader.at) {
            None => Ok(condition),
            Some(c) => reader.fail(format!("`{c}` is not expected here")),
        }
    }

    /// Returns its keys.
    pub(crate) fn keys(&self) -> Vec<&str> {
        match self {
            Key(key, _) => vec![key],
            Constant(_) => Vec::new(),
            Not(of) | Lasts(of, ..) | Ago(of, ..) => of.keys(),
            Two(_, both) => [both.0.keys(), both.1.keys()].concat(),
        }
    }

    /// Sets the value of an event.
    pub(crate) fn set(&mut self, name: &str, to: &Value) {
        match self {
            Key(key, value) if key == name => *value = to.clone(),
            Key(..) | Constant(_) => {}
            Not(of) | Lasts(of, ..) | Ago(of, ..) => of.set(name, to),
            Two(_, both) => {
                both.0.set(name, to);
                both.1.set(name, to);
            }
        }
    }

    /// Computes the value at a time that is not before that of an earlier call.
    pub(crate) fn value(&mut self, now: Time) -> Value {
        match self {
            Key(_, value) | Constant(value) => value.clone(),
            Not(of) => (!of.value(now).truthy()).into(),
            // Both sides are computed, because each may remember.
            Two(operator, both) => {
                let (a, b) = (both.0.value(now), both.1.value(now));
                holds(*operator, &a, &b).into()
            }
            Lasts(of, length, since) => {
                *since = of.value(now).truthy().then(|| since.unwrap_or(now));
                since.is_some_and(|since| since + *length <= now).into()
            }
            Ago(of, length, changes, before) => {
                let value = of.value(now);
                if changes.back().map_or(&*before, |(_, last)| last) != &value {
                    changes.push_back((now, value));
                }
                while changes.front().is_some_and(|(at, _)| *at + *length <= now) {
                    if let Some((_, value)) = changes.pop_front() {
                        *before = value;
                    }
                }
                before.clone()
            }
        }
    }

    /// Returns when the value may change by time alone, after this time.
    pub(crate) fn due(&self, now: Time) -> Option<Time> {
        let (of, own) = match self {
            Key(..) | Constant(_) => return None,
            Not(of) => return of.due(now),
            Two(_, both) => return [both.0.due(now), both.1.due(now)].into_iter().flatten().min(),
            Lasts(of, length, since) => (of, since.map(|since| since + *length)),
            Ago(of, length, changes, _) => (of, changes.front().map(|(at, _)| *at + *length)),
        };
        [of.due(now), own].into_iter().flatten().filter(|at| *at > now).min()
    }
}

fn holds(operator: Operator, a: &Value, b: &Value) -> bool {
    let order = || match (a.as_f64(), b.as_f64(), a.as_str(), b.as_str()) {
        (Some(a), Some(b), ..) => a.partial_cmp(&b),
        (_, _, Some(a), Some(b)) => Some(a.cmp(b)),
        _ => None,
    };
    // `true` equals 1, as it does for NAOqi's sensors, whose values are numbers.
    let equal = || order().map_or_else(|| a == b, |order| order == Ordering::Equal);
    match operator {
        Operator::And => a.truthy() && b.truthy(),
        Operator::Or => a.truthy() || b.truthy(),
        Operator::Equal => equal(),
        Operator::Unequal => !equal(),
        Operator::Less => order().is_some_and(Ordering::is_lt),
        Operator::LessOrEqual => order().is_some_and(Ordering::is_le),
        Operator::More => order().is_some_and(Ordering::is_gt),
        Operator::MoreOrEqual => order().is_some_and(Ordering::is_ge),
    }
}

const COMPARISONS: [(&str, Operator); 6] = [
    ("==", Operator::Equal),
    ("!=", Operator::Unequal),
    ("<=", Operator::LessOrEqual),
    (">=", Operator::MoreOrEqual),
    ("<", Operator::Less),
    (">", Operator::More),
];

struct Reader {
    text: Vec<char>,
    at: usize,
    depth: usize,
}

impl Reader {
    fn fail<T>(&self, why: impl Into<String>) -> Result<T, Unreadable> {
        Err(Unreadable { at: self.at + 1, why: why.into() })
    }

    fn skip(&mut self) {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    /// Reads this sign, if it comes next.
    fn take(&mut self, sign: &str) -> bool {
        self.skip();
        let found = self.text[self.at..].iter().copied().take(sign.len()).eq(sign.chars());
        if found {
            self.at += sign.len();
        }
        found
    }

    fn either(&mut self) -> Result<Condition, Unreadable> {
        let mut all = self.both()?;
        while self.take("||") {
            all = Two(Operator::Or, Box::new((all, self.both()?)));
        }
        Ok(all)
    }

    fn both(&mut self) -> Result<Condition, Unreadable> {
        let mut all = self.comparison()?;
        while self.take("&&") {
            all = Two(Operator::And, Box::new((all, self.comparison()?)));
        }
        Ok(all)
    }

    fn comparison(&mut self) -> Result<Condition, Unreadable> {
        let (left, clear) = self.negation()?;
        let Some((_, operator)) = COMPARISONS.into_iter().find(|(sign, _)| self.take(sign)) else { return Ok(left) };
        let (right, right_clear) = self.negation()?;
        if !(clear && right_clear) {
            return self.fail("`~`, `@` or `!` beside a comparison needs parentheses");
        }
        Ok(Two(operator, Box::new((left, right))))
    }

    /// Returns an operand, and whether its place among other operators is clear.
    fn negation(&mut self) -> Result<(Condition, bool), Unreadable> {
        self.skip();
        if self.text[self.at..].starts_with(&['!']) && self.text.get(self.at + 1) != Some(&'=') {
            self.at += 1;
            self.deeper(|reader| {
                let (of, clear) = reader.negation()?;
                match clear || matches!(of, Not(_)) {
                    true => Ok((Not(Box::new(of)), false)),
                    false => reader.fail("`!` before `~` or `@` needs parentheses"),
                }
            })
        } else {
            self.delayed()
        }
    }

    fn delayed(&mut self) -> Result<(Condition, bool), Unreadable> {
        let mut of = self.operand()?;
        let mut clear = true;
        loop {
            if self.take("~") {
                of = Lasts(Box::new(of), self.seconds()?, None);
            } else if self.take("@") {
                of = Ago(Box::new(of), self.seconds()?, VecDeque::new(), Value::Null);
            } else if self.text.get(self.at) == Some(&'#') {
                return self.fail("the operator `#` is not known");
            } else {
                return Ok((of, clear));
            }
            self.depth += 1;
            if self.depth > DEPTH {
                return self.fail("too deep");
            }
            clear = false;
        }
    }

    fn operand(&mut self) -> Result<Condition, Unreadable> {
        self.skip();
        match self.text.get(self.at).copied() {
            None => self.fail("the condition ends too early"),
            Some('(') => {
                self.at += 1;
                let inner = self.deeper(Self::either)?;
                if self.take(")") { Ok(inner) } else { self.fail("`)` is missing") }
            }
            Some('\'') => Ok(Key(self.quoted('\'')?, Value::Null)),
            Some('"') => Ok(Constant(self.quoted('"')?.into())),
            Some(c) if c.is_ascii_digit() || c == '-' || c == '.' => Ok(Constant(self.number()?.into())),
            Some(c) if c.is_alphabetic() => self.word(),
            Some(c) => self.fail(format!("`{c}` is not expected here")),
        }
    }

    fn word(&mut self) -> Result<Condition, Unreadable> {
        let word: String = self.text[self.at..].iter().take_while(|c| c.is_alphanumeric()).collect();
        let constant = match word.as_str() {
            "true" => true,
            "false" => false,
            _ => return self.fail(format!("`{word}` is not known; a key is written in single quotes")),
        };
        self.at += word.len();
        Ok(Constant(constant.into()))
    }

    fn quoted(&mut self, quote: char) -> Result<String, Unreadable> {
        let text: String = self.text[self.at + 1..].iter().take_while(|c| **c != quote).collect();
        let end = self.at + 1 + text.chars().count();
        if end >= self.text.len() {
            return self.fail(format!("`{quote}` is not closed"));
        }
        self.at = end + 1;
        Ok(text)
    }

    fn number(&mut self) -> Result<f64, Unreadable> {
        self.skip();
        let is_part = |c: &&char| c.is_ascii_digit() || matches!(c, '-' | '.');
        let text: String = self.text[self.at..].iter().take_while(is_part).collect();
        match text.parse() {
            Ok(number) => {
                self.at += text.len();
                Ok(number)
            }
            Err(_) => self.fail("a number is expected here"),
        }
    }

    fn seconds(&mut self) -> Result<Time, Unreadable> {
        let at = self.at;
        let seconds = self.number()?;
        if (0.0..=LONGEST).contains(&seconds) {
            return Ok(Time::from_secs_f64(seconds));
        }
        self.at = at;
        self.fail(format!("a number of seconds from 0 to {LONGEST} is expected here"))
    }

    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, Unreadable>) -> Result<T, Unreadable> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail("too deep");
        }
        let result = f(self)?;
        self.depth -= 1;
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(text: &str) -> String {
        Condition::read(text).expect_err(text).to_string()
    }

    fn seconds(x: f64) -> Time {
        Time::from_secs_f64(x)
    }

    #[test]
    fn comparisons_and_logic_have_the_usual_order() {
        let value = |text: &str| Condition::read(text).expect(text).value(Time::ZERO);
        for text in ["1 < 2 && 2 <= 2", "false || \"a\" == \"a\"", "!(1 > 2)", "true == 1", "false && false || true"] {
            assert_eq!(value(text), Value::Bool(true), "{text}");
        }
        for text in ["1 == \"1\"", "\"a\" < 1", "!true", "!!false", "'Nothing'> 0", "1 != 1", "2 >= 3"] {
            assert_eq!(value(text), Value::Bool(false), "{text}");
        }
        assert_eq!(value("-1.5"), Value::Float(-1.5));
    }

    #[test]
    fn a_value_lasts_from_when_it_became_true() {
        let mut c = Condition::read("('Zone' >= 1) ~ 3").unwrap();
        assert_eq!((c.value(seconds(0.0)), c.due(seconds(0.0))), (Value::Bool(false), None));
        c.set("Zone", &Value::Int(2));
        assert_eq!((c.value(seconds(1.0)), c.due(seconds(1.0))), (Value::Bool(false), Some(seconds(4.0))));
        c.set("Zone", &Value::Int(1));
        assert_eq!(c.value(seconds(3.9)), Value::Bool(false));
        assert_eq!((c.value(seconds(4.0)), c.due(seconds(4.0))), (Value::Bool(true), None));
        c.set("Zone", &Value::Int(0));
        assert_eq!(c.value(seconds(5.0)), Value::Bool(false));
    }

    #[test]
    fn a_value_of_the_past_follows_with_its_delay() {
        let mut c = Condition::read("'A' @ 2").unwrap();
        assert_eq!(c.value(seconds(0.0)), Value::Null);
        c.set("A", &Value::Int(1));
        c.value(seconds(1.0));
        c.set("A", &Value::Int(2));
        assert_eq!((c.value(seconds(1.5)), c.due(seconds(1.5))), (Value::Null, Some(seconds(3.0))));
        assert_eq!((c.value(seconds(3.0)), c.due(seconds(3.0))), (Value::Int(1), Some(seconds(3.5))));
        assert_eq!((c.value(seconds(3.5)), c.due(seconds(3.5))), (Value::Int(2), None));
    }

    #[test]
    fn what_is_not_known_is_refused_with_its_position() {
        assert_eq!(why("'A' # 3"), "the condition, at character 5: the operator `#` is not known");
        assert!(why("bang()").contains("character 1: `bang` is not known"));
        assert!(why("'A' >= 1 ~ 3").contains("needs parentheses"));
        assert!(why("!'A' ~ 3").contains("needs parentheses"));
        assert!(why("'A").contains("character 1: `'` is not closed"));
        assert!(why("('A'").contains("character 5: `)` is missing"));
        assert!(why("'A' &&").contains("ends too early") && why("").contains("ends too early"));
        assert!(why("'A' 'B'").contains("character 5: `'` is not expected here"));
        assert!(why("'A' ~ -1").contains("from 0 to") && why("'A' ~ x").contains("a number is expected"));
        assert!(why(&"(".repeat(1000)).contains("too deep"));
        assert!(why(&"!".repeat(1000)).contains("too deep"));
        assert!(why(&format!("'A'{}", "~ 1".repeat(1000))).contains("too deep"));
        assert!(why(&"1||".repeat(100_000)).contains("longer than 4000"));
    }
}
