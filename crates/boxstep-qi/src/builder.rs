//! Objects made from closures.

use crate::encode::EncodeError;
use crate::error::{Error, Failure};
use crate::meta::{FIRST_OWN, MetaMethod, MetaObject, MetaProperty, MetaSignal};
use crate::object::{Call, Object, Signals, Turns};
use crate::pool::lock;
use crate::signature::{Signature, SignatureError};
use crate::value::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

type Method = Box<dyn Fn(Call) + Send + Sync>;
type Setter = Box<dyn Fn(&Value) -> Result<(), Failure> + Send + Sync>;

/// Builds an object from closures. Members are numbered in the order in which they are added.
///
/// ```
/// use boxstep_qi::{ObjectBuilder, Value};
/// let lamp = ObjectBuilder::new("A lamp.")
///     .method("dim::(f)->b", |args| Ok(Value::from(args[0].as_f64() < Some(0.5))))
///     .signal("switched", "(b)")
///     .property("colour", "s", "white")
///     .build()?;
/// lamp.set("colour", "red")?;
/// assert_eq!(lamp.get("colour").unwrap().as_str(), Some("red"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ObjectBuilder {
    meta: MetaObject,
    next: u32,
    turns: Turns,
    methods: HashMap<u32, Method>,
    values: HashMap<u32, Value>,
    setters: HashMap<u32, Setter>,
    wrong: Option<BuildError>,
}

/// Why an object cannot be built.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildError {
    /// The member as it was described.
    pub member: String,
    /// What is wrong with it.
    pub fault: BuildFault,
}

/// What can be wrong with a member.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BuildFault {
    /// The description is not of the form `name::(parameters)->returned`.
    Form,
    /// The description contains an invalid signature.
    Signature(SignatureError),
    /// The arguments of a method or signal are neither a tuple nor `m`.
    NoTuple,
    /// The initial value of a property has another type.
    Value(EncodeError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.member)?;
        match &self.fault {
            BuildFault::Form => write!(f, "a method is described as name::(parameters)->returned"),
            BuildFault::Signature(e) => write!(f, "{e}"),
            BuildFault::NoTuple => write!(f, "arguments are a tuple such as (is), or m"),
            BuildFault::Value(e) => write!(f, "{e}"),
        }
    }
}

impl std::error::Error for BuildError {}

impl ObjectBuilder {
    /// Starts an object without members.
    pub fn new(description: &str) -> ObjectBuilder {
        ObjectBuilder {
            meta: MetaObject { description: description.to_owned(), ..MetaObject::default() },
            next: FIRST_OWN,
            turns: Turns::default(),
            methods: HashMap::new(),
            values: HashMap::new(),
            setters: HashMap::new(),
            wrong: None,
        }
    }

    /// Sets how calls are dispatched to the object.
    #[must_use]
    pub fn turns(mut self, turns: Turns) -> Self {
        self.turns = turns;
        self
    }

    /// Adds a method, described as `name::(parameters)->returned`.
    #[must_use]
    pub fn method(
        self,
        described: &str,
        run: impl Fn(&[Value]) -> Result<Value, Failure> + Send + Sync + 'static,
    ) -> Self {
        self.method_later(described, move |call| call.reply.finish(run(&call.args)))
    }

    /// Adds a method that may answer later, knows its caller, or can be canceled.
    #[must_use]
    pub fn method_later(mut self, described: &str, run: impl Fn(Call) + Send + Sync + 'static) -> Self {
        match parse_method(described) {
            Ok(method) => {
                let id = self.take_id();
                self.meta.methods.insert(id, method);
                self.methods.insert(id, Box::new(run));
            }
            Err(fault) => self.fail(described, fault),
        }
        self
    }

    /// Adds a signal; the signature is the tuple of its arguments, such as `(is)`.
    #[must_use]
    pub fn signal(mut self, name: &str, signature: &str) -> Self {
        match arguments(signature) {
            Ok(signature) => {
                let id = self.take_id();
                self.meta.signals.insert(id, MetaSignal { name: name.to_owned(), signature });
            }
            Err(fault) => self.fail(name, fault),
        }
        self
    }

    /// Adds a property that every peer may set.
    #[must_use]
    pub fn property(self, name: &str, signature: &str, first: impl Into<Value>) -> Self {
        self.property_with(name, signature, first, |_| Ok(()))
    }

    /// Adds a property whose setter sees each new value before it is stored, and may reject it.
    #[must_use]
    pub fn property_with(
        mut self,
        name: &str,
        signature: &str,
        first: impl Into<Value>,
        set: impl Fn(&Value) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Self {
        let parsed = Signature::parse(signature).map_err(BuildFault::Signature);
        let both = parsed.and_then(|s| Ok((first.into().convert(&s).map_err(BuildFault::Value)?, s)));
        match both {
            Ok((first, signature)) => {
                let id = self.take_id();
                let changed = Signature::tuple(vec![signature.clone()]);
                self.meta.signals.insert(id, MetaSignal { name: name.to_owned(), signature: changed });
                self.meta.properties.insert(id, MetaProperty { name: name.to_owned(), signature });
                self.values.insert(id, first);
                self.setters.insert(id, Box::new(set));
            }
            Err(fault) => self.fail(name, fault),
        }
        self
    }

    fn take_id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn fail(&mut self, member: &str, fault: BuildFault) {
        self.wrong.get_or_insert(BuildError { member: member.to_owned(), fault });
    }

    /// Builds the object.
    ///
    /// # Errors
    /// The first member with an invalid description.
    pub fn build(self) -> Result<Arc<BuiltObject>, BuildError> {
        match self.wrong {
            Some(wrong) => Err(wrong),
            None => Ok(Arc::new(BuiltObject {
                meta: Arc::new(self.meta),
                turns: self.turns,
                methods: self.methods,
                setters: self.setters,
                values: Mutex::new(self.values),
                signals: Signals::default(),
            })),
        }
    }
}

/// Parses the argument types of a method or signal.
fn arguments(text: &str) -> Result<Signature, BuildFault> {
    match Signature::parse(text).map_err(BuildFault::Signature)? {
        found @ (Signature::Tuple(_) | Signature::Dynamic) => Ok(found),
        _ => Err(BuildFault::NoTuple),
    }
}

fn parse_method(described: &str) -> Result<MetaMethod, BuildFault> {
    let (name, types) = described.split_once("::").ok_or(BuildFault::Form)?;
    let (parameters, returns) = types.rsplit_once("->").ok_or(BuildFault::Form)?;
    Ok(MetaMethod {
        name: name.to_owned(),
        parameters: arguments(parameters)?,
        returns: Signature::parse(returns).map_err(BuildFault::Signature)?,
        description: String::new(),
        parameter_names: Vec::new(),
        return_description: String::new(),
    })
}

/// The object that [`ObjectBuilder`] builds.
pub struct BuiltObject {
    meta: Arc<MetaObject>,
    turns: Turns,
    methods: HashMap<u32, Method>,
    setters: HashMap<u32, Setter>,
    values: Mutex<HashMap<u32, Value>>,
    signals: Signals,
}

impl BuiltObject {
    /// Emits a signal.
    ///
    /// # Errors
    /// [`Error::NoMember`] if there is no such signal; [`Error::Encode`] if its arguments have other types.
    pub fn emit(&self, signal: &str, args: &[Value]) -> Result<(), Error> {
        let missing = || Error::NoMember { kind: "signal", name: signal.to_owned() };
        let (id, found) = self.meta.signal(signal).ok_or_else(missing)?;
        if found.signature == Signature::Dynamic {
            self.signals.emit(id, args);
        } else {
            let args = Value::tuple(args.to_vec()).convert(&found.signature)?;
            self.signals.emit(id, args.as_slice().unwrap_or_default());
        }
        Ok(())
    }

    /// Returns the value of a property.
    pub fn get(&self, name: &str) -> Option<Value> {
        let (id, _) = self.meta.property(name)?;
        lock(&self.values).get(&id).cloned()
    }

    /// Sets a property and notifies its listeners. The setter is not called.
    ///
    /// # Errors
    /// [`Error::NoMember`] if there is no such property; [`Error::Encode`] if it has another type.
    pub fn set(&self, name: &str, value: impl Into<Value>) -> Result<(), Error> {
        let missing = || Error::NoMember { kind: "property", name: name.to_owned() };
        let (id, found) = self.meta.property(name).ok_or_else(missing)?;
        self.take(id, value.into().convert(&found.signature)?);
        Ok(())
    }

    fn take(&self, id: u32, value: Value) {
        lock(&self.values).insert(id, value.clone());
        self.signals.emit(id, &[value]);
    }
}

impl Object for BuiltObject {
    fn meta(&self) -> Arc<MetaObject> {
        Arc::clone(&self.meta)
    }

    fn call(&self, call: Call) {
        match self.methods.get(&call.method) {
            Some(method) => method(call),
            None => call.reply.failed("there is no such method"),
        }
    }

    fn signals(&self) -> &Signals {
        &self.signals
    }

    fn property(&self, id: u32) -> Result<Value, Failure> {
        lock(&self.values).get(&id).cloned().ok_or_else(|| format!("there is no property {id}"))
    }

    fn set_property(&self, id: u32, value: Value) -> Result<(), Failure> {
        let setter = self.setters.get(&id).ok_or_else(|| format!("there is no property {id}"))?;
        setter(&value)?;
        self.take(id, value);
        Ok(())
    }

    fn turns(&self) -> Turns {
        self.turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_described_wrongly_is_named() {
        let fault = |builder: ObjectBuilder| builder.build().err().unwrap();
        let nothing = |_: &[Value]| Ok(Value::Void);
        let new = || ObjectBuilder::new("");
        assert_eq!(fault(new().method("add(ii)", nothing)).fault, BuildFault::Form);
        assert_eq!(fault(new().method("add::i->i", nothing)).fault, BuildFault::NoTuple);
        assert!(matches!(fault(new().signal("s", "(q)")).fault, BuildFault::Signature(_)));
        let e = fault(new().property("p", "i", "text").signal("later", "q"));
        assert_eq!(e.to_string(), "p: a value of type s cannot be sent as i");
    }

    #[test]
    fn a_property_has_a_signal_of_its_number() {
        let object = ObjectBuilder::new("").property("p", "f", 1i64).build().unwrap();
        assert_eq!(object.get("p"), Some(Value::F32(1.0)));
        let (id, signal) = object.meta.signal("p").unwrap();
        assert_eq!(signal.signature.to_string(), "(f)");
        assert_eq!(object.meta.property("p").unwrap().0, id);
        let (tell, told) = std::sync::mpsc::channel();
        let _listening = object.signals().listen(id, move |args| tell.send(args[0].clone()).unwrap());
        object.set("p", 2.5).unwrap();
        assert_eq!(told.try_recv(), Ok(Value::F32(2.5)));
        assert!(object.set("p", "x").is_err() && object.set("q", 1).is_err());
        assert!(object.emit("p", &[]).is_err());
    }
}
