"""Whose `qi`, `naoqi` and `almath` a program imports.

The package brings modules with the names of NAOqi's Python SDK: `naoqi`, `qi`, `almath`, `motion`, `vision_definitions`
and `allog`. They stand at the end of `sys.path`, so a module of the same name that is installed, or that lies beside the
program, comes first. To prefer Boxstep's:

    import boxstep.compat
    boxstep.compat.use()
    import qi
"""
from __future__ import annotations

import importlib.util
import os
import sys
from importlib.machinery import PathFinder

__all__ = ["FOLDER", "MODULES", "use"]

#: The folder of the modules; empty for a script of a run, which has them anyway.
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sdk") if "__file__" in globals() else ""
#: Their names.
MODULES = ("allog", "almath", "motion", "naoqi", "qi", "vision_definitions")

_preferred = False


def use() -> None:
    """Makes Boxstep's modules come before others of their names. Call it before they are imported: raises RuntimeError
    if a program has imported another one already. In a run, which has its own, it does nothing."""
    global _preferred
    if not FOLDER:
        return
    for name in MODULES:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is not None and not _is_ours(os.path.dirname(file)):
            raise RuntimeError("the module %s is imported already, from %s; call boxstep.compat.use() before" % (name, file))
    _preferred = True
    sys.path[:] = [FOLDER] + [folder for folder in sys.path if not _is_ours(folder)]


def _is_ours(folder: str) -> bool:
    return os.path.realpath(folder).startswith(os.path.realpath(FOLDER))


def _give_way(name: str, file: str) -> bool:
    """Called by Boxstep's module in a file: imports an installed module of the name in its place, if there is one; returns
    whether there was. Folders of the user come before those of the system, so `sys.path` alone does not decide."""
    if _preferred:
        return False
    own = os.path.realpath(os.path.dirname(file))
    places = [folder for folder in sys.path if os.path.realpath(folder) not in (own, os.path.dirname(own))]
    spec = PathFinder.find_spec(name, places)
    if spec is None or spec.loader is None:
        return False
    module = importlib.util.module_from_spec(spec)
    # What the import statement returns is what is found here when the module has run.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return True
