"""The base class of converted scripts, which `boxstep.qicore` implements; in a box script it is the class of the box."""
from boxstep.qicore import BehaviorLegacy, dispose_memory_watcher

# Some converters have written this spelling.
BehaviorLeagcy = BehaviorLegacy

__all__ = ["BehaviorLegacy", "BehaviorLeagcy", "dispose_memory_watcher"]
