//! The state of all behaviors of a character, for the page.

use super::{Account, Behavior, Phase};
use boxstep_types::Time;
use serde_json::{Value, json};

impl Account {
    /// Returns all behaviors as a JSON list, in the order of the character: `name`, `path`, its kind (`is`), its
    /// `children`, `phase` (`out`, `entering`, `in`, `leaving`), since when it is `active`, `waits` or `winds_down`
    /// (nanoseconds, or null), `by` whom it is controlled, how often it ran (`runs`), `ended`: when, how, why, and
    /// the cooldowns that were not over at the last event (`cools`): for which parent, until when, of how many seconds.
    pub fn behaviors(&self) -> Value {
        let one = |name: &String| {
            let own = self.behaviors.get(name)?;
            let Behavior { path, is, children, claims, phase, .. } = own;
            let phase = match phase {
                Phase::Out => "out",
                Phase::Entering => "entering",
                Phase::In => "in",
                Phase::Leaving => "leaving",
            };
            let cools = self.cooling(own).into_iter();
            let cools = cools.map(|c| json!({ "parent": c.parent, "until": c.until.0, "seconds": c.seconds }));
            let since = |at: Option<Time>| at.map(|at| at.0);
            let ended = own.ended.as_ref().map(|(at, how, why)| json!({ "t": at.0, "how": how, "why": why }));
            Some(json!({
                "name": name, "path": path, "is": is, "children": children, "claims": claims, "phase": phase,
                "active": since(own.active.map(|(at, _)| at)), "waits": since(own.waits.map(|(at, _)| at)),
                "winds_down": since(own.winds_down), "by": own.by, "runs": own.runs, "ended": ended,
                "wants": own.wants.as_ref().map(|wants| wants.yes), "cools": cools.collect::<Vec<_>>(),
            }))
        };
        self.names.iter().filter_map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::why::{NoAnswer, why};
    use boxstep_trace::{Line, Reader, Recording};

    #[test]
    fn what_was_told_so_far_answers_as_the_whole_trace_up_to_there() {
        let lines = [
            r#"{"n":1,"t":0,"kind":"delegation","path":"main","what":"activated","ticket":1}"#,
            r#"{"n":2,"t":0,"kind":"delegation","path":"main/idle","what":"entered"}"#,
            r#"{"n":3,"t":5,"kind":"event","key":"Battery","value":35}"#,
            r#"{"n":4,"t":5,"kind":"delegation","path":"main/idle","what":"wants","how":"no","value":{"what":"memory Battery less 20","found":"is 35","holds":false}}"#,
            r#"{"n":5,"t":9,"kind":"delegation","path":"main","what":"delegated","to":["idle"],"ticket":2}"#,
            r#"{"n":6,"t":9,"kind":"delegation","path":"main/idle","what":"activated","ticket":2}"#,
        ];
        let mut text = String::from("{\"schema\":1}\n");
        let (mut account, mut reader) = (Account::default(), Reader::default());
        reader.line(text.trim()).unwrap();
        assert!(account.is_empty());
        for (n, line) in lines.iter().enumerate() {
            let Line::Event(event) = reader.line(line).unwrap() else { panic!("{line}") };
            account.hear(&event, &reader.paths);
            text += &format!("{line}\n");
            if n > 0 {
                let recording = Recording::read(text.as_bytes()).unwrap();
                let wanted = why("idle", &recording, Some(Time(9))).unwrap();
                assert_eq!(account.why("idle", Time(9)).unwrap(), wanted, "{n}");
            }
        }
        assert!(matches!(account.why("idel", Time(9)), Err(NoAnswer::NoBehavior(..))));
        let all = account.behaviors();
        assert_eq!((&all[0]["name"], &all[0]["active"]), (&json!("main"), &json!(0)));
        assert_eq!((&all[1]["by"], &all[1]["active"], &all[1]["phase"]), (&json!("main"), &json!(9), &json!("in")));
        assert_eq!(all[1]["wants"], json!(false));
    }
}
