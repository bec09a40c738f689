"""The first code that runs: installs the shims before any other import, then loads the runtime from memory.

The host executes this text and calls `start`; it is not imported.
"""
from __future__ import absolute_import

import sys


class MemoryImporter(object):
    """Finds this package and `boxstep` in the host's memory and never on disk, so that no other installed version mixes
    in."""

    def __init__(self, sources):
        self.sources = sources

    def find_spec(self, name, path=None, target=None):
        package = name + ".__init__"
        if name not in self.sources and package not in self.sources:
            return None
        from importlib.machinery import ModuleSpec  # imported with the help of this finder, if it is not loaded yet
        if package in self.sources:
            return ModuleSpec(name, self, origin=package, is_package=True)
        return ModuleSpec(name, self, origin=name)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = module.__spec__.name
        exec(compile(self.get_source(name), "<%s>" % name, "exec"), module.__dict__)

    def get_source(self, name):
        return self.sources.get(name + ".__init__") or self.sources.get(name)

    # Python 2

    def find_module(self, name, path=None):
        if name.partition(".")[0] == "boxstep":
            return None  # The package `boxstep` requires Python 3.
        return self if name in self.sources or name + ".__init__" in self.sources else None

    def load_module(self, name):
        module = type(sys)(name)
        module.__file__ = "<%s>" % name
        module.__loader__ = self
        if name + ".__init__" in self.sources:
            module.__path__ = []
            module.__package__ = name
        else:
            module.__package__ = name.rpartition(".")[0]
        sys.modules[name] = module
        try:
            # As bytes: Python 2 refuses a text with a coding line.
            text = self.get_source(name)
            text = text if isinstance(text, str) else text.encode("utf-8")
            exec(compile(text, module.__file__, "exec", 0, True), module.__dict__)
        except BaseException:
            sys.modules.pop(name, None)
            raise
        return module


def start(bridge, options, sources, host="boxstep_runtime.host"):
    """Installs the shims, then sets the runtime up. Returns the module that handles the engine's orders."""
    if not any(type(finder).__name__ == "MemoryImporter" for finder in sys.meta_path):
        sys.meta_path.insert(0, MemoryImporter(sources))
    from boxstep_runtime import shims
    shims.install(bridge, options)
    __import__(host)
    module = sys.modules[host]
    shims.use_host(module)
    module.setup(bridge, options)
    return module
