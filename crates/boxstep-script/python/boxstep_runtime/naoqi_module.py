"""The module `naoqi`, whose names scripts also find without importing it."""
import types

from . import box, frames, proxies, state

# The names in a script's namespace, besides modules.
EXPORTS = ("ALProxy", "ALModule", "ALBroker", "ALBehavior")
DEFAULT_PROXIES = ("ALMemory", "ALMotion", "ALFrameManager", "ALLeds", "ALLogger", "ALSensors")


class ALModule(object):
    """A module that a script defines: memory events call its methods by name, and other scripts access it by ALProxy."""

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
        """Removes the module."""
        if proxies.unregister(self._boxstep_name):
            state.not_on_drop(self._boxstep_owner, ("module", self._boxstep_name))
            self._boxstep_release()


class ALBroker(object):
    """`ALBroker(name, ip, port, parent ip, parent port)`: connects a program to a robot; a behavior is connected
    already."""

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
    """Returns the module to install."""
    naoqi = types.ModuleType("naoqi")
    for name in DEFAULT_PROXIES:
        setattr(naoqi, name, proxies.DefaultProxy(name))
    naoqi.ALProxy = proxies.ALProxy
    naoqi.ALModule = ALModule
    naoqi.ALBroker = ALBroker
    naoqi.ALBehavior = box.BoxBase
    naoqi.__all__ = list(EXPORTS + DEFAULT_PROXIES)
    return {"naoqi": naoqi}
