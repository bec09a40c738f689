//! What is done from outside at a time of the run comes after the behavior has started, however long its scripts take to come up.

use crate::common::{has_python, say, xar};

/// What a box tells whose module works until its process has used so many seconds of the processor.
fn told(host: &str, clock: &[&str], seconds: f64) -> String {
    let script = format!(
        "import os
enough = os.times()[0] + {seconds}
while os.times()[0] < enough:
    pass

class MyClass(GeneratedClass):
    def onInput_onStart(self):
        self.logger.info('starts')
        self.memory = ALProxy('ALMemory')
        self.memory.subscribeToEvent('Key', self.getName(), 'heard')

    def heard(self, *_):
        self.logger.info('hears')

    def onInput_x(self, p):
        self.logger.info('gets %s' % p)
"
    );
    let ports = xar::ports() + &xar::input(5, "x", 1);
    let content = xar::a_box(1, "Slow", &script, &ports, "") + &xar::link((0, 2), (1, 2));
    let behavior = xar::behavior(&xar::ports(), &xar::flow(&content));
    let folder = xar::written("starting", &format!("{host}-{}", clock.len()), &behavior);
    let given = ["--event", "Key=1@0.2", "--stimulate", "root/Slow:x=7@0.4", "--for", "0.6"];
    let args = ["play", folder.to_str().unwrap(), "--scripts", host];
    let said = say(&[&args[..], &given, clock].concat()).code(0);
    let at = |what: &str| said.out.find(what).unwrap_or_else(|| panic!("{host} {clock:?}: no `{what}`\n{}", said.out));
    assert!(at("starts") < at("hears") && at("hears") < at("gets"), "{}", said.out);
    said.out
}

#[test]
fn a_module_that_takes_its_time_is_waited_for() {
    if !has_python() {
        return;
    }
    // More of the processor than a script that has begun may take before the others go on without it: nobody does.
    for host in ["native", "process"] {
        for clock in [&["--virtual-time"][..], &[]] {
            let out = told(host, clock, 1.5);
            assert!(!out.contains("warning"), "{out}");
        }
    }
}
