//! Behaviors of characters in a show, which also act on other robots.

use super::{Search, Wanted};
use crate::why::WISHED;
use boxstep_trace::{Chain, DelegationEvent, Event, Kind, ShowEvent};
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;

/// Where the leaves are that act for the character on another robot, as `Paths::place` writes it.
pub(super) type Guests = HashSet<String>;

impl<'a> Search<'a> {
    /// Finds the leaves that act for characters on other robots.
    pub(super) fn guests(recording: &boxstep_trace::Recording) -> Guests {
        let is_wish = |event: &&Event| wish(&event.kind).is_some();
        recording.events.iter().filter(is_wish).map(|event| recording.paths.place(event.path)).collect()
    }

    pub(super) fn is_guest(&self, event: &Event) -> bool {
        matches!(event.kind, Kind::Delegation(_)) && self.guests.contains(&self.recording.paths.place(event.path))
    }

    /// Returns the name of the behavior of a character that starts with this event. A leaf that acts for another robot has
    /// control all the time, and starts when it is wanted.
    pub(super) fn delegate(&self, event: &'a Event) -> Option<String> {
        let Kind::Delegation(told) = &event.kind else { return None };
        let starts = match (&told.event, self.is_guest(event)) {
            (DelegationEvent::Activated { .. }, false) => {
                // All of its leaves together are nothing that a character has.
                let place = self.recording.paths.place(event.path);
                !self.guests.iter().any(|leaf| leaf.strip_prefix(&place).is_some_and(|rest| rest.starts_with('/')))
            }
            (DelegationEvent::Watches { .. }, true) => wish(&event.kind) == Some(true),
            _ => false,
        };
        let path = self.recording.paths.get(event.path)?;
        starts.then(|| told.name.as_deref().unwrap_or_else(|| path.name()).to_owned())
    }

    /// Returns whether an event is of a whole character, and not of a part of it.
    pub(super) fn is_root(&self, event: &Event) -> bool {
        self.recording.paths.get(event.path).is_some_and(|path| path.parent().is_none())
    }

    /// Finds the last start of a character on the robot that leads it, by the name of its file.
    pub(super) fn character(&self, robot: &str, wanted: &str) -> Option<Wanted<'a>> {
        let show = serde_json::to_value(&self.show.show).ok()?;
        let me = self.show.robots.iter().position(|of| of.name == robot)?;
        let list = |of: &Value, name: &str| of.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        let plays = |part: &Value| {
            let character = part.get("character");
            let file = character.and_then(|character| character.get("file")?.as_str());
            let is_named =
                file.is_some_and(|file| file == wanted || Path::new(file).file_stem().is_some_and(|of| *of == *wanted));
            is_named && character.and_then(|character| character.get("lead")?.as_u64()) == Some(me as u64)
        };
        let scenes = list(&show, "scenes").into_iter().filter(|scene| list(scene, "parts").iter().any(plays));
        let scenes: Vec<String> = scenes.filter_map(|scene| Some(scene.get("name")?.as_str()?.to_owned())).collect();
        let root = |event: &&'a Event| self.robot(event) == robot && self.is_root(event);
        self.backwards().filter(root).find_map(|event| {
            let name = self.delegate(event)?;
            let scene = self.scene(event).and_then(|scene| scene_of(&scene.kind))?;
            scenes.iter().any(|of| *of == *scene).then(|| Wanted { robot: self.robot(event), name, event })
        })
    }

    /// Returns the scene of a robot in which an event happened.
    fn scene(&self, of: &Event) -> Option<&'a Event> {
        let mut before = self.backwards().skip_while(|event| event.n >= of.n);
        before.find(|event| self.robot(event) == self.robot(of) && scene_of(&event.kind).is_some())
    }

    /// Returns an event with its causes. From a leaf that acts for the character on another robot they lead there, and
    /// from a character to its scene.
    pub(super) fn chain(&self, event: &'a Event) -> Chain<'a> {
        let mut chain = self.recording.chain(event);
        let mut before = self.backwards().skip_while(|other| other.n > event.n);
        if let Some(at) = chain.events.iter().position(|event| self.is_guest(event)) {
            let leaf = self.recording.paths.place(chain.events[at].path);
            chain.events.truncate(at);
            let wanted =
                before.find(|other| self.recording.paths.place(other.path) == leaf && wish(&other.kind) == Some(true));
            chain.events.extend(wanted);
            let name = wanted.and_then(|wanted| self.delegate(wanted));
            let lead = before.find(|other| {
                matches!(&other.kind, Kind::Delegation(told) if matches!(told.event, DelegationEvent::Activated { .. }))
                    && !self.is_guest(other)
                    && name.is_some()
                    && self.delegate(other) == name
            });
            if let Some(lead) = lead {
                let more = self.recording.chain(lead);
                chain.left_out += more.left_out;
                chain.events.extend(more.events);
            }
        }
        if let Some(first) = chain.events.last().copied()
            && matches!(first.kind, Kind::Delegation(_))
            && !self.is_guest(first)
            && let Some(scene) = self.scene(first)
        {
            chain.events.extend(self.recording.chain(scene).events);
        }
        chain
    }

    /// Says which robot wanted something, if this event is that it was wanted; `by` is the event after it in its chain.
    pub(super) fn wanted_by(&self, event: &Event, by: Option<&&'a Event>) -> Option<String> {
        if !self.is_guest(event) {
            return None;
        }
        let lead = by.and_then(|by| Some((by, self.delegate(by)?)));
        Some(match lead {
            Some((by, name)) => {
                format!(" because {} wanted it: {name} had control there from {} s", self.robot(by), by.t)
            }
            None => " because another robot wanted it, whose recording does not say that".to_owned(),
        })
    }
}

fn scene_of(kind: &Kind) -> Option<&str> {
    match kind {
        Kind::Show(told) => match &**told {
            ShowEvent::Scene { scene } => Some(scene),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether a leaf is wanted by the character on another robot, if the event says that.
fn wish(kind: &Kind) -> Option<bool> {
    let Kind::Delegation(told) = kind else { return None };
    let DelegationEvent::Watches { value } = &told.event else { return None };
    value.iter().find(|condition| condition.what == WISHED).map(|condition| condition.holds)
}
