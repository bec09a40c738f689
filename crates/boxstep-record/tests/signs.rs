//! Signs that a robot reported shortly before a behavior stopped, and how they are shown.

use boxstep_record::why::{How, Stopped, stopped};
use boxstep_trace::Recording;

/// A recording of `dance` that fails at 20 s, with further lines: milliseconds, and the text after `cause`.
fn failed(lines: &[(i64, &str)]) -> Stopped {
    let error = r#""kind":"behavior_failed","name":"dance","error":{"kind":"RuntimeError","message":"the motion was ended","line":7,"traceback":""}"#;
    recorded(lines, &[(20_000, &format!(r#""path":"root/Walk",{error}"#))], r#"{"reason":"failed","t":20000000000}"#)
}

fn recorded(lines: &[(i64, &str)], end: &[(i64, &str)], footer: &str) -> Stopped {
    let mut text = String::from("{\"schema\":1,\"product\":\"x\",\"files\":{},\"options\":{\"behavior\":\"dance\"}}\n");
    for (n, (t, rest)) in lines.iter().chain(end).enumerate() {
        text += &format!("{{\"n\":{},\"t\":{},\"cause\":0,{rest}}}\n", n + 1, t * 1_000_000);
    }
    let footer = if footer.is_empty() { String::new() } else { format!("{footer}\n") };
    stopped(&Recording::read(format!("{text}{footer}").as_bytes()).unwrap(), None).unwrap()
}

fn memory(key: &str, value: &str) -> String {
    format!(r#""kind":"memory","key":"{key}","value":{value}"#)
}

#[track_caller]
fn second_line(key: &str, value: &str, said: &str) {
    let why = failed(&[(18_800, &memory(key, value))]).to_string();
    let mut lines = why.lines();
    assert_eq!(
        lines.next(),
        Some("dance failed at 20.000 s in root/Walk, line 7 of its script: RuntimeError: the motion was ended")
    );
    assert_eq!(lines.next(), Some(format!("1.200 s before, {said} ({key})").as_str()), "{why}");
}

#[test]
fn the_robot_fell() {
    second_line("robotHasFallen", "1", "the robot fell");
    second_line("ALMotion/RobotIsFalling", "true", "the robot was falling");
}

#[test]
fn the_chest_button_was_pressed() {
    second_line("ChestButtonPressed", "1.0", "the chest button was pressed");
    second_line("ALChestButton/DoubleClickOccurred", "null", "the chest button was pressed twice");
    second_line("ALChestButton/SimpleClickOccurred", "null", "the chest button was pressed once");
}

#[test]
fn autonomous_life_has_another_state() {
    second_line("AutonomousLife/State", r#""interactive""#, "Autonomous Life went to interactive");
}

#[test]
fn the_battery_was_low() {
    second_line("BatteryChargeChanged", "7", "the battery was at 7 %");
    second_line("Device/SubDeviceList/Battery/Charge/Sensor/Value", "0.04", "the battery was at 4 %");
}

#[test]
fn something_was_too_hot() {
    second_line("HotDeviceDetected", r#"["LKneePitch","RKneePitch"]"#, "too hot: LKneePitch, RKneePitch");
    second_line("Device/SubDeviceList/LKneePitch/Temperature/Sensor/Value", "78.4", "LKneePitch had 78 °C");
}

#[test]
fn the_panic_stop_was_called() {
    second_line("Boxstep/Stop", r#""boxstep stop""#, "boxstep stop was called");
}

#[test]
fn events_that_the_behavior_heard_count_as_well() {
    let why = failed(&[(19_000, r#""kind":"event","dir":"in","key":"robotHasFallen","value":true"#)]);
    assert_eq!(why.signs[0].what, "fall");
}

#[test]
fn what_is_long_ago_or_over_or_was_well_is_no_reason() {
    let signs_at = |stop: i64, lines: &[(i64, String)]| {
        let mut lines: Vec<(i64, &str)> = lines.iter().map(|(t, rest)| (*t, rest.as_str())).collect();
        let stopping = r#""path":"root","kind":"behavior","phase":"stopping","name":"dance""#;
        lines.push((stop, r#""kind":"warning","text":"it went wrong""#));
        let why = recorded(&lines, &[(stop, stopping)], r#"{"reason":"failed","t":0}"#);
        why.signs.iter().map(|sign| sign.what).collect::<Vec<_>>()
    };
    let signs = |lines: &[(i64, String)]| {
        let lines: Vec<(i64, &str)> = lines.iter().map(|(t, rest)| (*t, rest.as_str())).collect();
        failed(&lines).signs.iter().map(|sign| sign.what).collect::<Vec<_>>()
    };
    assert_eq!(signs_at(40_000, &[(4_000, memory("robotHasFallen", "1"))]), [""; 0]);
    assert_eq!(
        signs(&[(19_000, memory("ChestButtonPressed", "0.0")), (19_000, memory("HotDeviceDetected", "[]"))]),
        [""; 0]
    );
    // The last report about the battery stays valid.
    assert_eq!(signs(&[(100, memory("BatteryChargeChanged", "9"))]), ["battery"]);
    assert_eq!(
        signs(&[(100, memory("BatteryChargeChanged", "9")), (200, memory("BatteryChargeChanged", "80"))]),
        [""; 0]
    );
    assert_eq!(
        signs(&[(19_000, memory("Boxstep/Link", r#""down""#)), (19_500, memory("Boxstep/Link", r#""up""#))]),
        [""; 0]
    );
}

#[test]
fn the_link_was_down_and_the_robot_is_lost() {
    let down = (15_000, memory("Boxstep/Link", r#""down""#));
    let why = failed(&[(down.0, &down.1)]).to_string();
    assert_eq!(why.lines().nth(1), Some("5.000 s before, the link to the robot went down (Boxstep/Link)"), "{why}");
    let lost = memory("Boxstep/Link", r#""lost""#);
    let warning = r#""kind":"warning","text":"nao.local is lost: connection refused""#;
    let low = memory("BatteryChargeChanged", "3");
    let stopping = r#""path":"root","kind":"behavior","phase":"stopping","name":"dance""#;
    let lines = [(9_000, low.as_str()), (down.0, &down.1), (20_000, &lost), (20_000, warning)];
    let why = recorded(&lines, &[(20_000, stopping)], r#"{"reason":"failed","t":20100000000}"#);
    assert_eq!(why.how, How::RobotLost);
    let lines: Vec<String> = why.to_string().lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "dance was stopped at 20.000 s: nao.local is lost: connection refused");
    assert_eq!(lines[1], "5.000 s before, the link to the robot went down (Boxstep/Link)");
    assert_eq!(lines[2], "11.000 s before, the battery was at 3 % (BatteryChargeChanged)");
}

#[test]
fn a_recording_that_breaks_off_tells_of_the_battery_too() {
    let why =
        recorded(&[(100, &memory("BatteryChargeChanged", "2"))], &[(5_000, r#""kind":"warning","text":"x""#)], "");
    let said = why.to_string();
    assert_eq!(why.how, How::CutOff);
    assert_eq!(said.lines().nth(1), Some("4.900 s before, the battery was at 2 % (BatteryChargeChanged)"), "{said}");
}

#[test]
fn an_ordinary_end_needs_no_sign_and_ten_lines_are_enough_for_any() {
    let stopping = (20_000, r#""path":"root","kind":"behavior","phase":"stopping","name":"dance""#);
    let why =
        recorded(&[(19_000, &memory("robotHasFallen", "1"))], &[stopping], r#"{"reason":"ended","t":20000000000}"#);
    assert!(why.signs.is_empty());
    let mut text = String::from("{\"schema\":1,\"files\":{}}\n");
    for n in 1..=30 {
        text += &format!(
            "{{\"n\":{n},\"t\":{n},\"cause\":{},\"path\":\"root/A{n}\",\"kind\":\"output\",\"port\":\"out\",\"value\":null}}\n",
            n - 1
        );
    }
    text += "{\"n\":31,\"t\":31,\"cause\":30,\"path\":\"root\",\"kind\":\"behavior\",\"phase\":\"stopping\",\"name\":\"dance\"}\n";
    text += "{\"reason\":\"ended\",\"t\":31}\n";
    let why = stopped(&Recording::read(text.as_bytes()).unwrap(), None).unwrap();
    let said = why.to_string();
    assert_eq!((why.steps.len(), said.lines().count()), (30, 10), "{said}");
    // The first cause is shown, whatever is left out.
    assert!(
        said.lines().nth(8).unwrap().ends_with("…  22 more") && said.lines().last().unwrap().contains("root/A1 "),
        "{said}"
    );
}

#[test]
fn causes_that_go_round_or_point_nowhere_do_no_harm() {
    let text = "{\"schema\":1,\"files\":{}}\n{\"n\":5,\"t\":0,\"cause\":7,\"kind\":\"behavior\",\"phase\":\"stopping\",\"name\":\"x\"}\n\
                {\"n\":7,\"t\":0,\"cause\":5,\"kind\":\"forced\",\"busy\":[{}]}\n{\"reason\":\"failed\"}\n";
    assert_eq!(stopped(&Recording::read(text.as_bytes()).unwrap(), None).unwrap().name, "x");
}

#[test]
fn an_interrupt_is_the_reason_even_if_a_box_signals_its_end_when_it_stops() {
    let lines = [
        (1_000, r#""kind":"control","dir":"in","what":"interrupt","details":null"#),
        (1_000, r#""path":"root/Say","kind":"input","port":"onStop","value":null"#),
        (1_000, r#""path":"root/Say","kind":"output","port":"onStopped","value":null"#),
        (1_000, r#""path":"root","kind":"behavior","phase":"stopping","name":"dance""#),
    ];
    let mut text = String::from("{\"schema\":1,\"product\":\"x\",\"files\":{},\"options\":{\"behavior\":\"dance\"}}\n");
    for (n, (t, rest)) in lines.iter().enumerate() {
        text += &format!("{{\"n\":{},\"t\":{},\"cause\":{n},{rest}}}\n", n + 1, t * 1_000_000);
    }
    let of = |reason: &str| stopped(&Recording::read(format!("{text}{reason}\n").as_bytes()).unwrap(), None).unwrap();
    let told = of(r#"{"reason":"interrupted","t":1000000000}"#);
    assert_eq!(told.how, How::Interrupted, "{told}");
    assert!(told.sentence.starts_with("dance was interrupted at 1.000 s"), "{told}");
}

#[test]
fn a_script_that_does_not_compile_is_the_reason_also_of_a_run_that_waits() {
    let error = r#"{"kind":"SyntaxError","message":"invalid character","line":3,"traceback":""}"#;
    let raised = format!(r#""path":"root/Ask","kind":"raised","method":"script","error":{error}"#);
    let footer = r#"{"reason":"waiting","t":1000000000,"not_compiled":1}"#;
    let told = recorded(&[(0, &raised)], &[], footer);
    assert_eq!(told.how, How::NotCompiled, "{told}");
    let sentence = "dance waits since 1.000 s and counts as failed: the script of root/Ask does not compile (line 3): SyntaxError: invalid character";
    assert_eq!(told.sentence, sentence);
}
