//! Reading of `.pml` files, which list the contents of a project.

use super::normal;
use crate::error::{FormatError, Problem};
use crate::raw::{Doctype, RawNode};
use crate::xar::{Parsed, parse_xml};
use crate::{Limits, codes};
use boxstep_types::{Diagnostic, FileId, Sources, Span};

/// The contents of a `.pml` file. Paths are the file's text, relative to its folder.
#[derive(Clone, Debug)]
pub struct Pml {
    /// The text of the file, for messages.
    pub sources: Sources,
    /// The name of the project.
    pub name: String,
    /// The `format_version` attribute: 4 or 5 in every known file.
    pub version: Option<i32>,
    /// The path of the manifest.
    pub manifest: Option<String>,
    /// The span of the element that names the manifest.
    pub manifest_span: Option<Span>,
    /// Behaviors, in file order.
    pub behaviors: Vec<BehaviorDescription>,
    /// Dialogs (`.dlg`).
    pub dialogs: Vec<FileEntry>,
    /// Other files of the project.
    pub files: Vec<FileEntry>,
    /// Topics (`.top`).
    pub topics: Vec<TopicEntry>,
    /// Paths that are not part of the package.
    pub ignored: Vec<String>,
    /// Translation files (`.ts`).
    pub translations: Vec<TranslationEntry>,
    /// The problems that were recovered from.
    pub findings: Vec<Diagnostic>,
}

/// A behavior of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BehaviorDescription {
    /// The `name` attribute; nearly always `behavior`, even if a project has many.
    pub name: String,
    /// The path of its folder.
    pub src: String,
    /// The path of its `.xar`, relative to that folder.
    pub xar: String,
    /// The span of the element.
    pub span: Span,
}

/// A file of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// The name without extension.
    pub name: String,
    /// The path.
    pub src: String,
    /// The span of the element.
    pub span: Span,
}

/// A topic of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicEntry {
    /// The name without extension.
    pub name: String,
    /// The path.
    pub src: String,
    /// The name by which the dialog engine refers to the topic.
    pub topic_name: String,
    /// The locale, e.g. `en_US`.
    pub language: String,
    /// The variant of the language; format 5 only.
    pub nuance: String,
    /// The span of the element.
    pub span: Span,
}

/// A translation file of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranslationEntry {
    /// The name without extension.
    pub name: String,
    /// The path.
    pub src: String,
    /// The locale, e.g. `en_US`.
    pub language: String,
    /// The span of the element.
    pub span: Span,
}

impl Pml {
    /// Returns true if a file or folder is not part of the package, because it is one of the ignored paths or lies in
    /// one. `name` is its path in the project, with `/`. Names are compared exactly, including a leading dot. An
    /// ignored path that leads out of the project, or is the project's own folder, has no effect.
    pub fn ignores(&self, name: &str) -> bool {
        self.ignored.iter().filter_map(|path| normal("", path.trim_start_matches('/'))).any(|path| {
            let rest = name.strip_prefix(&*path).filter(|_| !path.is_empty());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }
}

/// Reads a `.pml`. `name` is the file name that messages print.
pub fn read_pml(name: &str, bytes: &[u8], limits: &Limits) -> Result<Pml, FormatError> {
    let Parsed { sources, file, raw, .. } = parse_xml(name, bytes, limits, Doctype::Refused)?;
    let mut pml = Pml {
        sources: Sources::new(),
        name: String::new(),
        version: None,
        manifest: None,
        manifest_span: None,
        behaviors: Vec::new(),
        dialogs: Vec::new(),
        files: Vec::new(),
        topics: Vec::new(),
        ignored: Vec::new(),
        translations: Vec::new(),
        findings: Vec::new(),
    };
    let fault = match raw.view(sources.text(file)).root() {
        Some(root) => fill(&mut pml, root, file, limits).err(),
        None => None,
    };
    match fault {
        Some((problem, span)) => Err(FormatError::at(problem, span, sources)),
        None => Ok(Pml { sources, ..pml }),
    }
}

fn fill(pml: &mut Pml, root: RawNode<'_>, file: FileId, limits: &Limits) -> Result<(), (Problem, Span)> {
    let tag = Span { file, start: root.range().0, end: root.range().0 + 1 + root.name().len() as u32 };
    if root.name() != "Package" {
        return Err((Problem::WrongRoot(root.name().chars().take(40).collect(), "a project"), tag));
    }
    pml.name = text(root, "name");
    if let Some(version) = root.attribute("format_version") {
        pml.version = version.trim().parse().ok();
        if !matches!(pml.version, Some(4 | 5)) {
            let message = format!("format_version `{version}` is not known; it is read like 4 and 5");
            pml.findings.push(Diagnostic::warning(codes::UNSUPPORTED_VERSION, message).at(tag));
        }
    }
    for group in root.elements() {
        match group.name() {
            "Manifest" => {
                let (start, end) = group.range();
                pml.manifest = Some(text(group, "src"));
                pml.manifest_span = Some(Span { file, start, end });
            }
            "Translations" | "BehaviorDescriptions" | "Dialogs" | "Resources" | "Topics" | "IgnoredPaths" => {
                for entry in group.elements() {
                    read_entry(pml, entry, file, limits);
                }
            }
            _ => unknown(pml, group, file, limits),
        }
    }
    Ok(())
}

fn read_entry(pml: &mut Pml, entry: RawNode<'_>, file: FileId, limits: &Limits) {
    let (start, end) = entry.range();
    let span = Span { file, start, end };
    let (name, src) = (text(entry, "name"), text(entry, "src"));
    if src.is_empty() && pml.findings.len() < limits.findings {
        let message = format!("<{}> does not say which file it means", entry.name());
        pml.findings.push(Diagnostic::warning(codes::BAD_PROJECT_ENTRY, message).at(span));
    }
    match entry.name() {
        "BehaviorDescription" => {
            let xar = entry.attribute("xar").map_or_else(|| "behavior.xar".to_owned(), |x| x.into_owned());
            pml.behaviors.push(BehaviorDescription { name, src, xar, span });
        }
        "Dialog" => pml.dialogs.push(FileEntry { name, src, span }),
        "File" => pml.files.push(FileEntry { name, src, span }),
        "Topic" => pml.topics.push(TopicEntry {
            name,
            src,
            topic_name: text(entry, "topicName"),
            language: text(entry, "language"),
            nuance: text(entry, "nuance"),
            span,
        }),
        "Translation" => pml.translations.push(TranslationEntry { name, src, language: text(entry, "language"), span }),
        "Path" => pml.ignored.push(src),
        _ => unknown(pml, entry, file, limits),
    }
}

fn unknown(pml: &mut Pml, node: RawNode<'_>, file: FileId, limits: &Limits) {
    if pml.findings.len() < limits.findings {
        let start = node.range().0;
        let at = Span { file, start, end: start + 1 + node.name().len() as u32 };
        let message = format!("<{}> is not known in a project file", node.name());
        pml.findings.push(Diagnostic::note(codes::UNKNOWN_ELEMENT, message).at(at));
    }
}

fn text(node: RawNode<'_>, attribute: &str) -> String {
    node.attribute(attribute).unwrap_or_default().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn ignoring(paths: &[String]) -> Pml {
        let lines: String = paths.iter().map(|path| format!("<Path src=\"{path}\" />")).collect();
        let xml = format!("<Package name=\"x\"><IgnoredPaths>{lines}</IgnoredPaths></Package>");
        read_pml("x.pml", xml.as_bytes(), &Limits::default()).unwrap()
    }

    #[test]
    fn a_leading_dot_is_part_of_a_name() {
        let pml = ignoring(&[".metadata".to_owned()]);
        assert!(pml.ignores(".metadata") && pml.ignores(".metadata/a/b"));
        for kept in ["metadata", "metadata/a", ".metadata2", "a/.metadata", "..metadata"] {
            assert!(!pml.ignores(kept), "{kept}");
        }
    }

    #[test]
    fn one_place_may_be_written_in_several_ways() {
        for path in ["a/b", "/a/b", "./a/b/", "a//b", "a\\b", "a/./b", "a/x/../b"] {
            let pml = ignoring(&[path.to_owned()]);
            assert!(pml.ignores("a/b") && pml.ignores("a/b/c") && !pml.ignores("a") && !pml.ignores("b"), "{path}");
        }
        for nothing in ["", ".", "./", "..", "../a", "/", "C:/a"] {
            assert!(!ignoring(&[nothing.to_owned()]).ignores("a"), "{nothing}");
        }
    }

    proptest! {
        /// A listed path is ignored together with everything below it, and nothing else is.
        #[test]
        fn just_what_is_listed_is_ignored(
            listed in vec("[.a ]{0,2}b[.a]{0,2}(/[.a]{0,2}b){0,2}", 0..4),
            name in "[.a ]{0,2}b[.a]{0,2}(/[.a]{0,2}b){0,3}",
        ) {
            let pml = ignoring(&listed);
            let above = name.match_indices('/').map(|(at, _)| &name[..at]).chain([&*name]);
            let expected = above.into_iter().any(|part| listed.iter().any(|path| path == part));
            prop_assert_eq!(pml.ignores(&name), expected);
            for path in &listed {
                prop_assert!(pml.ignores(path) && pml.ignores(&format!("{path}/x")), "{}", path);
            }
        }
    }
}
