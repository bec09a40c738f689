"""Runs a migrated script statement by statement with no help of Boxstep, and says whether it prints what Python 2.7 did.

    statements.py SCRIPT EXPECTED EYES…

EYES are lines of SCRIPT that need eyes. A statement with such a line, or one that uses what such a statement made or changed, may
print something else, or fail; all others must print just what stands in EXPECTED, in their order. Prints how many
statements there are, and how many of them had to be right.
"""
import ast
import io
import os
import signal
import sys
import traceback

ANY = None
# These change nothing that they get.
PURE = {"isinstance", "len", "str", "repr", "type", "hasattr", "callable", "sorted", "min", "max", "sum", "bool", "int"}


def names(node, kinds):
    """Names that a statement uses or gives; an attribute or item counts for what it is of."""
    found = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, kinds):
            found.add(inner.id)
        elif isinstance(inner, (ast.Attribute, ast.Subscript)) and not isinstance(inner.ctx, ast.Load) and ast.Store in kinds:
            root = inner
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            if isinstance(root, ast.Name):
                found.add(root.id)
        elif ast.Store in kinds:
            if isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
                found.add(inner.name)
            elif isinstance(inner, (ast.Import, ast.ImportFrom)):
                found.update((a.asname or a.name).split(".")[0] for a in inner.names)
    return found


def touched(statement):
    """What a statement may change: objects whose methods it calls, and those that it gives to calls."""
    found = set()
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return found
    for call in ast.walk(statement):
        if isinstance(call, ast.Call) and not (isinstance(call.func, ast.Name) and call.func.id in PURE):
            given = call.args + [k.value for k in call.keywords]
            if isinstance(call.func, ast.Name) and call.func.id == "print":
                given = [k.value for k in call.keywords if k.arg == "file"]
            parts = given + ([call.func.value] if isinstance(call.func, ast.Attribute) else [])
            found.update(part.id for part in parts if isinstance(part, ast.Name))
    return found


def stuck(*args):
    raise RuntimeError("it waits for ever")


def run(tree, name, eyes):
    """What each statement prints, or ANY."""
    space, doubtful, pieces = {"__name__": "__main__", "__file__": name}, set(), []
    gives_any = False
    for statement in tree.body:
        first = min([statement.lineno] + [d.lineno for d in getattr(statement, "decorator_list", ())])
        excused = any(first <= line <= statement.end_lineno for line in eyes)
        excused = excused or bool(names(statement, (ast.Load,)) & doubtful)
        if excused:
            doubtful |= names(statement, (ast.Store, ast.Del)) | touched(statement)
            gives_any = gives_any or bool(names(statement, (ast.Load,)) & {"exec", "execfile"})
            gives_any = gives_any or isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"
        out, sys.stdout, before = sys.stdout, io.StringIO(), dict(space)
        # One that waits for what an earlier one did not do, for ever.
        signal.signal(signal.SIGALRM, stuck)
        signal.alarm(2 if excused else 60)
        try:
            exec(compile(ast.Module([statement], []), name, "exec"), space)
        except Exception as error:
            # What a text or file that was to be run would have given.
            excused = excused or gives_any and isinstance(error, NameError)
            if not excused:
                sys.stderr.write("line %d:\n%s" % (first, traceback.format_exc()))
                sys.exit(1)
        finally:
            signal.alarm(0)
            printed, sys.stdout = sys.stdout.getvalue(), out
        if excused:
            doubtful.update(name for name in space if before.get(name) is not space[name])
        pieces.append((first, ANY if excused else printed))
    return pieces


def main(script, expected, *eyes):
    with io.open(script, encoding="utf-8") as f:
        tree = ast.parse(f.read())
    with io.open(expected, encoding="utf-8", newline="") as f:
        expected = f.read()
    pieces, at, free = run(tree, script, [int(line) for line in eyes]), 0, False
    for line, printed in pieces:
        if printed is ANY:
            free = True
        elif printed:
            found = expected.find(printed, at) if free else at if expected.startswith(printed, at) else -1
            if found < 0:
                sys.stderr.write("line %d prints %r, and not %r\n" % (line, printed, expected[at:at + 200]))
                return 1
            at, free = found + len(printed), False
    if expected[at:] and not free:
        sys.stderr.write("nothing prints %r\n" % expected[at:])
        return 1
    print("%d %d" % (len(pieces), sum(printed is not ANY for _, printed in pieces)))
    return 0


if __name__ == "__main__":
    code = main(*sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    # Not waiting for threads that wait.
    os._exit(code)
