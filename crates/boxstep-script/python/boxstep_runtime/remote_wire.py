"""A connection of the helper process: lines of JSON, alternating requests and replies.

Loaded before the shims, so that it uses Python's own functions.
"""
import json
import os
import sys
import time

try:
    import _thread
except ImportError:  # Python 2
    import thread as _thread

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False).encode
_decode = json.JSONDecoder().decode
_PYTHON2 = sys.version_info[0] == 2


class Native(object):
    """Functions that the shims are about to replace. They are in a class, because the shims replace names in modules."""

    new_lock = staticmethod(_thread.allocate_lock)
    start_thread = staticmethod(_thread.start_new_thread)
    stack_size = staticmethod(_thread.stack_size)
    ident = staticmethod(_thread.get_ident)
    lock_error = _thread.error
    time, sleep = staticmethod(time.time), staticmethod(time.sleep)
    read, write, exit, getpid = map(staticmethod, (os.read, os.write, os._exit, os.getpid))
    pid = os.getpid()


class _Mutex(object):
    """A reentrant lock, which Python 2 lacks."""

    def __init__(self):
        self._lock = Native.new_lock()
        self._owner = None
        self._depth = 0

    def __enter__(self):
        me = Native.ident()
        if self._owner != me:
            self._lock.acquire()
            self._owner = me
        self._depth += 1

    def __exit__(self, *_):
        self._depth -= 1
        if self._depth == 0:
            self._owner = None
            self._lock.release()


# Protects operations in which Python may run the garbage collector: a `__del__` may then use the same lock on the same
# thread.
Native.new_mutex = staticmethod(getattr(_thread, "RLock", _Mutex))


class Descriptor(object):
    """A connection with a file descriptor."""

    def __init__(self, fd):
        self._fd = fd

    def read(self, most):
        return Native.read(self._fd, most)

    def write(self, data):
        return Native.write(self._fd, data)

    def close(self):
        os.close(self._fd)


class Connection(object):
    """A connection of Windows, whose sockets are no file descriptors."""

    def __init__(self, connection):
        self.read, self.write, self.close = connection.recv, connection.send, connection.close


class Wire(object):
    """The lines of a connection. One thread at a time uses it."""

    def __init__(self, connection):
        self._connection = connection
        self._rest = b""
        # A `__del__` may send a request between another request and its reply. Replies come in the order of the
        # requests.
        self._asked = self._answered = 0
        self._answers = {}

    def send(self, message):
        self._send(self._line(message))

    @staticmethod
    def _line(message):
        line = _encode(message) + "\n"
        return line if _PYTHON2 else line.encode("ascii")

    def _send(self, data):
        try:
            while data:
                data = data[self._connection.write(data):]
        except (OSError, IOError):
            Native.exit(0)  # the engine's process is gone

    def receive(self):
        """Returns the next message; None at the end of the connection."""
        data = self._rest
        while b"\n" not in data:
            try:
                more = self._connection.read(1 << 16)
            except (OSError, IOError):
                more = b""
            if not more:
                return None
            data += more
        line, _, self._rest = data.partition(b"\n")
        return _decode(line.decode("utf-8"))

    def ask(self, message):
        """Sends a request and waits for its reply."""
        data = self._line(message)
        self._asked += 1
        mine = self._asked
        self._send(data)
        while mine not in self._answers:
            answer = self.receive()
            if answer is None:
                Native.exit(0)
            self._answered += 1
            self._answers[self._answered] = answer
        return self._answers.pop(mine)

    def close(self):
        self._connection.close()
