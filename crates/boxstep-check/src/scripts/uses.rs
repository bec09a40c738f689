//! The services that scripts use, and the parts of scripts that cannot be analyzed. The preflight needs both before a
//! robot is available.

use super::{Reading, Scripts};
use boxstep_format::model::ScriptLanguage;
use boxstep_format::{XarFile, paths};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A script of a box, or a Python file, with its name for messages: `root/Say`, `lib/helper.py`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
}

/// A module that a script imports, or may import, since `from a import b` may import the module `a.b`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The dotted name, without the leading dots of a relative import.
    pub name: String,
    /// True if Python's standard library has a module of that name.
    pub is_library: bool,
    /// The place for messages: `root/Say, line 4`.
    pub place: String,
}

/// A service that a script requests by name, or a method that it calls on a service whose name is certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The name of the service.
    pub service: String,
    /// The method or signal; `None` if the script only requests the service.
    pub method: Option<String>,
    /// True if the script handles its absence.
    pub guarded: bool,
    /// The place for messages: `root/Say, line 4`.
    pub place: String,
}

/// The services that scripts use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Services and methods, in the order of the sources, without the services that the scripts provide themselves.
    pub calls: Vec<Use>,
    /// All names of services in the scripts, whatever the scripts do with them and whichever program provides them.
    pub named: BTreeSet<String>,
    /// Descriptions of operations whose effect is known only at run time, and of scripts that could not be parsed, each
    /// with its place. They may call any service.
    pub unknown: Vec<String>,
    /// True if a script changes where modules are searched.
    pub searches: bool,
}

/// Returns the Python scripts of a file's boxes, in file order.
pub fn scripts_of(file: &XarFile) -> Vec<Source> {
    let mut sources = Vec::new();
    for at in paths::boxes(&file.project) {
        if let Some(script) = &at.def.script
            && script.language == ScriptLanguage::Python
            && !script.text.trim().is_empty()
        {
            sources.push(Source { name: at.path.to_string(), text: script.text.clone() });
        }
    }
    sources
}

impl Scripts {
    /// Returns the services that these sources use. A source that was not parsed is listed as unknown.
    pub fn uses(&self, sources: &[Source]) -> Uses {
        let mut uses = Uses::default();
        let mut offers: BTreeSet<&str> = BTreeSet::new();
        for Source { name, text } in sources {
            let facts = match self.reading(text) {
                Some(Reading::Read { facts, .. }) => facts,
                Some(Reading::Broken { line, why, .. }) => {
                    uses.unknown.push(format!("{name}, line {line}, cannot be read ({why})"));
                    continue;
                }
                Some(Reading::NotChecked(why)) => {
                    uses.unknown.push(format!("{name} was not parsed: {why}"));
                    continue;
                }
                None => {
                    // If there is no Python at all, one message for all sources is enough.
                    if self.trouble().is_none() {
                        uses.unknown.push(format!("{name} was not parsed"));
                    }
                    continue;
                }
            };
            let place = |line: u32| format!("{name}, line {line}");
            offers.extend(facts.offers.iter().map(String::as_str));
            uses.named.extend(facts.named.iter().cloned());
            uses.searches |= facts.searches;
            uses.unknown.extend(facts.unknown.iter().map(|open| format!("{} {}", place(open.0), open.1)));
            let asked = facts.services.iter().map(|asked| Use {
                service: asked.1.clone(),
                method: None,
                guarded: asked.2,
                place: place(asked.0),
            });
            let called = facts.methods.iter().map(|called| Use {
                service: called.1.clone(),
                method: Some(called.2.clone()),
                guarded: called.4,
                place: place(called.0),
            });
            uses.calls.extend(asked.chain(called));
        }
        uses.unknown.extend(self.trouble().filter(|_| !sources.is_empty()).map(|why| {
            format!("{} not parsed: {why}", if sources.len() == 1 { "the script was" } else { "the scripts were" })
        }));
        uses.calls.retain(|used| !offers.contains(used.service.as_str()));
        uses
    }

    /// Returns the modules that a source imports; none if it was not parsed.
    pub fn imports(&self, source: &Source) -> Vec<Import> {
        let Some(Reading::Read { facts, .. }) = self.reading(&source.text) else { return Vec::new() };
        let import = |of: &super::facts::ImportOf| Import {
            name: of.1.clone(),
            is_library: of.2,
            place: format!("{}, line {}", source.name, of.0),
        };
        facts.imports.iter().map(import).collect()
    }
}
