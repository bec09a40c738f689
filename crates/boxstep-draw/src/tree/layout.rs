//! Printing of a tree with branches and line breaks.

/// A line of the tree, with the lines below it.
pub(crate) struct Item {
    pub(super) text: String,
    pub(crate) children: Vec<Item>,
}

const WIDTH: usize = 100;

impl Item {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), children: Vec::new() }
    }
}

/// Prints the whole tree.
pub(crate) fn print(top: &Item) -> String {
    let mut out = String::new();
    wrapped(&mut out, &top.text, "", "");
    children(&mut out, top, "");
    out
}

fn children(out: &mut String, item: &Item, prefix: &str) {
    for (i, child) in item.children.iter().enumerate() {
        let last = i + 1 == item.children.len();
        let below = format!("{prefix}{}", if last { "   " } else { "│  " });
        let branch = format!("{prefix}{}", if last { "└─ " } else { "├─ " });
        // A continued line keeps the branch to the item's own children.
        let beside = format!("{below}{}", if child.children.is_empty() { "     " } else { "│    " });
        wrapped(out, &child.text, &branch, &beside);
        children(out, child, &below);
    }
}

/// Appends a text, broken at spaces; a word that is too long is not broken.
fn wrapped(out: &mut String, text: &str, first: &str, next: &str) {
    let mut line = first.to_owned();
    let mut width = first.chars().count();
    let mut empty = true;
    for word in text.split(' ') {
        let length = word.chars().count();
        if !empty && width + 1 + length > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line = next.to_owned();
            width = next.chars().count();
            empty = true;
        }
        if !empty {
            line.push(' ');
            width += 1;
        }
        line.push_str(word);
        width += length;
        empty = false;
    }
    out.push_str(line.trim_end());
    out.push('\n');
}
