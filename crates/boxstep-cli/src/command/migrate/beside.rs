//! The modules beside a module, which decide what its imports mean.

use crate::files::LIBRARIES;
use crate::settings::folder_of;
use boxstep_format::split;
use std::collections::BTreeSet;
use std::path::Path;

/// The modules beside a module of a package. Python 2 imports them by their plain names, before all others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Beside {
    pub(super) names: BTreeSet<String>,
    /// The folder itself may be on the search path too; a module that is found that way is in no package.
    pub(super) doubtful: bool,
}

impl Beside {
    pub(super) fn find(module: &Path) -> Self {
        let folder = folder_of(module);
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let is_package = |folder: &Path| folder.join("__init__.py").is_file();
        let mut beside = Self::default();
        let items = match std::fs::read_dir(&folder) {
            Ok(items) if is_package(&folder) => items,
            _ => return beside,
        };
        for path in items.flatten().map(|item| item.path()) {
            let is = |wanted: &[&str]| path.extension().is_some_and(|e| wanted.iter().any(|w| e == *w));
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            beside.doubtful |= is(&["xar", "pml"]) || path.ends_with("manifest.xml");
            if (is(&["py", "so", "pyd"]) || is_package(&path)) && stem != "__init__" {
                beside.names.insert(stem.into_owned());
            }
        }
        beside.doubtful |= LIBRARIES.iter().any(|lib| folder.ends_with(lib));
        beside.doubtful |= split::root(&split::Dir(&folder)).is_some();
        beside
    }
}
