"""Connects Python code that waits, reads the time or starts threads to the engine.

Two native lock types are the basis of `threading`, `queue` and `concurrent.futures`, which remain the standard
library's own. `docs/reference/blocking.md` lists each primitive with its test. Both clocks use the same shims, so that a stop
can also end a script that waits in `Event.wait()`; shims that are specific to virtual time say so.
"""
import sys

from boxstep_runtime import shim_clock, shim_outside, shim_process, shim_threads

_installed = []


def install(bridge, options):
    """Called once per process, before any import that creates locks; a later run only updates the options."""
    if not _installed:
        importer = AfterImport()
        sys.meta_path.insert(0, importer)
        _installed.append(importer)
        originals = shim_threads.install(bridge, importer)
        originals.update(shim_clock.install(bridge, options, importer))
        _rebind(originals)
        shim_threads.adopt_preloaded()
    shim_clock.start_run(options)
    shim_outside.install(bridge, options, _installed[0])
    shim_process.install(bridge, options)


def use_host(host):
    """Sets the module that registers the functions of tasks and describes exceptions."""
    shim_threads.use_host(host)


class AfterImport(object):
    """Changes modules of the standard library as soon as they are loaded: immediately, or when a script imports them."""

    def __init__(self):
        self.changes = {}
        self.loading = set()

    def add(self, name, change):
        """Calls `change(module)` once, after the module has been loaded."""
        if name in sys.modules:
            change(sys.modules[name])
        else:
            self.changes.setdefault(name, []).append(change)

    def find_spec(self, name, path=None, target=None):
        if name not in self.changes:
            return None
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                if spec.loader is not None and hasattr(spec.loader, "exec_module"):
                    spec.loader = _Changing(spec.loader, self.changes.pop(name))
                return spec
        return None

    # Python 2

    def find_module(self, name, path=None):
        # While the module is loading, the later finders handle it.
        return self if name in self.changes and name not in self.loading else None

    def load_module(self, name):
        self.loading.add(name)
        try:
            __import__(name)
        finally:
            self.loading.discard(name)
        module = sys.modules[name]
        for change in self.changes.pop(name, ()):
            change(module)
        return module


class _Changing(object):
    """A loader that applies the changes after it has loaded the module."""

    def __init__(self, loader, changes):
        self._loader = loader
        self._changes = changes

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__loader__ = module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        for change in self._changes:
            change(module)


def _rebind(originals):
    """Replaces names that earlier modules have imported: `from time import sleep`, `threading._allocate_lock`."""
    own = ("boxstep_runtime", "boxstep")
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in own or not isinstance(module, type(sys)):
            continue
        for key, value in list(module.__dict__.items()):
            try:
                replacement = originals.get(value)
            except TypeError:
                continue
            if replacement is not None:
                setattr(module, key, replacement)
