"""The modules that QiCore programs and converted behaviors import, implemented with Boxstep's objects: `qicore`, with
`qicore.timeline` and `qicore.statemachine`, `qicore_legacy` and `object_factory`.

Those modules only re-export names of this one, in programs and in box scripts. `docs/reference/python-api.md` has more
details.
"""
from __future__ import annotations

import os
from typing import Any

from . import objects
from .objects import Box, State, StateMachine, Transition

__all__ = ["BehaviorLegacy", "Box", "ObjectFactory", "State", "StateMachine", "Timeline", "Transition", "dispose_memory_watcher"]


class Timeline(objects.Timeline):
    """A timeline as QiCore programs create it, with or without a broker as the first argument. The broker is ignored."""

    def __init__(self, *args: Any, **named: Any) -> None:
        if args and not isinstance(args[0], int):
            args = args[1:]
        super().__init__(*args, **named)


class BehaviorLegacy(Box):
    """A box whose methods do its work, outside of a box script: `onLoad`, `onUnload`, and `onInput_…` for each input.

    Outputs are methods: `self.onStopped()`. The arguments are those of `boxstep.Box`. In a box script, this name is
    the class of the box.
    """

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        if hasattr(self, "onLoad"):
            self.registerOnLoadCallback(self.onLoad)
        if hasattr(self, "onUnload"):
            self.registerOnUnloadCallback(self.onUnload)
        for name in self.getInputs():
            method = getattr(self, "onInput_" + name, None)
            if method is not None:
                self.registerOnInputCallback(name, method)

    def __getattr__(self, name: str) -> Any:
        # Only called for missing attributes, which includes the outputs.
        if name.startswith(("_", "onInput_")) or name in ("onLoad", "onUnload") or name not in self.getOutputs():
            raise AttributeError("%r has no attribute or output %r" % (type(self).__name__, name))
        return lambda value=None: self.stimulateOutput(name, value)


def dispose_memory_watcher() -> None:
    """Ends the subscriptions of `bindInputToSTMValue`. Only box scripts can have any, so this does nothing."""


class ObjectFactory:
    """Loads the objects of a behavior: a split folder, or anything else that `boxstep.load` takes. The broker is
    ignored.

    `run` is the run that the objects belong to; a `with` statement ends it. Objects are found by name, or by path if
    several share a name.
    """

    def __init__(self, path: Any, broker: Any = None) -> None:
        from .run import Run
        self.run = Run(os.fspath(path))

    def __enter__(self) -> ObjectFactory:
        return self

    def __exit__(self, *error: Any) -> Any:
        return self.run.__exit__(*error)

    def getRoot(self) -> Box:
        return self.run.root

    def getObject(self, name: str) -> Box:
        """Returns the first box with this name, or the one at this path."""
        waiting = [self.run.root]
        while waiting:
            box = waiting.pop(0)
            if box.getName() == name:
                return box
            waiting.extend(box.getBoxes())
        return self.run.box(name)

