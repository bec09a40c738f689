//! Languages in project files.

pub use boxstep_types::languages::{known_language, language_names};

/// Returns the locale, e.g. `en_US`, of a language that a robot (`English`) or a dialog (`enu`) names. A text that is
/// none of these is returned unchanged.
pub fn language_code(language: &str) -> &str {
    known_language(language).unwrap_or(language)
}
