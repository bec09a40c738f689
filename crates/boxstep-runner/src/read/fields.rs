//! Maps by their tables: keys that are unknown, missing or twice; values of the wrong type; parameters in their places.

use super::Reader;
use crate::finding::Rule;
use crate::forms::{Field, Form, Shape};
use crate::model::Named;
use crate::tree::{Place, Tree, What};
use boxstep_types::{Value, meant};
use std::collections::HashSet;
use std::sync::Arc;

/// What a map says, as far as it is right.
#[derive(Default)]
pub(super) struct Fields(Vec<(&'static str, Arc<Tree>)>);

impl Fields {
    pub(super) fn get(&self, key: &str) -> Option<&Arc<Tree>> {
        self.0.iter().find(|(k, _)| *k == key).map(|(_, tree)| tree)
    }

    pub(super) fn text(&self, key: &str) -> Option<Arc<str>> {
        self.get(key)?.text().map(unescaped)
    }

    pub(super) fn named(&self, key: &str) -> Option<Named> {
        Some(Named { name: self.text(key)?, at: self.get(key)?.at })
    }

    pub(super) fn texts(&self, key: &str) -> Vec<Named> {
        let Some(tree) = self.get(key) else { return Vec::new() };
        let named = |tree: &Arc<Tree>| Some(Named { name: unescaped(tree.text()?), at: tree.at });
        match &tree.what {
            What::List(items) => items.iter().filter_map(named).collect(),
            _ => named(tree).into_iter().collect(),
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

    pub(super) fn values(&self, key: &str) -> Vec<(Arc<str>, Arc<Tree>)> {
        match self.get(key).map(|tree| &tree.what) {
            Some(What::Map(pairs)) => pairs.iter().map(|(key, value)| (key.text.clone(), value.clone())).collect(),
            _ => Vec::new(),
        }
    }
}

/// `$$` at the beginning stands for `$`.
fn unescaped(text: &Arc<str>) -> Arc<str> {
    match text.strip_prefix("$$") {
        Some(rest) => format!("${rest}").into(),
        None => text.clone(),
    }
}

impl Reader {
    /// What stands for a part: the value of a parameter if it is `$name`.
    pub(super) fn resolve(&mut self, tree: &Arc<Tree>) -> Option<Arc<Tree>> {
        if !self.works(tree.at) {
            return None;
        }
        let name = match tree.text().and_then(|text| text.strip_prefix('$')) {
            Some(name) if !name.starts_with('$') => name,
            _ => return Some(tree.clone()),
        };
        let found = self.pattern.get(name).or_else(|| self.file.get(name));
        if let Some(found) = found {
            // Errors show where the parameter stands: it may be right elsewhere.
            return Some(Arc::new(Tree { at: tree.at, what: found.what.clone() }));
        }
        let help = meant(name, self.pattern.keys().chain(self.file.keys()).map(|name| &**name));
        let help = help.or_else(|| Some("a text that begins with `$` is written with `$$`".into()));
        self.tell(Rule::UnknownName, tree.at, format!("there is no parameter `{name}`"), help);
        None
    }

    /// The same for all parts of it.
    pub(super) fn resolve_all(&mut self, tree: &Arc<Tree>) -> Option<Arc<Tree>> {
        if let Some(text) = tree.text().filter(|text| text.starts_with("$$")) {
            return Some(Arc::new(Tree { at: tree.at, what: What::Text(unescaped(text)) }));
        }
        let tree = self.resolve(tree)?;
        let what = match &tree.what {
            What::List(items) => What::List(items.iter().filter_map(|item| self.resolve_all(item)).collect()),
            What::Map(pairs) => What::Map(
                pairs.iter().filter_map(|(key, value)| Some((key.clone(), self.resolve_all(value)?))).collect(),
            ),
            _ => return Some(tree),
        };
        Some(Arc::new(Tree { at: tree.at, what }))
    }

    /// The form that a map is of; and what is wrong if it is of none, or of two.
    pub(super) fn form(&mut self, tree: &Tree, forms: &'static [Form], what: &str) -> Option<&'static Form> {
        let What::Map(pairs) = &tree.what else {
            self.tell(Rule::WrongType, tree.at, format!("{what} is a map, and this is {}", tree.kind()), None);
            return None;
        };
        let known = forms.iter().filter(|form| pairs.iter().any(|(key, _)| &*key.text == form.key()));
        match known.collect::<Vec<_>>().as_slice() {
            [one] => Some(one),
            [] => {
                let all = || forms.iter().map(Form::key);
                // The first key that is nearly one.
                let near = pairs.iter().find_map(|(key, _)| Some((key, meant(&key.text, all())?)));
                let (message, help, at) = match near {
                    Some((key, help)) => (format!("there is no kind of {what} `{}`", key.text), help, key.at),
                    None => {
                        let keys: Vec<&str> = all().collect();
                        (format!("this says no {what}"), format!("one of the keys {}", keys.join(", ")), tree.at)
                    }
                };
                self.tell(Rule::Missing, at, message, Some(help));
                None
            }
            [one, other, ..] => {
                let message = format!("`{}` and `{}` are two things: {what} is one", one.key(), other.key());
                self.tell(Rule::WrongType, tree.at, message, None);
                None
            }
        }
    }

    /// Reads a map by tables of its keys.
    pub(super) fn fields(&mut self, tree: &Tree, tables: &[&'static [Field]]) -> Fields {
        let mut read = Fields::default();
        let What::Map(pairs) = &tree.what else {
            self.tell(Rule::WrongType, tree.at, format!("this is a map, and here is {}", tree.kind()), None);
            return read;
        };
        let known = || tables.iter().copied().flatten();
        // Of a table's few keys, however many there are in the file.
        let mut seen: Vec<&str> = Vec::new();
        for (key, value) in pairs {
            let Some(field) = known().find(|field| field.key == &*key.text) else {
                let help = meant(&key.text, known().map(|field| field.key));
                let help = help.or_else(|| {
                    let keys: Vec<&str> = known().map(|field| field.key).collect();
                    Some(format!("there are {}", keys.join(", ")))
                });
                self.tell(Rule::UnknownKey, key.at, format!("there is no key `{}` here", key.text), help);
                continue;
            };
            if seen.contains(&field.key) {
                self.twice(&key.text, key.at);
                continue;
            }
            seen.push(field.key);
            let right = self.under(field.key, value.at, |r| {
                let value = r.resolve(value)?;
                r.shaped(&value, field.shape)
            });
            read.0.extend(right.map(|value| (field.key, value)));
        }
        for field in known().filter(|field| field.needed && !seen.contains(&field.key)) {
            self.tell(Rule::Missing, tree.at, format!("the key `{}` is missing", field.key), None);
        }
        read
    }

    pub(super) fn twice(&mut self, key: &str, at: Place) {
        self.tell(Rule::Duplicate, at, format!("`{key}` stands here twice"), None);
    }

    /// A value, if it is of its shape; what has an inside of its own is looked at where that is read.
    fn shaped(&mut self, tree: &Arc<Tree>, shape: Shape) -> Option<Arc<Tree>> {
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
                    self.twice(&key.text, key.at);
                }
                return self.resolve_all(tree);
            }
            (Shape::Behaviors | Shape::States, What::Map(pairs)) => {
                let mut seen = HashSet::new();
                for (key, _) in pairs.iter().filter(|(key, _)| !seen.insert(&key.text)) {
                    self.twice(&key.text, key.at);
                }
                let some = !pairs.is_empty();
                if !some {
                    self.tell(Rule::Missing, tree.at, "there has to be at least one", None);
                }
                return some.then(|| tree.clone());
            }
            (Shape::Children(_), What::List(items)) => {
                if items.is_empty() {
                    self.tell(Rule::Missing, tree.at, "there has to be at least one child", None);
                }
                !items.is_empty()
            }
            (Shape::Transitions | Shape::Conditions, What::List(_)) => true,
            (Shape::Child | Shape::Condition | Shape::Cooldown | Shape::AtEnd, _) => true,
            _ => false,
        };
        if good {
            return Some(tree.clone());
        }
        // An empty list of children is told already.
        if !matches!((shape, &tree.what), (Shape::Children(_), What::List(_))) {
            self.wrong(tree, shape);
        }
        None
    }

    fn all_texts(&mut self, tree: &Arc<Tree>) -> Option<Arc<Tree>> {
        let What::List(items) = &tree.what else { return None };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            let item = self.resolve(item)?;
            texts.push(self.shaped(&item, Shape::Text)?);
        }
        if texts.is_empty() {
            self.tell(Rule::Missing, tree.at, "there has to be at least one", None);
            return None;
        }
        Some(Arc::new(Tree { at: tree.at, what: What::List(texts) }))
    }

    fn choice(&mut self, tree: &Arc<Tree>, text: &str, all: &[&'static str]) -> Option<Arc<Tree>> {
        if all.contains(&text) {
            return Some(tree.clone());
        }
        let help = meant(text, all.iter().copied());
        self.tell(Rule::WrongType, tree.at, format!("`{text}` is none of {}", all.join(", ")), help);
        None
    }

    pub(super) fn wrong(&mut self, tree: &Tree, shape: Shape) {
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
        self.tell(Rule::WrongType, tree.at, format!("this has to be {needed}, and is {is}"), help);
    }
}
