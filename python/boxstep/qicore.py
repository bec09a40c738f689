"""The modules that QiCore's programs and converted behaviors import, over Boxstep's objects: `qicore`, with `qicore.timeline` and
`qicore.statemachine`, `qicore_legacy` and `object_factory`.

Those modules hold nothing but names of this one, in programs and in box scripts. `docs/python-api.md` says more.
"""
from __future__ import annotations

import os
from typing import Any

from . import objects
from .objects import Box, State, StateMachine, Transition

__all__ = ["BehaviorLegacy", "Box", "ObjectFactory", "State", "StateMachine", "Timeline", "Transition", "dispose_memory_watcher"]


class Timeline(objects.Timeline):
    """A timeline as QiCore's programs make it: with a broker as the first argument, or without one. There are no brokers here."""

    def __init__(self, *args: Any, **named: Any) -> None:
        if args and not isinstance(args[0], int):
            args = args[1:]
        super().__init__(*args, **named)


class BehaviorLegacy(Box):
    """A box whose methods do its work, outside of a box script: `onLoad`, `onUnload`, and `onInput_…` for each of its inputs.

    Outputs are methods: `self.onStopped()`. The arguments are those of `boxstep.Box`. In a box script it is the class of the box.
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
        # Only for what is not there: the outputs.
        if name.startswith(("_", "onInput_")) or name in ("onLoad", "onUnload") or name not in self.getOutputs():
            raise AttributeError("%r has no attribute or output %r" % (type(self).__name__, name))
        return lambda value=None: self.stimulateOutput(name, value)


def dispose_memory_watcher() -> None:
    """Ends what `bindInputToSTMValue` has begun. Only box scripts can begin any."""


class ObjectFactory:
    """Loads the objects of a behavior: a split folder, or whatever else `boxstep.load` takes. A broker is of no use here.

    `run` is the run that they belong to; `with` ends it. Objects are found by their names, or by their paths where several share one.
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
        """The first box of this name, or the one at this path."""
        waiting = [self.run.root]
        while waiting:
            box = waiting.pop(0)
            if box.getName() == name:
                return box
            waiting.extend(box.getBoxes())
        return self.run.box(name)

