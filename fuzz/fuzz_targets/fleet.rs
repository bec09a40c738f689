#![no_main]

use boxstep_fleet::testing;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| testing::hostile_messages(bytes));
