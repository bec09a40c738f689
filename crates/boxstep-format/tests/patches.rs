//! A text that is changed in some places is what it would be if all of it were read anew: model, tree and findings, and
//! whether it can be read at all.

use boxstep_format::testing::project;
use boxstep_format::write::{Splice, spliced, write_xar};
use boxstep_format::{Limits, XarFile, read_xar};
use boxstep_types::Random;
use proptest::prelude::*;
use std::path::Path;

fn below(random: &mut Random, end: usize) -> usize {
    (random.unit() * end as f64) as usize
}

/// Returns places at which changes are likely to matter: where markup and values begin and end, and any others.
fn place(text: &str, random: &mut Random) -> usize {
    // The declaration before the root names an encoding, which is that of bytes and not of a text.
    let first = text.find("<Choregraphe").unwrap_or_default();
    let any = text.floor_char_boundary(first + below(random, text.len() + 1 - first));
    match below(random, 4) {
        0 => any,
        1 => text[any..].find('<').map_or(any, |at| any + at),
        2 => text[any..].find('>').map_or(any, |at| any + at + 1),
        _ => text[any..].find('"').map_or(any, |at| any + at + 1),
    }
}

fn changes(text: &str, random: &mut Random) -> Vec<Splice> {
    const NEW: [&str; 20] = [
        "",
        "",
        "x",
        "7",
        " ",
        "\n",
        "&lt;",
        "<Box name=\"n\" id=\"1\"/>",
        "<Link/>",
        "<a><b/></a>",
        "</Diagram>",
        "<!-- c -->",
        "<![CDATA[x]]>",
        "text",
        "</x><x>",
        "</x>",
        "<!--",
        "\" y=\"2",
        "ü☃",
        "<?xml version=\"1.0\"?>",
    ];
    let mut places: Vec<usize> = (0..1 + below(random, 4)).map(|_| place(text, random)).collect();
    places.sort_unstable();
    let mut all = Vec::new();
    for (at, start) in places.iter().enumerate() {
        let next = places.get(at + 1).copied().unwrap_or(text.len());
        // Whole elements go, short pieces, or nothing.
        let end = match below(random, 4) {
            0 => text[*start..].find("/>").map_or(*start, |end| start + end + 2),
            1 => text.ceil_char_boundary((start + below(random, 9)).min(text.len())),
            _ => *start,
        };
        all.push(Splice {
            start: *start as u32,
            end: end.min(next) as u32,
            text: NEW[below(random, NEW.len())].into(),
        });
    }
    all
}

/// Changes a text some times, and compares what is read of it with what reading everything says.
fn check(text: &str, seed: u64, times: usize) {
    for limits in
        [Limits::default(), Limits { findings: 3, ..Limits::default() }, Limits { depth: 14, ..Limits::default() }]
    {
        let Ok(mut file) = read_xar("x.xar", text.as_bytes(), &limits) else { continue };
        let mut random = Random::new(seed);
        for _ in 0..times {
            let splices = changes(file.text(), &mut random);
            let new = spliced(file.text(), &splices).unwrap();
            let (is, wanted) = (file.spliced(&splices, &limits), read_xar("x.xar", new.as_bytes(), &limits));
            match (is, wanted) {
                (Ok(is), Ok(wanted)) => {
                    same(&is, &wanted, &splices);
                    file = is;
                }
                (Err(_), Err(_)) => {}
                (is, wanted) => panic!("{:?}, not {:?}\n{splices:?}\n{new}", is.is_ok(), wanted.is_ok()),
            }
        }
    }
}

fn same(is: &XarFile, wanted: &XarFile, splices: &[Splice]) {
    let text = is.text();
    assert_eq!(text, wanted.text());
    let sources = |file: &XarFile| file.raw().all().map(|node| node.source().to_owned()).collect::<Vec<_>>();
    if is.raw != wanted.raw {
        assert_eq!(sources(is), sources(wanted), "{splices:?}");
        panic!("{splices:?}\n{:?}\n{:?}\n{text}", is.raw, wanted.raw);
    }
    assert_eq!(is.project, wanted.project, "{splices:?}\n{text}");
    assert_eq!(is.findings, wanted.findings, "{splices:?}\n{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn parts_are_read_as_the_whole_would_be((old, sources) in project(), seed in any::<u64>()) {
        let text = write_xar(&old, &sources).unwrap();
        check(&text, seed, 30);
        check(&text.replace('\n', ""), seed, 30);
    }
}

#[test]
fn parts_of_files_are_read_as_the_whole_would_be() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let Ok(text) = std::fs::read_to_string(entry.unwrap().path()) else { continue };
        read += 1;
        (0..8).for_each(|seed| check(&text, seed, 40));
    }
    assert!(read > 3);
}
