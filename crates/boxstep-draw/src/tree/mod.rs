//! The contents of a behavior as a text tree.

pub(crate) mod content;
mod layout;

use crate::level::Level;
use crate::text::plural;
use boxstep_format::model::{Project, ProjectKind};
use boxstep_format::paths;
pub(crate) use layout::{Item, print};

/// Formats a behavior as a tree of boxes with their ports, parameters, resources, scripts, timelines and links. The
/// tree is at most 100 columns wide, except where a single word is longer, and ends with a line end.
///
/// In links, ports of the containing box are given by their name alone, those of other boxes as `Box.port`.
pub fn tree(project: &Project) -> String {
    let kind = match project.kind {
        ProjectKind::Project => "behavior",
        ProjectKind::LibraryBox => "library box",
    };
    let (mut boxes, mut links, mut lines) = (0, 0, 0);
    for at in paths::boxes(project) {
        boxes += 1;
        links += paths::diagrams(&at.path, at.def).iter().map(|d| d.diagram.links.len()).sum::<usize>();
        lines += at.def.script.as_ref().map_or(0, content::script_lines);
    }
    let count = |n: usize, what: &str| format!("{n} {what}{}", plural(n));
    let boxes = if boxes == 1 { "1 box".to_owned() } else { format!("{boxes} boxes") };
    let version = project.version.map_or_else(|| "of no version".to_owned(), |v| format!("xar {v}"));
    let title = format!("{kind}, {version}: {boxes}, {}, {}", count(links, "link"), count(lines, "script line"));
    let mut top = Item::new(title);
    let root = content::box_item(&project.root, None);
    top.children.push(root);
    for r in &project.resources {
        top.children.push(Item::new(content::resource(r)));
    }
    print(&top)
}

/// Formats one box of a behavior, or one keyframe of its timeline, as [`tree`] does.
pub fn tree_of(level: &Level<'_>) -> String {
    let def = level.at.def;
    let layer = |l: usize| def.timeline.as_ref()?.layers.get(l);
    let keyframe = level.keyframe.and_then(|(l, k)| layer(l)?.keyframes.get(k));
    print(&keyframe.map_or_else(|| content::box_item(def, None), |k| content::keyframe_item(def, k)))
}

#[cfg(test)]
mod tests {
    use super::tree;
    use boxstep_format::{Limits, read_xar};

    #[test]
    fn a_behavior_reads_well() {
        let text = include_str!("../../tests/behaviors/dance.xar");
        let file = read_xar("dance.xar", text.as_bytes(), &Limits::default()).unwrap();
        let shown = tree(&file.project);
        assert_eq!(shown, include_str!("../../tests/behaviors/dance.txt"), "\n{shown}");
        assert!(shown.lines().all(|l| l.chars().count() <= 100));
        assert!(!shown.contains("secret"), "a password is not shown");
    }
}
