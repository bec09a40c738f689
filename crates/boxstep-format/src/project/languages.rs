//! Names of languages: robots use English names, project files locales, and dialogs codes of three letters.

const LANGUAGES: [(&str, &str, &str); 22] = [
    ("Arabic", "ar_SA", "arw"),
    ("Brazilian", "pt_BR", "ptb"),
    ("Chinese", "zh_CN", "mnc"),
    ("Czech", "cs_CZ", "czc"),
    ("Danish", "da_DK", "dad"),
    ("Dutch", "nl_NL", "dun"),
    ("English", "en_US", "enu"),
    ("Finnish", "fi_FI", "fif"),
    ("French", "fr_FR", "frf"),
    ("German", "de_DE", "ged"),
    ("Greek", "el_GR", "grg"),
    ("Italian", "it_IT", "iti"),
    ("Japanese", "ja_JP", "jpj"),
    ("Korean", "ko_KR", "kok"),
    ("MandarinTaiwan", "zh_TW", "mnt"),
    ("Norwegian", "nn_NO", "non"),
    ("Polish", "pl_PL", "plp"),
    ("Portuguese", "pt_PT", "ptp"),
    ("Russian", "ru_RU", "rur"),
    ("Spanish", "es_ES", "spe"),
    ("Swedish", "sv_SE", "sws"),
    ("Turkish", "tr_TR", "trt"),
];

/// Returns the locale, e.g. `en_US`, of a language that a robot (`English`) or a dialog (`enu`) names. A text that is
/// none of these is returned unchanged.
pub fn language_code(language: &str) -> &str {
    known_language(language).unwrap_or(language)
}

/// Returns the locale of a language in any of the three spellings; `None` for any other text.
pub fn known_language(language: &str) -> Option<&'static str> {
    let is = |word: &str| word.eq_ignore_ascii_case(language);
    LANGUAGES.iter().find(|(name, locale, code)| is(name) || is(locale) || is(code)).map(|(_, locale, _)| *locale)
}

/// Returns the names of the known languages, as robots use them.
pub fn language_names() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|(name, ..)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_three_spellings() {
        for spelling in ["German", "german", "de_DE", "ged"] {
            assert_eq!((language_code(spelling), known_language(spelling)), ("de_DE", Some("de_DE")));
        }
        assert_eq!((language_code("en_GB"), known_language("en_GB")), ("en_GB", None));
    }
}
