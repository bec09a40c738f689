"""The module `naoqi` that scripts import, and whose names they find without importing it."""
import types

from . import box, frames, proxies, state

# What scripts find in their namespace, besides modules.
EXPORTS = ("ALProxy", "ALModule", "ALBroker", "ALBehavior")
DEFAULT_PROXIES = ("ALMemory", "ALMotion", "ALFrameManager", "ALLeds", "ALLogger", "ALSensors")


class ALModule(object):
    """A module of a script's own: memory events find its methods by name, and other scripts reach it by ALProxy."""

    def __init__(self, name, *_):
        self._boxstep_name = name
        owner = frames.caller()[0]
        proxies.register(name, self, owner, 0)
        self._boxstep_release = box.bind_module(self, name, owner)
        self._boxstep_owner = owner

    def getName(self):
        return self._boxstep_name

    def BIND_PYTHON(self, module, method, parameters=-1):
        """Accepted: methods are found by name."""

    def exit(self):
        """The module is there no more."""
        if proxies.unregister(self._boxstep_name):
            state.not_on_drop(self._boxstep_owner, ("module", self._boxstep_name))
            self._boxstep_release()


class ALBroker(object):
    """`ALBroker(name, ip, port, parent ip, parent port)`: a program's way into a robot; a behavior is there already."""

    def __init__(self, name="", *_):
        self._boxstep_name = name

    def getName(self):
        return self._boxstep_name

    def getGlobalModuleList(self):
        return []

    def isModulePresent(self, name):
        number, line = frames.caller()
        return name in state.services or state.bridge.find_service(number, line, name)

    def shutdown(self):
        """Accepted."""


def modules():
    """The module to put in place."""
    naoqi = types.ModuleType("naoqi")
    for name in DEFAULT_PROXIES:
        setattr(naoqi, name, proxies.DefaultProxy(name))
    naoqi.ALProxy = proxies.ALProxy
    naoqi.ALModule = ALModule
    naoqi.ALBroker = ALBroker
    naoqi.ALBehavior = box.BoxBase
    naoqi.__all__ = list(EXPORTS + DEFAULT_PROXIES)
    return {"naoqi": naoqi}
