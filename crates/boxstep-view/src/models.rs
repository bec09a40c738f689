//! The behaviors and the character that a page draws. Behaviors may be added, and scripts may change, while a page is open.

use boxstep_bodies::Body;
use boxstep_format::{XarFile, paths};
use boxstep_types::BoxPath;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// A behavior that is drawn.
pub struct Model {
    /// Its name.
    pub name: String,
    /// Its content.
    pub file: Arc<XarFile>,
    /// The body whose joints its curves move.
    pub body: &'static Body,
}

/// The list of behaviors that are drawn. Clones share the list, which may change while a page is open.
#[derive(Clone)]
pub struct Models {
    list: Arc<watch::Sender<Vec<Arc<Model>>>>,
    /// A character, as `boxstep show --format json` writes it.
    character: Arc<Mutex<Option<Arc<str>>>>,
}

impl Default for Models {
    fn default() -> Self {
        Self::from_iter([])
    }
}

impl FromIterator<Model> for Models {
    fn from_iter<I: IntoIterator<Item = Model>>(models: I) -> Self {
        let list = watch::Sender::new(models.into_iter().map(Arc::new).collect());
        Self { list: Arc::new(list), character: Arc::default() }
    }
}

impl Models {
    /// Removes the behaviors with the names `gone`, and adds or replaces those in `come` by their names.
    pub fn exchange(&self, gone: &[String], come: Vec<Model>) {
        self.list.send_modify(|models| {
            models.retain(|known| !gone.contains(&known.name) || come.iter().any(|model| model.name == known.name));
            for model in come.into_iter().map(Arc::new) {
                match models.iter_mut().find(|known| known.name == model.name) {
                    Some(known) => *known = model,
                    None => models.push(model),
                }
            }
        });
    }

    /// Replaces all behaviors.
    pub fn replace(&self, models: Vec<Model>) {
        self.list.send_replace(models.into_iter().map(Arc::new).collect());
    }

    /// Replaces the script of a box. Does nothing if the behavior or the box does not exist.
    pub fn set_script(&self, behavior: &str, path: &BoxPath, text: &Arc<str>) {
        self.list.send_if_modified(|models| {
            let Some(model) = models.iter_mut().find(|known| known.name == behavior) else { return false };
            let mut file = (*model.file).clone();
            let Ok(trail) = paths::find(&file.project, path).map(|found| found.trail) else { return false };
            let Some(script) = paths::at_mut(&mut file.project, &trail).and_then(|def| def.script.as_mut()) else {
                return false;
            };
            script.text = text.clone();
            *model = Arc::new(Model { name: model.name.clone(), file: Arc::new(file), body: model.body });
            true
        });
    }

    /// Sets the character that plays, as `boxstep show --format json` writes it: a page draws it before it plays.
    pub fn set_character(&self, chart: Option<String>) {
        *self.character.lock().unwrap_or_else(PoisonError::into_inner) = chart.map(Arc::from);
    }

    pub(crate) fn character(&self) -> Option<Arc<str>> {
        self.character.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn get(&self, number: usize) -> Option<Arc<Model>> {
        self.list.borrow().get(number).cloned()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.list.borrow().iter().map(|model| model.name.clone()).collect()
    }

    /// Subscribes to changes.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Vec<Arc<Model>>> {
        self.list.subscribe()
    }
}
