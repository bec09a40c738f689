"""`qi.Application` and `qi.ApplicationSession`: a program with a session."""
from __future__ import annotations

import sys
import threading
from typing import Any, Callable, Sequence

from . import client
from boxstep_runtime import futures

__all__ = ["Application", "ApplicationSession"]


class Application:
    """A program that uses a robot. `--qi-url URL` among its arguments names the robot, and is removed from them."""

    def __init__(self, args: "list[str] | None" = None, raw: bool = False, autoExit: bool = True, url: str = "") -> None:
        given = sys.argv if args is None else args
        named = _taken(given, "--qi-url")
        self._listen = _taken(given, "--qi-listen-url")
        self._url = named or url or client.DEFAULT_URL
        self._auto_exit = autoExit
        self._stopped = threading.Event()
        self._at_run: "list[Callable[[], Any]]" = []
        self._at_stop: "list[Callable[[], Any]]" = []
        self._started = False
        self.session = client.Session()

    def start(self) -> None:
        """Connects the session. Raises RuntimeError if that fails."""
        if self._started:
            return
        self.session.connect(self._url)
        self._started = True
        if self._listen:
            self.session.listen(self._listen)
        if self._auto_exit:
            self.session.disconnected.connect(lambda _: self.stop())

    def run(self) -> None:
        """Starts, and waits until `stop` is called, the robot is gone, or Ctrl-C is pressed."""
        self.start()
        for function in self._at_run:
            futures.later(function)
        try:
            # In slices: on Windows, Ctrl-C does not end a wait without a limit.
            while not self._stopped.wait(0.2):
                pass
        except KeyboardInterrupt:
            self.stop()

    def stop(self) -> None:
        if self._stopped.is_set():
            return
        self._stopped.set()
        for function in self._at_stop:
            futures.call_reporting(function)

    def atRun(self, function: "Callable[[], Any]") -> None:
        self._at_run.append(function)

    def atStop(self, function: "Callable[[], Any]") -> None:
        self._at_stop.append(function)

    def url(self) -> str:
        return self._url


class ApplicationSession(Application):
    """The same."""


def _taken(args: "list[str]", option: str) -> str:
    """Removes an option from arguments; returns its value, or an empty text."""
    for at, argument in enumerate(args):
        name, equals, value = argument.partition("=")
        if name != option:
            continue
        count = 1 if equals else 2
        if not equals:
            value = "".join(args[at + 1:at + 2])
        del args[at:at + count]
        return value
    return ""
