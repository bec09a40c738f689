//! Errors of curves and commands.

use boxstep_types::{Code, Diagnostic};
use std::fmt;

const CURVE_EMPTY: Code = Code::new(200, "curve-empty");
const CURVE_NOT_FINITE: Code = Code::new(201, "curve-not-finite");
const COMMAND_MALFORMED: Code = Code::new(202, "motion-command-malformed");

/// The codes of this crate.
pub const CODES: &[Code] = &[CURVE_EMPTY, CURVE_NOT_FINITE, COMMAND_MALFORMED];

/// Why keys do not make a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveError {
    /// There are no keys.
    Empty,
    /// A time, a value or a tangent is not a finite number.
    NotFinite {
        /// Index of the key, in the order given.
        index: usize,
    },
}

impl fmt::Display for CurveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CurveError::Empty => f.write_str("the curve has no keys"),
            CurveError::NotFinite { index } => {
                write!(f, "key {} of the curve holds a number that is not finite", index + 1)
            }
        }
    }
}

impl std::error::Error for CurveError {}

impl From<CurveError> for Diagnostic {
    fn from(error: CurveError) -> Self {
        let code = match error {
            CurveError::Empty => CURVE_EMPTY,
            CurveError::NotFinite { .. } => CURVE_NOT_FINITE,
        };
        Diagnostic::error(code, error.to_string())
    }
}

/// Why the arguments of a motion call cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// An argument, or a part of one, has the wrong type or length.
    Shape {
        /// The part of the arguments, e.g. `keys[2][0]`.
        place: String,
        /// What the method takes there.
        expected: &'static str,
    },
    /// The times of a joint do not rise from 0 on.
    TimesNotRising {
        /// The joint.
        joint: String,
        /// Index of the first time that is below 0 or not later than the one before it.
        index: usize,
    },
    /// The keys of a joint do not make a curve.
    Curve {
        /// The joint.
        joint: String,
        /// The reason.
        error: CurveError,
    },
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Shape { place, expected } => write!(f, "{place} should be {expected}"),
            CommandError::TimesNotRising { joint, index } => {
                write!(f, "the times of {joint} must rise from 0, and time {} does not", index + 1)
            }
            CommandError::Curve { joint, error } => write!(f, "{joint}: {error}"),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<CommandError> for Diagnostic {
    fn from(error: CommandError) -> Self {
        Diagnostic::error(COMMAND_MALFORMED, error.to_string())
    }
}
