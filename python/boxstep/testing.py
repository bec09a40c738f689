"""What tests ask of a run: `said(run)`, `called(run, "ALMotion.wakeUp")`, `logged(run)`; and test files, played."""
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
    """What the robot has said, in order."""
    return [event["text"] for event in run.events("act", act="say")]


def logged(run: Run, level: str | None = None) -> list[str]:
    """What scripts have logged, in order: all, or what has one level."""
    return [event["text"] for event in run.events("log") if level in (None, event["level"])]


def printed(run: Run) -> str:
    """What scripts have printed."""
    return "".join(event["text"] for event in run.events("print"))


@dataclass(frozen=True)
class Call:
    """A call of a service that a script has made."""

    service: str
    method: str
    args: "list[Any]"
    path: str
    line: int
    #: Seconds of the run.
    time: float


def called(run: Run, method: str | None = None) -> list[Call]:
    """The services that scripts have called, in order: all, or one by `SERVICE.METHOD` or `SERVICE`."""
    calls = [
        Call(event["service"], event["method"], event["args"], event.get("path", ""), event["line"], event["t"] / 1e9)
        for event in run.events("service")
    ]
    return [call for call in calls if method in (None, call.service, "%s.%s" % (call.service, call.method))]


@dataclass(frozen=True)
class Result:
    """What came of a test of a test file."""

    file: str
    name: str
    passed: bool
    #: Seconds of the run's time.
    played: float
    #: What did not come as expected, or why it could not be played; for people.
    text: str


def tests(file: "str | os.PathLike[str]") -> list[str]:
    """The names of the tests of a file. Raises ValueError if it cannot be read."""
    from boxstep import boxstep_native
    return boxstep_native.tests(os.fspath(file))


def play_tests(file: "str | os.PathLike[str]", only: str | None = None) -> list[Result]:
    """Plays the tests of a file, as `boxstep test` does; only those that have a text in their name, if one is given.
    Raises ValueError if that cannot be done."""
    # With the package that this one is, wherever it was found.
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    start = "import sys; sys.path.insert(0, %r); from boxstep.__main__ import main; main()" % folder
    command = [sys.executable, "-c", start, "test", os.fspath(file), "--format", "json"]
    if only is not None:
        command += ["--filter", only]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    # 0: all passed; 4: one has not.
    if done.returncode not in (0, 4):
        why = done.stderr.decode("utf-8", "replace").strip()
        raise ValueError(why or "boxstep test ended with %d" % done.returncode)
    return [_result(test) for test in json.loads(done.stdout)["tests"]]


def _result(test: "dict[str, Any]") -> Result:
    texts = [failure["text"].rstrip() for failure in test["failures"]]
    if test["error"]:
        texts.append(test["error"])
    return Result(test["file"], test["name"], test["passed"], test["played"], "\n".join(texts))
