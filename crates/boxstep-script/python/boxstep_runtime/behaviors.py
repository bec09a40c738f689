"""Behaviors in Python that a character's file names (docs/guides/python-behaviors.md): classes and conditions in files beside
it.

The engine calls the function number NUMBER, which is `call`. The reply is the outcome and its value: ["value",
value], or ["raised", class, text, traceback]; `call` raises nothing but the stop of the run.
"""
import linecache
import os
import sys
import types

from . import frames, state

# The number under which the engine knows `call`: the last number of the script host.
NUMBER = 2**31 - 1
# The name in a file's namespace that holds the name of the file for messages.
_FILE = "__boxstep_behaviors__"

# The files of each character, by the engine's number of its runner.
_casts = {}


def setup():
    _casts.clear()
    state.keep(NUMBER, call)


class _Missing(Exception):
    """The character's file names something that its Python files do not have."""


def call(what, runner, *args):
    """Loads files, calls a hook, or evaluates a condition."""
    try:
        if what == "load":
            return ["value", _load(runner, *args)]
        if what == "condition":
            return ["value", _condition(runner, *args)]
        return ["value", _casts[runner].cast.hook(runner, *args)]
    except state.bridge.Stopped:
        raise
    except BaseException as error:
        return ["raised"] + _told(error)


class _Files(object):
    """The contents of a character's Python files."""

    def __init__(self, files):
        from boxstep import behavior, base
        self._spaces = [(name, _loaded(name, path)) for name, path in files]
        self.base = behavior.Behavior
        self.cast = behavior._Cast(base._here())

    def find(self, name, fits, what):
        """Returns the object with this name, from the first file that has it."""
        for file, space in self._spaces:
            if fits(space.get(name)):
                return space[name]
        import difflib
        known = sorted(key for _, space in self._spaces for key, value in space.items() if fits(value))
        meant = difflib.get_close_matches(name, known, 1)
        raise _Missing("there is no %s `%s` in %s%s" % (
            what, name, " or ".join(file for file, _ in self._spaces), "; did you mean `%s`?" % meant[0] if meant else ""))


def _load(runner, files, behaviors, conditions):
    if sys.version_info[0] == 2:
        raise _Missing("behaviors in Python need Python 3.9 or newer, and this is Python %d.%d: name another one with --python"
                       % sys.version_info[:2])
    found = _casts[runner] = _Files(files)

    def is_class(value):
        return isinstance(value, type) and issubclass(value, found.base) and value.__module__ != found.base.__module__

    for number, name, kind, args, delegates in behaviors:
        _make(found, number, name, found.find(kind, is_class, "class of boxstep.Behavior"), args, delegates)
    found.conditions = dict(
        (name, found.find(name, lambda value: callable(value) and not isinstance(value, type), "function"))
        for name in conditions)


def _make(found, number, name, kind, args, delegates):
    made = kind.__new__(kind)
    made.name = name
    found.cast.bind(made, number, delegates)
    if args is None:
        made.__init__()
    elif isinstance(args, dict):
        made.__init__(**args)
    else:
        made.__init__(args)
    # The name in the character's file takes precedence over a name that the class has set.
    made.name = name
    said = [each if isinstance(each, str) else each.name for each in made.all_delegates()]
    more = [each for each in said if each not in delegates]
    if more:
        raise _Missing("`%s` may delegate to `%s` by its all_delegates, and the file does not say so: write it to its `delegates`"
                       % (name, more[0]))


def _condition(runner, name, args):
    """Returns whether a condition holds, and the reason as text, or None."""
    function = _casts[runner].conditions[name]
    if args is None:
        answer = function()
    elif isinstance(args, dict):
        answer = function(**args)
    else:
        answer = function(args)
    if isinstance(answer, tuple) and len(answer) == 2:
        return [bool(answer[0]), str(answer[1])]
    return [bool(answer), None]


def _loaded(name, path):
    """Runs a file as a module in Python 3, and returns its namespace."""
    with open(path, "rb") as source:
        text = source.read()
    # Tracebacks show the lines of the file, under a name that is the same on every machine.
    lines = text.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    linecache.cache[name] = (len(text), None, [line + "\n" for line in lines], name)
    stem = os.path.splitext(os.path.basename(path))[0]
    module = types.ModuleType(stem)
    module.__file__ = path
    module.__dict__[_FILE] = name
    # Parts of the standard library look up the module of a class; another file may import this one.
    sys.modules.setdefault(stem, module)
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    try:
        exec(compile(text.replace(b"\r\n", b"\n"), name, "exec", 0, True), module.__dict__)
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
    return module.__dict__


def _told(error):
    """Returns [class, text with the innermost line in the author's files, traceback] of an exception."""
    kind = type(error).__name__
    message = frames.text_of(error)
    if isinstance(error, _Missing):
        return ["NameError", message, "NameError: %s\n" % message]
    file = line = None
    if isinstance(error, SyntaxError):
        message = error.msg or message
        file, line = error.filename, error.lineno
    trace = sys.exc_info()[2]
    while trace is not None:
        name = trace.tb_frame.f_globals.get(_FILE)
        if name is not None:
            file, line = name, trace.tb_lineno
        trace = trace.tb_next
    if line is not None:
        message = "%s (%s line %d)" % (message, file, line)
    return [kind, message, frames.format_exception(error)]
