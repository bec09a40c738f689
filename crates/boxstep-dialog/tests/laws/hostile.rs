//! Topics that mean harm: whatever a file says, it is read, matched and answered in the end.

use boxstep_dialog::testing::{law, reading};

const HEAD: &str = "topic: ~t()\nlanguage: English\n";

/// Reads a topic of these rules, and talks with it, on a thread with the stack of any other.
fn holds(rules: &str) {
    law(format!("{HEAD}{rules}\n").as_bytes());
}

#[test]
fn brackets_nest_to_any_depth() {
    let signs = [
        "[",
        "{",
        "\"[",
        "(",
        "^first[",
        "^f(",
        "_[",
        "!",
        "_",
        "~a[",
        "$a=",
        "$a==",
        "$a=[",
        "$1==\"",
        "e:a",
        "%t[",
        "^f([",
        "^first[{",
        "\"{[",
        "%script ",
        "\\",
        "^f(\"",
        "$a=^f(",
        "^f([{[{[{",
    ];
    for sign in signs {
        for times in [1, 59, 60, 61, 3_000, 30_000] {
            let many = sign.repeat(times);
            for text in [
                format!("u:({many} a) b"),
                format!("u:(a) {many} b"),
                format!("concept:(a) {many}"),
                format!("def:f() {many}"),
            ] {
                reading(&format!("{HEAD}{text}\n"));
            }
        }
    }
    // Arguments and brackets in turn, as deep as each may be.
    let many = format!("{}^f(", "[".repeat(59)).repeat(60);
    reading(&format!("{HEAD}u:(a) {many}"));
    let deep = |n: usize| format!("{}a{}", "[".repeat(n), "]".repeat(n));
    for n in [1, 30, 59] {
        holds(&format!("u:({}) {}", deep(n), deep(n)));
        assert!(!reading(&format!("{HEAD}u:({}) b", deep(n))).is_broken(), "{n}");
    }
    assert!(reading(&format!("{HEAD}u:({}) b", deep(200))).is_broken());
}

#[test]
fn long_lines_and_many_lines_are_read() {
    for line in
        ["a ", "[", "]", "a,", "^f(a) ", "$a ", "%t ", "\\pau=1\\", "\"", "é", "東", "_a ", "!a ", "* ", "~a ", "e:a "]
    {
        let many = line.repeat(100_000);
        for text in [format!("u:({many}) b"), format!("u:(a) {many}"), format!("concept:(a) {many}"), many.clone()] {
            law(format!("{HEAD}{text}\n").as_bytes());
        }
    }
    for line in [
        "u:(a) b",
        "u1:(a) b",
        "u9:(a) b",
        "a",
        "description: a\nb",
        "topic: ~a",
        "recover:",
        "concept:(a) [b ~a]",
        "]",
        "def:f() a",
        "e:",
        "s:(a) ^replace(a, b)",
        "l:(a) $b=a",
        "proposal: %a b",
        "#",
        "include: a",
        "dynamic: a",
        "c1:(a) b",
        "%script",
        "u:(e:a) b",
    ] {
        for head in [HEAD.to_owned(), format!("{HEAD}u:(a) b\n")] {
            reading(&format!("{head}{}", format!("{line}\n").repeat(120_000)));
            law(format!("{head}{}", format!("{line}\n").repeat(500)).as_bytes());
        }
    }
}

#[test]
fn concepts_may_name_each_other_in_circles_and_rows() {
    for concepts in [
        "concept:(a) ~a",
        "concept:(a) [\"{x} ~a\" y]",
        "concept:(a) [\"x ~a\" x]",
        "concept:(a) [\"~a x\" x]",
        "concept:(a) [\"~b x\" x]\nconcept:(b) [~a \"~a y\" y]",
        "concept:(a) [~a ~a ~a ~a]",
        "concept:(a) [\"~a ~a ~a ~a\"]",
        "concept:(a) [^rand[~a ~a] {~a} \"~a\"]",
    ] {
        holds(&format!(
            "{concepts}\nu:(~a) ~a ^size(~a) ^enumerate(~a)\nu:(one {{~a}}) ^size(~a)\nu:(two) ^first[~a b]"
        ));
    }
    for wide in ["~aN", "~aN ~aN", "\"~aN ~aN\"", "\"{x} ~aN\" ~aN", "\"{~aN} {~aN} y\"", "^rand[~aN ~aN ~aN] ~aN"] {
        for count in [30, 1_000] {
            let row: String =
                (0..count).map(|n| format!("concept:(a{n}) [{}]\n", wide.replace('N', &(n + 1).to_string()))).collect();
            let rules = "u:(~a0) ~a0 ^size(~a0)\nu:(one) ^size(~a0)\nu:(two) ^enumerate(~a0)\nu:(three) ~a0";
            holds(&format!("{row}concept:(a{count}) [x y]\n{rules}"));
            holds(&format!("{row}{rules}"));
        }
    }
}

#[test]
fn answers_that_lead_to_each_other_end() {
    for rules in [
        "def:f() ^f() ^f()\nu:(a) ^f()",
        "def:f() ^firstOptional[^f()] ^firstOptional[^f()]\nu:(a) ^f()",
        "def:f() ^firstOptional[^g()] ^firstOptional[^g()] x\ndef:g() ^firstOptional[^f()] ^firstOptional[^f()] y\nu:(a) ^f()",
        "def:f($a) ^firstOptional[^f(\"$a $a\")] x\nu:(a) ^f(abc)",
        "proposal: %p a ^goto(p)\nu:(a) ^goto(p) ^goto(p)",
        "u:(a) %p ^gotoReactivate(p) ^gotoReactivate(p)",
        "u:(a) %p x ^firstOptional[^gotoReactivate(p)] ^firstOptional[^gotoReactivate(p)]",
        "u:(a) b $k=1\nu:(e:k) c $k=2",
        "u:(a) b $k=1\nu:(e:k) c $j=1\nu:(e:j) d $k=1",
        "u:(a) %p x ^call(X.y())\ne1: y ^gotoReactivate(p)",
        "u:(a) $k=\"$k $k b\"\nu:(e:k) $k=\"$k $k\"",
        "u:(e:Dialog/NotUnderstood) %t x\nu:(e:Dialog/SpeakFailure) $unset",
        "u:(e:Dialog/NothingToSay) ^nextProposal\nu:(a) ^nextProposal",
    ] {
        holds(rules);
    }
    let row: String = (0..30).map(|n| format!("def:f{n}() ^f{m}() ^f{m}() ^f{m}()\n", m = n + 1)).collect();
    holds(&format!("{row}def:f30() x\nu:(a) ^f10()\nu:(b) ^f0()"));
}
