//! Which Python version a script is written in. `boxstep_runtime.py2.dialect_of` implements the same rule.

/// Returns the Python version that the text's first line names, 2 or 3 (`#!/usr/bin/env python3`, also with a minor
/// version), or `default` if it names none.
pub fn of(text: &str, default: u8) -> u8 {
    named(text).unwrap_or(default)
}

/// Whether the text's first line names a Python version.
pub fn is_said(text: &str) -> bool {
    named(text).is_some()
}

fn named(text: &str) -> Option<u8> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let line = text.strip_prefix("#!")?.split(['\n', '\r']).next()?;
    line.split([' ', '\t', '/']).find_map(|word| {
        let rest = word.strip_prefix("python")?;
        let (version, rest) = (rest.get(..1)?, rest.get(1..)?);
        let version = version.parse().ok().filter(|v| matches!(v, 2 | 3))?;
        (rest.is_empty() || rest.starts_with('.')).then_some(version)
    })
}

#[cfg(test)]
mod tests {
    use super::of;

    /// `tests/runtime/test_namespace.py` checks the runtime against the same lines.
    #[test]
    fn the_first_line_names_the_python() {
        let lines = include_str!("../tests/runtime/dialects.txt");
        let cases: Vec<_> = lines.lines().filter_map(|line| line.split_once(' ')).collect();
        assert!(cases.len() > 10);
        for (dialect, line) in cases {
            let text =
                line.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t").replace("\\ufeff", "\u{feff}");
            let expected = dialect.parse().unwrap_or(7);
            assert_eq!(of(&text, 7), expected, "{line}");
        }
    }
}
