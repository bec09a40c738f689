"""`naoqi.ALProxy`, `ALBroker` and `ALModule` for programs: which robot they mean, and callbacks of memory events."""
from __future__ import annotations

import threading
from typing import Any, Callable, Sequence

from . import client
from boxstep_runtime import calling

__all__ = ["ALBroker", "ALModule", "ALProxy", "createModule"]

_PORT = 9559
_sessions: "dict[str, client.Session]" = {}
_lock = threading.Lock()
_brokers: "list[ALBroker]" = []
_modules: "dict[str, ALModule]" = {}


def _session(ip: str, port: int) -> client.Session:
    """Returns the session with a robot; it is opened once."""
    url = "tcp://%s:%d" % (ip or "127.0.0.1", int(port) or _PORT)
    with _lock:
        found = _sessions.get(url)
        if found is None or not found.isConnected():
            found = _sessions[url] = client.Session(url)
    return found


class ALProxy(client.Service):
    """A service of a robot: `ALProxy("ALMotion", "nao.local", 9559)`; or, without an address, of the robot of the
    program's broker.

    Every method of the service is one of the proxy. `post.method(…)` starts a method and returns a number for `wait`,
    `isRunning` and `stop`. Raises RuntimeError if the robot cannot be reached or has no such service.
    """

    def __init__(self, name: str, ip: Any = None, port: int = _PORT) -> None:
        if isinstance(ip, str):
            session = _session(ip, port)
        elif _brokers:
            session = _brokers[-1].session
        else:
            raise RuntimeError("ALProxy(%r) needs the robot's address, or a broker: "
                               "ALBroker(name, '0.0.0.0', 0, address, port)" % str(name))
        client.Service.__init__(self, name, session.service(name)._boxstep_name.target)
        self.__dict__["_boxstep_session"] = session

    @property
    def post(self) -> "_Post":
        return _Post(self)

    def __getattr__(self, name: str) -> Any:
        if name in _HERE and str(self.__dict__.get("_boxstep_name")) == "ALMemory":
            return lambda *args: _HERE[name](self, *args)
        try:
            return client.Service.__getattr__(self, name)
        except AttributeError:
            if name.startswith("_"):
                raise
            # As in the SDK, it is the call that fails.
            return _missing(str(self._boxstep_name), name)


def _missing(service: str, name: str) -> "Callable[..., Any]":
    def fail(*args: Any) -> Any:
        raise RuntimeError("%s has no method %s" % (service, name))
    return fail


class _Post:
    """`proxy.post`: its methods start a task and return its number."""

    def __init__(self, proxy: ALProxy) -> None:
        self._proxy = proxy

    def __getattr__(self, name: str) -> "Callable[..., int]":
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args: self._proxy._boxstep_post(name, args)


class ALBroker:
    """`ALBroker(name, ip, port, robot, port of the robot)`: connects the program to a robot, for proxies and modules that
    name none. The first address is where the SDK listens; this one does not, the robot reaches modules through the
    connection."""

    def __init__(self, name: str, ip: str = "", port: int = 0, parentIp: str = "127.0.0.1", parentPort: int = _PORT) -> None:
        self._name = name
        self.session = _session(parentIp, parentPort)
        _brokers.append(self)

    def getName(self) -> str:
        return self._name

    def getGlobalModuleList(self) -> "list[str]":
        return [each["name"] for each in self.session.services()]

    def isModulePresent(self, name: str) -> bool:
        return name in self.getGlobalModuleList()

    def shutdown(self) -> None:
        """Withdraws the program's modules and ends the connection."""
        for module in [module for module in _modules.values() if module._session is self.session]:
            module.exit()
        if self in _brokers:
            _brokers.remove(self)
        self.session.close()


class ALModule:
    """A module of a program: its methods are called for memory events, and by other programs under its name.

    `ALMemory.subscribeToEvent(event, module, method)` calls `method(event, value, module)`, with as many of these
    arguments as it takes.
    """

    def __init__(self, name: str, *_: Any) -> None:
        if not _brokers:
            raise RuntimeError("ALModule(%r) needs a broker: ALBroker(name, '0.0.0.0', 0, address, port)" % str(name))
        if name in _modules:
            raise RuntimeError("there is a module %s already" % name)
        self._name = name
        self._session = _brokers[-1].session
        self._events: "dict[str, tuple[Any, Any, int]]" = {}
        _modules[name] = self
        self._registered = self._session.registerService(name, self)

    def getName(self) -> str:
        return self._name

    def BIND_PYTHON(self, module: str, method: str, parameters: int = -1) -> None:
        """Accepted: methods are found by name."""

    def exit(self) -> None:
        """Ends the module's subscriptions and withdraws it."""
        if _modules.pop(self._name, None) is None:
            return
        for event in list(self._events):
            _leave(self, event)
        if self._session.isConnected():
            self._session.unregisterService(self._registered)


def createModule(name: str) -> Any:
    """The SDK makes an ALModule of that name."""
    return ALModule(name)


def _subscribe(memory: ALProxy, event: str, name: str, *more: str) -> None:
    """`ALMemory.subscribeToEvent(event, module, method)`, or `(event, module, message, method)`."""
    module = _modules.get(name)
    if module is None:
        raise RuntimeError("there is no module %s in this program" % name)
    method, message = more[-1], more[0] if len(more) > 1 else name
    getattr(module, method)  # fails now, not at the first event
    _leave(module, event)
    subscriber = memory._boxstep_call("subscriber", (event,), {})

    def raised(value: Any = None) -> None:
        calling.up_to(getattr(module, method), (event, value, message))
    module._events[event] = (subscriber, subscriber.signal, subscriber.signal.connect(raised))


def _unsubscribe(memory: ALProxy, event: str, name: str, *_: str) -> None:
    module = _modules.get(name)
    if module is None or not _leave(module, event):
        raise RuntimeError("the module %s is not subscribed to %s" % (name, event))


def _leave(module: ALModule, event: str) -> bool:
    _, signal, number = module._events.pop(event, (None, None, 0))
    return signal is not None and (not module._session.isConnected() or signal.disconnect(number))


# The methods of ALMemory that name a module of the program.
_HERE: "dict[str, Callable[..., None]]" = {
    "subscribeToEvent": _subscribe, "unsubscribeToEvent": _unsubscribe,
    "subscribeToMicroEvent": _subscribe, "unsubscribeToMicroEvent": _unsubscribe,
}
