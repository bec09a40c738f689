//! `boxstep qi info`

use super::ConnectedRobot;
use crate::args::InfoArgs;
use crate::failure::Failure;
use crate::robot_word::{Form, Words};
use crate::terminal::Reader;
use crate::{exit, output};
use boxstep_qi::{FIRST_OWN, MetaObject, Remote, ServiceInfo};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::io::Write as _;

pub(super) fn run(args: &InfoArgs) -> Result<i32, Failure> {
    let words = Words::take(Form::Info, args.robot.robot.as_deref(), args.words.clone())?;
    let service = words.rest.first();
    if args.all && service.is_none() {
        return Err(Failure::Usage("--all is for the members of a service: name one".to_owned()));
    }
    let robot = ConnectedRobot::connect(words.robot.as_deref(), &args.robot.access)?;
    let (text, json) = match service {
        None => {
            let mut services = robot.session.services().map_err(|e| robot.failed(&e))?;
            services.sort_by(|a, b| a.name.cmp(&b.name));
            (list(&services), list_json(&robot.name, &services))
        }
        Some(name) => {
            let service = robot.service(name)?;
            let from = if args.all { 0 } else { FIRST_OWN };
            (describe(name, &service, from), describe_json(name, &service, from))
        }
    };
    let mut out = output::stdout_for(Reader::json_if(args.json));
    if args.json {
        writeln!(out, "{json}")?
    } else {
        out.write_all(text.as_bytes())?
    }
    out.flush()?;
    Ok(exit::OK)
}

fn list(services: &[ServiceInfo]) -> String {
    let longest = services.iter().map(|s| s.name.chars().count()).max().unwrap_or_default();
    let mut text = String::new();
    for service in services {
        let to = if service.endpoints.is_empty() { "no endpoint".to_owned() } else { service.endpoints.join(" ") };
        let _ = writeln!(text, "{:<longest$}  #{:<4} {to}", service.name, service.id);
    }
    text
}

fn list_json(robot: &str, services: &[ServiceInfo]) -> Json {
    let services: Vec<Json> = services
        .iter()
        .map(|s| {
            json!({"name": s.name, "id": s.id, "endpoints": s.endpoints, "machine": s.machine, "process": s.process})
        })
        .collect();
    json!({"robot": robot, "services": services})
}

/// Writes a member and its description, which may have several lines.
fn member(text: &mut String, what: &str, about: &str) {
    let _ = writeln!(text, "  {what}");
    for line in about.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(text, "      {}", line.trim());
    }
}

fn describe(name: &str, service: &Remote, from: u32) -> String {
    let meta: &MetaObject = service.meta();
    let mut text = format!("{name}, service {}\n", service.service_id());
    for line in meta.description.lines() {
        let _ = writeln!(text, "{line}");
    }
    let mut methods: Vec<_> = meta.methods.range(from..).map(|(_, m)| m).collect();
    methods.sort_by(|a, b| a.name.cmp(&b.name));
    if !methods.is_empty() {
        text.push_str("\nmethods\n");
    }
    for m in methods {
        member(
            &mut text,
            &format!("{}{} -> {}", m.name, without_struct_names(&m.parameters), without_struct_names(&m.returns)),
            &m.description,
        );
        for (name, about) in &m.parameter_names {
            let _ = writeln!(text, "      {name}: {}", about.trim());
        }
        if !m.return_description.trim().is_empty() {
            let _ = writeln!(text, "      returns {}", m.return_description.trim());
        }
    }
    // The signal of a property has the property's number, and is listed with the property.
    let mut signals: Vec<_> = meta.signals.range(from..).filter(|(id, _)| !meta.properties.contains_key(id)).collect();
    signals.sort_by(|a, b| a.1.name.cmp(&b.1.name));
    if !signals.is_empty() {
        text.push_str("\nsignals\n");
    }
    for (_, s) in signals {
        member(&mut text, &format!("{}{}", s.name, without_struct_names(&s.signature)), "");
    }
    let mut properties: Vec<_> = meta.properties.values().collect();
    properties.sort_by(|a, b| a.name.cmp(&b.name));
    if !properties.is_empty() {
        text.push_str("\nproperties\n");
    }
    for p in properties {
        member(&mut text, &format!("{}: {}", p.name, without_struct_names(&p.signature)), "");
    }
    text
}

/// Returns a signature without the names of structs, which are long and say little.
fn without_struct_names(signature: &boxstep_qi::Signature) -> String {
    let text = signature.to_string();
    let mut depth = 0_u32;
    text.chars()
        .filter(|c| {
            depth += u32::from(*c == '<');
            let keep = depth == 0;
            depth -= u32::from(*c == '>' && depth > 0);
            keep
        })
        .collect()
}

fn describe_json(name: &str, service: &Remote, from: u32) -> Json {
    let meta = service.meta();
    let methods: Vec<Json> = meta
        .methods
        .range(from..)
        .map(|(id, m)| {
            let names: Vec<Json> =
                m.parameter_names.iter().map(|(name, about)| json!({"name": name, "description": about})).collect();
            json!({
                "id": id,
                "name": m.name,
                "parameters": m.parameters.to_string(),
                "returns": m.returns.to_string(),
                "description": m.description,
                "arguments": names,
                "returned": m.return_description,
            })
        })
        .collect();
    let signals: Vec<Json> = meta
        .signals
        .range(from..)
        .map(|(id, s)| json!({"id": id, "name": s.name, "signature": s.signature.to_string()}))
        .collect();
    let properties: Vec<Json> = meta
        .properties
        .iter()
        .map(|(id, p)| json!({"id": id, "name": p.name, "signature": p.signature.to_string()}))
        .collect();
    json!({
        "name": name,
        "id": service.service_id(),
        "description": meta.description,
        "methods": methods,
        "signals": signals,
        "properties": properties,
    })
}
