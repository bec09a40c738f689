"""Third layer, second half: the meaning of `import` in a script.

A script's `__import__` knows the modules of Python 2, and first looks beside the importing module. A finder reads
the modules in the behavior's own folders through all three layers. Site-packages and the standard library are not
affected: they have the interpreter's own builtins, and their modules are not in those folders.
"""
import builtins
import importlib
import importlib.machinery
import importlib.util
import itertools
import os
import re
import sys
import types

from . import py2modules

_CODING = re.compile(br"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


def read_source(path):
    """Returns the text of a file as Python 2 reads it: by its coding line, or else as UTF-8; invalid bytes are
    accepted."""
    with open(path, "rb") as source:
        data = source.read()
    encoding = "utf-8"
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    else:
        for line in data.split(b"\n", 2)[:2]:
            coding = _CODING.match(line)
            if coding:
                encoding = coding.group(1).decode("ascii")
    try:
        text = data.decode(encoding)
    except (LookupError, UnicodeDecodeError):
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Loader(object):
    """Loads one module of a script's folder; `compile_module(text, path)` returns its code and builtins (None for the
    interpreter's own)."""

    def __init__(self, path, compile_module):
        self.path = path
        self.compile_module = compile_module

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__dict__["__py2_script__"] = True
        code, own_builtins = self.compile_module(read_source(self.path), self.path)
        if own_builtins is not None:
            module.__dict__["__builtins__"] = own_builtins
        exec(code, module.__dict__)

    def get_source(self, fullname):
        """Returns the author's text, for tracebacks."""
        return read_source(self.path)

    def get_filename(self, fullname):
        return self.path

    def is_package(self, fullname):
        return os.path.basename(self.path) == "__init__.py"


def _is_ours(file):
    """Whether a module's file was installed together with the package `boxstep`."""
    beside = os.path.dirname(os.path.dirname(file or ""))
    return os.path.isfile(os.path.join(beside, "boxstep", "qicore.py"))


def _library():
    """Returns the names of the standard library's modules, without those that are there when Python has started."""
    names = getattr(sys, "stdlib_module_names", None)  # from Python 3.10 on
    if names is None:
        names = [entry.partition(".")[0] for entry in os.listdir(os.path.dirname(os.__file__))]
    started = ("os", "io", "abc", "codecs", "site", "stat", "posixpath", "ntpath", "genericpath", "encodings")
    return frozenset(names).difference(sys.builtin_module_names, started)


LIBRARY = _library()


class Finder(object):
    """Finds modules in the behavior's folders, and in subfolders that a script has put on sys.path."""

    def __init__(self, folders, compile_module):
        self.folders = []
        for folder in folders:
            self.add(folder)
        self.compile_module = compile_module
        self.loaded = set()
        self.hidden = {}

    def hides(self, name):
        """Returns the scripts' own module of a name that the standard library has, too; None if there is none, or if it
        does not come first on sys.path. The rest of Python does not see it, because it would take it for its own."""
        if name in self.hidden:
            return self.hidden[name]
        for folder in itertools.takewhile(lambda folder: self.owns(folder or os.getcwd()), sys.path):
            spec = self.spec_in(folder or os.getcwd(), name, name)
            if spec and spec.submodule_search_locations is None:
                module = self.hidden[name] = importlib.util.module_from_spec(spec)
                try:
                    spec.loader.exec_module(module)
                except BaseException:
                    del self.hidden[name]
                    raise
                return module
        return None

    def add(self, folder):
        """Adds a folder after the existing ones."""
        folder = os.path.realpath(folder)
        if folder not in self.folders:
            self.folders.append(folder)

    def leave(self, folder):
        """Removes a folder."""
        folder = os.path.realpath(folder)
        if folder in self.folders:
            self.folders.remove(folder)

    def owns(self, folder):
        """Whether a folder is one of these folders or inside of one."""
        folder = os.path.realpath(folder)
        return any(folder == own or folder.startswith(os.path.join(own, "")) for own in self.folders)

    def find_spec(self, fullname, path=None, target=None):
        name = fullname.rpartition(".")[2]
        if path is not None:
            for folder in path:
                spec = self.owns(folder) and self.spec_in(folder, name, fullname)
                if spec:
                    return spec
            return None
        if fullname in sys.builtin_module_names:
            return None
        for index, folder in enumerate(sys.path):
            # An empty entry is the current folder.
            spec = self.owns(folder or os.getcwd()) and self.spec_in(folder or os.getcwd(), name, fullname)
            if spec:
                hidden = fullname in LIBRARY and spec.submodule_search_locations is None
                return None if hidden or self.is_elsewhere(fullname, sys.path[:index]) else spec
        for folder in self.folders:
            spec = self.spec_in(folder, name, fullname)
            if spec:
                return None if self.is_elsewhere(fullname, sys.path) else spec
        return None

    def is_elsewhere(self, fullname, path):
        """Whether an earlier folder of `path` has the module, since the author determines their order. Modules of the
        package `boxstep` come last."""
        path = [folder for folder in path if not self.owns(folder or os.getcwd())]
        found = importlib.machinery.PathFinder.find_spec(fullname, path)
        return found is not None and not (fullname == "object_factory" and _is_ours(found.origin))

    def spec_in(self, folder, name, fullname):
        """Returns the module in one folder, as `name/__init__.py` or `name.py`; None if there is none."""
        package = os.path.join(folder, name, "__init__.py")
        plain = os.path.join(folder, name + ".py")
        for path, inside in ((package, [os.path.join(folder, name)]), (plain, None)):
            if os.path.isfile(path):
                self.loaded.add(fullname)
                loader = Loader(path, self.compile_module)
                return importlib.util.spec_from_file_location(
                    fullname, path, loader=loader, submodule_search_locations=inside)
        return None

    def invalidate_caches(self):
        """Does nothing: there are no caches."""

    def install(self):
        """Makes this the first finder."""
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)
        return self

    def uninstall(self):
        """Removes the finder and the modules it found, so that the next behavior gets its own."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        for name in self.loaded:
            if getattr(sys.modules.get(name), "__py2_script__", False):
                del sys.modules[name]
        self.loaded.clear()
        self.hidden.clear()


def own_module(name):
    """Returns what Finder.hides returns."""
    if name in LIBRARY:
        for finder in sys.meta_path:
            if isinstance(finder, Finder):
                return finder.hides(name)
    return None


def python3_builtins():
    """Creates a module like `builtins` whose `__import__` finds the scripts' own modules first."""
    def import_(name, globals=None, locals=None, fromlist=(), level=0):
        own = own_module(name) if level == 0 else None
        return builtins.__import__(name, globals, locals, fromlist, level) if own is None else own

    import_.__name__ = "__import__"
    module = types.ModuleType("builtins", builtins.__doc__)
    module.__dict__.update(builtins.__dict__)
    module.__dict__["__import__"] = import_
    return module


def script_import(script_builtins):
    """Returns the `__import__` of scripts."""
    absolute = importlib.import_module("__future__").absolute_import
    views = py2modules.Views(script_builtins)

    def owned(fullname):
        return any(isinstance(f, Finder) and f.find_spec(fullname) is not None for f in sys.meta_path)

    def beside(name, space):
        """Returns the full name of a module in the same package as the importing one, where Python 2 looks first."""
        package = space.get("__package__") if space else None
        if not package or space.get("absolute_import") is absolute:
            return None
        first = name.partition(".")[0]
        path = getattr(sys.modules.get(package), "__path__", None)
        full = package + "." + first
        if full in sys.modules:
            return package + "." + name
        for finder in sys.meta_path:
            if isinstance(finder, Finder) and path is not None and finder.find_spec(full, path):
                return package + "." + name
        return None

    def import_(name, globals=None, locals=None, fromlist=(), level=0):
        if level > 0:
            return builtins.__import__(name, globals, locals, fromlist, level)
        local = beside(name, globals)
        if local is not None:
            module = builtins.__import__(local, globals, locals, fromlist or ("*",), 0)
            # Without names to import, `import b.c` binds `b`.
            return module if fromlist else sys.modules[globals["__package__"] + "." + name.partition(".")[0]]
        own = own_module(name)
        if own is not None:
            return own
        if views.knows(name):
            top = name.partition(".")[0]
            own = getattr(sys.modules.get(top), "__py2_script__", False)
            # Imports in functions are frequent, so the folders are searched only the first time.
            if not own and (top in views.made or not owned(top)):
                return views.load(name, fromlist)
        return builtins.__import__(name, globals, locals, fromlist, 0)

    import_.__name__ = "__import__"
    return import_


def builtins_module(names):
    """Creates a module like `builtins` with other names; scripts import it as `__builtin__`."""
    module = types.ModuleType("__builtin__", builtins.__doc__)
    module.__dict__.update(builtins.__dict__)
    module.__dict__.update(names)
    module.__dict__["__name__"] = "__builtin__"
    module.__dict__["__import__"] = script_import(module)
    return module
