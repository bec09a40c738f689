//! Unique identifiers, and the identifier of this machine.

use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Returns a random identifier, in the UUID form that libqi uses.
pub(crate) fn unique() -> String {
    let random = || RandomState::new().hash_one(std::process::id());
    uuid(random(), random())
}

/// Returns a new identity for an object, unique among those of all processes.
pub(crate) fn object_uid() -> [u8; 20] {
    static PROCESS: LazyLock<(u64, u64)> = LazyLock::new(|| {
        let random = || RandomState::new().hash_one(std::process::id());
        (random(), random())
    });
    static COUNT: AtomicU32 = AtomicU32::new(1);
    let mut uid = [0; 20];
    let parts = [PROCESS.0.to_le_bytes(), PROCESS.1.to_le_bytes()].concat();
    uid[..16].copy_from_slice(&parts);
    uid[16..].copy_from_slice(&COUNT.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    uid
}

/// Returns the identifier of this machine as libqi has stored it. Programs on libqi treat addresses as local only if
/// both sides report the same identifier. If libqi never ran here, an identifier is stored in its place, so that
/// programs that run later agree.
pub(crate) fn machine_id() -> String {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    machine_id_of(home.map(|home| home.join(".config/qimessaging/machine_id")).as_deref())
}

fn machine_id_of(note: Option<&Path>) -> String {
    let noted = || note.and_then(noted);
    noted().unwrap_or_else(|| {
        let id = system_id();
        // Another program may have stored one just now. Where nothing can be written, each program uses its own.
        match note.map(|note| note_down(note, &id)) {
            Some(Err(_)) => noted().unwrap_or(id),
            Some(Ok(())) | None => id,
        }
    })
}

fn noted(note: &Path) -> Option<String> {
    let text = std::fs::read_to_string(note).ok()?;
    let id = text.trim();
    (id.len() == 36 && id.chars().all(|c| c.is_ascii_hexdigit() || c == '-')).then(|| id.to_owned())
}

fn note_down(note: &Path, id: &str) -> std::io::Result<()> {
    if let Some(folder) = note.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::File::create_new(note)?.write_all(id.as_bytes())
}

/// Returns an identifier derived from the system's, the same each time. It is a hash, because systems ask that
/// `/etc/machine-id` itself be kept secret.
fn system_id() -> String {
    let Ok(text) = std::fs::read("/etc/machine-id") else { return unique() };
    let mut parts = [0xcbf2_9ce4_8422_2325_u64, 0x8422_2325_cbf2_9ce4];
    for part in &mut parts {
        for byte in b"boxstep-qi".iter().chain(&text) {
            *part = (*part ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    uuid(parts[0], parts[1])
}

fn uuid(a: u64, b: u64) -> String {
    let (a, b) = (format!("{a:016x}"), format!("{b:016x}"));
    format!("{}-{}-{}-{}-{}", &a[..8], &a[8..12], &a[12..], &b[..4], &b[4..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_the_form_of_a_uuid() {
        assert_ne!(unique(), unique());
        for id in [unique(), system_id()] {
            let lengths: Vec<usize> = id.split('-').map(str::len).collect();
            assert_eq!(lengths, [8, 4, 4, 4, 12], "{id}");
        }
    }

    #[test]
    fn the_first_stored_machine_id_is_used() {
        let folder = std::env::temp_dir().join(format!("boxstep-qi-id-{}", unique()));
        let note = folder.join(".config/qimessaging/machine_id");
        let first = machine_id_of(Some(&note));
        assert_eq!(std::fs::read_to_string(&note).unwrap(), first, "for libqi");
        let libqi = unique();
        std::fs::write(&note, &libqi).unwrap();
        assert_eq!(machine_id_of(Some(&note)), libqi);
        std::fs::write(&note, "no id").unwrap();
        assert_eq!(machine_id_of(Some(&note)).len(), 36, "and what is there stays");
        assert_eq!(std::fs::read_to_string(&note).unwrap(), "no id");
        // A file is where a folder would have to be.
        assert_eq!(machine_id_of(Some(&note.join("more"))).len(), 36);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
