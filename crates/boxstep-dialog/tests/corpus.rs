//! Real topics, where they are at hand: every file is read without an error.

use boxstep_dialog::files::{TopicFiles, open_topic};
use boxstep_dialog::topic::{Arguments, Call, Item, ItemKind, Rule, RuleKind};
use boxstep_dialog::{Conversation, DialogEvent, Topic, read_topic};
use boxstep_types::Severity;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn topics(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            topics(&path, found);
        } else if path.extension().is_some_and(|e| e == "top") {
            found.push(path);
        }
    }
}

/// The folder that `BOXSTEP_CORPUS` names.
pub(crate) fn corpus() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("BOXSTEP_CORPUS") else {
        println!("skipped: BOXSTEP_CORPUS names no folder");
        return Vec::new();
    };
    let mut found = Vec::new();
    topics(Path::new(&folder), &mut found);
    found.sort();
    found
}

#[test]
fn real_topics_are_read_without_errors() {
    let mut bad = 0;
    let mut warnings = std::collections::BTreeMap::<&str, usize>::new();
    for path in corpus() {
        let text = std::fs::read_to_string(&path).unwrap();
        let topic = read_topic(&path.to_string_lossy(), &text);
        let tiled: String = topic.parts.iter().map(|part| topic.sources.slice(part.span)).collect();
        assert_eq!(tiled, text);
        for problem in &topic.problems {
            *warnings.entry(problem.code.name).or_default() += 1;
            if problem.severity == Severity::Error {
                bad += 1;
                println!("{}: {}", topic.sources.place(problem.span.unwrap()), problem.message);
            }
        }
    }
    println!("{warnings:?}");
    assert_eq!(bad, 0);
}

/// A sentence that an input takes: the first of each choice, without what is optional. `None` if it takes none.
fn sentence(items: &[Item], concept: &dyn Fn(&str) -> Option<Vec<Item>>, depth: u32) -> Option<String> {
    if depth > 12 {
        return None;
    }
    let mut words = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::Text(text) => words.push(text.to_string()),
            ItemKind::Phrase(items) => words.push(sentence(items, concept, depth + 1)?),
            ItemKind::Choice(items) => {
                let one = |item: &Item| sentence(std::slice::from_ref(item), concept, depth + 1);
                words.push(items.iter().find_map(one)?);
            }
            ItemKind::Capture(item) => words.push(sentence(std::slice::from_ref(item), concept, depth + 1)?),
            ItemKind::Any => words.push("something".to_owned()),
            ItemKind::Concept(name) => words.push(sentence(&concept(name)?, concept, depth + 1)?),
            ItemKind::Call(Call { arguments: Arguments::Items(items), .. }) => {
                words.push(sentence(items.get(..1)?, concept, depth + 1)?);
            }
            ItemKind::Event(_) | ItemKind::Condition(_) | ItemKind::Variable(_) => return None,
            _ => {}
        }
    }
    Some(words.join(" "))
}

/// The concepts of the topics, by name.
fn concepts(files: &TopicFiles) -> BTreeMap<String, Vec<Item>> {
    let all = files.includes.iter().chain([&files.topic]).flat_map(|topic| &topic.concepts);
    all.map(|concept| (concept.name.text.to_string(), concept.items.clone())).collect()
}

#[test]
fn real_topics_answer_the_sentences_of_their_own_first_rules() {
    let (mut said, mut answered, mut topics) = (0, 0, 0);
    for path in corpus() {
        let files = open_topic(&path).unwrap();
        // A lexicon of another language defines nothing for the topic: one file includes it by mistake.
        let language = |topic: &Topic| topic.language.as_ref().map(|word| word.text.clone());
        if files.includes.iter().any(|included| language(included) != language(&files.topic)) {
            println!("{}: includes a topic of another language", path.display());
            continue;
        }
        let known = concepts(&files);
        let concept = |name: &str| known.get(name).cloned();
        let of_user = |rule: &&Rule| rule.kind == RuleKind::User && !rule.private;
        let inputs = files.topic.rules.iter().filter(of_user).filter_map(|rule| rule.input.as_ref());
        let sentences: Vec<String> = inputs.filter_map(|input| sentence(input, &concept, 0)).take(5).collect();
        let language = files.topic.language.as_ref().map_or("English".to_owned(), |word| word.text.to_string());
        let mut conversation = Conversation::new(&language, 0);
        let name = files.topic.name().to_owned();
        conversation.add(files.topic, files.includes).unwrap();
        topics += usize::from(!sentences.is_empty());
        for text in sentences {
            said += 1;
            conversation.world.notes.clear();
            conversation.hear(&text);
            let matched =
                |note: &DialogEvent| matches!(note, DialogEvent::Matched { rule, .. } if *rule.topic == *name);
            if conversation.world.notes.iter().any(matched) {
                answered += 1;
            } else {
                println!("{}: no rule answers “{text}”", path.display());
            }
        }
    }
    println!("{answered} of {said} sentences answered, in {topics} topics");
    assert_eq!(answered, said);
}

#[test]
fn the_layout_of_real_topics_changes_only_blanks_and_is_stable() {
    for path in corpus() {
        let text = std::fs::read_to_string(&path).unwrap();
        let topic = read_topic("t.top", &text);
        let new = boxstep_dialog::formatted(&topic);
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        assert_eq!(letters(&new), letters(&text), "{}", path.display());
        let again = read_topic("t.top", &new);
        assert_eq!(boxstep_dialog::formatted(&again), new, "{}", path.display());
        let heads = |topic: &Topic| (0..topic.rules.len()).map(|n| letters(&topic.head(n))).collect::<Vec<_>>();
        assert_eq!(heads(&again), heads(&topic), "{}", path.display());
        assert_eq!(again.problems.len(), topic.problems.len(), "{}", path.display());
    }
}
