//! Scripts as the original converter left them, and the way back as far as there is one.
//!
//! It put ten lines before each script and changed names in it (`docs/split-format.md`). Of those changes the
//! ones that say what they were are undone. Every change stays within its line, so that line numbers of
//! errors are those of the `.py`.

use crate::raw::RawNode;
use boxstep_types::Span;

/// Lines that the converter put first; the first two are told by their beginnings.
const PROLOGUE: [&str; 10] = [
    "#!",
    "#",
    "",
    "import time",
    "import random",
    "",
    "from naoqi import *",
    "import qicore",
    "import qicore_legacy",
    "",
];

/// A script without the converter's changes.
pub(super) struct Restored {
    /// Its lines, each with the line of the `.py` it comes from.
    pub(super) lines: Vec<(String, Span)>,
    /// Lines that lean on the converter's own library in a way that cannot be undone.
    pub(super) doubtful: Vec<Span>,
}

/// `None` for a script that the converter has not written.
pub(super) fn restored(text: &str, whole: Span, file_name: &str) -> Option<Restored> {
    let mut lines = text.split_inclusive('\n');
    let mut at = whole.start;
    // That the script is Python 3 by now.
    let first = text.split_inclusive('\n').next().filter(|line| line.contains("python3"));
    for (n, wanted) in PROLOGUE.iter().enumerate() {
        let line = lines.next()?;
        let bare = line.trim_end();
        let fits = if n < 2 { bare.starts_with(wanted) } else { bare == *wanted };
        if !fits || (n == 1 && !bare.contains("coding")) {
            return None;
        }
        at += line.len() as u32;
    }
    let class = format!("{file_name}_class");
    let mut found = Restored { lines: Vec::new(), doubtful: Vec::new() };
    for line in lines {
        let span = Span { start: at, end: at + line.len() as u32, ..whole };
        at = span.end;
        let line = undone(line, &class);
        if line.contains("qicore_legacy.") || line.contains("io_info") {
            found.doubtful.push(span);
        }
        found.lines.push((line, span));
    }
    if stands_for_no_script(&found.lines) {
        found.lines.clear();
    } else if let Some(line) = first {
        let span = Span { start: whole.start, end: whole.start + line.len() as u32, ..whole };
        found.lines.insert(0, (line.to_owned(), span));
    }
    // The converter ended every script with a line end of its own.
    if let Some((last, _)) = found.lines.last_mut()
        && last.ends_with('\n')
    {
        last.pop();
    }
    Some(found)
}

fn undone(line: &str, class: &str) -> String {
    let mut line = line.replace(class, "MyClass");
    line = line.replace("(qicore_legacy.BehaviorLegacy):", "(GeneratedClass):");
    // Misspelt like this by the converter.
    line = line.replace("qicore_legacy.BehaviorLeagcy.", "GeneratedClass.");
    if let Some(call) = line.find("qicore_legacy.BehaviorLegacy.__init__(")
        && let Some(end) = line[call..].rfind(')')
    {
        line.replace_range(call..=call + end, "GeneratedClass.__init__(self)");
    }
    // No box has this: it was the frame manager's, and is the only call of it that tells.
    line = line.replace("self.getBehaviorPath(", "ALFrameManager.getBehaviorPath(");
    line.replace("def __init__(self, io_info", "def __init__(self")
}

/// True for the class that the converter put where there was no script.
fn stands_for_no_script(lines: &[(String, Span)]) -> bool {
    let code = lines.iter().map(|(line, _)| line.trim_end()).filter(|line| !line.is_empty());
    code.eq(["class MyClass(GeneratedClass):", "  def __init__(self):", "    GeneratedClass.__init__(self)"])
}

/// True for a box's file of the original converter: ours have nothing behind `content`, and a person types a name.
pub(super) fn is_converted(node: RawNode<'_>) -> bool {
    node.attributes().map(|a| a.name()).take(3).eq(["id", "content", "robot"])
}

/// A box's name, where a folder keeps it in file names alone.
pub(super) fn name_of_file(file: &str) -> &str {
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let rest = file.strip_prefix('l').and_then(|r| r.split_once('_')).filter(|(depth, _)| digits(depth));
    rest.map_or(file, |(_, name)| name)
}

/// Attributes whose value may well be the word `None`; the converter wrote it for what was not there.
const TEXTS: &[&str] = &["name", "value", "default_value", "tooltip", "stm_value_name", "actuator", "type"];

/// True for an attribute that the converter wrote though the file had none.
pub(super) fn stands_for_nothing(name: &str, value: &str) -> bool {
    value == "None" && !TEXTS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\nimport time\nimport random\n\nfrom naoqi import *\nimport qicore\nimport qicore_legacy\n\nclass l1_Say_class(qicore_legacy.BehaviorLegacy):\n    def __init__(self, io_info):\n        qicore_legacy.BehaviorLegacy.__init__(self, \"l1_Say\", io_info)\n    def onLoad(self): qicore_legacy.BehaviorLeagcy.x(self)\n\n";

    #[test]
    fn what_the_converter_changed_is_undone_line_by_line() {
        let whole = Span { end: SCRIPT.len() as u32, ..Span::default() };
        let back = restored(SCRIPT, whole, "l1_Say").unwrap();
        let text: String = back.lines.iter().map(|(l, _)| l.as_str()).collect();
        let expected = "class MyClass(GeneratedClass):\n    def __init__(self):\n        GeneratedClass.__init__(self)\n    def onLoad(self): GeneratedClass.x(self)\n";
        assert_eq!(text, expected);
        assert!(back.doubtful.is_empty());
        assert!(SCRIPT[back.lines[0].1.start as usize..].starts_with("class l1_Say_class"));
    }

    #[test]
    fn a_script_that_has_become_python_3_still_says_so() {
        let script = SCRIPT.replacen("python", "python3", 1);
        let whole = Span { end: script.len() as u32, ..Span::default() };
        let back = restored(&script, whole, "l1_Say").unwrap();
        assert_eq!(back.lines[0].0, "#!/usr/bin/env python3\n");
        assert_eq!((back.lines[0].1.start, back.lines[0].1.end), (0, 23));
        assert_eq!(back.lines[1].0, "class MyClass(GeneratedClass):\n");
    }

    #[test]
    fn scripts_of_others_are_left_alone() {
        assert!(restored("import time\nclass MyClass(GeneratedClass): pass\n", Span::default(), "l1_x").is_none());
        assert!(restored("", Span::default(), "l1_x").is_none());
    }

    #[test]
    fn names_are_found_in_file_names() {
        assert_eq!(name_of_file("l1_Say_1_"), "Say_1_");
        assert_eq!(name_of_file("l0_root"), "root");
        assert_eq!(name_of_file("lx_y"), "lx_y");
    }

    #[test]
    fn none_is_nothing_but_in_texts() {
        assert!(stands_for_nothing("robot", "None") && stands_for_nothing("fps", "None"));
        assert!(!stands_for_nothing("value", "None") && !stands_for_nothing("robot", "nao"));
    }
}
