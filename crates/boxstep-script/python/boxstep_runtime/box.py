"""The base classes of box scripts: `GeneratedClass`, created for each box, and what all boxes have in common."""

import sys
import types

from . import calling, frames, legacy, session, state, timeline


class Script(object):
    """A compiled script."""

    def __init__(self, code, text, file, filename):
        self.code = code
        self._boxes = 0
        self.dialect = 2
        self.file = file
        self.filename = filename
        self.is_program = False
        self.args = None
        self._lines = text.splitlines()

    def code_of_box(self):
        """Returns the code for one more box. Each box has a copy of its own: since 3.11 Python caches attribute lookups
        in the code, and boxes have different classes, so that sharing the code would defeat the cache."""
        self._boxes += 1
        return self.code if self._boxes == 1 or sys.version_info < (3, 11) else _copy(self.code)

    def text(self):
        """Returns the author's text."""
        return "\n".join(self._lines)

    def line(self, number):
        """Returns a line of the author's text without surrounding blanks; empty if there is no such line."""
        return self._lines[number - 1].strip() if 0 < number <= len(self._lines) else ""


def _copy(code):
    """Copies the code and that of all its functions, with empty caches."""
    return code.replace(co_consts=tuple(_copy(c) if isinstance(c, types.CodeType) else c for c in code.co_consts))


class Box(object):
    """The runtime's data of a box."""

    def __init__(self, number, script, info):
        self.number = number
        self.script = script
        self.info = info
        shown = "%s: %s" % (script.file, info["path"]) if script.file else info["path"]
        self.display = script.file if script.is_program else shown
        self.warned = set()
        # The ports and parameters that the script has added (legacy.BoxAdditions), and the class that gets their
        # methods.
        self.additions = None
        self.generated = None


class _NoBox(object):
    """Replaces a Box in an object whose class derives from ALBehavior, but which is not the script of a box."""

    def __getattr__(self, name):
        raise RuntimeError("this object is not a box: only the engine creates boxes of the script's class")

    def __nonzero__(self):
        return False

    __bool__ = __nonzero__


class _Logger(object):
    """`self.logger`, created on first use; a script may assign something else to it."""

    def __get__(self, obj, kind=None):
        if obj is None:
            return self
        from . import boxlog
        box = obj._boxstep_box
        made = boxlog.BoxLogger(box.info["full_name"], box.number)
        object.__setattr__(obj, "logger", made)
        return made


class BoxBase(legacy.Legacy):
    """The functions that every box script may call on itself."""

    _boxstep_box = _NoBox()
    logger = _Logger()

    def __init__(self, *_):
        # Scripts call this with or without one more argument (`False`: bind no methods); both do the same.
        pass

    # -- identity --

    def getName(self):
        info = self._boxstep_box.info
        return info.get("shown_name") or info["full_name"]

    def packageUid(self):
        return self._boxstep_box.info["package_uid"]

    def behaviorAbsolutePath(self):
        return self._boxstep_box.info["behavior_path"]

    def behaviorRelativePath(self):
        return self._boxstep_box.info["behavior_relative_path"]

    def session(self):
        return session.the_session()

    # -- parameters --

    def getParameter(self, name):
        """Returns the box's own parameter or the nearest parent's; raises RuntimeError if there is none."""
        box = self._boxstep_box
        added = box.additions.parameters.get(name) if box.additions else None
        if added is None:
            return state.bridge.get_parameter(box.number, name)
        if added[1]:
            try:
                return state.bridge.get_parameter(box.number, name)
            except RuntimeError:
                pass  # no parent has it
        return added[0]

    def setParameter(self, name, value):
        """Stores the value. If a script has overridden this method, the engine calls the override itself, and not from
        here."""
        box = self._boxstep_box
        if box.additions and name in box.additions.parameters:
            box.additions.parameters[name][0] = value
        else:
            state.bridge.set_parameter(box.number, name, value)

    def getParametersList(self):
        box = self._boxstep_box
        return list(box.info["parameters"]) + sorted(box.additions.parameters if box.additions else ())

    # -- ports --

    def stimulateIO(self, name, value=None):
        """Stimulates an input or an output of the box by its name."""
        box = self._boxstep_box
        if box.additions and (name in box.additions.inputs or name in box.additions.outputs):
            self._boxstep_trigger(name, value)
        else:
            state.bridge.stimulate(box.number, name, value)

    # -- log --

    def log(self, message):
        self.logger.info("%s", message)

    # -- timelines --

    def hasTimeline(self):
        return bool(self._boxstep_box.info["has_timeline"])

    def getTimeline(self):
        return timeline.Timeline(self._boxstep_box.number, False)

    def hasParentTimeline(self):
        return bool(self._boxstep_box.info["has_parent_timeline"])

    def getParentTimeline(self):
        return timeline.Timeline(self._boxstep_box.number, True)

    # -- older names of the same functions --

    def playTimeline(self):
        self.getTimeline().play()

    def stopTimeline(self):
        """Pauses the timeline, in spite of its name."""
        self.getTimeline().pause()

    def exitBehavior(self):
        self.getTimeline().stop()

    def gotoAndPlay(self, frame):
        self.getTimeline().gotoAndPlay(frame)

    def gotoAndStop(self, frame):
        self.getTimeline().gotoAndStop(frame)

    def playTimelineParent(self):
        self.getParentTimeline().play()

    def stopTimelineParent(self):
        self.getParentTimeline().pause()

    def exitBehaviorParent(self):
        self.getParentTimeline().stop()

    def gotoAndPlayParent(self, frame):
        self.getParentTimeline().gotoAndPlay(frame)

    def gotoAndStopParent(self, frame):
        self.getParentTimeline().gotoAndStop(frame)

    # -- callbacks by name --

    def BIND_PYTHON(self, module, method, parameters=-1):
        """Methods can be called by name without this. A module name other than the box's own is registered as another
        name of the box."""
        box = self._boxstep_box
        if module == box.info["full_name"] or not module or ("module", module) in state.drops.get(box.number, {}):
            return
        bind_module(self, module, box.number)

    # -- resources: the engine takes and releases them around the box's start and stop; these are for scripts --

    def _boxstep_resources(self, method, *args):
        _, line = frames.caller()
        arguments = [self._boxstep_box.info["full_name"]] + list(args)
        return state.bridge.call(self._boxstep_box.number, line, "ALBoxstep", method, arguments)

    def waitResources(self):
        """Takes the box's resources, all or none. Returns False if others hold some of them for longer than the
        timeout."""
        return self._boxstep_resources("waitResources")

    def waitResourcesCallback(self, callback):
        """Like waitResources; calls the method with this name when another box wants the resources."""
        return self._boxstep_resources("waitResourcesCallback", _method_name(callback))

    def waitResourceFree(self):
        """Waits until the box's resources are free, without taking them. Returns False on a timeout."""
        return self._boxstep_resources("waitResourceFree")

    def waitFor(self, names, callback="", timeout=0, owner_type=None):
        """Takes other resources, until the box is stopped."""
        return self._boxstep_resources("waitFor", _names(names), _method_name(callback), timeout)

    def releaseResource(self):
        """Releases the box's resources before it is stopped."""
        return self._boxstep_resources("releaseResource")

    def setResources(self, names, timeout=0):
        """Replaces the box's resources, and sets how many seconds it waits for them."""
        self.resource = True
        return self._boxstep_resources("setResources", _names(names), timeout)

    def isResourceFree(self, names):
        """Returns whether none of the resources is held."""
        number, line = frames.caller()
        return state.bridge.call(number, line, "ALResourceManager", "areResourcesFree", [_names(names)])

    # -- accepted, without effect --

    def _boxstep_idle(self, name, why):
        if name not in self._boxstep_box.warned:
            self._boxstep_box.warned.add(name)
            number, line = frames.caller()
            state.bridge.log(self._boxstep_box.number, line, "warning", "%s() has no effect: %s" % (name, why))

    def isEnabled(self):
        return True

    def getBrokerName(self):
        return ""

    def version(self):
        return ""

    def __repr__(self):
        box = self._boxstep_box
        return "<%s of %s>" % (type(self).__name__, box.info["path"] if box else "no box")


def _names(names):
    return [names] if isinstance(names, (str, type(u""))) else list(names)


def _method_name(callback):
    """Returns the name of a method that is given by name or as a function."""
    return getattr(callback, "__name__", callback) or ""


def _idle(name, why):
    def method(self, *_):
        self._boxstep_idle(name, why)
    method.__name__ = name
    return method


for _name in ("setEnabled", "setModuleDescription", "exit"):
    setattr(BoxBase, _name, _idle(_name, "it has had none since NAOqi 1.14"))


def bind_module(target, name, owner):
    """Lets memory events call methods of an object under a module's name, until the owner is dropped."""
    kept = state.new_callback(
        lambda method, *args: calling.up_to(getattr(target, method), args), once=False)
    number, line = frames.caller()
    state.bridge.call(number, line, "ALBoxstep", "registerModule", [name, kept])

    def release():
        state.forget(kept)
        state.bridge.call(-1, 0, "ALBoxstep", "unregisterModule", [name])
    state.on_drop(owner, ("module", name), release)
    return release


def generated_class(box):
    """Creates the class that the script of this box derives from."""
    info = box.info
    names = {
        "__module__": "__main__",
        "_boxstep_box": box,
        "boxName": info["box_name"],
        "id": info["id"],
        "parentId": info["parent_id"],
        "parentBoxName": info["parent_name"],
        "behaviorId": info["behavior_id"],
        "resource": bool(info["has_resources"]),
    }
    for name, is_bang in info["outputs"]:
        if not name.startswith(("__", "_boxstep_")):
            names[str(name)] = state.bridge.output_method(box.number, name, is_bang)
    for name, method in legacy.generated_methods(info).items():
        names.setdefault(name, method)
    box.generated = type("GeneratedClass", (BoxBase,), names)
    return box.generated
