//! Checks of inputs and outputs, and of their use in the script.

use super::Here;
use crate::codes;
use crate::scripts::UNKNOWN_COUNT;
use boxstep_format::model::{InputNature, PortType};
#[cfg(not(target_arch = "wasm32"))]
use boxstep_services::scripts::members_of;
use boxstep_types::{Diagnostic, Severity, meant};

/// Returns the methods of `GeneratedClass` that a script may call (`docs/reference/python.md`).
#[cfg(not(target_arch = "wasm32"))]
fn generated_class() -> impl Iterator<Item = &'static str> {
    members_of("Box").iter().filter(|member| member.arguments.is_some()).map(|member| member.name)
}

/// In a page no Python has read a script, so nothing asks for them.
#[cfg(target_arch = "wasm32")]
fn generated_class() -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}

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
        let hidden =
            facts.open || name.starts_with("__") || generated_class().any(|known| known == name) || dead(here, &call.4);
        if hidden {
            continue;
        }
        let message = format!("`self.{name}(…)`: the box has no output \"{name}\", and the script no such method");
        let mut finding = Diagnostic::error(codes::UNDECLARED_OUTPUT, message);
        if guarded {
            finding.severity = Severity::Note;
        }
        let known = def.outputs.iter().map(|o| &*o.name).chain(facts.names.iter().map(String::as_str));
        let help = meant(name, known.chain(generated_class().map(|known| known as &str)));
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
