//! The services that the scripts of a behavior use, for whoever wants to know before a robot is there.

use super::{Reading, Scripts};
use boxstep_format::{XarFile, paths};
use boxstep_types::BoxPath;

/// A service that a script asks for by name, or a method that it calls on a service whose name is sure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The service.
    pub service: String,
    /// The method, or the signal; `None` where the service is asked for.
    pub method: Option<String>,
    /// The script is ready for it not to be there.
    pub guarded: bool,
    /// The box.
    pub path: BoxPath,
    /// The line of its script, counted from 1.
    pub line: u32,
}

impl Scripts {
    /// What the scripts of a file use, in file order; nothing of a script that was not read. Services that the scripts offer
    /// themselves are left out.
    pub fn uses(&self, file: &XarFile) -> Vec<Use> {
        let offers = self.offers(file);
        let mut uses = Vec::new();
        for at in paths::boxes(&file.project) {
            let Some(Reading::Read { facts, .. }) = at.def.script.as_ref().and_then(|s| self.reading(&s.text)) else {
                continue;
            };
            let asked = facts.services.iter().map(|asked| Use {
                service: asked.1.clone(),
                method: None,
                guarded: asked.2,
                path: at.path.clone(),
                line: asked.0,
            });
            let called = facts.methods.iter().map(|called| Use {
                service: called.1.clone(),
                method: Some(called.2.clone()),
                guarded: called.4,
                path: at.path.clone(),
                line: called.0,
            });
            uses.extend(asked.chain(called).filter(|used| !offers.contains(&used.service)));
        }
        uses
    }
}
