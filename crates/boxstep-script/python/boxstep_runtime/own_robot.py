"""A robot defined by the user: a Python file whose classes are services (`--robot FILE.py`, docs/guides/own-robots.md).

The engine calls methods through the function number 0, which is `call`. The reply is the outcome and its value:
["value", value], ["missing", None], or ["error", text]; `call` raises nothing but the stop of the run.
"""
import linecache
import os
import sys
import threading
import types

from . import calling, frames, futures, modules, proxies, signals, state

# The number under which the engine knows this robot.
NUMBER = 0

# Services that belong to the engine on every robot.
_RESERVED = ("ALBehaviorManager", "ALBoxstep", "ALFrameManager", "ALMemory", "ALResourceManager", "ServiceDirectory")
# Python 2 has two kinds of classes.
_CLASSES = (type, getattr(types, "ClassType", type))
_TEXT = (str, type(u""))

# The services by name, and their names in order.
_services = {}
_order = []


def setup(path):
    """Reads the file, tells the engine its services, and creates its objects when the run begins.

    Raises Refused if the file defines no robot.
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
    """Runs the file as a module, in the Python that runs scripts, and returns its namespace."""
    with open(path, "rb") as source:
        text = source.read()
    # Tracebacks show the lines of the file, under a name that is the same on every machine.
    lines = text.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    linecache.cache[name] = (len(text), None, [line + "\n" for line in lines], name)
    code = compile(text.replace(b"\r\n", b"\n"), name, "exec", 0, True)
    module = types.ModuleType(modules.ROBOT)
    module.__file__ = path
    # Parts of the standard library look up the module of a class.
    sys.modules[modules.ROBOT] = module
    # Modules beside the file are found only during its import: scripts have a search order of their own.
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    try:
        exec(code, module.__dict__)
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
    return module.__dict__


def _classes(space, name):
    """Returns the services of the file: name -> class."""
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
    """Whether a value is a public class that the file itself defines, other than an exception."""
    if key.startswith("_") or not isinstance(value, _CLASSES) or value.__module__ != modules.ROBOT:
        return False
    return not issubclass(value, BaseException)


def _simulate(space, name):
    """Returns which services remain simulated: True, False, or a list of names."""
    wish = space.get("SIMULATE", False)
    if isinstance(wish, bool):
        return wish
    if isinstance(wish, (list, tuple)) and all(isinstance(service, _TEXT) for service in wish):
        return list(wish)
    raise modules.Refused("%s: SIMULATE is True, False, or a list of names of services" % name)


def _begin():
    """Creates the objects. If one cannot be created, the robot is reported as missing."""
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
    """A service's object could not be created; the text says why."""


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
        """Returns the only object of the class. The first caller creates it, and concurrent callers wait."""
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
        signals.offer(self.name, made)
        return made

    def call(self, method, args):
        if method == "_halt":
            # An object that does not exist yet has not moved anything.
            return ["value", None if self._made is None else calling.up_to(self._made.halt, args)]
        made = self.object()
        if method == "_cancel":
            cancel = getattr(made, "cancel", None)
            return ["value", None if cancel is None else calling.up_to(cancel, args)]
        if method == "_listen":
            return ["value", None] if args[0] in dict(signals.of_object(made)) else ["missing", None]
        found = getattr(made, method, None)
        if found is None and method in signals.OF_PROPERTIES:
            return signals.call_property(made, method, args)
        if not callable(found):
            return ["missing", None]
        value = found(*args)
        # As on a robot, the caller gets the future's value.
        return ["value", value.value() if isinstance(value, futures.Future) else value]


class _Robot(object):
    """Methods that the classes of the file have in addition, unless they define their own."""

    def raiseEvent(self, key, value=None):
        """Raises a memory event, as `ALMemory.raiseEvent` does."""
        proxies.Service("ALMemory").raiseEvent(key, value)


def _told(error, file, function=None):
    """Describes the exception in one line, with the innermost line of the robot's file, or else with that of the
    function that was called."""
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
