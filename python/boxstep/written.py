"""The robots that a program names, in a run with `--as-written`: `naoqi` and `qi` are those of a Python of its own, and
their tasks and waits are the run's."""
from __future__ import annotations

import itertools
import types
from typing import Any, Callable, Sequence

from . import client
from .application import Application, ApplicationSession
from .proxies import ALBroker, ALModule, ALProxy, createModule

from boxstep_runtime import futures, raw, state  # type: ignore[import-not-found]

__all__ = ["modules"]


class _Tasks:
    """Runs functions as tasks of the run."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def put(self, function: Callable[[], None]) -> None:
        self._engine.spawn(state.new_callback(function))


class _Robots(client.Bridge):
    """Calls robots. Its numbers are negative, the engine's are not."""

    def __init__(self, engine: Any) -> None:
        super().__init__()
        self._tasks = _Tasks(engine)  # type: ignore[assignment]
        self._numbers = itertools.count(-1, -1)


class _Bridge:
    """The bridge of the run, except for services of robots."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._robots = _Robots(engine)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def _of(self, name: Any) -> Any:
        return self._robots if isinstance(name, client.Handle) else self._engine

    def find_service(self, object: int, line: int, name: str) -> bool:
        return self._of(name).find_service(object, line, name)

    def call(self, object: int, line: int, name: Any, method: str, args: Sequence[Any]) -> Any:
        if not isinstance(name, client.Handle) or method in ("property", "setProperty"):
            return self._of(name).call(object, line, name, method, args)
        # Waits on a lock of the run, so that a stop ends the wait.
        answer = futures.service_call(object, line, name, method, args)
        try:
            return raw.all_received(answer.value())
        except self._engine.Stopped:
            answer.cancel()
            raise

    def call_then(self, object: int, line: int, name: Any, method: str, args: Sequence[Any], callback: int) -> int:
        return self._of(name).call_then(object, line, name, method, args, callback)

    def stop_call(self, call: int) -> bool:
        return (self._robots if call < 0 else self._engine).stop_call(call)

    def subscribe(self, object: int, line: int, kind: str, a: Any, b: str, callback: int) -> int:
        return self._of(a).subscribe(object, line, kind, a, b, callback)

    def unsubscribe(self, subscription: int) -> bool:
        return (self._robots if subscription < 0 else self._engine).unsubscribe(subscription)


def modules(own: "dict[str, types.ModuleType]") -> "dict[str, types.ModuleType]":
    """Returns the modules to install: those of a run, `own`, with the classes that connect."""
    state.bridge = _Bridge(state.bridge)
    state.bridge.not_deterministic("the program connects to the robots that it names (--as-written)")
    own["qi"].__dict__.update(
        Session=client.Session, Application=Application, ApplicationSession=ApplicationSession, __version__="3.1.5")
    naoqi = types.ModuleType("naoqi")
    naoqi.__dict__.update(
        ALBroker=ALBroker, ALModule=ALModule, ALProxy=ALProxy, createModule=createModule,
        __all__=["ALBroker", "ALModule", "ALProxy", "createModule"])
    return dict(own, naoqi=naoqi)
