//! Names in scripts.

use boxstep_format::model::Script;

/// Replaces a name in a script, where it is a whole word after `before`.
pub(super) fn rename(script: Option<&mut Script>, before: &str, old: &str, new: &str) {
    let Some(script) = script else { return };
    let wanted = format!("{before}{old}");
    let mut text = String::with_capacity(script.text.len());
    let mut rest: &str = &script.text;
    while let Some(at) = rest.find(&wanted) {
        let (head, tail) = rest.split_at(at);
        let after = tail.get(wanted.len()..).unwrap_or_default();
        let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let longer = in_word(before.chars().next()) && in_word(head.chars().last());
        let whole = !longer && !in_word(after.chars().next());
        text.push_str(head);
        text.push_str(before);
        text.push_str(if whole { new } else { old });
        rest = after;
    }
    text.push_str(rest);
    if *text != *script.text {
        script.text = text.into();
    }
}

#[cfg(test)]
mod tests {
    use super::super::values::python;
    use super::rename;

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
