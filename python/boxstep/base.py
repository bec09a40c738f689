"""The base of all objects: the run that an object belongs to, its handle, and the functions that the run calls."""
from __future__ import annotations

import inspect
import sys
from typing import Any, Callable, Iterable, Sequence


class Error(RuntimeError):
    """The base class of Boxstep's errors. The text says what failed, and for which box."""


def _here() -> Any:
    """Returns the run that new objects belong to."""
    state = sys.modules.get("boxstep_runtime.state")
    if state is not None and getattr(state, "bridge", None) is not None:
        return _SCRIPTS
    from . import run
    return run.current()


class _Scripts:
    """The run that plays the calling box script."""

    def ask(self, kind: str, handle: Sequence[int], operation: str, args: Sequence[Any]) -> Any:
        from boxstep_runtime import state
        try:
            return state.bridge.object(kind, list(handle), operation, list(args))
        except RuntimeError as error:
            raise Error(str(error)) from None

    quietly_ask = ask

    def keep(self, function: Callable[..., Any], answers: bool = False) -> int:
        from boxstep_runtime import state
        return state.new_callback(function, once=False)

    def kept(self, connection: "Connection") -> None:
        """Disconnects a connection that a box's script has made when the box is destroyed."""
        from boxstep_runtime import frames, state
        number, _ = frames.caller()
        key = ("connection", connection._listener)
        connection._ended = lambda: state.not_on_drop(number, key)
        state.on_drop(number, key, connection.disconnect)

    def runner_kept(self, runner: Any) -> None:
        """Stops a runner that a box's script has made when the box is destroyed."""
        from boxstep_runtime import frames, state
        number, _ = frames.caller()
        state.on_drop(number, ("runner", runner._handle), runner.stop)

    def forget(self, number: int) -> None:
        from boxstep_runtime import state
        state.forget(number)

    def wait_until_still(self, timeline: Any, timeout: float | None) -> bool:
        import threading
        event = threading.Event()
        connection = timeline.registerOnStoppedCallback(event.set)
        try:
            return not timeline.isPlaying() or event.wait(timeout)
        finally:
            connection.disconnect()

    def __repr__(self) -> str:
        return "<the run of this script>"


_SCRIPTS = _Scripts()


def _up_to(function: Callable[..., Any], args: Sequence[Any]) -> Any:
    """Calls a function with as many of the arguments as it takes."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return function(*args)
    for count in range(len(args), -1, -1):
        try:
            signature.bind(*args[:count])
        except TypeError:
            continue
        return function(*args[:count])
    return function(*args)


class Connection:
    """A registered function, or a link between boxes, until `disconnect()`."""

    def __init__(self, engine: Any, listener: Sequence[int], function: int | None) -> None:
        self._engine = engine
        self._listener = tuple(listener)
        self._function = function
        self._ended: Callable[[], None] | None = None

    def disconnect(self) -> bool:
        """Ends the connection. Returns False if it was disconnected already, or the run is over."""
        over = getattr(self._engine, "closed", False)
        there = not over and bool(self._engine.ask("run", (), "forget", [list(self._listener)]))
        if self._function is not None:
            self._engine.forget(self._function)
            self._function = None
        ended, self._ended = self._ended, None
        if ended is not None:
            ended()
        return there


class _Object:
    """An object of a run. Two handles of the same object are equal."""

    _kind = ""

    def _init(self, engine: Any, handle: Iterable[int]) -> Any:
        self._engine = engine
        self._handle = tuple(handle)
        return self

    def __init__(self) -> None:
        self._engine: Any = None
        self._handle: tuple[int, ...] = ()

    def _wire(self, value: Any) -> Any:
        """Converts an argument to the form that the engine takes."""
        if isinstance(value, _Object):
            if value._engine is not self._engine:
                raise Error("%r belongs to another run" % (value,))
            return list(value._handle)
        return value

    def _do(self, operation: str, *args: Any) -> Any:
        return self._engine.ask(self._kind, self._handle, operation, [self._wire(arg) for arg in args])

    def _listen(self, operation: str, function: Callable[..., Any], *args: Any,
                told: Callable[[Any], Any] = lambda value: value) -> Connection:
        if not callable(function):
            raise TypeError("%r cannot be called" % (function,))
        number = self._engine.keep(lambda *happened: _up_to(function, [told(each) for each in happened]))
        try:
            listener = self._do(operation, *args, number)
        except BaseException:
            self._engine.forget(number)
            raise
        connection = Connection(self._engine, listener, number)
        self._engine.kept(connection)
        return connection

    def _as(self, kind: Any, handle: Any) -> Any:
        return None if handle is None else kind.__new__(kind)._init(self._engine, handle)

    def _all(self, kind: Any, handles: Any) -> list[Any]:
        return [self._as(kind, handle) for handle in handles]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Object):
            return NotImplemented
        return (self._kind, self._engine, self._handle) == (other._kind, other._engine, other._handle)

    def __hash__(self) -> int:
        return hash((self._kind, id(self._engine), self._handle))


class _Named(_Object):
    def getName(self) -> str:
        return self._do("getName")

    def setName(self, name: str) -> None:
        """Renames an object that was made by code. Boxes and state machines can be renamed while they are not loaded."""
        self._do("setName", name)

    def __repr__(self) -> str:
        try:
            return "<%s %s>" % (type(self).__name__, self.getName())
        except RuntimeError:
            return "<%s of a run that is over>" % type(self).__name__
