//! Names in scripts.

use boxstep_format::model::Script;

/// Replaces a name in a script, where it is a whole word after `before`. Returns whether the script has it.
pub(super) fn rename(script: Option<&mut Script>, before: &str, old: &str, new: &str) -> bool {
    let Some(script) = script else { return false };
    let mut found = false;
    let wanted = format!("{before}{old}");
    let mut text = String::with_capacity(script.text.len());
    let mut rest: &str = &script.text;
    while let Some(at) = rest.find(&wanted) {
        let (head, tail) = rest.split_at(at);
        let after = tail.get(wanted.len()..).unwrap_or_default();
        let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let longer = in_word(before.chars().next()) && in_word(head.chars().last());
        let whole = !longer && !in_word(after.chars().next());
        found |= whole;
        text.push_str(head);
        text.push_str(before);
        text.push_str(if whole { new } else { old });
        rest = after;
    }
    text.push_str(rest);
    if *text != *script.text {
        script.text = text.into();
    }
    found
}

/// Whether a script can say a name after `self.`.
pub(super) fn is_word(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a script's method `onLoad` does anything.
pub(super) fn acts_on_load(script: &str) -> bool {
    // A tab leads to the next multiple of 8.
    let indent = |line: &str| {
        let white = line.chars().take_while(|c| c.is_whitespace());
        white.fold(0, |at, c| if c == '\t' { (at / 8 + 1) * 8 } else { at + 1 })
    };
    let mut lines = script.lines();
    let Some(head) = lines.by_ref().find(|line| line.trim_start().starts_with("def onLoad(")) else { return false };
    let idle = |line: &str| {
        let code = line.split('#').next().unwrap_or_default().trim();
        code.is_empty() || code == "pass"
    };
    let (_, rest) = head.split_once(':').unwrap_or_default();
    let body = lines.take_while(|line| line.trim().is_empty() || indent(line) > indent(head));
    !idle(rest) || body.into_iter().any(|line| !idle(line))
}

#[cfg(test)]
mod tests {
    use super::super::values::python;
    use super::{acts_on_load, rename};

    #[test]
    fn what_a_script_does_when_it_is_loaded() {
        for idle in
            ["", "class A:\n  def go(self):\n    x = 1", "  def onLoad(self):\n    pass\n  def go(self):\n    x()"]
        {
            assert!(!acts_on_load(idle), "{idle}");
        }
        assert!(!acts_on_load("def onLoad(self): # nothing\n\n  # nothing\n  pass\nx = 1"));
        assert!(acts_on_load("def onLoad(self): self.go()") && acts_on_load("  def onLoad(self):\n\n\tself.go()"));
    }

    #[test]
    fn whole_words_only() {
        let mut script = python("def onInput_go(self): self.going()\ndef onInput_go2(self): self.go()\nxonInput_go");
        rename(Some(&mut script), "onInput_", "go", "run");
        rename(Some(&mut script), "self.", "go", "out");
        assert_eq!(
            &*script.text,
            "def onInput_run(self): self.going()\ndef onInput_go2(self): self.out()\nxonInput_go"
        );
    }
}
