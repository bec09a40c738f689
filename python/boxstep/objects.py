"""Boxes, timelines, state machines, states and transitions, which programs can create, connect and control.

In a box script, objects belong to the run that plays the script; in a program or notebook, they belong to a
`boxstep.Run`. Functions have the names that QiCore gave them. `docs/reference/python-api.md` has more details.
"""
from __future__ import annotations

from typing import Any, Callable, Iterable, Mapping

from .base import Connection, Error, _here, _Named, _Object

__all__ = ["Box", "Connection", "Error", "State", "StateMachine", "Timeline", "Transition"]


class Box(_Named):
    """A box, either created here or part of a behavior (`run.box("root/Say")`).

    A new box has the inputs `onLoad` (visible from inside), `onStart` and `onStop`. Its behavior is defined by the
    functions that are registered for its inputs.

    `inputs` and `outputs` are names, or pairs of a name and a kind. The kinds of inputs are `onStart`, `onStop`,
    `onLoad` and `onEvent` (the default); those of outputs are `punctual` (the default) and `onStopped`. `parameters`
    maps names to values. `timeline`, with the arguments of `Timeline`, and `stateMachine` give the box an inside.
    """

    _kind = "box"

    def __init__(self, name: str = "Unnamed-Box", inputs: Iterable[Any] = (), outputs: Iterable[Any] = (),
                 parameters: Mapping[str, Any] | None = None, timeline: Mapping[str, Any] | None = None,
                 stateMachine: bool = False, run: Any = None) -> None:
        self._engine = run if run is not None else _here()
        described = {
            "name": name,
            "inputs": [_port(port) for port in inputs],
            "outputs": [_port(port) for port in outputs],
            "parameters": dict(parameters or {}),
            "timeline": None if timeline is None else _timeline(**timeline),
            "stateMachine": bool(stateMachine),
        }
        self._handle = tuple(self._engine.ask("run", (), "newBox", [described]))

    def _put(self, operation: str, name: str, value: Any) -> None:
        """Sends a value unchanged, even if it is one of these objects."""
        self._engine.ask(self._kind, self._handle, operation, [name, value])

    def getPath(self) -> str:
        """Returns the box path as messages and traces have it: `root/Dance/Say`."""
        return self._do("getPath")

    def getPhase(self) -> str:
        """Returns the phase of its lifecycle: `out`, `entering`, `inscope`, `activating`, `active`, `stopping` or
        `leaving`."""
        return self._do("getPhase")

    def isLoaded(self) -> bool:
        return self._do("isLoaded")

    def isStarted(self) -> bool:
        return self._do("isStarted")

    def getParentBox(self) -> "Box | None":
        """Returns the box that contains this one."""
        return self._as(Box, self._do("getParentBox"))

    def getBoxes(self) -> "list[Box]":
        """Returns the boxes inside this one."""
        return self._all(Box, self._do("getBoxes"))

    def getBox(self, name: str) -> "Box | None":
        """Returns the first box inside this one with this name."""
        return self._as(Box, self._do("getBox", name))

    # -- lifecycle, for boxes that are not loaded by another box --

    def load(self) -> None:
        """Constructs and loads the box, unless it is loaded."""
        self._do("load")

    def start(self) -> None:
        """Starts the box unless it is started, and loads it before if necessary. A box inside another one is started
        through its first onStart input."""
        self._do("start")

    def stop(self) -> None:
        """Stops the box. A box that no other box loads is unloaded; of a box inside another one, the inside is
        unloaded."""
        self._do("stop")

    def unload(self) -> None:
        self._do("unload")

    def registerOnLoadCallback(self, function: Callable[[], Any]) -> Connection:
        """Calls a function each time the box has been loaded. The load waits for the function."""
        return self._listen("onLoad", function)

    def registerOnUnloadCallback(self, function: Callable[[], Any]) -> Connection:
        """Calls a function each time the box is unloaded. The unload waits for the function."""
        return self._listen("onUnload", function)

    # -- ports --

    def stimulateInput(self, name: str, value: Any = None) -> None:
        self._put("stimulateInput", name, value)

    def stimulateOutput(self, name: str, value: Any = None) -> None:
        """Stimulates an output, as the box itself would."""
        self._put("stimulateOutput", name, value)

    def stimulateIO(self, name: str, value: Any = None) -> None:
        """Stimulates the input with this name or, if there is none, the output."""
        if name in self.getInputs():
            self.stimulateInput(name, value)
        else:
            self.stimulateOutput(name, value)

    def getInputs(self) -> list[str]:
        return self._do("getInputs")

    def getOutputs(self) -> list[str]:
        return self._do("getOutputs")

    def registerOnInputCallback(self, name: str, function: Callable[..., Any]) -> Connection:
        """Calls a function with each value that an input receives; a bang is None."""
        return self._listen("onInput", function, name)

    def registerOnOutputCallback(self, name: str, function: Callable[..., Any]) -> Connection:
        """Calls a function with each value of an output."""
        return self._listen("onOutput", function, name)

    def connect(self, output: str, target: "Box | Callable[..., Any]", name: str | None = None) -> Connection:
        """Links an output to an input or parameter of another box, or to a function."""
        if not isinstance(target, Box):
            return self.registerOnOutputCallback(output, target)
        if name is None:
            raise TypeError("connect() to a box needs the name of its input or parameter")
        connection = Connection(self._engine, self._do("connect", output, target, name), None)
        self._engine.kept(connection)
        return connection

    # -- parameters --

    def getParametersList(self) -> list[str]:
        return self._do("getParametersList")

    def getParameter(self, name: str) -> Any:
        """Returns the value of the box's own parameter, or of the nearest parent's."""
        return self._do("getParameter", name)

    def setParameter(self, name: str, value: Any) -> None:
        self._put("setParameter", name, value)

    # -- inside --

    def hasTimeline(self) -> bool:
        return self._do("getTimeline") is not None

    def getTimeline(self) -> "Timeline | None":
        """Returns the box's timeline, if it has one whose cursor moves."""
        return self._as(Timeline, self._do("getTimeline"))

    def hasStateMachine(self) -> bool:
        return self._do("getStateMachine") is not None

    def getStateMachine(self) -> "StateMachine | None":
        """Returns the box's state machine: an explicit one, or the states of its timeline's layers."""
        return self._as(StateMachine, self._do("getStateMachine"))

    def __repr__(self) -> str:
        try:
            return "<Box %s>" % self.getPath()
        except RuntimeError:
            return "<Box of a run that is over>"


def _port(port: Any) -> Any:
    return port if isinstance(port, str) else list(port)


def _timeline(fps: int = 25, start: int = 0, end: int | None = None,
              curves: Mapping[str, Iterable[tuple[int, float]]] | None = None) -> dict[str, Any]:
    keys = {joint: [list(key) for key in curve] for joint, curve in (curves or {}).items()}
    return {"fps": fps, "start": start, "end": end, "curves": keys}


class Timeline(_Object):
    """A timeline with curves, a cursor and flags.

    A new timeline has the frames from `start` to `end`, at `fps` frames per second. Without `end` it ends at its
    last key, and without keys it never ends. `curves` maps joints to keys, which are pairs of a frame and a value in
    degrees (hands 0 to 1).
    """

    _kind = "timeline"

    def __init__(self, fps: int = 25, start: int = 0, end: int | None = None,
                 curves: Mapping[str, Iterable[tuple[int, float]]] | None = None, name: str = "Timeline",
                 run: Any = None) -> None:
        self._engine = run if run is not None else _here()
        described = _timeline(fps, start, end, curves)
        self._handle = tuple(self._engine.ask("run", (), "newTimeline", [name, described]))

    def getBox(self) -> Box:
        """Returns the box that has the timeline. A timeline created by itself has a box of its own."""
        return self._as(Box, self._handle)

    def play(self) -> None:
        """Plays from the cursor's frame, or from the start if the cursor is at the end. Loads the timeline unless it is
        loaded."""
        self._do("play")

    def pause(self) -> None:
        """Stops the cursor, the motion and the state machine where they are."""
        self._do("pause")

    def stop(self) -> None:
        """Unloads the timeline. When it is loaded again, its cursor is on the start frame."""
        self._do("stop")

    def goTo(self, frame: int | str) -> int:
        """Moves the cursor to a frame, or to the frame of a keyframe, label or state. Returns the frame."""
        return self._do("goTo", frame)

    def gotoAndPlay(self, frame: int | str) -> None:
        self.goTo(frame)
        self.play()

    def gotoAndStop(self, frame: int | str) -> None:
        self.goTo(frame)
        self.pause()

    def getSize(self) -> int:
        """Returns the end frame minus the start frame; 0 if the timeline never ends."""
        return self._do("getSize")

    def getStartFrame(self) -> int:
        return self._do("getStartFrame")

    def getEndFrame(self) -> int | None:
        """Returns the end frame; None if the timeline never ends."""
        return self._do("getEndFrame")

    def getFPS(self) -> int:
        return self._do("getFPS")

    def setFPS(self, fps: int) -> None:
        """Sets the frames per second from now on. While the timeline is not loaded, this holds for all later loads."""
        self._do("setFPS", fps)

    def getFrame(self) -> int:
        """Returns the frame of the cursor; -1 while the timeline is not loaded."""
        return self._do("getFrame")

    def isPlaying(self) -> bool:
        return self._do("isPlaying")

    def addFlag(self, frame: int, state: "str | State") -> None:
        """Makes the timeline's state machine enter a state whenever the cursor comes to a frame."""
        self._do("addFlag", frame, state.getName() if isinstance(state, State) else state)

    def getFlags(self) -> list[tuple[int, str]]:
        return [(frame, name) for frame, name in self._do("getFlags")]

    def setStateMachine(self, machine: "StateMachine") -> None:
        """Gives the timeline a state machine to drive."""
        self._do("setStateMachine", machine)

    def getStateMachine(self) -> "StateMachine | None":
        return self._as(StateMachine, self._do("getStateMachine"))

    def registerOnStoppedCallback(self, function: Callable[[], Any]) -> Connection:
        """Calls a function each time the cursor has come to the end. A stop does not count as the end."""
        return self._listen("onStopped", function)

    def waitForTimelineCompletion(self, timeout: float | None = None) -> bool:
        """Lets time pass until the timeline does not play any more. Returns False if the timeout, in seconds, passes
        first."""
        return self._engine.wait_until_still(self, timeout)

    def __repr__(self) -> str:
        try:
            return "<Timeline of %s>" % self.getBox().getPath()
        except RuntimeError:
            return "<Timeline of a run that is over>"


class StateMachine(_Named):
    """A state machine: created here, read from a file, or the states of a timeline's layers, which cannot be changed."""

    _kind = "machine"

    def __init__(self, name: str = "Unnamed-StateMachine", run: Any = None) -> None:
        self._engine = run if run is not None else _here()
        self._handle = tuple(self._engine.ask("run", (), "newStateMachine", [name]))

    def getBox(self) -> Box:
        """Returns the box that has the state machine. A state machine created by itself has a box of its own."""
        return self._as(Box, self._handle)

    # -- states --

    def addState(self, name: "str | Box", boxes: Iterable[Box] = ()) -> "State":
        """Adds a state that contains these boxes. If `name` is a box, the state has its name and contains it."""
        held = list(boxes)
        if isinstance(name, Box):
            held.insert(0, name)
            name = name.getName()
        return self._as(State, self._do("addState", name, [self._wire(box) for box in held]))

    def removeState(self, state: "State | Box | str") -> None:
        self._do("removeState", self._state(state))

    def getStates(self) -> "list[State]":
        return self._all(State, self._do("getStates"))

    def getState(self, name: str) -> "State | None":
        """Returns the state with this label, or else the one with this name."""
        return self._as(State, self._do("getState", name))

    def getCurrentState(self) -> "State | None":
        return self._as(State, self._do("getCurrentState"))

    def setInitialState(self, state: "State | Box | str") -> None:
        """Sets the state in which a run begins. By default it is the first state."""
        self._do("setInitialState", self._state(state))

    def getInitialState(self) -> "State | None":
        return self._as(State, self._do("getInitialState"))

    def setFinalState(self, state: "State | Box | str") -> None:
        """Marks a state as final. Reaching it stops nothing."""
        self._do("setFinalState", self._state(state))

    def removeFinalState(self, state: "State | Box | str") -> bool:
        return self._do("removeFinalState", self._state(state))

    def getFinalStates(self) -> "list[State]":
        return self._all(State, self._do("getFinalStates"))

    def isOnFinalState(self) -> bool:
        return self._do("isOnFinalState")

    def _state(self, which: "State | Box | str") -> "State":
        if isinstance(which, State):
            return which
        if isinstance(which, Box):
            found = next((state for state in self.getStates() if which in state.getBoxes()), None)
        else:
            found = self.getState(which)
        if found is None:
            raise Error("%s has no state %s" % (self.getBox().getPath(), which))
        return found

    # -- transitions --

    def addTransition(self, source: "State | Box | str", target: "State | Box | str") -> "Transition":
        """Adds a transition, which is taken when it is triggered, or automatically: `setTimeOut`, `setWhenDone`."""
        return self._as(Transition, self._do("addTransition", self._state(source), self._state(target)))

    def removeTransition(self, transition: "Transition") -> None:
        self._do("removeTransition", transition)

    def getTransitions(self) -> "list[Transition]":
        return self._all(Transition, self._do("getTransitions"))

    def executeTransition(self, transition: "Transition") -> None:
        """Queues a transition to be taken. While the state machine is paused, the transition waits."""
        self._do("executeTransition", transition)

    # -- run --

    def run(self) -> None:
        """Enters the initial state. A running state machine continues, also after a pause."""
        self._do("run")

    def pause(self) -> None:
        """Takes no transitions until it runs again."""
        self._do("pause")

    def stop(self) -> None:
        """Unloads the current state; there is no current state afterwards."""
        self._do("stop")

    def isRunning(self) -> bool:
        return self._do("isRunning")

    def isPaused(self) -> bool:
        return self._do("isPaused")

    def goToState(self, state: "State | Box | str") -> int | None:
        """Enters a state from any current state. Returns the frame at which the timeline enters the state, if there is
        one."""
        return self._do("goToState", self._state(state))

    def goToStateName(self, name: str) -> int | None:
        """Enters the state with this label, or else the one with this name."""
        return self._do("goToStateName", name)

    def goToLabel(self, label: int | str) -> int | None:
        """Enters the state with this label, or the one that a frame belongs to. Returns the first frame of the state."""
        if isinstance(label, str):
            return self.goToStateName(label)
        interval = self.goToFrame(label).getInterval()
        return None if interval is None else interval[0]

    def goToFrame(self, frame: int) -> "State":
        """Enters the state that a frame belongs to."""
        return self._as(State, self._do("goToFrame", frame))

    def registerNewStateCallback(self, function: Callable[..., Any]) -> Connection:
        """Calls a function each time a state has been entered, with the state if the function takes an argument. The
        next state is loaded by then, and the previous one is unloaded."""
        return self._listen("onNewState", function, told=lambda handle: self._as(State, handle))


class State(_Named):
    """A state of a state machine. Also created by `machine.addState()`."""

    _kind = "state"

    def __init__(self, machine: StateMachine, name: str = "Unnamed-State", boxes: Iterable[Box] = ()) -> None:
        made = machine.addState(name, boxes)
        self._init(made._engine, made._handle)

    def getStateMachine(self) -> StateMachine:
        return self._as(StateMachine, self._handle[:1])

    def getLabels(self) -> list[str]:
        return self._do("getLabels")

    def addLabel(self, label: str) -> None:
        """Adds a name that a goto can use. If two states have the same label, the first one counts."""
        self._do("addLabel", label)

    def getInterval(self) -> tuple[int, int] | None:
        """Returns the frames that the state covers: the first one, and the one after the last."""
        interval = self._do("getInterval")
        return None if interval is None else (interval[0], interval[1])

    def setInterval(self, begin: int | None = None, end: int | None = None) -> None:
        self._do("setInterval", begin, end)

    def getBoxes(self) -> list[Box]:
        return self._all(Box, self._do("getBoxes"))

    def addBox(self, box: Box) -> None:
        """Adds a box to the state, which must not be current."""
        self._do("addBox", box)

    def link(self, source: Box, output: str, target: Box, name: str) -> None:
        """Links an output of a box to an input or parameter of another one, while the state is current. Either box may
        be the one that has the state machine; links from its `onLoad` input carry what happens when the state is
        entered."""
        self._do("link", source, output, target, name)

    def addTransition(self, target: "State | Box | str") -> "Transition":
        return self.getStateMachine().addTransition(self, target)

    def getTransitions(self) -> "list[Transition]":
        return self._all(Transition, self._do("getTransitions"))

    def registerOnLoadCallback(self, function: Callable[[], Any]) -> Connection:
        """Calls a function each time the state's boxes have been loaded and its links are active."""
        return self._listen("onLoad", function)

    def registerOnUnloadCallback(self, function: Callable[[], Any]) -> Connection:
        """Calls a function each time the state's links have been broken, before its boxes are unloaded."""
        return self._listen("onUnload", function)


class Transition(_Named):
    """A transition between two states of a state machine."""

    _kind = "transition"

    def __init__(self, source: State, target: State, name: str | None = None, timeOut: float | None = None) -> None:
        made = source.addTransition(target)
        self._init(made._engine, made._handle)
        if name is not None:
            self.setName(name)
        if timeOut is not None:
            self.setTimeOut(timeOut)

    def getStateMachine(self) -> StateMachine:
        return self._as(StateMachine, self._handle[:1])

    def getFromState(self) -> State:
        return self._as(State, self._do("getFromState"))

    def getToState(self) -> State:
        return self._as(State, self._do("getToState"))

    def trigger(self) -> None:
        """Takes the transition; its source state must be current."""
        self._do("trigger")

    def setTimeOut(self, seconds: float | None) -> None:
        """Takes the transition automatically after this many seconds in its source state; with None or a negative
        number only when it is triggered."""
        self._do("setTimeOut", seconds)

    def getTimeOut(self) -> float | None:
        return self._do("getTimeOut")

    def setWhenDone(self) -> None:
        """Takes the transition automatically when the work of its source state is done."""
        self._do("setWhenDone")
