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

fn known(language: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    let is = |word: &str| word.eq_ignore_ascii_case(language);
    LANGUAGES.iter().find(|(name, locale, code)| is(name) || is(locale) || is(code))
}

/// Returns the locale, e.g. `en_US`, of a language in any of the three spellings; `None` for any other text.
pub fn known_language(language: &str) -> Option<&'static str> {
    known(language).map(|(_, locale, _)| *locale)
}

/// Returns the code of a language in dialogs, e.g. `enu`; the language may have any of the three spellings.
pub fn topic_code(language: &str) -> Option<&'static str> {
    known(language).map(|(.., code)| *code)
}

/// Returns the name that robots use for a language in any of the three spellings, e.g. `English`.
pub fn language_name(language: &str) -> Option<&'static str> {
    known(language).map(|(name, ..)| *name)
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
            assert_eq!(known_language(spelling), Some("de_DE"));
            assert_eq!((topic_code(spelling), language_name(spelling)), (Some("ged"), Some("German")));
        }
        assert_eq!((known_language("en_GB"), topic_code("en_GB")), (None, None));
    }
}
