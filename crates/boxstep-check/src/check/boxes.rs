//! A box by itself: ports, parameters, resources, script.

use super::{Here, repeats};
use crate::codes;
use boxstep_format::model::{InputNature, Parameter, ScriptLanguage};
use boxstep_format::param_value;
use boxstep_types::{Diagnostic, Span, Value};

pub(super) fn check(here: &mut Here<'_>) {
    let def = here.at.def;
    for (_, again) in repeats(&def.inputs, |p| &p.name) {
        shared_port(here, "input", &again.name, again.span);
    }
    for (_, again) in repeats(&def.outputs, |p| &p.name) {
        shared_port(here, "output", &again.name, again.span);
    }
    for (_, again) in repeats(&def.parameters, |p| &p.name) {
        shared_port(here, "parameter", &again.name, again.span);
    }
    for input in &def.inputs {
        if input.nature == InputNature::Memory && input.memory_key.as_deref().unwrap_or_default().is_empty() {
            let message = format!("the memory input \"{}\" does not name a memory key", input.name);
            here.tell(Diagnostic::error(codes::NO_MEMORY_KEY, message), input.span);
        }
    }
    for p in &def.parameters {
        parameter(here, p);
    }
    resources(here);
    if let Some(script) = &def.script
        && script.language != ScriptLanguage::Python
        && !script.text.trim().is_empty()
    {
        let message = format!("the script is {}; only Python is run", crate::words::language(script.language));
        here.tell(Diagnostic::warning(codes::SCRIPT_LANGUAGE, message), script.span);
    }
}

fn shared_port(here: &mut Here<'_>, kind: &str, name: &str, span: Span) {
    let message = format!("a second {kind} called \"{name}\"; scripts reach only one of them by name");
    here.tell(Diagnostic::warning(codes::SHARED_PORT_NAME, message), span);
}

fn parameter(here: &mut Here<'_>, p: &Parameter) {
    let value = match param_value(p) {
        Ok(value) => value,
        Err(why) => {
            let message = format!("the value of the parameter \"{}\": {}", p.name, shown(p, &why.to_string()));
            let help = "the script gets the text as it stands";
            return here.tell(Diagnostic::error(codes::BAD_PARAMETER, message).help(help), p.value_span);
        }
    };
    let number = if matches!(value, Value::Int(_) | Value::Float(_)) { value.as_f64() } else { None };
    if let Some(x) = number {
        let (low, high) = (p.min.unwrap_or(f64::NEG_INFINITY), p.max.unwrap_or(f64::INFINITY));
        if x < low || x > high {
            let message = format!("\"{}\" is {x}, outside its range from {low} to {high}", p.name);
            here.tell(Diagnostic::warning(codes::OUT_OF_RANGE, message).help("it is used as it stands"), p.value_span);
        }
    }
    let free = p.custom_choice || p.choices.is_empty() || p.inherits_from_parent;
    if !free && !p.choices.iter().any(|c| **c == *p.value) {
        let message =
            format!("\"{}\" is {}, which is not one of its choices", p.name, shown(p, &format!("`{}`", p.value)));
        here.tell(Diagnostic::warning(codes::NOT_A_CHOICE, message), p.value_span);
    }
}

/// A password is not for messages.
fn shown<'a>(p: &Parameter, text: &'a str) -> &'a str {
    if p.password { "…" } else { text }
}

fn resources(here: &mut Here<'_>) {
    let def = here.at.def;
    for (_, again) in repeats(&def.resources, |r| &r.name) {
        let message = format!("the box asks for \"{}\" twice", again.name);
        here.tell(Diagnostic::note(codes::SHARED_RESOURCE, message), again.span);
    }
    let Some((first, others)) = def.resources.split_first() else { return };
    if let Some(other) = others.iter().find(|r| r.mode != first.mode || r.timeout != first.timeout) {
        let message = format!("\"{}\" has another mode or timeout than \"{}\"", other.name, first.name);
        let finding = Diagnostic::note(codes::MIXED_RESOURCES, message);
        here.tell(finding.help("the resources of a box are taken together"), other.span);
    }
}
