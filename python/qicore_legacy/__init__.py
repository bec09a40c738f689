"""What converted scripts derive from. What it is is in `boxstep.qicore`; in a box script it is the class of the box."""
from boxstep.qicore import BehaviorLegacy, dispose_memory_watcher

# Converters have written it so, too.
BehaviorLeagcy = BehaviorLegacy

__all__ = ["BehaviorLegacy", "BehaviorLeagcy", "dispose_memory_watcher"]
