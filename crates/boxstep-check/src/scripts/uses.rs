//! The services that scripts use, and what of them nobody can see, for whoever wants to know before a robot is there.

use super::{Reading, Scripts};
use boxstep_format::model::ScriptLanguage;
use boxstep_format::{XarFile, paths};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A script of a box, or a file of Python, with its name for people: `root/Say`, `lib/helper.py`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
}

/// A module that a script imports, or may import: `from a import b` may mean the module `a.b`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// Its name, with dots and without those of a relative import.
    pub name: String,
    /// Python's own library has a module of that name.
    pub is_library: bool,
    /// Where, for people: `root/Say, line 4`.
    pub place: String,
}

/// A service that a script asks for by name, or a method that it calls on a service whose name is sure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The service.
    pub service: String,
    /// The method, or the signal; `None` where the service is asked for.
    pub method: Option<String>,
    /// The script is ready for it not to be there.
    pub guarded: bool,
    /// Where, for people: `root/Say, line 4`.
    pub place: String,
}

/// What scripts use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Services and methods, in the order of the sources. Services that the scripts offer themselves are left out.
    pub calls: Vec<Use>,
    /// Services whose names stand there, whatever the scripts do with them, and whoever offers them.
    pub named: BTreeSet<String>,
    /// What only shows when the scripts run, and what could not be read, each with its place: there they may call anything.
    pub unknown: Vec<String>,
    /// They change where modules are looked for.
    pub searches: bool,
}

/// The Python scripts of a file's boxes, in its order.
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
    /// What these use. Of one that was not read it is unknown.
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
                    uses.unknown.push(format!("nobody looked at {name}: {why}"));
                    continue;
                }
                None => {
                    // One sentence is enough if there is no Python at all.
                    if self.trouble().is_none() {
                        uses.unknown.push(format!("nobody looked at {name}"));
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
            format!("nobody looked at {}: {why}", if sources.len() == 1 { "the script" } else { "the scripts" })
        }));
        uses.calls.retain(|used| !offers.contains(used.service.as_str()));
        uses
    }

    /// The modules that one imports; none if it was not read.
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
