//! Checks of the dialogs that boxes name. Their findings are about the files of the dialogs.

use super::Here;
use super::dialogs::{self, ends, folder_of};
use super::files::{Project, project_of};
use super::projects::Found;
use super::texts::{read_dialog, read_topic, shown_beside};
use super::topics::TopicCheck;
use crate::codes;
use boxstep_dialog::{Ports, Topic, lint_ports};
use boxstep_format::XarFile;
use boxstep_format::paths;
use boxstep_format::project::{DialogFile, inside};
use boxstep_types::Diagnostic;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The findings about the dialogs of a behavior's boxes.
#[derive(Default)]
pub(super) struct Dialogs {
    pub(super) found: Vec<Found>,
    topics: TopicCheck,
    /// The dialogs and topics whose findings have been reported.
    told: BTreeSet<PathBuf>,
}

/// Returns the dialogs that the boxes of a behavior name, and their topics. `folder` is the behavior's.
pub fn dialogs_of(file: &XarFile, folder: &Path) -> Vec<PathBuf> {
    let Project { root, base } = project_of(folder);
    let boxes = paths::boxes(&file.project);
    let named: BTreeSet<&str> = boxes.filter_map(|at| at.def.dialog_file.as_deref()).collect();
    let files = named.into_iter().filter_map(|path| inside(&root, &base, path).ok());
    files.filter(|file| file.is_file()).flat_map(|file| dialogs::paths(&file)).collect()
}

/// Reports the findings about a dialog that is not checked with its project, and about the topics of any dialog those
/// that the box's ports bring. `path` is what the box names, `file` where it is.
pub(super) fn check(here: &mut Here<'_>, path: &str, file: &Path) {
    let shown = shown_beside(here.file.sources.name(here.at.def.span.file), path);
    // A box may name a topic itself.
    if ends(file, "top") {
        return topic(here, file, &shown);
    }
    if !ends(file, "dlg") {
        let message = format!("`{path}` is neither a dialog (.dlg) nor a topic (.top)");
        return here.report(Diagnostic::error(codes::BAD_CONTENT, message), here.at.def.span);
    }
    let is_new = is_new(here, file);
    let dialog = match read_dialog(file, &shown) {
        Ok(dialog) => dialog,
        Err(found) => {
            if is_new {
                report(here, *found);
            }
            return;
        }
    };
    let project = project_of(folder_of(file));
    if is_new {
        lines(here, &dialog, &project, &shown);
    }
    for (listed, full) in dialogs::topics(&dialog, &project) {
        topic(here, &full, &shown_beside(&shown, &listed.path.text));
    }
}

/// Reports the findings about the lines of a dialog.
fn lines(here: &mut Here<'_>, dialog: &DialogFile, project: &Project, shown: &str) {
    for finding in dialogs::dialog(dialog, project) {
        report(here, Found { finding, sources: dialog.sources.clone(), file: shown.to_owned() });
    }
}

fn topic(here: &mut Here<'_>, file: &Path, shown: &str) {
    let is_new = is_new(here, file);
    let topic = match read_topic(file, shown) {
        Ok(topic) => topic,
        Err(found) => {
            if is_new {
                report(here, *found);
            }
            return;
        }
    };
    let mut found = Vec::new();
    if is_new {
        found.extend(here.dialogs.topics.around(file).findings(file, &topic, ("", "")));
    }
    let of_ports = lint_ports(&topic, &ports(here)).into_iter();
    found.extend(of_ports.map(|finding| of_topic(&topic, finding)));
    found.sort_by_key(|found| found.finding.span.map_or(0, |span| span.start));
    for found in found {
        report(here, found);
    }
}

fn of_topic(topic: &Topic, finding: Diagnostic) -> Found {
    let file = topic.sources.name(topic.file).to_owned();
    Found { finding, sources: topic.sources.clone(), file }
}

/// Whether the findings of a dialog or topic have not been reported yet, and are not reported elsewhere.
fn is_new(here: &mut Here<'_>, file: &Path) -> bool {
    let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    !here.context.dialogs.contains(&real) && here.dialogs.told.insert(real)
}

/// Reports a finding about a file of the box's dialog.
fn report(here: &mut Here<'_>, found: Found) {
    let place = here.file.sources.place(here.at.def.span);
    let finding = found.finding.with_note(None, format!("this is the dialog of the box at {place}"));
    here.dialogs.found.push(Found { finding: finding.in_box(here.at.path.clone()), ..found });
}

fn ports(here: &Here<'_>) -> Ports {
    let names = |ports: &mut dyn Iterator<Item = &Arc<str>>| ports.cloned().collect::<Vec<_>>();
    Ports {
        inputs: names(&mut here.at.def.inputs.iter().map(|input| &input.name)),
        outputs: names(&mut here.at.def.outputs.iter().map(|output| &output.name)),
    }
}
