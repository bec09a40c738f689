//! Imports nodes with one child, and the conditions of a node.

use super::nodes::{Context, Importer, kind};
use super::ports::{self, clipped, entry};
use super::xml::Element;
use super::yaml::{Yaml, done, failed, plain, with};
use crate::finding::Rule;

/// The largest number of copies of a loop's child.
const MAX_ITEMS: usize = 100;

impl Importer<'_, '_> {
    /// Returns the import of a decorator; `None` if its name is unknown.
    pub(super) fn decorated(&mut self, element: &Element, context: Context<'_>) -> Option<Yaml> {
        Some(match kind(element) {
            // A node that is skipped must stay skipped behind an inverter.
            "Inverter" => self.outcome(element, Context { tries: !context.tries, ..context }, "opposite"),
            "ForceSuccess" => self.outcome(element, context, "done"),
            "ForceFailure" => self.outcome(element, context, "failed"),
            "Repeat" => self.repeated(element, context, "repeat", "num_cycles"),
            "RetryUntilSuccessful" | "RetryUntilSuccesful" => self.repeated(element, context, "retry", "num_attempts"),
            "KeepRunningUntilFailure" => Yaml::map([("repeat", self.only_child(element, context))]),
            "Timeout" => self.timeout(element, context),
            "Delay" => {
                let wait = Yaml::map([("wait", self.seconds(element, "delay_msec"))]);
                Yaml::map([("sequence", Yaml::List(vec![wait, self.only_child(element, context)]))])
            }
            "RunOnce" => {
                let skips = element.get("then_skip").is_none_or(ports::is_true);
                let again = match (skips, context.tries) {
                    (false, _) => "same",
                    (true, false) => "done",
                    (true, true) => "failed",
                };
                Yaml::map([("once", self.only_child(element, context)), ("again", Yaml::text(again))])
            }
            "Precondition" => {
                let says = element.get("if").unwrap_or("true");
                self.precondition(element, context, clipped(says.trim()), element.get("else"))
            }
            "BlackboardCheckInt" | "BlackboardCheckDouble" | "BlackboardCheckString" | "BlackboardCheckBool" => {
                let value = |port| element.get(port).unwrap_or_default();
                let name = ports::compared(value("value_A"), value("value_B"));
                self.precondition(element, context, name, element.get("return_on_mismatch"))
            }
            "LoopInt" | "LoopBool" | "LoopDouble" | "LoopString" => self.unrolled_loop(element, context),
            _ => return None,
        })
    }

    /// Imports the child of a decorator.
    fn only_child(&mut self, element: &Element, context: Context<'_>) -> Yaml {
        match element.children.as_slice() {
            [child] => self.node(child, context),
            other => {
                let why = format!("<{}> has {} children, not one", kind(element), other.len());
                self.add_finding(Rule::NotTree, element.at, why);
                done()
            }
        }
    }

    fn outcome(&mut self, element: &Element, context: Context<'_>, counts: &str) -> Yaml {
        Yaml::map([("outcome", self.only_child(element, context)), ("as", Yaml::text(counts))])
    }

    /// Returns the whole number in a port; `None` if there is none, or it is only known at run time.
    pub(super) fn whole_number(&mut self, element: &Element, port: &str) -> Option<i64> {
        let text = element.get(port)?.trim();
        let number = text.parse().ok();
        if number.is_none() {
            let what = format!("`{port}=\"{}\"`: a number is needed that is known before it runs", clipped(text));
            self.not_carried(element.at, what);
        }
        number
    }

    /// Like [`Self::whole_number`], for a required port.
    fn required_number(&mut self, element: &Element, port: &str) -> Option<i64> {
        if element.get(port).is_none() {
            self.not_carried(element.at, format!("<{}> says no `{port}`", kind(element)));
        }
        self.whole_number(element, port)
    }

    pub(super) fn seconds(&mut self, element: &Element, port: &str) -> Yaml {
        in_seconds(self.required_number(element, port).unwrap_or(0))
    }

    fn repeated(&mut self, element: &Element, context: Context<'_>, key: &str, port: &str) -> Yaml {
        let times = self.required_number(element, port);
        // A child that never starts neither fails nor succeeds. -1 means without end.
        if times.is_some_and(|times| times == 0 || times < -1) {
            return if key == "repeat" { done() } else { failed() };
        }
        let again = Yaml::map([(key, self.only_child(element, context))]);
        match times.filter(|times| *times > 0) {
            Some(times) => with(again, "times", Yaml::plain(times)),
            None => again,
        }
    }

    /// A limit of 0 is no limit.
    fn timeout(&mut self, element: &Element, context: Context<'_>) -> Yaml {
        let child = self.only_child(element, context);
        match self.required_number(element, "msec") {
            Some(limit) if limit > 0 => {
                let until = Yaml::map([("elapsed", in_seconds(limit))]);
                Yaml::map([("pass", child), ("until", until), ("fails", Yaml::plain(true))])
            }
            _ => plain(child),
        }
    }

    /// Imports a child that starts only if a condition is true.
    fn precondition(&mut self, element: &Element, context: Context<'_>, says: String, otherwise: Option<&str>) -> Yaml {
        let child = self.only_child(element, context);
        let otherwise = match otherwise.unwrap_or("FAILURE").trim() {
            "SUCCESS" => done(),
            "SKIPPED" => passed_over(context),
            "FAILURE" => failed(),
            other => {
                self.not_carried(element.at, format!("`else=\"{}\"`: it fails", clipped(other)));
                failed()
            }
        };
        Yaml::map([("if", self.condition_parameter(element, says, true)), ("then", child), ("else", otherwise)])
    }

    /// Imports a loop over values that are in the file: its child once for each value.
    fn unrolled_loop(&mut self, element: &Element, context: Context<'_>) -> Yaml {
        let queue = element.get("queue").unwrap_or_default();
        let child = match element.children.as_slice() {
            [child] if entry("queue", queue).is_none() => child,
            _ => {
                let what =
                    format!("<{}> of values that are not known before it runs: its child runs once", kind(element));
                self.not_carried(element.at, what);
                return plain(self.only_child(element, context));
            }
        };
        let items: Vec<&str> = queue.split(';').filter(|item| !item.trim().is_empty()).collect();
        if items.is_empty() {
            let if_empty = element.get("if_empty").unwrap_or("SUCCESS").trim();
            return match if_empty {
                "FAILURE" => failed(),
                "SKIPPED" => passed_over(context),
                _ => done(),
            };
        }
        if items.len() > MAX_ITEMS {
            self.not_carried(element.at, format!("a loop of {} rounds: it ends after {MAX_ITEMS}", items.len()));
        }
        let value = element.get("value").unwrap_or_default();
        let name = entry("value", value).unwrap_or(value).to_owned();
        let round = |item: &&str| {
            let item = if kind(element) == "LoopString" { *item } else { item.trim() };
            let items = [context.items, &[(name.clone(), item.to_owned())]].concat();
            self.node(child, Context { items: &items, tries: false, ..context })
        };
        Yaml::map([("sequence", Yaml::List(items.iter().take(MAX_ITEMS).map(round).collect()))])
    }

    /// Adds the conditions of a node. Scripts after the node are not imported.
    pub(super) fn guarded(&mut self, element: &Element, context: Context<'_>, made: Yaml) -> Yaml {
        for (key, value) in ports::around(element) {
            if !GUARDS.contains(&key) {
                let what = format!("`{}=\"{}\"`: scripts after a node", clipped(key), clipped(value));
                self.not_carried(element.at, what);
            }
        }
        // The first guard is evaluated first, so it is the outermost.
        GUARDS.iter().rev().fold(made, |made, guard| {
            let Some(says) = element.get(guard) else { return made };
            let goes_on = *guard == "_while";
            let asked = self.condition_parameter(element, clipped(says.trim()), goes_on);
            let made = plain(made);
            match *guard {
                "_failureIf" => Yaml::map([("if", asked), ("then", failed()), ("else", made)]),
                "_successIf" => Yaml::map([("if", asked), ("then", done()), ("else", made)]),
                "_skipIf" => Yaml::map([("if", asked), ("then", passed_over(context)), ("else", made)]),
                _ => {
                    let all = Yaml::map([("if", asked), ("then", made), ("else", passed_over(context))]);
                    with(all, "watch", Yaml::plain(true))
                }
            }
        })
    }
}

/// The conditions before a node, in the order in which they are evaluated.
const GUARDS: [&str; 4] = ["_failureIf", "_successIf", "_skipIf", "_while"];

/// A skipped node counts as done in a sequence, and as failed in a fallback.
fn passed_over(context: Context<'_>) -> Yaml {
    if context.tries { failed() } else { done() }
}

fn in_seconds(milliseconds: i64) -> Yaml {
    Yaml::plain(milliseconds.clamp(0, 1_000_000_000_000) as f64 / 1000.0)
}
