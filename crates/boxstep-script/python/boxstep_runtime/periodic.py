"""`qi.PeriodicTask`: calls a function periodically."""
import threading

from . import frames, futures, state

try:
    from _thread import get_ident
except ImportError:  # Python 2
    from thread import get_ident


class PeriodicTask(object):
    """Calls a function periodically.

    The period runs from the end of a call to the begin of the next, unless compensateCallbackTime(True) was called.
    A call that raises ends the task. The task also ends when the box that started it is destroyed.
    """

    def __init__(self):
        self._callback = None
        self._period = 0  # nanoseconds
        self._compensate = False
        self._name = ""
        self._changed = threading.Condition(threading.Lock())
        self._run = None  # what identifies this start; None: stopped
        self._timer = None
        self._number = None
        self._thread = None
        self._owner = -1

    def setCallback(self, function):
        if not callable(function):
            raise TypeError("the callback of a periodic task must be callable")
        self._callback = function

    def setUsPeriod(self, microseconds):
        if microseconds < 0:
            raise RuntimeError("Period cannot be negative")
        self._period = int(microseconds * 1000)

    def setPeriod(self, seconds):
        """Takes seconds or a timedelta."""
        self.setUsPeriod(getattr(seconds, "total_seconds", lambda: seconds)() * 1000000)

    def compensateCallbackTime(self, compensate):
        self._compensate = bool(compensate)

    def setName(self, name):
        self._name = str(name)

    def setStrand(self, worker):
        """Accepted; calls of one task never overlap anyway."""

    def start(self, immediate=True):
        if self._callback is None:
            raise RuntimeError("Periodic task cannot start without a setCallback() call first")
        with self._changed:
            if self._run is not None:
                return
            self._run = object()
        self._owner = frames.caller()[0]
        state.on_drop(self._owner, self, self._end)
        self._schedule(self._run, 0 if immediate else self._period)

    def asyncStop(self):
        """Ends the task without waiting; a running call continues to its end."""
        with self._changed:
            self._run = None
            timer, number, self._timer, self._number = self._timer, self._number, None, None
        state.not_on_drop(self._owner, self)
        if number is not None:
            state.forget(number)
        if timer is not None:
            state.bridge.cancel_timer(timer)

    def _end(self):
        """Ends the task and drops its function when the box is destroyed."""
        self.asyncStop()
        self._callback = None

    def stop(self):
        """Ends the task and waits for a running call, unless it is called from that call."""
        self.asyncStop()
        with self._changed:
            while self._thread is not None and self._thread != get_ident():
                self._changed.wait()

    def isRunning(self):
        return self._run is not None

    def isStopping(self):
        return self._run is None

    def _schedule(self, run, delay):
        with self._changed:
            if self._run is not run:
                return
            number = self._number = state.new_callback(lambda: self._tick(run))
        timer = state.bridge.after(number, max(delay, 0), None)
        with self._changed:
            if self._number == number:
                self._timer = timer

    def _tick(self, run):
        with self._changed:
            if self._run is not run or self._thread is not None:
                return
            self._number = self._timer = None
            self._thread = get_ident()
        began = state.bridge.now() if self._compensate else 0
        fine = False
        try:
            fine = self._callback is None or futures.call_reporting(self._callback)
        finally:
            with self._changed:
                self._thread = None
                self._changed.notify_all()
        if not fine:
            if self._run is run:
                self.asyncStop()
            return
        spent = state.bridge.now() - began if self._compensate else 0
        self._schedule(run, self._period - spent)
