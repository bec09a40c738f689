//! The properties that the fuzzers check, applied to the fuzzers' seeds (`fuzz/seeds`) and to damaged copies of them.

use boxstep_format::testing::laws;
use std::path::Path;

/// Checks every seed unchanged, truncated, with flipped bits, and with a repeated part.
fn check(kind: &str, law: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(kind);
    let mut seeds = 0;
    for item in std::fs::read_dir(&folder).unwrap() {
        let bytes = std::fs::read(item.unwrap().path()).unwrap();
        law(&bytes);
        seeds += 1;
        // A deterministic walk over the file gives the same damage every time.
        let mut at = 7;
        for _ in 0..60 {
            at = (at * 31 + 17) % bytes.len().max(1);
            law(&bytes[..at]);
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            law(&damaged);
            damaged[at] = b"<>&\"'/\0 "[at % 8];
            law(&damaged);
            let end = (at + 40).min(bytes.len());
            law(&[&bytes[..end], &bytes[at..]].concat());
        }
    }
    assert!(seeds >= 3, "{kind}: {seeds} seeds");
}

#[test]
fn xar_seeds() {
    check("xar", laws::xar);
}

#[test]
fn ar_seeds() {
    check("ar", laws::ar);
}

#[test]
fn crg_seeds() {
    check("crg", laws::crg);
}

#[test]
fn pkg_seeds() {
    check("pkg", laws::pkg);
}

#[test]
fn manifest_seeds() {
    check("manifest", laws::manifest);
}

#[test]
fn pml_seeds() {
    check("pml", laws::pml);
}

#[test]
fn split_seeds() {
    check("split", laws::split);
}
