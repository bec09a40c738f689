//! Links, ports, parameters and memory inputs (`docs/reference/semantics/links.md`).

use crate::support::*;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::trace::EndReason;
use boxstep_types::Value;

fn input(name: &str, kind: i32, nature: i32, id: i32, more: &str) -> String {
    let inner = i32::from(nature == 4);
    format!(
        r#"<Input name="{name}" type="{kind}" type_size="1" nature="{nature}" inner="{inner}" tooltip="" id="{id}" {more}/>"#
    )
}

fn output(name: &str, kind: i32, nature: i32, id: i32) -> String {
    format!(r#"<Output name="{name}" type="{kind}" type_size="1" nature="{nature}" inner="0" tooltip="" id="{id}"/>"#)
}

fn parameter(name: &str, kind: i32, value: &str, inherits: i32, id: i32) -> String {
    format!(
        r#"<Parameter name="{name}" inherits_from_parent="{inherits}" content_type="{kind}" value="{value}" default_value="" custom_choice="0" tooltip="" id="{id}"/>"#
    )
}

fn start(name: &'static str, actions: Vec<Do>) -> ((&'static str, &'static str), Vec<Do>) {
    ((name, "onInput_onStart"), actions)
}

#[test]
fn a_bang_drops_the_data_and_a_wrong_type_is_passed_on_with_a_warning() {
    let a = boxed("A", 1, &output("number", 2, 2, 5), "");
    let b = boxed("B", 2, &(input("text", 3, 1, 5, "") + &input("any", 0, 1, 6, "")), "");
    let xml = root(&(a + &b + &link(0, 2, 1, 2) + &link(1, 5, 2, 2) + &link(1, 5, 2, 5) + &link(1, 5, 2, 6)));
    let scripts = Scripts::from([
        start("A", vec![Out("number", Value::Int(7))]),
        start("B", vec![LogValue]),
        (("B", "onInput_text"), vec![LogValue]),
        (("B", "onInput_any"), vec![LogValue]),
    ]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!(only(&lines, &["B log"]), ["0.000 root/B log null", "0.000 root/B log 7", "0.000 root/B log 7"]);
    assert_eq!(footer.warnings, 1);
}

#[test]
fn fan_out_is_in_document_order_and_an_output_returns_before_anything_runs() {
    let names = ["C", "A", "B"];
    let boxes: String = (1..).zip(names).map(|(i, n)| boxed(n, i, "", "")).collect();
    let links: String = [3, 1, 2].iter().map(|i| link(4, 5, *i, 2)).collect();
    let from = boxed("From", 4, &output("go", 1, 2, 5), "");
    let xml = root(&(boxes + &from + &link(0, 2, 4, 2) + &links));
    let mut scripts = Scripts::from([start("From", vec![Out("go", Value::Null), Log("returned")])]);
    for name in names {
        let (key, actions) = start(name, vec![Log(name)]);
        scripts.insert(key, actions);
    }
    let (lines, _) = Run::new(&xml, scripts).finish();
    let expected = ["root/From log returned", "root/B log B", "root/C log C", "root/A log A"];
    let seen: Vec<String> = only(&lines, &[" log "]).iter().map(|l| l[6..].to_owned()).collect();
    assert_eq!(seen, expected);
}

#[test]
fn a_link_that_ends_on_a_parameter_sets_it_before_the_script_hears_of_it() {
    let a = boxed("A", 1, &output("number", 2, 2, 5), "");
    let b = boxed("B", 2, &parameter("Speed", 1, "3", 0, 5), "");
    let xml = root(&(a + &b + &link(0, 2, 1, 2) + &link(1, 5, 2, 5)));
    let scripts = Scripts::from([
        start("A", vec![Out("number", Value::Int(7))]),
        (("B", "setParameter"), vec![LogValue, LogParameter("Speed")]),
    ]);
    let (lines, _) = Run::new(&xml, scripts).finish();
    assert_eq!(only(&lines, &["log"]), [r#"0.000 root/B log ["Speed",7]"#, "0.000 root/B log 7"]);
}

#[test]
fn parameters_are_inherited_and_looked_for_in_parents() {
    let inner = boxed("In", 1, &(parameter("Speed", 1, "1", 1, 5) + &parameter("Own", 3, "mine", 0, 6)), "");
    let outer = boxed(
        "Out",
        1,
        &(parameter("Speed", 1, "9", 0, 5) + &parameter("Far", 0, "1", 0, 6)),
        &flow(&(inner + &link(0, 2, 1, 2))),
    );
    let xml = root(&(outer + &link(0, 2, 1, 2)));
    let ask = vec![LogParameter("Speed"), LogParameter("Own"), LogParameter("Far"), LogParameter("None")];
    let (lines, _) = Run::new(&xml, Scripts::from([start("In", ask)])).finish();
    let seen: Vec<String> =
        only(&lines, &["log"]).iter().map(|l| l.rsplit("log ").next().unwrap().to_owned()).collect();
    assert_eq!(seen, ["9", r#""mine""#, "true", r#"Error("no parameter named None")"#]);
}

#[test]
fn a_memory_input_fires_on_every_raise_while_its_diagram_is_loaded() {
    let touch = input("touched", 0, 4, 5, r#"stm_value_name="Touch""#);
    let inner = boxed("In", 1, &input("value", 0, 1, 5, ""), "");
    let d = boxed("D", 1, &touch, &flow(&(inner + &link(0, 5, 1, 5))));
    let later = boxed("Later", 2, "", "");
    let xml = root(&(d + &later + &link(0, 2, 2, 2) + &link(2, 4, 1, 2)));
    let scripts = Scripts::from([
        start("Later", vec![Sleep(2.0), Out("onStopped", Value::Null)]),
        (("In", "onInput_value"), vec![LogValue]),
    ]);
    let one = Value::Int(1);
    let run = Run::new(&xml, scripts).event(1.0, "Touch", one.clone());
    let (lines, footer) = run.event(3.0, "Touch", one.clone()).event(4.0, "Touch", one).finish();
    assert_eq!(only(&lines, &["log"]), ["3.000 root/D/In log 1", "4.000 root/D/In log 1"], "{lines:#?}");
    assert_eq!(footer.reason, EndReason::Waiting);
}

#[test]
fn an_event_input_reaches_the_inside_only_if_it_is_loaded() {
    let inner = boxed("In", 1, "", "");
    let d = boxed("D", 1, &input("poke", 1, 1, 5, ""), &flow(&(inner + &link(0, 5, 1, 2))));
    let a = boxed("A", 2, &(output("poke", 1, 2, 5) + &output("start", 1, 2, 6)), "");
    let xml = root(&(d + &a + &link(0, 2, 2, 2) + &link(2, 5, 1, 5) + &link(2, 6, 1, 2)));
    let scripts = Scripts::from([
        start("A", vec![Out("poke", Value::Null), Out("start", Value::Null), Sleep(1.0), Out("poke", Value::Null)]),
        start("In", vec![Log("poked")]),
    ]);
    let (lines, _) = Run::new(&xml, scripts).finish();
    assert_eq!(only(&lines, &["log"]), ["1.000 root/D/In log poked"]);
}

#[test]
fn stimulation_outside_the_active_window_is_dropped_and_traced() {
    let xml = root(&(boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 2, 2) + &link(1, 4, 2, 2)));
    let scripts =
        Scripts::from([(("A", "onLoad"), vec![Out("onStopped", Value::Null), Sleep(1.0)]), start("B", vec![Log("b")])]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!(only(&lines, &["log"]), ["1.000 root/B log b"], "{lines:#?}");
    assert_eq!(footer.dropped, 1);
}

#[test]
fn a_loop_that_takes_no_time_is_cut_and_named() {
    let xml = root(
        &(boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 2, 2) + &link(2, 4, 1, 2)),
    );
    let scripts = Scripts::from([
        start("A", vec![Out("onStopped", Value::Null)]),
        start("B", vec![Out("onStopped", Value::Null)]),
    ]);
    let config = Config { livelock_bound: 1000, ..Config::default() };
    let (lines, footer) = Run::with(&xml, scripts, Robot::default(), config).finish();
    assert_eq!(footer.reason, EndReason::Livelock);
    let warning = only(&lines, &["Warning"]);
    assert!(warning[0].contains("root/A → root/B") || warning[0].contains("root/B → root/A"), "{warning:?}");
    // A script call counts as 50 signals; the last rounds name the cycle.
    let calls = only(&lines, &["call onInput_onStart"]).len();
    assert!((20..=25).contains(&calls), "{calls}");
}

#[test]
fn a_loop_through_calls_that_take_no_time_is_cut_too() {
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 1, 2)));
    let scripts = Scripts::from([start("A", vec![Call("ALTest", "quick", vec![]), Out("onStopped", Value::Null)])]);
    let mut robot = Robot::default();
    robot.slow.insert("quick", 0.0);
    let config = Config { livelock_bound: 1000, ..Config::default() };
    let (_, footer) = Run::with(&xml, scripts, robot, config).finish();
    assert_eq!(footer.reason, EndReason::Livelock);
    assert_eq!(footer.t, boxstep_types::Time::ZERO);
}

#[test]
fn a_dangling_link_is_a_warning_and_the_rest_plays() {
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 7, 2)));
    let (lines, footer) = Run::new(&xml, Scripts::from([start("A", vec![Log("a")])])).finish();
    assert_eq!(only(&lines, &["log"]).len(), 1);
    assert_eq!(footer.warnings, 1);
}

#[test]
fn a_limit_stops_in_the_ordinary_way_and_a_box_can_be_stimulated_from_outside() {
    let xml = root(&boxed("A", 1, "", ""));
    let scripts = Scripts::from([start("A", vec![Log("a"), Sleep(60.0)]), (("A", "onUnload"), vec![Log("unload")])]);
    let config = Config { limit: Some(boxstep_types::Time::from_millis(5000)), ..Config::default() };
    let path = "root/A".parse().unwrap();
    let poke = Control::Stimulate { path, port: "onStart".to_owned(), value: Value::Null };
    let (lines, footer) = Run::with(&xml, scripts, Robot::default(), config).control(2.0, poke).finish();
    assert_eq!(footer.reason, EndReason::Limit);
    assert_eq!(only(&lines, &["log"]), ["2.000 root/A log a", "5.000 root/A log unload"], "{lines:#?}");
}

#[test]
fn what_is_dropped_with_a_loop_is_counted() {
    // Each round doubles the signals: many wait when the loop is cut.
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 1, 2) + &link(1, 4, 1, 2)));
    let scripts = Scripts::from([start("A", vec![Out("onStopped", Value::Null)])]);
    let config = Config { livelock_bound: 1000, ..Config::default() };
    let (lines, footer) = Run::with(&xml, scripts, Robot::default(), config).finish();
    assert_eq!(footer.reason, EndReason::Livelock);
    let warning = only(&lines, &["Warning"]);
    let cut: u64 = warning[0].split("; ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    // Those that came while the behavior was being unloaded are counted too.
    assert!(cut > 10 && footer.dropped >= cut, "{warning:?} {}", footer.dropped);
}

#[test]
fn numbers_keep_all_their_bits_unless_naoqis_are_asked_for() {
    let boxes = boxed("A", 1, &output("v", 0, 2, 5), "") + &boxed("B", 2, &input("v", 0, 1, 6, ""), "");
    let xml = root(&(boxes + &link(0, 2, 1, 2) + &link(1, 5, 2, 6)));
    let given = [
        Value::Int(1 << 31),
        Value::Int((1 << 32) + 7),
        Value::Int(-5),
        Value::Float(0.1),
        Value::list([Value::Float(1e300), Value::Bool(true), "x".into()]),
    ];
    let seen = |naoqi_numbers| {
        let puts = given.iter().map(|v| Out("v", v.clone())).collect();
        let scripts = Scripts::from([start("A", puts), (("B", "onInput_v"), vec![LogValue])]);
        let config = Config { naoqi_numbers, ..Config::default() };
        let (lines, _) = Run::with(&xml, scripts, Robot::default(), config).finish();
        let said = |w: &str| -> Vec<String> { only(&lines, &[w]).iter().map(|l| l[6..].to_owned()).collect() };
        // What the script put out stands in the trace as it was.
        assert_eq!(said("< v").len(), given.len());
        assert!(said("< v").contains(&"root/A < v 2147483648".to_owned()), "{lines:#?}");
        said("B log")
    };
    let whole: Vec<String> = given.iter().map(|v| format!("root/B log {v}")).collect();
    assert_eq!(seen(false), whole);
    let narrow = ["-2147483648", "7", "-5", "0.10000000149011612"];
    let cut = seen(true);
    assert_eq!(cut[..4], narrow.map(|v| format!("root/B log {v}")));
    assert!(cut[4].contains("inf") && cut[4].contains("true") && cut[4].contains('x'), "{cut:?}");
}
