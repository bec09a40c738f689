//! Languages: robots name them in English, project files by locale.

const LANGUAGES: [(&str, &str); 22] = [
    ("Arabic", "ar_SA"),
    ("Brazilian", "pt_BR"),
    ("Chinese", "zh_CN"),
    ("Czech", "cs_CZ"),
    ("Danish", "da_DK"),
    ("Dutch", "nl_NL"),
    ("English", "en_US"),
    ("Finnish", "fi_FI"),
    ("French", "fr_FR"),
    ("German", "de_DE"),
    ("Greek", "el_GR"),
    ("Italian", "it_IT"),
    ("Japanese", "ja_JP"),
    ("Korean", "ko_KR"),
    ("MandarinTaiwan", "zh_TW"),
    ("Norwegian", "nn_NO"),
    ("Polish", "pl_PL"),
    ("Portuguese", "pt_PT"),
    ("Russian", "ru_RU"),
    ("Spanish", "es_ES"),
    ("Swedish", "sv_SE"),
    ("Turkish", "tr_TR"),
];

/// The locale of a language that a robot names (`English` is `en_US`); a locale is returned as it is.
pub fn language_code(language: &str) -> &str {
    let known = LANGUAGES.iter().find(|(name, _)| name.eq_ignore_ascii_case(language));
    known.map_or(language, |(_, code)| code)
}
