//! Reads conditions.

use super::fields::Fields;
use super::{PathStep, Reader};
use crate::finding::Rule;
use crate::model::{Compare, Condition, Range};
use crate::schema_table::CONDITIONS;
use crate::tree::{Tree, What};
use boxstep_types::Time;

impl Reader {
    /// Reads the condition of a key.
    pub(super) fn condition_of(&mut self, fields: &Fields, key: &'static str) -> Option<Condition> {
        self.condition(fields.get(key)?, PathStep::Word(key))
    }

    fn condition(&mut self, tree: &Tree, key: PathStep) -> Option<Condition> {
        let tree = self.resolve(tree)?;
        if let What::Bool(always) = tree.what {
            return Some(Condition::Always(always));
        }
        let form = self.form(&tree, CONDITIONS, "condition")?;
        self.under(key, tree.at, |r| {
            let fields = r.fields(&tree, &[form.fields]);
            r.condition_by(form.key(), &fields, &tree)
        })
    }

    fn condition_by(&mut self, key: &'static str, fields: &Fields, tree: &Tree) -> Option<Condition> {
        let seconds = |key| fields.number(key).map(Time::from_secs_f64);
        Some(match key {
            "all" => Condition::All(self.conditions(fields, key)?),
            "any" => Condition::Any(self.conditions(fields, key)?),
            "not" => Condition::Not(Box::new(self.condition_of(fields, key)?)),
            "elapsed" => Condition::Elapsed(self.range(seconds(key)?, seconds("to"), tree)?),
            "timer" => {
                let range = self.range(seconds("from").unwrap_or(Time::ZERO), seconds("to"), tree)?;
                Condition::Timer(fields.text(key)?, range, fields.bool("unset").unwrap_or(false))
            }
            "became" => Condition::Became(Box::new(self.condition_of(fields, key)?)),
            "dedup" => Condition::Dedup(Box::new(self.condition_of(fields, key)?), seconds("seconds")?),
            "memory" => Condition::Memory(fields.text(key)?, compares(fields)),
            "event" => Condition::Event(fields.text(key)?, compares(fields)),
            "heard" => Condition::Heard(self.pattern(fields, key)?),
            "free" => Condition::Free(fields.text(key)?),
            "chance" => Condition::Chance(fields.number(key)?, seconds("every").unwrap_or(Time::ZERO)),
            "custom" => Condition::Custom(fields.text(key)?, fields.value("args").unwrap_or_default()),
            _ => return None,
        })
    }

    fn conditions(&mut self, fields: &Fields, key: &'static str) -> Option<Vec<Condition>> {
        let What::List(items) = &fields.get(key)?.what else { return None };
        let read = items.iter().enumerate().map(|(at, item)| self.condition(item, PathStep::Part(key, at + 1)));
        // All conditions are read, including those after one with a mistake.
        read.collect::<Vec<_>>().into_iter().collect()
    }

    fn range(&mut self, from: Time, to: Option<Time>, tree: &Tree) -> Option<Range> {
        let to = to.unwrap_or(Time::MAX);
        if to <= from {
            let message = "this is never true: `to` is not later than the beginning";
            self.add_finding(Rule::WrongType, tree.at, message, None);
            return None;
        }
        Some(Range { from, to })
    }
}

fn compares(fields: &Fields) -> Vec<Compare> {
    let number = |key, compare: fn(f64) -> Compare| fields.number(key).map(compare);
    let all = [
        fields.value("equals").map(Compare::Equals),
        fields.value("not_equals").map(Compare::NotEquals),
        number("less", Compare::Less),
        number("more", Compare::More),
        number("at_least", Compare::AtLeast),
        number("at_most", Compare::AtMost),
        fields.bool("exists").map(Compare::Exists),
    ];
    all.into_iter().flatten().collect()
}
