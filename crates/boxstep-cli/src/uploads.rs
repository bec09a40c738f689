//! Behaviors that clients send: the store that keeps them, and the library that offers them to `ALBehaviorManager`.

use crate::args::{Accept, AcceptArgs};
use crate::console::Outlet;
use boxstep_api::play::ProjectLibrary;
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, Library};
use boxstep_engine::shared::Shared;
use boxstep_format::{Limits, XarFile};
use boxstep_robot::serve::receive::{Closed, Inbox, Installed};
use boxstep_types::{Diagnostic, printable_line};
use boxstep_view::{Model, Models};
use std::collections::HashSet;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many archives are kept at a time. The limits on unpacking apply to each.
const MOST_KEPT: usize = 64;

/// How many archives are accepted in total: something of a replaced archive stays in the engine.
const MOST_TAKEN: usize = 1000;

/// The maximum length of a behavior's name, in bytes.
const LONGEST_NAME: usize = 1000;

/// The store of received behaviors, read for the robot's language and body. Clones share the same store.
#[derive(Clone)]
pub(crate) struct UploadStore {
    kept: Arc<Mutex<Uploads>>,
    language: String,
    body: &'static Body,
}

#[derive(Default)]
struct Uploads {
    packages: Vec<ProjectLibrary>,
    /// Reserved names: those of the run's own behaviors.
    own: HashSet<String>,
    taken: usize,
    /// How many archives are kept, if that is more than [`MOST_KEPT`].
    room: usize,
}

impl UploadStore {
    /// Creates an empty store.
    pub(crate) fn new(language: &str, body: &'static Body) -> Self {
        Self { kept: Arc::default(), language: language.to_owned(), body }
    }

    /// Returns a library with the run's own behaviors and the received ones.
    pub(crate) fn library(&self, own: Box<dyn Library>) -> Box<dyn Library> {
        self.kept().own = own.names().into_iter().collect();
        Box::new(WithUploads { own, store: self.clone() })
    }

    /// Drops everything, with the folders it was unpacked to. Scripts may keep the engine, and with it the store, until
    /// the end of the process.
    pub(crate) fn clear(&self) {
        let packages = std::mem::take(&mut self.kept().packages);
        drop(packages);
    }

    /// Makes room for so many archives: a show may have more than clients may send.
    pub(crate) fn make_room(&self, archives: usize) {
        self.kept().room = archives;
    }

    fn kept(&self) -> MutexGuard<'_, Uploads> {
        // A poisoned lock is usable: every change is made in one step.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the inbox of a run that is served at an address. A line for each archive goes to `outlet`, if there is
    /// one; a page draws the behaviors.
    pub(crate) fn inbox(
        &self,
        accept: &AcceptArgs,
        at: SocketAddr,
        engine: Shared<Engine>,
        outlet: Option<Outlet>,
        models: Option<Models>,
    ) -> Arc<dyn Inbox> {
        match accept.refusal(at) {
            Some(why) => Arc::new(Closed(why)),
            None => Arc::new(UploadInbox { store: self.clone(), engine, outlet: Mutex::new(outlet), models }),
        }
    }
}

impl AcceptArgs {
    /// Returns why a run at this address accepts no behaviors, as a message for the sender.
    pub(crate) fn refusal(&self, at: SocketAddr) -> Option<String> {
        match self.accept_behaviors {
            Accept::Always => None,
            Accept::Local if at.ip().is_loopback() => None,
            Accept::Local => Some(
                "this Boxstep takes no behaviors, because others than its own machine reach it: it would run their programs; \
                 start it with --accept-behaviors always if it is to do so"
                    .to_owned(),
            ),
            Accept::Never => {
                Some("this Boxstep takes no behaviors: it was started with --accept-behaviors never".to_owned())
            }
        }
    }
}

/// The run's own behaviors and the received ones.
struct WithUploads {
    own: Box<dyn Library>,
    store: UploadStore,
}

impl Library for WithUploads {
    fn names(&self) -> Vec<String> {
        let mut names = self.own.names();
        names.extend(self.store.kept().packages.iter().flat_map(Library::names));
        names
    }

    fn open(&mut self, name: &str) -> Option<Result<BehaviorSource, String>> {
        // Full names come first: the last part of a name may occur in several packages.
        let mut kept = self.store.kept();
        if let Some(package) = kept.packages.iter_mut().find(|package| package.names().iter().any(|n| n == name)) {
            return package.open(name);
        }
        drop(kept);
        self.own.open(name)
    }
}

struct UploadInbox {
    store: UploadStore,
    engine: Shared<Engine>,
    outlet: Mutex<Option<Outlet>>,
    /// The models of the page.
    models: Option<Models>,
}

impl Inbox for UploadInbox {
    fn open(&self) -> Result<(), String> {
        if self.store.kept().taken < MOST_TAKEN {
            return Ok(());
        }
        Err(format!("this Boxstep has taken {MOST_TAKEN} archives, which is the most: restart it to send more"))
    }

    fn install(&self, name: &str, archive: &[u8]) -> Result<Installed, String> {
        let (package, installed, files) =
            self.store.read(name, archive).map_err(|why| printable_line(&why).into_owned())?;
        let names = package.names();
        let replaced = self.engine.poke(|engine| {
            if engine.outcome().is_some() {
                return Err("the run is over".to_owned());
            }
            self.store.put(package, |names| {
                let runs =
                    |name: &str| format!("{name} runs: it can be replaced when it has ended (`boxstep stop {name}`)");
                engine.forget_behaviors(names).map_err(runs)
            })
        });
        // Unpacked folders are removed here, after the engine's lock was released.
        let replaced = replaced?;
        if let Some(models) = &self.models {
            let gone: Vec<String> = replaced.iter().flat_map(Library::names).collect();
            let model = |(name, file): (&String, XarFile)| Model {
                name: name.clone(),
                file: Arc::new(file),
                body: self.store.body,
            };
            models.exchange(&gone, names.iter().zip(files).map(model).collect());
        }
        let again = if replaced.is_empty() { "" } else { ", in the place of what was sent before" };
        let outlet = self.outlet.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outlet) = &*outlet {
            outlet.send(format!("received {name}: {}{again}\n", names.join(", ")));
        }
        Ok(installed)
    }
}

impl UploadStore {
    /// Reads all of an archive, as `play` and `check` do.
    fn read(&self, name: &str, archive: &[u8]) -> Result<(ProjectLibrary, Installed, Vec<XarFile>), String> {
        let limits = Limits::default();
        let opened = boxstep_format::open_bytes(Path::new(name), archive, &limits);
        let opened = opened.map_err(|e| e.diagnostic().to_string())?;
        if opened.behaviors.is_empty() {
            return Err(format!("{name} has no behavior"));
        }
        let line = |finding: &Diagnostic| printable_line(&finding.to_string()).into_owned();
        let mut findings: Vec<String> = opened.findings.iter().map(line).collect();
        findings.extend(opened.manifest_error.iter().map(|e| line(&e.diagnostic())));
        let mut files = Vec::new();
        for behavior in &opened.behaviors {
            let file = behavior.read(&limits).map_err(|e| format!("{}: {}", behavior.shown, e.diagnostic()))?;
            findings.extend(file.findings.iter().map(|f| format!("{}: {}", printable_line(&behavior.shown), line(f))));
            files.push(file);
        }
        let folders: Vec<String> = opened.behaviors.iter().map(|b| b.name.clone()).collect();
        let package = ProjectLibrary::new(move || opened, self.language.clone(), self.body);
        let names = package.names();
        let mut seen = HashSet::new();
        for name in &names {
            if name.is_empty() || name.len() > LONGEST_NAME || name.contains(char::is_control) {
                return Err(format!("a behavior cannot be called {name:?}"));
            }
            if !seen.insert(name) {
                return Err(format!("two behaviors are called {name}"));
            }
        }
        Ok((package, Installed { behaviors: folders.into_iter().zip(names).collect(), findings }, files))
    }

    /// Adds a package, if the engine can forget the behaviors of the same names. Returns the packages that were
    /// replaced.
    fn put(
        &self,
        package: ProjectLibrary,
        forget: impl FnOnce(&[String]) -> Result<(), String>,
    ) -> Result<Vec<ProjectLibrary>, String> {
        let mut kept = self.kept();
        let names = package.names();
        if let Some(name) = names.iter().find(|name| kept.own.contains(*name)) {
            return Err(format!("{name} is a behavior of what plays here, and is not replaced"));
        }
        let meets = |other: &ProjectLibrary| other.names().iter().any(|name| names.contains(name));
        let others = kept.packages.iter().filter(|other| meets(other));
        let gone: Vec<String> = others.clone().flat_map(Library::names).collect();
        let most = kept.room.max(MOST_KEPT);
        if kept.packages.len() - others.count() >= most {
            return Err(format!("{most} archives have been sent already, which is the most that are kept"));
        }
        forget(&gone)?;
        let replaced = kept.packages.extract_if(.., |other| meets(other)).collect();
        kept.packages.push(package);
        kept.taken += 1;
        Ok(replaced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaviors_are_taken_from_this_machine_and_from_others_only_if_that_is_asked_for() {
        let here: [SocketAddr; 2] = ["127.0.0.1:9559".parse().unwrap(), "[::1]:9559".parse().unwrap()];
        let others: [SocketAddr; 2] = ["0.0.0.0:9559".parse().unwrap(), "192.168.1.5:9559".parse().unwrap()];
        let refused = |accept, at: &SocketAddr| AcceptArgs { accept_behaviors: accept }.refusal(*at).is_some();
        for at in &here {
            assert!(!refused(Accept::Local, at) && !refused(Accept::Always, at) && refused(Accept::Never, at));
        }
        for at in &others {
            assert!(refused(Accept::Local, at) && !refused(Accept::Always, at) && refused(Accept::Never, at));
        }
    }
}
