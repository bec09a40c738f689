//! `boxstep diff`

use crate::args::{DiffArgs, DiffFormat};
use crate::failure::Failure;
use crate::{body, exit, open, output};
use boxstep_draw::diff::Diff;
use std::path::PathBuf;

/// Says what changed. The exit code is 1 if anything did.
pub(crate) fn run(args: &DiffArgs) -> Result<i32, Failure> {
    let (Some(old_path), Some(new_path)) = (&args.old, &args.new) else { return driver(args) };
    let format = output::format(args.format, &args.output, ENDINGS, DiffFormat::Text)?;
    let old = open::behavior(old_path, args.behavior.as_deref())?;
    let new = open::behavior(new_path, args.behavior.as_deref())?;
    let diff = Diff::new(&old.file, &new.file);
    let code = if diff.is_same() { exit::OK } else { exit::DIFFERENT };
    if args.quiet {
        return Ok(code);
    }
    let names = (old_path.display().to_string(), new_path.display().to_string());
    let text = match format {
        DiffFormat::Text => diff.text(&names.0, &names.1, args.output.file.is_none()),
        DiffFormat::Json => diff.json(&names.0, &names.1),
        DiffFormat::Html => {
            let kind = body::of_files(new.robots(), &new.file.project).0;
            diff.html(&names.0, &names.1, kind.body())
        }
    };
    output::write(&args.output, &text)?;
    Ok(code)
}

/// What git calls: path, old file with its hash and mode, new file with its hash and mode, and for a
/// renamed file the new path and in how far it is the same. Git takes any exit code but 0 for a crash.
fn driver(args: &DiffArgs) -> Result<i32, Failure> {
    let name = args.git.first().map(|p| p.display().to_string()).unwrap_or_default();
    let renamed = args.git.get(7).map(|p| p.display().to_string());
    let gone = |path: &PathBuf| path.as_os_str() == "/dev/null" || path.as_os_str() == "nul";
    let text = match (args.git.get(1), args.git.get(4)) {
        (Some(old), _) if gone(old) => format!("{name}: added\n"),
        (_, Some(new)) if gone(new) => format!("{name}: removed\n"),
        (Some(old), Some(new)) => {
            let (a, b) = (open::behavior(old, None)?, open::behavior(new, None)?);
            let new_name = renamed.as_ref().unwrap_or(&name);
            Diff::new(&a.file, &b.file).text(&format!("a/{name}"), &format!("b/{new_name}"), true)
        }
        _ => format!("{name}: unmerged\n"),
    };
    output::write(&args.output, &text)?;
    Ok(exit::OK)
}

const ENDINGS: &[(&str, DiffFormat)] = &[
    ("txt", DiffFormat::Text),
    ("diff", DiffFormat::Text),
    ("json", DiffFormat::Json),
    ("html", DiffFormat::Html),
    ("htm", DiffFormat::Html),
];
