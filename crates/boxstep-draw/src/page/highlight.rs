//! Simple syntax highlighting of Python: comments, strings, numbers, keywords and defined names.

use crate::xml::Xml;

const KEYWORDS: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "exec", "False", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "None", "nonlocal",
    "not", "or", "pass", "print", "raise", "return", "True", "try", "while", "with", "yield",
];

/// Writes a script with a `span` around each highlighted token.
pub(super) fn python(xml: &mut Xml, script: &str) {
    for (class, token) in tokens(script) {
        match class {
            Some(class) => xml.tag("span").attr("class", class).text(token),
            None => xml.text(token),
        }
    }
}

/// Splits the whole script where the highlighting changes.
fn tokens(script: &str) -> Vec<(Option<&'static str>, &str)> {
    let mut found: Vec<(Option<&'static str>, &str)> = Vec::new();
    let (mut rest, mut plain, mut defines) = (script, 0, false);
    while let Some(c) = rest.chars().next() {
        let (class, length) = token(rest, c, &mut defines);
        let (here, next) = rest.split_at(length.max(c.len_utf8()));
        if class.is_some() {
            let at = script.len() - rest.len();
            found.extend((at > plain).then(|| (None, &script[plain..at])));
            found.push((class, here));
            plain = at + here.len();
        }
        rest = next;
    }
    found.extend((plain < script.len()).then(|| (None, &script[plain..])));
    found
}

/// Returns the class and length of the token that begins here.
fn token(rest: &str, c: char, defines: &mut bool) -> (Option<&'static str>, usize) {
    match c {
        '#' => (Some("c"), rest.find('\n').unwrap_or(rest.len())),
        '"' | '\'' => (Some("s"), string(rest, c)),
        c if c.is_ascii_digit() => {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_'));
            (Some("n"), end.unwrap_or(rest.len()))
        }
        c if c.is_alphabetic() || c == '_' => {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let word = &rest[..end];
            let class = if std::mem::take(defines) {
                Some("d")
            } else if KEYWORDS.contains(&word) {
                *defines = matches!(word, "def" | "class");
                Some("k")
            } else {
                None
            };
            (class, end)
        }
        _ => (None, c.len_utf8()),
    }
}

/// Returns the length of a string with its quotes. A string in single-character quotes ends at the end of the line at
/// the latest.
fn string(rest: &str, quote: char) -> usize {
    let three: String = [quote; 3].iter().collect();
    let long = rest.starts_with(&three);
    let mut at = if long { 3 } else { 1 };
    while let Some(c) = rest.get(at..).and_then(|r| r.chars().next()) {
        let here = &rest[at..];
        if c == '\\' {
            at += 1 + here[1..].chars().next().map_or(0, char::len_utf8);
        } else if long && here.starts_with(&three) {
            return at + 3;
        } else if !long && c == quote {
            return at + 1;
        } else if !long && c == '\n' {
            return at;
        } else {
            at += c.len_utf8();
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_has_a_colour() {
        let script = "class A(B):\n  # é 'x'\n  def f(self):\n    return \"a\\\"b\" + 'c' * 0x1f\n";
        let coloured: Vec<_> = tokens(script).into_iter().filter_map(|(c, t)| c.map(|c| (c, t))).collect();
        assert_eq!(
            coloured,
            [
                ("k", "class"),
                ("d", "A"),
                ("c", "# é 'x'"),
                ("k", "def"),
                ("d", "f"),
                ("k", "return"),
                ("s", "\"a\\\"b\""),
                ("s", "'c'"),
                ("n", "0x1f")
            ]
        );
        assert_eq!(tokens("\"\"\"a\n'b\"\"\" x")[0], (Some("s"), "\"\"\"a\n'b\"\"\""));
    }

    proptest! {
        #[test]
        fn nothing_is_lost(script in "([a-z#'\"\\\\ \n0-9é]|\"\"\"|def ){0,60}") {
            let all: String = tokens(&script).into_iter().map(|(_, t)| t).collect();
            prop_assert_eq!(all, script);
        }
    }
}
