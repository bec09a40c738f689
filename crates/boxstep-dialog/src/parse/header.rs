//! Header lines, concepts and definitions.

use super::items::{Mode, Reader};
use crate::codes;
use crate::topic::{Concept, Definition, Topic, Word};
use boxstep_types::{Diagnostic, Span, languages};

/// Reads what stands behind the keyword of a header.
pub(super) fn read(topic: &mut Topic, reader: &mut Reader<'_>, keyword: &str, span: Span) {
    match keyword {
        "topic" => return name(topic, reader),
        "concept" => return concept(topic, reader, span),
        "def" => return definition(topic, reader, span),
        _ => {}
    }
    let line = reader.line();
    match keyword {
        "language" => {
            if !line.text.is_empty() && languages::topic_code(&line.text).is_none() {
                let message = format!("`{}` is no language that robots have", line.text);
                let finding = Diagnostic::warning(codes::NOT_A_RULE, message);
                let help = "a name (`English`), code (`enu`) or locale (`en_US`)";
                reader.problem(finding.help(help), line.span);
            }
            first(&mut topic.language, line, reader, "language");
        }
        "description" => {
            // The text may go on over lines.
            let mut text = line.text.to_string();
            reader.skip_blanks();
            while !reader.at_end() {
                text.push(' ');
                text.push_str(&reader.line().text);
                reader.skip_blanks();
            }
            first(&mut topic.description, Word { text: text.trim().into(), span: line.span }, reader, "description");
        }
        "include" => topic.includes.push(line),
        "overload" => topic.overloads.push(bare(line)),
        "dynamic" => {
            let name = bare(line);
            if name.text.is_empty() {
                let message = "`dynamic:` needs the name of a concept";
                reader.problem(Diagnostic::error(codes::NOT_A_RULE, message), span);
            } else {
                topic.dynamics.push(name);
            }
        }
        "model" => {
            let message = format!("`{keyword}:` is not documented, and is ignored");
            reader.problem(Diagnostic::warning(codes::UNDOCUMENTED, message), span);
        }
        // For the recognition of speech only.
        _ => return,
    }
    if keyword != "model" {
        reader.nothing_more();
    }
}

/// Stores a header that a topic has once.
fn first(place: &mut Option<Word>, line: Word, reader: &mut Reader<'_>, keyword: &str) {
    if place.is_some() {
        let message = format!("the topic has a second `{keyword}:`");
        reader.problem(Diagnostic::error(codes::NOT_A_RULE, message), line.span);
    } else if line.text.is_empty() {
        reader.problem(Diagnostic::error(codes::NOT_A_RULE, format!("`{keyword}:` says nothing")), line.span);
    } else {
        *place = Some(line);
    }
}

/// Removes the brackets, `~` and `:` that some files have around a name.
fn bare(line: Word) -> Word {
    let signs = |c: char| c.is_whitespace() || matches!(c, '~' | '(' | ')' | ':');
    let start = line.text.len() - line.text.trim_start_matches(signs).len();
    let text = line.text.trim_matches(signs);
    let begin = line.span.start + start as u32;
    Word { span: Span { start: begin, end: begin + text.len() as u32, ..line.span }, text: text.into() }
}

/// `topic: ~name ^property() ()`
fn name(topic: &mut Topic, reader: &mut Reader<'_>) {
    let line = reader.line();
    reader.nothing_more();
    if topic.name.is_some() {
        let message = "a file has one topic; this is the second one";
        reader.problem(Diagnostic::error(codes::NOT_A_RULE, message), line.span);
        return;
    }
    let is_sign = |c: char| c.is_whitespace() || matches!(c, '(' | ')');
    for part in line.text.split(is_sign).filter(|part| !part.is_empty()) {
        let start = line.span.start + (part.as_ptr() as usize - line.text.as_ptr() as usize) as u32;
        let span = Span { start, end: start + part.len() as u32, ..line.span };
        match part.strip_prefix('^') {
            Some(property) => topic.properties.push(Word { text: property.to_lowercase().into(), span }),
            None if topic.name.is_none() => {
                if !part.starts_with('~') {
                    let message = "the name of a topic begins with `~`";
                    let finding = Diagnostic::warning(codes::NOT_A_RULE, message);
                    reader.problem(finding.help(format!("`topic: ~{part}()`")), span);
                }
                topic.name = Some(Word { text: part.trim_start_matches('~').into(), span });
            }
            None => {
                let message = format!("`{part}` is no property of a topic");
                reader.problem(Diagnostic::warning(codes::NOT_A_RULE, message), span);
            }
        }
    }
    if topic.name.as_ref().is_none_or(|name| name.text.is_empty()) {
        let finding = Diagnostic::error(codes::NOT_A_RULE, "the topic has no name").help("`topic: ~name()`");
        reader.problem(finding, line.span);
    }
}

/// `concept:(name) items`
fn concept(topic: &mut Topic, reader: &mut Reader<'_>, span: Span) {
    let Some(name) = bracketed(reader, "concept:(name) [items]") else { return };
    reader.skip_blanks();
    // `concept:(name): [items]`
    if reader.peek() == Some(':') {
        reader.bump();
    }
    let items = reader.items(Mode::Concept, None);
    topic.concepts.push(Concept { name, items, span });
}

/// Reads `(name)` or `~name`.
fn bracketed(reader: &mut Reader<'_>, form: &str) -> Option<Word> {
    reader.skip_blanks();
    let start = reader.here();
    let rest = reader.rest();
    let length = match rest.starts_with('(') {
        true => rest.find(')').map(|at| at + 1),
        false => rest.find(|c: char| c.is_whitespace() || c == '[' || c == '"'),
    };
    let length = length.unwrap_or(rest.len());
    let name = &rest[..length];
    while reader.here() < start + length as u32 {
        reader.bump();
    }
    let word = bare(Word { text: name.into(), span: reader.since(start) });
    if word.text.is_empty() || word.text.contains(char::is_whitespace) {
        let here = reader.since(start);
        reader.problem(Diagnostic::error(codes::NOT_A_RULE, format!("the form is `{form}`")), here);
        return None;
    }
    Some(word)
}

/// `def:name($a, $b) output`
fn definition(topic: &mut Topic, reader: &mut Reader<'_>, span: Span) {
    reader.skip_blanks();
    let start = reader.here();
    let rest = reader.rest();
    let (head, _) = rest.split_once(')').unwrap_or((rest, ""));
    let (name, parameters) = head.split_at(head.find('(').unwrap_or(head.len()));
    let parameters = parameters.strip_prefix('(').unwrap_or(parameters);
    let place = |text: &str| {
        let begin = start + (text.as_ptr() as usize - rest.as_ptr() as usize) as u32;
        Span { start: begin, end: begin + text.len() as u32, ..span }
    };
    let word = |text: &str, signs: &[char]| {
        let text = text.trim().trim_start_matches(signs).trim();
        Word { text: text.into(), span: place(text) }
    };
    let name = word(name, &['^', '~']);
    let parameters = parameters.split(',').map(|p| word(p, &['$'])).filter(|p| !p.text.is_empty()).collect();
    let has_brackets = rest.len() > head.len();
    if name.text.is_empty() || name.text.contains(char::is_whitespace) || !has_brackets {
        let here = reader.line_here();
        reader.problem(Diagnostic::error(codes::NOT_A_RULE, "the form is `def:name($a) output`"), here);
        return;
    }
    while reader.here() < start + head.len() as u32 + 1 {
        reader.bump();
    }
    let output = reader.items(Mode::Output, None);
    topic.definitions.push(Definition { name, parameters, output, span });
}
