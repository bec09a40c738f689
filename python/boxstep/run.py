"""A run: a behavior, or only what a program makes in it, on a clock that the program moves."""
from __future__ import annotations

import atexit
import base64
import json
import numbers
import os
import sys
import threading
import weakref
from typing import Any, Callable, Iterator, Mapping, Sequence

from .base import Connection, Error, _up_to
from .behavior import Runner
from .objects import Box, Timeline

__all__ = ["Run", "ScriptError", "current", "load", "play"]

# Numbers of functions begin here; those below are the script host's.
_OUTSIDE = 1 << 31
# Seconds: the command's own limit.
_LONGEST = 1e9

_open: "weakref.WeakSet[Run]" = weakref.WeakSet()
_entered: "list[Run]" = []
_default: "list[Run]" = []


class ScriptError(Error):
    """A box script raised what nobody caught, and its behavior failed.

    `path` is the box, `line` the line of its script (or None), `kind` the class of the exception, `message` its text,
    `traceback` all of it as Python prints it, and `run` the run.
    """

    def __init__(self, run: "Run | None", path: str, error: Mapping[str, Any]) -> None:
        self.run = run
        self.path = path
        self.kind: str = error.get("kind", "")
        self.message: str = error.get("message", "")
        self.line: int | None = error.get("line")
        self.traceback: str = error.get("traceback", "")
        where = path if self.line is None else "%s, line %d" % (path, self.line)
        super().__init__("%s: %s: %s" % (where, self.kind, self.message))


class Run:
    """A behavior to be played, or, without a file, a run that has only what is made in it.

    On a virtual clock, time passes only when a method says so: `run_for`, `run_until`, `step`, `wait`. What is due now
    is always done at once. With `virtual=False` the clock is the machine's, and the run goes on by itself.

    The other arguments are those of the command line and of test files: `body` ("nao", "pepper", or a body file), `language`, `seed`,
    `epoch`, `network`, `set`, `memory`, `events`, `stimulate`, `mocks`. Scripts run in a process of their own, by
    `python` (this one), or not at all with `scripts=False`.
    """

    def __init__(self, file: "str | os.PathLike[str] | None" = None, behavior: str | None = None, *,
                 virtual: bool = True, scripts: bool = True, python: "str | os.PathLike[str] | None" = None,
                 patience: float | None = None, stop_within: float | None = None, joints: float | None = None,
                 **given: Any) -> None:
        from boxstep import boxstep_native
        spec = {
            "behavior": _none_or(str, "behavior", behavior),
            "virtual_time": _yes_or_no("virtual", virtual),
            "scripts": "process" if _yes_or_no("scripts", scripts) else "off",
            "patience": _none_or(float, "patience", patience),
            "stop_within": _none_or(float, "stop_within", stop_within),
            "joints": _none_or(float, "joints", joints),
        }
        wanted = {
            "file": None if file is None else os.fsdecode(file),
            "python": os.fsdecode(python or sys.executable or "python3"),
            "spec": spec,
            "given": {name: value for name, value in given.items() if value is not None},
        }
        for name, value in given.items():
            _as_json(name, value)
        self._functions: dict[int, Callable[..., Any]] = {}
        self._answering: set[int] = set()
        self._made = 0
        self._raised: BaseException | None = None
        self._calling = threading.local()
        self._events: list[dict[str, Any]] = []
        self._lines: list[str] = []
        self._failures: list[ScriptError] = []
        self._told = 0
        self._closed = False
        #: The first line of the trace: files, body, clock, seed.
        self.header: dict[str, Any] = {}
        #: The last line of the trace, once the run is closed: `reason`, `t`, counts, `deterministic`.
        self.footer: dict[str, Any] | None = None
        itself = weakref.ref(self)

        def call(number: int, args: Sequence[Any]) -> Any:
            run = itself()
            return None if run is None else run._call(number, args)

        try:
            self._session = boxstep_native.Session(_as_json("the arguments", wanted), call)
        except ValueError as error:
            raise Error(str(error)) from None
        number = self._session.runner()
        self._performing: Runner | None = None if number is None else Runner.__new__(Runner)._init(self, [number])
        _open.add(self)

    # -- what objects and functions need --

    def ask(self, kind: str, handle: Sequence[int], operation: str, args: Sequence[Any]) -> Any:
        """Carries out an operation of an object; what `boxstep.Box` and others are made of."""
        try:
            answer = self._session.object(kind, list(handle), operation, list(args))
        except RuntimeError as error:
            raise Error(str(error)) from None
        self._raise_what_functions_raised()
        return answer

    def quietly_ask(self, kind: str, handle: Sequence[int], operation: str, args: Sequence[Any]) -> Any:
        """The same; what functions raise comes out where time passes next."""
        try:
            return self._session.object(kind, list(handle), operation, list(args))
        except RuntimeError as error:
            raise Error(str(error)) from None

    def keep(self, function: Callable[..., Any], answers: bool = False) -> int:
        """Keeps a function for the engine to call; gives its number. What it gives is told only if it `answers`."""
        self._made += 1
        if answers:
            self._answering.add(_OUTSIDE + self._made)
        self._functions[_OUTSIDE + self._made] = function
        return _OUTSIDE + self._made

    def kept(self, connection: Connection) -> None:
        """A connection has been made; it lasts as long as the run."""

    def forget(self, number: int) -> None:
        self._functions.pop(number, None)

    def wait_until_still(self, timeline: Timeline, timeout: float | None) -> bool:
        return self._drive("still", of=timeline._handle[0], timeout=timeout) == "there"

    def _call(self, number: int, args: Sequence[Any]) -> Any:
        function = self._functions.get(number)
        if function is None:
            return None
        self._calling.depth = getattr(self._calling, "depth", 0) + 1
        try:
            answer = function(*args)
            return answer if number in self._answering else None
        except BaseException as error:
            self.raised(error)
            raise
        finally:
            self._calling.depth -= 1

    def raised(self, error: BaseException) -> None:
        """The engine traces it; whoever waits for the run gets it as it is."""
        if self._raised is None:
            self._raised = error
        self._session.leave()

    def _raise_what_functions_raised(self) -> None:
        if self._raised is not None and not getattr(self._calling, "depth", 0):
            error, self._raised = self._raised, None
            raise error

    # -- time --

    @property
    def time(self) -> float:
        """Seconds on the run's clock."""
        return self._session.now()

    def run_for(self, seconds: float) -> None:
        """Lets so much time pass. Raises `ScriptError` if a behavior fails meanwhile, and what a function raises."""
        self.run_until(self.time + _seconds("seconds", seconds))

    def run_until(self, time: float) -> None:
        """Lets time pass up to a time of the run."""
        self._drive("until", at=_seconds("time", time))

    def step(self) -> bool:
        """Moves a virtual clock to the next time at which anything happens, and does that. False if nothing is left that
        happens by itself."""
        return self._drive("step") == "there"

    def wait(self, timeout: float | None = None) -> str:
        """Lets time pass until the behavior has ended, or, without a behavior, until nothing is left to do. Says how that
        came: `ended`; `waiting`, if nothing can happen any more by itself (virtual time); `late`, if the time is up."""
        root, runner = self.root, self._performing
        if root is not None:
            how = self._drive("unloaded", of=root._handle[0], timeout=timeout)
        elif runner is not None:
            how = self._drive("runner", of=runner._handle[0], timeout=timeout)
        else:
            how = self._drive("quiet", timeout=timeout)
        return {"there": "ended", "over": "ended", "never": "waiting"}.get(how, how)

    def _drive(self, goal: str, at: float = 0.0, of: int = 0, timeout: float | None = None) -> str:
        latest = None if timeout is None else self.time + _seconds("timeout", timeout)
        try:
            how = self._session.drive(goal, at, of, latest)
        except RuntimeError as error:
            raise Error(str(error)) from None
        self._raise_what_functions_raised()
        self._read()
        if self._told < len(self._failures):
            self._told = len(self._failures)
            raise self._failures[-1]
        return how

    # -- life of the behavior --

    @property
    def root(self) -> Box | None:
        """The root box of the behavior; None without a file."""
        handle = self.ask("run", (), "root", [])
        return None if handle is None else Box.__new__(Box)._init(self, handle)

    @property
    def runner(self) -> "Runner":
        """Who has control in the character that is played."""
        if self._performing is None:
            raise Error("this run has no character")
        return self._performing

    def _behavior(self) -> Box:
        root = self.root
        if root is None:
            raise Error("this run has no behavior: it was made without a file")
        return root

    def load(self) -> "Run":
        """Loads the behavior, unless it is loaded, and returns when that is done. A character has nothing to load."""
        if self._performing is not None:
            return self
        root = self._behavior()
        root.load()
        self._drive("loaded", of=root._handle[0])
        return self

    def start(self) -> "Run":
        """Starts the behavior, unless it is started; loads it before, unless it is loaded. A character has its first tick."""
        if self._performing is not None:
            self._drive("until", at=self.time)
            return self
        root = self._behavior()
        root.start()
        self._drive("loaded", of=root._handle[0])
        return self

    def stop(self) -> "Run":
        """Stops the behavior and returns when it is unloaded. It can be started again. A character stops for good."""
        if self._performing is not None:
            self._performing.stop()
            self._drive("runner", of=self._performing._handle[0])
            return self
        root = self._behavior()
        if root.getPhase() != "out" or root.isLoaded():
            root.stop()
        self._drive("unloaded", of=root._handle[0])
        return self

    def unload(self) -> "Run":
        """The same as `stop`."""
        return self.stop()

    # -- from outside --

    def box(self, path: str) -> Box:
        """The box with a path, as messages and traces have it: `root/Dance/Say`."""
        return Box.__new__(Box)._init(self, self.ask("run", (), "find", [path]))

    def stimulate(self, path: str, name: str, value: Any = None) -> None:
        """Stimulates an input or output of a box, as a double-click in the editor does."""
        self._control("stimulate", path, name, value)

    def parameter(self, path: str, name: str) -> Any:
        return self.box(path).getParameter(name)

    def set_parameter(self, path: str, name: str, value: Any) -> None:
        self._control("set", path, name, value)

    def raise_event(self, key: str, value: Any = None) -> None:
        """Raises an event of the robot's memory, e.g. `FrontTactilTouched`."""
        self._control("event", key, "", value)

    def remember(self, key: str, value: Any) -> None:
        """Puts a value into the robot's memory, and tells nobody."""
        self._control("memory", key, "", value)

    def memory(self, key: str) -> Any:
        """The value of a key of the robot's memory; None if there is none."""
        return self._session.memory(key)

    def on_event(self, key: str, function: Callable[..., Any]) -> Connection:
        """Calls a function with the value each time a key of the robot's memory is raised."""
        if not callable(function):
            raise TypeError("%r cannot be called" % (function,))
        number = self.keep(lambda *args: _up_to(function, args))
        try:
            subscription = self._session.subscribe(key, number)
        except RuntimeError as error:
            self.forget(number)
            raise Error(str(error)) from None
        return _Subscription(self, subscription, number)

    def _control(self, what: str, path: str, name: str, value: Any) -> None:
        if self._closed:
            raise Error("the run is over")
        try:
            self._session.control(what, path, name, value)
        except (RuntimeError, ValueError) as error:
            raise Error(str(error)) from None
        self._raise_what_functions_raised()

    # -- what happened --

    def _read(self) -> None:
        for line in self._session.take_lines().splitlines():
            event = _value(json.loads(line))
            self._lines.append(line)
            if "kind" not in event:
                if "reason" in event:
                    self.footer = event
                else:
                    self.header = event
                continue
            self._events.append(event)
            if event["kind"] == "behavior_failed":
                self._failures.append(ScriptError(self, event.get("path", ""), event["error"]))

    def events(self, kind: str | None = None, path: str | None = None, **fields: Any) -> list[dict[str, Any]]:
        """What has happened, as `docs/trace.md` describes it: all, or what has this kind, path and these fields."""
        self._read()
        wanted = dict(fields)
        if kind is not None:
            wanted["kind"] = kind
        if path is not None:
            wanted["path"] = path
        return [event for event in self._events if all(event.get(name) == value for name, value in wanted.items())]

    def outputs(self, path: str | None = None) -> dict[str, list[Any]]:
        """What a box (the behavior, without a path) has put out: the values of each of its outputs, in order."""
        wanted = path if path is not None else self._behavior().getPath()
        put: dict[str, list[Any]] = {}
        for event in self.events("output", wanted):
            put.setdefault(event["port"], []).append(event["value"])
        return put

    @property
    def errors(self) -> list[ScriptError]:
        """Every exception of a script or a function that nobody caught, also those that changed nothing."""
        return [ScriptError(self, event.get("path", ""), event["error"]) for event in self.events("raised")]

    @property
    def failed(self) -> bool:
        """A behavior has ended because of an exception, or a script did not compile."""
        self._read()
        return bool(self._failures) or any(event["method"] == "script" for event in self.events("raised"))

    def trace(self) -> str:
        """The trace so far, as `boxstep play --trace` writes it."""
        self._read()
        return "".join(line + "\n" for line in self._lines)

    def save_trace(self, file: "str | os.PathLike[str]") -> None:
        with open(file, "w", encoding="utf-8", newline="\n") as out:
            out.write(self.trace())

    # -- the end --

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self, interrupt: bool = False) -> None:
        """Stops everything and ends the run. With `interrupt` as Ctrl-C does: the robot first, then onStop inputs."""
        if self._closed:
            return
        self._closed = True
        _open.discard(self)
        why = self._session.close(interrupt)
        self._read()
        self._functions.clear()
        self._raised = None
        if why:
            raise Error("the scripts cannot be run: %s" % why)

    def __enter__(self) -> "Run":
        _entered.append(self)
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if self in _entered:
            _entered.remove(self)
        self.close(interrupt=kind is not None and issubclass(kind, KeyboardInterrupt))

    def __iter__(self) -> Iterator[float]:
        """Each time at which anything happens, step by step."""
        while self.step():
            yield self.time

    def __repr__(self) -> str:
        name = self.header.get("options", {}).get("behavior", "no behavior")
        return "<Run of %s%s>" % (name, ", closed" if self._closed else "")


class _Subscription(Connection):
    def __init__(self, run: Run, subscription: int, function: int) -> None:
        super().__init__(run, (), function)
        self._subscription = subscription

    def disconnect(self) -> bool:
        there = not self._engine.closed and self._engine._session.unsubscribe(self._subscription)
        if self._function is not None:
            self._engine.forget(self._function)
            self._function = None
        return there


def _yes_or_no(name: str, value: Any) -> bool:
    """`scripts="off"` would be true."""
    if not isinstance(value, bool):
        raise Error("%s is True or False, not %r" % (name, value))
    return value


def _none_or(kind: type, name: str, value: Any) -> Any:
    if value is None or isinstance(value, kind):
        return value
    if kind is float and isinstance(value, numbers.Real) and not isinstance(value, bool):
        return float(value)
    raise Error("%s is %s, not %r" % (name, "a number" if kind is float else "a text", value))


def _seconds(name: str, value: Any) -> float:
    number = _none_or(float, name, value)
    if number is None or not 0 <= number < _LONGEST:
        raise Error("%s: %r is not a number of seconds" % (name, value))
    return number


def _as_json(name: str, value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Error("%s: %s" % (name, error)) from None


def _value(json_value: Any) -> Any:
    """A value of a trace as Python has it."""
    if isinstance(json_value, list):
        return [_value(item) for item in json_value]
    if not isinstance(json_value, dict):
        return json_value
    if len(json_value) == 1:
        (tag, inner), = json_value.items()
        if tag == "$float":
            return float(inner)
        if tag == "$bytes":
            return base64.b64decode(inner)
        if tag == "$map":
            return {_key(key): _value(value) for key, value in inner}
    return {key: _value(value) for key, value in json_value.items()}


def _key(json_value: Any) -> Any:
    value = _value(json_value)
    return tuple(value) if isinstance(value, list) else value


def load(file: "str | os.PathLike[str]", behavior: str | None = None, **options: Any) -> Run:
    """Opens a behavior and loads it: scripts have run their `onLoad`, nothing is started. The arguments are `Run`'s."""
    run = Run(file, behavior, **options)
    try:
        return run.load()
    except BaseException:
        run.close()
        raise


def play(file: "str | os.PathLike[str]", behavior: str | None = None, *, seconds: float | None = None,
         check: bool = True, **options: Any) -> Run:
    """Plays a behavior to its end, or for so many seconds, and closes the run. The other arguments are `Run`'s.

    A behavior that fails raises `ScriptError`, unless `check` is false.
    """
    run = Run(file, behavior, **options)
    try:
        run.start()
        run.wait(seconds)
    except ScriptError:
        if check:
            raise
    except KeyboardInterrupt:
        run.close(interrupt=True)
        raise
    finally:
        run.close()
    return run


def current() -> Run:
    """The run that new objects belong to if nothing else is said: that of the innermost `with`, else one that is made for
    it, without a behavior, on a virtual clock."""
    if _entered:
        return _entered[-1]
    if not _default or _default[0].closed:
        _default[:] = [Run()]
    return _default[0]


@atexit.register
def _close_all() -> None:
    for run in list(_open):
        try:
            run.close(interrupt=True)
        except Exception as error:
            sys.stderr.write("boxstep: %s\n" % error)
