//! Every example of `docs/reference/character.md` and `docs/guides/characters.md` is read, checked and played, and every
//! key of the format has one in the reference.

use boxstep_runner::{Character, check, json_schema, testing};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};
use std::path::Path;

const REFERENCE: &str = "reference/character.md";
const GUIDE: &str = "guides/characters.md";

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)).unwrap()
}

/// Code blocks of a page: what they are of, and their text.
fn blocks(name: &str) -> Vec<(String, String)> {
    let page = page(name);
    let (mut blocks, mut open) = (Vec::new(), false);
    for event in Parser::new(&page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(of))) => {
                blocks.push((of.to_string(), String::new()));
                open = true;
            }
            Event::Text(text) if open => blocks.last_mut().unwrap().1 += &text,
            Event::End(_) => open = false,
            _ => {}
        }
    }
    blocks
}

fn indented(text: &str, by: usize) -> String {
    text.lines().map(|line| format!("{}{line}\n", " ".repeat(by))).collect()
}

/// A whole file around an example.
fn file(of: &str, text: &str) -> Option<String> {
    let behavior = |text: &str| format!("character: A\nbehaviors:\n  main:\n{}", indented(text, 4));
    match of {
        "yaml" => Some(text.to_owned()),
        "yaml behaviors" => Some(format!("character: A\nbehaviors:\n{}", indented(text, 2))),
        "yaml behavior" => Some(behavior(text)),
        "yaml condition" => Some(behavior(&format!("say: a\nwhen:\n{}", indented(text, 2)))),
        "yaml wrong" | "text" | "toml" => None,
        other => panic!("what is an example of `{other}`?"),
    }
}

#[test]
fn every_example_is_right_and_runs() {
    let mut count = 0;
    for (of, text) in blocks(REFERENCE).into_iter().chain(blocks(GUIDE)) {
        let Some(file) = file(&of, &text) else { continue };
        assert_eq!(check(&file, "character.yaml"), [], "{file}");
        let character = Character::read(&file, "character.yaml", &[]).unwrap();
        (0..20).for_each(|seed| testing::plays(&character, seed));
        count += 1;
    }
    assert!(count >= 17, "{count}");
}

#[test]
fn what_is_wrong_with_the_wrong_example_is_what_the_page_says() {
    let blocks = blocks(REFERENCE);
    let at = blocks.iter().position(|(of, _)| of == "yaml wrong").unwrap();
    let told: String = check(&blocks[at].1, "guide.yaml").iter().map(|finding| format!("{finding}\n")).collect();
    assert_eq!(told, blocks[at + 1].1);
}

#[test]
fn every_key_of_the_format_stands_in_an_example() {
    let examples: String =
        blocks(REFERENCE).into_iter().filter(|(of, _)| of.starts_with("yaml")).map(|(_, text)| text).collect();
    let schema: serde_json::Value = serde_json::from_str(&json_schema()).unwrap();
    let mut keys = Vec::new();
    fn collect(schema: &serde_json::Value, keys: &mut Vec<String>) {
        if let Some(properties) = schema["properties"].as_object() {
            keys.extend(properties.keys().cloned());
        }
        match schema {
            serde_json::Value::Object(map) => map.values().for_each(|inner| collect(inner, keys)),
            serde_json::Value::Array(all) => all.iter().for_each(|inner| collect(inner, keys)),
            _ => {}
        }
    }
    collect(&schema, &mut keys);
    assert!(keys.len() > 60, "{}", keys.len());
    // Of the file's own keys some stand only in a table.
    let page = page(REFERENCE);
    for key in keys {
        let shown = examples.contains(&format!("{key}:")) || page.contains(&format!("`{key}`"));
        assert!(shown, "`{key}` is nowhere on the page");
    }
}
