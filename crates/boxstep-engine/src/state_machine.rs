//! State machines: named states over frames, labels, one state current.
//!
//! The layers of a timeline divide its frames into states: a state begins where a keyframe of any layer does, and
//! contains for each layer the keyframe that covers it. So the diagrams of a frame and the frame of a label each take
//! one lookup, however many keyframes there are. Public source: the QiCore project's README, "Timeline concept and
//! TimelineStates" and "To know"; see `docs/reference/semantics/timeline.md`.

use boxstep_format::{model, states};
use std::collections::HashMap;
use std::sync::Arc;

/// A keyframe, by its layer and its index in the layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// The index of the layer.
    pub layer: usize,
    /// The index of the keyframe in the layer.
    pub keyframe: usize,
}

/// A state: from its first frame up to, and not including, the first frame of the next state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineState {
    /// The first frame.
    pub begin: i64,
    /// Names of the keyframes that begin here.
    pub labels: Vec<Arc<str>>,
    /// For each layer, the keyframe that covers the state.
    pub keyframes: Box<[Option<usize>]>,
}

/// A state of an explicit state machine that a timeline enters at a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The frame.
    pub begin: i64,
    /// The state's labels.
    pub labels: Vec<Arc<str>>,
    /// The state's name.
    pub name: Arc<str>,
    /// The state's number.
    pub state: usize,
}

/// The keyframes that change when a state is entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Keyframes that no longer cover the frame; they are left first.
    pub leaves: Vec<Member>,
    /// Keyframes that newly cover the frame; they are entered then. A keyframe that continues is in neither list.
    pub enters: Vec<Member>,
}

/// The states of a timeline, in order of frames.
#[derive(Clone, Debug, Default)]
pub struct TimelineStates {
    states: Vec<TimelineState>,
    labels: HashMap<Arc<str>, i64>,
    layers: usize,
}

impl TimelineStates {
    /// The states of a timeline's layers, without those that are muted or empty; `boxstep_format::states` says how they
    /// are divided. A label that occurs twice refers to the first in document order.
    pub fn of_layers(timeline: &model::Timeline) -> Self {
        let played = |l: &&model::BehaviorLayer| !l.mute && !l.keyframes.is_empty();
        let layers: Vec<usize> =
            timeline.layers.iter().enumerate().filter(|(_, l)| played(l)).map(|(index, _)| index).collect();
        let mut labels = HashMap::new();
        for k in timeline.layers.iter().filter(played).flat_map(|l| &l.keyframes) {
            labels.entry(k.name.clone()).or_insert_with(|| k.index.into());
        }
        let state = |s: states::State| {
            let keyframe = |layer: &usize| s.active.iter().find(|m| m.layer == *layer).map(|m| m.keyframe);
            TimelineState { begin: s.begin, keyframes: layers.iter().map(keyframe).collect(), labels: s.labels }
        };
        // Frames before the first keyframe belong to no state here.
        let cut = states::states(timeline).into_iter().filter(|s| !s.active.is_empty());
        Self { states: cut.map(state).collect(), labels, layers: layers.len() }
    }

    /// The states of an explicit state machine: they are the keyframes of one layer, and those that have a frame are
    /// entered there.
    pub fn written(machine: &model::StateMachine) -> Self {
        let flag = |(index, s): (usize, &model::MachineState)| {
            Some(Flag { begin: i64::from(s.begin?), labels: s.labels.clone(), name: s.name.clone(), state: index })
        };
        Self::flagged(machine.states.iter().enumerate().filter_map(flag).collect())
    }

    /// The states that are entered at the frames of `flags`. If two have the same frame, the later in the list counts.
    /// A label or name refers to the first state that has it, and labels come before names.
    pub fn flagged(flags: Vec<Flag>) -> Self {
        let mut labels = HashMap::new();
        for flag in &flags {
            for label in &flag.labels {
                labels.entry(label.clone()).or_insert(flag.begin);
            }
        }
        for flag in &flags {
            labels.entry(flag.name.clone()).or_insert(flag.begin);
        }
        let state = |f: Flag| TimelineState { begin: f.begin, labels: f.labels, keyframes: Box::new([Some(f.state)]) };
        let mut states: Vec<TimelineState> = flags.into_iter().map(state).collect();
        states.sort_by_key(|s| s.begin);
        states.reverse();
        states.dedup_by_key(|s| s.begin);
        states.reverse();
        Self { states, labels, layers: 1 }
    }

    /// The states, in order of frames.
    pub fn states(&self) -> &[TimelineState] {
        &self.states
    }

    /// The state of a frame; `None` before the first keyframe.
    pub fn at(&self, frame: i64) -> Option<&TimelineState> {
        self.states.get(self.index_at(frame)?)
    }

    /// The index of the state of a frame.
    pub fn index_at(&self, frame: i64) -> Option<usize> {
        self.states.partition_point(|s| s.begin <= frame).checked_sub(1)
    }

    /// The frame at which the keyframe of this name begins.
    pub fn labelled(&self, name: &str) -> Option<i64> {
        self.labels.get(name).copied()
    }

    /// The first frame after this one at which a state begins.
    pub fn next_after(&self, frame: i64) -> Option<i64> {
        self.states.get(self.states.partition_point(|s| s.begin <= frame)).map(|s| s.begin)
    }

    /// The keyframe of a layer that covers a frame.
    pub fn keyframe(&self, layer: usize, frame: i64) -> Option<usize> {
        *self.at(frame)?.keyframes.get(layer)?
    }

    /// The keyframes to leave and to enter for a frame, given the keyframes that are entered now, by layer.
    pub fn change(&self, entered: &[Option<usize>], frame: i64) -> Change {
        let mut change = Change::default();
        for layer in 0..self.layers {
            let (old, new) = (entered.get(layer).copied().flatten(), self.keyframe(layer, frame));
            if old != new {
                change.leaves.extend(old.map(|keyframe| Member { layer, keyframe }));
                change.enters.extend(new.map(|keyframe| Member { layer, keyframe }));
            }
        }
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes states from layers, each a list of keyframes `name@frame`.
    fn machine(layers: &[&str]) -> TimelineStates {
        let keyframe = |k: &str| {
            let (name, frame) = k.split_once('@').unwrap();
            format!("<BehaviorKeyframe name='{name}' index='{frame}'><Diagram/></BehaviorKeyframe>")
        };
        let layer = |l: &&str| {
            let (name, mute) = if l.starts_with('!') { ("m", 1) } else { ("l", 0) };
            let keyframes: String = l.trim_start_matches('!').split_whitespace().map(keyframe).collect();
            format!("<BehaviorLayer name='{name}' mute='{mute}'>{keyframes}</BehaviorLayer>")
        };
        let inside: String = layers.iter().map(layer).collect();
        let xar = format!(
            "<ChoregrapheProject xar_version='3'><Box name='root' id='-1'><Timeline enable='1'>{inside}</Timeline></Box></ChoregrapheProject>"
        );
        let file = boxstep_format::read_xar("x.xar", xar.as_bytes(), &boxstep_format::Limits::default()).unwrap();
        TimelineStates::of_layers(file.project.root.timeline.as_ref().unwrap())
    }

    fn example() -> TimelineStates {
        machine(&["a1@1 a2@20", "!m@7", "", "b1@5 b2@20 b3@30"])
    }

    #[test]
    fn every_keyframe_begins_a_state_that_holds_each_layers_latest() {
        let states = example();
        let seen: Vec<_> =
            states.states().iter().map(|s| (s.begin, s.labels.join(";"), s.keyframes.to_vec())).collect();
        let expected = [
            (1, "a1".to_owned(), vec![Some(0), None]),
            (5, "b1".to_owned(), vec![Some(0), Some(0)]),
            (20, "a2;b2".to_owned(), vec![Some(1), Some(1)]),
            (30, "b3".to_owned(), vec![Some(1), Some(2)]),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_frame_belongs_to_the_state_that_began_last() {
        let states = example();
        assert_eq!(states.at(0), None);
        assert_eq!(states.at(19).map(|s| s.begin), Some(5));
        assert_eq!(states.at(20).map(|s| s.begin), Some(20));
        assert_eq!(states.at(1000).map(|s| s.begin), Some(30));
        assert_eq!((states.next_after(1), states.next_after(30)), (Some(5), None));
    }

    #[test]
    fn what_continues_is_neither_left_nor_entered() {
        let states = example();
        let change = states.change(&[Some(1), Some(1)], 30);
        assert_eq!(change.leaves, [Member { layer: 1, keyframe: 1 }]);
        assert_eq!(change.enters, [Member { layer: 1, keyframe: 2 }]);
        assert_eq!(states.change(&[Some(0), None], 0).leaves, [Member { layer: 0, keyframe: 0 }]);
    }

    #[test]
    fn unsorted_and_double_keyframes_have_one_meaning() {
        let states = machine(&["late@20 early@5 other@5"]);
        assert_eq!(states.keyframe(0, 5), Some(2));
        assert_eq!(states.keyframe(0, 20), Some(0));
        assert_eq!(states.labelled("other"), Some(5));
        assert_eq!(states.labelled("none"), None);
    }
}
