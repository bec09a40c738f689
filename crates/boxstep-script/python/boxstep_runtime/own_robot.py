"""A robot of one's own: a Python file whose classes are services (`--robot FILE.py`, docs/own-robots.md).

The engine asks for a method by calling the function number 0, which is `call`. It answers with how it went and what came
of it: ["value", value], ["missing", None], or ["error", text]; `call` never raises, but for the stop of the run.
"""
import linecache
import os
import sys
import threading
import types

from . import calling, frames, futures, modules, proxies, signals, state

# The number under which the engine knows this robot.
NUMBER = 0

# What is the engine's, whatever the robot.
_RESERVED = ("ALBehaviorManager", "ALBoxstep", "ALFrameManager", "ALMemory", "ALResourceManager", "ServiceDirectory")
# Python 2 has two kinds of classes.
_CLASSES = (type, getattr(types, "ClassType", type))
_TEXT = (str, type(u""))

# name -> _Own, and the names in order.
_services = {}
_order = []


def setup(path):
    """Reads the file, tells the engine what is in it, and has its objects made when the run begins.

    Raises Refused if there is no robot in it.
    """
    _services.clear()
    name = os.path.basename(path)
    try:
        space = _loaded(path, name)
    except (Exception, SystemExit) as error:
        raise modules.Refused(_told(error, name))
    classes = _classes(space, name)
    simulate = _simulate(space, name)
    _order[:] = sorted(classes)
    for service in _order:
        _services[service] = _Own(service, classes[service], name)
    halting = [service for service in _order if hasattr(classes[service], "halt")]
    state.keep(NUMBER, call)
    state.bridge.post(-1, 0, "ALBoxstep", "robotIs",
                    [{"services": list(_order), "halting": halting, "simulate": simulate}])
    state.bridge.spawn(state.new_callback(_begin))


def _loaded(path, name):
    """The namespace of the file, run as the module that it is: in the Python that runs scripts, whichever that is."""
    with open(path, "rb") as source:
        text = source.read()
    # Tracebacks show the file's own lines, and its name is the same on every machine.
    lines = text.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    linecache.cache[name] = (len(text), None, [line + "\n" for line in lines], name)
    code = compile(text.replace(b"\r\n", b"\n"), name, "exec", 0, True)
    module = types.ModuleType(modules.ROBOT)
    module.__file__ = path
    # Some of the standard library looks a class's module up.
    sys.modules[modules.ROBOT] = module
    # What lies beside it is found, but only now: scripts look for their modules in an order of their own.
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    try:
        exec(code, module.__dict__)
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
    return module.__dict__


def _classes(space, name):
    """The services of the file: service -> class."""
    named = space.get("SERVICES")
    if named is None:
        found = dict((key, value) for key, value in space.items() if _is_service(key, value))
    else:
        found = {}
        for key in named if isinstance(named, (list, tuple)) else [named]:
            if not isinstance(key, _TEXT) or not isinstance(space.get(key), _CLASSES):
                raise modules.Refused("%s: SERVICES is a list of names of classes of this file, and %r is none" % (name, key))
            found[str(key)] = space[key]
    for key in sorted(found):
        if key in _RESERVED:
            raise modules.Refused("%s: %s is Boxstep's own on every robot: give the class another name" % (name, key))
    if not found:
        raise modules.Refused("%s has no service: each public class that it defines is one" % name)
    return found


def _is_service(key, value):
    """A public class that the file itself defines, and that is no exception."""
    if key.startswith("_") or not isinstance(value, _CLASSES) or value.__module__ != modules.ROBOT:
        return False
    return not issubclass(value, BaseException)


def _simulate(space, name):
    """What is left to the simulation: True, False, or a list of services."""
    wish = space.get("SIMULATE", False)
    if isinstance(wish, bool):
        return wish
    if isinstance(wish, (list, tuple)) and all(isinstance(service, _TEXT) for service in wish):
        return list(wish)
    raise modules.Refused("%s: SIMULATE is True, False, or a list of names of services" % name)


def _begin():
    """Makes the objects. One that cannot be made is a robot that is not there."""
    for service in list(_order):
        try:
            _services[service].object()
        except _NotMade as error:
            state.bridge.post(-1, 0, "ALBoxstep", "robotFails", ["%s: %s" % (service, error)])
            return


def call(service, method, args):
    """Runs a method of the file."""
    own = _services.get(service)
    if own is None:
        return ["missing", None]
    try:
        return own.call(method, args)
    except state.bridge.Stopped:
        raise
    except _NotMade as error:
        return ["error", str(error)]
    except BaseException as error:
        return ["error", _told(error, own.file, getattr(own.kind, method, None))]


class _NotMade(Exception):
    """A service whose object could not be made; why."""


class _Own(object):
    """A service of the file."""

    def __init__(self, name, kind, file):
        self.name = name
        self.kind = kind
        self.file = file
        self._lock = threading.Lock()
        self._made = None
        self._why = None

    def object(self):
        """The one object of the class. Whoever needs it first makes it, and others wait."""
        with self._lock:
            if self._made is None and self._why is None:
                try:
                    self._made = self._make()
                except state.bridge.Stopped:
                    raise
                except BaseException as error:
                    self._why = _told(error, self.file, getattr(self.kind, "__init__", None))
            if self._made is None:
                raise _NotMade(self._why)
            return self._made

    def _make(self):
        made = type(self.kind.__name__, (self.kind, _Robot), {"__module__": modules.ROBOT})()
        for name, signal in _signals(made):
            signal.connect(_Emitter(self.name, name))
        return made

    def call(self, method, args):
        if method == "_halt":
            # What is not made, or is being made, moves nothing yet.
            return ["value", None if self._made is None else calling.up_to(self._made.halt, args)]
        made = self.object()
        if method == "_cancel":
            cancel = getattr(made, "cancel", None)
            return ["value", None if cancel is None else calling.up_to(cancel, args)]
        if method == "_listen":
            return ["value", None] if args[0] in dict(_signals(made)) else ["missing", None]
        found = getattr(made, method, None)
        if found is None and method in ("property", "setProperty"):
            return self._property(made, method, args)
        if not callable(found):
            return ["missing", None]
        value = found(*args)
        # As on a robot: whoever calls wants what comes of it.
        return ["value", value.value() if isinstance(value, futures.Future) else value]

    def _property(self, made, method, args):
        found = dict(_signals(made)).get(args[0] if args else None)
        if not isinstance(found, signals.Property):
            return ["missing", None]
        if method == "property":
            return ["value", found.value()]
        found.setValue(*args[1:])
        return ["value", None]


class _Robot(object):
    """What the classes of the file find on `self`, unless they have it themselves."""

    def raiseEvent(self, key, value=None):
        """Raises a memory event, as `ALMemory.raiseEvent` does."""
        proxies.Service("ALMemory").raiseEvent(key, value)


class _Emitter(object):
    """Tells whoever is connected to a signal of the service."""

    def __init__(self, service, signal):
        self._service = service
        self._signal = signal

    def __call__(self, *args):
        state.bridge.post(-1, 0, "ALBoxstep", "emitted", [self._service, self._signal, list(args)])


def _signals(made):
    """The `qi.Signal` and `qi.Property` attributes of an object, by name."""
    found = {}
    for space in [kind.__dict__ for kind in reversed(type(made).__mro__)] + [getattr(made, "__dict__", {})]:
        for name, value in space.items():
            if isinstance(value, signals.Signal) and not name.startswith("_"):
                found[name] = value
    return sorted(found.items())


def _told(error, file, function=None):
    """The exception in one line, with the innermost line of the robot's file; else that of the function it was asked for."""
    message = frames.text_of(error)
    line = None
    if isinstance(error, SyntaxError):
        message = error.msg or message
        line = error.lineno if error.filename == file else None
    trace = sys.exc_info()[2]
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__") == modules.ROBOT:
            line = trace.tb_lineno
        trace = trace.tb_next
    if line is None and function is not None:
        found = calling._code(function)
        if found is not None and found[0].co_filename == file:
            line = found[0].co_firstlineno
    kind = type(error).__name__
    text = "%s: %s" % (kind, message) if message else kind
    return "%s (%s)" % (text, file) if line is None else "%s (%s line %d)" % (text, file, line)
