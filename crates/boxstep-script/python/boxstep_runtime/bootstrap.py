"""The first thing that runs: the shims before any other import, then the runtime, from memory.

The host runs this text by itself and calls `start`; it is not imported.
"""
import sys


class MemoryImporter(object):
    """Finds this package in the host, never on disk: another version that is installed must not mix in."""

    def __init__(self, sources):
        self.sources = sources

    def find_spec(self, name, path=None, target=None):
        from importlib.machinery import ModuleSpec
        package = name + ".__init__"
        if package in self.sources:
            return ModuleSpec(name, self, origin=package, is_package=True)
        if name in self.sources:
            return ModuleSpec(name, self, origin=name)
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = module.__spec__.name
        exec(compile(self.get_source(name), "<%s>" % name, "exec"), module.__dict__)

    def get_source(self, name):
        return self.sources.get(name + ".__init__") or self.sources.get(name)


def start(door, options, sources, host="boxstep_runtime.host"):
    """Puts the shims under everything, then sets the runtime up. Returns the module that answers the engine."""
    if not any(type(finder).__name__ == "MemoryImporter" for finder in sys.meta_path):
        sys.meta_path.insert(0, MemoryImporter(sources))
    from boxstep_runtime import shims
    shims.install(door, options)
    __import__(host)
    module = sys.modules[host]
    shims.use_host(module)
    module.setup(door, options)
    return module
