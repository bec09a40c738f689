"""What box scripts inherited in the robot's older frame managers: ports, parameters and links made while a behavior runs.

A link is a subscription: the engine tells of its boxes' ports, memory of its keys, and ports that a script has added
are told of from here. Everything ends when the box is destroyed. `docs/python.md` lists the functions.
"""
import sys
import types

from . import calling, frames, state

_TEXTS = (str, type(u""))

# Natures, as files number them.
ON_LOAD, ON_EVENT, ON_START, ON_STOP, MEMORY = range(5)
STOPPED = 1
LOCK, STOP_ON_DEMAND, PAUSE_ON_DEMAND, CALLBACK_ON_DEMAND = range(4)


class Wiring(object):
    """What a script has added to its box."""

    def __init__(self):
        self.inputs = {}
        self.outputs = {}
        self.parameters = {}
        self.listeners = {}
        self.links = {}
        self.loads = 0


def _wiring(box):
    if box.wiring is None:
        box.wiring = Wiring()
    return box.wiring


def describe(box):
    """What the engine knows of a box: a dictionary (`legacy_api.rs`)."""
    found = state.bridge.call(box.number, frames.caller()[1], "ALBoxstep", "describe", [box.info["full_name"]])
    return dict((str(key), value) for key, value in found.items())


def later(function, *args):
    """Calls a function as a task of its own."""
    state.bridge.spawn(state.new_callback(lambda: function(*args)))


def subscribe(box, kind, a, b, function):
    """Has a function called with a value until the release that is returned is called, or the box is destroyed."""
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
    """Calls `end` when the box is destroyed, unless what is returned is called first."""
    def release():
        state.not_on_drop(box.number, key)
        end()

    state.on_drop(box.number, key, end)
    return release


def _box_of(target):
    """The box that an object, a name or a path means, of several runs of a behavior the last; None if it has no script."""
    of = getattr(target, "_boxstep_box", None)
    if of is not None or not isinstance(target, _TEXTS):
        return of
    for number in sorted(state.objects, reverse=True):
        of = getattr(state.objects[number], "_boxstep_box", None)
        if of is not None and target in (of.info["full_name"], of.info["path"], of.info.get("shown_name")):
            return of
    return None


def listen(box, target, port, function):
    """The same for a port of a box."""
    of = _box_of(target)
    if of is not None:
        own = _wiring(of)
        if port in own.inputs or port in own.outputs:
            told = own.listeners.setdefault(port, [])
            told.append(function)
            return _until_dropped(box, ("own", id(function)), lambda: told.remove(function))
        if target not in (of.info["full_name"], of.info["path"]):  # what the engine knows it by
            target = of.info["full_name"]
    return subscribe(box, "signal", "ALBoxstep", "%s.%s" % (target, port), function)


class Legacy(object):
    """The functions; box.BoxBase has the rest."""

    # -- identity --

    def setName(self, name):
        """From now on `getName()` answers this too, and memory events find the box under it."""
        box = self._boxstep_box
        box.info = dict(box.info, shown_name=name)
        self.BIND_PYTHON(name, "")
        self.logger.name = name

    def getPath(self):
        return self._boxstep_box.info["behavior_path"]

    def getBehaviorPath(self, behavior=None):
        """The behavior's folder, whichever is asked for."""
        return self._boxstep_box.info["behavior_path"]

    # -- ports and parameters --

    def addInput(self, name, nature=ON_EVENT, *_):
        """One more input; `stimulateIO` and links stimulate it, and it calls `onInput_name`."""
        box = self._boxstep_box
        if not any(name == known for known, _ in box.info["inputs"]):
            _wiring(box).inputs[name] = int(nature)
            setattr(box.generated, str("onInput_%s__" % name), _stimulates(name))

    def addOutput(self, name, isBang=True, nature=2, *_):
        """One more output: a method of that name. It leads where `connectInput` and its like and `addCallbackToSignal` say."""
        box = self._boxstep_box
        if not any(name == known for known, _ in box.info["outputs"]):
            _wiring(box).outputs[name] = int(nature)
            for spelled in (name, name + "__"):
                setattr(box.generated, str(spelled), _stimulates(name, isBang))

    def addParameter(self, name, value=None, parentValue=False, *_):
        """One more parameter; with `parentValue` the nearest parent's of that name comes first. One that is there
        already is set."""
        box = self._boxstep_box
        if name in box.info["parameters"]:
            state.bridge.set_parameter(box.number, name, value)
        else:
            _wiring(box).parameters[name] = [value, bool(parentValue)]

    addParam = addParameter

    def get_io_with_type(self, nature):
        """The names of the inputs and outputs whose nature has this number; None if there are none."""
        return self._boxstep_of_nature("inputs", nature) + self._boxstep_of_nature("outputs", nature) or None

    def _boxstep_of_nature(self, kind, nature):
        """The names of the `inputs` or `outputs` of a nature."""
        box = self._boxstep_box
        pairs = [tuple(pair) for pair in describe(box)[kind]] + sorted(getattr(_wiring(box), kind).items())
        return [name for name, number in pairs if number == nature]

    # -- links --

    def connectInput(self, name, target, signal=True):
        """Stimulates an input whenever a port of another box is stimulated, or, with one name, a memory key raised."""
        self._boxstep_connect("connectInput", name, target, signal, lambda value=None: self.stimulateIO(name, value))

    def connectOutput(self, name, target, signal=True):
        """Stimulates an output whenever a port of another box is; with one name, raises that memory key whenever the
        output is stimulated."""
        self._boxstep_connect("connectOutput", name, target, signal, lambda value=None: self.stimulateIO(name, value))

    def connectParameter(self, name, target, signal=True):
        """Sets a parameter whenever a port of another box is stimulated or a memory key raised."""
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
        """Calls a function, a method by its name, or stimulates an input by its name, when a memory key is raised."""
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
        """Ends what bindInputToSTMValue of this box has begun."""
        for key in [key for key in _wiring(self._boxstep_box).links if key[0] == "stm"]:
            self._boxstep_unlink("dispose_memory_watcher", key)

    def _boxstep_has(self, kind, name):
        box = self._boxstep_box
        own = _wiring(box)
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
        """Begins a link, or counts one more of those that are there."""
        links = _wiring(self._boxstep_box).links
        if key not in links:
            try:
                links[key] = [0, begin()]
            except RuntimeError as error:
                return self._boxstep_wrong("%s(): %s" % (what, error))
        links[key][0] += 1

    def _boxstep_unlink(self, what, key):
        links = _wiring(self._boxstep_box).links
        if key not in links:
            return self._boxstep_wrong("%s(): there is no such link: %s" % (what, ", ".join(str(k) for k in key[1:])))
        links[key][0] -= 1
        if not links[key][0]:
            links.pop(key)[1]()

    def _boxstep_wrong(self, text):
        state.bridge.log(self._boxstep_box.number, frames.caller()[1], "error", text)

    def _boxstep_trigger(self, name, value):
        """An input or output that a script has added is stimulated."""
        own = _wiring(self._boxstep_box)
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
        """Is there anything inside the box that frames can enter?"""
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
        """Calls a method if there is one, with the value if it takes exactly one; True unless it failed. What it raises
        goes to the output or method `onError`, else to the log."""
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
        """Counts; calls `onLoad` if nothing, the engine included, had loaded the box yet."""
        own = _wiring(self._boxstep_box)
        own.loads += 1
        if own.loads == 1 and not describe(self._boxstep_box)["loaded"]:
            self._safeCallOfUserMethod("onLoad")

    def __onUnload__(self):
        """Counts down; calls `onUnload` if nothing, the engine included, has the box loaded any more."""
        own = _wiring(self._boxstep_box)
        own.loads = max(own.loads - 1, 0)
        if own.loads == 0 and not describe(self._boxstep_box)["loaded"]:
            if self.resource:
                self.releaseResource()
            self._safeCallOfUserMethod("onUnload")

    def __onNewState__(self):
        """Stimulates the inputs that only the inside sees."""
        for name in self._boxstep_of_nature("inputs", ON_LOAD):
            self.stimulateIO(name)

    def __onTimelineStopped__(self):
        """Stimulates every onStopped output."""
        for name in self._boxstep_of_nature("outputs", STOPPED):
            self.stimulateIO(name)

    def __onResource__(self, name):
        """Does what the box's resources are to do when another box asks for them."""
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
    """What links are counted by."""
    of = _box_of(target)
    signal = signal if isinstance(signal, _TEXTS) else ""
    return (kind, name, target if of is None else of.info["full_name"], signal)


def _stimulates(name, is_bang=True):
    """A method that stimulates a port; what is no bang needs a value."""
    if is_bang:
        def method(self, p=None):
            self.stimulateIO(name, p)
    else:
        def method(self, p):
            self.stimulateIO(name, p)
    return method


def generated_methods(info):
    """`onInput_name__` of every input and `name__` of every output: what frame managers called."""
    made = dict(("onInput_%s__" % name, _stimulates(name)) for name, _ in info["inputs"])
    made.update(("%s__" % name, _stimulates(name, is_bang)) for name, is_bang in info["outputs"])
    return dict((str(name), method) for name, method in made.items())


class State(object):
    """A state of a StateMachine: the frames from `getBegin()` up to the next one's."""

    def __init__(self, begin, labels):
        self._begin, self._labels = begin, list(labels)

    def getBegin(self):
        return self._begin

    def getLabels(self):
        return list(self._labels)

    def getName(self):
        return self._labels[0] if self._labels else ""


class StateMachine(object):
    """What is inside a box as states over frames; the box's timeline decides which of them is current."""

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
        """Enters the state with a label, or the one that a frame is in; its first frame, or -1 if there is none."""
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
        """None while the inside is not loaded or before the first state."""
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
    """`qicore` or a part of it: names of the package of users, `boxstep.qicore`, taken when somebody asks for them."""

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
    """`qicore` and `qicore_legacy`, as converted behaviors import them."""
    def dispose_memory_watcher():
        """Ends what bindInputToSTMValue has begun, in every box."""
        for made in list(state.objects.values()):
            if isinstance(made, base):
                made.dispose_memory_watcher()

    old = types.ModuleType("qicore_legacy")
    old.BehaviorLegacy = base
    # Converters have written it so, too.
    old.BehaviorLeagcy = base
    old.dispose_memory_watcher = dispose_memory_watcher
    machine = ("State", "StateMachine", "Transition")
    qicore = _QiCore("qicore", machine + ("Box", "Timeline"))
    qicore.timeline = _QiCore("qicore.timeline", ["Timeline"])
    qicore.statemachine = _QiCore("qicore.statemachine", machine)
    return dict((module.__name__, module) for module in (qicore, qicore.timeline, qicore.statemachine, old))
