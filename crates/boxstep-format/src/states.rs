//! Layers to states: a pure transform of a timeline.
//!
//! The frame axis is cut wherever a keyframe begins. The state of a cut holds, for each layer that has
//! started, the diagram of the layer's latest keyframe, and is labelled with the names of the keyframes
//! that begin there. The layers stay the truth; states are derived whenever they are wanted. Rules,
//! degenerate cases and their reasons: `docs/semantics/states.md`.

use crate::model::Timeline;
use std::collections::HashSet;
use std::sync::Arc;

/// A behavior keyframe by its layer and its place in the layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member {
    /// `Timeline::layers[n]`
    pub layer: usize,
    /// `BehaviorLayer::keyframes[n]`
    pub keyframe: usize,
}

/// A state: the frames from `begin` up to, and not including, `end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// First frame.
    pub begin: i64,
    /// One past the last frame. The last state is said to be one frame long; in truth it does not end.
    pub end: i64,
    /// Names of the keyframes that begin here, as the file has them, in document order.
    pub labels: Vec<Arc<str>>,
    /// The keyframes whose diagrams are loaded, in document order of their layers.
    pub active: Vec<Member>,
}

impl State {
    /// Whether a flag of the timeline enters the state. The first one is entered by the start.
    pub fn has_flag(index: usize) -> bool {
        index > 0
    }
}

/// The states of a timeline, in order of frames.
///
/// Muted layers have no part in them. Of several keyframes of a layer on one frame the last in the file
/// is loaded; all of them are labels. Where the first keyframe begins after frame 1, an empty state
/// covers the frames before it.
pub fn states(timeline: &Timeline) -> Vec<State> {
    let layers = || timeline.layers.iter().enumerate().filter(|(_, l)| !l.mute);
    let mut begins: Vec<(i64, Member)> = layers()
        .flat_map(|(layer, l)| {
            let keyframes = l.keyframes.iter().enumerate();
            keyframes.map(move |(keyframe, k)| (i64::from(k.index), Member { layer, keyframe }))
        })
        .collect();
    // Stable: keyframes of one frame stay in document order.
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

/// How many states there are, and how many keyframes they can hold together. Both are told without making
/// them, because a small file can have very many.
pub fn size(timeline: &Timeline) -> (usize, usize) {
    let played = || timeline.layers.iter().filter(|l| !l.mute && !l.keyframes.is_empty());
    let frames: HashSet<i32> = played().flat_map(|l| &l.keyframes).map(|k| k.index).collect();
    let late = frames.iter().min().is_some_and(|first| *first > 1);
    let states = frames.len() + usize::from(late);
    (states, states.saturating_mul(played().count()))
}

/// The keyframes that no state holds, in document order: those of muted layers, and those that another
/// of their layer covers on the same frame.
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

    /// Layers as `name[!]: keyframe@frame …`, `!` for muted.
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

    /// `[begin,end) label;label layer.keyframe …`
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
