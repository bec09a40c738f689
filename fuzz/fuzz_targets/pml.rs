#![no_main]

use boxstep_format::{Limits, project::read_pml};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = read_pml("fuzz.pml", bytes, &Limits::default());
});
