#![no_main]

use boxstep_edit::{Document, Op};
use libfuzzer_sys::fuzz_target;

// A file, a line `== ops`, and lines of JSON with an operation each: whatever can be done can be undone.
fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let Some((file, ops)) = text.split_once("\n== ops\n") else { return };
    let Ok(mut document) = Document::read("x.xar", file.as_bytes()) else { return };
    for line in ops.lines().take(20) {
        if let Ok(op) = serde_json::from_str::<Op>(line) {
            let _ = document.apply("fuzz", None, &[op]).map_err(|e| e.to_string());
        }
    }
    while document.undo().is_some() {}
    assert!(document.file().to_bytes() == file.as_bytes());
});
