//! The configuration file of a project, `boxstep.toml`. The schema is `docs/schemas/boxstep.schema.json`.

use crate::codes;
use crate::explain::{explain, is_code};
use boxstep_bodies::own::BodyName;
use boxstep_types::{Diagnostic, Severity, Sources, Span};
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// The name of the configuration file.
pub const FILE_NAME: &str = "boxstep.toml";

/// The word in `denied` that stands for every warning.
pub const WARNINGS: &str = "warnings";

/// The maximum size of a `boxstep.toml`, in bytes.
pub const LONGEST: u64 = 1 << 20;

/// The contents of a `boxstep.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The robot that the behaviors are for. A body file is relative to the folder of the `boxstep.toml`.
    pub body: Option<BodyName>,
    /// The language of the robot and of localized texts.
    pub language: Option<String>,
    /// The interpreter that parses scripts, a name on `PATH`.
    pub python: Option<String>,
    /// True if scripts import the installed package `qi` instead of Boxstep's own.
    pub installed_qi: bool,
    /// The Python version, 2 or 3, of scripts whose first line does not name one.
    pub dialect: u8,
    /// Which findings count as errors, and which are not reported.
    pub rules: Rules,
    /// The baseline file, relative to the `boxstep.toml`.
    pub baseline: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            body: None,
            language: None,
            python: None,
            installed_qi: false,
            dialect: 2,
            rules: Rules::default(),
            baseline: None,
        }
    }
}

/// Which findings count as errors, and which are not reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Codes of findings that count as errors, or [`WARNINGS`].
    pub denied: Vec<String>,
    /// Codes of findings that are not reported.
    pub allowed: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    body: Option<Spanned<String>>,
    language: Option<Spanned<String>>,
    python: Option<Spanned<String>>,
    qi: Option<Spanned<String>>,
    dialect: Option<Spanned<i64>>,
    #[serde(default)]
    denied: Vec<Spanned<String>>,
    #[serde(default)]
    allowed: Vec<Spanned<String>>,
    baseline: Option<Spanned<String>>,
}

impl Config {
    /// Reads a `boxstep.toml`; `name` is the file name that messages print.
    ///
    /// # Errors
    /// A finding with its line, and the text that its span refers to.
    ///
    /// # Errors
    /// What is wrong, with its line, and the text it points into.
    pub fn read(name: &str, text: &str) -> Result<Self, Box<(Diagnostic, Sources)>> {
        let mut sources = Sources::new();
        let id = sources.add(name, text);
        let wrong = |message: String, range: Option<std::ops::Range<usize>>| {
            let mut finding = Diagnostic::error(codes::BAD_CONFIG, message);
            if let Some(range) = range {
                finding = finding.at(Span { file: id, start: range.start as u32, end: range.end as u32 });
            }
            Box::new((finding, sources.clone()))
        };
        let file: File = toml::from_str(text).map_err(|e| wrong(e.message().to_owned(), e.span()))?;
        let body = match file.body {
            None => None,
            Some(body) => {
                let name = BodyName::parse(body.get_ref()).map_err(|why| wrong(why, Some(body.span())))?;
                if matches!(name, BodyName::File(_)) && !is_inside(body.get_ref()) {
                    return Err(wrong("`body` is a path within the folder of this file".to_owned(), Some(body.span())));
                }
                Some(name)
            }
        };
        if let Some(python) = file.python.as_ref().filter(|p| !is_python(p.get_ref())) {
            let message = "`python` is the name of an interpreter on PATH such as python3.11; a path is for --python";
            return Err(wrong(message.to_owned(), Some(python.span())));
        }
        if let Some(qi) = file.qi.as_ref().filter(|q| !["own", "installed"].contains(&q.get_ref().as_str())) {
            return Err(wrong(
                format!("there is no `qi` of kind `{}`: own or installed", qi.get_ref()),
                Some(qi.span()),
            ));
        }
        let dialect = match file.dialect.as_ref().map(|d| (*d.get_ref(), d.span())) {
            None | Some((2, _)) => 2,
            Some((3, _)) => 3,
            Some((n, at)) => return Err(wrong(format!("there is no `dialect` {n}: 2 or 3"), Some(at))),
        };
        if let Some(baseline) = file.baseline.as_ref().filter(|b| !is_inside(b.get_ref())) {
            let message = "`baseline` is a path within the folder of this file";
            return Err(wrong(message.to_owned(), Some(baseline.span())));
        }
        for code in file.denied.iter().chain(&file.allowed) {
            let word = code.get_ref() == WARNINGS && file.denied.iter().any(|d| d.span() == code.span());
            if !word && explain(code.get_ref()).is_none() {
                return Err(wrong(format!("there is no code `{}`", code.get_ref()), Some(code.span())));
            }
        }
        let plain = |codes: Vec<Spanned<String>>| codes.into_iter().map(Spanned::into_inner).collect();
        Ok(Self {
            body,
            language: file.language.map(Spanned::into_inner),
            python: file.python.map(Spanned::into_inner),
            installed_qi: file.qi.is_some_and(|q| q.get_ref() == "installed"),
            dialect,
            rules: Rules { denied: plain(file.denied), allowed: plain(file.allowed) },
            baseline: file.baseline.map(Spanned::into_inner),
        })
    }
}

/// Returns true for a name of Python or PyPy. A file in a project must not choose another program to be started.
fn is_python(name: &str) -> bool {
    let rest = name.strip_suffix(".exe").unwrap_or(name);
    let rest = rest.strip_prefix("python").or_else(|| rest.strip_prefix("pypy"));
    rest.is_some_and(|version| version.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

fn is_inside(path: &str) -> bool {
    use std::path::Component;
    let parts = |path| Path::new(path).components();
    !path.is_empty() && !path.contains('\\') && parts(path).all(|c| matches!(c, Component::Normal(_)))
}

impl Rules {
    /// Applies the rules to a finding; `None` if it is not reported. For one code, the rules in `self` override those
    /// of `project`.
    pub fn judge(&self, project: &Rules, mut finding: Diagnostic) -> Option<Diagnostic> {
        let names = |list: &[String]| list.iter().any(|c| is_code(c, finding.code));
        let warns = |list: &[String]| finding.severity == Severity::Warning && list.iter().any(|c| c == WARNINGS);
        let (denied, allowed) = match (names(&self.denied), names(&self.allowed)) {
            (false, false) => (names(&project.denied), names(&project.allowed)),
            own => own,
        };
        if allowed {
            return None;
        }
        if denied || warns(&self.denied) || warns(&project.denied) {
            finding.severity = Severity::Error;
        }
        Some(finding)
    }

    /// Returns a message if a rule has an unknown code, or if a code is both denied and allowed.
    pub fn mistake(&self) -> Option<String> {
        let known = |code: &&String| *code != WARNINGS && explain(code).is_none();
        if let Some(code) = self.denied.iter().find(known) {
            return Some(format!("there is no code `{code}`"));
        }
        if let Some(code) = self.allowed.iter().find(|c| explain(c).is_none()) {
            return Some(format!("there is no code `{code}` that could be allowed"));
        }
        let page = |code: &String| explain(code).map(str::as_ptr);
        let both = self.allowed.iter().find(|a| self.denied.iter().any(|d| page(d) == page(a)));
        both.map(|code| format!("`{code}` is denied and allowed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(text: &str) -> (String, u32) {
        let (finding, sources) = *Config::read("boxstep.toml", text).unwrap_err();
        let at = finding.span.map_or(0, |s| sources.line_col(s.file, s.start).line);
        (finding.message, at)
    }

    #[test]
    fn everything_it_may_say() {
        let text = "body = \"pepper\"\nlanguage = \"French\"\npython = \"python3.11\"\nqi = \"installed\"\ndialect = 3\n\
                    denied = [\"warnings\", \"BS0600\"]\nallowed = [\"python-2\"]\nbaseline = \"old.json\"\n";
        let config = Config::read("boxstep.toml", text).unwrap();
        assert_eq!(
            (config.body, config.language.as_deref()),
            (Some(BodyName::Known(boxstep_bodies::BodyKind::Pepper)), Some("French"))
        );
        assert_eq!((config.python.as_deref(), config.baseline.as_deref()), (Some("python3.11"), Some("old.json")));
        assert_eq!(config.rules.denied, ["warnings", "BS0600"]);
        assert!(config.installed_qi && !Config::read("boxstep.toml", "qi = \"own\"").unwrap().installed_qi);
        assert_eq!((config.dialect, Config::default().dialect), (3, 2));
        assert_eq!(Config::read("boxstep.toml", "").unwrap(), Config::default());
    }

    #[test]
    fn mistakes_have_their_line() {
        assert!(matches!(line_of("\nbodi = \"nao\"\n"), (why, 2) if why.contains("unknown field `bodi`")));
        assert!(matches!(line_of("body = 3"), (_, 1)));
        assert!(
            matches!(line_of("\n\nbody = \"spot\""), (why, 3) if why.contains("nao, nao-v3.3, pepper, or your own file"))
        );
        assert!(matches!(line_of("\nqi = \"mine\""), (why, 2) if why.contains("own or installed")));
        assert!(matches!(line_of("\n\ndialect = 4"), (why, 3) if why.contains("2 or 3")));
        assert!(matches!(line_of("denied = [\n\"BS9999\"]"), (why, 2) if why == "there is no code `BS9999`"));
        assert!(matches!(line_of("allowed = [\"warnings\"]"), (_, 1)));
        assert!(matches!(line_of("body = \"nao\"\nbody = \"nao\""), (_, 2)));
    }

    #[test]
    fn a_project_names_no_program_and_no_file_outside() {
        for python in ["./evil", "/bin/sh", "sh", "python3; rm", "python3/x", "..\\python"] {
            assert!(line_of(&format!("python = '{python}'")).0.contains("PATH"), "{python}");
        }
        for baseline in ["../x", "/etc/x", "", "a/../../x", "c\\d"] {
            assert!(line_of(&format!("baseline = '{baseline}'")).0.contains("within"), "{baseline}");
        }
    }

    #[test]
    fn the_published_schema_has_these_keys() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/boxstep.schema.json");
        let schema: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(schema["additionalProperties"], false);
        let message = line_of("x = 1").0;
        for key in &keys {
            assert!(message.contains(&format!("`{key}`")), "{key} is in the schema, and not in: {message}");
        }
        assert_eq!(message.matches('`').count() / 2, keys.len() + 1, "{message}");
    }

    #[test]
    fn the_command_line_has_the_last_word() {
        let rules = |denied: &[&str], allowed: &[&str]| Rules {
            denied: denied.iter().map(|s| s.to_string()).collect(),
            allowed: allowed.iter().map(|s| s.to_string()).collect(),
        };
        let link = || Diagnostic::warning(codes::DOUBLE_LINK, "x");
        let judged = |own: &Rules, project: &Rules| own.judge(project, link()).map(|d| d.severity);
        let none = Rules::default();
        assert_eq!(judged(&none, &none), Some(Severity::Warning));
        assert_eq!(judged(&none, &rules(&["BS0603"], &[])), Some(Severity::Error));
        assert_eq!(judged(&rules(&[], &["double-link"]), &rules(&["BS0603"], &[])), None);
        assert_eq!(judged(&rules(&["603"], &[]), &rules(&[], &["BS0603"])), Some(Severity::Error));
        assert_eq!(judged(&rules(&["warnings"], &[]), &none), Some(Severity::Error));
        assert_eq!(judged(&rules(&["warnings"], &["BS0603"]), &none), None);
        assert!(rules(&["x"], &[]).mistake().is_some() && rules(&["603"], &["BS0603"]).mistake().is_some());
        assert_eq!(rules(&["warnings", "603"], &["BS0600"]).mistake(), None);
    }
}
