//! A few lines for each construct; `tests/python2.rs` compares the behavior of scripts with Python 2.7.

use proptest::prelude::*;

use super::{EditKind, python2};

fn rewrites(pairs: &[(&str, &str)]) {
    for (source, wanted) in pairs {
        assert_eq!(python2(source).text, *wanted, "from {source:?}");
    }
}

fn keeps(sources: &[&str]) {
    for source in sources {
        let done = python2(source);
        assert_eq!((done.text.as_str(), done.edits.len()), (*source, 0));
    }
}

#[test]
fn print() {
    rewrites(&[
        ("print", "print()"),
        ("print x", "print(x)"),
        ("print  x, y # no, comma", "print(x, y) # no, comma"),
        ("print'x'", "print('x')"),
        ("print x,", "print(x, end=' ')"),
        ("print x, ;print", "print(x, end=' ') ;print()"),
        ("print (a), b", "print((a), b)"),
        ("print (a, b)", "print((a, b))"),
        ("print(a, b)", "print((a, b))"),
        ("print()", "print(())"),
        ("print (a) % b", "print((a) % b)"),
        ("print (a).b(c)", "print((a).b(c))"),
        ("print -1", "print(-1)"),
        ("print [1]", "print([1])"),
        ("print {1: 2}", "print({1: 2})"),
        ("print not x", "print(not x)"),
        ("print lambda: x", "print(lambda: x)"),
        ("if x: print y", "if x: print(y)"),
        ("else: print y; print z", "else: print(y); print(z)"),
        ("for x in lambda: 1, 2: print x", "for x in lambda: 1, 2: print(x)"),
        ("print a, \\\n  b", "print(a, \\\n  b)"),
        ("print \\\n  b", "print( \\\n  b)"),
        ("print (a,\n  b)", "print((a,\n  b))"),
    ]);
    keeps(&["print(x)", "print (x)", "print(x, file=f)", "print(*x)", "print(**x)", "print((a, b))", "print('a' 'b')"]);
    keeps(&[
        "x.print(1, 2)",
        "print = 1",
        "print.x",
        "print, x",
        "f(print)",
        "# print x",
        "'''\nprint x\n'''",
        "print >>",
    ]);
    keeps(&["from __future__ import division, print_function\nprint(a, b)\nprint", "x = print"]);
}

#[test]
fn print_to_a_file() {
    rewrites(&[
        ("print >>f", "print(file=f)"),
        ("print>>f, x", "print(file=f, *(x,))"),
        ("print >> f.g(1, 2), x, y", "print(file= f.g(1, 2), *(x, y,))"),
        ("print >>f, x,", "print(file=f, *(x,), end=' ')"),
    ]);
    keeps(&["print >>f,"]);
}

#[test]
fn exec() {
    rewrites(&[
        ("exec x", "exec(x)"),
        ("exec x in d", "exec(x, d)"),
        ("exec x in d, e", "exec(x, d, e)"),
        ("exec (x) in d", "exec((x), d)"),
        ("exec 'a in b' in d", "exec('a in b', d)"),
    ]);
    keeps(&["exec(x)", "exec(x, d)", "exec (x)", "x.exec(1)", "exec = 1"]);
}

#[test]
fn exceptions() {
    rewrites(&[
        ("except E, e: pass", "except E as e: pass"),
        ("except E , e :", "except E as e :"),
        ("except E,e:", "except E as e:"),
        ("except (A, B), e:", "except (A, B) as e:"),
        ("except E, (a, b):", "except __py2_except__[E, (a, b)] as __py2_exc__:"),
        ("except E, x.y: z", "except __py2_except__[E, x.y] as __py2_exc__: z"),
        ("raise E, v", "raise __py2_raise__(E, v)"),
        ("if x: raise E, 'a, b', t", "if x: raise __py2_raise__(E, 'a, b', t)"),
        ("raise(E), v", "raise __py2_raise__((E), v)"),
    ]);
    keeps(&["except:", "except E:", "except (A, B):", "except E as e:", "raise", "raise E(1, 2)", "raise E from e"]);
}

#[test]
fn operators_and_literals() {
    rewrites(&[
        ("a <> b", "a != b"),
        ("`a`", "repr(a)"),
        ("`a, b`", "repr((a, b))"),
        ("return`a`", "return repr(a)"),
        ("`(`a`, 1)`", "repr((repr(a), 1))"),
        ("0777, 00, 0, 0L, 10L, 0xFFl, 0777L", "0o777, 00, 0, 0, 10, 0xFF, 0o777"),
        ("7L.x", "7 .x"),
        ("[x for x in 1, 2]", "[x for x in (1, 2)]"),
        ("[x for x in 1, 2 if x for y in 3, 4]", "[x for x in (1, 2) if x for y in (3, 4)]"),
    ]);
    keeps(&["09.5", "0x1F", "0o17", "1e5", "1_000", "010j", "[x for x in (1, 2)]", "[f(x, y) for x in y]", "{1: [2]}"]);
}

#[test]
fn strings() {
    rewrites(&[
        (r"'\d \RSPD=80\'", r"'\d \RSPD=80\'"),
        (r"'\d \RSPD=80\ '", r"'\\d \\RSPD=80\\ '"),
        (r"'\u00e9 \U00 \N{x}'", r"'\\u00e9 \\U00 \\N{x}'"),
        (r"u'\u00e9 \d'", r"u'\u00e9 \\d'"),
        (r"ur'\d'", r"r'\d'"),
        (r"uR'''\d'''", r"r'''\d'''"),
        (r"Ur'\d\u0041'", r"u'\\d\u0041'"),
        (r"ur'\\u0041\''", r"r'\\u0041\''"),
        (r#"ur'\u0041\''"#, r#"u'\u0041\\\''"#),
        ("'\\é'", "'\\\\é'"),
        (r"'\xff\x00\377'", r"'\udcff\x00\udcff'"),
        (r"'caf\xc3\xa9 \303\251'", r"'caf\U000000e9 \U000000e9'"),
        (r"'\xc3 \xa9\d'", r"'\udcc3 \udca9\\d'"),
    ]);
    keeps(&[r"'\\xff'", r"u'\xe9'", r"'\x7f\177\n'", r"r'\xff'", r"b'\xff'"]);
    keeps(&[
        r"'\\d \n \x41 \101 \' \0'",
        r"r'\d\u'",
        r"b'\x00'",
        r"br'\d'",
        "'a\\\nb'",
        "'a\\\r\nb'",
        r"f'\d'",
        "'unclosed",
    ]);
    keeps(&["from __future__ import unicode_literals\n'\\u00e9'"]);
}

#[test]
fn keywords_as_names() {
    rewrites(&[
        ("qi.async(f)", "qi.async_(f)"),
        ("f(async=1, await=2)", "f(async_=1, await_=2)"),
        ("nonlocal = 1", "nonlocal_ = 1"),
        ("x.True", "x.True_"),
    ]);
    keeps(&["async def f():\n    await x()", "def f():\n    nonlocal x", "asynchronous", "'async'"]);
}

#[test]
fn tuple_parameters() {
    rewrites(&[
        ("def f(a, (b, c)): pass", "def f(a, __py2_arg1__: (b, c)): pass"),
        ("def f((b, c)=(1, 2),\n  (d,)=x): pass", "def f(__py2_arg1__: (b, c)=(1, 2),\n  __py2_arg2__: (d,)=x): pass"),
        ("lambda (k, v): v", "lambda __py2_arg1__: lambda k, v: v"),
        ("lambda (x): x", "lambda x: x"),
        ("lambda (k, # key\n v): v", "lambda __py2_arg1__: lambda k, v, *, __py2_lines__=( # key\n ): v"),
        (
            "(lambda (a,\n (b,\n c)), d: d)",
            "(lambda __py2_arg1__, d: lambda a, __py2_arg2__, *, __py2_lines__=(\n \n ): lambda b, c: d)",
        ),
        ("lambda a, (b, (c, d)): d", "lambda a, __py2_arg1__: lambda b, __py2_arg2__: lambda c, d: d"),
    ]);
    keeps(&["def f(a=(1, 2)): pass", "def f(a=lambda x, y: (x, y)): pass", "lambda x=(1, 2): x", "f((a, b))"]);
    keeps(&["def f(a: (int, str)): pass"]);
}

#[test]
fn white_space() {
    rewrites(&[
        ("if x:\n\ty\n  \tz\n", "if x:\n        y\n        z\n"),
        ("if x:\n \t \ty", "if x:\n                y"),
        ("\u{feff}x", "x"),
        ("print x\r\nprint y\r\n", "print(x)\r\nprint(y)\r\n"),
    ]);
    keeps(&["x = [\n\t1]", "'''\n\ta'''", "x\t= 1", "x = 1 + \\\n\t2", "", "\n", "# é\n"]);
}

#[test]
fn edits_say_where_and_why() {
    let done = python2("x <> 010\nprint x");
    let edits: Vec<_> = done.edits.iter().map(|e| (e.span.clone(), e.kind)).collect();
    let print = EditKind::Print;
    assert_eq!(edits, [(2..4, EditKind::NotEqual), (5..8, EditKind::Number), (14..15, print), (16..16, print)]);
}

#[test]
fn large_nonsense_takes_no_longer_than_large_sense() {
    const N: usize = 30_000;
    let nested = "[".repeat(N) + &"]".repeat(N);
    assert_eq!(python2(&nested).text, nested);
    for piece in
        ["lambda ", "lambda a=", "if;", "print ", "[for in ", "`(", "(\n", "x for x in 1, 2 ", "except ", "exec in "]
    {
        let text = piece.repeat(N);
        assert_eq!(line_ends(&python2(&text).text), line_ends(&text), "{piece:?}");
        python2(&format!("[{text}]"));
        python2(&format!("print {text}: {text}"));
    }
}

/// Statements that are valid Python 3, mean the same in Python 2, and need no rewriting.
fn python3_line() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        Just("x"),
        Just("f(a, b)"),
        Just("'text'"),
        Just("u'\\u00e9'"),
        Just("[i for i in y if i]"),
        Just("0o17"),
        Just("{'a': 1}"),
        Just("(1, 2)"),
        Just("r'\\d'"),
        Just("not x"),
        Just("'''a\nb'''"),
        Just("d[1:2]"),
        Just("(lambda a, b=1: a)"),
        Just("1.5e3"),
        Just("(yield)"),
        Just("'a' 'b'"),
        Just("(a\n  # c\n)"),
    ];
    (atom.clone(), atom, 0..9usize).prop_map(|(a, b, shape)| match shape {
        0 => format!("print({a})"),
        1 => format!("x = {a} != {b}"),
        2 => format!("raise E({a})"),
        3 => format!("if {a}: y = {b}; z = {a}"),
        4 => format!("def f(a, b={a}, *c):\n    return {b}"),
        5 => format!("try: f({a})\nexcept (A, B) as e: g({b})"),
        6 => format!("x.y({a})[{b}] += 1 # print {shape}"),
        7 => format!("exec({a})"),
        _ => format!("for x in {a}, {b}: pass"),
    })
}

/// Fragments that the tokenizer has a rule for, in any order.
fn shards() -> impl Strategy<Value = String> {
    let shard = prop_oneof![
        3 => prop::sample::select(vec![
            "print", "exec", "except", "raise", "def f", "lambda", "for", "in", "async", "nonlocal", "as", "if", "x",
            "(", ")", "[", "]", "{", "}", "`", "'", "\"", "'''", "\\", "\n", "\r\n", "\r", "\t", " ", ",", ";", ":", ">>",
            "<>", "=", ".", "0777", "1L", "ur'", "u\"", "\\u0041", "#", "é", "\u{feff}", "*", "\x0c",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(shard, 0..40).prop_map(|list| list.concat())
}

fn line_ends(text: &str) -> Vec<char> {
    text.chars().filter(|c| matches!(c, '\n' | '\r')).collect()
}

proptest! {
    #[test]
    fn any_text_keeps_its_lines(text in prop_oneof![shards(), any::<String>()]) {
        let done = python2(&text);
        prop_assert_eq!(line_ends(&done.text), line_ends(&text));
        prop_assert!(done.edits.iter().all(|e| text.get(e.span.clone()).is_some()));
        prop_assert!(done.edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
    }

    #[test]
    fn python_3_stays_as_it_is(lines in prop::collection::vec(python3_line(), 1..8)) {
        let text = lines.join("\n") + "\n";
        prop_assert_eq!(&python2(&text).text, &text);
    }
}

/// Conversion for people: the source, the result, and whether all changes are certain.
#[test]
fn for_people() {
    for (source, expected, certain) in [
        ("print\n", "print()\n", true),
        ("print x, y  # why\n", "print(x, y)  # why\n", true),
        ("print x,\n", "print(x, end=' ')\n", false),
        ("print (a, b)\n", "print((a, b))\n", true),
        ("print(a)\n", "print(a)\n", true),
        ("print >>f\n", "print(file=f)\n", false),
        ("print >>f.g(1, 2), 'a', b,\n", "print('a', b, end=' ', file=f.g(1, 2))\n", false),
        ("exec c in d\n", "exec(c, d)\n", true),
        ("x = `a, b`\n", "x = repr((a, b))\n", true),
        ("raise E, 'x'\n", "raise E('x')\n", true),
        ("raise E, 'x %s' % y\n", "raise E('x %s' % y)\n", true),
        ("raise E, (1, 2)\n", "raise E(1, 2)\n", true),
        ("raise E, x\n", "raise E(x)\n", false),
        ("raise E, x, t[2]\n", "raise x.with_traceback(t[2])\n", false),
        ("raise E, 'x', t\n", "raise E('x').with_traceback(t)\n", false),
        ("raise e, None, t\n", "raise e.with_traceback(t)\n", false),
        ("try: pass\nexcept E, e: pass\n", "try: pass\nexcept E as e: pass\n", true),
        ("try: pass\nexcept E, (a, b): f(a)\n", "try: pass\nexcept E as error: (a, b) = error.args; f(a)\n", true),
        (
            "try:\n\tpass\nexcept (E, F), (a, b):\n\tf(error)\n",
            "try:\n\tpass\nexcept (E, F) as error_:\n\t(a, b) = error_.args\n\tf(error)\n",
            true,
        ),
        ("try: pass\nexcept E, a.b: pass\n", "try: pass\nexcept E as error: a.b = error; pass\n", true),
        ("def f(a, (b, c)=(1, 2)): return b\n", "def f(a, b_c=(1, 2)): (b, c) = b_c; return b\n", true),
        (
            "def f((a, (b, c)), (d)):\r\n  'doc'\r\n  return b\r\n",
            "def f(a_b_c, d):\r\n  'doc'\r\n  (a, (b, c)) = a_b_c\r\n  return b\r\n",
            true,
        ),
        ("def f((a, b)):\n    'doc'\nx\n", "def f(a_b):\n    'doc'\n    (a, b) = a_b\nx\n", true),
        ("g(lambda (k, v), n: k + v, 3)\n", "g(lambda k_v, n: (lambda k, v: k + v)(*k_v), 3)\n", true),
        ("f = lambda (a, (b, c)): b\n", "f = lambda a_b_c: (lambda a, b_c: (lambda b, c: b)(*b_c))(*a_b_c)\n", true),
        ("[lambda (a, b): a for x in y]\n", "[lambda a_b: (lambda a, b: a)(*a_b) for x in y]\n", true),
        ("{lambda (a, b): {1: a}: 2}\n", "{lambda a_b: (lambda a, b: {1: a})(*a_b): 2}\n", true),
        ("qi.async(f, 1)\nasync = 2\n", "qi.runAsync(f, 1)\nasync_ = 2\n", true),
        ("qi = x\nqi.async(f)\n", "qi = x\nqi.async_(f)\n", false),
        ("x.async = f(await=2)\n", "x.async_ = f(await_=2)\n", false),
        ("a <> 0777 + 10L\n", "a != 0o777 + 10\n", true),
        ("'\\RSPD=80\\ ' + ur'\\d'\n", "'\\\\RSPD=80\\\\ ' + r'\\d'\n", true),
        ("if x:\n\ty\n\tz\n", "if x:\n\ty\n\tz\n", true),
        ("if x:\n\ty\n        z\n", "if x:\n        y\n        z\n", true),
        ("\u{feff}x\n", "x\n", true),
    ] {
        let done = super::python3(source);
        assert_eq!(done.text, expected, "{source}");
        assert_eq!(done.changes.iter().all(|c| c.certain), certain, "{source}");
        // The reported changes are the actual changes.
        let (mut text, mut at) = (String::new(), 0);
        for change in &done.changes {
            text += &source[at..change.span.start];
            text += &change.text;
            at = change.span.end;
        }
        assert_eq!(text + &source[at..], expected);
    }
}
