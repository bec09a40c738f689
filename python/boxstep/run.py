"""Runs: a behavior, or objects that a program creates, on a clock that the program controls."""
from __future__ import annotations

import atexit
import base64
import builtins
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

# The numbers of functions start here; lower numbers belong to the script host.
_OUTSIDE = 1 << 31
# The limit in seconds, the same as the command's.
_LONGEST = 1e9

_open: "weakref.WeakSet[Run]" = weakref.WeakSet()
_entered: "list[Run]" = []
_default: "list[Run]" = []


class ScriptError(Error):
    """A box script raised an exception that it did not catch, and its behavior failed.

    `path` is the box, `line` the line of its script (or None), `kind` the class of the exception, `message` its
    text, `traceback` the text that Python prints for it, and `run` the run.
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
    """A run of a behavior or, without a file, of the objects that are created in it.

    On a virtual clock, time passes only during the methods `run_for`, `run_until`, `step` and `wait`. Whatever is
    due at the current time is always done immediately. With `virtual=False` the clock is the machine's, and the run
    continues by itself.

    The other arguments are those of the command line and of test files: `body` ("nao", "nao-v3.3", "pepper", or a body file),
    `world`, `physics`, `language`, `seed`, `epoch`, `network`, `args`, `set`, `memory`, `events`, `hears`, `stimulate`, `mocks`. Scripts run in a process
    of their own with the interpreter `python` (by default this one), or not at all with `scripts=False`.
    """

    def __init__(self, file: "str | os.PathLike[str] | None" = None, behavior: str | None = None, *,
                 virtual: bool = True, scripts: bool = True, python: "str | os.PathLike[str] | None" = None,
                 patience: float | None = None, stop_within: float | None = None, joints: float | None = None,
                 body: str | None = None, world: "str | os.PathLike[str] | None" = None, physics: bool | None = None,
                 language: str | None = None, seed: int | None = None,
                 epoch: "float | str | None" = None, network: bool | None = None, args: "Sequence[str] | None" = None,
                 set: "Mapping[str, Any] | None" = None, memory: "Mapping[str, Any] | None" = None,
                 events: "Sequence[Mapping[str, Any]] | None" = None, hears: "Sequence[Mapping[str, Any]] | None" = None,
                 stimulate: "Sequence[Mapping[str, Any]] | None" = None,
                 mocks: "Sequence[Mapping[str, Any]] | None" = None) -> None:
        every = {
            "body": body, "world": None if world is None else os.fsdecode(world), "physics": physics,
            "language": language, "seed": seed, "epoch": epoch, "network": network, "args": args, "set": set,
            "memory": memory, "events": events, "hears": hears, "stimulate": stimulate, "mocks": mocks,
        }
        from boxstep import boxstep_native
        spec = {
            "behavior": _none_or(str, "behavior", behavior),
            "virtual_time": _yes_or_no("virtual", virtual),
            "scripts": "process" if _yes_or_no("scripts", scripts) else "off",
            "patience": _none_or(float, "patience", patience),
            "stop_within": _none_or(float, "stop_within", stop_within),
            "joints": _none_or(float, "joints", joints),
        }
        given = {name: value for name, value in every.items() if value is not None}
        #: The file, or None.
        self.file = None if file is None else _named(os.fsdecode(file))
        wanted = {
            "file": self.file,
            "python": os.fsdecode(python or sys.executable or "python3"),
            "spec": spec,
            "given": given,
        }
        for name, value in given.items():
            _as_json(name, value)
        self._functions: dict[int, Callable[..., Any]] = {}
        self._answering: builtins.set[int] = builtins.set()
        self._made = 0
        self._raised: BaseException | None = None
        self._calling = threading.local()
        self._events: list[dict[str, Any]] = []
        self._lines: list[str] = []
        self._failures: list[ScriptError] = []
        self._told = 0
        self._closed = False
        #: The header of the trace: files, body, clock, seed.
        self.header: dict[str, Any] = {}
        #: The footer of the trace, once the run is closed: `reason`, `t`, counts, `deterministic`.
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

    # -- the interface for objects and functions --

    def ask(self, kind: str, handle: Sequence[int], operation: str, args: Sequence[Any]) -> Any:
        """Executes an operation of an object, for `boxstep.Box` and the other classes."""
        try:
            answer = self._session.object(kind, list(handle), operation, list(args))
        except RuntimeError as error:
            raise Error(str(error)) from None
        self._raise_what_functions_raised()
        return answer

    def quietly_ask(self, kind: str, handle: Sequence[int], operation: str, args: Sequence[Any]) -> Any:
        """Like `ask`, but exceptions of functions are raised the next time that time passes."""
        try:
            return self._session.object(kind, list(handle), operation, list(args))
        except RuntimeError as error:
            raise Error(str(error)) from None

    def keep(self, function: Callable[..., Any], answers: bool = False) -> int:
        """Registers a function that the engine can call, and returns its number. Its result is passed to the engine
        only if `answers`."""
        self._made += 1
        if answers:
            self._answering.add(_OUTSIDE + self._made)
        self._functions[_OUTSIDE + self._made] = function
        return _OUTSIDE + self._made

    def kept(self, connection: Connection) -> None:
        """Does nothing: a connection of a program lasts as long as the run."""

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
        """Stores an exception, to be raised to the program that drives the run. The engine traces it as well."""
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
        """Lets this many seconds pass. Raises `ScriptError` if a behavior fails meanwhile, and any exception of a
        registered function."""
        self.run_until(self.time + _seconds("seconds", seconds))

    def run_until(self, time: float) -> None:
        """Lets time pass up to this time of the run, in seconds."""
        self._drive("until", at=_seconds("time", time))

    def step(self) -> bool:
        """Advances a virtual clock to the next time at which anything happens, and executes it. Returns False if
        nothing more will happen by itself."""
        return self._drive("step") == "there"

    def wait(self, timeout: float | None = None) -> str:
        """Lets time pass until the behavior has ended or, without a behavior, until nothing is left to do. Returns the
        reason: `ended`; `waiting`, if nothing more can happen by itself (virtual time); `late`, if the timeout, in
        seconds, has passed."""
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

    # -- lifecycle of the behavior --

    @property
    def root(self) -> Box | None:
        """The root box of the behavior; None without a file."""
        handle = self.ask("run", (), "root", [])
        return None if handle is None else Box.__new__(Box)._init(self, handle)

    @property
    def runner(self) -> "Runner":
        """The runner of the character that is played. Raises `Error` if the run plays none."""
        if self._performing is None:
            raise Error("this run has no character")
        return self._performing

    def _behavior(self) -> Box:
        root = self.root
        if root is None:
            raise Error("this run has no behavior: it was made without a file")
        return root

    def load(self) -> "Run":
        """Loads the behavior unless it is loaded, and returns when it is loaded. Does nothing for a character."""
        if self._performing is not None:
            return self
        root = self._behavior()
        root.load()
        self._drive("loaded", of=root._handle[0])
        return self

    def start(self) -> "Run":
        """Starts the behavior unless it is started, and loads it before if necessary. A character executes its first
        tick."""
        if self._performing is not None:
            self._drive("until", at=self.time)
            return self
        root = self._behavior()
        root.start()
        self._drive("loaded", of=root._handle[0])
        return self

    def stop(self) -> "Run":
        """Stops the behavior and returns when it is unloaded. A behavior can be started again, a character cannot."""
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

    # -- stimuli --

    def box(self, path: str) -> Box:
        """Returns the box with a path, as messages and traces have it: `root/Dance/Say`."""
        return Box.__new__(Box)._init(self, self.ask("run", (), "find", [path]))

    def stimulate(self, path: str, name: str, value: Any = None) -> None:
        """Stimulates an input or output of a box, like a double-click in the editor."""
        self._control("stimulate", path, name, value)

    def parameter(self, path: str, name: str) -> Any:
        return self.box(path).getParameter(name)

    def set_parameter(self, path: str, name: str, value: Any) -> None:
        self._control("set", path, name, value)

    def raise_event(self, key: str, value: Any = None) -> None:
        """Raises an event of the robot's memory, e.g. `FrontTactilTouched`."""
        self._control("event", key, "", value)

    def hear(self, text: str) -> "list[str]":
        """Says something to the robot, lets it answer until nothing more happens by itself, and returns what it says
        meanwhile."""
        before = len(self.events("act", act="say"))
        self._control("hear", text, "", None)
        self.wait()
        return [event["text"] for event in self.events("act", act="say")[before:]]

    def remember(self, key: str, value: Any) -> None:
        """Sets a value of the robot's memory without notifying subscribers."""
        self._control("memory", key, "", value)

    def memory(self, key: str) -> Any:
        """Returns the value of a key of the robot's memory; None if there is none."""
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

    # -- results --

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
        """Returns the events so far, as `docs/reference/trace.md` describes them: all, or those with this kind, path and these
        fields."""
        self._read()
        wanted = dict(fields)
        if kind is not None:
            wanted["kind"] = kind
        if path is not None:
            wanted["path"] = path
        return [event for event in self._events if all(event.get(name) == value for name, value in wanted.items())]

    def outputs(self, path: str | None = None) -> dict[str, list[Any]]:
        """Returns the values of each output of a box (without a path: of the behavior), in order."""
        wanted = path if path is not None else self._behavior().getPath()
        put: dict[str, list[Any]] = {}
        for event in self.events("output", wanted):
            put.setdefault(event["port"], []).append(event["value"])
        return put

    @property
    def errors(self) -> list[ScriptError]:
        """All uncaught exceptions of scripts and functions, including those without effect on the run."""
        return [ScriptError(self, event.get("path", ""), event["error"]) for event in self.events("raised")]

    @property
    def failed(self) -> bool:
        """Whether a behavior has ended because of an exception, or a script did not compile."""
        self._read()
        return bool(self._failures) or any(event["method"] == "script" for event in self.events("raised"))

    def trace(self) -> str:
        """Returns the trace so far, as `boxstep play --trace` writes it."""
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
        """Stops everything and ends the run. With `interrupt`, it stops like after Ctrl-C: the robot first, then the
        onStop inputs."""
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
        """Executes the run step by step, and yields the time of each step in seconds."""
        while self.step():
            yield self.time

    def _repr_html_(self) -> str:
        from .notebook import of_run
        return of_run(self)

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
    """Checks that an option is a bool: a text such as `scripts="off"` would be true."""
    if not isinstance(value, bool):
        raise Error("%s is True or False, not %r" % (name, value))
    return value


def _none_or(kind: type, name: str, value: Any) -> Any:
    if value is None or isinstance(value, kind):
        return value
    if kind is float and isinstance(value, numbers.Real) and not isinstance(value, bool):
        return float(value)
    raise Error("%s is %s, not %r" % (name, "a number" if kind is float else "a text", value))


def _named(file: str) -> str:
    """Returns the example that a name means, `hello` or `examples/hello`, unless there is a file or folder of that name:
    as the command does. The examples are in the package, or beside its sources."""
    parts = file.replace(os.sep, "/").split("/")
    inside = parts[1:] if parts[0] == "examples" else parts
    if os.path.splitdrive(file)[0] or os.path.lexists(file) or not inside or {"", ".", ".."} & set(inside):
        return file
    # The program has this package without files.
    package = os.path.dirname(os.path.abspath(globals().get("__file__") or "."))
    for folder in (package, os.path.dirname(os.path.dirname(package))):
        example = os.path.join(folder, "examples", *inside)
        if os.path.isfile(os.path.join(folder, "examples", "hello", "behavior.xar")) and os.path.exists(example):
            return example
    return file


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
    """Converts a value of a trace to a Python value."""
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


def load(file: "str | os.PathLike[str]", behavior: str | None = None, *,
         virtual: bool = True, scripts: bool = True, python: "str | os.PathLike[str] | None" = None,
         patience: float | None = None, stop_within: float | None = None, joints: float | None = None,
         body: str | None = None, world: "str | os.PathLike[str] | None" = None, physics: bool | None = None,
         language: str | None = None, seed: int | None = None,
         epoch: "float | str | None" = None, network: bool | None = None, args: "Sequence[str] | None" = None,
         set: "Mapping[str, Any] | None" = None, memory: "Mapping[str, Any] | None" = None,
         events: "Sequence[Mapping[str, Any]] | None" = None, hears: "Sequence[Mapping[str, Any]] | None" = None,
         stimulate: "Sequence[Mapping[str, Any]] | None" = None,
         mocks: "Sequence[Mapping[str, Any]] | None" = None) -> Run:
    """Opens a behavior and loads it: its scripts have run `onLoad`, and nothing is started. The arguments are those of
    `Run`."""
    run = Run(**locals())
    try:
        return run.load()
    except BaseException:
        run.close()
        raise


def play(file: "str | os.PathLike[str]", behavior: str | None = None, *, seconds: float | None = None,
         check: bool = True, virtual: bool = True, scripts: bool = True, python: "str | os.PathLike[str] | None" = None,
         patience: float | None = None, stop_within: float | None = None, joints: float | None = None,
         body: str | None = None, world: "str | os.PathLike[str] | None" = None, physics: bool | None = None,
         language: str | None = None, seed: int | None = None,
         epoch: "float | str | None" = None, network: bool | None = None, args: "Sequence[str] | None" = None,
         set: "Mapping[str, Any] | None" = None, memory: "Mapping[str, Any] | None" = None,
         events: "Sequence[Mapping[str, Any]] | None" = None, hears: "Sequence[Mapping[str, Any]] | None" = None,
         stimulate: "Sequence[Mapping[str, Any]] | None" = None,
         mocks: "Sequence[Mapping[str, Any]] | None" = None) -> Run:
    """Plays a behavior to its end, or for this many seconds, and closes the run. The other arguments are those of
    `Run`.

    A behavior that fails raises `ScriptError`, unless `check` is false.
    """
    options = dict(locals())
    del options["seconds"], options["check"]
    run = Run(**options)
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
    """Returns the run that new objects belong to by default: that of the innermost `with`, or else a shared one that is
    created without a behavior on a virtual clock."""
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
