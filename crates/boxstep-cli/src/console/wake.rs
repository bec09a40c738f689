//! Hints at the end of a run in virtual time: which options would wake the boxes and scripts that wait.

use boxstep_engine::Wait;
use boxstep_engine::services::Topic;
use boxstep_types::Time;

/// How many waits are listed.
const TOLD: usize = 20;

/// Returns a line for each wait: who waits, for what, and the option that would wake it.
pub(super) fn lines(waits: &[Wait], end: Time) -> Vec<String> {
    // The next whole second: by then it waits, and people read whole seconds.
    let at = end.as_secs_f64().floor() + 1.0;
    let mut lines: Vec<String> = waits.iter().map(|wait| line(wait, at)).collect();
    // A dialog box waits with each of its outputs.
    lines.dedup();
    if lines.len() > TOLD {
        let more = lines.len() - TOLD;
        lines.truncate(TOLD);
        lines.push(format!("  and {more} more"));
    }
    lines
}

fn line(wait: &Wait, at: f64) -> String {
    let is = |event: &str| matches!(&wait.topic, Topic::Memory(key) if **key == *event);
    let who = if wait.path.is_empty() { "a script" } else { &*wait.path };
    if wait.is_dialog || is("Dialog/LastInput") {
        return format!("  {who} waits for words: --hear 'TEXT@{at}'");
    }
    if is("WordRecognized") {
        return format!("  {who} waits for a word: --hear 'WORD@{at}'");
    }
    let Some((what, value)) = kind(wait) else { return format!("  {who} waits for {}", wait.topic) };
    let event = format!("{}={value}@{at}", wait.topic).replace('\'', "'\\''");
    format!("  {who} waits for {what}: --event '{event}'")
}

/// Describes what is waited for, with an example value; `None` if it does not come from outside.
fn kind(wait: &Wait) -> Option<(&'static str, &'static str)> {
    let key = match &wait.topic {
        Topic::Memory(key) => &**key,
        Topic::Signal(service, signal) if **service == *"ALTabletService" => {
            let touched = signal.starts_with("onTouch") && !signal.ends_with("Ratio") && !signal.ends_with("Factor");
            return Some(("the tablet", if touched { "[100, 100]" } else { "VALUE" }));
        }
        // A port of a box.
        Topic::Signal(..) if wait.topic.to_string().starts_with("root") => return None,
        Topic::Signal(..) => return Some(("a signal", "VALUE")),
    };
    Some(match key {
        _ if key.starts_with("Dialog/") => ("the dialog", "TEXT"),
        _ if key.ends_with("Touched") || key.ends_with("TouchChanged") => ("a touch", "1"),
        _ if key.ends_with("Pressed") || key.contains("ChestButton") => ("a button", "1"),
        _ => ("an event", "VALUE"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_who_waits_is_told_with_what_would_wake_it() {
        let wait = |path: &str, topic| Wait { path: path.to_owned(), topic, is_dialog: false };
        let memory = |path: &str, key: &str| wait(path, Topic::Memory(key.into()));
        let waits = [
            memory("root/Touch", "FrontTactilTouched"),
            memory("root/Bumper", "RightBumperPressed"),
            memory("root/Speech Reco", "WordRecognized"),
            Wait { is_dialog: true, ..memory("root/Talk", "Answer") },
            memory("root/Ear", "Dialog/LastInput"),
            memory("", "It's"),
            wait("root/Tablet", Topic::Signal("ALTabletService".into(), "onTouchDown".into())),
        ];
        let wanted = [
            "  root/Touch waits for a touch: --event 'FrontTactilTouched=1@3'",
            "  root/Bumper waits for a button: --event 'RightBumperPressed=1@3'",
            "  root/Speech Reco waits for a word: --hear 'WORD@3'",
            "  root/Talk waits for words: --hear 'TEXT@3'",
            "  root/Ear waits for words: --hear 'TEXT@3'",
            r"  a script waits for an event: --event 'It'\''s=VALUE@3'",
            "  root/Tablet waits for the tablet: --event 'ALTabletService.onTouchDown=[100, 100]@3'",
        ];
        assert_eq!(lines(&waits, Time::from_millis(2500)), wanted);
        let many = (0..TOLD + 3).map(|n| memory(&format!("root/Touch {n}"), "FrontTactilTouched"));
        assert_eq!(lines(&many.collect::<Vec<_>>(), Time::ZERO).last().map(String::as_str), Some("  and 3 more"));
    }
}
