//! The operations on a project, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What Autonomous Life may do with a behavior of a package.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Nature {
    /// It may start it for people who are there.
    Interactive,
    /// It may start it when nobody is there.
    Solitary,
    /// It starts it never.
    None,
}

impl Nature {
    /// Returns the word of manifests; none has no word.
    pub(super) fn word(self) -> Option<&'static str> {
        match self {
            Nature::Interactive => Some("interactive"),
            Nature::Solitary => Some("solitary"),
            Nature::None => None,
        }
    }
}

/// A change of a project: of its `.pml`, manifest, translations and the files that they list. Paths are relative to the
/// project's folder.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum ProjectOp {
    /// Adds an empty behavior, in a folder of its own.
    AddBehavior {
        /// The folder's name.
        name: String,
    },
    /// Renames the folder of a behavior, and every path and translation that leads to it.
    RenameBehavior {
        /// The folder.
        behavior: String,
        /// Its new name, beside where it is.
        name: String,
    },
    /// Removes a behavior with its folder.
    RemoveBehavior {
        /// The folder.
        behavior: String,
    },
    /// Sets what Autonomous Life may do with a behavior, in the manifest.
    SetNature {
        /// The folder.
        behavior: String,
        /// What it may do.
        nature: Nature,
    },
    /// Adds a dialog, or topics of more languages to one.
    AddDialog {
        /// The name of the dialog.
        name: String,
        /// The languages, in any spelling: `English`, `enu` or `en_US`.
        languages: Vec<String>,
    },
    /// Removes a dialog with its topics, or its topics of some languages.
    RemoveDialog {
        /// The name of the dialog, or the path of its `.dlg`.
        name: String,
        /// The languages; all, and the dialog itself, if this is left out.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        languages: Vec<String>,
    },
    /// Lists files of the folder in the project.
    AddFiles {
        /// The files.
        files: Vec<String>,
    },
    /// Lists files in the project no longer; they stay where they are.
    RemoveFiles {
        /// The files.
        files: Vec<String>,
    },
    /// Changes what the manifest says; what is left out stays, and so does the identity of the package.
    SetManifest {
        /// The version: numbers with points.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        /// The names of the package, by language.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        names: BTreeMap<String, String>,
        /// The descriptions of the package, by language.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        descriptions: BTreeMap<String, String>,
    },
    /// Sets the translation of a text, wherever the project has that text.
    SetTranslation {
        /// The language, in any spelling.
        language: String,
        /// The text in the file of the behavior.
        source: String,
        /// The text in the language.
        translation: String,
        /// The box that has the text, as translation files name it: `behavior_1/behavior.xar:/Say`. A text that is not
        /// listed yet needs it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context: Option<String>,
        /// The parameter that has the text. `Text` if it is left out for a text that is not listed yet.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parameter: Option<String>,
    },
}
