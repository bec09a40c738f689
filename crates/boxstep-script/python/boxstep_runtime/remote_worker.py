"""The threads of the helper process: each runs the orders of one thread of the engine's process, on its connection.

A stop is sent from outside and may be raised at any line of a script, but not between a request and its reply: a
thread marks the sections in which it must not be raised (`enter`, `leave`), and a stop that arrives there is
delayed.
"""
import sys

from boxstep_runtime import remote_values
from boxstep_runtime.remote_wire import Native, Wire

try:
    import ctypes
    _set_async = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p)(
        ("PyThreadState_SetAsyncExc", ctypes.pythonapi))
    _get_dict = ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyThreadState_GetDict", ctypes.pythonapi))
    _clear_dict = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("PyDict_Clear", ctypes.pythonapi))
except Exception:  # A Python without ctypes: a script that spins can only be ended with the whole process.
    ctypes = None

# Room for deep recursion: the same stack as that of a thread in the engine's process.
_STACK = 32 << 20


class Stopped(BaseException):
    """The run is ending."""


Stopped.__module__ = "boxstep_native"  # The same name with either host.

# native number of a thread -> its worker
_workers = {}
_stopping = [False]


def stop():
    """Returns the exception that ends a script when the run ends."""
    _stopping[0] = True
    return Stopped()


def is_stopping():
    return _stopping[0]


def here():
    """Returns the worker of the calling thread while it runs an order; None on any other thread."""
    worker = _workers.get(Native.ident())
    return worker if worker is not None and worker.order is not None else None


def number_here():
    """Returns the number of the calling thread's worker, or None."""
    worker = _workers.get(Native.ident())
    return None if worker is None else worker.number


class _Outside(object):
    """The connection of threads that run no order: the one that sets up the runtime, and threads of other code."""

    wire = None
    mutex = Native.new_mutex()


def set_outside(wire):
    _Outside.wire = wire


def outside(message):
    """Sends a request from such a thread."""
    with _Outside.mutex:
        return _Outside.wire.ask(message)


def tell_outside(message):
    """Sends a notice from such a thread, and waits until it has been received."""
    with _Outside.mutex:
        _Outside.wire.send(message)
        _Outside.wire.ask(["heard"])


def start(connection, run):
    """Starts a worker on a connection. `run(order)` returns the result of an order."""
    before = Native.stack_size(_STACK)
    try:
        Native.start_thread(Worker(connection, run).live, ())
    finally:
        Native.stack_size(before)


def interrupt(number, order):
    """Raises the stop exception in a worker, if it still runs this order."""
    for worker in list(_workers.values()):
        if worker.number == number:
            worker.interrupt(order)


def enters():
    """Records that the calling worker enters the function of its order."""
    worker = _workers[Native.ident()]
    worker.entered = worker.count


def entered_by(number):
    """Returns the number of the latest order whose function a worker has entered, counted from 1."""
    for worker in list(_workers.values()):
        if worker.number == number:
            return worker.entered
    return 0


class Worker(object):
    def __init__(self, connection, run):
        self.wire = Wire(connection)
        self.number = None
        self.order = None
        self._run = run
        # The number of orders so far, and the latest one whose function has been entered.
        self.count = self.entered = 0
        self._ident = None
        self._guard = Native.new_mutex()
        # The nesting of sections in which a stop must not be raised; it can be raised at 0.
        self._covered = 1
        # Whether a stop arrived in such a section.
        self._due = False

    def live(self):
        self._ident = Native.ident()
        first = self.wire.receive()
        if first is None:
            return
        self.number = first[1]
        _workers[self._ident] = self
        self.wire.send(["here", _system_number()])
        while True:
            order = self.wire.receive()
            if order is None:
                break
            if order[0] == "free":
                # The engine has released objects; their `__del__` still is part of the last order.
                self._free(order[1])
                reply = ["freed"]
            else:
                with self._guard:
                    self.count += 1
                    self._due = False
                self.order = order
                reply = self._reply(order)
            self._cover()
            if Native.getpid() != Native.pid:
                Native.exit(0)  # A fork of the helper must not continue its loop.
            self.wire.send(reply)
        self.order = None
        _workers.pop(self._ident, None)
        self.wire.close()

    def _reply(self, order):
        try:
            try:
                self.leave()
                value = remote_values.to_wire(self._run(order))
            finally:
                self._cover()
            reply = ["returned", value]
        except Stopped:
            reply = ["returned", None]
        except BaseException as error:
            reply = ["raised"] + explain(error)
            # Python 2 keeps the exception with all its frames.
            getattr(sys, "exc_clear", int)()
        self._forget_locals()
        return reply

    def _free(self, numbers):
        try:
            try:
                self.leave()
                remote_values.free(numbers)
            finally:
                self._cover()
        except Stopped:
            pass

    def _forget_locals(self):
        """Clears `threading.local`, because the next task is another thread for its script."""
        if ctypes is not None:
            table = _get_dict()
            if table:
                _clear_dict(table)

    def ask(self, message):
        """Sends a request of a script; no stop is raised until the reply."""
        self.enter()
        try:
            answer = self.wire.ask(message)
        finally:
            self.leave()
        return answer

    def tell(self, message):
        """Sends a notice of a script; no stop is raised meanwhile."""
        self.enter()
        try:
            self.wire.send(message)
        finally:
            self.leave()

    def enter(self):
        """Begins a section in which no stop is raised."""
        try:
            with self._guard:
                self._covered += 1
            _breathe()
        except Stopped:
            with self._guard:
                self._covered -= 1
            raise

    def leave(self):
        """Ends a section in which no stop is raised. Raises a stop that arrived meanwhile."""
        with self._guard:
            self._covered -= 1
            due = self._due and self._covered == 0
            self._due = self._due and not due
        if due:
            raise stop()

    def _cover(self):
        """Like enter, at the end of an order: a stop that arrived is too late, and is discarded."""
        while True:
            try:
                with self._guard:
                    self._covered = 1
                _breathe()
                return
            except Stopped:
                pass

    def interrupt(self, order):
        with self._guard:
            if self.order is None or self.count != order:
                return
            _stopping[0] = True
            if self._covered:
                self._due = True
            elif ctypes is not None:
                _set_async(self._ident, id(Stopped))


def _breathe():
    """Raises a stop that has been sent: Python checks for it when a function begins (Python 2: every 100 instructions)."""
    for _ in _LOOKS:
        pass


_LOOKS = range(100 if sys.version_info[0] == 2 else 1)


def _system_number():
    """Returns the system's id of this thread; 0 if it is unknown."""
    import os
    try:
        return int(os.readlink("/proc/thread-self").rsplit("/", 1)[1])
    except (OSError, ValueError, IndexError):
        return 0


def explain(error):
    """Returns [kind, message, line, traceback] of an exception, as the runtime describes it, or a simpler description
    if that fails."""
    try:
        from boxstep_runtime import remote
        kind, message, line, text = remote.explain(error)
    except BaseException:
        kind = type(error).__name__
        try:
            message = str(error)
        except BaseException:
            message = ""
        line, text = None, "%s: %s\n" % (kind, message)
    return [remote_values.text(kind), remote_values.text(message), line, remote_values.text(text)]
