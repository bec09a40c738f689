//! The behaviors that a page draws. Behaviors may be added, and scripts may change, while a page is open.

use boxstep_bodies::Body;
use boxstep_format::{XarFile, paths};
use boxstep_types::BoxPath;
use std::sync::Arc;
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
pub struct Models(Arc<watch::Sender<Vec<Arc<Model>>>>);

impl Default for Models {
    fn default() -> Self {
        Self::from_iter([])
    }
}

impl FromIterator<Model> for Models {
    fn from_iter<I: IntoIterator<Item = Model>>(models: I) -> Self {
        Self(Arc::new(watch::Sender::new(models.into_iter().map(Arc::new).collect())))
    }
}

impl Models {
    /// Removes the behaviors with the names `gone`, and adds or replaces those in `come` by their names.
    pub fn exchange(&self, gone: &[String], come: Vec<Model>) {
        self.0.send_modify(|models| {
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
        self.0.send_replace(models.into_iter().map(Arc::new).collect());
    }

    /// Replaces the script of a box. Does nothing if the behavior or the box does not exist.
    pub fn set_script(&self, behavior: &str, path: &BoxPath, text: &Arc<str>) {
        self.0.send_if_modified(|models| {
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

    pub(crate) fn get(&self, number: usize) -> Option<Arc<Model>> {
        self.0.borrow().get(number).cloned()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.0.borrow().iter().map(|model| model.name.clone()).collect()
    }

    /// Subscribes to changes.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Vec<Arc<Model>>> {
        self.0.subscribe()
    }
}
