//! Values on links, in parameters, and in calls of services.

use std::fmt;
use std::sync::Arc;

/// A value of a behavior.
///
/// A `Value` takes at most 24 bytes, and cloning it does not allocate. A bang is [`Value::Null`].
///
/// ```
/// use boxstep_types::Value;
///
/// let arguments = Value::list(["Hello".into(), 0.5.into(), Value::Null]);
/// assert_eq!(arguments.as_list().map(<[Value]>::len), Some(3));
/// let settings = Value::map([("speed", Value::from(80))]);
/// assert_eq!(settings.get("speed").and_then(Value::as_i64), Some(80));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// No value: a bang, or Python's `None`.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A floating point number.
    Float(f64),
    /// Text.
    Str(Arc<str>),
    /// Raw bytes.
    Bytes(Arc<[u8]>),
    /// A list; Python tuples arrive as lists too.
    List(Arc<[Value]>),
    /// Key-value pairs in insertion order.
    Map(Arc<[(Value, Value)]>),
    /// An opaque handle on an object that only the script host or the robot understands.
    Object(ObjectRef),
}

/// A handle on an object that the script host or the robot holds, such as a Python object.
///
/// Handles with the same id are equal. The owner is notified when the last clone is dropped.
#[derive(Clone)]
pub struct ObjectRef(Arc<ObjectInner>);

struct ObjectInner {
    id: u64,
    release: Option<Box<dyn Fn(u64) + Send + Sync>>,
}

impl Drop for ObjectInner {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            release(self.id);
        }
    }
}

impl ObjectRef {
    /// Creates a handle without a release callback.
    pub fn new(id: u64) -> Self {
        Self(Arc::new(ObjectInner { id, release: None }))
    }

    /// Creates a handle that calls `release` with its id when the last clone is dropped.
    ///
    /// `release` may run while engine locks are held, so it may only record the id.
    pub fn with_release(id: u64, release: impl Fn(u64) + Send + Sync + 'static) -> Self {
        Self(Arc::new(ObjectInner { id, release: Some(Box::new(release)) }))
    }

    /// The owner's number for the object.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// The first id of the robot's objects; lower ids are the script host's.
    pub const OF_ROBOT: u64 = 1 << 52;

    /// Creates a handle on an object of the robot, by the number that the robot's adapter gave it. Scripts call it as
    /// the service `#number`.
    pub fn of_robot(number: u64) -> Self {
        Self::new(Self::OF_ROBOT + number)
    }

    /// The name of the service through which scripts call this object, if it is an object of the robot.
    pub fn robot_service(&self) -> Option<String> {
        self.0.id.checked_sub(Self::OF_ROBOT).map(|number| format!("#{number}"))
    }
}

impl PartialEq for ObjectRef {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id
    }
}

impl fmt::Debug for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectRef({})", self.0.id)
    }
}

impl Value {
    /// Collects values into a list.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Self {
        Value::List(items.into_iter().collect())
    }

    /// What stands for a binary value of which only facts are kept, such as its size: a map with the one key `$digest`.
    pub fn digest<K: Into<Arc<str>>>(facts: impl IntoIterator<Item = (K, Value)>) -> Self {
        Value::map([(Self::DIGEST, Value::map(facts))])
    }

    /// The key of [`Value::digest`].
    pub(crate) const DIGEST: &str = "$digest";

    /// Collects pairs into a map with string keys, in the order given.
    pub fn map<K: Into<Arc<str>>>(items: impl IntoIterator<Item = (K, Value)>) -> Self {
        Value::Map(items.into_iter().map(|(k, v)| (Value::Str(k.into()), v)).collect())
    }

    /// The name of the value's kind, as messages print it.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "bang",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Str(_) => "string",
            Value::Bytes(_) => "bytes",
            Value::List(_) => "list",
            Value::Map(_) => "map",
            Value::Object(_) => "object",
        }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(s) => Some(s),
            _ => None,
        }
    }

    /// The number, if this is an int, float or bool.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Float(x) => Some(*x),
            Value::Int(i) => Some(*i as f64),
            Value::Bool(b) => Some(f64::from(u8::from(*b))),
            _ => None,
        }
    }

    /// The whole number, if this is an int, a bool, or a float without a fraction (below 9·10¹⁵).
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(i) => Some(*i),
            Value::Bool(b) => Some(i64::from(*b)),
            Value::Float(x) if x.fract() == 0.0 && x.abs() < 9.0e15 => Some(*x as i64),
            _ => None,
        }
    }

    /// The items, if this is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The pairs, if this is a map.
    pub fn as_map(&self) -> Option<&[(Value, Value)]> {
        match self {
            Value::Map(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// The value of a string key, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, v)| v)
    }

    /// Compares as a user would: an int and a float of the same number are alike, and so are floats that differ only by
    /// rounding, at any depth of lists and maps. The order of a map's pairs does not count.
    pub fn alike(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => {
                let (Some(a), Some(b)) = (self.as_f64(), other.as_f64()) else { return false };
                let close = a.is_finite() && b.is_finite() && (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1.0);
                self == other || close || (a.is_nan() && b.is_nan())
            }
            (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.alike(b)),
            (Value::Map(a), Value::Map(b)) => {
                let has = |key: &Value, value: &Value| b.iter().any(|(k, v)| k.alike(key) && v.alike(value));
                a.len() == b.len() && a.iter().all(|(key, value)| has(key, value))
            }
            _ => self == other,
        }
    }

    /// Replaces the handles in this value by handles of the same id without a release callback, so that the script host
    /// can free its objects.
    pub fn let_go(&mut self) {
        if self.has_release() {
            *self = match &*self {
                Value::Object(object) => Value::Object(ObjectRef::new(object.id())),
                Value::List(items) => Value::list(items.iter().map(Value::released)),
                Value::Map(pairs) => Value::Map(pairs.iter().map(|(k, v)| (k.released(), v.released())).collect()),
                _ => return,
            };
        }
    }

    fn released(&self) -> Self {
        let mut value = self.clone();
        value.let_go();
        value
    }

    /// Returns true if the value contains a handle with a release callback.
    fn has_release(&self) -> bool {
        match self {
            Value::Object(object) => object.0.release.is_some(),
            Value::List(items) => items.iter().any(Value::has_release),
            Value::Map(pairs) => pairs.iter().any(|(k, v)| k.has_release() || v.has_release()),
            _ => false,
        }
    }

    /// Python's truth value: empty, zero and null are false.
    pub fn truthy(&self) -> bool {
        match self {
            Value::Null => false,
            Value::Bool(b) => *b,
            Value::Int(i) => *i != 0,
            Value::Float(x) => *x != 0.0,
            Value::Str(s) => !s.is_empty(),
            Value::Bytes(b) => !b.is_empty(),
            Value::List(l) => !l.is_empty(),
            Value::Map(m) => !m.is_empty(),
            Value::Object(_) => true,
        }
    }
}

impl From<bool> for Value {
    fn from(v: bool) -> Self {
        Value::Bool(v)
    }
}
impl From<i64> for Value {
    fn from(v: i64) -> Self {
        Value::Int(v)
    }
}
impl From<i32> for Value {
    fn from(v: i32) -> Self {
        Value::Int(v.into())
    }
}
impl From<f64> for Value {
    fn from(v: f64) -> Self {
        Value::Float(v)
    }
}
impl From<&str> for Value {
    fn from(v: &str) -> Self {
        Value::Str(v.into())
    }
}
impl From<String> for Value {
    fn from(v: String) -> Self {
        Value::Str(v.into())
    }
}
impl From<Arc<str>> for Value {
    fn from(v: Arc<str>) -> Self {
        Value::Str(v)
    }
}
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(v: Vec<T>) -> Self {
        Value::List(v.into_iter().map(Into::into).collect())
    }
}

/// The JSON form (see `docs/values.md`), which is also how values are shown to people.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn value_stays_small() {
        assert!(size_of::<Value>() <= 24);
    }

    #[test]
    fn release_runs_once_with_the_last_clone() {
        let seen = Arc::new(AtomicU64::new(0));
        let s = seen.clone();
        let a = ObjectRef::with_release(7, move |id| {
            s.fetch_add(id, Ordering::SeqCst);
        });
        let b = a.clone();
        drop(a);
        assert_eq!(seen.load(Ordering::SeqCst), 0);
        drop(b);
        assert_eq!(seen.load(Ordering::SeqCst), 7);
    }

    #[test]
    fn numbers_convert_without_surprise() {
        assert_eq!(Value::Float(3.0).as_i64(), Some(3));
        assert_eq!(Value::Float(3.5).as_i64(), None);
        assert_eq!(Value::Str("3".into()).as_f64(), None);
        assert_eq!(Value::Bool(true).as_f64(), Some(1.0));
    }

    #[test]
    fn alike_is_equal_but_for_the_kind_of_number_and_rounding() {
        let list = |x: Value| Value::list([Value::from("a"), x]);
        assert!(list(Value::Int(1)).alike(&list(Value::Float(1.0 + 1e-9))));
        assert!(!list(Value::Int(1)).alike(&list(Value::Float(1.001))));
        assert!(!Value::Int(1).alike(&Value::Bool(true)) && !Value::Int(0).alike(&Value::Null));
        assert!(
            !Value::Int(i64::MAX).alike(&Value::Float(f64::NAN))
                && Value::Float(f64::NAN).alike(&Value::Float(f64::NAN))
        );
        assert!(Value::Float(f64::INFINITY).alike(&Value::Float(f64::INFINITY)));
        assert!(!Value::Float(f64::INFINITY).alike(&Value::Float(1.0)));
        let (a, b) = (("a", Value::Int(1)), ("b", Value::Int(2)));
        assert!(Value::map([a.clone(), b.clone()]).alike(&Value::map([b, a])));
    }
}
