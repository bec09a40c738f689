//! The icons of boxes: our own drawings for the names of the editor's pictures, and one for each kind of box.

use crate::scene::Icon;
use boxstep_format::model::BoxDef;

/// The file names of the editor's pictures without extension, in lower case, and the drawing for them: lines, 14 pixels
/// wide and 12 high, around the middle of the left edge.
const PICTURES: &[(&[&str], &str)] = &[
    (
        &["move", "movement", "animation", "animation_mode", "dance", "choregraphe"],
        "M7 -5.6a1.6 1.6 0 1 0 .01 0M7 -2.4V2M7 2L4 6M7 2L10.4 5.6M7 -1.6L2.4 -3.6M7 -1.6L11.6 .6",
    ),
    (&["move_leftarm", "move_rightarm", "move_arm", "arm"], "M2 5.4V-2.4a2 2 0 0 1 4 0L8.4 2L12 -1.4M10 -3.4L13.6 .4"),
    (&["move_head", "head"], "M3.4 -1.6a3.8 3.8 0 0 1 7.6 0v2.4a3.8 3.8 0 0 1 -7.6 0zM5.6 5.8h3M7.2 4.6v1.2"),
    (
        &["walk_forward", "walk", "walk_to", "moveto", "walk_sideway"],
        "M1 -3.4h8.6M7 -6L9.8 -3.4L7 -.8M2 3.6h2M6 3.6h2M10 3.6h2",
    ),
    (
        &["stand", "standup", "stand_up", "posture", "goto_posture"],
        "M7 -5.8a1.4 1.4 0 1 0 .01 0M7 -3V2M7 2L5.4 6M7 2L8.6 6M4 -1.4L7 -2.4L10 -1.4",
    ),
    (
        &["sit_ground", "sit", "sitdown", "rest", "crouch"],
        "M5 -5.8a1.4 1.4 0 1 0 .01 0M5 -3V2.4H9.6V6M5 -.6H8.6M1 6H13",
    ),
    (&["stiffness", "motor_on_off", "motor"], "M7 -6V-1M3.6 -3.6a5.2 5.2 0 1 0 6.8 0"),
    (
        &["led", "leds", "eyes", "eyes_leds", "ear_leds", "color"],
        "M4.2 -1.8a2.8 2.8 0 1 1 5.6 0c0 1.6 -1.4 2 -1.4 3.6h-2.8c0 -1.6 -1.4 -2 -1.4 -3.6zM5.8 4h2.4M6.2 5.8h1.6M1 -1.8h1M12 -1.8h1",
    ),
    (
        &["play_music", "play_sound", "sound", "music"],
        "M4.6 3.4V-4.4L12 -5.6V2.2M4.6 3.4a1.8 1.4 0 1 1 -.01 -.1M12 2.2a1.8 1.4 0 1 1 -.01 -.1",
    ),
    (
        &["rec_sound", "record_sound", "microphone", "sound_loc"],
        "M5 -3.6a2 2 0 0 1 4 0v3a2 2 0 0 1 -4 0zM2.8 -.8a4.2 4.2 0 0 0 8.4 0M7 3.4V5.8M4.6 5.8h4.8",
    ),
    (&["say", "saytext", "animated_say", "speech"], "M1 -5H13V2.4H7L3.8 5.4V2.4H1zM4 -2.4h6M4 -.2h4"),
    (
        &["ear", "speech_reco", "reco_speech", "listen"],
        "M3.6 -1.4a3.6 3.6 0 1 1 7.2 0c0 2.6 -2.8 2.6 -2.8 4.8a2 2 0 0 1 -3.6 1M5.8 -1.2a1.6 1.6 0 0 1 3 -.4",
    ),
    (
        &["vocabulary", "text", "text_edit", "localized_text", "print", "log"],
        "M2 -5.6H12V5.8H2zM4.4 -2.8h5.2M4.4 0h5.2M4.4 2.8h3",
    ),
    (&["choice", "dialog", "box-dialog", "quiz"], "M1 -5.4H10V-.6H5L2.8 1.4V-.6H1zM6 2.2V3H9.6L11.8 5V3H13V-1.6H12"),
    (&["wait", "timer", "delay", "time"], "M7 -5.6a5.6 5.6 0 1 0 .01 0M7 -2.6V.2L9.4 1.8"),
    (
        &["face", "reco_face", "learn_face", "target_face", "face_reco", "facedetection", "basicawareness", "people"],
        "M7 -5.4a3 3 0 1 0 .01 0M1.4 5.6a5.6 4.6 0 0 1 11.2 0",
    ),
    (
        &["tactilehead", "tactile", "touch", "bumper", "bumpers", "hand", "foot_bumpers", "tactilehand"],
        "M4 1V-3.4a1 1 0 0 1 2 0V-4.4a1 1 0 0 1 2 0V-3.4a1 1 0 0 1 2 0V-2a1 1 0 0 1 2 0V2.4a3.6 3.6 0 0 1 -3.6 3.4H7.4a3 3 0 0 1 -2.4 -1.2L2.2 1.6",
    ),
    (
        &["inertial_unit", "inertial", "robot_posture", "falling", "fall"],
        "M7 -6V6M1 0H13M7 -6L5.2 -4.2M7 -6L8.8 -4.2M13 0L11.2 -1.8M13 0L11.2 1.8",
    ),
    (
        &["sonar", "laser", "obstacle"],
        "M2 0h.1M4.4 -2.4a3.4 3.4 0 0 1 0 4.8M7 -4a5.6 5.6 0 0 1 0 8M9.6 -5.6a8 8 0 0 1 0 11.2",
    ),
    (
        &["stm", "memory", "raise_event", "subscribe", "almemory"],
        "M2 -4a5 1.8 0 1 0 10 0a5 1.8 0 1 0 -10 0M2 -4V4a5 1.8 0 0 0 10 0V-4M2 0a5 1.8 0 0 0 10 0",
    ),
    (&["battery", "power"], "M1 -3.4H11.4V3.4H1zM13 -1.2V1.2M3.4 -1V1M5.8 -1V1M8.2 -1V1"),
    (
        &["internet", "url", "web", "http", "wifi", "e-mail", "email"],
        "M7 -5.8a5.8 5.8 0 1 0 .01 0M1.2 0H12.8M7 -5.8a8 8 0 0 0 0 11.6M7 -5.8a8 8 0 0 1 0 11.6",
    ),
    (
        &["tablet", "show_image", "show_app", "show_web", "image"],
        "M1 -5H13V5H1zM1 2.6L4.6 -1.4L7.6 2L9.4 .4L13 3.4M9.6 -2.4h.1",
    ),
    (
        &["rec_movie", "camera", "take_picture", "picture", "video", "record_video"],
        "M1 -3.4H9.4V3.4H1zM9.4 -.8L13 -3V3L9.4 .8",
    ),
    (
        &["tracker", "tracking", "redball", "target", "landmark", "naomark"],
        "M7 -5a5 5 0 1 0 .01 0M7 -2a2 2 0 1 0 .01 0M7 -6.4V-4M7 4V6.4M.6 0H3M11 0h2.4",
    ),
    (
        &["if", "condition", "switch", "switch_case", "random", "dispatcher"],
        "M7 -5.8L12.8 0L7 5.8L1.2 0zM7 -2.2V.6M7 2.4v.1",
    ),
    (&["for", "counter", "while", "loop", "repeat"], "M3 1.6a4.6 4.6 0 1 0 .6 -3.8M2.6 -5.2L3.2 -2L6.4 -2.6"),
    (
        &["brain"],
        "M6.6 -5.4a2.2 2.2 0 0 0 -3.8 1.6a2.4 2.4 0 0 0 -1 4a2.4 2.4 0 0 0 2.2 3.6a1.8 1.8 0 0 0 2.6 .4zM7.4 -5.4a2.2 2.2 0 0 1 3.8 1.6a2.4 2.4 0 0 1 1 4a2.4 2.4 0 0 1 -2.2 3.6a1.8 1.8 0 0 1 -2.6 .4z",
    ),
    (&["all"], "M1 -4.4H4.6L8 0H13M1 4.4H4.6L8 0M1 0H8M10.6 -2.4L13 0L10.6 2.4"),
    (&["once"], "M7 -5.6a5.6 5.6 0 1 0 .01 0M5.6 -1.6L7.4 -2.8V2.8"),
    (&["blink"], "M1.4 -1.4a6 4.6 0 0 0 11.2 0M3 1.4L1.8 3.2M7 2.4V4.8M11 1.4L12.2 3.2"),
    (&["twinkle"], "M7 -5.6L8.4 -1.4L12.6 0L8.4 1.4L7 5.6L5.6 1.4L1.4 0L5.6 -1.4z"),
    (&["breathing"], "M1 -3.4c2 -2 4 -2 6 0s4 2 6 0M1 0c2 -2 4 -2 6 0s4 2 6 0M1 3.4c2 -2 4 -2 6 0s4 2 6 0"),
    (&["button"], "M7 -5.4a5.4 5.4 0 1 0 .01 0M7 -2.6a2.6 2.6 0 1 0 .01 0"),
    (&["darkness"], "M11.8 2.6A5.6 5.6 0 1 1 6.4 -5.4A4.6 4.6 0 0 0 11.8 2.6z"),
    (&["move_along"], "M1.4 4.8C5 4.8 3 -3 7 -3S9.6 2 12.6 2M10.4 -.2L12.8 2L10.4 4.2"),
    (
        &["movement_detection"],
        "M9 -5.4a1.5 1.5 0 1 0 .01 0M9 -2.4V2.2L7.2 6M9 2.2L10.8 6M6.4 .2L9 -1.4L11.6 .2M1 -2.6H4M1.8 .4H4M1 3.4H4",
    ),
    (&["send"], "M1 -5L13 0L1 5L3.4 0zM3.4 0H8"),
    (&["stop_behavior"], "M4.4 -5.6H9.6L12.8 -2.4V2.4L9.6 5.6H4.4L1.2 2.4V-2.4zM5 -2H9V2H5z"),
    (&["stop_walking"], "M1 -2.4H7.4M5 -4.8L7.6 -2.4L5 0M11.4 -5.6V5.6M1 3.6h2M5 3.6h2"),
    (&["turn"], "M11.6 2.6A5 5 0 1 1 11.6 -2.6M11.9 -5.4L11.8 -2.4L8.8 -2.6"),
    (
        &["wake_up"],
        "M5 -5.4a1.4 1.4 0 1 0 .01 0M5 -2.6V2.2M5 2.2L3.4 6M5 2.2L6.6 6M2 -.6L5 -1.8L8 -.6M11.4 2.4V-4.4M9.4 -2.4L11.4 -4.6L13.4 -2.4",
    ),
    (&["folder"], "M1 -4.4H5.4L6.8 -2.6H13V4.8H1z"),
    (&["root", "home", "behavior"], "M1.4 0L7 -5.4L12.6 0M3 -1.4V5.2H11V-1.4"),
];

/// The pictures of the editor that only say of which kind a box is.
const KINDS: &[(&str, Icon)] = &[
    ("box-diagram", Icon::Diagram),
    ("box-python-script", Icon::Script),
    ("box-script", Icon::Script),
    ("box-timeline", Icon::Timeline),
];

/// Returns the drawing for a box: for the picture that its file names, else for its kind.
pub(super) fn of(def: &BoxDef, kind: Icon) -> &'static str {
    let picture = def.bitmaps.iter().find_map(|path| {
        let name = path.rsplit(['/', '\\']).next()?;
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_ascii_lowercase();
        if let Some((_, kind)) = KINDS.iter().find(|(known, _)| *known == stem) {
            return Some(of_kind(*kind));
        }
        PICTURES.iter().find(|(names, _)| names.contains(&&*stem)).map(|(_, d)| *d)
    });
    picture.unwrap_or_else(|| of_kind(kind))
}

pub(super) fn of_kind(kind: Icon) -> &'static str {
    match kind {
        Icon::Script => "M4 -4L0 0L4 4M10 -4L14 0L10 4M8.5 -5L5.5 5",
        Icon::Diagram => "M0 -5h5v4h-5zM9 1h5v4h-5zM5 -3h2.5a1.5 1.5 0 0 1 1.5 1.5V2.5",
        Icon::Timeline => "M0 -5h14v10h-14zM0 -1.5h14M3.5 -5v3.5M7 -5v3.5M10.5 -5v3.5M3 2h4",
        Icon::Dialog => "M1 -5h12a1 1 0 0 1 1 1v5a1 1 0 0 1 -1 1h-7l-3 3v-3h-2a1 1 0 0 1 -1 -1v-5a1 1 0 0 1 1 -1z",
        Icon::Plain => "M1 -5h12v10h-12z",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a box of the library is drawn, it has the picture by which it was found.
    #[test]
    fn boxes_of_the_library_are_drawn_as_their_icons() {
        let named = |stem: &str| {
            PICTURES.iter().any(|(names, _)| names.contains(&stem)) || KINDS.iter().any(|(n, _)| *n == stem)
        };
        for one in boxstep_library::boxes() {
            let file =
                boxstep_format::read_xar(one.name, one.xar.as_bytes(), &boxstep_format::Limits::default()).unwrap();
            let def = &file.project.root;
            let stem = def.bitmaps[0].rsplit('/').next().unwrap().trim_end_matches(".png");
            assert!(named(stem), "{}: {stem}", one.name);
            let path = format!("<path d=\"{}\"", of(def, Icon::Plain));
            assert!(one.icon.contains(&path), "{}: {}", one.name, one.icon);
        }
    }

    #[test]
    fn a_name_has_one_drawing() {
        let names: Vec<_> =
            PICTURES.iter().flat_map(|(names, _)| *names).chain(KINDS.iter().map(|(name, _)| name)).collect();
        let mut once = names.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), names.len());
        assert!(names.iter().all(|name| **name == name.to_ascii_lowercase()), "names are compared in lower case");
    }
}
