"""Behaviors in Python, which decide who has control of the robot. `docs/guides/python-behaviors.md` explains them by example."""
from __future__ import annotations

import traceback
from typing import Any, Iterable, Sequence, Union

from .base import Error, _here, _Object, _up_to

#: The names of the hooks that a class may define, as the engine calls them.
HOOKS = ("entered_scope", "activated", "deactivated", "left_scope", "wants_to_be_activated", "update", "on_delegate_ended")


class Refusal(Error):
    """A request was refused and changed nothing. `reason` is one of the words of docs/reference/runner.md: `NotActive`,
    `NotInControl`, `NotDeclared`, `NotAsked`, `SaidNo`, `AlreadyActive`, `Deactivating`, `Asking`, `Taken`,
    `Nobody`, `Walking`."""

    def __init__(self, request: str, reason: str, text: str) -> None:
        self.request = request
        self.reason = reason
        super().__init__("%s: %s" % (request, text))


class Answer:
    """A delegate's answer to the question whether it wants to run: true, or false with `why` (`says_no`, `loading`,
    `already_active`, `taken`) and `text`."""

    def __init__(self, why: str | None = None, text: str = "") -> None:
        self.why = why
        self.text = text

    def __bool__(self) -> bool:
        return self.why is None

    def __repr__(self) -> str:
        return "<yes>" if self.why is None else "<no: %s>" % self.text


class Ticket(int):
    """The number of a delegation, which is never reused."""

    def __repr__(self) -> str:
        return "#%d" % self


class End:
    """How a delegation has ended. `how` is `done`, `failed` or `cancelled`; `value` is the result if it is done,
    otherwise `why` is the reason."""

    def __init__(self, how: str, value: Any = None, why: str | None = None) -> None:
        self.how = how
        self.value = value
        self.why = why

    @property
    def done(self) -> bool:
        return self.how == "done"

    @property
    def failed(self) -> bool:
        return self.how == "failed"

    @property
    def cancelled(self) -> bool:
        return self.how == "cancelled"

    def __repr__(self) -> str:
        return "<%s: %r>" % (self.how, self.value if self.how == "done" else self.why)


class Event:
    """An event: the memory `key`, or the service (`key`) and its `signal`; `value`, and `time` in seconds."""

    def __init__(self, kind: str, key: str, signal: str | None, value: Any, time: float) -> None:
        self.kind = kind
        self.key = key
        self.signal = signal
        self.value = value
        self.time = time

    def __repr__(self) -> str:
        return "<%s %s = %r>" % (self.kind, self.key if self.signal is None else "%s.%s" % (self.key, self.signal), self.value)


class Job:
    """A call of a service that is in progress. It is sent after the current tick, and its state is updated from the
    next tick on."""

    def __init__(self, behavior: "Behavior", number: int) -> None:
        self._behavior = behavior
        self._number = number
        self._state = "running"
        #: The result, once the call is done.
        self.value: Any = None
        #: The reason, once the call has failed.
        self.why: str | None = None

    def poll(self) -> str:
        """Returns `running`, `done`, `failed` or `cancelled`."""
        if self._state == "running":
            self._state, self.value, self.why = self._behavior._ask("answer", self._number)
        return self._state

    def cancel(self) -> None:
        """Cancels the call: the robot stops the action."""
        if self._state == "running":
            self._state = "cancelled"
            self._behavior._ask("cancel", self._number)


class Behavior:
    """The base class of behaviors. A subclass may define any of these methods, and need not call the base class's:

    - `init()`: called shortly after the behavior was made
    - `entered_scope()`: an active behavior may delegate to it now
    - `activated(value)`: it gets control, with the value of the delegation
    - `deactivated(end)`: it has lost control; `end` says how
    - `left_scope()`: no behavior may delegate to it any more
    - `wants_to_be_activated()`: returns whether it would take control; must have no side effects
    - `update(events)`: called in each tick while it is in scope
    - `on_delegate_ended(ticket, end)`: one of its delegates has ended by itself
    - `all_delegates()`: returns all behaviors (or names) that it may ever delegate to
    """

    #: Its name; by default the name of the class.
    name: str = ""
    #: Resources that only this behavior and its delegates may use while it runs. In a character's file: `claims`.
    claims: Sequence[str] = ()

    # Hooks that a class does not override are not called.

    _boxstep_engine: Any = None
    _boxstep_handle: Sequence[int] = ()
    _boxstep_time: float = 0.0
    _boxstep_delegates: tuple[str, ...] = ()

    def init(self) -> None:
        pass

    def entered_scope(self) -> None:
        pass

    def activated(self, value: Any) -> None:
        pass

    def deactivated(self, end: End) -> None:
        pass

    def left_scope(self) -> None:
        pass

    def wants_to_be_activated(self) -> bool:
        return True

    def update(self, events: list[Event]) -> None:
        pass

    def on_delegate_ended(self, ticket: Ticket, end: End) -> None:
        pass

    def all_delegates(self) -> "Iterable[Delegate]":
        return self._boxstep_delegates

    # ---- what it may ask, in its hooks -------------------------------------------------------

    def ask(self, delegate: "Delegate") -> Answer:
        """Asks whether a delegate wants to run. A behavior must ask in the same tick in which it delegates."""
        answer = self._ask("ask", _name_of(delegate))
        return Answer() if answer is None else Answer(*answer)

    def delegate(self, *delegates: "Delegate", value: Any = None) -> Any:
        """Gives control to a delegate that has said yes, and passes it a value. Several delegates run side by side;
        either all get control or none. Returns the ticket; for several delegates a list of tickets."""
        tickets = [Ticket(number) for number in self._ask("delegate", [_name_of(each) for each in delegates], value)]
        return tickets[0] if len(delegates) == 1 else tickets

    def offer(self, delegate: "Delegate", value: Any = None) -> Ticket | None:
        """Asks a delegate, and delegates to it if the answer is yes. Returns the ticket, or None."""
        tickets = self._ask("offer", _name_of(delegate), value)
        return None if tickets is None else Ticket(tickets[0])

    def cancel_delegates(self) -> int:
        """Takes control back. Returns the number of delegates that had it."""
        return int(self._ask("cancel_delegates"))

    def cancel_self(self) -> None:
        """Gives up control when this hook has returned."""
        self._ask("cancel_self")

    def complete(self, value: Any = None) -> None:
        """Ends this behavior as done when this hook has returned."""
        self._ask("complete", value)

    def fail(self, why: str) -> None:
        """Ends this behavior as failed when this hook has returned."""
        self._ask("fail", str(why))

    def is_control_delegated(self) -> bool:
        return bool(self._ask("is_control_delegated"))

    def can_delegate(self) -> bool:
        """Whether this behavior has control itself, so that it can delegate."""
        return bool(self._ask("can_delegate"))

    def is_active(self) -> bool:
        return bool(self._ask("is_active"))

    def is_in_scope(self) -> bool:
        return bool(self._ask("is_in_scope"))

    def has_waited(self) -> bool:
        """Whether, in `wants_to_be_activated`, this behavior was delegated to, has said yes, and had to wait until
        others had wound down. The reason to run may have passed by then, so it may stay with its yes; a no makes the
        delegation fail."""
        return bool(self._ask("has_waited"))

    def subscribe(self, key: str, signal: str | None = None) -> None:
        """Subscribes `update` to a key of the robot's memory, or to a service's signal."""
        self._ask("subscribe", *_topic(key, signal))

    def latest(self, key: str, signal: str | None = None) -> Any:
        """Returns the value of the latest such event, as of this tick."""
        return self._ask("latest", *_topic(key, signal))

    def random(self) -> float:
        """Returns a random number from 0 to 1. The sequence is the same in each run with the same seed."""
        return float(self._ask("random"))

    def call(self, method: str, *args: Any) -> Job:
        """Starts a call of a service, `call("ALMotion.moveTo", 1, 0, 0)`, without waiting for it."""
        service, dot, name = method.rpartition(".")
        if not dot:
            raise ValueError("%r is not of the form Service.method" % (method,))
        return Job(self, self._ask("call", service, name, list(args)))

    @property
    def time(self) -> float:
        """Seconds on the run's clock; constant during a tick."""
        return self._boxstep_time

    @property
    def delegates(self) -> tuple[str, ...]:
        """The names of the behaviors that it may delegate to."""
        return self._boxstep_delegates

    def _ask(self, request: str, *args: Any) -> Any:
        if self._boxstep_engine is None:
            raise Error("%s has no runner" % (_label(self),))
        answer = self._boxstep_engine.ask("behavior", self._boxstep_handle, request, list(args))
        if answer[0] == "ok":
            return answer[1]
        if answer[0] == "refused":
            raise Refusal(request, answer[1], answer[2])
        raise Error(answer[1])


#: A behavior or its name.
Delegate = Union[Behavior, str]


def _topic(key: str, signal: str | None) -> list[str]:
    return ["memory", key] if signal is None else ["signal", key, signal]


def _name_of(delegate: Delegate) -> str:
    return delegate.name or type(delegate).__name__ if isinstance(delegate, Behavior) else delegate


def _label(behavior: Behavior) -> str:
    return "<%s>" % (behavior.name or type(behavior).__name__)


class Call(Behavior):
    """A behavior that calls a service of the robot, ends when the call ends, and cancels the call if control is taken
    away."""

    def __init__(self, method: str, *args: Any, name: str = "") -> None:
        self._method = method
        self._args = args
        self._job: Job | None = None
        self.name = name or method

    def activated(self, value: Any) -> None:
        self._job = self.call(self._method, *self._args)

    def update(self, events: list[Event]) -> None:
        if self._job is None:
            return
        state = self._job.poll()
        if state == "done":
            self.complete(self._job.value)
        elif state == "failed":
            self.fail(self._job.why or "")

    def deactivated(self, end: End) -> None:
        if self._job is not None and end.cancelled:
            self._job.cancel()
        self._job = None


class Say(Call):
    """A behavior that says a text."""

    def __init__(self, text: str, animated: bool = False, name: str = "") -> None:
        service = "ALAnimatedSpeech" if animated else "ALTextToSpeech"
        super().__init__(service + ".say", text, name=name or "say " + text)


# ---- the engine's side -------------------------------------------------------------------------


class _Cast:
    """The behaviors of one runner by number, for the caller of their hooks."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._by_number: dict[int, Behavior] = {}

    def bind(self, behavior: Behavior, number: int, delegates: Iterable[str]) -> None:
        behavior._boxstep_engine = self._engine
        behavior._boxstep_delegates = tuple(delegates)
        self._by_number[number] = behavior

    def hook(self, runner: int, number: int, hook: str, time: float, *args: Any) -> Any:
        behavior = self._by_number[number]
        behavior._boxstep_time = time
        if hook == "init":
            behavior._boxstep_handle = (runner, number)
            behavior.init()
            kind = type(behavior)
            return [name for name in HOOKS if name in vars(behavior) or getattr(kind, name) is not getattr(Behavior, name)]
        told: list[Any] = list(args)
        if hook == "update":
            told = [[Event(*event) for event in args[0]]]
        elif hook == "deactivated":
            told = [End(*args[0])]
        elif hook == "on_delegate_ended":
            told = [Ticket(args[0]), End(*args[1])]
        answer = _up_to(getattr(behavior, hook), told)
        return bool(answer) if hook == "wants_to_be_activated" else None


class Runner(_Object):
    """Runs behaviors and decides who has control; `root` gets it first. It ticks every `period` seconds of the run's
    clock, starting now.

    Behaviors are found through `all_delegates`. `at_end` says what follows when the root ends: `"stop"`,
    `"restart"`, or a behavior that takes its place until it ends as well. `safe` takes over after a
    livelock, in which control passes round endlessly without time passing. Raises `Error` for mistakes in the names
    of delegates, with the path from the root.
    """

    _kind = "runner"

    def __init__(self, root: Behavior, at_end: "str | Behavior" = "stop", safe: Behavior | None = None,
                 period: float = 0.05, run: Any = None) -> None:
        engine = _here() if run is None else run
        cast = _Cast(engine)
        idle = at_end if isinstance(at_end, Behavior) else None
        found = _found([each for each in (root, idle, safe) if each is not None])
        described = []
        for number, (behavior, delegates) in enumerate(found):
            names = [each if isinstance(each, str) else each.name for each in delegates]
            cast.bind(behavior, number, names)
            described.append([behavior.name, names, list(behavior.claims)])

        def call(what: str, runner: int, *args: Any) -> list[Any]:
            raised = getattr(engine, "raised", None)
            try:
                return ["value", cast.hook(runner, *args)]
            except BaseException as error:
                # The script host reports exceptions of scripts; elsewhere they are reported here.
                if raised is None:
                    raise
                raised(error)
                return ["raised", type(error).__name__, str(error), _own_traceback(error)]

        function = engine.keep(call, answers=True)
        try:
            handle = engine.quietly_ask("run", (), "newRunner", [{
                "behaviors": described, "root": root.name, "idle": None if idle is None else idle.name,
                "at_end": at_end if isinstance(at_end, str) else "idle", "safe": None if safe is None else safe.name,
                "period": float(period)}, function])
        except BaseException:
            engine.forget(function)
            raise
        self._init(engine, handle)
        self._cast = cast
        kept = getattr(engine, "runner_kept", None)
        if kept is not None:
            kept(self)

    def active(self) -> list[str]:
        """Returns the names of the active behaviors, from the root on."""
        return list(self._do("getActive"))

    def is_over(self) -> bool:
        """Whether the runner has stopped and all behaviors have wound down."""
        return bool(self._do("isOver"))

    def stop(self) -> None:
        """Ends all behaviors."""
        self._do("stop")

    def __repr__(self) -> str:
        return "<Runner>"


def _own_traceback(error: BaseException) -> str:
    """Returns the traceback as Python prints it, starting at the hook."""
    frames = error.__traceback__
    while frames is not None and str(frames.tb_frame.f_globals.get("__name__")).partition(".")[0] == "boxstep":
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames))


def _found(roots: Sequence[Behavior]) -> "list[tuple[Behavior, list[Delegate]]]":
    """Returns all behaviors that can be reached from the roots, each with its delegates, in the order in which they are
    found."""
    found: list[tuple[Behavior, list[Delegate]]] = []
    known: set[int] = set()
    names: set[str] = set()
    line = list(roots)
    while line:
        behavior = line.pop(0)
        if id(behavior) in known:
            continue
        if not isinstance(behavior, Behavior):
            raise Error("%r is not a boxstep.Behavior" % (behavior,))
        if behavior._boxstep_engine is not None:
            raise Error("%s has a runner already" % _label(behavior))
        plain = name = behavior.name or type(behavior).__name__
        count = 1
        while name in names:
            count += 1
            name = "%s %d" % (plain, count)
        behavior.name = name
        names.add(name)
        known.add(id(behavior))
        delegates = list(behavior.all_delegates())
        found.append((behavior, delegates))
        line.extend(each for each in delegates if isinstance(each, Behavior))
    return found
