//! Checks of the services that scripts request, and of the methods they call on them.

use super::Here;
use crate::codes;
use crate::scripts::UNKNOWN_COUNT;
use boxstep_services::{Method, service, services};
use boxstep_types::{Diagnostic, Severity, meant, nearest};

pub(super) fn check(here: &mut Here<'_>) {
    let Some(facts) = here.facts() else { return };
    let offered =
        |name: &str| here.context.services.iter().any(|s| s == name) || facts.offers.iter().any(|o| o == name);
    let mut found = Vec::new();
    for asked in &facts.services {
        let (line, name, guarded) = (asked.0, asked.1.as_str(), asked.2);
        if service(name).is_none() && !offered(name) {
            let message = format!("no robot and no part of the project offers the service \"{name}\"");
            let finding = Diagnostic::warning(codes::UNKNOWN_SERVICE, message);
            let help = meant(name, services().map(|s| s.name));
            let help = help.unwrap_or_else(|| "it has to be installed on the robot by another application".to_owned());
            found.push((finding.help(help), line, name, guarded));
        } else if let Some(body) = here.context.body
            && !body.offers(name)
            && !offered(name)
        {
            let message = format!("{} does not offer the service \"{name}\"", body.name);
            found.push((Diagnostic::warning(codes::SERVICE_NOT_ON_BODY, message), line, name, guarded));
        }
    }
    for called in &facts.methods {
        let (line, name, given, guarded) = (called.0, called.2.as_str(), called.3, called.4);
        let Some(known) = service(&called.1) else { continue };
        // Names with a leading underscore are undocumented, and robots have many of them.
        if name.starts_with('_') || known.signal(name).is_some() || known.property(name).is_some() {
            continue;
        }
        match known.method(name) {
            None => {
                let message = format!("{} is not known to have a method \"{name}\"", known.name);
                let near = nearest(name, known.all_methods().map(|m| m.name));
                // If no known name is similar, the robot may have a method that the tables lack.
                let finding = match near {
                    Some(near) => {
                        Diagnostic::warning(codes::UNKNOWN_METHOD, message).help(format!("did you mean `{near}`?"))
                    }
                    None => Diagnostic::note(codes::UNKNOWN_METHOD, message).help("robots may have it nevertheless"),
                };
                found.push((finding, line, name, guarded));
            }
            Some(method) if given != UNKNOWN_COUNT && !method.takes(given as usize) => {
                let message =
                    format!("{}.{name} is called with {given} arguments and takes {}", known.name, range(method));
                found.push((Diagnostic::warning(codes::METHOD_ARGUMENTS, message), line, name, guarded));
            }
            Some(_) => {}
        }
    }
    for (mut finding, line, word, guarded) in found {
        if guarded {
            finding.severity = Severity::Note;
        }
        here.report_line(finding, line, word);
    }
}

fn range(method: &Method) -> String {
    match method.counts() {
        (least, None) => format!("at least {least}"),
        (least, Some(most)) if least == most => least.to_string(),
        (least, Some(most)) => format!("{least} to {most}"),
    }
}
