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

    /// Returns the arguments and the answer in words of Python: `(str, [float]) → bool`.
    pub fn in_python(&self) -> String {
        let all = self.arguments();
        let any = if self.open || self.parameters == "m" { Some("…".to_owned()) } else { None };
        let all: Vec<String> = all.into_iter().map(word).chain(any).collect();
        let answer = if self.returns == "v" { String::new() } else { format!(" → {}", word(self.returns)) };
        format!("({}){answer}", all.join(", "))
    }

    /// Returns the types of the arguments, one by one.
    pub fn arguments(&self) -> Vec<&str> {
        Self::arguments_of(&self.parameters)
    }

    /// Returns the types of the members of a tuple, one by one.
    pub fn arguments_of(tuple: &str) -> Vec<&str> {
        if tuple.starts_with('(') && tuple.ends_with(')') { members_of(tuple) } else { Vec::new() }
    }
}

/// Returns a type in words of Python.
fn word(of: &str) -> String {
    let words = |all: Vec<&str>, between: &str| all.into_iter().map(word).collect::<Vec<_>>().join(between);
    match of.as_bytes().first() {
        Some(b's') => "str".to_owned(),
        Some(b'b') => "bool".to_owned(),
        Some(b'i' | b'I' | b'l' | b'L') => "int".to_owned(),
        Some(b'f' | b'd') => "float".to_owned(),
        Some(b'o') => "object".to_owned(),
        Some(b'v') => "None".to_owned(),
        Some(b'[') => format!("[{}]", words(members_of(of), ", ")),
        Some(b'{') => format!("{{{}}}", words(members_of(of), ": ")),
        Some(b'(') => format!("({})", words(members_of(of), ", ")),
        _ => "any".to_owned(),
    }
}

/// Returns the types inside a list, a map or a tuple.
fn members_of(of: &str) -> Vec<&str> {
    let mut rest = of.get(1..of.len().saturating_sub(1)).unwrap_or_default();
    let mut all = Vec::new();
    while !rest.is_empty() {
        let (one, more) = rest.split_at(end_of_type(rest));
        all.push(one);
        rest = more;
    }
    all
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
    fn signatures_are_said_in_words_of_python() {
        let said = |text| Overload::read(text).in_python();
        assert_eq!(said("()v"), "()");
        assert_eq!(said("(sf)b"), "(str, float) → bool");
        assert_eq!(said("(s[f]{sm}b)[(sf)]"), "(str, [float], {str: any}, bool) → [(str, float)]");
        assert_eq!((said("(#)m"), said("(m#)o")), ("(…) → any".to_owned(), "(any, …) → object".to_owned()));
    }

    #[test]
    fn any_number_of_arguments_is_said_as_the_protocol_can() {
        let any = Overload::read("(#)m");
        assert_eq!((any.parameters.as_str(), any.count, any.open), ("m", 0, true));
        let some = Overload::read("(m#)m");
        assert_eq!((some.parameters.as_str(), some.count, some.open), ("(m)", 1, true));
    }
}
