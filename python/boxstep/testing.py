"""Helpers for tests of runs: `said(run)`, `called(run, "ALMotion.wakeUp")`, `logged(run)`; and playing test files."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from .run import Run

__all__ = ["Call", "Result", "called", "logged", "play_tests", "printed", "said", "tests"]


def said(run: Run) -> list[str]:
    """Returns the texts that the robot has said, in order."""
    return [event["text"] for event in run.events("act", act="say")]


def logged(run: Run, level: str | None = None) -> list[str]:
    """Returns the texts that scripts have logged, in order: all, or those with this level."""
    return [event["text"] for event in run.events("log") if level in (None, event["level"])]


def printed(run: Run) -> str:
    """Returns what scripts have printed."""
    return "".join(event["text"] for event in run.events("print"))


@dataclass(frozen=True)
class Call:
    """A call of a service by a script."""

    service: str
    method: str
    args: "list[Any]"
    path: str
    line: int
    #: Seconds on the run's clock.
    time: float


def called(run: Run, method: str | None = None) -> list[Call]:
    """Returns the calls of services by scripts, in order: all, or those of one `SERVICE.METHOD` or `SERVICE`."""
    calls = [
        Call(event["service"], event["method"], event["args"], event.get("path", ""), event["line"], event["t"] / 1e9)
        for event in run.events("service")
    ]
    return [call for call in calls if method in (None, call.service, "%s.%s" % (call.service, call.method))]


@dataclass(frozen=True)
class Result:
    """The result of a test of a test file."""

    file: str
    name: str
    passed: bool
    #: The length of the run, in seconds of its clock.
    played: float
    #: For people: what was not as expected, or why the test could not be played.
    text: str


def tests(file: "str | os.PathLike[str]") -> list[str]:
    """Returns the names of the tests in a file. Raises ValueError if it cannot be read."""
    from boxstep import boxstep_native
    return boxstep_native.tests(os.fspath(file))


def play_tests(file: "str | os.PathLike[str]", only: str | None = None) -> list[Result]:
    """Plays the tests of a file, as `boxstep test` does: all, or those whose name contains `only`. Raises ValueError if
    that fails."""
    # Uses the same package as this module, wherever it was found.
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    start = "import sys; sys.path.insert(0, %r); from boxstep.__main__ import main; main()" % folder
    command = [sys.executable, "-c", start, "test", os.fspath(file), "--format", "json"]
    if only is not None:
        command += ["--filter", only]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    # 0: all tests passed; 4: at least one has not.
    if done.returncode not in (0, 4):
        why = done.stderr.decode("utf-8", "replace").strip()
        raise ValueError(why or "boxstep test ended with %d" % done.returncode)
    return [_result(test) for test in json.loads(done.stdout)["tests"]]


def _result(test: "dict[str, Any]") -> Result:
    texts = [failure["text"].rstrip() for failure in test["failures"]]
    if test["error"]:
        texts.append(test["error"])
    return Result(test["file"], test["name"], test["passed"], test["played"], "\n".join(texts))
