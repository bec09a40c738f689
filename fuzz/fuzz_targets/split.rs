#![no_main]

use boxstep_format::testing::laws;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| laws::split(bytes));
