#![no_main]

use boxstep_format::Limits;
use boxstep_format::project::{read_manifest, read_translations};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = read_manifest("manifest.xml", bytes, &Limits::default());
    let _ = read_translations("fuzz.ts", bytes, &Limits::default());
});
