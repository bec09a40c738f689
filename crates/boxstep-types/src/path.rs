//! Box paths: how users and messages name a box.
//!
//! `root/Dance/Say` — names joined by `/`. In a name, `/` is written `\/` and `\` is written `\\`.
//! `#id` follows a name only where siblings share it: `root/Say#3`. Below a timeline with more than one behavior
//! keyframe, a segment `@Layer:Keyframe` selects one: `root/Dance/@steps:left/Say`. Characters of a name that would be
//! read as one of these marks are escaped too (`\@`, `\#`, `\:`).

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// One segment of a [`BoxPath`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// A box, by name, and by id if a sibling has the same name.
    Box {
        /// The box's name as the file has it.
        name: Arc<str>,
        /// The box's id, if the name alone is ambiguous.
        id: Option<i32>,
    },
    /// A behavior keyframe of the timeline of the box before it.
    Keyframe {
        /// The layer's name.
        layer: Arc<str>,
        /// The keyframe's name.
        keyframe: Arc<str>,
    },
}

/// The path from the root box to a box. Cloning is cheap.
///
/// ```
/// use boxstep_types::BoxPath;
///
/// let path: BoxPath = "root/Dance/@steps:left/Say".parse()?;
/// assert_eq!((path.segments().len(), path.name()), (4, "Say"));
/// assert_eq!(BoxPath::root("root").child("Say", Some(3)).to_string(), "root/Say#3");
/// # Ok::<(), boxstep_types::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoxPath(Arc<[Segment]>);

/// Text that is not a box path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathError {
    /// An empty segment, or an empty path.
    EmptySegment,
    /// A `\` at the end of the text, with no character to escape.
    DanglingEscape,
    /// A keyframe segment (`@…`) without a `:`.
    KeyframeWithoutColon(String),
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathError::EmptySegment => f.write_str("a box path has an empty segment"),
            PathError::DanglingEscape => f.write_str("a box path ends in the middle of an escape (`\\`)"),
            PathError::KeyframeWithoutColon(s) => write!(f, "`@{s}` needs a `:` between layer and keyframe"),
        }
    }
}

impl std::error::Error for PathError {}

impl BoxPath {
    /// Returns the path of a root box.
    pub fn root(name: impl Into<Arc<str>>) -> Self {
        Self([Segment::Box { name: name.into(), id: None }].as_slice().into())
    }

    /// Returns the path with these segments; `None` if there are none.
    pub fn of(segments: impl Into<Arc<[Segment]>>) -> Option<Self> {
        let segments = segments.into();
        (!segments.is_empty()).then_some(Self(segments))
    }

    /// Returns this path with one more segment.
    pub fn join(&self, segment: Segment) -> Self {
        Self(self.0.iter().cloned().chain(std::iter::once(segment)).collect())
    }

    /// Returns the path of a child box.
    pub fn child(&self, name: impl Into<Arc<str>>, id: Option<i32>) -> Self {
        self.join(Segment::Box { name: name.into(), id })
    }

    /// Returns the path of a behavior keyframe of this box's timeline.
    pub fn keyframe(&self, layer: impl Into<Arc<str>>, keyframe: impl Into<Arc<str>>) -> Self {
        self.join(Segment::Keyframe { layer: layer.into(), keyframe: keyframe.into() })
    }

    /// The segments, from the root down.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// The name of the last box on the path.
    pub fn name(&self) -> &str {
        self.0
            .iter()
            .rev()
            .find_map(|s| match s {
                Segment::Box { name, .. } => Some(&**name),
                Segment::Keyframe { .. } => None,
            })
            .unwrap_or("")
    }

    /// Returns the segments that precede the root of a behavior that runs beside another one with the same root name.
    /// They are the parts of the behavior's name: `my` and `dance` in `my/dance/root/Say`.
    pub fn steps_of_name(name: &str) -> impl Iterator<Item = Segment> {
        let parts = name.split('/').filter(|part| !part.is_empty());
        parts.map(|part| Segment::Box { name: part.into(), id: None })
    }

    /// Returns the path inside a behavior that runs beside another one: `root/Say` for `my/dance/root/Say` and the name
    /// `my/dance`; `None` if the path is not inside it.
    pub fn within(&self, name: &str) -> Option<BoxPath> {
        let mut rest = self.0.iter();
        let below = Self::steps_of_name(name).all(|step| rest.next() == Some(&step));
        below.then(|| Self::of(rest.as_slice())).flatten()
    }

    /// Returns the path without its last segment; `None` for a root.
    pub fn parent(&self) -> Option<BoxPath> {
        (self.0.len() > 1).then(|| Self(self.0[..self.0.len() - 1].into()))
    }

    /// Parses `PATH/NAME` or `PATH:NAME`: a box and one of its parameters or ports. The path ends at the last separator
    /// that is not escaped with a `\\`.
    ///
    /// # Errors
    /// The error of the path; `None` if there is no separator.
    pub fn with_member(text: &str, separator: char) -> Result<(BoxPath, String), Option<PathError>> {
        let mut escaped = false;
        let unescaped = text.char_indices().filter(|&(_, c)| {
            let hit = !escaped && c == separator;
            escaped = !escaped && c == '\\';
            hit
        });
        let at = unescaped.last().ok_or(None)?.0;
        let (path, member) = (&text[..at], &text[at + separator.len_utf8()..]);
        let mut escaped = false;
        let member = member.chars().filter(|&c| {
            escaped = !escaped && c == '\\';
            !escaped
        });
        Ok((path.parse().map_err(Some)?, member.collect()))
    }

    /// Returns true if this is `other` or a box or keyframe below it, at any depth.
    pub fn starts_with(&self, other: &BoxPath) -> bool {
        self.0.starts_with(&other.0)
    }
}

fn escape(out: &mut fmt::Formatter<'_>, name: &str, keyframe: bool) -> fmt::Result {
    use fmt::Write as _;
    // A `#` needs an escape only if digits alone follow it, because it would then be read as an id.
    let hash = name.rfind('#').filter(|&i| is_id(&name[i + 1..]));
    for (i, c) in name.char_indices() {
        let special = c == '/' || c == '\\' || (c == '@' && i == 0) || (c == ':' && keyframe) || hash == Some(i);
        if special {
            out.write_char('\\')?;
        }
        out.write_char(c)?;
    }
    Ok(())
}

fn is_id(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.len() < 10 && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Serializes the path as its text.
impl Serialize for BoxPath {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BoxPath {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}

impl fmt::Display for BoxPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("/")?;
            }
            match segment {
                Segment::Box { name, id } => {
                    escape(f, name, false)?;
                    if let Some(id) = id {
                        write!(f, "#{id}")?;
                    }
                }
                Segment::Keyframe { layer, keyframe } => {
                    f.write_str("@")?;
                    escape(f, layer, true)?;
                    f.write_str(":")?;
                    escape(f, keyframe, true)?;
                }
            }
        }
        Ok(())
    }
}

impl FromStr for BoxPath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let mut segments = Vec::new();
        // Each character comes with whether it was escaped, so that `\#3` is not read as an id.
        let mut part: Vec<(char, bool)> = Vec::new();
        let mut chars = text.chars();
        loop {
            match chars.next() {
                Some('\\') => part.push((chars.next().ok_or(PathError::DanglingEscape)?, true)),
                Some('/') => segments.push(segment(&std::mem::take(&mut part))?),
                Some(c) => part.push((c, false)),
                None => {
                    segments.push(segment(&part)?);
                    return Ok(BoxPath(segments.into()));
                }
            }
        }
    }
}

fn segment(part: &[(char, bool)]) -> Result<Segment, PathError> {
    let text = |p: &[(char, bool)]| p.iter().map(|(c, _)| *c).collect::<String>();
    match part {
        [] => Err(PathError::EmptySegment),
        [('@', false), rest @ ..] => match rest.iter().position(|&c| c == (':', false)) {
            Some(i) => Ok(Segment::Keyframe { layer: text(&rest[..i]).into(), keyframe: text(&rest[i + 1..]).into() }),
            None => Err(PathError::KeyframeWithoutColon(text(rest))),
        },
        _ => {
            if let Some(i) = part.iter().rposition(|&c| c == ('#', false)) {
                let id = text(&part[i + 1..]);
                if i > 0
                    && is_id(&id)
                    && let Ok(id) = id.parse()
                {
                    return Ok(Segment::Box { name: text(&part[..i]).into(), id: Some(id) });
                }
            }
            Ok(Segment::Box { name: text(part).into(), id: None })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(path: &BoxPath) {
        let text = path.to_string();
        assert_eq!(&text.parse::<BoxPath>().unwrap(), path, "{text}");
    }

    #[test]
    fn boxes_of_another_behavior_are_below_its_name() {
        let within = |path: &str, name| path.parse::<BoxPath>().unwrap().within(name).map(|path| path.to_string());
        assert_eq!(within("my/dance/root/Say#3", "my/dance").as_deref(), Some("root/Say#3"));
        assert_eq!(within("my/dance/root", "/my/dance/").as_deref(), Some("root"));
        for (path, name) in [("my/dance", "my/dance"), ("my/dancer/root", "my/dance"), ("root/Say", "my/dance")] {
            assert_eq!(within(path, name), None, "{path}");
        }
    }

    #[test]
    fn what_is_printed_is_accepted_back() {
        for name in ["Say", "a/b", "a\\b", "#3", "x#3", "x#", "@a", "a@b", "Say (1)", "a:b", "é", "-", "x\\#3", "#"] {
            let root = BoxPath::root("root");
            round(&root.child(name, None));
            round(&root.child(name, Some(-1)));
            round(&root.child(name, Some(3)).keyframe(name, name).child(name, None));
        }
    }

    #[test]
    fn reads_as_documented() {
        let p: BoxPath = r"root/a\/b/@steps:left/Say#3".parse().unwrap();
        assert_eq!(p, BoxPath::root("root").child("a/b", None).keyframe("steps", "left").child("Say", Some(3)));
        assert_eq!(p.name(), "Say");
        assert!(p.starts_with(&p.parent().unwrap()));
    }

    #[test]
    fn a_member_follows_the_last_separator() {
        let read = |text: &str, separator| {
            BoxPath::with_member(text, separator).map(|(path, member)| (path.to_string(), member))
        };
        assert_eq!(read(r"root/a\/b/x\=y\/z", '/'), Ok((r"root/a\/b".into(), "x=y/z".into())));
        assert_eq!(read("root/@steps:left/Say:onStart", ':'), Ok(("root/@steps:left/Say".into(), "onStart".into())));
        assert_eq!(read("Speed", '/'), Err(None));
        assert_eq!(read("a//b/c", '/'), Err(Some(PathError::EmptySegment)));
    }

    #[test]
    fn bad_paths_say_why() {
        assert_eq!("a//b".parse::<BoxPath>(), Err(PathError::EmptySegment));
        assert_eq!("a\\".parse::<BoxPath>(), Err(PathError::DanglingEscape));
        assert_eq!("a/@b".parse::<BoxPath>(), Err(PathError::KeyframeWithoutColon("b".into())));
    }
}
