//! Opening of a stream, such as standard input, whose name says nothing about what it has.

use super::Opened;
use super::open::{Opener, unreadable};
use super::unpacked::{self, Unpacked};
use crate::error::{FormatError, Problem};
use crate::{Limits, archive};
use boxstep_types::Sources;
use std::io::Read;
use std::path::Path;

/// Opens what a stream has to its end: an archive, or a `.xar`. The first bytes decide, and with them how much is read
/// at most. `name` is the name of the stream in messages.
///
/// # Errors
/// As [`crate::open`].
pub fn open_stream(name: &str, mut stream: impl Read, limits: &Limits) -> Result<Opened, FormatError> {
    let path = Path::new(name);
    let opener = Opener { limits, unpacked: None, name: None };
    let failed = |e: std::io::Error| unreadable(path, &e);
    let mut bytes = Vec::new();
    stream.by_ref().take(8).read_to_end(&mut bytes).map_err(failed)?;
    let is_archive = archive::is_archive(&bytes);
    let most = if is_archive { usize::try_from(limits.archive.bytes).unwrap_or(usize::MAX) } else { limits.bytes };
    let rest = (most as u64).saturating_add(1).saturating_sub(bytes.len() as u64);
    stream.take(rest).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > most {
        return Err(too_large(name, most));
    }
    if is_archive {
        return opener.open_archive_bytes(path, &bytes);
    }
    let entry = archive::Entry { name: "behavior.xar".to_owned(), bytes, executable: false };
    let unpacked = Unpacked { is_lone: true, ..unpacked::unpack(path, &[entry])? };
    Opener { limits, unpacked: Some(unpacked.clone()), name: None }.open_folder(&unpacked.root)
}

/// Returns the error of a file that is not read to its end.
pub(super) fn too_large(name: &str, most: usize) -> FormatError {
    let mut sources = Sources::new();
    sources.add(name, "");
    FormatError::nowhere(Problem::Limit("bytes", most), sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_has_the_limits_of_a_file() {
        let limits = Limits { bytes: 100, ..Limits::default() };
        let why = open_stream("<s>", std::io::repeat(b' '), &limits).unwrap_err();
        assert_eq!(
            (why.problem(), why.to_string().as_str()),
            (&Problem::Limit("bytes", 100), "<s>: too large: more than 100 bytes")
        );
    }

    #[test]
    fn a_lone_file_has_the_name_of_the_stream() {
        let opened = open_stream("<s>", &b"<a/>"[..], &Limits::default()).unwrap();
        let [behavior] = opened.behaviors.as_slice() else { panic!("{:?}", opened.behaviors) };
        assert_eq!((behavior.shown.as_str(), opened.name.as_str()), ("<s>", "s"));
        assert!(behavior.read(&Limits::default()).unwrap_err().to_string().starts_with("<s>:1:"));
        let folder = behavior.folder.clone();
        drop(opened);
        assert!(!folder.exists());
    }
}
