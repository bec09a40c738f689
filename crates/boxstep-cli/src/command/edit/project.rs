//! `boxstep edit` of a project: its behaviors, dialogs, files, manifest and translations.

use crate::args::{BehaviorChange, DialogChange, EditArgs, EditCommand, FileListChange};
use crate::failure::Failure;
use crate::{exit, open, output};
use boxstep_edit::project::{ProjectFolder, ProjectOp};
use boxstep_format::together::{Contents, FileChange};
use serde_json::Value;
use std::io::Write as _;
use std::path::Path;

/// Returns the operations of a change of a project; `None` if it is one of a behavior.
pub(super) fn operations(change: &EditCommand) -> Result<Option<Vec<ProjectOp>>, Failure> {
    let texts = |all: &[(String, String)]| all.iter().cloned().collect();
    let one = match change {
        EditCommand::Behavior(BehaviorChange::Add { name }) => ProjectOp::AddBehavior { name: name.clone() },
        EditCommand::Behavior(BehaviorChange::Rename { folder, name }) => {
            ProjectOp::RenameBehavior { behavior: folder.clone(), name: name.clone() }
        }
        EditCommand::Behavior(BehaviorChange::Remove { folder }) => {
            ProjectOp::RemoveBehavior { behavior: folder.clone() }
        }
        EditCommand::Behavior(BehaviorChange::Nature { folder, nature }) => {
            ProjectOp::SetNature { behavior: folder.clone(), nature: *nature }
        }
        EditCommand::Dialog(DialogChange::Add { name, languages }) => {
            ProjectOp::AddDialog { name: name.clone(), languages: languages.clone() }
        }
        EditCommand::Dialog(DialogChange::Remove { name, languages }) => {
            ProjectOp::RemoveDialog { name: name.clone(), languages: languages.clone() }
        }
        EditCommand::File(FileListChange::Add { files }) => ProjectOp::AddFiles { files: files.clone() },
        EditCommand::File(FileListChange::Remove { files }) => ProjectOp::RemoveFiles { files: files.clone() },
        EditCommand::Manifest(change) => ProjectOp::SetManifest {
            version: change.version.clone(),
            names: texts(&change.name),
            descriptions: texts(&change.description),
        },
        EditCommand::Translate(change) => ProjectOp::SetTranslation {
            language: change.language.clone(),
            source: change.source.clone(),
            translation: change.translation.clone(),
            context: change.context.clone(),
            parameter: change.parameter.clone(),
        },
        _ => return Ok(None),
    };
    Ok(Some(vec![one]))
}

/// Returns the operations of a file if they are those of a project: the first one says so.
pub(super) fn read(text: &str, file: &Path) -> Result<Option<Vec<ProjectOp>>, Failure> {
    let first = serde_json::from_str::<Vec<Value>>(text).ok().and_then(|all| all.into_iter().next());
    let name = first.and_then(|first| first.get("op")?.as_str().map(str::to_owned));
    if !name.is_some_and(|name| NAMES.contains(&name.as_str())) {
        return Ok(None);
    }
    let wrong = |e| Failure::File(file.to_owned(), format!("it is no list of operations on a project: {e}"));
    serde_json::from_str(text).map(Some).map_err(wrong)
}

const NAMES: [&str; 10] = [
    "add_behavior",
    "rename_behavior",
    "remove_behavior",
    "set_nature",
    "add_dialog",
    "remove_dialog",
    "add_files",
    "remove_files",
    "set_manifest",
    "set_translation",
];

/// Changes a project, and says which files have changed.
pub(super) fn run(args: &EditArgs, ops: &[ProjectOp]) -> Result<i32, Failure> {
    if args.output.is_some() {
        let why = "--output is for one file; a project is changed where it is: see what would change with --dry-run";
        return Err(Failure::Usage(why.to_owned()));
    }
    if args.behavior.is_some() {
        return Err(Failure::Usage(
            "--behavior is for changes of one behavior, and this is one of the project".to_owned(),
        ));
    }
    // An archive says so itself.
    open::changeable(&args.file)?;
    let refused = |e: boxstep_edit::project::ProjectError| Failure::Usage(format!("{}: {e}", args.file.display()));
    let mut project = ProjectFolder::open(&args.file).map_err(refused)?;
    if args.dry_run {
        let changes = project.preview(ops).map_err(refused)?;
        let mut out = output::stdout();
        for change in &changes {
            write!(out, "{}", diff(change))?;
        }
        out.flush()?;
        report(&changes, "would be");
        return Ok(exit::OK);
    }
    report(project.apply(ops).map_err(refused)?, "");
    Ok(exit::OK)
}

fn report(changes: &[FileChange], verb: &str) {
    if changes.is_empty() {
        eprintln!("nothing changes");
    }
    for change in changes {
        let what = what(change);
        eprintln!("{}: {verb}{}{what}", change.name, if verb.is_empty() { "" } else { " " });
    }
}

/// Returns what happens to a file.
pub(crate) fn what(change: &FileChange) -> &'static str {
    match (&change.before, &change.after) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    }
}

/// Returns the difference of a file; what is no text is only named.
pub(crate) fn diff(change: &FileChange) -> String {
    let text = |contents: &Option<Contents>| match contents {
        None => Some(String::new()),
        Some(contents) => String::from_utf8(contents.bytes.clone()).ok(),
    };
    let name = |contents: &Option<Contents>, side: &str| match contents {
        Some(_) => format!("{side}/{}", change.name),
        None => "/dev/null".to_owned(),
    };
    match (text(&change.before), text(&change.after)) {
        (Some(before), Some(after)) => {
            let diff = similar::TextDiff::from_lines(&before, &after);
            let header = (name(&change.before, "a"), name(&change.after, "b"));
            diff.unified_diff().context_radius(3).header(&header.0, &header.1).to_string()
        }
        _ => format!("Binary files {} and {} differ\n", name(&change.before, "a"), name(&change.after, "b")),
    }
}

#[cfg(test)]
mod tests {
    use super::NAMES;
    use boxstep_edit::project::ProjectOp;

    #[test]
    fn all_operations_have_a_name() {
        let schema = schemars_names();
        assert_eq!(schema, NAMES);
    }

    /// The names of the operations, as their schema lists them.
    fn schemars_names() -> Vec<String> {
        let known = serde_json::from_str::<ProjectOp>(r#"{"op":"nothing"}"#).unwrap_err().to_string();
        let (_, names) = known.split_once("expected one of ").unwrap();
        let names = names.split(" at line").next().unwrap();
        names.split(", ").map(|name| name.trim_matches('`').to_owned()).collect()
    }
}
