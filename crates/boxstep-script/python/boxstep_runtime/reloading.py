"""Modules of the script's own that change while the behavior plays (`play --watch`)."""
import io
import linecache
import os
import re
import sys

from . import modules, state

_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+([^\n#]*)", re.MULTILINE)
_WORD = re.compile(r"[\w.]+")

# Files that have changed and are not taken yet, because one of them cannot be.
_held = set()


def forget_modules(files):
    """Forgets the modules that came from these files, and those that have imported one of them.

    Returns the names of those that were there; the numbers of the script objects that have imported one; and why
    nothing was forgotten, if a file cannot be taken.
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
        # A package goes as a whole: what is left of one would belong to a package that is no more.
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
    """Whether a text imports one of these, by what stands in its lines."""
    words = (word for line in _IMPORT.findall(text) for word in _WORD.findall(line))
    return any(_top(word.lstrip(".")) in tops for word in words)


def _text(file):
    # Only names are looked for, and those are the same in every encoding that Python reads.
    try:
        with io.open(file, encoding="latin-1") as source:
            return source.read()
    except (IOError, OSError):
        return ""


def _wrong(file):
    """Why a file cannot be a module any more; None if it can."""
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
    """Python would take what it has kept of the file for current if both are of the same second."""
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
