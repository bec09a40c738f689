//! Text → [`Topic`]. Never fails: what is not understood is told in [`Topic::problems`], and no byte gets lost.
//!
//! Grammar: `docs/reference/qichat.md`.

mod header;
mod items;
mod statements;

use crate::codes;
use crate::topic::{Argument, Item, Part, PartKind, Rule, RuleKind, Topic};
use boxstep_types::{Diagnostic, FileId, Sources, Span};
use items::{Mode, Reader};
use statements::{Keyword, Statement};
use std::sync::Arc;

/// The most rules of a topic that are read.
const MOST_RULES: usize = 100_000;

/// Reads the text of a topic. `name` is the file name in messages.
///
/// ```
/// let topic = boxstep_dialog::read_topic("hi.top", "topic: ~hi()\nlanguage: English\nu:(hello) hi\n");
/// assert_eq!(topic.name(), "hi");
/// assert_eq!(topic.head(0), "u:(hello)");
/// assert!(topic.problems.is_empty());
/// ```
pub fn read_topic(name: &str, text: &str) -> Topic {
    let mut sources = Sources::new();
    let text: Arc<str> = Arc::from(text);
    let file = sources.add(name, &*text);
    let mut topic = Topic {
        sources,
        file,
        name: None,
        language: None,
        properties: Vec::new(),
        includes: Vec::new(),
        overloads: Vec::new(),
        description: None,
        concepts: Vec::new(),
        dynamics: Vec::new(),
        definitions: Vec::new(),
        rules: Vec::new(),
        parts: Vec::new(),
        problems: Vec::new(),
    };
    if text.len() > u32::MAX as usize / 2 {
        let message = "the topic is too large";
        topic.problems.push(Diagnostic::error(codes::NOT_A_RULE, message));
        return topic;
    }
    let mut state = State::default();
    let mut reader = Reader::new(&text, file, 0..0);
    let (statements, mistyped) = statements::split(&text);
    for statement in statements {
        let span = Span { file, start: statement.start as u32, end: statement.end as u32 };
        reader.begin(statement.content..statement.end);
        let kind = read_statement(&mut topic, &mut reader, &statement, span, &mut state);
        topic.parts.push(Part { kind, span });
    }
    topic.problems = reader.problems;
    for word in mistyped {
        let span = Span { file, start: word.start as u32, end: word.end as u32 };
        topic.problems.push(mistyped_keyword(&text[word]).at(span));
    }
    topic
}

fn mistyped_keyword(word: &str) -> Diagnostic {
    let message = format!("`{word}:` is no keyword, so this line belongs to the statement above it");
    let finding = Diagnostic::warning(codes::NOT_A_RULE, message);
    match statements::nearest_keyword(word) {
        Some(near) => finding.help(format!("did you mean `{near}:`?")),
        None => finding.help("rules begin with `u:`, `u1:` … `u9:`, `c1:`, `e1:`, `l:`, `s:` or `proposal:`"),
    }
}

/// Reads the arguments of a call: `a, "b", $c`. What is wrong with them was told when the topic was read.
pub(crate) fn arguments(text: &str) -> Vec<Argument> {
    let text = format!("{text})");
    Reader::new(&text, FileId(0), 0..text.len()).arguments_to_bracket()
}

/// Reads the input of a rule that stands alone, without the brackets around it.
pub(crate) fn input(text: &str) -> (Vec<Item>, Vec<Diagnostic>) {
    let mut reader = Reader::new(text, FileId(0), 0..text.len());
    let items = reader.items(Mode::Input, None);
    (items, reader.problems)
}

/// What statements depend on that stand before them.
#[derive(Default)]
struct State {
    /// Whether `recover:` was read.
    recover: bool,
    /// The last rule of each level that can have sub-rules.
    last: [Option<usize>; 10],
}

fn read_statement(
    topic: &mut Topic,
    reader: &mut Reader<'_>,
    of: &Statement,
    span: Span,
    state: &mut State,
) -> PartKind {
    match &of.keyword {
        None => {
            reader.skip_blanks();
            if !reader.at_end() {
                let message = "this is neither a header nor a rule";
                reader.problem(Diagnostic::error(codes::NOT_A_RULE, message), reader.line_here());
            }
            PartKind::Preamble
        }
        Some(Keyword::Recover) => {
            state.recover = true;
            reader.nothing_more();
            PartKind::Recover
        }
        Some(Keyword::Header(name)) => {
            header::read(topic, reader, name, span);
            PartKind::Header((*name).into())
        }
        Some(Keyword::Rule(kind)) => {
            let rule = read_rule(reader, *kind, of, span, state.recover);
            if topic.rules.len() >= MOST_RULES {
                let message = format!("a topic has at most {MOST_RULES} rules");
                reader.problem(Diagnostic::error(codes::NOT_A_RULE, message), rule.head);
                return PartKind::Preamble;
            }
            PartKind::Rule(add_rule(topic, reader, rule, state))
        }
    }
}

fn read_rule(reader: &mut Reader<'_>, kind: RuleKind, of: &Statement, span: Span, recover: bool) -> Rule {
    let mut private = false;
    reader.skip_blanks();
    while reader.takes_word("^private") {
        private = true;
        reader.skip_blanks();
    }
    let head_start = of.keyword_start as u32;
    // A proposal has no input: what stands in brackets is said.
    let has_input = !matches!(kind, RuleKind::Proposal) && reader.peek() == Some('(');
    let input = has_input.then(|| {
        let open = reader.here();
        reader.bump();
        reader.items(Mode::Input, Some((')', open)))
    });
    let head_end = match &input {
        Some(_) => reader.here(),
        None => of.content as u32,
    };
    let head = Span { end: head_end.max(head_start), start: head_start, ..span };
    if input.is_none() && !matches!(kind, RuleKind::Proposal | RuleKind::Failure(_)) {
        let message = format!("the rule has no input: {}:(words) answer", kind.keyword());
        reader.problem(Diagnostic::error(codes::NOT_A_RULE, message), head);
    }
    let output = reader.items(Mode::Output, None);
    Rule { kind, parent: None, children: Vec::new(), recover, private, input, output, head, span }
}

/// Adds a rule below the rule that it belongs to; returns its index.
fn add_rule(topic: &mut Topic, reader: &mut Reader<'_>, mut rule: Rule, state: &mut State) -> usize {
    let index = topic.rules.len();
    let level = rule.kind.level();
    if level > 0 {
        // The last rule one level up, unless a rule that is further up stands between.
        let last = state.last.iter().take(usize::from(level)).copied().flatten().max();
        match last.filter(|last| topic.rules[*last].kind.level() == level - 1) {
            Some(parent) if !opens(topic.rules[parent].kind, rule.kind) => {
                let message = format!("`{}:` stands below `l:`, which opens no sub-rules", rule.kind.keyword());
                let finding = Diagnostic::warning(codes::NO_PARENT, message).help("it never answers");
                reader.problem(finding, rule.head);
            }
            Some(parent) => {
                rule.parent = Some(parent);
                topic.rules[parent].children.push(index);
            }
            None => {
                let above = if level == 1 { "u".to_owned() } else { format!("u{}", level - 1) };
                let message = format!("`{}:` stands below no rule of level `{above}:`", rule.kind.keyword());
                let finding = Diagnostic::warning(codes::NO_PARENT, message).help("it never answers");
                reader.problem(finding, rule.head);
            }
        }
    }
    if can_have_sub_rules(rule.kind)
        && let Some(last) = state.last.get_mut(usize::from(level))
    {
        *last = Some(index);
    }
    topic.rules.push(rule);
    index
}

/// Whether a rule above another one opens it: what answers beside other rules leaves open what is open.
fn opens(above: RuleKind, kind: RuleKind) -> bool {
    above != RuleKind::Beside || !matches!(kind, RuleKind::Sub(_))
}

fn can_have_sub_rules(kind: RuleKind) -> bool {
    !matches!(kind, RuleKind::Skin)
}
