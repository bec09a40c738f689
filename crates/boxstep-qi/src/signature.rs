//! Signatures: the types of the protocol and their textual form.

use std::fmt;
use std::sync::Arc;

/// The deepest nesting of types, in one signature or through nested dynamics. Deeper values from a peer are rejected,
/// so that no input can exhaust the stack.
pub const MAX_DEPTH: usize = 64;

/// A type. Two tuples with the same members are equal, whatever their fields are named.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it, and the letters are in `Signature::letter`.
pub enum Signature {
    Void,
    /// `X`; no value of this type can be sent.
    Unknown,
    /// `_`; no value of this type can be sent.
    None,
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    /// A string: bytes that are usually, but not always, UTF-8.
    Str,
    Raw,
    /// A value that carries its own signature.
    Dynamic,
    Object,
    List(Arc<Signature>),
    Map(Arc<(Signature, Signature)>),
    Tuple(Arc<TupleType>),
    Optional(Arc<Signature>),
    VarArgs(Arc<Signature>),
    /// No value of this type can be sent.
    KwArgs(Arc<Signature>),
    /// No value of this type can be sent.
    Pointer(Arc<Signature>),
}

/// The type of a tuple, or of a struct if it has an annotation.
#[derive(Clone, Debug)]
pub struct TupleType {
    /// The types of the members, in order.
    pub members: Vec<Signature>,
    /// The names of the struct and its fields, if the peer sent any.
    pub annotation: Option<Annotation>,
}

impl PartialEq for TupleType {
    fn eq(&self, other: &TupleType) -> bool {
        self.members == other.members
    }
}

impl Eq for TupleType {}

/// The text in `<…>` after a tuple: the name of the struct, then the names of its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation(Arc<str>);

impl Annotation {
    /// Makes an annotation of `Name,field,field`. Returns `None` if the text has unbalanced angle brackets.
    pub fn new(text: &str) -> Option<Annotation> {
        let mut open = 0usize;
        for c in text.chars() {
            match c {
                '<' => open += 1,
                '>' => open = open.checked_sub(1)?,
                _ => {}
            }
        }
        (open == 0).then(|| Annotation(text.into()))
    }

    /// Returns the text as it appears in a signature, without the angle brackets.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns the name of the struct.
    pub fn name(&self) -> &str {
        self.parts().next().unwrap_or_default()
    }

    /// Returns the names of the fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.parts().skip(1)
    }

    /// Splits at commas outside nested brackets (names of C++ templates contain commas in brackets).
    fn parts(&self) -> impl Iterator<Item = &str> {
        let mut open = 0usize;
        self.0.split(move |c| {
            match c {
                '<' => open += 1,
                '>' => open = open.saturating_sub(1),
                _ => {}
            }
            c == ',' && open == 0
        })
    }
}

impl Signature {
    /// Parses one type, which must be the whole text.
    ///
    /// # Errors
    /// The byte offset at which the text is not a valid signature, and the reason.
    pub fn parse(text: &str) -> Result<Signature, SignatureError> {
        let mut parser = Parser { text, at: 0 };
        let found = parser.parse_type(0)?;
        if parser.at < text.len() {
            return Err(parser.error(SignatureFault::Trailing));
        }
        Ok(found)
    }

    /// Returns the type of tuples of these members, `(…)`.
    pub fn tuple(members: Vec<Signature>) -> Signature {
        Signature::Tuple(Arc::new(TupleType { members, annotation: None }))
    }

    /// Returns the type of lists of this element, `[…]`.
    pub fn list(element: Signature) -> Signature {
        Signature::List(Arc::new(element))
    }

    /// Returns the type of maps of these types, `{…}`.
    pub fn map(key: Signature, value: Signature) -> Signature {
        Signature::Map(Arc::new((key, value)))
    }

    /// Returns the types of the members, if this is a tuple.
    pub fn members(&self) -> Option<&[Signature]> {
        match self {
            Signature::Tuple(tuple) => Some(&tuple.members),
            _ => None,
        }
    }

    /// Returns the fewest bytes that a value of this type occupies.
    pub(crate) fn least(&self) -> usize {
        match self {
            Signature::Bool | Signature::I8 | Signature::U8 | Signature::Optional(_) => 1,
            Signature::I16 | Signature::U16 => 2,
            Signature::I32 | Signature::U32 | Signature::F32 => 4,
            Signature::I64 | Signature::U64 | Signature::F64 => 8,
            Signature::Str | Signature::Raw | Signature::Dynamic => 4,
            Signature::List(_) | Signature::VarArgs(_) | Signature::Map(_) => 4,
            Signature::Object => 8,
            Signature::Tuple(tuple) => tuple.members.iter().map(Signature::least).sum(),
            Signature::Void | Signature::Unknown | Signature::None => 0,
            Signature::KwArgs(_) | Signature::Pointer(_) => 0,
        }
    }

    /// Returns the letter of a simple type, or the first letter of a compound one.
    fn letter(&self) -> char {
        match self {
            Signature::Void => 'v',
            Signature::Unknown => 'X',
            Signature::None => '_',
            Signature::Bool => 'b',
            Signature::I8 => 'c',
            Signature::U8 => 'C',
            Signature::I16 => 'w',
            Signature::U16 => 'W',
            Signature::I32 => 'i',
            Signature::U32 => 'I',
            Signature::I64 => 'l',
            Signature::U64 => 'L',
            Signature::F32 => 'f',
            Signature::F64 => 'd',
            Signature::Str => 's',
            Signature::Raw => 'r',
            Signature::Dynamic => 'm',
            Signature::Object => 'o',
            Signature::List(_) => '[',
            Signature::Map(_) => '{',
            Signature::Tuple(_) => '(',
            Signature::Optional(_) => '+',
            Signature::VarArgs(_) => '#',
            Signature::KwArgs(_) => '~',
            Signature::Pointer(_) => '*',
        }
    }

    /// Returns the simple type that this letter stands for.
    pub(crate) fn from_letter(letter: u8) -> Option<Signature> {
        Some(match letter {
            b'v' => Signature::Void,
            b'X' => Signature::Unknown,
            b'_' => Signature::None,
            b'b' => Signature::Bool,
            b'c' => Signature::I8,
            b'C' => Signature::U8,
            b'w' => Signature::I16,
            b'W' => Signature::U16,
            b'i' => Signature::I32,
            b'I' => Signature::U32,
            b'l' => Signature::I64,
            b'L' => Signature::U64,
            b'f' => Signature::F32,
            b'd' => Signature::F64,
            b's' => Signature::Str,
            b'r' => Signature::Raw,
            b'm' => Signature::Dynamic,
            b'o' => Signature::Object,
            _ => return None,
        })
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())?;
        match self {
            Signature::List(element) => write!(f, "{element}]"),
            Signature::Map(entry) => write!(f, "{}{}}}", entry.0, entry.1),
            Signature::Tuple(tuple) => {
                for member in &tuple.members {
                    write!(f, "{member}")?;
                }
                write!(f, ")")?;
                match &tuple.annotation {
                    Some(annotation) => write!(f, "<{}>", annotation.text()),
                    None => Ok(()),
                }
            }
            Signature::Optional(inner) | Signature::VarArgs(inner) => write!(f, "{inner}"),
            Signature::KwArgs(inner) | Signature::Pointer(inner) => write!(f, "{inner}"),
            _ => Ok(()),
        }
    }
}

/// Why a text is not a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureError {
    /// The byte offset in the text.
    pub at: usize,
    /// What is wrong at that offset.
    pub fault: SignatureFault,
}

/// What can be wrong with a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureFault {
    /// The text ends where a type or a bracket is expected.
    Ended,
    /// No type begins with this letter.
    Letter(char),
    /// A different closing bracket is expected.
    Bracket {
        /// The bracket that closes the open one.
        wanted: char,
    },
    /// Text follows a complete type.
    Trailing,
    /// Types are nested deeper than [`MAX_DEPTH`].
    TooDeep,
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at;
        match self.fault {
            SignatureFault::Ended => write!(f, "the signature ends at byte {at} in the middle of a type"),
            SignatureFault::Letter(c) => write!(f, "no type begins with {c:?} (byte {at} of the signature)"),
            SignatureFault::Bracket { wanted } => write!(f, "{wanted:?} is missing at byte {at} of the signature"),
            SignatureFault::Trailing => write!(f, "the signature continues after its type at byte {at}"),
            SignatureFault::TooDeep => write!(f, "types are nested more than {MAX_DEPTH} deep (byte {at})"),
        }
    }
}

impl std::error::Error for SignatureError {}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, fault: SignatureFault) -> SignatureError {
        SignatureError { at: self.at, fault }
    }

    fn close(&mut self, wanted: char) -> Result<(), SignatureError> {
        match self.peek() {
            Some(c) if char::from(c) == wanted => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(self.error(SignatureFault::Bracket { wanted })),
            None => Err(self.error(SignatureFault::Ended)),
        }
    }

    fn parse_type(&mut self, depth: usize) -> Result<Signature, SignatureError> {
        if depth > MAX_DEPTH {
            return Err(self.error(SignatureFault::TooDeep));
        }
        let Some(letter) = self.peek() else { return Err(self.error(SignatureFault::Ended)) };
        if let Some(simple) = Signature::from_letter(letter) {
            self.at += 1;
            return Ok(simple);
        }
        if !b"[{(+#~*".contains(&letter) {
            let c = self.text.get(self.at..).and_then(|rest| rest.chars().next()).unwrap_or('\u{fffd}');
            return Err(self.error(SignatureFault::Letter(c)));
        }
        self.at += 1;
        let deeper = depth + 1;
        Ok(match letter {
            b'[' => {
                let element = self.parse_type(deeper)?;
                self.close(']')?;
                Signature::list(element)
            }
            b'{' => {
                let (key, value) = (self.parse_type(deeper)?, self.parse_type(deeper)?);
                self.close('}')?;
                Signature::map(key, value)
            }
            b'(' => {
                let mut members = Vec::new();
                while self.peek().is_some_and(|c| c != b')') {
                    members.push(self.parse_type(deeper)?);
                }
                self.close(')')?;
                Signature::Tuple(Arc::new(TupleType { members, annotation: self.annotation()? }))
            }
            b'+' => Signature::Optional(Arc::new(self.parse_type(deeper)?)),
            b'#' => Signature::VarArgs(Arc::new(self.parse_type(deeper)?)),
            b'~' => Signature::KwArgs(Arc::new(self.parse_type(deeper)?)),
            _ => Signature::Pointer(Arc::new(self.parse_type(deeper)?)),
        })
    }

    fn annotation(&mut self) -> Result<Option<Annotation>, SignatureError> {
        if self.peek() != Some(b'<') {
            return Ok(None);
        }
        let start = self.at + 1;
        let mut open = 0usize;
        for (i, c) in self.text.bytes().enumerate().skip(self.at) {
            match c {
                b'<' => open += 1,
                b'>' => open -= 1,
                _ => {}
            }
            if open == 0 {
                self.at = i + 1;
                return Ok(self.text.get(start..i).map(|text| Annotation(text.into())));
            }
        }
        self.at = self.text.len();
        Err(self.error(SignatureFault::Ended))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_printed_as_it_was_read() {
        for text in [
            "b",
            "c",
            "C",
            "w",
            "W",
            "i",
            "I",
            "l",
            "L",
            "f",
            "d",
            "s",
            "r",
            "m",
            "o",
            "v",
            "X",
            "_",
            "[m]",
            "{sm}",
            "()",
            "(is)",
            "+s",
            "#m",
            "~m",
            "*i",
            "[{s(ff)}]",
            "(sI)<Info,name,id>",
            "[(ss)<P,a,b>]",
            "(i)<std::pair<a,b>,x>",
        ] {
            assert_eq!(Signature::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn faults_have_their_offset() {
        let fault = |text: &str| {
            let e = Signature::parse(text).unwrap_err();
            (e.at, e.fault)
        };
        assert_eq!(fault(""), (0, SignatureFault::Ended));
        assert_eq!(fault("(i"), (2, SignatureFault::Ended));
        assert_eq!(fault("[iq"), (2, SignatureFault::Bracket { wanted: ']' }));
        assert_eq!(fault("(iq)"), (2, SignatureFault::Letter('q')));
        assert_eq!(fault("(é)"), (1, SignatureFault::Letter('é')));
        assert_eq!(fault("ii"), (1, SignatureFault::Trailing));
        assert_eq!(fault("(i)<A,b"), (7, SignatureFault::Ended));
    }

    #[test]
    fn nesting_is_limited() {
        assert!(Signature::parse(&format!("{}i{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH))).is_ok());
        let deep = format!("{}i", "[".repeat(1_000_000));
        assert_eq!(Signature::parse(&deep).unwrap_err().fault, SignatureFault::TooDeep);
    }

    #[test]
    fn names_do_not_count_when_types_are_compared() {
        assert_eq!(Signature::parse("(i)<A,x>").unwrap(), Signature::parse("(i)").unwrap());
        let Signature::Tuple(pair) = Signature::parse("(i)<std::pair<a,b>,x>").unwrap() else { panic!() };
        let names = pair.annotation.as_ref().unwrap();
        assert_eq!((names.name(), names.fields().collect::<Vec<_>>()), ("std::pair<a,b>", vec!["x"]));
    }
}
