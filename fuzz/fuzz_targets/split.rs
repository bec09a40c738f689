#![no_main]

use boxstep_format::split::{self, Folder};
use boxstep_format::{Limits, paths};
use libfuzzer_sys::fuzz_target;

// A folder as one text: lines `== name` begin a file. A folder that can be read is written and read again: the
// two say the same.
fuzz_target!(|bytes: &[u8]| {
    let mut folder = Folder::new();
    let mut name = String::from("l0_root.xml");
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        match line.strip_prefix(b"== ") {
            Some(next) => name = String::from_utf8_lossy(next).trim().to_owned(),
            None => folder.entry(name.clone()).or_insert_with(Vec::new).extend_from_slice(line),
        }
    }
    let limits = Limits { bytes: 1 << 20, ..Limits::default() };
    let Ok(file) = split::read("fuzz", &folder, &limits) else { return };
    for at in paths::boxes(&file.project) {
        assert!(paths::find(&file.project, &at.path).is_ok());
    }
    let Ok(written) = split::write(&file, &limits) else { return };
    let Ok(again) = split::read("fuzz", &written, &limits) else { return };
    let count = |f: &boxstep_format::XarFile| paths::boxes(&f.project).count();
    assert_eq!(count(&file), count(&again));
});
