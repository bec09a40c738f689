#![no_main]

use boxstep_runner::testing;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| testing::tree_law(bytes));
