"""Threads that run functions later, for programs outside of a run."""
from __future__ import annotations

import collections
import heapq
import itertools
import queue
import threading
import time
from typing import Callable

__all__ = ["Strand", "Tasks"]

# The most functions that run at once; others wait.
_THREADS = 64


class Tasks:
    """Threads that run functions later: futures' and signals' callbacks, `qi.async`, periodic tasks."""

    def __init__(self) -> None:
        self._tasks: "queue.SimpleQueue[Callable[[], None]]" = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0
        self._threads = 0
        self._timers: "list[tuple[float, int, Callable[[], None]]]" = []
        self._changed = threading.Condition(threading.Lock())
        self._clock: threading.Thread | None = None
        self._numbers = itertools.count(1)

    def put(self, function: Callable[[], None]) -> None:
        with self._lock:
            more = self._idle == 0 and self._threads < _THREADS
            if more:
                self._threads += 1
            else:
                self._idle -= 1
        self._tasks.put(function)
        if more:
            threading.Thread(target=self._work, name="boxstep-task", daemon=True).start()

    def _work(self) -> None:
        while True:
            self._tasks.get()()
            with self._lock:
                self._idle += 1

    def at(self, when: float, function: Callable[[], None]) -> int:
        """Runs a function at a time of `time.monotonic()`; returns a number for `cancel`."""
        number = next(self._numbers)
        with self._changed:
            heapq.heappush(self._timers, (when, number, function))
            if self._clock is None:
                self._clock = threading.Thread(target=self._keep_time, name="boxstep-clock", daemon=True)
                self._clock.start()
            self._changed.notify()
        return number

    def cancel(self, number: int) -> None:
        with self._changed:
            self._timers = [timer for timer in self._timers if timer[1] != number]
            heapq.heapify(self._timers)

    def _keep_time(self) -> None:
        while True:
            with self._changed:
                while not self._timers:
                    self._changed.wait()
                when, _, function = self._timers[0]
                left = when - time.monotonic()
                if left > 0:
                    self._changed.wait(left)
                    continue
                heapq.heappop(self._timers)
            self.put(function)


class Strand:
    """Runs functions on the threads of tasks, one after another in their order."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._waiting: "collections.deque[Callable[[], None]]" = collections.deque()
        self._lock = threading.Lock()
        self._runs = False

    def put(self, function: Callable[[], None]) -> None:
        with self._lock:
            self._waiting.append(function)
            if self._runs:
                return
            self._runs = True
        self._tasks.put(self._run)

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._runs = False
                    return
                function = self._waiting.popleft()
            function()
