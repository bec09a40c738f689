"""The functions that box scripts inherited in the robot's older frame managers: ports, parameters and links that are
made at run time.

A link is a subscription: the engine notifies of its boxes' ports, the memory of its keys, and this module of ports
that a script has added. All links end when the box is destroyed. `docs/reference/python.md` lists the functions.
"""
import sys
import types

from . import calling, frames, state

_TEXTS = (str, type(u""))

# Natures, as files number them.
ON_LOAD, ON_EVENT, ON_START, ON_STOP, MEMORY = range(5)
STOPPED = 1
LOCK, STOP_ON_DEMAND, PAUSE_ON_DEMAND, CALLBACK_ON_DEMAND = range(4)


class BoxAdditions(object):
    """The ports, parameters and links that a script has added to its box."""

    def __init__(self):
        self.inputs = {}
        self.outputs = {}
        self.parameters = {}
        self.listeners = {}
        self.links = {}
        self.loads = 0


def _additions(box):
    if box.additions is None:
        box.additions = BoxAdditions()
    return box.additions


def describe(box):
    """Returns the engine's data of a box as a dictionary (`legacy_api.rs`)."""
    found = state.bridge.call(box.number, frames.caller()[1], "ALBoxstep", "describe", [box.info["full_name"]])
    return dict((str(key), value) for key, value in found.items())


def later(function, *args):
    """Calls a function as a task of its own."""
    state.bridge.spawn(state.new_callback(lambda: function(*args)))


def subscribe(box, kind, a, b, function):
    """Subscribes a function to a topic. The subscription ends when the returned function is called, or the box is
    destroyed."""
    kept = state.new_callback(function, once=False)
    try:
        number = state.bridge.subscribe(box.number, frames.caller()[1], kind, a, b, kept)
    except RuntimeError:
        state.forget(kept)
        raise

    def end():
        state.bridge.unsubscribe(number)
        state.forget(kept)

    return _until_dropped(box, ("link", number), end)


def _until_dropped(box, key, end):
    """Calls `end` when the box is destroyed, or when the returned function is called first."""
    def release():
        state.not_on_drop(box.number, key)
        end()

    state.on_drop(box.number, key, end)
    return release


def _box_of(target):
    """Returns the box that an object, a name or a path means: that of the latest run if there are several; None if it
    has no script."""
    of = getattr(target, "_boxstep_box", None)
    if of is not None or not isinstance(target, _TEXTS):
        return of
    for number in sorted(state.objects, reverse=True):
        of = getattr(state.objects[number], "_boxstep_box", None)
        if of is not None and target in (of.info["full_name"], of.info["path"], of.info.get("shown_name")):
            return of
    return None


def listen(box, target, port, function):
    """Subscribes a function to a port of a box; see subscribe."""
    of = _box_of(target)
    if of is not None:
        own = _additions(of)
        if port in own.inputs or port in own.outputs:
            told = own.listeners.setdefault(port, [])
            told.append(function)
            return _until_dropped(box, ("own", id(function)), lambda: told.remove(function))
        if target not in (of.info["full_name"], of.info["path"]):  # the name that the engine knows
            target = of.info["full_name"]
    return subscribe(box, "signal", "ALBoxstep", "%s.%s" % (target, port), function)


class Legacy(object):
    """The inherited functions; box.BoxBase has the rest."""

    # -- identity --

    def setName(self, name):
        """Gives the box another name, which `getName()` returns and under which memory events find the box."""
        box = self._boxstep_box
        box.info = dict(box.info, shown_name=name)
        self.BIND_PYTHON(name, "")
        self.logger.name = name

    def getPath(self):
        return self._boxstep_box.info["behavior_path"]

    def getBehaviorPath(self, behavior=None):
        """Returns the behavior's folder, for any argument."""
        return self._boxstep_box.info["behavior_path"]

    # -- ports and parameters --

    def addInput(self, name, nature=ON_EVENT, *_):
        """Adds an input; `stimulateIO` and links stimulate it, and it calls `onInput_name`."""
        box = self._boxstep_box
        if not any(name == known for known, _ in box.info["inputs"]):
            _additions(box).inputs[name] = int(nature)
            setattr(box.generated, str("onInput_%s__" % name), _stimulates(name))

    def addOutput(self, name, isBang=True, nature=2, *_):
        """Adds an output, which is a method with its name. Its receivers are those of `connectInput` and similar
        functions, and of `addCallbackToSignal`."""
        box = self._boxstep_box
        if not any(name == known for known, _ in box.info["outputs"]):
            _additions(box).outputs[name] = int(nature)
            for spelled in (name, name + "__"):
                setattr(box.generated, str(spelled), _stimulates(name, isBang))

    def addParameter(self, name, value=None, parentValue=False, *_):
        """Adds a parameter; with `parentValue` the nearest parent's parameter of that name takes precedence. An
        existing parameter is set."""
        box = self._boxstep_box
        if name in box.info["parameters"]:
            state.bridge.set_parameter(box.number, name, value)
        else:
            _additions(box).parameters[name] = [value, bool(parentValue)]

    addParam = addParameter

    def get_io_with_type(self, nature):
        """Returns the names of the inputs and outputs whose nature has this number; None if there are none."""
        return self._boxstep_of_nature("inputs", nature) + self._boxstep_of_nature("outputs", nature) or None

    def _boxstep_of_nature(self, kind, nature):
        """Returns the names of the `inputs` or `outputs` of a nature."""
        box = self._boxstep_box
        pairs = [tuple(pair) for pair in describe(box)[kind]] + sorted(getattr(_additions(box), kind).items())
        return [name for name, number in pairs if number == nature]

    # -- links --

    def connectInput(self, name, target, signal=True):
        """Stimulates an input whenever a port of another box is stimulated or, with one name, a memory key is raised."""
        self._boxstep_connect("connectInput", name, target, signal, lambda value=None: self.stimulateIO(name, value))

    def connectOutput(self, name, target, signal=True):
        """Stimulates an output whenever a port of another box is stimulated; with one name, raises that memory key
        whenever the output is stimulated."""
        self._boxstep_connect("connectOutput", name, target, signal, lambda value=None: self.stimulateIO(name, value))

    def connectParameter(self, name, target, signal=True):
        """Sets a parameter whenever a port of another box is stimulated or a memory key is raised."""
        self._boxstep_connect("connectParameter", name, target, signal,
                              lambda value=None: self.setParameter(name, value))

    def disconnectInput(self, name, target, signal=True):
        self._boxstep_disconnect("connectInput", name, target, signal)

    def disconnectOutput(self, name, target, signal=True):
        self._boxstep_disconnect("connectOutput", name, target, signal)

    def disconnectParameter(self, name, target, signal=True):
        self._boxstep_disconnect("connectParameter", name, target, signal)

    def addCallbackToSignal(self, signal, callback):
        """Calls a function with the value whenever an input or output of this box is stimulated."""
        call = lambda value=None: calling.up_to(callback, (value,))
        self._boxstep_link("addCallbackToSignal", ("callback", signal, callback),
                           lambda: listen(self._boxstep_box, self, signal, call))

    def removeCallbackToSignal(self, signal, callback):
        self._boxstep_unlink("removeCallbackToSignal", ("callback", signal, callback))

    def bindInputToSTMValue(self, callback, key):
        """When a memory key is raised, calls a function or the method with this name, or stimulates the input with this
        name."""
        box = self._boxstep_box
        if not callable(callback):
            method = getattr(self, callback, None)
            name, callback = callback, method
            if method is None:
                callback = lambda value=None: self.stimulateIO(name, value)
        call = lambda value=None: calling.up_to(callback, (value,))
        self._boxstep_link("bindInputToSTMValue", ("stm", key, callback),
                           lambda: subscribe(box, "memory", key, "", call))

    def dispose_memory_watcher(self):
        """Ends the subscriptions of this box by bindInputToSTMValue."""
        for key in [key for key in _additions(self._boxstep_box).links if key[0] == "stm"]:
            self._boxstep_unlink("dispose_memory_watcher", key)

    def _boxstep_has(self, kind, name):
        box = self._boxstep_box
        own = _additions(box)
        if kind == "connectParameter":
            return name in own.parameters or name in box.info["parameters"]
        known, added = ("inputs", own.inputs) if kind == "connectInput" else ("outputs", own.outputs)
        return name in added or any(name == other for other, _ in box.info[known])

    def _boxstep_connect(self, kind, name, target, signal, function):
        if not isinstance(signal, _TEXTS) and not signal:
            return self._boxstep_disconnect(kind, name, target, True)
        if not self._boxstep_has(kind, name):
            return self._boxstep_wrong("%s(): this box has no %s named %s" % (kind, kind[len("connect"):].lower(), name))
        box = self._boxstep_box

        def begin():
            if isinstance(signal, _TEXTS):
                return listen(box, target, signal, function)
            if kind == "connectOutput":
                raises = lambda value=None: state.bridge.call(box.number, 0, "ALMemory", "raiseEvent", [target, value])
                return listen(box, self, name, raises)
            return subscribe(box, "memory", target, "", function)

        return self._boxstep_link(kind, _key(kind, name, target, signal), begin)

    def _boxstep_disconnect(self, kind, name, target, signal):
        self._boxstep_unlink("dis" + kind, _key(kind, name, target, signal))

    def _boxstep_link(self, what, key, begin):
        """Starts a link, or increments the count of an existing one."""
        links = _additions(self._boxstep_box).links
        if key not in links:
            try:
                links[key] = [0, begin()]
            except RuntimeError as error:
                return self._boxstep_wrong("%s(): %s" % (what, error))
        links[key][0] += 1

    def _boxstep_unlink(self, what, key):
        links = _additions(self._boxstep_box).links
        if key not in links:
            return self._boxstep_wrong("%s(): there is no such link: %s" % (what, ", ".join(str(k) for k in key[1:])))
        links[key][0] -= 1
        if not links[key][0]:
            links.pop(key)[1]()

    def _boxstep_wrong(self, text):
        state.bridge.log(self._boxstep_box.number, frames.caller()[1], "error", text)

    def _boxstep_trigger(self, name, value):
        """Handles a stimulation of an input or output that a script has added."""
        own = _additions(self._boxstep_box)
        if name in own.inputs:
            later(self._boxstep_input, name, own.inputs[name], value)
        elif own.outputs[name] == STOPPED:
            self.getTimeline().stop()
        for function in own.listeners.get(name, ()):
            later(function, value)

    def _boxstep_input(self, name, nature, value):
        if nature in (ON_EVENT, ON_START, ON_STOP) and not self._safeCallOfUserMethod("onInput_" + name, value):
            return
        if nature == ON_START:
            self.getTimeline().play()
        elif nature == ON_STOP:
            self.getTimeline().stop()

    # -- timelines and state machines --

    def hasStateMachine(self):
        """Returns whether the box contains anything that frames can enter."""
        return bool(describe(self._boxstep_box)["states"])

    def getStateMachine(self):
        return StateMachine(self)

    def gotoParent(self, label):
        self.getParentTimeline().goTo(label)

    def getTimelineFps(self, name=None):
        return self._boxstep_frames("getTimelineFps", [name or self._boxstep_box.info["full_name"]])

    def setTimelineFps(self, name, fps):
        self._boxstep_frames("setTimelineFps", [name, fps])

    def _boxstep_frames(self, method, args):
        return state.bridge.call(self._boxstep_box.number, frames.caller()[1], "ALFrameManager", method, args)

    # -- what generated code calls --

    def _safeCallOfUserMethod(self, name, value=None):
        """Calls a method if it exists, with the value if it takes exactly one argument. Returns True unless it failed.
        An exception goes to the output or method `onError`, or else to the log."""
        method = getattr(self, name, None)
        if method is None:
            return True
        try:
            if calling.hook_takes(method) == 1:
                method(value)
            else:
                method()
            return True
        except state.bridge.Stopped:
            raise
        except BaseException as error:
            if getattr(self, "onError", None) is None:
                frames.report(error)
            else:
                self.onError("%s:%s" % (self.getName(), frames.text_of(error)))
            return False

    def __onLoad__(self):
        """Counts loads; calls `onLoad` if neither an earlier load nor the engine has loaded the box."""
        own = _additions(self._boxstep_box)
        own.loads += 1
        if own.loads == 1 and not describe(self._boxstep_box)["loaded"]:
            self._safeCallOfUserMethod("onLoad")

    def __onUnload__(self):
        """Counts unloads; calls `onUnload` if neither another load nor the engine has the box loaded any more."""
        own = _additions(self._boxstep_box)
        own.loads = max(own.loads - 1, 0)
        if own.loads == 0 and not describe(self._boxstep_box)["loaded"]:
            if self.resource:
                self.releaseResource()
            self._safeCallOfUserMethod("onUnload")

    def __onNewState__(self):
        """Stimulates the inputs that are only visible from inside."""
        for name in self._boxstep_of_nature("inputs", ON_LOAD):
            self.stimulateIO(name)

    def __onTimelineStopped__(self):
        """Stimulates every onStopped output."""
        for name in self._boxstep_of_nature("outputs", STOPPED):
            self.stimulateIO(name)

    def __onResource__(self, name):
        """Applies the mode of the box's resources when another box asks for them."""
        known = describe(self._boxstep_box)
        if known["mode"] == CALLBACK_ON_DEMAND:
            self._safeCallOfUserMethod("onResource", name)
        elif known["mode"] == STOP_ON_DEMAND:
            lost = getattr(self, "onResourceLost", None)
            if lost is not None:
                self._safeCallOfUserMethod("onResourceLost", None)
            self.getTimeline().stop()
            self.releaseResource()
            if lost is None:
                self.__onTimelineStopped__()
        elif known["mode"] == PAUSE_ON_DEMAND:
            self.getTimeline().pause()
            self.releaseResource()
            if self.waitResourceFree() and self.waitResources():
                self.getTimeline().play()


def _key(kind, name, target, signal):
    """Returns the key by which links are counted."""
    of = _box_of(target)
    signal = signal if isinstance(signal, _TEXTS) else ""
    return (kind, name, target if of is None else of.info["full_name"], signal)


def _stimulates(name, is_bang=True):
    """Returns a method that stimulates a port; a value is required unless the port is a bang."""
    if is_bang:
        def method(self, p=None):
            self.stimulateIO(name, p)
    else:
        def method(self, p):
            self.stimulateIO(name, p)
    return method


def generated_methods(info):
    """Returns the methods that frame managers called: `onInput_name__` for every input and `name__` for every output."""
    made = dict(("onInput_%s__" % name, _stimulates(name)) for name, _ in info["inputs"])
    made.update(("%s__" % name, _stimulates(name, is_bang)) for name, is_bang in info["outputs"])
    return dict((str(name), method) for name, method in made.items())


class State(object):
    """A state of a StateMachine: the frames from `getBegin()` up to the beginning of the next state."""

    def __init__(self, begin, labels):
        self._begin, self._labels = begin, list(labels)

    def getBegin(self):
        return self._begin

    def getLabels(self):
        return list(self._labels)

    def getName(self):
        return self._labels[0] if self._labels else ""


class StateMachine(object):
    """The contents of a box as states over frames; the box's timeline determines the current state."""

    def __init__(self, of):
        self._of = of

    def _states(self):
        return [State(begin, labels) for begin, labels in describe(self._of._boxstep_box)["states"]]

    def _go(self, found):
        if found is None:
            return -1
        self._of.getTimeline().goTo(found.getBegin())
        return found.getBegin()

    def goToLabel(self, label):
        """Enters the state with a label, or the one that a frame belongs to. Returns its first frame, or -1 if there is
        none."""
        if isinstance(label, _TEXTS):
            return self.goToStateName(label)
        end = describe(self._of._boxstep_box)["end"]
        if label <= 0 or (end is not None and label > end):
            return -1
        before = [each for each in self._states() if each.getBegin() <= label]
        return self._go(before[-1] if before else None)

    def goToStateName(self, name):
        return self._go(next((each for each in self._states() if name in each.getLabels()), None))

    def getCurrentState(self):
        """Returns the current state; None while the inside is not loaded or before the first state."""
        known = describe(self._of._boxstep_box)
        if not known["inside"]:
            return None
        before = [State(begin, labels) for begin, labels in known["states"] if begin <= known["frame"]]
        return before[-1] if before else None

    def isOnFinalState(self):
        states, current = self._states(), self.getCurrentState()
        return current is not None and current.getBegin() == states[-1].getBegin()

    def run(self):
        self._of.getTimeline().play()

    def pause(self):
        self._of.getTimeline().pause()

    def stop(self):
        self._of.getTimeline().stop()


class _QiCore(types.ModuleType):
    """The module `qicore` or a part of it, whose names are imported from `boxstep.qicore` on first use."""

    def __init__(self, name, names):
        types.ModuleType.__init__(self, name)
        self.__path__ = []
        self.__all__ = list(names)

    def __getattr__(self, name):
        if name not in self.__all__:
            raise AttributeError("module %r has no attribute %r" % (self.__name__, name))
        if sys.version_info >= (3,):
            from boxstep import qicore
            return getattr(qicore, name)

        def makes_nothing(*args, **named):
            raise RuntimeError("qicore.%s(): a script in Python 2.7 cannot make this; its box's own is "
                               "self.getTimeline() or self.getStateMachine()" % name)
        return makes_nothing


def modules(base):
    """Returns `qicore` and `qicore_legacy`, as converted behaviors import them."""
    def dispose_memory_watcher():
        """Ends the subscriptions by bindInputToSTMValue in every box."""
        for made in list(state.objects.values()):
            if isinstance(made, base):
                made.dispose_memory_watcher()

    old = types.ModuleType("qicore_legacy")
    old.BehaviorLegacy = base
    # Some converters have written this spelling.
    old.BehaviorLeagcy = base
    old.dispose_memory_watcher = dispose_memory_watcher
    machine = ("State", "StateMachine", "Transition")
    qicore = _QiCore("qicore", machine + ("Box", "Timeline"))
    qicore.timeline = _QiCore("qicore.timeline", ["Timeline"])
    qicore.statemachine = _QiCore("qicore.statemachine", machine)
    return dict((module.__name__, module) for module in (qicore, qicore.timeline, qicore.statemachine, old))
