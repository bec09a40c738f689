//! What scripts of boxes find, besides the services: one table of the members of a box and of what these give. `check`
//! and the page's script editor use it.

mod members;

pub use members::KINDS;

use crate::table::{Base, Method, Service, Source, Support};
use crate::{CAMERA_METHODS, COMMON_METHODS, EXTRACTOR_METHODS, object_kinds, object_of, services};
use boxstep_bodies::BodyKind;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A kind of objects that scripts use: a box, its timeline, the session.
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Its members.
    pub members: &'static [Member],
}

/// A method or an attribute.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// The arguments of a method in parentheses; `None` of an attribute.
    #[serde(rename = "form", skip_serializing_if = "Option::is_none")]
    pub arguments: Option<&'static str>,
    /// What it does or is, in a few words.
    pub doc: &'static str,
    /// The kind of what a call returns or an attribute has, if scripts use that further.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gives: Option<&'static str>,
    /// What its first argument names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Names>,
}

/// What a text among the arguments names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Names {
    /// A parameter of the box.
    Parameter,
    /// An input or output of the box.
    Port,
    /// A service; the call returns it.
    Service,
    /// A key of the robot's memory.
    Key,
}

const fn method(name: &'static str, arguments: &'static str, doc: &'static str) -> Member {
    Member { name, arguments: Some(arguments), doc, gives: None, names: None }
}

const fn attribute(name: &'static str, doc: &'static str) -> Member {
    Member { name, arguments: None, doc, gives: None, names: None }
}

impl Member {
    const fn gives(mut self, kind: &'static str) -> Self {
        self.gives = Some(kind);
        self
    }

    const fn names(mut self, what: Names) -> Self {
        self.names = Some(what);
        self
    }
}

/// Returns the members of a kind; none if there is no such kind.
pub fn members_of(kind: &str) -> &'static [Member] {
    KINDS.iter().find(|one| one.name == kind).map(|one| one.members).unwrap_or_default()
}

/// The methods of `ALMemory` whose first argument is a key.
pub const WITH_KEY: &[&str] = &[
    "declareEvent",
    "getData",
    "getDataOnChange",
    "getEventHistory",
    "getSubscribers",
    "getTimestamp",
    "getType",
    "insertData",
    "raiseEvent",
    "raiseMicroEvent",
    "removeData",
    "removeEvent",
    "removeMicroEvent",
    "setDescription",
    "subscribeToEvent",
    "subscribeToMicroEvent",
    "subscriber",
    "unsubscribeToEvent",
    "unsubscribeToMicroEvent",
];

/// All that an editor of scripts offers, as JSON: `docs/reference/view-protocol.md` describes it.
#[derive(Serialize)]
struct Help {
    kinds: BTreeMap<&'static str, Shown>,
    /// The keys of memory that services and touch sensors raise.
    keys: BTreeSet<&'static str>,
}

#[derive(Default, Serialize)]
struct Shown {
    #[serde(skip_serializing_if = "str::is_empty")]
    doc: &'static str,
    /// Whether scripts get it by its name.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    service: bool,
    /// Other kinds, whose members it has as well.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    like: &'static [&'static str],
    members: Vec<ShownMember>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ShownMember {
    Script(Member),
    Service {
        name: &'static str,
        /// The forms of a call, in words of Python; empty for signals and properties.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        forms: Vec<String>,
        doc: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        gives: Option<&'static str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        names: Option<Names>,
        #[serde(skip_serializing_if = "Option::is_none")]
        support: Option<&'static str>,
        /// Where the types are from.
        #[serde(skip_serializing_if = "Option::is_none")]
        source: Option<&'static str>,
    },
}

/// Returns all that an editor of scripts offers, as JSON.
pub fn help() -> String {
    let mut kinds: BTreeMap<&'static str, Shown> = BTreeMap::new();
    for kind in KINDS {
        let members = kind.members.iter().map(|member| ShownMember::Script(*member)).collect();
        kinds.insert(kind.name, Shown { members, ..Shown::default() });
    }
    let bases = [("every service", COMMON_METHODS), ("sensing", EXTRACTOR_METHODS), ("camera", CAMERA_METHODS)];
    for (name, methods) in bases {
        let members = methods.iter().map(|method| shown("", method)).collect();
        kinds.insert(name, Shown { members, ..Shown::default() });
    }
    for service in services() {
        kinds.insert(service.name, Shown { service: true, ..kind_of(service) });
    }
    for object in object_kinds() {
        kinds.insert(object.name, kind_of(object));
    }
    let touched = [BodyKind::Nao, BodyKind::Pepper].into_iter().flat_map(|kind| kind.body().touch);
    let raised = services().flat_map(|service| service.events).copied();
    let keys = raised.chain(touched.map(|sensor| sensor.event)).collect();
    // It contains only texts and lists, so this cannot fail.
    serde_json::to_string(&Help { kinds, keys }).unwrap_or_default()
}

fn kind_of(service: &'static Service) -> Shown {
    let mut members: Vec<ShownMember> = service.methods.iter().map(|method| shown(service.name, method)).collect();
    let plain = |name, doc, gives| ShownMember::Service {
        name,
        forms: Vec::new(),
        doc,
        gives: Some(gives),
        names: None,
        support: None,
        source: None,
    };
    members.extend(service.signals.iter().map(|signal| plain(signal.name, "Signal", "Signal")));
    members.extend(service.properties.iter().map(|property| plain(property.name, "Property of NAOqi 2.8", "Property")));
    let like: &[&str] = match service.base {
        Base::Module => &["every service", "Proxy"],
        Base::Extractor => &["sensing", "every service", "Proxy"],
        Base::Camera => &["camera", "sensing", "every service", "Proxy"],
        Base::Object => &[],
    };
    Shown { doc: service.doc, service: false, like, members }
}

fn shown(service: &'static str, method: &'static Method) -> ShownMember {
    let subscriber = (service == "ALMemory" && method.name == "subscriber").then_some("Subscriber");
    ShownMember::Service {
        name: method.name,
        forms: method.overloads().map(|overload| overload.in_python()).collect(),
        doc: method.doc,
        gives: object_of(service, method.name).map(|object| object.name).or(subscriber),
        names: (service == "ALMemory" && WITH_KEY.contains(&method.name)).then_some(Names::Key),
        support: Some(match method.support() {
            Support::Simulated => "simulated",
            Support::Accepted => "accepted",
            Support::Known => "known",
        }),
        source: Some(match method.source {
            Source::Robot => "NAOqi 2.5",
            Source::Nao6 => "NAOqi 2.8",
            Source::Described => "described",
            Source::Unknown => "unknown",
        }),
    }
}
