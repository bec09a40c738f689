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

#[test]
fn a_dialog_box_without_its_topic_lives_like_any_box() {
    let stop = |port: &str| Control::Stimulate {
        path: "root/Talk".parse().unwrap(),
        port: port.to_owned(),
        value: Value::Null,
    };
    let run = Run::new(&dialog(), Scripts::new()).control(1.0, stop("onStop")).control(2.0, stop("onStopped"));
    let (lines, footer) = run.control(3.0, Control::Stop).finish();
    let warned = only(&lines, &["Warning"]);
    assert!(warned[0].contains("the dialog ../topic/topic.dlg does not run: cannot read the topic file"), "{warned:?}");
    assert_eq!(footer.warnings, 1, "once, not at every step");
    let lives: Vec<String> = only(&lines, &["root/Talk", "root/B starting"])
        .iter()
        .map(|line| line[6..].to_owned())
        .filter(|line| !line.contains("control") && !line.contains("Warning"))
        .collect();
    let wanted = [
        "root/Talk constructed",
        "root/Talk loading",
        "root/Talk loaded",
        "root/Talk > onStart null",
        "root/Talk starting",
        "root/Talk started",
        "root/Talk > onStop null",
        "root/Talk stopping",
        "root/Talk stopped",
        "root/Talk < onStopped null",
        "root/B starting",
        "root/Talk unloading",
        "root/Talk unloaded",
        "root/Talk destroyed",
    ];
    assert_eq!(lives, wanted, "{lines:#?}");
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
