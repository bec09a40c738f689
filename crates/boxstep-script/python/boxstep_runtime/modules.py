"""The modules that scripts can import (qi, naoqi, almath and others), and the names in a script's namespace."""
import os
import sys
import types
import warnings

from . import box, legacy, naoqi_module, proxies, py2, qi_module, state

# Modules that are used only if nothing of the name is found beside the behavior or installed. A script's own
# `motion.py` comes first.
_SPARE = ("motion", "vision_definitions", "allog", "almath", "object_factory")
# The name of the user's robot file as a module, which does not belong to a script.
ROBOT = "boxstep_robot"
_OF_NAOQI = ("os", "sys", "weakref", "logging", "motion", "allog")
# The names in a script's namespace, by dialect.
_names = {2: {}, 3: {}}
_folders = []
# At most one finder, which searches those folders in their order.
_finders = []


def install():
    """Called once at the beginning of a run."""
    own, naoqi = qi_module.modules(), naoqi_module.modules()
    if state.options.get("as_written"):
        from boxstep import written
        naoqi = written.modules(own)
    if state.options.get("installed_qi"):
        own = {"qi": _installed_qi(own)}
    _import_in(naoqi)
    for made in (naoqi, own, legacy.modules(box.BoxBase)):
        sys.modules.update(made)
    if not any(isinstance(finder, SpareFinder) for finder in sys.meta_path):
        sys.meta_path.append(SpareFinder())
    for names in _names.values():
        names.clear()
    del _folders[:]
    while _finders:
        _finders.pop().uninstall()
    py2.install(state.bridge.rewrite)
    if _default() == 2:
        _take_no_advice()


def _import_in(found):
    """Gives `naoqi` the modules that it imports, which `from naoqi import *` brings; it is a layer above `inaoqi`."""
    naoqi = found["inaoqi"] = found["naoqi"]

    def import_(name):
        if _default() == 2:
            builtins = py2.script_globals().get("__builtins__", __builtins__)
            return getattr(builtins, "__import__", __import__)(name)
        return __import__(name)
    for name in _OF_NAOQI:
        setattr(naoqi, name, LazyModule(name, import_))
    naoqi.inaoqi = naoqi
    naoqi.__all__ = list(naoqi.__all__) + list(_OF_NAOQI) + ["inaoqi"]


def _take_no_advice():
    """Suppresses deprecation warnings, of which scripts for Python 2 cause many; `-W` enables them."""
    if not sys.warnoptions:
        warnings.simplefilter("ignore", DeprecationWarning)


def _default():
    """Returns the dialect of scripts whose first line names none."""
    return state.options.get("dialect", 2)


class Refused(Exception):
    """The run cannot start because of something that the user can correct."""


def _installed_qi(own):
    """Imports the installed package, after removing the modules that an earlier run in this process has left."""
    for name in own:
        if getattr(sys.modules.get(name), "_boxstep", False):
            del sys.modules[name]
    try:
        found = __import__("qi")
    except ImportError as error:
        raise Refused("the installed package `qi` is asked for (--qi or boxstep.toml), and %s cannot import it: %s. "
                      "Install it for that Python, or take Boxstep's own with --qi own." % (sys.executable, error))
    if hasattr(found, "runAsync") and not hasattr(found, "async"):
        # A keyword in Python 3; scripts for robots use this name.
        setattr(found, "async", found.runAsync)
    state.bridge.not_deterministic("scripts use the installed package `qi`, which keeps its own time and threads")
    return found


def import_from(folder, relative):
    """Adds a behavior's folder, its application's folder, and that one's lib folders to those of the scripts' own
    modules."""
    if not folder or folder in _folders:
        return
    _leave_gone()
    _add_folder(folder)
    relative = relative.strip("/")
    if relative and relative != "." and folder.endswith("/" + relative):
        folder = folder[:-len(relative) - 1]
        _add_folder(folder)
    for library in (folder + "/lib", folder + "/lib/python"):
        if os.path.isdir(library):
            _add_folder(library)


def _add_folder(folder):
    if folder in _folders:
        return
    _folders.append(folder)
    if _finders:
        _finders[0].add(folder)
    else:
        _finders.append(py2.install_imports([folder], state.bridge.rewrite, _default))


def _leave_gone():
    """Removes folders that do not exist any more, and their modules: a package that was sent to a robot has been
    replaced."""
    gone = [folder for folder in _folders if not os.path.isdir(folder)]
    if not gone:
        return
    for name in loaded_from(gone):
        del sys.modules[name]
    for folder in gone:
        _folders.remove(folder)
        for finder in _finders:
            finder.leave(folder)


def loaded_from(folders):
    """Returns the modules from files in these folders: name -> file."""
    within = tuple(os.path.join(os.path.realpath(folder), "") for folder in folders)
    found = {}
    for name, module in list(sys.modules.items()):
        # Without getattr, because some modules import another one on any attribute access.
        file = getattr(module, "__dict__", {}).get("__file__")
        if not isinstance(file, str):
            continue
        file = os.path.realpath(file[:-1] if file.endswith((".pyc", ".pyo")) else file)
        if file.startswith(within) and name not in ("__main__", ROBOT):
            found[name] = file
    return found


def dialect_of(text):
    """Returns the Python version (2 or 3) that a script is written in."""
    return py2.dialect_of(text, _default())


def compile_script(text, filename):
    """Compiles a script in the Python version that it is written in."""
    if dialect_of(text) == 3:
        return py2.compile_python3(text, filename)
    return py2.compile_script(text, filename, state.bridge.rewrite)


def compile_module(file):
    """Compiles a module's file to check it. Raises SyntaxError, ValueError, or an error of reading the file."""
    if sys.version_info[0] > 2:
        from . import py2imports
        return compile_script(py2imports.read_source(file), file)
    with open(file, "rb") as source:
        return compile(source.read().replace(b"\r\n", b"\n"), file, "exec", 0, True)


def folders():
    """Returns the folders of the scripts' own modules."""
    return list(_folders)


def script_globals(dialect):
    """Creates a namespace for a script of that dialect."""
    if dialect == 2:
        space = py2.script_globals()
    else:
        space = {"__builtins__": __builtins__, "__name__": "__main__", "__doc__": None}
    names = _names[dialect]
    if not names:
        names.update(_leaked(space.get("__builtins__", __builtins__)))
    space.update(names)
    return space


def _leaked(builtins):
    """Returns the names that `from naoqi import *` leaves in every script: proxies, classes, and the modules that naoqi
    imports."""
    import_ = builtins["__import__"] if isinstance(builtins, dict) else builtins.__import__
    found = {}
    for name in ("os", "sys", "time", "math"):
        found[name] = import_(name)
    for name in ("ctypes", "weakref", "logging", "inspect", "motion", "allog"):
        found[name] = LazyModule(name, import_)
    naoqi = sys.modules["naoqi"]
    found.update(qi=sys.modules["qi"], naoqi=naoqi)
    for name in naoqi_module.EXPORTS:
        found[name] = getattr(naoqi, name)
    for name in naoqi_module.DEFAULT_PROXIES:
        found[name] = proxies.DefaultProxy(name)
    return found


class LazyModule(types.ModuleType):
    """A module that is imported on first use, because few scripts use the large ones."""

    def __init__(self, name, import_):
        types.ModuleType.__init__(self, name)
        self.__dict__["_boxstep_import"] = import_

    def __getattr__(self, name):
        if name.startswith("__") and name not in ("__file__", "__path__", "__version__", "__all__"):
            raise AttributeError(name)
        return getattr(self.__dict__["_boxstep_import"](self.__name__), name)

    def __setattr__(self, name, value):
        setattr(self.__dict__["_boxstep_import"](self.__name__), name, value)


class SpareFinder(object):
    """Finds replacements of modules that come with a robot, after all other finders."""

    def find_spec(self, name, path=None, target=None):
        if name not in _SPARE:
            return None
        from importlib.machinery import ModuleSpec
        return ModuleSpec(name, self, origin="<boxstep>")

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__dict__.update(_spare_names(module.__name__))

    # Python 2

    def find_module(self, name, path=None):
        return self if name in _SPARE else None

    def load_module(self, name):
        module = sys.modules.setdefault(name, types.ModuleType(name))
        self.exec_module(module)
        return module


def _spare_names(name):
    if name == "almath":
        from . import almath as source
    elif name == "motion":
        from . import motion_constants as source
    elif name == "object_factory":
        from boxstep.qicore import ObjectFactory
        return {"ObjectFactory": ObjectFactory}
    elif name == "vision_definitions":
        from . import vision_constants as source
    else:
        from . import qi_logging as source
    names = getattr(source, "__all__", None) or [name for name in source.__dict__ if not name.startswith("__")]
    return dict((name, getattr(source, name)) for name in names)
