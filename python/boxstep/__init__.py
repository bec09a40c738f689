"""Boxstep plays the robot behaviors that people drew in Choregraphe.

The same text is in the program `boxstep`, so that box scripts can import it wherever they run. There, in a process of
its own, is no native module; so it is imported where it is used and not here.
"""
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    from . import testing as testing
    from .behavior import Behavior, Call, End, Event, Refusal, Runner, Say, Ticket
    from .objects import Box, Connection, Error, State, StateMachine, Timeline, Transition
    from .run import Run, ScriptError, current, load, play

__all__ = [
    "Behavior", "Box", "Call", "Connection", "End", "Error", "Event", "Refusal", "Run", "Runner", "Say", "ScriptError", "State",
    "StateMachine", "Ticket", "Timeline", "Transition", "__version__", "current", "launch", "load", "play",
]

#: That of the command; a test compares them.
__version__ = "0.1.0"

# Taken from their modules when somebody asks for them: a command, and most scripts, need none of it.
_WHERE = {
    "behavior": ("Behavior", "Call", "End", "Event", "Refusal", "Runner", "Say", "Ticket"),
    "objects": ("Box", "Connection", "Error", "State", "StateMachine", "Timeline", "Transition"),
    "run": ("Run", "ScriptError", "current", "load", "play"),
}


def __getattr__(name: str) -> Any:
    from importlib import import_module
    if name == "testing":
        return import_module("boxstep.testing")
    for module, names in _WHERE.items():
        if name in names:
            value = globals()[name] = getattr(import_module("boxstep." + module), name)
            return value
    raise AttributeError("module 'boxstep' has no attribute %r" % name)


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__) | {"testing"})


def launch(arguments: Sequence[str]) -> None:
    """Becomes the command `boxstep` with these arguments, and does not return: the process ends with its exit code.

    `launch(["play", "examples/hello"])` is what `boxstep play examples/hello` is in a shell. Box scripts run in this
    Python (`sys.executable`), started anew, unless an option or `BOXSTEP_PYTHON` names another one.
    """
    from boxstep import boxstep_native

    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    boxstep_native.launch(["boxstep"] + list(arguments))
