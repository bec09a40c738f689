//! Where two traces part.

use serde_json::Value as Json;
use std::fmt;

/// How many lines before the difference are shown.
const CONTEXT: usize = 3;

/// The first difference between two traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Line, from 1.
    pub line: usize,
    /// The lines before it, which both traces share.
    pub before: Vec<String>,
    /// The line of the left trace; `None` after its end.
    pub left: Option<String>,
    /// The line of the right trace; `None` after its end.
    pub right: Option<String>,
    /// Names of the fields that differ, where both lines are JSON objects.
    pub fields: Vec<String>,
}

/// Compares two traces line by line, exactly.
pub fn diff(left: &str, right: &str) -> Option<Difference> {
    let (mut a, mut b) = (left.lines(), right.lines());
    let mut before: Vec<String> = Vec::new();
    for line in 1.. {
        let (l, r) = (a.next(), b.next());
        if l.is_none() && r.is_none() {
            break;
        }
        if l != r {
            let fields = match (l, r) {
                (Some(l), Some(r)) => differing_fields(l, r),
                _ => Vec::new(),
            };
            return Some(Difference { line, before, left: l.map(str::to_owned), right: r.map(str::to_owned), fields });
        }
        if before.len() == CONTEXT {
            before.remove(0);
        }
        before.extend(l.map(str::to_owned));
    }
    None
}

fn differing_fields(left: &str, right: &str) -> Vec<String> {
    let (Ok(Json::Object(l)), Ok(Json::Object(r))) = (serde_json::from_str(left), serde_json::from_str(right)) else {
        return Vec::new();
    };
    let mut names: Vec<String> = l.keys().chain(r.keys()).filter(|k| l.get(*k) != r.get(*k)).cloned().collect();
    names.sort();
    names.dedup();
    names
}

/// Several lines: context with two spaces before, then `-` left and `+` right.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the traces part at line {}", self.line)?;
        if !self.fields.is_empty() {
            write!(f, " in {}", self.fields.join(", "))?;
        }
        for line in &self.before {
            write!(f, "\n  {line}")?;
        }
        let end = "(end of the trace)";
        write!(f, "\n- {}\n+ {}", self.left.as_deref().unwrap_or(end), self.right.as_deref().unwrap_or(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_traces_do_not_differ() {
        assert_eq!(diff("{\"n\":1}\n{\"n\":2}\n", "{\"n\":1}\n{\"n\":2}\n"), None);
    }

    #[test]
    fn shows_the_first_difference_with_what_came_before() {
        let left = "1\n2\n3\n4\n{\"n\":5,\"t\":1,\"x\":0}\n6";
        let right = "1\n2\n3\n4\n{\"n\":5,\"t\":2}\n7";
        let d = diff(left, right).unwrap();
        assert_eq!((d.line, d.before.join(" "), d.fields.join(" ")), (5, "2 3 4".into(), "t x".into()));
        assert!(d.to_string().starts_with("the traces part at line 5 in t, x\n  2\n"), "{d}");
    }

    #[test]
    fn a_trace_that_stops_early_differs() {
        let d = diff("1\n2", "1").unwrap();
        assert_eq!((d.line, d.right), (2, None));
    }
}
