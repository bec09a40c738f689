//! Conversion of parameter texts to values.

use crate::codes;
use crate::model::{Parameter, ParameterType};
use boxstep_types::{Diagnostic, Value};
use std::fmt;

/// The text of a parameter is not a value of the parameter's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamError {
    /// The text.
    pub text: String,
    /// The expected type: `a bool`, `an int`, `a float`.
    pub expected: &'static str,
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not {}", self.text, self.expected)
    }
}

impl std::error::Error for ParamError {}

impl ParamError {
    /// Converts the error to a diagnostic at the parameter's value.
    pub fn diagnostic(&self, parameter: &Parameter) -> Diagnostic {
        let message = format!("the value of the parameter \"{}\": {self}", parameter.name);
        Diagnostic::error(codes::BAD_PARAMETER_VALUE, message).at(parameter.value_span)
    }
}

/// Returns the value of a parameter as its box sees it, before inheritance and translation.
///
/// The value of a file parameter is its stored path, that of a localized text its source text. The bounds `min` and
/// `max` are not checked.
pub fn param_value(parameter: &Parameter) -> Result<Value, ParamError> {
    typed_value(parameter.content_type, &parameter.value)
}

/// Returns the value that `text` represents in a parameter of this type.
pub fn typed_value(content_type: ParameterType, text: &str) -> Result<Value, ParamError> {
    let wrong = |expected| ParamError { text: text.to_owned(), expected };
    match content_type {
        ParameterType::Bool => flag(text).map(Value::Bool).ok_or_else(|| wrong("a bool")),
        ParameterType::Int => int(text).map(Value::Int).ok_or_else(|| wrong("an int")),
        ParameterType::Float => float(text).map(Value::Float).ok_or_else(|| wrong("a float")),
        ParameterType::String | ParameterType::File | ParameterType::Localized | ParameterType::Unknown(_) => {
            Ok(Value::from(text))
        }
    }
}

/// Parses `0`, `1`, `true` or `false`, ignoring case.
pub(crate) fn flag(text: &str) -> Option<bool> {
    let text = text.trim();
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// Parses a whole number, which may have a fraction of zero (`50.0`).
fn int(text: &str) -> Option<i64> {
    let text = text.trim();
    text.parse().ok().or_else(|| float(text).and_then(|x| Value::Float(x).as_i64()))
}

fn float(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bools_come_in_four_spellings() {
        for (text, want) in [("0", false), ("1", true), ("True", true), ("false", false), (" 1 ", true)] {
            assert_eq!(typed_value(ParameterType::Bool, text), Ok(Value::Bool(want)), "{text}");
        }
        assert!(typed_value(ParameterType::Bool, "yes").is_err());
        assert!(typed_value(ParameterType::Bool, "").is_err());
    }

    #[test]
    fn numbers_are_finite_and_of_their_kind() {
        assert_eq!(typed_value(ParameterType::Int, "-5"), Ok(Value::Int(-5)));
        assert_eq!(typed_value(ParameterType::Int, "50.0"), Ok(Value::Int(50)));
        assert!(typed_value(ParameterType::Int, "0.5").is_err());
        assert_eq!(typed_value(ParameterType::Float, "1"), Ok(Value::Float(1.0)));
        assert_eq!(typed_value(ParameterType::Float, "1e-3"), Ok(Value::Float(0.001)));
        assert!(typed_value(ParameterType::Float, "nan").is_err());
        assert!(typed_value(ParameterType::Float, "0,5").is_err());
    }

    #[test]
    fn text_is_kept_to_the_letter() {
        for t in [ParameterType::String, ParameterType::File, ParameterType::Localized, ParameterType::Unknown(9)] {
            assert_eq!(typed_value(t, " /a b "), Ok(Value::from(" /a b ")));
        }
    }
}
