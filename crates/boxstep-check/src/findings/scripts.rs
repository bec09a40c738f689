//! Checks of scripts themselves: language, syntax, Python 2.

use super::Here;
use super::count;
use crate::codes;
use crate::scripts::Reading;
use boxstep_types::Diagnostic;

pub(super) fn check(here: &mut Here<'_>) {
    let Some(script) = &here.at.def.script else { return };
    if script.language.is_lost(&script.text) {
        let message = format!("the script is {}; only Python is run", script.language.words());
        let finding = Diagnostic::warning(codes::SCRIPT_LANGUAGE, message);
        return here.report(finding.help("the box plays as one without a script"), script.span);
    }
    match here.reading() {
        None => {}
        Some(Reading::Broken { line, column, why, is_python_3 }) => {
            let kind = if *is_python_3 { "Python 3, although it says so" } else { "Python 2 or 3" };
            let message = format!("the script is not valid {kind}: {}", lower_first(why));
            let finding = Diagnostic::error(codes::SCRIPT_SYNTAX, message);
            let at = match column {
                0 => format!("line {line} of the script"),
                _ => format!("line {line}, column {column} of the script"),
            };
            let finding = finding.with_note(None, at);
            here.report_line(finding.help("the box plays without its script"), *line, "");
        }
        Some(Reading::NotChecked(why)) => {
            let message = format!("the script was not checked: {why}");
            here.report(Diagnostic::note(codes::SCRIPTS_NOT_CHECKED, message), script.span);
        }
        Some(Reading::Read { remnants, .. }) => {
            for (remnant, line, times) in remnants {
                let (what, becomes) = remnant.words();
                let message = format!("Python 2: {what}, read as {becomes}");
                let mut finding = Diagnostic::note(codes::PYTHON_2, message);
                if *times > 1 {
                    finding = finding.with_note(None, format!("on {}", count(*times as usize, "line")));
                }
                here.report_line(finding, *line, "");
            }
        }
    }
}

/// Converts the first letter to lower case, because Python's messages begin inconsistently.
fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_lowercase().collect::<String>()).unwrap_or_default();
    first + letters.as_str()
}
