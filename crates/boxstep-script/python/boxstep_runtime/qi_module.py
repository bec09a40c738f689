"""Boxstep's implementation of the module `qi`, which takes precedence over an installed one."""
import threading
import time
import types

from . import futures, periodic, qi_logging, qi_path, session, signals, state

NAMES = {
    "async": futures.run_async,  # a keyword of Python 3, and the name in every stock script
    "runAsync": futures.run_async,
    "Future": futures.Future,
    "Promise": futures.Promise,
    "FutureState": futures.FutureState,
    "FutureTimeout": futures.FutureTimeout,
    "futureBarrier": futures.barrier,
    "PeriodicTask": periodic.PeriodicTask,
    "Session": session.Session,
    "Signal": signals.Signal,
    "Property": signals.Property,
    "Logger": qi_logging.Logger,
    "getLogger": qi_logging.getLogger,
}
for _name in ("fatal", "error", "warning", "info", "verbose", "debug", "logFatal", "logError", "logWarning", "logInfo",
              "logVerbose", "logDebug"):
    NAMES[_name] = getattr(qi_logging, _name)


def named(function):
    NAMES[function.__name__] = function
    return function


# -- applications ---------------------------------------------------------------------------------------------------


@named
class Application(object):
    """`qi.Application`: on a robot a program of its own; in a behavior only its session is used."""

    def __init__(self, args=None, raw=False, autoExit=True, url=""):
        self.session = session.the_session()
        self._stopped = threading.Event()
        self._at_stop = []

    def start(self):
        """Accepted: the behavior is running."""

    def run(self):
        """Waits until stop() is called."""
        self._stopped.wait()

    def stop(self):
        for function in self._at_stop:
            futures.call_reporting(function)
        self._stopped.set()

    def atRun(self, function):
        futures.later(function)

    def atStop(self, function):
        self._at_stop.append(function)

    def url(self):
        return self.session.url()


@named
class ApplicationSession(Application):
    """`qi.ApplicationSession`"""


# -- clocks: nanoseconds --------------------------------------------------------------------------------------------


@named
def clockNow():
    return state.bridge.now()


@named
def steadyClockNow():
    return state.bridge.now()


@named
def systemClockNow():
    return int(time.time() * 1e9)


# -- metadata of a service's methods, stored for introspection
# ---------------------------------------------------------


@named
def nobind(function):
    """Hides a method from other programs, which do not exist here."""
    function.__qi_signature__ = "DONOTBIND"
    return function


@named
class bind(object):
    """Declares the types of a method."""

    def __init__(self, returnType=None, paramsType=None, methodName=None):
        self.returnType = returnType
        self.paramsType = paramsType
        self.methodName = methodName

    def __call__(self, function):
        function.__qi_name__ = self.methodName or getattr(function, "__name__", "")
        function.__qi_return_signature__ = self.returnType
        function.__qi_signature__ = self.paramsType
        return function


@named
class singleThreaded(object):
    """Declares that calls of an object do not overlap, which is always the case for box scripts."""

    def __new__(cls, *target):
        return target[0] if target else (lambda kind: kind)


@named
class multiThreaded(singleThreaded):
    """Declares that calls of an object may overlap."""


class Type(object):
    """A type with its signature."""

    def __init__(self, signature):
        self.signature = signature

    def __call__(self, *args):
        return self

    def __str__(self):
        return self.signature

    __repr__ = __str__

    def __eq__(self, other):
        return str(self) == str(other)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self.signature)


for _name, _signature in (
        ("Void", "v"), ("Bool", "b"), ("Int8", "c"), ("UInt8", "C"), ("Int16", "w"), ("UInt16", "W"), ("Int32", "i"),
        ("UInt32", "I"), ("Int64", "l"), ("UInt64", "L"), ("Float", "f"), ("Double", "d"), ("String", "s"),
        ("Dynamic", "m"), ("Object", "o"), ("Buffer", "r"), ("AnyArguments", "(m)"), ("Unknown", "X")):
    NAMES[_name] = Type(_signature)


@named
def List(element):
    return Type("[%s]" % element)


@named
def Map(key, element):
    return Type("{%s%s}" % (key, element))


@named
def Struct(fields):
    return Type("(%s)" % "".join(str(field) for field in fields))


@named
def typeof(value):
    """Returns the type of a value."""
    return NAMES["Dynamic"]


def modules():
    """Returns the modules to install: `qi`, `qi.logging`, `qi.path`."""
    made = {}
    for name, names in (("qi", NAMES), ("qi.logging", qi_logging.__dict__), ("qi.path", qi_path.__dict__)):
        module = made[name] = types.ModuleType(name)
        module.__dict__.update((key, value) for key, value in names.items() if not key.startswith("__"))
        module._boxstep = True
    qi = made["qi"]
    qi.__path__ = []  # so that `import qi.path` works
    qi.__version__ = "2.8"
    qi.logging = made["qi.logging"]
    # `qi.path` is a module, and `qi.path.findData` its function.
    qi.path = made["qi.path"]
    return made
