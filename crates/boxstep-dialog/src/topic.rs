//! The typed model of a topic file. Every part has its span in the text of the file.

use boxstep_types::{Diagnostic, FileId, Sources, Span};
use smol_str::SmolStr;

/// A topic file: its headers, concepts and rules, in the order of the file.
#[derive(Clone, Debug)]
pub struct Topic {
    /// The text of the file, for messages.
    pub sources: Sources,
    /// The file's id in the sources.
    pub file: FileId,
    /// The name, without `~` and brackets.
    pub name: Option<Word>,
    /// The language as the file has it: `English` or `enu`.
    pub language: Option<Word>,
    /// The properties behind the name, in lower case and without `^`: `nopick`.
    pub properties: Vec<Word>,
    /// The files of `include:` lines.
    pub includes: Vec<Word>,
    /// The topics of `overload:` lines, without `~`.
    pub overloads: Vec<Word>,
    /// The text of `description:`.
    pub description: Option<Word>,
    /// The static concepts.
    pub concepts: Vec<Concept>,
    /// The names of the dynamic concepts.
    pub dynamics: Vec<Word>,
    /// The functions of `def:` lines.
    pub definitions: Vec<Definition>,
    /// The rules, in the order of the file. Sub-rules follow their parents.
    pub rules: Vec<Rule>,
    /// The parts of the text: spans that follow each other without a gap from the first byte to the last.
    pub parts: Vec<Part>,
    /// What is wrong with the text.
    pub problems: Vec<Diagnostic>,
}

/// A word of the file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub text: SmolStr,
    /// Where it stands.
    pub span: Span,
}

/// A part of the text of a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What the part is.
    pub kind: PartKind,
    /// The text, with the blanks, comments and line ends up to the next part.
    pub span: Span,
}

/// The kinds of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Text before the first line with a keyword.
    Preamble,
    /// A header line, such as `topic:`; its keyword in lower case.
    Header(SmolStr),
    /// The rule of this index.
    Rule(usize),
    /// `recover:`.
    Recover,
}

/// `concept:(name) items`.
#[derive(Clone, Debug)]
pub struct Concept {
    /// The name, without `~`.
    pub name: Word,
    /// The items, in order.
    pub items: Vec<Item>,
    /// The whole line or lines.
    pub span: Span,
}

/// `def:name($a, $b) output`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name.
    pub name: Word,
    /// The names of the parameters, without `$`.
    pub parameters: Vec<Word>,
    /// What a call says.
    pub output: Vec<Item>,
    /// The whole line or lines.
    pub span: Span,
}

/// The kinds of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// `u:`, a rule that any sentence may match while its topic is active.
    User,
    /// `u1:` to `u9:`, a sub-rule.
    Sub(u8),
    /// `c1:` to `c9:`, which matches the result of a call.
    Result(u8),
    /// `e1:` to `e9:`, for a call that failed.
    Failure(u8),
    /// `l:`, which may match beside another rule.
    Beside,
    /// `s:`, which changes what is said.
    Skin,
    /// `proposal:`, which is said when asked for.
    Proposal,
}

impl RuleKind {
    /// The depth of a rule below its parent: 0 for rules that stand alone.
    pub fn level(self) -> u8 {
        match self {
            RuleKind::Sub(n) | RuleKind::Result(n) | RuleKind::Failure(n) => n,
            _ => 0,
        }
    }

    /// The keyword, such as `u1`.
    pub fn keyword(self) -> String {
        match self {
            RuleKind::User => "u".into(),
            RuleKind::Sub(n) => format!("u{n}"),
            RuleKind::Result(n) => format!("c{n}"),
            RuleKind::Failure(n) => format!("e{n}"),
            RuleKind::Beside => "l".into(),
            RuleKind::Skin => "s".into(),
            RuleKind::Proposal => "proposal".into(),
        }
    }
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What kind of rule it is.
    pub kind: RuleKind,
    /// The index of the rule that it is a sub-rule of.
    pub parent: Option<usize>,
    /// The indices of its sub-rules.
    pub children: Vec<usize>,
    /// Whether it stands behind `recover:`.
    pub recover: bool,
    /// Whether it has `^private`: it matches only while its topic has the focus.
    pub private: bool,
    /// What a sentence must look like; `None` for a rule without brackets.
    pub input: Option<Vec<Item>>,
    /// What the robot answers.
    pub output: Vec<Item>,
    /// The keyword and the input: what messages about the rule point to.
    pub head: Span,
    /// The whole rule, without its sub-rules.
    pub span: Span,
}

impl Rule {
    /// The tags by which `^goto` finds the answer: those that stand beside its words, and not in an alternative.
    pub fn tags(&self) -> impl Iterator<Item = &SmolStr> {
        self.output.iter().filter_map(|item| match &item.kind {
            ItemKind::Tag(name) => Some(name),
            _ => None,
        })
    }
}

/// An item of an input or output, with its place.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Where it stands.
    pub span: Span,
    /// Whether a blank stands before it. Outputs need it: `$1,` is said without one.
    pub spaced: bool,
}

/// The kinds of items.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// A word with its punctuation, as it is written.
    Text(SmolStr),
    /// `"words in order"`.
    Phrase(Vec<Item>),
    /// `[one or the other]`.
    Choice(Vec<Item>),
    /// `{perhaps}`.
    Optional(Vec<Item>),
    /// `*`: any words.
    Any,
    /// `!word`: must not be said.
    Not(Box<Item>),
    /// `_item`: what was said here becomes `$1`, `$2` ….
    Capture(Box<Item>),
    /// `~name`: an item of a concept.
    Concept(SmolStr),
    /// `e:key`: an event.
    Event(SmolStr),
    /// `$key==value` and the like.
    Condition(Condition),
    /// `$key=value`.
    Assign(SmolStr, Vec<Item>),
    /// `$key`.
    Variable(SmolStr),
    /// `$1`.
    Captured(usize),
    /// `%name`.
    Tag(SmolStr),
    /// `^name`, `^name(arguments)` or `^name[items]`.
    Call(Call),
    /// `\tag=value\`: for the voice; without the backslashes.
    Voice(SmolStr),
    /// `%script … %script`: Python, whose printed text is said.
    Script(SmolStr),
}

/// How a condition compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `<>`
    Unequal,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`, undocumented.
    LessOrEqual,
    /// `>=`, undocumented.
    GreaterOrEqual,
}

impl Comparison {
    /// The sign.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::Unequal => "<>",
            Comparison::Less => "<",
            Comparison::Greater => ">",
            Comparison::LessOrEqual => "<=",
            Comparison::GreaterOrEqual => ">=",
        }
    }
}

/// `$key==value`.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What is compared: a variable or a capture.
    pub subject: SmolStr,
    /// How.
    pub comparison: Comparison,
    /// With what.
    pub value: Vec<Item>,
}

/// A call of a function: `^name(arguments)`.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name as it is written, without `^`.
    pub name: SmolStr,
    /// What stands in brackets behind the name.
    pub arguments: Arguments,
}

/// What stands behind the name of a function.
#[derive(Clone, Debug)]
pub enum Arguments {
    /// Nothing.
    None,
    /// `(…)`: the text of each argument, trimmed, and the items in it.
    List(Vec<Argument>),
    /// `[…]`.
    Items(Vec<Item>),
}

/// An argument in round brackets.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The text, trimmed.
    pub text: Word,
    /// The same as items.
    pub items: Vec<Item>,
}

impl Call {
    /// The name in lower case: files and pages of documentation mix cases, so it is compared without.
    pub fn lower(&self) -> String {
        self.name.to_ascii_lowercase()
    }

    /// The text of an argument in round brackets.
    pub fn argument(&self, n: usize) -> Option<&Argument> {
        match &self.arguments {
            Arguments::List(list) => list.get(n),
            _ => None,
        }
    }
}

impl Item {
    /// The items inside, if it has any.
    pub fn inner(&self) -> &[Item] {
        match &self.kind {
            ItemKind::Phrase(items)
            | ItemKind::Choice(items)
            | ItemKind::Optional(items)
            | ItemKind::Assign(_, items) => items,
            ItemKind::Not(item) | ItemKind::Capture(item) => std::slice::from_ref(&**item),
            ItemKind::Call(Call { arguments: Arguments::Items(items), .. }) => items,
            ItemKind::Condition(condition) => &condition.value,
            _ => &[],
        }
    }

    /// Calls a function with this item and all items inside it, outer ones first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Item)) {
        visit(self);
        for item in self.inner() {
            item.walk(visit);
        }
        if let ItemKind::Call(Call { arguments: Arguments::List(list), .. }) = &self.kind {
            for item in list.iter().flat_map(|argument| &argument.items) {
                item.walk(visit);
            }
        }
    }
}

/// Calls a function with all items of a list, and all items inside them.
pub fn walk<'a>(items: &'a [Item], visit: &mut dyn FnMut(&'a Item)) {
    for item in items {
        item.walk(visit);
    }
}

impl Topic {
    /// The text of the file.
    pub fn text(&self) -> &str {
        self.sources.text(self.file)
    }

    /// The name; empty if the file has none.
    pub fn name(&self) -> &str {
        self.name.as_ref().map_or("", |name| &name.text)
    }

    /// Whether the topic has a property, given in lower case and without `^`.
    pub fn has(&self, property: &str) -> bool {
        self.properties.iter().any(|p| &*p.text == property)
    }

    /// The line of a rule, from 1.
    pub fn line(&self, rule: usize) -> u32 {
        self.rules.get(rule).map_or(1, |rule| self.sources.line(self.file, rule.span.start))
    }

    /// The head of a rule as it is written, on one line: `u:(hello {robot})`.
    pub fn head(&self, rule: usize) -> String {
        let text = self.rules.get(rule).map_or("", |rule| self.sources.slice(rule.head));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // `u1 : (hello)` is `u1:(hello)`.
        match text.split_once(':') {
            Some((keyword, input)) => format!("{}:{}", keyword.trim_end(), input.trim_start()),
            None => text,
        }
    }

    /// Whether an error keeps the topic from being loaded.
    pub fn is_broken(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == boxstep_types::Severity::Error)
    }
}
