//! What patterns ask beside the words.

use super::Dialog;
use super::values::{as_text, compare};
use crate::matching::Facts;
use crate::topic::Condition;
use crate::world::World;
use boxstep_types::Value;

/// The facts as a topic sees them.
pub(super) struct View<'a> {
    pub(super) dialog: &'a Dialog,
    pub(super) world: &'a dyn World,
    pub(super) topic: u32,
    /// The event that is answered; `None` for a sentence.
    pub(super) event: Option<&'a str>,
    /// Whether conditions and tags count as true: what would match if they were.
    pub(super) lenient: bool,
}

impl Facts for View<'_> {
    fn condition(&self, condition: &Condition) -> bool {
        if self.lenient {
            return true;
        }
        let value = self.dialog.variable(self.world, self.topic, &condition.subject);
        let with = self.dialog.plain_text(self.world, self.topic, &condition.value);
        compare(value.as_ref(), condition.comparison, with.as_deref())
    }

    fn event(&self, key: &str) -> bool {
        // Decision: beside words, an event counts if it was raised since the last sentence.
        self.event.map_or_else(|| self.dialog.recent.contains(key), |event| event == key)
    }

    fn tag(&self, name: &str) -> bool {
        self.lenient || !self.dialog.is_off(self.topic, name)
    }

    fn variable(&self, key: &str) -> Option<String> {
        self.dialog.variable(self.world, self.topic, key).map(|value: Value| as_text(&value))
    }
}
