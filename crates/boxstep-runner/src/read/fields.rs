//! Reads maps by tables of their keys: reports unknown, missing and repeated keys and values of the wrong type, and
//! replaces parameters.

use super::{PathStep, Reader};
use crate::finding::Rule;
use crate::model::Named;
use crate::schema_table::{Field, MapSchema, Shape};
use crate::tree::{Place, Tree, What};
use boxstep_dialog::Pattern;
use boxstep_types::{Span, Value, meant};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

/// The valid values of a map, by their keys.
pub(super) struct Fields<'t>(Vec<(&'static str, Cow<'t, Tree>)>);

impl Fields<'_> {
    pub(super) fn get(&self, key: &str) -> Option<&Tree> {
        self.0.iter().find(|(k, _)| *k == key).map(|(_, tree)| &**tree)
    }

    pub(super) fn text(&self, key: &str) -> Option<Arc<str>> {
        self.get(key)?.text().map(unescaped)
    }

    pub(super) fn named(&self, key: &str) -> Option<Named> {
        Some(Named { name: self.text(key)?, at: self.get(key)?.at })
    }

    pub(super) fn texts(&self, key: &str) -> Vec<Arc<str>> {
        self.parts(key).iter().filter_map(|part| part.text().map(unescaped)).collect()
    }

    pub(super) fn all_named(&self, key: &str) -> Vec<Named> {
        self.parts(key).iter().filter_map(|part| Some(Named { name: unescaped(part.text()?), at: part.at })).collect()
    }

    /// Returns the parts of a list; a single value counts as a list of one.
    fn parts(&self, key: &str) -> &[Tree] {
        match self.get(key) {
            Some(Tree { what: What::List(items), .. }) => items,
            Some(one) => std::slice::from_ref(one),
            None => &[],
        }
    }

    pub(super) fn number(&self, key: &str) -> Option<f64> {
        self.get(key)?.number()
    }

    pub(super) fn count(&self, key: &str) -> Option<u32> {
        match self.get(key)?.what {
            What::Int(n) => Some(u32::try_from(n).unwrap_or(u32::MAX)),
            _ => None,
        }
    }

    pub(super) fn bool(&self, key: &str) -> Option<bool> {
        match self.get(key)?.what {
            What::Bool(b) => Some(b),
            _ => None,
        }
    }

    pub(super) fn value(&self, key: &str) -> Option<Value> {
        Some(self.get(key)?.value())
    }

    pub(super) fn values(&self, key: &str) -> Vec<(Arc<str>, Tree)> {
        match self.get(key).map(|tree| &tree.what) {
            Some(What::Map(pairs)) => pairs.iter().map(|(key, value)| (key.text.clone(), value.clone())).collect(),
            _ => Vec::new(),
        }
    }
}

/// Returns the place of a part of a text, if the text stands in the file as it is, with or without quotes.
fn within(named: &Named, part: Option<Span>) -> Place {
    let Named { name, at } = named;
    let quotes = ((at.end - at.start) as usize).checked_sub(name.len()).filter(|more| matches!(more, 0 | 2));
    let (Some(quotes), Some(part)) = (quotes.map(|more| more as u32 / 2), part) else { return *at };
    let before = name.get(..part.start as usize).map_or(0, |before| before.chars().count() as u32);
    let start = at.start + quotes;
    Place { start: start + part.start, end: start + part.end, line: at.line, col: at.col + quotes + before }
}

/// Replaces `$$` at the beginning by `$`.
fn unescaped(text: &Arc<str>) -> Arc<str> {
    match text.strip_prefix("$$") {
        Some(rest) => format!("${rest}").into(),
        None => text.clone(),
    }
}

impl Reader {
    /// Returns the value of a parameter if the part is `$name`, and otherwise the part.
    pub(super) fn resolve<'t>(&mut self, tree: &'t Tree) -> Option<Cow<'t, Tree>> {
        if !self.count_step(tree.at) {
            return None;
        }
        let name = match tree.text().and_then(|text| text.strip_prefix('$')) {
            Some(name) if !name.starts_with('$') => name,
            _ => return Some(Cow::Borrowed(tree)),
        };
        let found = self.pattern.get(name).or_else(|| self.file.get(name));
        if let Some(found) = found {
            // A finding has the position of the reference, because the value may be valid elsewhere.
            return Some(Cow::Owned(Tree { at: tree.at, what: found.what.clone() }));
        }
        let help = meant(name, self.pattern.keys().chain(self.file.keys()).map(|name| &**name));
        let help = help.or_else(|| Some("a text that begins with `$` is written with `$$`".into()));
        self.add_finding(Rule::UnknownName, tree.at, format!("there is no parameter `{name}`"), help);
        None
    }

    /// Replaces all parameters within a part.
    pub(super) fn resolve_all<'t>(&mut self, tree: &'t Tree) -> Option<Cow<'t, Tree>> {
        if let Some(text) = tree.text().filter(|text| text.starts_with("$$")) {
            return Some(Cow::Owned(Tree { at: tree.at, what: What::Text(unescaped(text)) }));
        }
        let tree = self.resolve(tree)?;
        let what = match &tree.what {
            What::List(items) => rewritten(items, |item| Rewritten::of(self.resolve_all(item), |new| new))
                .map(|all| What::List(all.into())),
            What::Map(pairs) => {
                rewritten(pairs, |(key, value)| Rewritten::of(self.resolve_all(value), |new| (key.clone(), new)))
                    .map(|all| What::Map(all.into()))
            }
            _ => None,
        };
        match what {
            Some(what) => Some(Cow::Owned(Tree { at: tree.at, what })),
            None => Some(tree),
        }
    }

    /// Returns the form of a map; reports a map of no form, or of two.
    pub(super) fn form(&mut self, tree: &Tree, forms: &'static [MapSchema], what: &str) -> Option<&'static MapSchema> {
        let What::Map(pairs) = &tree.what else {
            self.add_finding(Rule::WrongType, tree.at, format!("{what} is a map, and this is {}", tree.kind()), None);
            return None;
        };
        let mut known = forms.iter().filter(|form| pairs.iter().any(|(key, _)| &*key.text == form.key()));
        match (known.next(), known.next()) {
            (Some(one), None) => Some(one),
            (None, _) => {
                let all = || forms.iter().map(MapSchema::key);
                // The first key that is similar to a known one.
                let near = pairs.iter().find_map(|(key, _)| Some((key, meant(&key.text, all())?)));
                let (message, help, at) = match near {
                    Some((key, help)) => (format!("there is no kind of {what} `{}`", key.text), help, key.at),
                    None => {
                        let keys: Vec<&str> = all().collect();
                        (format!("this map is no {what}"), format!("one of the keys {}", keys.join(", ")), tree.at)
                    }
                };
                self.add_finding(Rule::Missing, at, message, Some(help));
                None
            }
            (Some(one), Some(other)) => {
                let message =
                    format!("`{}` and `{}` are two kinds of {what}: only one is allowed", one.key(), other.key());
                self.add_finding(Rule::WrongType, tree.at, message, None);
                None
            }
        }
    }

    /// Reads a map by tables of its keys.
    pub(super) fn fields<'t>(&mut self, tree: &'t Tree, tables: &[&'static [Field]]) -> Fields<'t> {
        self.fields_of(tree, tables, |_| true)
    }

    /// Reads some of the keys of a map, and ignores the others.
    pub(super) fn fields_of<'t>(
        &mut self,
        tree: &'t Tree,
        tables: &[&'static [Field]],
        is_read: impl Fn(&str) -> bool,
    ) -> Fields<'t> {
        let What::Map(pairs) = &tree.what else {
            self.add_finding(Rule::WrongType, tree.at, format!("this has to be a map, and is {}", tree.kind()), None);
            return Fields(Vec::new());
        };
        let mut read = Fields(Vec::with_capacity(pairs.len()));
        let known = || tables.iter().copied().flatten();
        // A bit for each key's index in the tables, which are short.
        let mut seen = 0_u64;
        for (key, value) in pairs.iter().filter(|(key, _)| is_read(&key.text)) {
            let Some((number, field)) = known().enumerate().find(|(_, field)| field.key == &*key.text) else {
                let help = meant(&key.text, known().map(|field| field.key));
                let help = help.or_else(|| {
                    let keys: Vec<&str> = known().map(|field| field.key).collect();
                    Some(format!("there are {}", keys.join(", ")))
                });
                self.add_finding(Rule::UnknownKey, key.at, format!("there is no key `{}` here", key.text), help);
                continue;
            };
            if seen & 1 << number != 0 {
                self.report_duplicate(&key.text, key.at);
                continue;
            }
            seen |= 1 << number;
            let right = self.under(PathStep::Word(field.key), value.at, |r| match r.resolve(value)? {
                Cow::Borrowed(value) => r.check_shape(value, field.shape),
                Cow::Owned(value) => r.check_shape(&value, field.shape).map(|value| Cow::Owned(value.into_owned())),
            });
            read.0.extend(right.map(|value| (field.key, value)));
        }
        for (_, field) in known().enumerate().filter(|(number, field)| field.needed && seen & 1 << number == 0) {
            self.add_finding(Rule::Missing, tree.at, format!("the key `{}` is missing", field.key), None);
        }
        read
    }

    /// Reads the pattern of a key. What is wrong with it is reported where it stands in the file.
    pub(super) fn pattern(&mut self, fields: &Fields<'_>, key: &'static str) -> Option<Pattern> {
        let named = fields.named(key)?;
        let wrong = match Pattern::read(&named.name) {
            Ok(pattern) => return Some(pattern),
            Err(wrong) => wrong,
        };
        for finding in wrong {
            let at = within(&named, finding.span);
            self.under(PathStep::Word(key), at, |r| {
                r.add_finding(Rule::WrongType, at, format!("the pattern is wrong: {}", finding.message), finding.help);
                Some(())
            });
        }
        None
    }

    pub(super) fn report_duplicate(&mut self, key: &str, at: Place) {
        self.add_finding(Rule::Duplicate, at, format!("the key `{key}` occurs twice"), None);
    }

    /// Returns a value if it has the right shape. A nested value is only checked when it is read.
    pub(super) fn check_shape<'t>(&mut self, tree: &'t Tree, shape: Shape) -> Option<Cow<'t, Tree>> {
        let good = match (shape, &tree.what) {
            (Shape::Bool, What::Bool(_)) => true,
            (Shape::Count(from), What::Int(n)) => *n >= from,
            (Shape::Number(from, to), _) => tree.number().is_some_and(|x| (from..=to).contains(&x)),
            (Shape::Text, What::Text(text)) => !text.is_empty(),
            (Shape::Texts, What::Text(text)) => !text.is_empty(),
            (Shape::Texts, What::List(_)) => return self.all_texts(tree),
            (Shape::Choice(all), What::Text(text)) => return self.choice(tree, text, all),
            (Shape::ChoiceOrCount(all), What::Text(text)) => return self.choice(tree, text, all),
            (Shape::ChoiceOrCount(_), What::Int(n)) => *n >= 1,
            (Shape::Value, _) => return self.resolve_all(tree),
            (Shape::Values, What::Map(pairs)) => {
                let mut seen = HashSet::new();
                for (key, _) in pairs.iter().filter(|(key, _)| !seen.insert(&key.text)) {
                    self.report_duplicate(&key.text, key.at);
                }
                return self.resolve_all(tree);
            }
            (Shape::Behaviors | Shape::States, What::Map(pairs)) => {
                let mut seen = HashSet::new();
                for (key, _) in pairs.iter().filter(|(key, _)| !seen.insert(&key.text)) {
                    self.report_duplicate(&key.text, key.at);
                }
                let some = !pairs.is_empty();
                if !some {
                    self.add_finding(Rule::Missing, tree.at, "at least one is required", None);
                }
                return some.then_some(Cow::Borrowed(tree));
            }
            (Shape::Children(_), What::List(items)) => {
                if items.is_empty() {
                    self.add_finding(Rule::Missing, tree.at, "at least one child is required", None);
                }
                !items.is_empty()
            }
            (Shape::Transitions | Shape::Conditions, What::List(_)) => true,
            (Shape::Child | Shape::Condition | Shape::Cooldown | Shape::AtEnd, _) => true,
            _ => false,
        };
        if good {
            return Some(Cow::Borrowed(tree));
        }
        // An empty list of children was already reported.
        if !matches!((shape, &tree.what), (Shape::Children(_), What::List(_))) {
            self.report_wrong_shape(tree, shape);
        }
        None
    }

    fn all_texts<'t>(&mut self, tree: &'t Tree) -> Option<Cow<'t, Tree>> {
        let What::List(items) = &tree.what else { return None };
        let mut right = true;
        let texts = rewritten(items, |item| {
            let text = if right { self.resolve(item) } else { None };
            let text = text.filter(|text| self.check_shape(text, Shape::Text).is_some());
            right = text.is_some();
            Rewritten::of(text, |new| new)
        });
        if items.is_empty() {
            self.add_finding(Rule::Missing, tree.at, "at least one is required", None);
        }
        if !right || items.is_empty() {
            return None;
        }
        Some(match texts {
            Some(texts) => Cow::Owned(Tree { at: tree.at, what: What::List(texts.into()) }),
            None => Cow::Borrowed(tree),
        })
    }

    fn choice<'t>(&mut self, tree: &'t Tree, text: &str, all: &[&'static str]) -> Option<Cow<'t, Tree>> {
        if all.contains(&text) {
            return Some(Cow::Borrowed(tree));
        }
        let help = meant(text, all.iter().copied());
        self.add_finding(Rule::WrongType, tree.at, format!("`{text}` is none of {}", all.join(", ")), help);
        None
    }

    pub(super) fn report_wrong_shape(&mut self, tree: &Tree, shape: Shape) {
        let needed = match shape {
            Shape::Bool => "true or false".to_owned(),
            Shape::Count(from) => format!("a whole number from {from} on"),
            Shape::Number(from, _) if from < 0.0 => "a number".to_owned(),
            Shape::Number(from, to) => format!("a number from {from} to {to}"),
            Shape::Text => "a text that is not empty".to_owned(),
            Shape::Texts => "a text, or a list of texts".to_owned(),
            Shape::Value => "a value".to_owned(),
            Shape::Values => "a map".to_owned(),
            Shape::Choice(all) => format!("one of {}", all.join(", ")),
            Shape::ChoiceOrCount(all) => format!("one of {}, or a whole number from 1 on", all.join(", ")),
            Shape::Child => "a behavior: its name, or a map".to_owned(),
            Shape::Children(_) => "a list of behaviors".to_owned(),
            Shape::States => "a map of states".to_owned(),
            Shape::Transitions => "a list of transitions".to_owned(),
            Shape::Condition => "a condition".to_owned(),
            Shape::Conditions => "a list of conditions".to_owned(),
            Shape::Cooldown => "seconds, or a map".to_owned(),
            Shape::AtEnd => "`stop`, `restart`, or `{idle: behavior}`".to_owned(),
            Shape::Behaviors => "a map of behaviors".to_owned(),
        };
        let quotes = matches!(shape, Shape::Text | Shape::Texts)
            && matches!(tree.what, What::Bool(_) | What::Int(_) | What::Float(_) | What::Null);
        let help = quotes.then(|| "put it in quotes if it is meant as a text".to_owned());
        let is = match tree.what {
            What::Int(n) => format!("{n}"),
            What::Float(x) => format!("{x:?}"),
            _ => tree.kind().to_owned(),
        };
        self.add_finding(Rule::WrongType, tree.at, format!("this has to be {needed}, and is {is}"), help);
    }
}

/// The result of rewriting a part.
enum Rewritten<T> {
    Same,
    New(T),
    Gone,
}

impl<T> Rewritten<T> {
    fn of(resolved: Option<Cow<'_, Tree>>, new: impl FnOnce(Tree) -> T) -> Self {
        match resolved {
            Some(Cow::Borrowed(_)) => Self::Same,
            Some(Cow::Owned(tree)) => Self::New(new(tree)),
            None => Self::Gone,
        }
    }
}

/// Returns the rewritten parts. `None` if all are the same, as is mostly the case; nothing is copied then.
fn rewritten<T: Clone>(parts: &[T], mut rewrite: impl FnMut(&T) -> Rewritten<T>) -> Option<Vec<T>> {
    let mut now: Option<Vec<T>> = None;
    for (at, part) in parts.iter().enumerate() {
        match (rewrite(part), &mut now) {
            (Rewritten::Same, None) => {}
            (Rewritten::Same, Some(now)) => now.push(part.clone()),
            (other, now) => {
                let now = now.get_or_insert_with(|| parts[..at].to_vec());
                if let Rewritten::New(part) = other {
                    now.push(part);
                }
            }
        }
    }
    now
}
