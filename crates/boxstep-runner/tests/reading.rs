//! How files are read, and what is wrong with them: each rule by name, with its place.

use boxstep_runner::{Character, Finding, MAX_DEPTH, Rule, check, examine};

/// What is found, as `line:col rule`.
fn found(text: &str) -> Vec<String> {
    check(text, "a.yaml").iter().map(|f| format!("{}:{} {:?}", f.at.line, f.at.col, f.rule)).collect()
}

fn only(text: &str) -> Finding {
    let mut findings = check(text, "a.yaml");
    assert_eq!(findings.len(), 1, "{findings:#?}");
    findings.remove(0)
}

/// A file whose root is this.
fn main(text: &str) -> String {
    format!("character: A\nbehaviors:\n  main: {text}\n")
}

#[test]
fn json_is_read_as_yaml_is() {
    let text = "{\n\t\"character\": \"A\",\n\t\"behaviors\": {\"main\": {\"priority\": [{\"say\": \"Hi \\u00e9\"}]}}}";
    assert_eq!(check(text, "a.json"), []);
}

#[test]
fn what_is_not_yaml_has_its_place() {
    let finding = only("character: A\nbehaviors: [\n");
    assert_eq!((finding.rule, finding.at.line), (Rule::NotYaml, 2));
    assert_eq!(only(&main("!tag 5")).rule, Rule::NotYaml);
    assert_eq!(only("character: !tag A").rule, Rule::NotYaml);
    assert_eq!(only("character: A\n---\ncharacter: B").rule, Rule::NotYaml);
    assert_eq!(only("a: *nobody").rule, Rule::NotYaml);
    assert_eq!(only(&main("!tag { say: a }")).rule, Rule::NotYaml);
    assert_eq!(only(&main("{ queue: !!set [{ say: a }] }")).rule, Rule::NotYaml);
}

#[test]
fn merge_keys_are_refused_in_words() {
    let told = only("character: A\nbehaviors:\n  main: &m { say: a }\n  b: { <<: *m }");
    assert!(told.rule == Rule::NotYaml && told.at.line == 4 && told.message.contains("merge keys"), "{told}");
}

#[test]
fn a_number_that_is_not_written_as_a_whole_one_is_shown_so() {
    let told = |number: &str| only(&main(&format!("{{ repeat: {{ wait: 1 }}, times: {number} }}"))).message;
    assert_eq!(told("1e3"), "this has to be a whole number from 1 on, and is 1000.0");
    assert_eq!(told("1e300"), "this has to be a whole number from 1 on, and is 1e300");
}

#[test]
fn a_finding_is_printed_with_file_line_column_and_way() {
    let finding = only(&main("{ priority: [{ sya: Hello }] }"));
    assert_eq!(
        finding.to_string(),
        "a.yaml:3:24: error BS0753 character-missing-key: behaviors → main: there is no kind of behavior `sya`; did you mean `say`?"
    );
    let finding = only("character: A\nbehaviors:\n  main: { priority: [{ say: a, wehn: true }] }\n");
    assert_eq!(
        finding.to_string(),
        "a.yaml:3:32: error BS0752 character-unknown-key: behaviors → main → 1: there is no key `wehn` here; did you mean `when`?"
    );
}

#[test]
fn a_show_is_told_as_such_and_not_key_by_key() {
    let text = "show: A\nrobots: { one: }\nscenes:\n  - { name: B, play: { one: wave.xar } }\n";
    assert_eq!(found(text), ["4:3 UnknownKey"]);
    assert!(only(text).to_string().contains("this is a show of several robots, not a character"));
}

#[test]
fn columns_count_characters() {
    assert_eq!(found("character: Aé\nbehaviors: { main: { say: éé, wehn: 1 } }"), ["2:31 UnknownKey"]);
}

#[test]
fn all_that_is_wrong_is_told_not_only_the_first() {
    let text = "
character: A
colour: red
behaviors:
  main:
    priority:
      - { say: 5, wehn: true }
      - { random: [], interrupt: true }
      - { wait: -1 }
      - { say: a, cooldown: soon }
      - { say: a, weight: 2 }
      - nobody
  other: { say: b, when: { memory: Key, less: much } }
";
    assert_eq!(
        found(text),
        [
            "3:1 UnknownKey",
            "7:16 WrongType",
            "7:19 UnknownKey",
            "8:19 Missing",
            "8:23 UnknownKey",
            "9:17 WrongType",
            "10:29 WrongType",
            "11:19 UnknownKey",
            "12:9 UnknownName",
            "13:47 WrongType",
        ]
    );
}

#[test]
fn an_unknown_key_has_a_suggestion_or_the_list() {
    let finding = only(&main("{ say: a, colour: red }"));
    assert!(finding.help.unwrap().starts_with("there are say, animated, on, name, when"));
}

#[test]
fn a_missing_key_is_named() {
    assert_eq!(only("behaviors: { main: { say: a } }").message, "the key `character` is missing");
    let finding = only(&main("{ say: a, when: { dedup: true } }"));
    assert_eq!(finding.message, "the key `seconds` is missing");
}

#[test]
fn a_map_that_is_two_things_is_neither() {
    assert_eq!(
        only(&main("{ say: a, play: b }")).message,
        "`play` and `say` are two kinds of behavior: only one is allowed"
    );
}

#[test]
fn a_key_or_a_name_twice_is_told() {
    assert_eq!(found(&main("{ say: a, say: b }")), ["3:19 Duplicate"]);
    assert_eq!(found("character: A\nbehaviors:\n  main: { say: a }\n  main: { say: b }"), ["4:3 Duplicate"]);
    let text = main("{ queue: [{ say: a, name: x }, { say: b, name: x }] }");
    assert_eq!(found(&text), ["3:56 Duplicate"]);
    let text = main("{ queue: [{ say: a, name: main }] }");
    assert_eq!(found(&text), ["3:35 Duplicate"]);
}

#[test]
fn numbers_and_words_where_texts_belong_have_to_be_quoted() {
    let finding = only(&main("{ say: 5 }"));
    assert_eq!(finding.message, "this has to be a text, or a list of texts, and is 5");
    assert_eq!(finding.help.as_deref(), Some("put it in quotes if it is meant as a text"));
    assert_eq!(found(&main("{ say: '5' }")), Vec::<String>::new());
}

#[test]
fn names_are_not_empty_have_no_slash_and_no_dollar() {
    for name in ["''", "a/b", "$a"] {
        let text = format!("character: A\nbehaviors:\n  main: {{ say: a }}\n  {name}: {{ say: b }}");
        assert_eq!(found(&text), ["4:3 WrongType"], "{name}");
    }
}

#[test]
fn a_range_that_is_empty_is_told() {
    assert_eq!(found(&main("{ say: a, when: { elapsed: 2, to: 1 } }")), ["3:25 WrongType"]);
}

#[test]
fn a_call_names_a_service_and_a_method() {
    assert_eq!(found(&main("{ call: say }")), ["3:17 WrongType"]);
}

#[test]
fn more_successes_than_children_are_told() {
    assert_eq!(found(&main("{ parallel: [{ say: a }], success: 2 }")), ["3:44 WrongType"]);
}

#[test]
fn inline_behaviors_are_named_by_their_places() {
    let text = main("{ states: { Idle: { priority: [{ say: a }, { say: b }] } }, transitions: [] }");
    let character = Character::read(&text, "a.yaml", &[]).unwrap();
    let names: Vec<&str> = character.behaviors.iter().map(|node| &*node.name).collect();
    assert_eq!(names, ["main", "main/Idle", "main/Idle/1", "main/Idle/2"]);
}

#[test]
fn an_unknown_parameter_is_told_and_dollar_twice_is_a_dollar() {
    let finding = only(&main("{ say: $txet }").replace("behaviors", "parameters: { text: a }\nbehaviors"));
    assert_eq!((finding.rule, finding.help.as_deref()), (Rule::UnknownName, Some("did you mean `text`?")));
    let finding = only(&main("{ say: $5 }"));
    assert_eq!(finding.help.as_deref(), Some("a text that begins with `$` is written with `$$`"));
    assert_eq!(found(&main("{ say: $$5 }")), Vec::<String>::new());
}

#[test]
fn a_parameter_of_the_wrong_type_is_told_where_it_stands() {
    assert_eq!(found("character: A\nparameters: { n: x }\nbehaviors:\n  main: { wait: $n }"), ["4:17 WrongType"]);
}

#[test]
fn a_value_for_a_parameter_that_is_not_there_is_told() {
    let set = [("txet".into(), 5.into())];
    let text = main("{ say: $text }").replace("behaviors", "parameters: { text: a }\nbehaviors");
    let findings = Character::read(&text, "a.yaml", &set).unwrap_err();
    assert_eq!(findings[0].help.as_deref(), Some("did you mean `text`?"));
}

#[test]
fn a_pattern_needs_its_values_and_takes_no_others() {
    let pattern = "\n  greet: { takes: { name: null }, say: $name }";
    assert_eq!(found(&main(&format!("{{ queue: [greet] }}{pattern}"))), ["4:27 Missing", "4:40 WrongType"]);
    let with = "{ queue: [{ use: greet, with: { nmae: Ada, name: Bob } }] }";
    let finding = only(&main(&format!("{with}{pattern}")));
    assert_eq!(finding.help.as_deref(), Some("did you mean `name`?"));
    let finding = only(&main(&format!("{{ say: a }}{pattern}")));
    assert_eq!(finding.rule, Rule::Unreachable);
}

#[test]
fn a_pattern_that_uses_itself_is_told() {
    let text = main(
        "{ use: a, with: { n: 1 } }\n  a: { takes: { n: 0 }, queue: [{ use: b, with: {} }] }\n  b: { queue: [{ use: a, with: {} }] }",
    );
    let finding = check(&text, "a.yaml").into_iter().find(|finding| finding.rule == Rule::Ring).unwrap();
    assert_eq!(finding.message, "a pattern is its own descendant: a → b → a");
}

#[test]
fn an_empty_file_is_told() {
    assert_eq!(only("").message, "the file is empty");
    assert_eq!(only("# nothing\n").message, "the file is empty");
    assert_eq!(found("- a"), ["1:1 WrongType"]);
}

#[test]
fn anchors_and_aliases_are_read() {
    let text = main("{ queue: [&a { say: a }, *a, { say: b, when: &w { memory: K } }, { say: c, when: *w }] }");
    assert_eq!(check(&text, "a.yaml"), []);
}

#[test]
fn what_multiplies_through_aliases_is_refused() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..20 {
        let last = format!("*a{}", level - 1);
        text += &format!("a{level}: &a{level} [{}]\n", [last.as_str(); 10].join(", "));
    }
    assert_eq!(only(&text).rule, Rule::TooMuch);
}

#[test]
fn what_is_too_deep_is_refused() {
    let text = main(&format!(
        "{}true{}",
        "{ say: a, when: ".to_owned() + &"{ not: ".repeat(MAX_DEPTH),
        "}".repeat(MAX_DEPTH + 1)
    ));
    assert!(!check(&text, "a.yaml").is_empty());
    for deep in ["[".repeat(1_000_000), "- ".repeat(300_000), "{a: ".repeat(300_000), "? ".repeat(300_000)] {
        assert!(!check(&deep, "a.yaml").is_empty());
    }
}

#[test]
fn patterns_that_multiply_are_refused() {
    let mut text = main("{ use: p0, with: {} }");
    for level in 0..40 {
        let next = format!("{{ use: p{}, with: {{}} }}", level + 1);
        text += &format!("  p{level}: {{ queue: [{next}, {next}] }}\n");
    }
    text += "  p40: { say: a }\n";
    assert!(check(&text, "a.yaml").iter().any(|finding| finding.rule == Rule::TooMuch));
}

#[test]
fn too_many_side_by_side_are_refused() {
    let text = main(&format!("{{ parallel: [{}] }}", "{ say: a }, ".repeat(boxstep_runner::MAX_PARALLEL + 1)));
    assert_eq!(only(&text).rule, Rule::TooMuch);
}

/// What would take for ever if it were compared with each other: names nobody has, states, silences.
#[test]
fn a_file_that_is_wrong_everywhere_is_refused_in_time() {
    let nobody: Vec<String> = (0..50_000).map(|n| format!("nobody{n}")).collect();
    let found = check(&main(&format!("{{ queue: [{}] }}", nobody.join(", "))), "a.yaml");
    assert!((100..2000).contains(&found.len()), "{}", found.len());
    let states: String = (0..20_000).map(|n| format!("S{n}: {{ wait: 1 }}, ")).collect();
    let ways: String = (0..20_000).map(|n| format!("{{ from: any, to: S{n}, when: {{ event: x }} }}, ")).collect();
    assert_eq!(check(&main(&format!("{{ states: {{ {states} }}, transitions: [{ways}] }}")), "a.yaml"), []);
    let silent: String = (0..20_000).map(|n| format!("{{ say: a, silences: [other{}] }}, ", n % 10)).collect();
    let found = check(&main(&format!("{{ queue: [{silent}] }}")), "a.yaml");
    assert!((100..2000).contains(&found.len()), "{}", found.len());
}

#[test]
fn many_behaviors_are_read() {
    let list: Vec<String> = (0..10_000).map(|n| format!("{{ say: a, when: {{ memory: K{n} }} }}")).collect();
    let character = Character::read(&main(&format!("{{ priority: [{}] }}", list.join(", "))), "a.yaml", &[]).unwrap();
    assert_eq!(character.behaviors.len(), 10_001);
}

#[test]
fn a_binding_that_takes_nothing_need_not_say_so() {
    let text = "character: A\nbehaviors:\n  main: { queue: [{ use: b, with: {} }, c, { use: d, with: { x: 1 } }] }\nbindings:\n  b: { say: a }\n  c: { say: a }\n  d: { takes: { x: 0 }, wait: $x }\n";
    let character = Character::read(text, "a.yaml", &[]).unwrap();
    let names: Vec<&str> = character.behaviors.iter().map(|node| &*node.name).collect();
    assert_eq!(names, ["main", "main/1", "main/3", "c"]);
    let unused = only(&text.replace(", c,", ","));
    assert!(unused.rule == Rule::Unreachable && unused.message.contains("`c`"), "{unused}");
}

#[test]
fn a_file_is_read_and_checked_at_once() {
    let warned = main("{ priority: [{ priority: [a] }, { say: b }] }") + "  a: { say: a }\n";
    for (text, errors) in [(main("{ say: a }"), false), (warned, false), (main("{ say: a, wehn: 1 }"), true)] {
        let (character, findings) = examine(&text, "a.yaml", &[]);
        assert_eq!(findings, check(&text, "a.yaml"));
        assert_eq!(character.is_none(), errors, "{findings:?}");
        match (character, Character::read(&text, "a.yaml", &[])) {
            (Some(character), Ok(read)) => assert_eq!(character.behaviors, read.behaviors),
            (None, Err(read)) => assert_eq!(findings, read),
            (one, other) => panic!("{one:?}, {other:?}"),
        }
    }
    assert_eq!(examine(&main("{ say: a, wehn: 1 }"), "a.yaml", &[]).1[0].file.as_ref(), "a.yaml");
}

#[test]
fn a_wrong_pattern_has_its_place_in_the_file() {
    for (text, place, message) in [
        ("{ hear: 'hi [a b' }", "3:21", "the pattern is wrong: `[` is not closed"),
        ("{ hear: été ~yess }", "3:21", "the pattern is wrong: no lexicon has the concept `~yess`"),
        ("{ hear: \"a \\\"b\\\" $c\" }", "3:17", "the pattern is wrong: `$c` has a meaning only in a topic"),
        (
            "{ say: a, when: { not: { heard: 'e:Touch' } } }",
            "3:42",
            "the pattern is wrong: `e:Touch` has a meaning only in a topic",
        ),
        ("{ hear: '!no' }", "3:17", "the pattern is wrong: no sentence fits: it has no word and no `*`"),
        ("{ hear: '' }", "3:17", "this has to be a text that is not empty, and is a text"),
        ("{ hear: yes }", "", ""),
    ] {
        let findings = check(&main(text), "a.yaml");
        let Some(finding) = findings.first() else {
            assert!(message.is_empty(), "{text}");
            continue;
        };
        let at = format!("{}:{}", finding.at.line, finding.at.col);
        assert_eq!((at.as_str(), &*finding.message, finding.rule), (place, message, Rule::WrongType), "{text}");
    }
    let help = only(&main("{ hear: ~yess }")).help;
    assert_eq!(help.as_deref(), Some("did you mean `yes`?"));
    let parameter = "character: A\nparameters: { word: '[a' }\nbehaviors:\n  main: { hear: $word }\n";
    assert_eq!(found(parameter), ["4:17 WrongType"]);
}

#[test]
fn a_leaf_talks_by_a_topic_only() {
    assert!(check(&main("{ talk: greet.TOP }"), "a.yaml").is_empty());
    let finding = only(&main("{ talk: dance.xar }"));
    assert_eq!((finding.rule, finding.at.col), (Rule::WrongType, 17));
    assert_eq!(finding.help.as_deref(), Some("`play: dance.xar` plays a behavior"));
}
