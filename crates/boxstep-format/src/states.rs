//! Derivation of states from a timeline's behavior layers.
//!
//! The frame axis is cut wherever a keyframe begins. The state of a cut contains, for each layer that has started, the
//! diagram of the layer's latest keyframe. Its labels are the names of the keyframes that begin there. The layers
//! remain the stored form; states are derived when needed. `docs/reference/semantics/states.md` has the rules, the degenerate
//! cases and the reasons.

use crate::model::Timeline;
use std::collections::HashSet;
use std::sync::Arc;

/// A behavior keyframe, by its layer and its index in the layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member {
    /// Index into `Timeline::layers`.
    pub layer: usize,
    /// Index into `BehaviorLayer::keyframes`.
    pub keyframe: usize,
}

/// A state: the frames from `begin` up to, but not including, `end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The first frame.
    pub begin: i64,
    /// The frame after the last one. The last state never ends; its length is given as one frame.
    pub end: i64,
    /// The names of the keyframes that begin here, in document order.
    pub labels: Vec<Arc<str>>,
    /// The keyframes whose diagrams are loaded, in document order of their layers.
    pub active: Vec<Member>,
}

impl State {
    /// Returns true if the timeline enters the state when the cursor reaches its first frame. The first state is
    /// entered when the timeline starts.
    pub fn has_flag(index: usize) -> bool {
        index > 0
    }
}

/// Returns the states of a timeline, in order of frames.
///
/// Muted layers are ignored. If several keyframes of a layer begin on one frame, the last one in the file is loaded,
/// but all of them are labels. If the first keyframe begins after frame 1, an empty state covers the frames before it.
pub fn states(timeline: &Timeline) -> Vec<State> {
    let layers = || timeline.layers.iter().enumerate().filter(|(_, l)| !l.mute);
    let mut begins: Vec<(i64, Member)> = layers()
        .flat_map(|(layer, l)| {
            let keyframes = l.keyframes.iter().enumerate();
            keyframes.map(move |(keyframe, k)| (i64::from(k.index), Member { layer, keyframe }))
        })
        .collect();
    // The sort is stable: keyframes that begin on one frame stay in document order.
    begins.sort_by_key(|(frame, _)| *frame);
    let Some(&(first, _)) = begins.first() else { return Vec::new() };
    let mut found = Vec::new();
    if first > 1 {
        found.push(State { begin: 1, end: first, labels: Vec::new(), active: Vec::new() });
    }
    let mut latest: Vec<Option<usize>> = vec![None; timeline.layers.len()];
    let mut rest = begins.as_slice();
    while let Some(&(begin, _)) = rest.first() {
        let (here, later) = rest.split_at(rest.partition_point(|(frame, _)| *frame == begin));
        for (_, m) in here {
            latest[m.layer] = Some(m.keyframe);
        }
        let active = latest.iter().enumerate();
        let active = active.filter_map(|(layer, k)| Some(Member { layer, keyframe: (*k)? })).collect();
        let name = |m: &Member| timeline.layers[m.layer].keyframes[m.keyframe].name.clone();
        let labels = here.iter().map(|(_, m)| name(m)).collect();
        let end = later.first().map_or(begin + 1, |(frame, _)| *frame);
        found.push(State { begin, end, labels, active });
        rest = later;
    }
    found
}

/// Returns the number of states, and an upper bound on the keyframes in all of them together. Neither builds the
/// states, because a small file can have very many.
pub fn size(timeline: &Timeline) -> (usize, usize) {
    let played = || timeline.layers.iter().filter(|l| !l.mute && !l.keyframes.is_empty());
    let frames: HashSet<i32> = played().flat_map(|l| &l.keyframes).map(|k| k.index).collect();
    let late = frames.iter().min().is_some_and(|first| *first > 1);
    let states = frames.len() + usize::from(late);
    (states, states.saturating_mul(played().count()))
}

/// Returns the keyframes that are in no state, in document order: those of muted layers, and those replaced by a later
/// keyframe of the same layer on the same frame.
pub fn never_played(timeline: &Timeline) -> Vec<Member> {
    let mut all = Vec::new();
    for (layer, l) in timeline.layers.iter().enumerate() {
        let mut later = HashSet::new();
        let from = all.len();
        for (keyframe, k) in l.keyframes.iter().enumerate().rev() {
            let covered = !later.insert(k.index);
            if l.mute || covered {
                all.push(Member { layer, keyframe });
            }
        }
        all[from..].reverse();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, read_xar};

    /// Builds a timeline from layers written as `name[!]: keyframe@frame …`; `!` mutes the layer.
    fn timeline(layers: &[&str]) -> Timeline {
        let mut inside = String::new();
        for layer in layers {
            let (name, keyframes) = layer.split_once(": ").unwrap_or((layer, ""));
            let mute = u8::from(name.ends_with('!'));
            inside += &format!("<BehaviorLayer name='{name}' mute='{mute}'>");
            for keyframe in keyframes.split(' ').filter(|k| !k.is_empty()) {
                let (name, frame) = keyframe.split_once('@').unwrap();
                inside += &format!("<BehaviorKeyframe name='{name}' index='{frame}'><Diagram/></BehaviorKeyframe>");
            }
            inside += "</BehaviorLayer>";
        }
        let xar = format!(
            "<ChoregrapheProject xar_version='3'><Box name='root' id='-1'><Timeline enable='1'>{inside}</Timeline></Box></ChoregrapheProject>"
        );
        read_xar("x.xar", xar.as_bytes(), &Limits::default()).unwrap().project.root.timeline.unwrap()
    }

    /// Formats states as `[begin,end) label;label layer.keyframe …`.
    fn seen(layers: &[&str]) -> Vec<String> {
        let timeline = timeline(layers);
        let (count, members) = size(&timeline);
        let all = states(&timeline);
        assert_eq!(all.len(), count);
        assert!(all.iter().map(|s| s.active.len()).sum::<usize>() <= members);
        let show = |s: State| {
            let active: Vec<String> = s.active.iter().map(|m| format!("{}.{}", m.layer, m.keyframe)).collect();
            format!("[{},{}) {} {}", s.begin, s.end, s.labels.join(";"), active.join(" ")).trim_end().to_owned()
        };
        all.into_iter().map(show).collect()
    }

    #[test]
    fn every_keyframe_cuts_and_a_layer_continues_through_the_cuts_of_others() {
        let found = seen(&["A: a1@1 a2@20", "B: b1@5 b2@20 b3@30"]);
        assert_eq!(found, ["[1,5) a1 0.0", "[5,20) b1 0.0 1.0", "[20,30) a2;b2 0.1 1.1", "[30,31) b3 0.1 1.2"]);
    }

    #[test]
    fn of_two_keyframes_on_a_frame_the_later_is_loaded_and_both_are_labels() {
        assert_eq!(seen(&["A: a@1 b@5 c@5 d@9"]), ["[1,5) a 0.0", "[5,9) b;c 0.2", "[9,10) d 0.3"]);
        assert_eq!(never_played(&timeline(&["A: a@1 b@5 c@5 d@9"])), [Member { layer: 0, keyframe: 1 }]);
    }

    #[test]
    fn unsorted_keyframes_count_in_order_of_frames() {
        assert_eq!(seen(&["A: late@20 early@1 mid@9"]), ["[1,9) early 0.1", "[9,20) mid 0.2", "[20,21) late 0.0"]);
    }

    #[test]
    fn a_late_first_keyframe_has_an_empty_state_before_it_and_frame_zero_has_none() {
        assert_eq!(seen(&["A: a@10"]), ["[1,10)", "[10,11) a 0.0"]);
        assert_eq!(seen(&["A: a@0 b@1"]), ["[0,1) a 0.0", "[1,2) b 0.1"]);
        assert_eq!(seen(&["A: a@-3"]), ["[-3,-2) a 0.0"]);
        assert!(!State::has_flag(0) && State::has_flag(1));
    }

    #[test]
    fn muted_and_empty_layers_make_no_states() {
        let layers = ["A!: a@1 b@7", "B: c@1", "C"];
        assert_eq!(seen(&layers), ["[1,2) c 1.0"]);
        let muted = [Member { layer: 0, keyframe: 0 }, Member { layer: 0, keyframe: 1 }];
        assert_eq!(never_played(&timeline(&layers)), muted);
        assert_eq!(seen(&["A", "B!: a@1"]), Vec::<String>::new());
    }

    #[test]
    fn the_largest_frame_has_an_end() {
        assert_eq!(seen(&["A: a@2147483647"]), ["[1,2147483647)", "[2147483647,2147483648) a 0.0"]);
    }
}
