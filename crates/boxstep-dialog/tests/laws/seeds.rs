//! The laws that the fuzzer checks, for its seeds (`fuzz/seeds/topic`) and for damaged copies of them.

use boxstep_dialog::testing::{law, reading};
use proptest::prelude::*;
use std::path::Path;

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/topic");
    let mut paths: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|item| item.unwrap().path()).collect();
    paths.sort();
    let seeds: Vec<_> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
    assert!(seeds.len() >= 4, "{} seeds", seeds.len());
    seeds
}

#[test]
fn seeds_and_damaged_copies_of_them_are_read_and_answer() {
    for bytes in seeds() {
        law(&bytes);
        // A deterministic walk over the file gives the same damage every time.
        let mut at = 7;
        for _ in 0..60 {
            at = (at * 31 + 17) % bytes.len().max(1);
            law(&bytes[..at]);
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            law(&damaged);
            damaged[at] = b"[]{}\"'()^$%~_*!#\\:\n\0 "[at % 21];
            law(&damaged);
            let end = (at + 40).min(bytes.len());
            law(&[&bytes[..end], &bytes[at..]].concat());
        }
    }
}

/// Pieces of the language, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "u:",
        "u1:",
        "u2:",
        "c1:",
        "e1:",
        "l:",
        "s:",
        "proposal:",
        "recover:",
        "concept:(a)",
        "concept:(b)",
        "dynamic:d",
        "def:f($x)",
        "topic: ~t ()",
        "language: English",
        "\n",
        "\n",
        "\n",
        " ",
        " ",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "\"",
        "*",
        "!",
        "_",
        "~a",
        "~b",
        "~d",
        "$x",
        "$1",
        "==",
        "=",
        "<",
        "<>",
        "%t",
        "%script",
        "^f(",
        "^goto(t)",
        "^nextProposal",
        "^first[",
        "^rand[",
        "^repeat[",
        "^exact",
        "^private",
        "^lessPriority",
        "^empty",
        "^size(~a)",
        "^enumerate(~a, 1)",
        "^addToConcept(~d, $1)",
        "^call(A.b())",
        "^activate(t)",
        "^deactivate(t)",
        "^clear(x)",
        "^stayInScope",
        "e:x",
        "e:Dialog/NotUnderstood",
        "\\pau=1\\",
        "\\",
        "#",
        ",",
        "one",
        "two",
        "three",
        "été",
        "東京",
        "مرحبا",
        "l'eau",
        "3.5",
        "\u{feff}",
        "\u{2019}",
        "，",
        "１",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn pieces_in_any_order_are_read_and_answer(text in pieces()) {
        reading(&text);
        law(format!("topic: ~t()\nlanguage: English\n{text}").as_bytes());
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,80}") {
        law(&bytes);
        law(format!("topic: ~t()\nu:({text}) {text}\nconcept:(a) {text}\n").as_bytes());
    }
}
