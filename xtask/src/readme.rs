//! The commands of README.md, so that the documented commands are those that are tested.

use crate::tools;

/// Returns the lines of the first fenced block of shell commands.
pub(crate) fn first_commands() -> Result<Vec<String>, String> {
    let file = tools::root().join("README.md");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let commands = in_text(&text);
    if commands.is_empty() { Err("README.md begins with no commands".to_owned()) } else { Ok(commands) }
}

fn in_text(text: &str) -> Vec<String> {
    text.lines()
        .skip_while(|l| *l != "```sh")
        .skip(1)
        .take_while(|l| *l != "```")
        .map(|l| l.split(" #").next().unwrap_or(l).trim().to_owned())
        .filter(|l| !l.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_the_first_block_and_no_comments() {
        let text = "# X\n```sh\ncargo a b   # says hello\n\ncargo c\n```\n```sh\nrm x\n```\n";
        assert_eq!(super::in_text(text), ["cargo a b", "cargo c"]);
    }
}
