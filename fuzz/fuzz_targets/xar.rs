#![no_main]

use boxstep_format::{Limits, paths, read_xar, resolve};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { findings: 50, ..Limits::default() };
    let Ok(file) = read_xar("fuzz.xar", bytes, &limits) else { return };
    for at in paths::boxes(&file.project) {
        for diagram in paths::diagrams(&at.path, at.def) {
            resolve::resolve(at.def, diagram.diagram);
        }
        let _ = paths::find(&file.project, &at.path);
    }
});
