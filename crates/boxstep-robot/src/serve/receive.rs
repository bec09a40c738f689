//! Uploads of behaviors: the method `receive` of the service `Boxstep`.
//!
//! | method | |
//! |---|---|
//! | `receive::(sL)->o` | Returns an object that accepts an archive, given its file name and size. Fails with the reason where uploads are not accepted. |
//! | of that object: `write::(r)->L` | Appends a piece of at most [`PIECE`] bytes; answers how many bytes have arrived. |
//! | `install::()->([(ss)][s])` | Called once after the last piece: checks the archive and stores it. Answers the behaviors (folder in the project, name) and the findings. |
//!
//! Nothing is written to the disk before the whole archive has been read. When its client releases the object, the
//! received bytes are dropped.

use super::object::lock;
use boxstep_qi::{BuildError, Failure, Object, ObjectBuilder, Signature, Value};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

/// The largest archive, in bytes.
pub const MOST: u64 = 64 << 20;

/// The largest piece, in bytes.
pub const PIECE: usize = 1 << 20;

/// The most uploads at a time.
const AT_ONCE: usize = 4;

/// An upload that has been idle for this long is dropped if another one needs its place.
const IDLE: Duration = Duration::from_secs(60);

/// The longest name of an archive, in bytes.
const LONGEST_NAME: usize = 200;

/// Handles uploaded archives.
pub trait Inbox: Send + Sync {
    /// Checks whether uploads are accepted.
    ///
    /// # Errors
    /// Why none is accepted, for the sender.
    fn open(&self) -> Result<(), String>;

    /// Stores the behaviors of an archive. `name` is a plain file name.
    ///
    /// # Errors
    /// What is wrong with the archive, for the sender.
    fn install(&self, name: &str, archive: &[u8]) -> Result<Installed, String>;
}

/// The contents of an installed archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Installed {
    /// For each behavior, the folder in its project (`.` for the project's own) and the name that starts it.
    pub behaviors: Vec<(String, String)>,
    /// The findings about the files, one line each.
    pub findings: Vec<String>,
}

/// An inbox that accepts nothing, for this reason.
pub struct Closed(pub String);

impl Inbox for Closed {
    fn open(&self) -> Result<(), String> {
        Err(self.0.clone())
    }

    fn install(&self, _: &str, _: &[u8]) -> Result<Installed, String> {
        Err(self.0.clone())
    }
}

/// An archive that is being uploaded. `None` once it has been installed or dropped.
type Arriving = Mutex<Option<ArchivePart>>;

struct ArchivePart {
    bytes: Vec<u8>,
    latest: Instant,
}

/// The uploads in progress.
pub(super) struct Receiving {
    inbox: Arc<dyn Inbox>,
    arriving: Mutex<Vec<Weak<Arriving>>>,
}

impl Receiving {
    pub(super) fn new(inbox: Arc<dyn Inbox>) -> Receiving {
        Receiving { inbox, arriving: Mutex::default() }
    }

    /// Returns an object that accepts an archive.
    pub(super) fn receive(&self, args: &[Value]) -> Result<Value, Failure> {
        self.inbox.open()?;
        let name = args.first().and_then(Value::as_str).unwrap_or_default();
        if !is_plain(name) {
            return Err("an archive is sent under a plain file name, such as dance.crg".to_owned());
        }
        let size = args.get(1).and_then(Value::as_u64).unwrap_or_default();
        if size > MOST {
            return Err(format!("{name} has {size} bytes; {MOST} are the most that can be sent"));
        }
        let arriving = self.place()?;
        let object: Arc<dyn Object> = object(name, size, arriving, &self.inbox).map_err(|e| e.to_string())?;
        Ok(object.into())
    }

    /// Makes room for another upload.
    fn place(&self) -> Result<Arc<Arriving>, Failure> {
        let mut all = lock(&self.arriving);
        all.retain(|one| one.upgrade().is_some_and(|one| lock(&one).is_some()));
        if all.len() >= AT_ONCE {
            let idle = |one: &Weak<Arriving>| {
                let one = one.upgrade()?;
                let idle = lock(&one).as_ref().is_some_and(|part| part.latest.elapsed() > IDLE);
                idle.then_some(one)
            };
            let one =
                all.iter().find_map(idle).ok_or_else(|| format!("{AT_ONCE} archives arrive already: try again"))?;
            *lock(&one) = None;
        }
        let one = Arc::new(Mutex::new(Some(ArchivePart { bytes: Vec::new(), latest: Instant::now() })));
        all.push(Arc::downgrade(&one));
        Ok(one)
    }
}

/// Returns whether a file name means the same on every system and can be displayed.
fn is_plain(name: &str) -> bool {
    let odd = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
    !name.is_empty() && name.len() <= LONGEST_NAME && !name.starts_with('.') && !name.contains(odd)
}

const GIVEN_UP: &str = "this archive has been installed, or dropped in favor of others: send it again";

fn object(
    name: &str,
    size: u64,
    arriving: Arc<Arriving>,
    inbox: &Arc<dyn Inbox>,
) -> Result<Arc<boxstep_qi::BuiltObject>, BuildError> {
    let (name, inbox, whole) = (name.to_owned(), Arc::clone(inbox), Arc::clone(&arriving));
    ObjectBuilder::new("An archive that is sent.")
        .method("write::(r)->L", move |args| {
            let piece = args.first().and_then(Value::as_bytes).unwrap_or_default();
            let mut arriving = lock(&arriving);
            let part = arriving.as_mut().ok_or(GIVEN_UP)?;
            let after = (part.bytes.len() + piece.len()) as u64;
            if piece.len() > PIECE || after > size {
                // A client that breaks its announcement loses the upload.
                *arriving = None;
                return Err(format!("a piece has at most {PIECE} bytes, and this archive {size} as announced"));
            }
            part.bytes.extend_from_slice(piece);
            part.latest = Instant::now();
            Ok(after.into())
        })
        .method("install::()->([(ss)][s])", move |_| {
            let part = lock(&whole).take().ok_or(GIVEN_UP)?;
            if part.bytes.len() as u64 != size {
                return Err(format!("{name} is cut off: {} of {size} bytes have arrived", part.bytes.len()));
            }
            inbox.install(&name, &part.bytes).map(|installed| installed_value(&installed))
        })
        .build()
}

/// Returns the installed behaviors and findings as `([(ss)][s])`.
fn installed_value(installed: &Installed) -> Value {
    let pair = |(folder, name): &(String, String)| Value::tuple(vec![folder.as_str().into(), name.as_str().into()]);
    let pairs = Signature::tuple(vec![Signature::Str, Signature::Str]);
    let behaviors = Value::list_of(pairs, installed.behaviors.iter().map(pair).collect());
    let findings = Value::list_of(Signature::Str, installed.findings.iter().map(|f| f.as_str().into()).collect());
    Value::tuple(vec![behaviors, findings])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_archives_are_names_of_files() {
        for good in ["dance.crg", "Tänze 2.pkg", "a"] {
            assert!(is_plain(good), "{good}");
        }
        for bad in
            ["", ".", "..", "...crg", "a/b.crg", "a\\b.crg", "c:a.crg", "a\u{1b}[2J.crg", "a\0", &"a".repeat(201)]
        {
            assert!(!is_plain(bad), "{bad:?}");
        }
    }
}
