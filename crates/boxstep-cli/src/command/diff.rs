//! `boxstep diff`

use crate::args::{DiffArgs, DiffFormat};
use crate::failure::Failure;
use crate::{body, exit, open, output};
use boxstep_draw::diff::Diff;

/// Says what changed. The exit code is 1 if anything did.
pub(crate) fn run(args: &DiffArgs) -> Result<i32, Failure> {
    let format = output::format(args.format, &args.output, ENDINGS, DiffFormat::Text)?;
    let old = open::behavior(&args.old, args.behavior.as_deref())?;
    let new = open::behavior(&args.new, args.behavior.as_deref())?;
    let diff = Diff::new(&old.file, &new.file);
    let code = if diff.is_same() { exit::OK } else { exit::DIFFERENT };
    if args.quiet {
        return Ok(code);
    }
    let names = (args.old.display().to_string(), args.new.display().to_string());
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

const ENDINGS: &[(&str, DiffFormat)] = &[
    ("txt", DiffFormat::Text),
    ("diff", DiffFormat::Text),
    ("json", DiffFormat::Json),
    ("html", DiffFormat::Html),
    ("htm", DiffFormat::Html),
];
