//! Scripts that look at the clock for ever come to their end, with the box and the line, wherever scripts run.

use crate::common::{has_python, say, xar};

/// What a box is told that does this for ever.
fn told(look: &str, host: &str) -> String {
    let script = format!(
        "import time\nclass MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        while True:\n            {look}\n"
    );
    let content = xar::a_box(1, "Polls", &script, &xar::ports(), "") + &xar::link((0, 2), (1, 2));
    let behavior = xar::behavior(&xar::ports(), &xar::flow(&content));
    let folder = xar::written("polling", &format!("{host}-{}", look.len()), &behavior);
    let said = say(&["play", folder.to_str().unwrap(), "--virtual-time", "--scripts", host]).code(4);
    let error = said.out.lines().find(|line| line.contains(" raised RuntimeError")).unwrap_or(&said.out);
    assert!(error.contains("root/Polls") && error.ends_with("(line 5)"), "{look} {host}: {}", said.out);
    error.to_owned()
}

#[test]
fn who_polls_without_end_is_told_where() {
    if !has_python() {
        return;
    }
    told("time.time()", "native");
    // At the same instant in both hosts.
    assert_eq!(told("time.sleep(0)", "native"), told("time.sleep(0)", "process"));
}

/// Many threads that sleep for nothing are told together, and that is no success: nobody else would hear of it.
#[test]
fn threads_that_poll_without_end_fail_the_run() {
    if !has_python() {
        return;
    }
    let script = "import threading, time
class MyClass(GeneratedClass):
    def onInput_onStart(self):
        for _ in range(20):
            threading.Thread(target=self.look).start()

    def look(self):
        while True:
            time.sleep(0)
";
    let content = xar::a_box(1, "Polls", script, &xar::ports(), "") + &xar::link((0, 2), (1, 2));
    let behavior = xar::behavior(&xar::ports(), &xar::flow(&content));
    for host in ["native", "process"] {
        let folder = xar::written("polling", &format!("threads-{host}"), &behavior);
        let said = say(&["play", folder.to_str().unwrap(), "--virtual-time", "--scripts", host]).code(4);
        assert!(said.out.contains("root/Polls  thread raised RuntimeError"), "{host}: {}", said.out);
    }
}
