//! The behaviors of a project, as a library of the engine.

use super::{behavior_source, full_name};
use boxstep_bodies::Body;
use boxstep_engine::config::{BehaviorSource, Library};
use boxstep_format::project::Behavior;
use boxstep_format::{Limits, Opened, XarFile};
use std::cell::LazyCell;

/// Returns whether an opened input is a project or package, and not just a file.
pub fn is_project(opened: &Opened) -> bool {
    opened.pml.is_some() || opened.manifest.is_some()
}

/// Opens the whole project; even a `.xar` that was named by itself may belong to one.
pub fn whole_project(opened: &Opened) -> Opened {
    let in_project = is_project(opened) && opened.archive().is_none();
    let whole = in_project.then(|| boxstep_format::open(&opened.folder, &Limits::default()).ok());
    whole.flatten().unwrap_or_else(|| opened.clone())
}

/// Is called with the name of a behavior and its file.
type OnOpen = Box<dyn FnMut(&str, &XarFile) + Send>;

/// The behaviors of a project, by the names that robots know them by: scripts start them through `ALBehaviorManager`.
pub struct ProjectLibrary {
    opened: LazyCell<Opened, Box<dyn FnOnce() -> Opened + Send>>,
    language: String,
    body: &'static Body,
    on_open: Option<OnOpen>,
}

impl ProjectLibrary {
    /// Creates the library of a project, whose behaviors speak a language and fit a body. `opened` is called when the
    /// library is used first.
    pub fn new(opened: impl FnOnce() -> Opened + Send + 'static, language: String, body: &'static Body) -> Self {
        Self { opened: LazyCell::new(Box::new(opened)), language, body, on_open: None }
    }

    /// Calls a function whenever a behavior has been opened, with its name and its file.
    #[must_use]
    pub fn on_open(self, listener: impl FnMut(&str, &XarFile) + Send + 'static) -> Self {
        Self { on_open: Some(Box::new(listener)), ..self }
    }
}

impl Library for ProjectLibrary {
    fn names(&self) -> Vec<String> {
        self.opened.behaviors.iter().map(|b| full_name(&self.opened, b)).collect()
    }

    fn open(&mut self, name: &str) -> Option<Result<BehaviorSource, String>> {
        let behavior = installed(&self.opened, name)?;
        let file = match behavior.read(&Limits::default()) {
            Ok(file) => file,
            Err(why) => return Some(Err(why.to_string())),
        };
        if let Some(listener) = &mut self.on_open {
            listener(&full_name(&self.opened, behavior), &file);
        }
        Some(Ok(behavior_source(&self.opened, behavior, file, &[], &self.language, self.body).0))
    }
}

/// Returns the behavior that robots know by this name.
pub fn installed<'a>(opened: &'a Opened, name: &str) -> Option<&'a Behavior> {
    let name = name.trim_matches('/');
    let full = opened.behaviors.iter().find(|b| full_name(opened, b) == name);
    full.or_else(|| opened.behaviors.iter().find(|b| b.name == name))
}
