//! Boxes whose work is not a script's: dialogs and what editors' plugins have written.

use crate::support::*;
use boxstep_engine::config::Control;
use boxstep_types::Value;

/// A dialog box in a diagram, after a script box and before another.
fn dialog() -> String {
    let topic = boxed("Talk", 2, "", "<dialogFile>../topic/topic.dlg</dialogFile>").replace("<![CDATA[Talk]]>", "");
    let links = link(0, 2, 2, 2) + &link(0, 2, 1, 2) + &link(2, 4, 3, 2);
    root(&(boxed("A", 1, "", "") + &topic + &boxed("B", 3, "", "") + &links))
}

/// The life of every box, and what is told of the dialog.
fn lives(lines: &[String]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for line in only(lines, &["root/Talk", "onLoad", "onUnload", "root/B starting"]) {
        let words = line.split("text: \"").nth(1).and_then(|t| t.split('"').next());
        told.push(words.map_or(line[6..].to_owned(), |w| format!("told {w}")));
    }
    told
}

#[test]
fn a_dialog_box_is_traced_at_every_step_of_its_life() {
    let hooks = |name: &'static str| [((name, "onLoad"), vec![]), ((name, "onUnload"), vec![])];
    let mut scripts: Scripts = hooks("A").into_iter().chain(hooks("B")).collect();
    scripts.insert(("A", "onInput_onStart"), vec![Sleep(9.0)]);
    let stop = |port: &str| Control::Stimulate {
        path: "root/Talk".parse().unwrap(),
        port: port.to_owned(),
        value: Value::Null,
    };
    let run = Run::new(&dialog(), scripts).control(1.0, stop("onStop")).control(2.0, stop("onStopped"));
    let (lines, footer) = run.control(3.0, Control::Stop).finish();
    let warned = only(&lines, &["Warning"]);
    assert!(warned[0].contains("the dialog ../topic/topic.dlg is not played: topics are not interpreted"));
    assert_eq!(footer.warnings, 1, "once, not at every step");
    let file = "../topic/topic.dlg";
    let wanted = [
        "root/Talk constructed".to_owned(),
        "root/A call onLoad".to_owned(),
        "root/A returned onLoad".to_owned(),
        "root/Talk loading".to_owned(),
        format!("told {file} would be loaded"),
        "root/Talk loaded".to_owned(),
        "root/B call onLoad".to_owned(),
        "root/B returned onLoad".to_owned(),
        "root/Talk > onStart null".to_owned(),
        "root/Talk starting".to_owned(),
        format!("told {file} would be talked about from now on; topics are not interpreted"),
        "root/Talk started".to_owned(),
        "root/Talk > onStop null".to_owned(),
        "root/Talk stopping".to_owned(),
        format!("told {file} would not be talked about any more"),
        "root/Talk stopped".to_owned(),
        "root/Talk < onStopped null".to_owned(),
        format!("told {file} would not be talked about any more"),
        "root/B starting".to_owned(),
        "root/A call onUnload".to_owned(),
        "root/A returned onUnload".to_owned(),
        "root/Talk unloading".to_owned(),
        format!("told {file} would be unloaded"),
        "root/Talk unloaded".to_owned(),
        "root/B call onUnload".to_owned(),
        "root/B returned onUnload".to_owned(),
        "root/Talk destroyed".to_owned(),
    ];
    let told: Vec<String> =
        lives(&lines).into_iter().filter(|l| !l.contains("control") && !l.contains("Warning")).collect();
    assert_eq!(told, wanted, "{lines:#?}");
}

#[test]
fn a_plugin_box_runs_the_script_that_stands_in_the_file() {
    let plugin = boxed("Text", 1, "", "<pluginContent><text>Hello</text></pluginContent>").replacen(
        "<Box name=\"Text\"",
        "<Box name=\"Text\" plugin=\"textedit_plugin\"",
        1,
    );
    let scripts = Scripts::from([
        (("Text", "onLoad"), vec![Log("loaded")]),
        (("Text", "onInput_onStart"), vec![Log("started")]),
        (("Text", "onUnload"), vec![Log("unloaded")]),
    ]);
    let (lines, footer) = Run::new(&root(&(plugin + &link(0, 2, 1, 2))), scripts).finish();
    assert_eq!(only(&lines, &[" log "]), ["loaded", "started", "unloaded"].map(|w| format!("0.000 root/Text log {w}")));
    assert_eq!(footer.warnings, 0, "{lines:#?}");
}

#[test]
fn a_plugin_box_without_a_script_says_that_it_does_nothing() {
    let plugin = boxed("Text", 1, "", "").replace("<![CDATA[Text]]>", "").replacen(
        "<Box name=\"Text\"",
        "<Box name=\"Text\" plugin=\"textedit_plugin\"",
        1,
    );
    let (lines, footer) = Run::new(&root(&(plugin + &link(0, 2, 1, 2))), Scripts::new()).finish();
    let warned = only(&lines, &["Warning"]);
    let text = "root/Text Warning(\"the plugin textedit_plugin has left no script in the file: the box does nothing\")";
    assert!(warned.len() == 1 && warned[0].contains(text), "{warned:?}");
    assert_eq!(footer.warnings, 1);
    assert_eq!(only(&lines, &["root/Text unloaded"]).len(), 1, "{lines:#?}");
}
