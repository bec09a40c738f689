//! What the two ends of a socket are able to do, and how a client says who it is.

use crate::decode::{DecodeError, decode};
use crate::encode::{EncodeError, encode};
use crate::object::ObjectLayout;
use crate::signature::Signature;
use crate::value::Value;

/// The peer may call services of ours on this same socket.
pub const CLIENT_SERVER_SOCKET: &str = "ClientServerSocket";
/// The flags of a message's header are understood.
pub const MESSAGE_FLAGS: &str = "MessageFlags";
/// Meta objects are sent once and then by number.
pub const META_OBJECT_CACHE: &str = "MetaObjectCache";
/// Objects carry 20 bytes of identity.
pub const OBJECT_PTR_UID: &str = "ObjectPtrUID";
/// A call may be given up.
pub const REMOTE_CANCELABLE_CALLS: &str = "RemoteCancelableCalls";

/// The state of an authentication, in the answer's map.
pub(crate) const STATE: &str = "__qi_auth_state";
/// Why it was refused.
pub(crate) const REASON: &str = "__qi_auth_err_reason";
/// A token that the server chose for the client.
pub(crate) const NEW_TOKEN: &str = "auth_newToken";

/// So many names are remembered of a peer.
const MOST: usize = 256;

/// The map that both sides send: capabilities and, with them, what belongs to authentication.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capabilities {
    entries: Vec<(String, Value)>,
}

impl Capabilities {
    /// What this library says of itself. `ObjectPtrUID` and `MetaObjectCache` are left out on purpose: without them objects have one
    /// layout with every version of NAOqi.
    pub fn ours() -> Capabilities {
        let mut ours = Capabilities::default();
        for name in [CLIENT_SERVER_SOCKET, MESSAGE_FLAGS, REMOTE_CANCELABLE_CALLS] {
            ours.set(name, true);
        }
        ours
    }

    /// The value under a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entries.iter().find(|(n, _)| n == name).map(|(_, v)| v.plain())
    }

    /// Whether a capability is there and true.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool) == Some(true)
    }

    /// The text under a name.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.get(name)?.as_bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// Sets a value, in the place of one that was there.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        let value = value.into().into_plain();
        match self.entries.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value,
            None => self.entries.push((name.to_owned(), value)),
        }
    }

    /// Takes over what another map says; of a peer that never comes to an end no more than 256 names.
    pub fn merge(&mut self, other: &Capabilities) {
        for (name, value) in &other.entries {
            if self.entries.len() < MOST || self.get(name).is_some() {
                self.set(name, value.clone());
            }
        }
    }

    /// How objects are laid out between this side and that one.
    pub fn object_layout(&self, other: &Capabilities) -> ObjectLayout {
        let both = |name| self.has(name) && other.has(name);
        ObjectLayout { uid: both(OBJECT_PTR_UID), cache: both(META_OBJECT_CACHE) }
    }

    fn signature() -> Signature {
        Signature::map(Signature::Str, Signature::Dynamic)
    }

    /// Reads the payload of an authentication or a capability message. Values may be dynamics in dynamics, as libqi-python sends
    /// them; what has no name that is text is left out.
    ///
    /// # Errors
    /// Where the bytes are no such map.
    pub fn decode(bytes: &[u8]) -> Result<Capabilities, DecodeError> {
        let map = decode(bytes, &Capabilities::signature(), &ObjectLayout::default())?;
        let mut found = Capabilities::default();
        for (name, value) in map.as_map().unwrap_or_default() {
            if let Some(name) = name.as_str() {
                found.set(name, value.clone());
            }
        }
        Ok(found)
    }

    /// Writes the payload.
    ///
    /// # Errors
    /// If a value that was set cannot be sent.
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let entries = self.entries.iter().map(|(n, v)| (Value::from(n.as_str()), v.clone().dynamic())).collect();
        let map = Value::map_of(Signature::Str, Signature::Dynamic, entries);
        let mut out = Vec::new();
        encode(&map, &Capabilities::signature(), &ObjectLayout::default(), &mut out)?;
        Ok(out)
    }
}

/// How far an authentication is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthState {
    /// The peer refuses.
    Refused,
    /// The peer wants to hear more.
    Continue,
    /// All is well.
    Done,
}

impl AuthState {
    /// From the map that a server answered; any width of integer will do. A server that says nothing of it has nothing against us.
    pub fn of(answer: &Capabilities) -> AuthState {
        match answer.get(STATE).and_then(Value::as_i64) {
            Some(1) => AuthState::Refused,
            Some(2) => AuthState::Continue,
            _ => AuthState::Done,
        }
    }

    /// The number on the wire.
    pub fn code(self) -> u32 {
        match self {
            AuthState::Refused => 1,
            AuthState::Continue => 2,
            AuthState::Done => 3,
        }
    }
}

/// Who a client says it is. Robots of old ask nobody; a Pepper with NAOqi 2.9 wants user `nao` and the robot's password.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user's name.
    pub user: String,
    /// The password or token.
    pub token: String,
}

/// Passwords are not for logs.
impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").field("user", &self.user).finish_non_exhaustive()
    }
}

impl Credentials {
    /// Puts them into the map of an authentication.
    pub(crate) fn put_into(&self, map: &mut Capabilities) {
        map.set("auth_user", self.user.as_str());
        map.set("auth_token", self.token.as_str());
    }

    /// What a client has sent.
    pub(crate) fn out_of(map: &Capabilities) -> Option<Credentials> {
        Some(Credentials { user: map.text("auth_user")?, token: map.text("auth_token").unwrap_or_default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capability_is_on_only_if_both_sides_have_it() {
        let mut theirs = Capabilities::ours();
        theirs.set(OBJECT_PTR_UID, true);
        assert_eq!(Capabilities::ours().object_layout(&theirs), ObjectLayout::default());
        assert_eq!(theirs.object_layout(&theirs), ObjectLayout { uid: true, cache: false });
        theirs.set(OBJECT_PTR_UID, false);
        assert!(!theirs.has(OBJECT_PTR_UID));
    }

    #[test]
    fn a_peer_that_says_ever_more_of_itself_is_not_remembered_whole() {
        let mut theirs = Capabilities::default();
        for i in 0..1000 {
            let mut said = Capabilities::default();
            said.set(&i.to_string(), true);
            theirs.merge(&said);
        }
        assert_eq!(theirs.entries.len(), MOST);
    }

    #[test]
    fn a_state_may_be_any_integer() {
        let with = |state: Value| {
            let mut map = Capabilities::default();
            map.set(STATE, state);
            AuthState::of(&Capabilities::decode(&map.encode().unwrap()).unwrap())
        };
        assert_eq!(with(Value::U32(3)), AuthState::Done);
        assert_eq!(with(Value::I32(2)), AuthState::Continue);
        assert_eq!(with(Value::I64(1).dynamic()), AuthState::Refused);
        assert_eq!(AuthState::of(&Capabilities::default()), AuthState::Done);
    }

    #[test]
    fn credentials_are_not_printed() {
        let text = format!("{:?}", Credentials { user: "nao".into(), token: "secret".into() });
        assert!(text.contains("nao") && !text.contains("secret"), "{text}");
    }
}
