"""Runs scripts written for Python 2: the interface to the three layers.

    import boxstep_runtime.py2 as py2
    py2.install(rewrite)                       # rewrite(text) -> text: the first layer
    py2.install_imports([folder])              # modules beside the behavior
    scope = py2.script_globals()
    exec(py2.compile_script(text, name), scope)

A text whose first line names `python3` is Python 3: `dialect_of` detects it, `compile_python3` compiles it
unchanged, and the namespace is an ordinary one. In Python 2 itself, the layers do nothing.
"""
import re
import sys
import threading

PYTHON2 = sys.version_info[0] == 2


def _identity(text):
    return text


_rewrite = _identity


# Matches `python2` or `python3` as a word or as the last part of a path, on a first line that begins with `#!`.
_NAMED = re.compile(u"\ufeff?#!(?:[^\r\n]*[/ \t])?python([23])(?=[. \t\r\n]|$)")


def dialect_of(text, default=2):
    """Returns the Python version that the text's first line names, 2 or 3, or the default if it names none."""
    named = _NAMED.match(text)
    return int(named.group(1)) if named else default


def compile_python3(text, filename):
    """Compiles a Python 3 text unchanged. Python 2 refuses it, because the text would have another meaning."""
    _show_source(text, filename)
    if PYTHON2:
        raise SyntaxError("this is Python 3, and Python %d.%d.%d is to run it" % sys.version_info[:3],
                          (filename, 1, 1, text.split("\n", 1)[0]))
    return compile(text[1:] if text.startswith(u"\ufeff") else text, filename, "exec", 0, True)


def install(rewrite=None):
    """Sets the function that rewrites source, which keeps the number of lines."""
    global _rewrite
    _rewrite = rewrite or _identity


if PYTHON2:

    def compile_script(text, filename, rewrite=None, mode="exec"):
        """Returns a code object; see the other definition."""
        _show_source(text, filename)
        if isinstance(text, type(u"")):
            # Without a coding line Python 2 requires ASCII; with one it would decode the text twice.
            head = re.split(u"(\n)", text, 2)
            head[0:3:2] = [re.sub(u"coding(?=[:=])", u"coding ", line) for line in head[0:3:2]]
            text = b"\xef\xbb\xbf" + u"".join(head).encode("utf-8")
        return compile(text, filename, mode, 0, True)

    def script_globals():
        """Returns a namespace for a script."""
        return {}

    program_globals = script_globals

    def install_imports(folders, rewrite=None, default=lambda: 2):
        """Makes the modules in these folders importable."""
        finder = _Path()
        for folder in folders:
            finder.add(folder)
        return finder

    class _Path(object):
        """In Python 2, the interpreter's own finder imports the modules."""

        def __init__(self):
            self.added = []

        def add(self, folder):
            if folder not in sys.path:
                sys.path.append(folder)
                self.added.append(folder)

        def leave(self, folder):
            if folder in self.added:
                self.added.remove(folder)
                sys.path.remove(folder)

        def uninstall(self):
            for folder in self.added:
                if folder in sys.path:
                    sys.path.remove(folder)

else:
    from . import py2ast, py2imports, py2names

    def compile_script(text, filename, rewrite=None, mode="exec"):
        """Compiles a Python 2 script, to be run in the namespace that script_globals returns.

        Positions are the author's: line n of a traceback is line n of `text`. Raises SyntaxError where Python 2
        would.
        """
        _show_source(text, filename)
        return py2ast.compile_py2((rewrite or _rewrite)(text), filename, text, mode)

    _builtins = None
    _lock = threading.Lock()

    def _script_builtins():
        # Shared by all scripts, as in one Python 2 interpreter; a box then costs no more than a reference.
        global _builtins
        with _lock:
            if _builtins is None:
                names = py2names.names()
                names.update(py2names.code_builtins(compile_script_cached))
                _builtins = py2imports.builtins_module(names)
        return _builtins

    _three = []

    def _python3_builtins():
        if not _three:
            _three.append(py2imports.python3_builtins())
        return _three[0]

    def compile_script_cached(text, filename, mode):
        """Caching compile_script for exec and eval, which scripts call with the same few texts."""
        key = (text, filename, mode)
        code = _cache.get(key)
        if code is None:
            code = compile_script(text, filename, None, mode)
            if len(_cache) >= 256:
                _cache.clear()
            _cache[key] = code
        return code

    _cache = {}

    def script_globals():
        """Returns a new namespace for one script, with Python 2's builtins and nothing else."""
        return {"__builtins__": _script_builtins(), "__name__": "__main__", "__doc__": None}

    def program_globals():
        """Returns a new namespace for a program in Python 3."""
        return {"__builtins__": _python3_builtins(), "__name__": "__main__", "__doc__": None}

    def install_imports(folders, rewrite=None, default=lambda: 2):
        """Makes the modules in these folders (and in their subfolders, once these are on sys.path) importable, as
        Python 2 or 3 according to `versions`, or else by what `default` returns at that time.

        Returns the finder; its uninstall() removes them again.
        """
        def compile_module(text, filename):
            from . import versions  # imported late, because it needs this module
            if versions.dialect_of(text, default()) == 3:
                return compile_python3(text, filename), _python3_builtins()
            return compile_script(text, filename, rewrite), _script_builtins()
        return py2imports.Finder(folders, compile_module).install()


def _show_source(text, filename):
    """Makes tracebacks show the author's lines. Python reads existing files itself."""
    if filename.startswith("<"):
        return
    import linecache
    import os
    if os.path.exists(filename):
        return
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # checkcache never drops an entry without a modification time.
    linecache.cache[filename] = (len(text), None, [line + "\n" for line in lines], filename)
