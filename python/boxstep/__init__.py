"""Boxstep plays the robot behaviors that people drew in Choregraphe.

The program `boxstep` embeds this package, so that box scripts can import it wherever they run. A helper process of
scripts has no native module, so the module is imported only where it is used.
"""
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    from . import testing as testing
    from .behavior import Behavior, Call, End, Event, Refusal, Runner, Say, Ticket
    from .objects import Box, Connection, Error, State, StateMachine, Timeline, Transition
    from .run import Run, ScriptError, current, load, play
    from .tools import Conversation, Difference, Finding, Findings, Picture, check, convert, diff, edit, show, talk

__all__ = [
    "Behavior", "Box", "Call", "Connection", "Conversation", "Difference", "End", "Error", "Event", "Finding", "Findings",
    "Picture", "Refusal", "Run", "Runner", "Say", "ScriptError", "State", "StateMachine", "Ticket", "Timeline", "Transition",
    "__version__", "check", "convert", "current", "diff", "edit", "launch", "load", "play", "show", "talk",
]

#: The same version as that of the command; a test compares them.
__version__ = "0.1.0"

# These names are imported from their modules on first use: a command, and most scripts, need none of them.
_WHERE = {
    "behavior": ("Behavior", "Call", "End", "Event", "Refusal", "Runner", "Say", "Ticket"),
    "objects": ("Box", "Connection", "Error", "State", "StateMachine", "Timeline", "Transition"),
    "run": ("Run", "ScriptError", "current", "load", "play"),
    "tools": ("Conversation", "Difference", "Finding", "Findings", "Picture", "check", "convert", "diff", "edit", "show", "talk"),
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
    """Replaces this process by the command `boxstep` with these arguments. Does not return: the process ends with the
    command's exit code.

    `launch(["play", "examples/hello"])` does what `boxstep play examples/hello` does in a shell. Box scripts run in
    a new process of this Python (`sys.executable`), unless an option or `BOXSTEP_PYTHON` names another one.
    """
    from boxstep import boxstep_native

    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    boxstep_native.launch(["boxstep"] + list(arguments))
