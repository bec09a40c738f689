//! Checks of inputs and outputs, and of their use in the script.

use super::Here;
use crate::codes;
use crate::scripts::UNKNOWN_COUNT;
use boxstep_format::model::{InputNature, PortType};
use boxstep_types::{Diagnostic, Severity, meant};

/// The methods and attributes of `GeneratedClass` that a script may call (`docs/reference/python.md`).
pub(super) const GENERATED_CLASS: &[&str] = &[
    "BIND_PYTHON",
    "addCallbackToSignal",
    "addInput",
    "addOutput",
    "addParam",
    "addParameter",
    "behaviorAbsolutePath",
    "behaviorRelativePath",
    "bindInputToSTMValue",
    "connectInput",
    "connectOutput",
    "connectParameter",
    "disconnectInput",
    "disconnectOutput",
    "disconnectParameter",
    "dispose_memory_watcher",
    "exit",
    "exitBehavior",
    "exitBehaviorParent",
    "getBehaviorPath",
    "getBrokerName",
    "getName",
    "getParameter",
    "getParametersList",
    "getParentTimeline",
    "getPath",
    "getStateMachine",
    "getTimeline",
    "getTimelineFps",
    "get_io_with_type",
    "gotoAndPlay",
    "gotoAndPlayParent",
    "gotoAndStop",
    "gotoAndStopParent",
    "gotoParent",
    "hasParentTimeline",
    "hasStateMachine",
    "hasTimeline",
    "isEnabled",
    "isResourceFree",
    "log",
    "packageUid",
    "playTimeline",
    "playTimelineParent",
    "releaseResource",
    "removeCallbackToSignal",
    "session",
    "setEnabled",
    "setModuleDescription",
    "setName",
    "setParameter",
    "setResources",
    "setTimelineFps",
    "stimulateIO",
    "stopTimeline",
    "stopTimelineParent",
    "version",
    "waitFor",
    "waitResourceFree",
    "waitResources",
    "waitResourcesCallback",
];

pub(super) fn check(here: &mut Here<'_>) {
    let def = here.at.def;
    for input in &def.inputs {
        if input.nature == InputNature::Memory && input.memory_key.as_deref().unwrap_or_default().is_empty() {
            let message = format!("the memory input \"{}\" does not name a memory key", input.name);
            here.report(Diagnostic::error(codes::NO_MEMORY_KEY, message), input.span);
        }
    }
    outputs(here);
    handlers(here);
}

/// Reports calls `self.name(…)` where the box has no such output and the script no such method.
fn outputs(here: &mut Here<'_>) {
    let Some(facts) = here.facts() else { return };
    let def = here.at.def;
    for call in &facts.calls {
        let (line, name, given, guarded) = (call.0, call.1.as_str(), call.2, call.3);
        if facts.names.iter().any(|n| n == name) {
            continue;
        }
        if let Some(output) = def.outputs.iter().find(|o| *o.name == *name) {
            let bang = output.port_type == PortType::Bang;
            // Boxes in Choregraphe's library also call dynamic outputs without a value if they have none to pass on.
            let may_be_empty = bang || output.port_type == PortType::Dynamic;
            if given != UNKNOWN_COUNT && given != 1 && !(may_be_empty && given == 0) {
                let wants = if bang { "no value, or one" } else { "one value" };
                let message = format!("the output \"{name}\" is called with {given} values and takes {wants}");
                let finding = Diagnostic::error(codes::OUTPUT_ARGUMENTS, message);
                here.report_line(finding.help("Python raises TypeError when it gets there"), line, name);
            }
            continue;
        }
        let hidden = facts.open || name.starts_with("__") || GENERATED_CLASS.contains(&name) || dead(here, &call.4);
        if hidden {
            continue;
        }
        let message = format!("`self.{name}(…)`: the box has no output \"{name}\", and the script no such method");
        let mut finding = Diagnostic::error(codes::UNDECLARED_OUTPUT, message);
        if guarded {
            finding.severity = Severity::Note;
        }
        let known = def.outputs.iter().map(|o| &*o.name).chain(facts.names.iter().map(String::as_str));
        let help = meant(name, known.chain(GENERATED_CLASS.iter().copied()));
        let help = help.unwrap_or_else(|| "Python raises AttributeError when it gets there".to_owned());
        here.report_line(finding.help(help), line, name);
    }
    for stimulated in &facts.stimulates {
        let name = stimulated.1.as_str();
        let known = || def.outputs.iter().map(|o| &*o.name).chain(def.inputs.iter().map(|i| &*i.name));
        if !known().any(|n| n == name) {
            let message = format!("`self.stimulateIO(\"{name}\", …)`: the box has no input or output \"{name}\"");
            let mut finding = Diagnostic::error(codes::UNDECLARED_OUTPUT, message);
            finding.help = meant(name, known());
            here.report_line(finding, stimulated.0, name);
        }
    }
}

/// Returns true if a method is the handler of a missing input, so that its calls are never made.
fn dead(here: &Here<'_>, method: &str) -> bool {
    method.strip_prefix("onInput_").is_some_and(|name| !here.at.def.inputs.iter().any(|i| *i.name == *name))
}

fn handlers(here: &mut Here<'_>) {
    let Some(facts) = here.facts() else { return };
    let inputs = &here.at.def.inputs;
    for handler in &facts.handlers {
        let (line, name, wanted) = (handler.0, handler.1.as_str(), handler.2);
        let word = format!("onInput_{name}");
        if !inputs.iter().any(|i| *i.name == *name) {
            let message = format!("the script has `{word}`, and the box has no input \"{name}\"");
            let free = inputs.iter().map(|i| &*i.name).filter(|i| !facts.handlers.iter().any(|h| h.1 == *i));
            let help = meant(name, free).unwrap_or_else(|| "nothing calls it but the script itself".to_owned());
            here.report_line(Diagnostic::note(codes::HANDLER_WITHOUT_INPUT, message).help(help), line, &word);
        } else if wanted > 1 {
            let message = format!("`{word}` needs {wanted} arguments and is called with none");
            let help = "a method with exactly one argument gets the value of the signal, any other gets nothing";
            here.report_line(Diagnostic::error(codes::HANDLER_ARGUMENTS, message).help(help), line, &word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::GENERATED_CLASS;

    #[test]
    fn the_methods_are_those_that_scripts_get() {
        let runtime = concat!(env!("CARGO_MANIFEST_DIR"), "/../boxstep-script/python/boxstep_runtime");
        let read = |name: &str| std::fs::read_to_string(format!("{runtime}/{name}.py")).unwrap();
        let (now, old) = (read("box"), read("legacy"));
        let class = now.split("class BoxBase").nth(1).unwrap().split("def bind_module").next().unwrap();
        let legacy = old.split("class Legacy").nth(1).unwrap();
        let own = [class, legacy].map(|class| class.split("\ndef ").next().unwrap());
        let lines = || own.iter().flat_map(|class| class.lines());
        let methods = lines().filter_map(|l| l.strip_prefix("    def ")?.split('(').next());
        // Aliases of methods, written as `    addParam = addParameter`.
        let same = lines().filter_map(|l| l.strip_prefix("    ")?.split_once(" = "));
        let word = |text: &str| text.chars().all(|c| c.is_alphanumeric());
        let same = same.filter(|(name, what)| word(name) && word(what)).map(|(name, _)| name);
        // Methods that do nothing are defined in loops over their names.
        let loops = class.split("for _name in (").skip(1).filter_map(|l| l.split(')').next());
        let idle = loops.flat_map(|l| l.split('"').skip(1).step_by(2));
        let mut given: Vec<&str> = methods.chain(same).chain(idle).filter(|n| !n.starts_with('_')).collect();
        given.sort_unstable();
        assert_eq!(given, GENERATED_CLASS);
    }
}
