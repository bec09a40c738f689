//! Timelines and the scripts around them.

use super::harness::play;

#[test]
fn root_timeline_fps() {
    let Some(run) = play("root_timeline_fps", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    // 25 * 50 / 100 is 12 in Python 2; frame 25 is reached after 24 frames.
    assert_eq!(run.logs(), ["root 24 frames at 12 per second"]);
    assert_eq!(
        run.story("timeline"),
        [
            "0.000 root load 1",
            "0.000 root fps 12",
            "0.000 root play 1",
            "2.000 root end 25",
            "2.000 root unload -1",
            "2.000 root fps 25"
        ]
    );
    let motion = run.events.iter().find(|e| e["method"] == "angleInterpolationBezier").unwrap();
    assert_eq!(motion["args"][1], serde_json::json!([[1.0, 2.0]]));
}

#[test]
fn disabled_timeline() {
    let Some(run) = play("disabled_timeline", 0, &["--for", "60"]) else { return };
    let run = run.ends("waiting");
    assert_eq!(run.logs(), ["root/Diagram/Where parent at -1, has a timeline: False"]);
    // No clock, no motion, no end.
    assert_eq!(run.told("timeline act output"), [""; 0]);
}

#[test]
fn end_frame_minus_one() {
    let Some(run) = play("end_frame_minus_one", 0, &[]) else { return };
    let run = run.ends("waiting");
    // Moves ends with its last key that is not muted; Muted has none, plays its layer and never ends.
    assert_eq!(run.story("output log"), ["1.000 root/Moves onStopped", "3.000 root/Muted/Say when frame 76"]);
    let motion: Vec<_> = run.events.iter().filter(|e| e["kind"] == "service" && e["service"] == "ALMotion").collect();
    assert_eq!(motion.len(), 1);
    assert_eq!(motion[0]["args"][0], serde_json::json!(["HeadYaw"]));
}

#[test]
fn goto_before_start() {
    let Some(run) = play("goto_before_start", 0, &["--must-end"]) else { return };
    assert_eq!(
        run.ends("ended").story("timeline output"),
        [
            "0.000 root/Dance load 11",
            "0.000 root/Dance play 11",
            "0.400 root/Dance goto 5",
            "0.400 root/Dance end 61",
            "0.400 root/Dance onStopped",
            "0.400 root/Dance unload -1",
            "0.400 root onStopped"
        ]
    );
}

#[test]
fn cursor_values() {
    let Some(run) = play("cursor_values", 0, &[]) else { return };
    assert_eq!(
        run.ends("waiting").story("log"),
        [
            "0.000 root/Diagram diagram at -1",
            "0.000 root/Dance timeline before it plays at -1",
            "0.000 root/Diagram/Script a script has no cursor",
            // Half a second at 25 frames per second, from frame 1: twelve whole frames.
            "0.500 root/Dance/Step parent at frame 13"
        ]
    );
}

#[test]
fn started_twice() {
    let Some(run) = play("started_twice", 0, &["--must-end"]) else { return };
    assert_eq!(
        run.ends("ended").story("log timeline"),
        [
            "0.000 root/Dance load 1",
            "0.000 root/Diagram onStart",
            "0.000 root/Dance/Step onLoad",
            "0.000 root/Dance play 1",
            "0.000 root/Diagram/Inside onLoad",
            "0.000 root/Diagram/Inside onStart",
            "1.000 root/Diagram onStart",
            "1.000 root/Diagram/Inside onStart",
            "2.000 root/Dance end 51",
            "2.000 root/Dance unload -1"
        ]
    );
}

#[test]
fn several_ends() {
    let Some(run) = play("several_ends", 0, &["--must-end"]) else { return };
    let outputs = ["1.000 root/Dance onStopped", "1.000 root onStopped"];
    assert_eq!(run.ends("ended").story("output"), outputs);
}
