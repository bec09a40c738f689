//! Reading of `manifest.xml`, which describes a package to robots and to the application store.

use crate::Limits;
use crate::error::{FormatError, Problem};
use crate::raw::{Doctype, RawNode};
use crate::xar::{Parsed, parse_xml};
use boxstep_types::{FileId, Sources, Span};

/// The contents of a `manifest.xml`. Elements without a field here are ignored.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// The text of the file, for messages.
    pub sources: Sources,
    /// The id of the package on the robot; not always a UUID.
    pub uuid: Option<String>,
    /// The package's version.
    pub version: Option<String>,
    /// Names shown to users.
    pub names: Vec<LocalText>,
    /// Descriptions shown to users.
    pub descriptions: Vec<LocalText>,
    /// Locales of the languages that the package speaks, e.g. `en_US`.
    pub languages: Vec<String>,
    /// Locales of the languages that it is described in.
    pub description_languages: Vec<String>,
    /// The behaviors in the package.
    pub behaviors: Vec<BehaviorContent>,
    /// The dialogs in the package.
    pub dialogs: Vec<DialogContent>,
    /// Paths of the programs in the package.
    pub executables: Vec<String>,
    /// Services that the package runs on the robot.
    pub services: Vec<PackageService>,
    /// Robot models that the package is made for, e.g. `NAO`, `JULIETTE`; empty for any.
    pub robot_models: Vec<String>,
    /// The oldest and newest NAOqi versions that the package is made for.
    pub naoqi: (Option<String>, Option<String>),
}

/// A text in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalText {
    /// The locale.
    pub language: String,
    /// The text.
    pub text: String,
}

/// A behavior that a package offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BehaviorContent {
    /// The folder of the behavior; `.` for the package's own folder.
    pub path: String,
    /// The nature of the behavior: `interactive`, `solitary` or none.
    pub nature: Option<String>,
    /// Names shown to users.
    pub names: Vec<LocalText>,
    /// True if a person may request the behavior.
    pub user_requestable: bool,
    /// Sentences by which a person starts it.
    pub trigger_sentences: Vec<LocalText>,
    /// Sentences that the robot says while the behavior loads.
    pub loading_responses: Vec<LocalText>,
    /// Conditions, each with its purpose, e.g. `launchTrigger`.
    pub conditions: Vec<(String, String)>,
    /// The span of the element.
    pub span: Span,
}

/// A dialog that a package offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogContent {
    /// The name by which the dialog engine refers to the topic.
    pub topic_name: String,
    /// The topic files, by locale.
    pub topics: Vec<LocalText>,
    /// The span of the element.
    pub span: Span,
}

/// A service that a package runs on the robot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageService {
    /// The name of the service.
    pub name: String,
    /// The command that starts it.
    pub exec_start: String,
    /// True if the service is started with the robot.
    pub autorun: bool,
    /// The span of the element.
    pub span: Span,
}

impl PackageService {
    /// Returns the Python program that the command starts, relative to the package's folder, and its arguments:
    /// `/usr/bin/python2 scripts/main.py --quiet`.
    pub fn python_program(&self) -> Option<(&str, Vec<String>)> {
        let mut words = self.exec_start.split_whitespace();
        let file = words.find(|word| word.ends_with(".py"))?;
        Some((file, words.map(str::to_owned).collect()))
    }
}

/// Reads a `manifest.xml`. `name` is the file name that messages print.
pub fn read_manifest(name: &str, bytes: &[u8], limits: &Limits) -> Result<Manifest, FormatError> {
    let Parsed { sources, file, raw, .. } = parse_xml(name, bytes, limits, Doctype::Refused)?;
    let mut manifest = Manifest::default();
    if let Some(root) = raw.view(sources.text(file)).root() {
        if root.name() != "package" {
            let start = root.range().0;
            let span = Span { file, start, end: start + 1 + root.name().len() as u32 };
            let problem = Problem::WrongRoot(root.name().chars().take(40).collect(), "a manifest");
            return Err(FormatError::at(problem, span, sources.clone()));
        }
        fill(&mut manifest, root, file);
    }
    manifest.sources = sources;
    Ok(manifest)
}

fn fill(m: &mut Manifest, root: RawNode<'_>, file: FileId) {
    m.uuid = optional(root, "uuid");
    m.version = optional(root, "version");
    for part in root.elements() {
        match part.name() {
            "names" => m.names = local_texts(part, "name"),
            "descriptions" => m.descriptions = local_texts(part, "description"),
            "supportedLanguages" => m.languages = texts(part, "language"),
            "descriptionLanguages" => m.description_languages = texts(part, "language"),
            "executableFiles" => m.executables = part.elements().map(|e| attribute(e, "path")).collect(),
            "contents" => contents(m, part, file),
            "services" => {
                m.services = part
                    .elements()
                    .filter(|e| e.name() == "service")
                    .map(|e| PackageService {
                        name: attribute(e, "name"),
                        exec_start: attribute(e, "execStart"),
                        autorun: crate::params::flag(&attribute(e, "autorun")).unwrap_or(false),
                        span: Span { file, start: e.range().0, end: e.range().1 },
                    })
                    .collect();
            }
            "requirements" => {
                for e in part.elements() {
                    match e.name() {
                        "robotRequirement" => m.robot_models.extend(optional(e, "model")),
                        "naoqiRequirement" => m.naoqi = (optional(e, "minVersion"), optional(e, "maxVersion")),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

fn contents(m: &mut Manifest, part: RawNode<'_>, file: FileId) {
    for e in part.elements() {
        let (start, end) = e.range();
        let span = Span { file, start, end };
        match e.name() {
            "behaviorContent" => {
                let child = |name: &str| e.elements().find(|c| c.name() == name);
                let list = |name: &str, item: &str| child(name).map(|c| local_texts(c, item)).unwrap_or_default();
                m.behaviors.push(BehaviorContent {
                    path: attribute(e, "path"),
                    nature: child("nature").map(|n| n.content().trim().to_owned()),
                    names: list("names", "name"),
                    user_requestable: child("userRequestable").is_some(),
                    trigger_sentences: list("triggerSentences", "sentence"),
                    loading_responses: list("loadingResponses", "sentence"),
                    conditions: child("autonomous")
                        .into_iter()
                        .flat_map(|a| a.elements())
                        .filter(|c| c.name() == "condition")
                        .map(|c| (attribute(c, "purpose"), c.content().trim().to_owned()))
                        .collect(),
                    span,
                });
            }
            "dialogContent" => m.dialogs.push(DialogContent {
                topic_name: attribute(e, "topicName"),
                topics: e
                    .elements()
                    .filter(|t| t.name() == "topic")
                    .map(|t| LocalText { language: attribute(t, "language"), text: attribute(t, "path") })
                    .collect(),
                span,
            }),
            _ => {}
        }
    }
}

fn attribute(node: RawNode<'_>, name: &str) -> String {
    node.attribute(name).unwrap_or_default().into_owned()
}

fn optional(node: RawNode<'_>, name: &str) -> Option<String> {
    node.attribute(name).map(|v| v.into_owned())
}

fn local_texts(node: RawNode<'_>, item: &str) -> Vec<LocalText> {
    let items = node.elements().filter(|e| e.name() == item);
    items.map(|e| LocalText { language: attribute(e, "lang"), text: e.content().trim().to_owned() }).collect()
}

fn texts(node: RawNode<'_>, item: &str) -> Vec<String> {
    node.elements().filter(|e| e.name() == item).map(|e| e.content().trim().to_owned()).collect()
}
