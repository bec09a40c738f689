//! Access to the arguments of a service call. An argument that does not fit gives a readable error, never a panic.

use boxstep_engine::services::ServiceError;
use boxstep_types::Value;

/// The longest duration of a call, in seconds (about 31 years); a longer one is a mistake.
const MAX_SECONDS: f64 = 1e9;

/// The positional arguments of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Args<'a>(pub(crate) &'a [Value]);

/// Returns the error for an argument (by position, from 0) that does not fit.
fn bad(i: usize, what: &str, wanted: &str, got: &Value) -> ServiceError {
    let got = match got {
        Value::Float(x) if !x.is_finite() => format!("{x}"),
        other => other.kind().replace("bang", "None"),
    };
    ServiceError::BadArguments(format!("argument {} ({what}) must be {wanted}, not {got}", i + 1))
}

/// Returns a finite number.
fn number(v: &Value) -> Option<f64> {
    v.as_f64().filter(|x| x.is_finite())
}

impl<'a> Args<'a> {
    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    /// Returns the argument, if it was given.
    pub(crate) fn get(self, i: usize) -> Option<&'a Value> {
        self.0.get(i)
    }

    /// Returns the argument, of any type.
    pub(crate) fn value(self, i: usize, what: &str) -> Result<&'a Value, ServiceError> {
        self.get(i).ok_or_else(|| ServiceError::BadArguments(format!("argument {} ({what}) is missing", i + 1)))
    }

    pub(crate) fn text(self, i: usize, what: &str) -> Result<&'a str, ServiceError> {
        let v = self.value(i, what)?;
        v.as_str().ok_or_else(|| bad(i, what, "a string", v))
    }

    /// Returns a finite number.
    pub(crate) fn number(self, i: usize, what: &str) -> Result<f64, ServiceError> {
        let v = self.value(i, what)?;
        number(v).ok_or_else(|| bad(i, what, "a finite number", v))
    }

    pub(crate) fn int(self, i: usize, what: &str) -> Result<i64, ServiceError> {
        let v = self.value(i, what)?;
        v.as_i64().ok_or_else(|| bad(i, what, "a whole number", v))
    }

    pub(crate) fn flag(self, i: usize, what: &str) -> Result<bool, ServiceError> {
        let v = self.value(i, what)?;
        match v {
            Value::Bool(_) | Value::Int(_) => Ok(v.truthy()),
            _ => Err(bad(i, what, "True or False", v)),
        }
    }

    /// Returns a duration in seconds: finite and not negative.
    pub(crate) fn seconds(self, i: usize, what: &str) -> Result<f64, ServiceError> {
        let x = self.number(i, what)?;
        if !(0.0..=MAX_SECONDS).contains(&x) {
            return Err(ServiceError::BadArguments(format!(
                "argument {} ({what}) must be a number of seconds from 0 to {MAX_SECONDS}, not {x}",
                i + 1
            )));
        }
        Ok(x)
    }

    /// Returns a number, or the default if the argument was not given.
    pub(crate) fn number_or(self, i: usize, what: &str, default: f64) -> Result<f64, ServiceError> {
        if self.get(i).is_some() { self.number(i, what) } else { Ok(default) }
    }

    /// Returns a boolean, or the default if the argument was not given.
    pub(crate) fn flag_or(self, i: usize, what: &str, default: bool) -> Result<bool, ServiceError> {
        if self.get(i).is_some() { self.flag(i, what) } else { Ok(default) }
    }

    /// Returns a text, or the default if the argument was not given.
    pub(crate) fn text_or(self, i: usize, what: &str, default: &'a str) -> Result<&'a str, ServiceError> {
        if self.get(i).is_some() { self.text(i, what) } else { Ok(default) }
    }

    pub(crate) fn list(self, i: usize, what: &str) -> Result<&'a [Value], ServiceError> {
        let v = self.value(i, what)?;
        v.as_list().ok_or_else(|| bad(i, what, "a list", v))
    }

    /// Returns the strings of an argument that is one string or a list of them.
    pub(crate) fn texts(self, i: usize, what: &str) -> Result<Vec<&'a str>, ServiceError> {
        let v = self.value(i, what)?;
        match v {
            Value::Str(s) => Ok(vec![s]),
            Value::List(items) => {
                items.iter().map(|item| item.as_str().ok_or_else(|| bad(i, what, "a list of strings", item))).collect()
            }
            _ => Err(bad(i, what, "a string or a list of strings", v)),
        }
    }

    /// Returns the numbers of an argument that is one finite number or a list of them.
    pub(crate) fn numbers(self, i: usize, what: &str) -> Result<Vec<f64>, ServiceError> {
        let v = self.value(i, what)?;
        match v {
            Value::List(items) => items
                .iter()
                .map(|item| number(item).ok_or_else(|| bad(i, what, "a list of finite numbers", item)))
                .collect(),
            _ => Ok(vec![number(v).ok_or_else(|| bad(i, what, "a finite number or a list of them", v))?]),
        }
    }
}

/// Returns the finite numbers of a list inside an argument.
pub(crate) fn numbers_of(v: &Value, what: &str) -> Result<Vec<f64>, ServiceError> {
    Args(std::slice::from_ref(v)).numbers(0, what).map_err(|_| {
        ServiceError::BadArguments(format!("{what} must be a finite number or a list of them, not {}", v.kind()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(r: Result<impl std::fmt::Debug, ServiceError>) -> String {
        match r {
            Err(ServiceError::BadArguments(text)) => text,
            other => panic!("not a complaint: {other:?}"),
        }
    }

    #[test]
    fn argument_errors_name_the_position_and_the_kind() {
        let values = [Value::from("x"), Value::Float(f64::NAN), Value::Float(-1.0), Value::list([Value::Null])];
        let a = Args(&values);
        assert_eq!(why(a.number(0, "speed")), "argument 1 (speed) must be a finite number, not string");
        assert_eq!(why(a.number(1, "speed")), "argument 2 (speed) must be a finite number, not NaN");
        assert_eq!(
            why(a.seconds(2, "duration")),
            "argument 3 (duration) must be a number of seconds from 0 to 1000000000, not -1"
        );
        assert_eq!(why(a.numbers(3, "times")), "argument 4 (times) must be a list of finite numbers, not None");
        assert_eq!(why(a.text(9, "key")), "argument 10 (key) is missing");
    }

    #[test]
    fn one_value_or_a_list() {
        let values = [Value::from("Head"), Value::list([1.into(), 2.5.into()]), Value::from(3)];
        let a = Args(&values);
        assert_eq!(a.texts(0, "names"), Ok(vec!["Head"]));
        assert_eq!(a.numbers(1, "angles"), Ok(vec![1.0, 2.5]));
        assert_eq!(a.numbers(2, "angles"), Ok(vec![3.0]));
        assert_eq!(a.flag(2, "absolute"), Ok(true));
    }
}
