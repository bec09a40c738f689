# -*- coding: utf-8 -*-
"""Runs Python 2 scripts through all three layers and answers with what they print.

    runner.py CASE.py …       each answer: `case NAME LENGTH`, a line end, and that many bytes of output
    runner.py --compile …     the same, and what is not empty is the line at which a script does not compile, and why;
                              Python 2.7 can do this too
    runner.py --checks        runs checks.py; its report goes to standard error

The rewriter is at the other end of standard input and output: `rewrite LENGTH`, a line end and the text go out, and a
length, a line end and the new text come back. With `--rewriter PROGRAM` first, that program does it (`python2 --frames`).
"""
import io
import os
import subprocess
import sys
import traceback
import types

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.join(HERE, "..", "..", "python", "boxstep_runtime")


class Rewriter(object):
    def __init__(self, program):
        if program:
            # One program for the whole run; it ends with our standard output.
            process = subprocess.Popen([program, "--frames"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.out, self.back, self.word = process.stdin, process.stdout, b""
        else:
            self.out, self.back, self.word = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb"), b"rewrite "

    def __call__(self, text):
        data = text.encode("utf-8")
        self.out.write(self.word + b"%d\n" % len(data) + data)
        self.out.flush()
        return self.back.read(int(self.back.readline())).decode("utf-8")

    def answer(self, name, text):
        data = text.encode("utf-8", "surrogateescape")
        if self.word:
            self.out.write(b"case %s %d\n" % (name.encode("utf-8"), len(data)) + data)
            self.out.flush()
        else:
            sys.__stdout__.write("-- %s\n%s" % (name, text))


def load(rewrite):
    """Returns the runtime's Python 2 interface, without the rest of the package."""
    package = types.ModuleType("boxstep_runtime")
    package.__path__ = [RUNTIME]
    sys.modules["boxstep_runtime"] = package
    from boxstep_runtime import py2
    py2.install(rewrite)
    return py2


def run(py2, path):
    """Returns the output of a script, including its traceback."""
    with io.open(path, encoding="utf-8") as source:
        text = source.read()
    out, sys.stdout = sys.stdout, io.StringIO()
    try:
        exec(py2.compile_script(text, path), py2.script_globals())
    except BaseException:
        sys.stdout.write(traceback.format_exc())
    finally:
        text, sys.stdout = sys.stdout.getvalue(), out
    return text


def compiles(py2, path):
    """Returns where and why a script does not compile."""
    with io.open(path, encoding="utf-8", newline="\n") as source:
        text = source.read()
    try:
        py2.compile_script(text, path)
    except SyntaxError as error:
        return u"%d %s" % (error.lineno or 0, error.msg)
    return u""


def main(args):
    program = None
    if args[:1] == ["--rewriter"]:
        program, args = args[1], args[2:]
    rewriter = Rewriter(program)
    py2 = load(rewriter)
    if args == ["--checks"]:
        sys.stdout = sys.stderr
        sys.path.insert(0, HERE)
        import checks
        return checks.main(py2, rewriter)
    work = compiles if args[:1] == ["--compile"] else run
    for path in args[work is compiles:]:
        rewriter.answer(os.path.basename(path), work(py2, path))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
