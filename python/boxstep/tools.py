"""The command's other jobs as functions: `check`, `show`, `diff`, `convert`, and a conversation with a dialog."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, List, Mapping, Sequence

from .base import Error
from .run import Run

__all__ = ["Conversation", "Difference", "Finding", "Findings", "Picture", "check", "convert", "diff", "edit", "show", "talk"]


def _command(*args: str, good: "tuple[int, ...]" = (0,), stdin: str = "") -> str:
    """Runs the command, and returns its output; raises Error with its message for other exit codes."""
    # Notebooks ask for colors, which only a terminal shows.
    plain = {name: value for name, value in os.environ.items() if name not in ("CLICOLOR_FORCE", "FORCE_COLOR")}
    done = subprocess.run([sys.executable, "-m", "boxstep", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          input=stdin, encoding="utf-8", env=dict(plain, NO_COLOR="1"))
    if done.returncode not in good:
        raise Error((done.stderr or done.stdout).strip() or "boxstep %s failed" % args[0])
    return done.stdout


@dataclass(frozen=True)
class Finding:
    """What `check` has found: see the codes in the documentation."""

    code: str
    #: `error`, `warning` or `note`
    severity: str
    message: str
    file: str
    #: From 1; 0 if the finding is about the whole file.
    line: int
    column: int
    #: The path of the box, or an empty text.
    box: str

    def __str__(self) -> str:
        where = self.file + (":%d:%d" % (self.line, self.column) if self.line else "")
        return "%s: %s [%s]: %s" % (where, self.severity, self.code, self.message)


class Findings(List[Finding]):
    """Findings, in their order; a notebook shows them as a table."""

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "nothing found"

    def _repr_html_(self) -> str:
        from .notebook import of_findings
        return of_findings(self)


def check(file: "str | os.PathLike[str]", *, recursive: bool = False, deny: "Sequence[str]" = (),
          allow: "Sequence[str]" = ()) -> Findings:
    """Checks a behavior, project, dialog, program or, with `recursive`, a folder, as `boxstep check` does. Raises Error if it
    cannot be read."""
    options = ["--recursive"] if recursive else []
    for name, values in (("--deny", deny), ("--allow", allow)):
        options += [word for value in values for word in (name, value)]
    text = _command("check", os.fsdecode(file), "--format", "json", *options, good=(0, 1))
    found = Findings()
    for line in text.splitlines():
        told = json.loads(line)
        found.append(Finding(told["code"], told["severity"], told["message"], told.get("file", ""), told.get("line", 0),
                             told.get("column", 0), told.get("path", "")))
    return found


class Picture:
    """What is in a file: as text, as a drawing, and as data. A notebook shows the drawing."""

    def __init__(self, file: str, options: "list[str]") -> None:
        self._file = file
        self._options = options
        #: The tree of boxes, links and timelines.
        self.text = self._as("tree")

    def _as(self, format: str) -> str:
        return _command("show", self._file, "--format", format, *self._options)

    @property
    def svg(self) -> str:
        """The drawing of the diagram. Raises Error for a file that has none, such as a dialog."""
        return self._as("svg")

    @property
    def data(self) -> Any:
        """Everything in the file, as `boxstep show --format json` has it."""
        return json.loads(self._as("json"))

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from .notebook import of_drawing, of_text
        try:
            return of_drawing(self.svg)
        except Error:
            return of_text(self.text)


def show(file: "str | os.PathLike[str]", behavior: str | None = None, *, box: str | None = None) -> Picture:
    """Reads a file and returns what is in it, or in one of its boxes."""
    options = [word for name, value in (("--behavior", behavior), ("--box", box)) if value is not None
               for word in (name, value)]
    return Picture(os.fsdecode(file), options)


class Difference:
    """What differs between two behaviors or recordings: true if anything does."""

    def __init__(self, text: str, data: "dict[str, Any]") -> None:
        self.text = text
        #: As `boxstep diff --format json` has it.
        self.data = data

    def __bool__(self) -> bool:
        return not self.data["same"]

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from .notebook import of_text
        return of_text(self.text or "no difference")


def diff(old: "str | os.PathLike[str]", new: "str | os.PathLike[str]") -> Difference:
    """Compares two files."""
    pair = [os.fsdecode(old), os.fsdecode(new)]
    text = _command("diff", *pair, good=(0, 1))
    return Difference(text, json.loads(_command("diff", *pair, "--format", "json", good=(0, 1))))


def convert(file: "str | os.PathLike[str]", to: "str | os.PathLike[str]", *, force: bool = False) -> None:
    """Converts a behavior to another format, which the name `to` selects, as `boxstep convert` does. Replaces files only with
    `force`."""
    _command("convert", os.fsdecode(file), os.fsdecode(to), *(["--force"] if force else []))


def edit(file: "str | os.PathLike[str]", *operations: "Mapping[str, Any]", behavior: str | None = None,
         to: "str | os.PathLike[str] | None" = None) -> None:
    """Changes a behavior by operations, all or none, as `boxstep edit FILE apply` does; only the lines that they concern change.
    An operation is a dictionary: `{"op": "set_parameter", "box": "root/Say", "parameter": "Text", "value": "Hello"}`. With `to`
    another file is written. Operations on a project stand alone: `{"op": "add_behavior", "name": "dance"}`."""
    more = [] if behavior is None else ["--behavior", behavior]
    if to is not None:
        more += ["--output", os.fsdecode(to)]
    _command("edit", os.fsdecode(file), *more, "apply", "-", stdin=json.dumps(list(operations)))


class Conversation:
    """A conversation with the dialog of a topic, dialog box or project, in virtual time on a simulated robot."""

    def __init__(self, file: "str | os.PathLike[str]", behavior: str | None, language: str | None, seed: int) -> None:
        #: The run, with its trace, events and memory.
        self.run = Run(file, behavior, language=language, seed=seed)
        try:
            self.run.start()
            self.run.wait()
        except BaseException:
            self.run.close()
            raise
        #: Who said what: pairs of `person` or `robot`, and a text.
        self.lines: "list[tuple[str, str]]" = []

    def say(self, text: str) -> str:
        """Says something to the robot, and returns its answer; an empty text if it has none."""
        answer = " ".join(self.run.hear(text))
        self.lines.append(("person", text))
        if answer:
            self.lines.append(("robot", answer))
        return answer

    def close(self) -> None:
        self.run.close()

    def __enter__(self) -> "Conversation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __str__(self) -> str:
        return "\n".join("%s: %s" % line for line in self.lines)

    def _repr_html_(self) -> str:
        from .notebook import of_conversation
        return of_conversation(self.lines)


def talk(file: "str | os.PathLike[str]", behavior: str | None = None, *, language: str | None = None,
         seed: int = 0) -> Conversation:
    """Opens a conversation with a topic (`.top`, `.dlg`) or with the dialogs of a behavior or project."""
    return Conversation(file, behavior, language, seed)
