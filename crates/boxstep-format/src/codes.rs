//! The codes of this crate's diagnostics. A retired number is never reused for another diagnostic.

use boxstep_types::Code;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $id:ident = $number:literal, $name:literal;)*) => {
        $($(#[doc = $doc])+ pub const $id: Code = Code::new($number, $name);)*

        /// Every code of this crate with a one-line explanation.
        pub const CODES: &[(Code, &str)] = &[$(($id, concat!($($doc),+))),*];
    };
}

codes! {
    /// The file or folder cannot be opened or read.
    UNREADABLE_FILE = 1, "unreadable-file";
    /// The bytes are not text in the encoding that the file declares (UTF-8 if it declares none).
    BAD_ENCODING = 2, "bad-encoding";
    /// The text is not well-formed XML.
    NOT_XML = 3, "not-xml";
    /// The file has a document type declaration; none of these files needs one.
    DOCTYPE = 4, "doctype-refused";
    /// An entity that is neither a character nor one of `&amp; &lt; &gt; &quot; &apos;`.
    UNKNOWN_ENTITY = 5, "unknown-entity";
    /// The file is larger, deeper or has more elements than the limits allow.
    LIMIT = 6, "limit-exceeded";
    /// XML, but the root element is not the one of this kind of file.
    WRONG_ROOT = 7, "wrong-root";
    /// A version of the format that is not known.
    UNSUPPORTED_VERSION = 8, "unsupported-version";
    /// A project without a root box.
    NO_ROOT_BOX = 9, "no-root-box";
    /// An element that the format does not know at this place; it is kept in the raw view only.
    UNKNOWN_ELEMENT = 20, "unknown-element";
    /// An attribute that the format does not know; it is kept in the raw view only.
    UNKNOWN_ATTRIBUTE = 21, "unknown-attribute";
    /// An attribute that every element of this name needs is absent.
    MISSING_ATTRIBUTE = 22, "missing-attribute";
    /// Text where a finite number belongs.
    BAD_NUMBER = 23, "bad-number";
    /// Text where 0 or 1 belongs.
    BAD_FLAG = 24, "bad-flag";
    /// A number or word that the format gives no meaning here.
    UNKNOWN_CODE = 25, "unknown-code";
    /// An element that may occur only once occurs again; the first one counts.
    REPEATED_ELEMENT = 26, "repeated-element";
    /// A key with one tangent: the other side is automatic.
    LONE_TANGENT = 28, "lone-tangent";
    /// Text beside the CDATA section of a script; it is not part of the script.
    STRAY_TEXT = 29, "stray-text";
    /// A spelling that only the published description of the format uses.
    OTHER_SPELLING = 30, "other-spelling";
    /// Two boxes of a diagram, or two ports of a box, have one id.
    DUPLICATE_ID = 32, "duplicate-id";
    /// The root element is in a namespace that no known file uses.
    UNKNOWN_NAMESPACE = 33, "unknown-namespace";
    /// A state machine that names a missing state, box or link, or whose timeline has no diagram for its states.
    BAD_STATE_MACHINE = 35, "bad-state-machine";
    /// There are more findings than are shown.
    MORE_FINDINGS = 34, "more-findings";
    /// A parameter's value is not of its type.
    BAD_PARAMETER_VALUE = 40, "bad-parameter-value";
    /// The path is neither a `.xar`, nor a `.pml`, nor an archive, nor a folder of a behavior or project.
    NOT_A_PROJECT = 60, "not-a-project";
    /// A path in a project file leads out of the project's folder.
    PATH_ESCAPES = 61, "path-escapes-project";
    /// A project file names a file that is not there.
    MISSING_FILE = 62, "missing-file";
    /// A project with neither behavior, dialog nor file.
    NO_BEHAVIOR = 63, "no-behavior";
    /// Something in a project file, manifest or translation file that cannot be used.
    BAD_PROJECT_ENTRY = 64, "bad-project-entry";
    /// A project or package without the manifest that a robot requires.
    MISSING_MANIFEST = 65, "missing-manifest";
    /// The archive is cut off, damaged, or of another kind.
    ARCHIVE_DAMAGED = 70, "archive-damaged";
    /// An entry of an archive that is not unpacked: a bad name, a link or device, encrypted, or repeated.
    ARCHIVE_ENTRY = 71, "archive-entry-refused";
    /// The archive has more entries, bytes or folders, or is packed more densely, than the limits allow.
    ARCHIVE_LIMIT = 72, "archive-limit-exceeded";
    /// A name of an archive's entry that other programs or systems interpret differently.
    ARCHIVE_ODD_NAME = 73, "archive-odd-name";
    /// Something in an archive that does not belong to it: a strange member, or bytes after the end.
    ARCHIVE_SURPLUS = 74, "archive-surplus";
    /// An archive that is of another kind than its name says.
    ARCHIVE_OTHER_KIND = 75, "archive-other-kind";
    /// Files of an archive that programs of a reader's computer run or obey, such as `.git` and `.envrc`; they are not unpacked.
    ARCHIVE_LEFT_OUT = 76, "archive-left-out";
    /// A file of a split folder names another that is not there, or that is not a plain file name.
    SPLIT_FILE = 80, "split-file-missing";
    /// A box of a split folder that is in two places; it is read for the first.
    SPLIT_BOX_TWICE = 81, "split-box-twice";
    /// A link of a split folder that names a box or port that does not exist.
    SPLIT_LINK = 82, "split-link";
    /// A state of a split folder that does not say what the timeline's keyframes say; the keyframes count.
    STALE_STATE = 83, "stale-state";
    /// A script that the original converter has changed in a way that cannot be undone.
    CONVERTED_SCRIPT = 84, "converted-script";
    /// A file in a split folder that nothing refers to; it is not read.
    STRAY_FILE = 85, "stray-file";
}

#[cfg(test)]
mod tests {
    use super::CODES;
    use std::collections::HashSet;

    #[test]
    fn numbers_and_names_are_used_once_and_in_range() {
        let mut numbers = HashSet::new();
        let mut names = HashSet::new();
        for (code, doc) in CODES {
            assert!((1..200).contains(&code.number), "{code}");
            assert!(numbers.insert(code.number) && names.insert(code.name), "{code}");
            assert!(doc.trim().ends_with('.'), "{code}");
        }
    }
}
