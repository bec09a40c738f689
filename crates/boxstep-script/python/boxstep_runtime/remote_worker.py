"""The threads of the helper process: each runs the orders of one thread of the engine's process, on its connection.

A stop comes from outside and may come at any line of a script, but not between a question and its answer: a thread says
when it may be struck (`exposed`), and what comes in between waits.
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
except Exception:  # A Python without ctypes: what spins can only be ended with the whole process.
    ctypes = None

# Deep recursion is the script's right; as much as a thread of the engine's process has.
_STACK = 32 << 20


class Stopped(BaseException):
    """The run is ending."""


Stopped.__module__ = "boxstep_native"  # One name for it, whatever host it is.

# native number of a thread -> its worker
_workers = {}
_stopping = [False]


def stop():
    """The exception that ends a script when the run ends."""
    _stopping[0] = True
    return Stopped()


def is_stopping():
    return _stopping[0]


def here():
    """The worker of the calling thread while it runs an order; None on any other thread."""
    worker = _workers.get(Native.ident())
    return worker if worker is not None and worker.order is not None else None


def number_here():
    """Its number, or None."""
    worker = _workers.get(Native.ident())
    return None if worker is None else worker.number


class _Outside(object):
    """The connection of threads that no order runs on: the one that sets up, and those of somebody else's."""

    wire = None
    mutex = Native.new_mutex()


def set_outside(wire):
    _Outside.wire = wire


def outside(message):
    """A question from such a thread."""
    with _Outside.mutex:
        return _Outside.wire.ask(message)


def tell_outside(message):
    """Words from such a thread. Whatever it does next, they have been heard by then."""
    with _Outside.mutex:
        _Outside.wire.send(message)
        _Outside.wire.ask(["heard"])


def start(fd, run):
    """Begins a worker on a connection. `run(order)` gives the value that an order returns."""
    before = Native.stack_size(_STACK)
    try:
        Native.start_thread(Worker(fd, run).live, ())
    finally:
        Native.stack_size(before)


def interrupt(number, order):
    """Raises the stop exception in a worker, if it still runs this order."""
    for worker in list(_workers.values()):
        if worker.number == number:
            worker.interrupt(order)


def enters():
    """The calling worker enters the function of its order."""
    worker = _workers[Native.ident()]
    worker.entered = worker.count


def entered_by(number):
    """The last order whose function a worker has entered, from 1."""
    for worker in list(_workers.values()):
        if worker.number == number:
            return worker.entered
    return 0


class Worker(object):
    def __init__(self, fd, run):
        self.wire = Wire(fd)
        self.number = None
        self.order = None
        self._run = run
        # Orders it has been given, and the last one whose function it has entered.
        self.count = self.entered = 0
        self._ident = None
        self._guard = Native.new_mutex()
        # How often it has been covered; a stop strikes at 0.
        self._covered = 1
        # A stop came while it could not strike.
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
                # The engine has let go of objects; what their `__del__` does still is a part of the last order.
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
                Native.exit(0)  # A fork of the helper has nobody to return to.
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
            # Python 2 keeps it, with all its frames.
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
        """The next task is another thread to its script: `threading.local` begins anew."""
        if ctypes is not None:
            table = _get_dict()
            if table:
                _clear_dict(table)

    def ask(self, message):
        """A question of a script's: nothing strikes between it and its answer."""
        self.enter()
        try:
            answer = self.wire.ask(message)
        finally:
            self.leave()
        return answer

    def tell(self, message):
        """The same without an answer."""
        self.enter()
        try:
            self.wire.send(message)
        finally:
            self.leave()

    def enter(self):
        """From here on no stop strikes."""
        try:
            with self._guard:
                self._covered += 1
            _breathe()
        except Stopped:
            with self._guard:
                self._covered -= 1
            raise

    def leave(self):
        """From here on a stop may strike. Raises one that came meanwhile."""
        with self._guard:
            self._covered -= 1
            due = self._due and self._covered == 0
            self._due = self._due and not due
        if due:
            raise stop()

    def _cover(self):
        """As enter, at the end of an order: a stop that is still due has come too late."""
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
    """A stop that has been sent strikes here at the latest: Python looks for it when a function begins (Python 2: every
    100 instructions)."""
    for _ in _LOOKS:
        pass


_LOOKS = range(100 if sys.version_info[0] == 2 else 1)


def _system_number():
    """What the system calls this thread; 0 where it does not say."""
    import os
    try:
        return int(os.readlink("/proc/thread-self").rsplit("/", 1)[1])
    except (OSError, ValueError, IndexError):
        return 0


def explain(error):
    """[kind, message, line, traceback] of an exception, as the runtime explains it, or as well as we can."""
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
