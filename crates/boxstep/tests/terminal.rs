//! What a hostile file, argument or script says is shown, and never obeyed by a terminal.

use crate::common;
use crate::common::xar::{a_box, behavior, flow, link, output, ports};
use crate::common::{Temp, boxstep, has_python};
use boxstep_types::is_order;
use std::fs;

/// CSI of one character, a return to the line's begin, a turn of the direction.
const XML: &str = "\u{9b}2J&#13;\u{202e}";
const TEXT: &str = "\u{9b}2J\r\u{202e}";

/// A behavior of which all names are hostile, with findings; its script prints.
fn hostile() -> String {
    let name = |name: &str| format!("{name}{XML}");
    let script = "class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        print('a\u{9b}2J\\r\u{202e}\\x1b[2J')\n        \
                  raise ValueError('\\x9b\\u202e')\n";
    let ports = ports() + &output(5, &name("port"), 2);
    let inside = a_box(1, &name("box"), script, &ports, "") + &link((0, 2), (1, 2)) + &link((1, 5), (1, 9));
    behavior(&common::xar::ports(), &flow(&inside))
        .replace("<Box name=\"root\"", &format!("<Box tooltip=\"{XML}\" name=\"root\""))
        .replacen("tooltip=\"\" ", "", 1)
}

/// Everything that a command says, without an order in it.
#[track_caller]
fn harmless(args: &[&str]) -> String {
    let output = boxstep(args).env("CLICOLOR_FORCE", "1").output().unwrap();
    let mut all = String::from_utf8(output.stdout).expect("text on standard output");
    all.push_str(&String::from_utf8(output.stderr).expect("text on standard error"));
    assert!(!all.contains("panicked"), "{args:?}: {all}");
    let order = colourless(&all).find(is_order);
    assert_eq!(order, None, "{args:?}: {all:?}");
    all
}

/// The text without its colours.
fn colourless(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('m') {
            Some((colour, rest)) if colour.chars().all(|c| c.is_ascii_digit() || c == ';') => plain.push_str(rest),
            _ => plain.push_str(&format!("\u{1b}[{part}")),
        }
    }
    plain
}

#[test]
fn nothing_foreign_gives_orders_to_a_terminal() {
    let folder = Temp::new("d");
    fs::create_dir(&folder.0).unwrap();
    let path = |name: &str| folder.0.join(name).to_str().unwrap().to_owned();
    // A name that a file system takes.
    let (xar, other) = (path(&format!("a{TEXT}.xar")), path("other.xar"));
    fs::write(&xar, hostile()).unwrap();
    fs::write(&other, hostile().replace("name=\"box", "name=\"crate")).unwrap();

    let seen = harmless(&["show", &xar]);
    assert!(seen.contains("box 2J \\u{202e}"), "{seen}");
    let json = harmless(&["show", &xar, "--format", "json"]);
    assert!(json.contains("box\\u009b2J\\r\\u202e"), "{json}");
    for args in [
        &["check", &xar][..],
        &["check", &xar, "--format", "json"],
        &["check", &xar, "--format", "sarif"],
        &["diff", &xar, &other],
        &["diff", &xar, &other, "--format", "json"],
        &["fmt", "--check", &xar],
        &["plot", &xar],
        &["plot", &xar, "--box", TEXT],
        &["play", &xar, "--virtual-time", "--scripts", "off", "--for", "1"],
        &["play", &xar, "--virtual-time", "--scripts", "off", "--behavior", TEXT],
        &["play", &path(TEXT)],
        &["play", &xar, "--set", TEXT],
        &["convert", &xar, &path("out")],
        &["convert", &xar, &xar],
        &["unpack", &xar, TEXT],
        &["pack", &xar, TEXT],
        &["migrate", &xar],
        &["migrate", &xar, "--format", "json"],
        &["new", &path(TEXT), "--template", TEXT],
        &["test", &xar],
        &["why", &xar],
        &["replay", &xar],
        &["doctor", &xar, "--robot", TEXT],
        &[TEXT],
        &["play", TEXT, "--no-such\u{9b}2J\r\u{202e}"],
        &["show", "--format", TEXT, "x"],
    ] {
        harmless(args);
    }
    if has_python() {
        let trace = path("run.jsonl");
        for host in ["native", "process"] {
            let said = harmless(&["play", &xar, "--virtual-time", "--scripts", host, "--trace", &trace]);
            assert!(said.contains("a\\u{9b}2J\\r\\u{202e}\\u{1b}[2J"), "{said}");
        }
        harmless(&["why", &trace]);
        harmless(&["why", "box", &trace]);
        harmless(&["diff", &trace, &trace]);
        harmless(&["replay", &trace, &xar]);
    }
}
