//! Parsing of a row's signatures.

/// One of a method's signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overload {
    /// All arguments, as in the qi protocol: a tuple such as `(sf)`, or `m` for any number of them.
    pub parameters: String,
    /// The return type; `v` is nothing.
    pub returns: &'static str,
    /// The number of arguments.
    pub(crate) count: usize,
    /// Whether it takes further arguments.
    pub(crate) open: bool,
}

impl Overload {
    pub(crate) fn read(text: &'static str) -> Self {
        let (tuple, returns) = text.split_at(end_of_type(text));
        let open = tuple.ends_with("#)");
        let parameters = match tuple {
            "(#)" => "m".to_owned(),
            tuple => tuple.replace('#', ""),
        };
        Self { parameters, returns, count: members(tuple) - usize::from(open), open }
    }

    /// Returns the types of the arguments, one by one.
    pub fn arguments(&self) -> Vec<&str> {
        Self::arguments_of(&self.parameters)
    }

    /// Returns the types of the members of a tuple, one by one.
    pub fn arguments_of(tuple: &str) -> Vec<&str> {
        let inner = tuple.strip_prefix('(').and_then(|p| p.strip_suffix(')')).unwrap_or_default();
        let mut all = Vec::new();
        let mut rest = inner;
        while !rest.is_empty() {
            let (one, more) = rest.split_at(end_of_type(rest));
            all.push(one);
            rest = more;
        }
        all
    }
}

/// Returns the number of members of a tuple.
fn members(tuple: &str) -> usize {
    let (mut depth, mut count) = (0usize, 0usize);
    for c in tuple.chars() {
        match c {
            ')' | ']' | '}' => depth -= 1,
            _ if depth == 1 => count += 1,
            _ => {}
        }
        depth += usize::from(matches!(c, '(' | '[' | '{'));
    }
    count
}

/// Returns the end of the type at the beginning of a text.
fn end_of_type(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + c.len_utf8();
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuple_among_the_arguments_is_one_of_them() {
        let log = Overload::read("((si(ll)sss))v");
        assert_eq!((log.count, log.returns, log.arguments()), (1, "v", vec!["(si(ll)sss)"]));
        let weights = Overload::read("(s[f]{sm}b)[(sf)]");
        assert_eq!((weights.count, weights.returns), (4, "[(sf)]"));
        assert_eq!(weights.arguments(), ["s", "[f]", "{sm}", "b"]);
    }

    #[test]
    fn any_number_of_arguments_is_said_as_the_protocol_can() {
        let any = Overload::read("(#)m");
        assert_eq!((any.parameters.as_str(), any.count, any.open), ("m", 0, true));
        let some = Overload::read("(m#)m");
        assert_eq!((some.parameters.as_str(), some.count, some.open), ("(m)", 1, true));
    }
}
