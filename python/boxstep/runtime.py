"""Makes the package `boxstep_runtime` importable, which is embedded in the native module."""
from __future__ import annotations

import sys
from typing import Any

__all__ = ["in_a_run", "load"]


def load() -> None:
    """Does nothing in a run, whose scripts have the package already."""
    if "boxstep_runtime" in sys.modules:
        return
    # A helper process of scripts has no native module, and is in a run.
    from boxstep import boxstep_native
    sources = {name: text for name, text in boxstep_native.sources().items() if name.partition(".")[0] == "boxstep_runtime"}
    bootstrap: "dict[str, Any]" = {"__name__": "boxstep_runtime.bootstrap"}
    exec(compile(sources["boxstep_runtime.bootstrap"], "<boxstep_runtime.bootstrap>", "exec"), bootstrap)
    sys.meta_path.insert(0, bootstrap["MemoryImporter"](sources))


def in_a_run() -> bool:
    """Whether this code is a script of a run: then the robot is that of the run."""
    bridge = getattr(sys.modules.get("boxstep_runtime.state"), "bridge", None)
    return bridge is not None and type(bridge).__module__ != "boxstep.client"
