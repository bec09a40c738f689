//! Events of a recording in words for people.

use crate::lines::Event;
use serde_json::Value;

/// The longest line of an answer, in characters.
const WIDEST: usize = 160;
/// The longest value in it.
const LONGEST: usize = 60;

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// A line, as long as lines may be. What would do something to a terminal, or begin another line, is left out.
pub(super) fn cut(line: &str) -> String {
    let plain: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    shortened(&plain, WIDEST)
}

fn value(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(value) => format!(" {}", shortened(&value.to_string(), LONGEST)),
    }
}

/// ` (line 6)`
pub(super) fn at_line(line: Option<u64>) -> String {
    line.map(|line| format!(" (line {line})")).unwrap_or_default()
}

/// ` (frame 250)`
pub(super) fn frame(event: &Event) -> String {
    event.field("frame").and_then(Value::as_i64).map(|frame| format!(" (frame {frame})")).unwrap_or_default()
}

/// `ValueError: no such word`
pub(super) fn error(error: &Value) -> String {
    let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
    match (text("kind"), text("message")) {
        (kind, "") => kind.to_owned(),
        (kind, message) => format!("{kind}: {}", shortened(message, 2 * LONGEST)),
    }
}

/// `ALMotion.rest`, of something that has both names.
pub(super) fn called(of: &Value) -> String {
    let text = |name: &str| of.get(name).and_then(Value::as_str).unwrap_or_default();
    format!("{}.{}", text("service"), text("method"))
}

/// `ALBehaviorManager.stopBehavior("dance")`
pub(super) fn called_by(event: &Event) -> String {
    let args: Vec<String> = match event.field("args").and_then(Value::as_array) {
        Some(args) => args.iter().map(|arg| shortened(&arg.to_string(), LONGEST)).collect(),
        None => Vec::new(),
    };
    format!("{}.{}({})", event.text("service"), event.text("method"), args.join(", "))
}

/// `lost Speech to root/Other`
pub(super) fn resource(event: &Event) -> String {
    let others: Vec<&str> =
        event.field("others").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let (name, others) = (event.text("name"), others.join(", "));
    match (event.text("what"), others.as_str()) {
        ("lost", "") => format!("lost the resource {name}"),
        ("lost", _) => format!("lost the resource {name} to {others}"),
        ("refused", "") => format!("did not get the resource {name}"),
        ("refused", _) => format!("did not get the resource {name}, which {others} has"),
        ("waiting", _) => format!("waits for the resource {name}, which {others} has"),
        ("asked" | "paused", _) => format!("is asked by {others} for the resource {name}"),
        (what, _) => format!("resource {name} {what}"),
    }
}

/// Who was still busy when a stop took too long.
pub(super) fn forced(event: &Event) -> Option<String> {
    let busy = event.field("busy")?.as_array()?;
    let one = |who: &Value| {
        let text = |name: &str| who.get(name).and_then(Value::as_str);
        let waits = text("waits_for").map(|what| format!(", which waits for {what}")).unwrap_or_default();
        format!("{} {}{waits}", text("path").unwrap_or("the robot"), text("does").unwrap_or_default())
    };
    let who: Vec<String> = busy.iter().map(one).collect();
    let who = if who.is_empty() { "it took too long".to_owned() } else { format!("still busy: {}", who.join("; ")) };
    Some(format!("it was stopped by force at {} s; {who}", event.t))
}

/// An event in the way that led to a stop; `None` for what says nothing to people.
pub(super) fn step(event: &Event) -> Option<String> {
    let text = |name: &str| event.text(name);
    Some(match event.kind() {
        "control" => match (text("what"), event.field("details")) {
            ("call", Some(details)) => format!("a program outside called {}", called(details)),
            (what, Some(details)) => {
                let key = details.get("key").or_else(|| details.get("port")).or_else(|| details.get("parameter"));
                let key = key.and_then(Value::as_str).map(|key| format!(" {key}")).unwrap_or_default();
                format!("from outside: {what}{key}{}", value(details.get("value")))
            }
            (what, None) => format!("from outside: {what}"),
        },
        "event" => format!("event {}{}", text("key"), value(event.field("value"))),
        "input" => format!("gets {}{}", text("port"), value(event.field("value"))),
        "output" => format!("puts out {}{}", text("port"), value(event.field("value"))),
        "service" => format!("calls {}", called_by(event)),
        "service_done" => {
            let failed = event.field("error").and_then(Value::as_str).map(|why| format!("failed: {why}"));
            let how = failed.unwrap_or_else(|| format!("answered{}", value(event.field("value"))));
            format!("{}.{} {how}", text("service"), text("method"))
        }
        "raised" if text("method") == "script" => {
            format!("its script does not compile: {}", error(event.field("error").unwrap_or(&Value::Null)))
        }
        "raised" => {
            let said = event.field("error").unwrap_or(&Value::Null);
            format!("{} raised {}{}", text("method"), error(said), at_line(said.get("line").and_then(Value::as_u64)))
        }
        "abandoned" => format!("{} took too long, and was given up", text("method")),
        "timeline" if matches!(text("command"), "load" | "unload") => return None,
        "timeline" => format!("timeline {}{}", text("command"), frame(event)),
        "resource" => resource(event),
        "behavior" if text("phase") == "started" => format!("behavior {} started", text("name")),
        "behavior_failed" => return None,
        "delegation" => match (text("what"), text("how")) {
            ("ended", how) => format!("ended: {how}{}", why(event)),
            ("activated", _) => "has control".to_owned(),
            ("stopped", _) => "the runner stopped".to_owned(),
            _ => return None,
        },
        "warning" => format!("warning: {}", text("text")),
        "act" => format!("{}: {}", text("act"), text("text")),
        _ => return None,
    })
}

fn why(event: &Event) -> String {
    match event.text("why") {
        "" => String::new(),
        why => format!(", {why}"),
    }
}
