"""Finds the box whose code is running, and describes exceptions with the author's lines."""
import itertools
import linecache
import sys
import traceback

from . import state

# The name of the box in every script's namespace.
BOX = "__boxstep_box__"

_OWN = (__name__.partition(".")[0], "boxstep")
_REPEATS = 3


def caller():
    """Returns (object id, line) of the innermost frame that belongs to a box script; (-1, 0) if there is none."""
    frame = sys._getframe(1)
    found = -1
    while frame is not None:
        box = frame.f_globals.get(BOX)
        if box is not None:
            if frame.f_code.co_filename == box.script.filename:
                return box.number, frame.f_lineno or 0
            # Code that a script runs with exec has the script's namespace, but lines of its own.
            if found < 0:
                found = box.number
        frame = frame.f_back
    return found, 0


def explain(error):
    """Returns (kind, message, line or None, traceback); see describe."""
    return describe(error)[:4]


def describe(error):
    """Returns (kind, message, line, traceback, object id) of an exception.

    The line is the innermost one in the script of the box that was called first; the traceback is Python's without
    the frames of this package.
    """
    frames = _frames(error)
    number, line = -1, None
    for box, at in ((box, at) for box, _, at, _, _ in frames if box is not None):
        if number < 0:
            number = box.number
        if box.number == number:
            line = at
    message = text_of(error)
    if isinstance(error, SyntaxError):
        message = error.msg or message
        if error.filename in (script.filename for script in state.scripts.values()):
            line = error.lineno
    return type(error).__name__, message, line, "".join(_chain(error, [])), number


def report(error):
    """Reports an exception that no caller can catch to the engine: from a thread, a timer or a callback."""
    kind, message, line, text, number = describe(error)
    at = line or 0
    if number < 0:
        number, at = caller()
    state.bridge.uncaught(number, at, kind, message, line, text)


def format_exception(error):
    """Returns only the traceback."""
    return "".join(_chain(error, []))


def text_of(error):
    """Returns str(error), or a placeholder if that raises."""
    try:
        return str(error)
    except Exception:
        return "<unprintable %s object>" % type(error).__name__


def _frames(error):
    """Returns the frames of an exception's traceback: (box or None, file, line, function, text of the line)."""
    found = []
    step = getattr(error, "__traceback__", None)
    if step is None and sys.version_info[0] == 2 and sys.exc_info()[1] is error:
        step = sys.exc_info()[2]
    while step is not None:
        frame, line = step.tb_frame, step.tb_lineno or 0
        step = step.tb_next
        code, space = frame.f_code, frame.f_globals
        name = space.get("__name__") or ""
        if name.partition(".")[0] in _OWN or code.co_filename.startswith("<frozen importlib"):
            continue
        if not found and name == "threading":
            continue  # the frames below every thread
        box = space.get(BOX)
        if box is not None and code.co_filename == box.script.filename:
            text = box.script.line(line)
            found.append((box, box.display, line, code.co_name, text))
        else:
            text = linecache.getline(code.co_filename, line, space).strip()
            found.append((None, code.co_filename, line, code.co_name, text))
    return found


def _chain(error, seen):
    """Returns the parts of a traceback, the causes first."""
    seen.append(error)
    cause = getattr(error, "__cause__", None)
    context = getattr(error, "__context__", None)
    parts = []
    if cause is not None:
        if not any(cause is e for e in seen):
            parts += _chain(cause, seen)
            parts.append("\nThe above exception was the direct cause of the following exception:\n\n")
    elif context is not None and not getattr(error, "__suppress_context__", False):
        if not any(context is e for e in seen):
            parts += _chain(context, seen)
            parts.append("\nDuring handling of the above exception, another exception occurred:\n\n")
    return parts + _one(error)


def _one(error):
    parts = []
    frames = _frames(error)
    if frames:
        parts.append("Traceback (most recent call last):\n")
    for (_, name, line, function, text), same in itertools.groupby(frames):
        count = len(list(same))
        shown = '  File "%s", line %d, in %s\n' % (name, line, function) + ("    %s\n" % text if text else "")
        parts += [shown] * min(count, _REPEATS)
        if count > _REPEATS:
            more = count - _REPEATS
            parts.append("  [Previous line repeated %d more time%s]\n" % (more, "" if more == 1 else "s"))
    return parts + _only(error)


def _only(error):
    """Returns the last lines, which say what the exception is. They are the same in every version of Python."""
    if isinstance(error, SyntaxError):
        return traceback.format_exception_only(type(error), error)
    kind = type(error)
    name = getattr(kind, "__qualname__", kind.__name__)
    if kind.__module__ not in ("builtins", "exceptions", "__main__"):
        name = kind.__module__ + "." + name
    message = text_of(error)
    parts = ["%s: %s\n" % (name, message) if message else name + "\n"]
    for note in getattr(error, "__notes__", None) or ():
        parts.append("%s\n" % (note,))
    return parts
