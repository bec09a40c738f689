//! Checks of parameters: their values, and the names that scripts request.

use super::Here;
use crate::codes;
use boxstep_format::model::Parameter;
use boxstep_format::param_value;
use boxstep_types::{Diagnostic, Severity, Value, meant};

pub(super) fn check(here: &mut Here<'_>) {
    for p in &here.at.def.parameters {
        parameter(here, p);
    }
    requested_parameters(here);
}

fn parameter(here: &mut Here<'_>, p: &Parameter) {
    // The inherited value counts instead, and is checked where it is defined.
    if p.inherits_from_parent && has_above(here, &p.name) {
        return;
    }
    let value = match param_value(p) {
        Ok(value) => value,
        Err(why) => {
            let message = format!("the value of the parameter \"{}\": {}", p.name, shown(p, &why.to_string()));
            let help = "the script gets the text unchanged";
            return here.report(Diagnostic::error(codes::BAD_PARAMETER, message).help(help), p.value_span);
        }
    };
    let number = if matches!(value, Value::Int(_) | Value::Float(_)) { value.as_f64() } else { None };
    if let Some(x) = number {
        let (low, high) = (p.min.unwrap_or(f64::NEG_INFINITY), p.max.unwrap_or(f64::INFINITY));
        if x < low || x > high {
            let message = format!("\"{}\" is {x}, outside its range from {low} to {high}", p.name);
            here.report(
                Diagnostic::warning(codes::OUT_OF_RANGE, message).help("the value is used unchanged"),
                p.value_span,
            );
        }
    }
    if !p.custom_choice && !p.choices.is_empty() && !p.choices.iter().any(|c| **c == *p.value) {
        let message =
            format!("\"{}\" is {}, which is not one of its choices", p.name, shown(p, &format!("`{}`", p.value)));
        let mut finding = Diagnostic::warning(codes::NOT_A_CHOICE, message);
        finding.help = if p.password { None } else { meant(&p.value, p.choices.iter().map(String::as_str)) };
        here.report(finding, p.value_span);
    }
}

/// Returns the text of a message about a value; a password is not shown.
fn shown<'a>(p: &Parameter, text: &'a str) -> &'a str {
    if p.password { "…" } else { text }
}

fn has_above(here: &Here<'_>, name: &str) -> bool {
    let parents = here.parents();
    parents.is_none_or(|all| all.iter().any(|def| def.parameters.iter().any(|p| *p.name == *name)))
}

/// Reports calls `self.getParameter("name")` with a name that neither the box nor an enclosing one has.
fn requested_parameters(here: &mut Here<'_>) {
    let Some(facts) = here.facts() else { return };
    let own = &here.at.def.parameters;
    for asked in &facts.parameters {
        let (line, name, guarded) = (asked.0, asked.1.as_str(), asked.2);
        if own.iter().any(|p| *p.name == *name) || has_above(here, name) {
            continue;
        }
        let message =
            format!("the script asks for the parameter \"{name}\", which neither the box nor any around it has");
        let mut finding = Diagnostic::error(codes::UNKNOWN_PARAMETER, message);
        if guarded {
            finding.severity = Severity::Note;
        }
        let help = meant(name, own.iter().map(|p| &*p.name));
        let help = help.unwrap_or_else(|| "it raises RuntimeError when it gets there".to_owned());
        here.report_line(finding.help(help), line, name);
    }
}
