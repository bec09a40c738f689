"""What the modules `qi` and `naoqi` are made of outside of a run: sessions with robots over the qi protocol.

The classes for futures, signals, properties and tasks are those that box scripts have, from the package
`boxstep_runtime`, which is embedded in the native module. They call a bridge: in a run that is the engine, here it is
`Bridge`, which calls robots.
"""
from __future__ import annotations

import atexit
import itertools
import sys
import threading
import time
import weakref
from typing import Any, Callable, Iterator, Sequence

from boxstep import boxstep_native as native
from boxstep import runtime
from boxstep.tasks import Strand, Tasks

runtime.load()

from boxstep_runtime import futures, proxies, signals, state  # type: ignore[import-not-found]  # noqa: E402

#: Where a robot is if nothing says it.
DEFAULT_URL = "tcp://127.0.0.1:9559"


class Handle(str):
    """The name of a service, with the robot's object. Services of two robots differ though their names are equal."""

    target: Any

    def __new__(cls, name: str, target: Any) -> "Handle":
        made = str.__new__(cls, name)
        made.target = target
        return made

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other) is True and (not isinstance(other, Handle) or other.target is self.target)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


class Bridge:
    """What `boxstep_runtime` calls: see `boxstep_runtime.bridge`. Boxes, their numbers and lines do not exist here."""

    Lock = threading.Lock
    RLock = threading.RLock

    class Stopped(BaseException):
        """Never raised: a program ends by itself."""

    def __init__(self) -> None:
        self._tasks = Tasks()
        self._calls: "dict[int, Any]" = {}
        self._numbers = itertools.count(1)
        self._subscriptions: "dict[int, tuple[Any, int]]" = {}

    # Services

    def find_service(self, object: int, line: int, name: str) -> bool:
        return isinstance(name, Handle)

    def call(self, object: int, line: int, name: Handle, method: str, args: Sequence[Any]) -> Any:
        if method in ("property", "setProperty") and args:
            return self._property(name.target, method, args)
        return name.target.call(method, args)

    def _property(self, target: Any, method: str, args: Sequence[Any]) -> Any:
        methods, _, properties = target.members()
        if args[0] not in properties and any(member[0] == method for member in methods):
            return target.call(method, args)
        return target.property(args[0]) if method == "property" else target.set_property(args[0], args[1])

    def call_then(self, object: int, line: int, name: Handle, method: str, args: Sequence[Any], callback: int) -> int:
        number = next(self._numbers)

        def then(ok: bool, value: Any) -> None:
            self._calls.pop(number, None)
            state.callback(callback)(ok, value if ok or value is not None else "Future canceled.")

        # The answer may arrive before the call's entry is made.
        self._calls[number] = None
        call = name.target.start(method, args, then)
        if number in self._calls:
            self._calls[number] = call
        return number

    def stop_call(self, call: int) -> bool:
        """Asks the robot to cancel a call. The call's future changes when the robot answers."""
        running = self._calls.get(call)
        if running is not None:
            running.cancel()
        return False

    def subscribe(self, object: int, line: int, kind: str, a: Any, b: str, callback: int) -> int:
        number = next(self._numbers)
        # A function that takes its time, or waits for another signal, delays those of no other subscription.
        strand = Strand(self._tasks)

        def emitted(*args: Any) -> None:
            strand.put(lambda: _run(callback, *args))

        self._subscriptions[number] = (a.target, a.target.connect(b, emitted))
        return number

    def unsubscribe(self, subscription: int) -> bool:
        target, number = self._subscriptions.pop(subscription, (None, 0))
        return target is not None and target.disconnect(number)

    # Time and tasks

    def spawn(self, callback: int) -> None:
        self._tasks.put(lambda: _run(callback))

    def after(self, callback: int, delay: int, period: int | None = None) -> int:
        return self._tasks.at(time.monotonic() + delay / 1e9, lambda: _run(callback))

    def cancel_timer(self, timer: int) -> None:
        self._tasks.cancel(timer)

    def now(self) -> int:
        return time.monotonic_ns()

    def sleep(self, ns: int) -> None:
        time.sleep(ns / 1e9)

    def in_task(self) -> bool:
        return True

    def ident(self) -> int:
        return threading.get_ident()

    # Notices

    def log(self, object: int, line: int, level: str, text: str) -> None:
        sys.stderr.write("[%s] %.6f %d %s\n" % (level[:1].upper(), time.time(), threading.get_ident(), text))

    def uncaught(self, object: int, at: int, kind: str, message: str, line: int | None, traceback: str) -> None:
        sys.stderr.write(traceback or "%s: %s\n" % (kind, message))


def _run(callback: int, *args: Any) -> None:
    try:
        state.callback(callback)(*args)
    except BaseException as error:
        _report(error)


def _report(error: BaseException) -> None:
    from boxstep_runtime import frames
    frames.report(error)


# Inside a run the bridge is the engine's, and stays so.
if state.bridge is None:
    state.reset(Bridge(), {})


# -- objects ---------------------------------------------------------------------------------------------------------


class Service(proxies.Service):  # type: ignore[misc]
    """A service or another object of a robot: its methods, signals and properties are attributes."""

    # Tasks that `post` has started, and subscribers of ALMemory, are the robot's.
    _boxstep_own = proxies._CALLS

    def __init__(self, name: str, target: Any) -> None:
        proxies.Service.__init__(self, Handle(name, target))

    def _boxstep_members(self) -> "frozenset[str]":
        found = self.__dict__.get("_boxstep_known")
        if found is None:
            methods, emitted, properties = self._boxstep_name.target.members()
            found = frozenset([method[0] for method in methods] + emitted + properties)
            self.__dict__["_boxstep_known"] = found
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name.startswith("_boxstep_"):
            raise AttributeError(name)
        if name not in self._boxstep_members() and name not in _ALWAYS:
            raise AttributeError("%r has no method, signal or property %r" % (str(self._boxstep_name) or "object", name))
        return proxies.Member(self, name)

    def __dir__(self) -> "list[str]":
        return sorted(self._boxstep_members() | _ALWAYS | set(object.__dir__(self)))

    def _boxstep_post(self, name: str, args: Sequence[Any]) -> int:
        """Starts a task on the robot; returns its number for `wait`, `isRunning` and `stop`."""
        if name not in self._boxstep_members():
            raise RuntimeError("%s has no method %s" % (self._boxstep_name, name))
        return self._boxstep_name.target.call("pCall", [[name] + list(args)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Service) and self._boxstep_name.target.is_same(other._boxstep_name.target)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._boxstep_name)


#: What every service has besides its members.
_ALWAYS = frozenset(proxies._CALLS)


def _arrived(target: Any) -> Service:
    """Wraps an object that a robot has passed."""
    return Service("", target)


def _leaving(value: Any) -> Any:
    """Returns the native object for a Python object that is passed to a robot."""
    if isinstance(value, proxies.Service):
        return value._boxstep_name.target
    if isinstance(value, type) or type(value).__module__ == "builtins":
        raise TypeError("a %s cannot be sent to a robot" % type(value).__name__)
    return offered(value)


_offered: "weakref.WeakKeyDictionary[Any, Any]" = weakref.WeakKeyDictionary()


def offered(target: Any) -> Any:
    """Returns the native object through which robots and programs call a Python object."""
    try:
        found = _offered.get(target)
    except TypeError:  # cannot be hashed, or not be referenced weakly
        return _Offer(target).native
    if found is None:
        found = _offered[target] = _Offer(target).native
    return found


class _Offer:
    """Describes a Python object's methods, signals and properties, and answers calls."""

    def __init__(self, target: Any) -> None:
        own = signals.of_object(target)
        properties = [(name, signal) for name, signal in own if isinstance(signal, signals.Property)]
        emitted = [(name, signal) for name, signal in own if not isinstance(signal, signals.Property)]
        self._target = target
        self._being_set = threading.local()
        self.native = native.OfferedObject(
            list(_methods(target)),
            [(name, _arguments(signal.signature)) for name, signal in emitted],
            [(name, _type(signal.signature), signal.value()) for name, signal in properties],
            self._call, self._set, getattr(type(target), "__qi_threading__", "single") == "multi", _arrived, _leaving)
        for name, signal in emitted:
            signal.pass_on(self, self._passer(name))
        for name, signal in properties:
            signal.pass_on(self, self._setter(name))

    def _passer(self, name: str) -> Callable[..., None]:
        made = self.native
        return lambda *args: made.emit(name, args)

    def _setter(self, name: str) -> Callable[..., None]:
        made, being_set = self.native, self._being_set

        def changed(value: Any) -> None:
            # A value that a peer has set is stored by the native object itself.
            if getattr(being_set, "name", None) != name:
                made.set_property(name, value)
        return changed

    def _call(self, name: str, args: "list[Any]") -> Any:
        function = getattr(self._target, _names(self._target).get(name, name))
        value = function(*args)
        return value.value() if isinstance(value, futures.Future) else value

    def _set(self, name: str, args: "list[Any]") -> None:
        self._being_set.name = name
        try:
            dict(signals.of_object(self._target))[name].setValue(*args)
        finally:
            self._being_set.name = None


def _type(signature: Any) -> str:
    return str(signature) if signature else "m"


def _arguments(signature: Any) -> str:
    text = _type(signature)
    return text if text.startswith("(") else "(%s)" % text


def _names(target: Any) -> "dict[str, str]":
    """Returns the names of Python methods by the names under which they are offered."""
    return {offered_name: name for offered_name, name, _ in _public(target)}


def _public(target: Any) -> "Iterator[tuple[str, str, Any]]":
    from inspect import getmembers
    for name, function in getmembers(type(target), callable):
        bound = getattr(function, "__qi_signature__", None)
        if bound == "DONOTBIND" or name.startswith("_") or isinstance(function, type) or _is_of_base(target, name):
            continue
        yield getattr(function, "__qi_name__", None) or name, name, getattr(target, name)


def _is_of_base(target: Any, name: str) -> bool:
    """Whether a method belongs to a class of this package, such as ALModule."""
    for kind in type(target).__mro__:
        if name in kind.__dict__:
            return kind.__module__.partition(".")[0] in ("boxstep", "boxstep_runtime")
    return False


def _methods(target: Any) -> "Iterator[str]":
    """Describes the methods of an object as `name::(parameters)->answer`: one for each number of arguments it takes."""
    import inspect
    for name, _, function in _public(target):
        declared = getattr(function, "__qi_signature__", None)
        answer = _type(getattr(function, "__qi_return_signature__", None))
        if declared:
            members = declared if isinstance(declared, str) else "".join(str(each) for each in declared)
            yield "%s::%s->%s" % (name, members if members.startswith("(") else "(%s)" % members, answer)
            continue
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            continue
        if any(each.kind is each.VAR_POSITIONAL for each in parameters):
            yield "%s::m->%s" % (name, answer)
            continue
        positional = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
        needed = sum(each.default is each.empty for each in positional)
        for count in range(needed, len(positional) + 1):
            yield "%s::(%s)->%s" % (name, "m" * count, answer)


# -- sessions --------------------------------------------------------------------------------------------------------


_open: "weakref.WeakSet[Session]" = weakref.WeakSet()


class Session:
    """`qi.Session`: a connection to a robot."""

    def __init__(self, url: str | None = None) -> None:
        self._url = ""
        self._link: Any = None
        self._server: Any = None
        self._factory: Any = None
        self._services: "dict[str, Service]" = {}
        self._registered: "dict[int, Any]" = {}
        self._endpoints: "list[str]" = []
        self._listens = False
        self.connected = signals.Signal()
        self.disconnected = signals.Signal()
        self.serviceRegistered = signals.Signal(onConnect=lambda on: self._watch(on, "serviceAdded", self.serviceRegistered))
        self.serviceUnregistered = signals.Signal(
            onConnect=lambda on: self._watch(on, "serviceRemoved", self.serviceUnregistered))
        self._watched: "dict[str, int]" = {}
        if url:
            self.connect(url)

    def connect(self, url: str = DEFAULT_URL, _async: bool = False) -> Any:
        """Connects to a robot, such as `tcp://nao.local:9559`. Raises RuntimeError if that fails."""
        if _async:
            return futures.run_async(self.connect, url)
        if self.isConnected():
            raise RuntimeError("Session is already connected to %s." % self._url)
        user, password = self._credentials()
        link = native.Connection(url, _arrived, _leaving, user, password)
        self._url, self._link = url, link
        self._services.clear()
        _open.add(self)
        itself = weakref.ref(self)

        def over(why: str) -> None:
            session = itself()
            if session is not None and session._link is link:
                session.disconnected.trigger(why)
        link.on_close(over)
        for name, signal in (("serviceAdded", self.serviceRegistered), ("serviceRemoved", self.serviceUnregistered)):
            if signal.hasSubscribers():
                self._watch(True, name, signal)
        self.connected.trigger()

    def _credentials(self) -> "tuple[str | None, str | None]":
        if self._factory is None:
            return None, None
        told = self._factory.newAuthenticator().initialAuthData()
        return told.get("user"), told.get("token")

    def setClientAuthenticatorFactory(self, factory: Any) -> None:
        """Sets who answers when the robot asks for a user and a password, before `connect`: the factory's
        `newAuthenticator()` has a method `initialAuthData()`, which returns `{"user": …, "token": …}`."""
        self._factory = factory

    def _here(self) -> Any:
        if not self.isConnected():
            raise RuntimeError("Session not connected.")
        return self._link

    def isConnected(self) -> bool:
        return self._link is not None and self._link.is_connected()

    def url(self) -> str:
        return self._url

    def endpoints(self) -> "list[str]":
        return list(self._endpoints)

    def close(self, _async: bool = False) -> Any:
        """Ends the connection. Services that were registered are withdrawn."""
        link, self._link = self._link, None
        self._endpoints, self._listens = [], False
        self._services.clear()
        self._registered.clear()
        _open.discard(self)
        if link is not None:
            link.close()
            self.disconnected.trigger("closed")
        if self._server is not None:
            self._server.close()
            self._server = None
        return futures.Future(None) if _async else None

    def service(self, name: str, *_: Any, _async: bool = False) -> Any:
        """Returns a service of the robot. Raises RuntimeError if there is none of that name."""
        if _async:
            return futures.run_async(self.service, name)
        link = self._here()
        found = self._services.get(name)
        if found is None:
            try:
                found = Service(name, link.service(name))
            except RuntimeError as error:
                raise RuntimeError("Cannot find service '%s': %s" % (name, error)) from None
            self._services[name] = found
        return found

    def services(self, *_: Any, _async: bool = False) -> Any:
        """Returns the services as dictionaries: name, serviceId, machineId, processId, endpoints, sessionId."""
        return self.service("ServiceDirectory")._boxstep_call("services", (), {"_async": True} if _async else {})

    def waitForService(self, name: str, timeout: int = futures.INFINITE, _async: bool = False) -> Any:
        """Waits until a service is there, at most for some milliseconds; then raises RuntimeError."""
        if _async:
            return futures.run_async(self.waitForService, name, timeout)
        there = threading.Event()
        number = self.serviceRegistered.connect(lambda _, added: added == name and there.set())
        try:
            if all(each["name"] != name for each in self.services()):
                if not there.wait(None if timeout >= futures.INFINITE or timeout < 0 else timeout / 1000.0):
                    raise RuntimeError("Service '%s' did not appear in time" % name)
        finally:
            self.serviceRegistered.disconnect(number)

    def registerService(self, name: str, target: Any, _async: bool = False) -> Any:
        """Offers an object's methods, signals and properties to the robot and to other programs; returns the number for
        `unregisterService`. The programs of another machine's robot reach the object through the robot; others do after
        `listen`."""
        if _async:
            return futures.run_async(self.registerService, name, target)
        link = self._here()
        if not self._listens and link.is_loopback():
            self.listen()
        registration = link.register(name, offered(target))
        self._registered[registration.id] = (registration, target)
        return registration.id

    def unregisterService(self, number: int, _async: bool = False) -> Any:
        if _async:
            return futures.run_async(self.unregisterService, number)
        if number not in self._registered:
            raise RuntimeError("Can't find service ID: %s" % number)
        self._registered.pop(number)[0].unregister()

    def listen(self, url: str = "tcp://127.0.0.1:0") -> None:
        """Accepts connections of programs that use the services of this session. A session with a robot on this machine
        does so by itself when a service is registered, at an address that only this machine reaches."""
        self._endpoints.append("tcp://" + self._here().listen(_address(url)))
        self._listens = True

    def listenStandalone(self, url: str = "tcp://127.0.0.1:0", _async: bool = False) -> Any:
        """Makes this session a service directory of its own, without a robot."""
        if _async:
            return futures.run_async(self.listenStandalone, url)
        self._server = native.Directory(_address(url))
        self.connect("tcp://" + self._server.address)
        self._endpoints.append(self._url)

    def _watch(self, on: bool, name: str, signal: Any) -> None:
        if on and self.isConnected():
            directory = self.service("ServiceDirectory")
            itself = weakref.ref(signal)
            self._watched[name] = getattr(directory, name).connect(lambda *args: (itself() or _nobody).trigger(*args))
        elif not on and name in self._watched and self.isConnected():
            getattr(self.service("ServiceDirectory"), name).disconnect(self._watched.pop(name))


_nobody = signals.Signal()


def _address(url: str) -> str:
    """Returns host and port of a URL."""
    host, _, port = url.partition("://")[2].rpartition(":")
    return "%s:%s" % (host or "127.0.0.1", port or 0)


@atexit.register
def _close_all() -> None:
    for session in list(_open):
        session.close()
