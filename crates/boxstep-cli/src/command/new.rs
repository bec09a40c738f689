//! `boxstep new`: creates a folder with a playable behavior, its test and a CI workflow.

use crate::args::NewArgs;
use crate::failure::Failure;
use crate::{exit, output};
use boxstep_bodies::BodyKind;
use boxstep_edit::templates;
use boxstep_format::archive::Entry;
use boxstep_format::output::OutputFolder;
use std::io::Write as _;

const LONGEST: usize = 64;

/// Creates the whole folder, or nothing.
pub(crate) fn run(args: &NewArgs) -> Result<i32, Failure> {
    let target = &args.name;
    let name = target.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    is_name(&name)?;
    if target.symlink_metadata().is_ok() {
        return Err(Failure::File(target.clone(), "it is there already; choose another name".to_owned()));
    }
    let known = BodyKind::from_name(&args.body);
    let (robot, model) = match known {
        Some(BodyKind::Nao | BodyKind::NaoV33) => ("NAO", "nao"),
        Some(BodyKind::Pepper) => ("JULIETTE", "juliette"),
        None => return Err(Failure::Usage(format!("there is no body `{}`: --body takes nao or pepper", args.body))),
    };
    let words = [
        ("@NAME@", name.as_str()),
        ("@UUID@", &name.to_lowercase()),
        ("@ROBOT@", robot),
        ("@ROBOTNAME@", if robot == "NAO" { "NAO" } else { "Pepper" }),
        ("@MODEL@", model),
        ("@REPOSITORY@", env!("CARGO_PKG_REPOSITORY")),
        ("@SLUG@", env!("CARGO_PKG_REPOSITORY").trim_start_matches("https://github.com/")),
        ("@BLANKS@", &" ".repeat(20_usize.saturating_sub(name.len()))),
    ];
    let filled = |text: &str| templates::filled(text, &words);
    let failed = |e: std::io::Error| Failure::unwritten(target, &e);
    let mut folder = OutputFolder::new(target, false).map_err(failed)?;
    for (file, text) in templates::PROJECT {
        let entry = Entry { name: filled(file), bytes: filled(text).into_bytes(), executable: false };
        folder.add(&entry).map_err(failed)?;
    }
    folder.finish().map_err(failed)?;
    let shown = target.display();
    let mut out = output::stdout();
    writeln!(out, "made {shown}: a behavior that says hello and waves, and its test\n")?;
    writeln!(out, "  boxstep play {shown} --virtual-time --must-end\n  boxstep test {shown}")?;
    out.flush()?;
    Ok(exit::OK)
}

/// Accepts names that robots take for an application and every file system takes for a folder.
fn is_name(name: &str) -> Result<(), Failure> {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if plain && name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() <= LONGEST {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "`{name}` is not a valid name of an application: a letter first, then letters, digits, `-` and `_`, at most {LONGEST}"
    )))
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn names_that_robots_and_file_systems_take() {
        for good in ["greeter", "My_App-2", "a"] {
            assert!(is_name(good).is_ok(), "{good}");
        }
        for bad in ["", "2nd", "a b", "é", "a.b", "-a", "a<b", &"a".repeat(65)] {
            assert!(is_name(bad).is_err(), "{bad}");
        }
    }
}
