//! The capabilities of both ends of a socket, and a client's credentials.

use crate::decode::{DecodeError, decode};
use crate::encode::{EncodeError, encode};
use crate::object::ObjectLayout;
use crate::signature::Signature;
use crate::value::Value;

/// The peer may call our services on the same socket.
pub const CLIENT_SERVER_SOCKET: &str = "ClientServerSocket";
/// The flags of message headers are supported.
pub const MESSAGE_FLAGS: &str = "MessageFlags";
/// A meta object is sent once and afterwards referred to by number.
pub const META_OBJECT_CACHE: &str = "MetaObjectCache";
/// Objects carry 20 bytes of identity.
pub const OBJECT_PTR_UID: &str = "ObjectPtrUID";
/// Endpoints may name the directory's process instead of an address.
pub const RELATIVE_ENDPOINT_URI: &str = "RelativeEndpointURI";
/// Calls can be canceled.
pub const REMOTE_CANCELABLE_CALLS: &str = "RemoteCancelableCalls";

/// Key of the authentication state in the answer's map.
pub(crate) const STATE: &str = "__qi_auth_state";
/// Key of the reason for a refusal.
pub(crate) const REASON: &str = "__qi_auth_err_reason";
/// Key of a token that the server chose for the client.
pub(crate) const NEW_TOKEN: &str = "auth_newToken";

/// The most names that are stored of a peer.
const MOST: usize = 256;

/// The map that both sides send: capabilities together with the entries of authentication.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capabilities {
    entries: Vec<(String, Value)>,
}

impl Capabilities {
    /// Returns the capabilities of this library. `ObjectPtrUID` and `MetaObjectCache` are left out on purpose: without
    /// them objects have the same layout with every version of NAOqi.
    pub fn ours() -> Capabilities {
        let mut ours = Capabilities::default();
        for name in [CLIENT_SERVER_SOCKET, MESSAGE_FLAGS, REMOTE_CANCELABLE_CALLS] {
            ours.set(name, true);
        }
        ours
    }

    /// Returns the value under a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entries.iter().find(|(n, _)| n == name).map(|(_, v)| v.plain())
    }

    /// Returns whether a capability is present and true.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool) == Some(true)
    }

    /// Returns the text under a name.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.get(name)?.as_bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// Sets a value, and replaces an earlier one of the same name.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        let value = value.into().into_plain();
        match self.entries.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value,
            None => self.entries.push((name.to_owned(), value)),
        }
    }

    /// Copies the entries of another map. At most 256 names are kept, so that no peer can fill the memory.
    pub fn merge(&mut self, other: &Capabilities) {
        for (name, value) in &other.entries {
            self.set_within(name, value);
        }
    }

    fn set_within(&mut self, name: &str, value: &Value) {
        if self.entries.len() < MOST || self.get(name).is_some() {
            self.set(name, value.clone());
        }
    }

    /// Returns how objects are laid out if this side has these capabilities and the other side has `other`.
    pub fn object_layout(&self, other: &Capabilities) -> ObjectLayout {
        let both = |name| self.has(name) && other.has(name);
        ObjectLayout { uid: both(OBJECT_PTR_UID), cache: both(META_OBJECT_CACHE) }
    }

    fn signature() -> Signature {
        Signature::map(Signature::Str, Signature::Dynamic)
    }

    /// Decodes the payload of an authentication or a capability message. Values may be nested dynamics, as libqi-python
    /// sends them; entries whose name is not text are dropped, and those beyond 256 names.
    ///
    /// # Errors
    /// The position at which the bytes are not such a map.
    pub fn decode(bytes: &[u8]) -> Result<Capabilities, DecodeError> {
        let map = decode(bytes, &Capabilities::signature(), &ObjectLayout::default())?;
        let mut found = Capabilities::default();
        for (name, value) in map.as_map().unwrap_or_default() {
            if let Some(name) = name.as_str() {
                found.set_within(name, value);
            }
        }
        Ok(found)
    }

    /// Encodes the payload.
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

/// The state of an authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthState {
    /// The peer refuses the credentials.
    Refused,
    /// The peer expects another message.
    Continue,
    /// The authentication is complete.
    Done,
}

impl AuthState {
    /// Reads the state from a server's answer; any integer width is accepted. An answer without a state means that the
    /// server accepts us.
    pub fn from_answer(answer: &Capabilities) -> AuthState {
        match answer.get(STATE).and_then(Value::as_i64) {
            Some(1) => AuthState::Refused,
            Some(2) => AuthState::Continue,
            _ => AuthState::Done,
        }
    }

    /// Returns the number of the state on the wire.
    pub fn code(self) -> u32 {
        match self {
            AuthState::Refused => 1,
            AuthState::Continue => 2,
            AuthState::Done => 3,
        }
    }
}

/// A client's credentials. Older robots require none; a Pepper with NAOqi 2.9 requires the user `nao` and the robot's
/// password.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user name.
    pub user: String,
    /// The password or token.
    pub token: String,
}

/// Omits the password, which must not appear in logs.
impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").field("user", &self.user).finish_non_exhaustive()
    }
}

impl Credentials {
    /// Adds the credentials to the map of an authentication.
    pub(crate) fn put_into(&self, map: &mut Capabilities) {
        map.set("auth_user", self.user.as_str());
        map.set("auth_token", self.token.as_str());
    }

    /// Returns the credentials that a client has sent, if any.
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
    fn the_number_of_stored_capabilities_is_limited() {
        let mut theirs = Capabilities::default();
        for i in 0..1000 {
            let mut said = Capabilities::default();
            said.set(&i.to_string(), true);
            theirs.merge(&said);
        }
        assert_eq!(theirs.entries.len(), MOST);
        let names = (0..1000).map(|i: i32| (Value::from(i.to_string().as_str()), Value::from(true).dynamic()));
        let said = Value::map_of(Signature::Str, Signature::Dynamic, names.collect());
        let mut bytes = Vec::new();
        encode(&said, &Capabilities::signature(), &ObjectLayout::default(), &mut bytes).unwrap();
        assert_eq!(Capabilities::decode(&bytes).unwrap().entries.len(), MOST);
    }

    #[test]
    fn an_authentication_state_may_have_any_integer_width() {
        let with = |state: Value| {
            let mut map = Capabilities::default();
            map.set(STATE, state);
            AuthState::from_answer(&Capabilities::decode(&map.encode().unwrap()).unwrap())
        };
        assert_eq!(with(Value::U32(3)), AuthState::Done);
        assert_eq!(with(Value::I32(2)), AuthState::Continue);
        assert_eq!(with(Value::I64(1).dynamic()), AuthState::Refused);
        assert_eq!(AuthState::from_answer(&Capabilities::default()), AuthState::Done);
    }

    #[test]
    fn credentials_are_not_printed() {
        let text = format!("{:?}", Credentials { user: "nao".into(), token: "secret".into() });
        assert!(text.contains("nao") && !text.contains("secret"), "{text}");
    }
}
