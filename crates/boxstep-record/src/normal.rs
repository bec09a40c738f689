//! Replaces text that differs between machines or runs although the same things happened.
//!
//! It works on finished lines of JSON, and so reaches every text in them, or on a single text. It replaces addresses as
//! Python prints them (`<x object at 0x7f…>` → `at 0x0`), folders of this machine (→ a name in braces), and the folders
//! of files in tracebacks (`File "/usr/lib/python3.11/json/x.py"` → `File "{python}/x.py"`,
//! `File "as/it/was/typed/behavior.xar: root/Say"` → `File "{behavior}/behavior.xar: root/Say"`).

use std::borrow::Cow;
use std::path::Path;

/// Replacements for machine-dependent text.
#[derive(Clone, Debug, Default)]
pub struct Normal {
    /// The longest path first.
    folders: Vec<Folder>,
}

#[derive(Clone, Debug)]
struct Folder {
    path: String,
    /// The path as it is escaped in JSON.
    in_json: String,
    /// The replacement.
    name: String,
}

impl Normal {
    /// Replaces only addresses and traceback folders.
    pub fn new() -> Self {
        Self::default()
    }

    /// Also replaces an absolute folder by `{name}`; a relative or root folder is ignored.
    pub fn folder(mut self, folder: &Path, name: &str) -> Self {
        if folder.is_absolute() && folder.parent().is_some() {
            let path = folder.to_string_lossy().into_owned();
            self.folders.push(Folder { in_json: json_inside(&path), path, name: format!("{{{name}}}") });
            self.folders.sort_by_key(|folder| std::cmp::Reverse(folder.in_json.len()));
        }
        self
    }

    /// Rewrites one line of JSON in place.
    pub fn apply(&self, line: &mut String) {
        self.name_folders(line);
        replace_addresses_and_files(line, JSON_QUOTE);
    }

    /// Returns a text as [`apply`](Self::apply) would write it in a line.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let has_folder = self.folders.iter().any(|folder| text.contains(&folder.path));
        if !has_folder && !text.contains(ADDRESS) && !text.contains(FILE) {
            return Cow::Borrowed(text);
        }
        let mut text = text.to_owned();
        self.replace_folders(&mut text, |folder| &folder.path);
        replace_addresses_and_files(&mut text, "\"");
        Cow::Owned(text)
    }

    /// Replaces folders by their names in a line of JSON, and nothing else.
    pub fn name_folders(&self, line: &mut String) {
        self.replace_folders(line, |folder| &folder.in_json);
    }

    fn replace_folders(&self, text: &mut String, form: impl Fn(&Folder) -> &String) {
        for folder in &self.folders {
            let path = form(folder).as_str();
            if text.contains(path) {
                *text = whole_folders(text, path, &folder.name);
            }
        }
    }
}

const ADDRESS: &str = " at 0x";
/// The text before the quoted name of a file in a traceback.
const FILE: &str = "File ";
/// A quote inside a JSON string.
const JSON_QUOTE: &str = "\\\"";

fn replace_addresses_and_files(text: &mut String, quote: &str) {
    if text.contains(ADDRESS) {
        *text = replace_after(text, ADDRESS, |rest| {
            let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
            (digits > 0).then_some((digits, "0".to_owned()))
        });
    }
    let file = FILE.to_owned() + quote;
    if text.contains(&file) {
        *text = replace_after(text, &file, |rest| {
            let name = rest.get(..rest.find(quote)?)?;
            library_file(name).or_else(|| box_script(name))
        });
    }
}

/// Returns the JSON form of a text without its quotes.
fn json_inside(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted.trim_start_matches('"').strip_suffix('"').unwrap_or_default().to_owned()
}

/// Replaces a folder only as a whole path: `/a/b` is no part of `/a/bc`.
fn whole_folders(line: &str, folder: &str, name: &str) -> String {
    replace_after(line, "", |rest| {
        let after = rest.strip_prefix(folder)?.chars().next();
        let inside_name = after.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        (!inside_name).then(|| (folder.len(), name.to_owned()))
    })
}

/// Replaces `/usr/lib/python3.11/json/decoder.py` by `{python}/decoder.py`.
fn library_file(file: &str) -> Option<(usize, String)> {
    let absolute = file.starts_with('/') || file.get(1..3).is_some_and(|c| c.starts_with(':'));
    let base = file.rsplit(['/', '\\']).next()?;
    (absolute && base.ends_with(".py")).then(|| (file.len(), format!("{{python}}/{base}")))
}

/// Replaces `sub/dance/behavior.xar: root/Say` by `{behavior}/behavior.xar: root/Say`, however the file was named.
fn box_script(file: &str) -> Option<(usize, String)> {
    const MARK: &str = ".xar: ";
    let path = file.get(..file.find(MARK)?)?;
    let base = path.rsplit(['/', '\\']).next()?;
    Some((path.len(), format!("{{behavior}}/{base}")))
}

/// Calls `what` with the text after each `mark`; it returns how many bytes to replace, and the replacement.
fn replace_after(line: &str, mark: &str, what: impl Fn(&str) -> Option<(usize, String)>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while !rest.is_empty() {
        if let Some(tail) = rest.strip_prefix(mark)
            && let Some((taken, instead)) = what(tail)
            && let Some(tail) = tail.get(taken..)
        {
            out.push_str(mark);
            out.push_str(&instead);
            rest = tail;
            continue;
        }
        let mut chars = rest.chars();
        out.extend(chars.next());
        rest = chars.as_str();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(normal: &Normal, text: &str) -> String {
        let mut line = serde_json::Value::from(text).to_string();
        normal.apply(&mut line);
        let said: String = serde_json::from_str(&line).unwrap();
        assert_eq!(normal.text(text), said, "a text alone is written as one in a line");
        said
    }

    #[test]
    fn addresses_lose_their_digits_and_other_hex_stays() {
        let n = Normal::new();
        assert_eq!(applied(&n, "<a.B object at 0x7f00AB12> é <c at 0x1>"), "<a.B object at 0x0> é <c at 0x0>");
        assert_eq!(applied(&n, "colour 0xff00ff at 0xzz"), "colour 0xff00ff at 0xzz");
    }

    #[test]
    fn the_longest_folder_wins_and_names_are_whole() {
        let n =
            Normal::new().folder(Path::new("/home/ann"), "home").folder(Path::new("/home/ann/my \"b\""), "behavior");
        assert_eq!(applied(&n, "/home/ann/my \"b\"/x.ogg"), "{behavior}/x.ogg");
        assert_eq!(applied(&n, "/home/ann/x /home/annabel /home/ann"), "{home}/x /home/annabel {home}");
    }

    #[test]
    fn a_root_or_relative_folder_is_no_folder() {
        let n = Normal::new().folder(Path::new("/"), "behavior").folder(Path::new("a"), "behavior");
        assert_eq!(applied(&n, "/x a/y"), "/x a/y");
    }

    #[test]
    fn library_files_in_tracebacks_keep_their_name() {
        let n = Normal::new();
        let text = "  File \"/usr/lib/python3.11/json/decoder.py\", line 3, in decode";
        assert_eq!(applied(&n, text), "  File \"{python}/decoder.py\", line 3, in decode");
    }

    #[test]
    fn a_box_script_is_the_same_however_its_file_was_named() {
        let n = Normal::new().folder(Path::new("/home/ann"), "behavior");
        for named in ["", "./", "sub/dance/", "/home/ann/", "..\\dance\\"] {
            let text = format!("  File \"{named}behavior.xar: root/Say\", line 3\n  File \"{named}x.py\", line 1");
            let said = applied(&n, &text);
            assert!(said.starts_with("  File \"{behavior}/behavior.xar: root/Say\", line 3\n  File \""), "{said}");
        }
    }
}
