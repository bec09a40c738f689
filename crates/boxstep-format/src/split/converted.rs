//! Recovery of scripts that the original converter has changed, as far as possible.
//!
//! The original converter prepended ten lines to each script and changed names in it (`docs/reference/split-format.md`). This
//! module reverses those changes from which the original can be told. Every change stays within its line, so that line
//! numbers in errors are those of the `.py`.

use crate::raw::RawNode;
use boxstep_types::Span;

/// The lines that the converter prepends; the first two are recognized by their beginnings.
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

/// A script with the converter's changes reversed.
pub(super) struct Restored {
    /// The lines, each with the line of the `.py` that it comes from.
    pub(super) lines: Vec<(String, Span)>,
    /// Lines that use the converter's own library in a way that cannot be reversed.
    pub(super) doubtful: Vec<Span>,
}

/// Reverses the converter's changes; `None` for a script that the converter has not written.
pub(super) fn restored(text: &str, whole: Span, file_name: &str) -> Option<Restored> {
    let mut lines = text.split_inclusive('\n');
    let mut at = whole.start;
    // This line marks a script that has been converted to Python 3, so it is kept.
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
    // The converter appended a line end to every script.
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
    // The converter misspells the name like this.
    line = line.replace("qicore_legacy.BehaviorLeagcy.", "GeneratedClass.");
    if let Some(call) = line.find("qicore_legacy.BehaviorLegacy.__init__(")
        && let Some(end) = line[call..].rfind(')')
    {
        line.replace_range(call..=call + end, "GeneratedClass.__init__(self)");
    }
    // Boxes have no such method. The original called the frame manager, and this is the only call of it that can be
    // recognized.
    line = line.replace("self.getBehaviorPath(", "ALFrameManager.getBehaviorPath(");
    line.replace("def __init__(self, io_info", "def __init__(self")
}

/// Returns true for the class that the converter writes for a box without a script.
fn stands_for_no_script(lines: &[(String, Span)]) -> bool {
    let code = lines.iter().map(|(line, _)| line.trim_end()).filter(|line| !line.is_empty());
    code.eq(["class MyClass(GeneratedClass):", "  def __init__(self):", "    GeneratedClass.__init__(self)"])
}

/// Returns true for a box's file of the original converter. Files that Boxstep writes have no attribute after
/// `content`, and people who write files by hand include a name.
pub(super) fn is_converted(node: RawNode<'_>) -> bool {
    node.attributes().map(|a| a.name()).take(3).eq(["id", "content", "robot"])
}

/// Returns the box's name from a file name, for folders that keep names only there.
pub(super) fn name_of_file(file: &str) -> &str {
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let rest = file.strip_prefix('l').and_then(|r| r.split_once('_')).filter(|(depth, _)| digits(depth));
    rest.map_or(file, |(_, name)| name)
}

/// Attributes that may really have the value `None`. For others the converter wrote it where the attribute was missing.
const TEXTS: &[&str] = &["name", "value", "default_value", "tooltip", "stm_value_name", "actuator", "type"];

/// Returns true for an attribute that the converter wrote although the original had none.
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
    fn none_means_absent_except_in_texts() {
        assert!(stands_for_nothing("robot", "None") && stands_for_nothing("fps", "None"));
        assert!(!stands_for_nothing("value", "None") && !stands_for_nothing("robot", "nao"));
    }
}
