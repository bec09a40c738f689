"""Reloads the script's own modules that change while the behavior plays (`play --watch`)."""
import io
import linecache
import os
import re
import sys

from . import modules, state

_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+([^\n#]*)", re.MULTILINE)
_WORD = re.compile(r"[\w.]+")

# Changed files that have not been accepted yet, because one of them is invalid.
_held = set()


def forget_modules(files):
    """Removes the modules from these files, and those that have imported one of them.

    Returns the names of the removed modules; the numbers of the script objects that have imported one; and the
    reasons why nothing was removed, if a file is invalid.
    """
    _held.update(os.path.realpath(file) for file in files)
    own = modules.loaded_from(modules.folders())
    changed = sorted(set(own.values()) & _held)
    refused = [why for why in map(_wrong, changed) if why]
    if refused:
        return [[], [], refused]
    _held.clear()
    gone = set(_top(name) for name, file in own.items() if file in changed)
    more = gone
    while more:
        # A package is removed as a whole: a remaining part would belong to a removed package.
        more = set(_top(name) for name, file in own.items() if _imports(_text(file), gone)) - gone
        gone |= more
    names = sorted(name for name in own if _top(name) in gone)
    for name in names:
        del sys.modules[name]
        _forget_code(own[name])
    linecache.checkcache()
    if sys.version_info[0] > 2:
        import importlib
        importlib.invalidate_caches()
    users = [number for number, made in list(state.objects.items()) if _imports(made._boxstep_box.script.text(), gone)]
    return [names, sorted(users), []]


def _top(name):
    return name.partition(".")[0]


def _imports(text, tops):
    """Whether a text imports one of these modules, judging by its lines."""
    words = (word for line in _IMPORT.findall(text) for word in _WORD.findall(line))
    return any(_top(word.lstrip(".")) in tops for word in words)


def _text(file):
    # Only names are searched, which are the same in every encoding that Python reads.
    try:
        with io.open(file, encoding="latin-1") as source:
            return source.read()
    except (IOError, OSError):
        return ""


def _wrong(file):
    """Returns why a file is not a valid module; None if it is valid."""
    try:
        modules.compile_module(file)
    except SyntaxError as error:
        return "%s:%s: SyntaxError: %s" % (file, error.lineno or 1, error.msg)
    except (IOError, OSError) as error:
        return "%s: %s" % (file, error.strerror)
    except ValueError as error:
        return "%s: %s" % (file, error)
    return None


def _forget_code(file):
    """Deletes the cached bytecode, which Python would consider current if both files are from the same second."""
    kept = [file + "c", file + "o"]
    if sys.version_info[0] > 2:
        import importlib.util
        try:
            kept = [importlib.util.cache_from_source(file)]
        except NotImplementedError:
            kept = []
    for path in kept:
        try:
            os.remove(path)
        except OSError:
            pass
