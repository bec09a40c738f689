//! The facts in a folder, as lines: names, states, intervals, labels, flags, boxes and links.

use boxstep_format::split::Folder;
use std::collections::BTreeSet;

/// Returns one line per fact that two folders can have in common.
pub(crate) fn facts(folder: &Folder) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (name, bytes) in folder {
        let Some(name) = name.strip_suffix(".xml") else { continue };
        let text = std::str::from_utf8(bytes).unwrap();
        let mut tags = tags(text);
        let Some((root, _)) = tags.first().cloned() else { continue };
        tags.remove(0);
        let of_root: &[(&str, &[&str])] = match root.as_str() {
            "Box" => &[
                ("Input", &["name", "id", "type", "nature"]),
                ("Output", &["name", "id", "type", "nature"]),
                ("Parameter", &["name", "id", "value", "content_type"]),
                ("Resource", &["name", "type", "timeout"]),
            ],
            "State" => &[
                ("Object", &["Name"]),
                ("Interval", &["begin", "end"]),
                ("Label", &["Name"]),
                ("Link", &["InputObject", "InputName", "OutputObject", "OutputName"]),
            ],
            "StateMachine" => &[("State", &["Name"]), ("InitialState", &["Name"]), ("FinalState", &["Name"])],
            "Timeline" => &[
                ("Flag", &["state_name", "begin_frame", "labels"]),
                ("ActuatorCurve", &["actuator", "mute"]),
                ("Key", &["frame", "value"]),
            ],
            _ => continue,
        };
        found.insert(format!("{name}: {root}"));
        for (tag, attributes) in &tags {
            let Some((_, wanted)) = of_root.iter().find(|(t, _)| t == tag) else { continue };
            let values: Vec<String> = wanted
                .iter()
                .map(|w| attributes.iter().find(|(n, _)| n == w).map_or("-".to_owned(), |(_, v)| v.clone()))
                .collect();
            found.insert(format!("{name}: {tag} {}", values.join(" ")));
        }
    }
    found
}

type Tag = (String, Vec<(String, String)>);

/// Returns the start tags of a text that need not be well-formed, because the original converter did not escape.
fn tags(text: &str) -> Vec<Tag> {
    let mut found = Vec::new();
    for line in text.lines().map(str::trim_start) {
        let Some(rest) = line.strip_prefix('<').filter(|r| r.starts_with(|c: char| c.is_ascii_alphabetic())) else {
            continue;
        };
        let end = rest.find([' ', '>', '/']).unwrap_or(rest.len());
        let mut attributes = Vec::new();
        let mut after = &rest[end..];
        while let Some((name, value)) = after.split_once('=') {
            let name = name.trim().to_owned();
            let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else { break };
            let Some((value, more)) = value[1..].split_once(quote) else { break };
            let value = value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
            attributes.push((name, value.replace("&amp;", "&")));
            after = more;
        }
        found.push((rest[..end].to_owned(), attributes));
    }
    found
}
