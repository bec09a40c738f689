"""The locks under `threading`, in the helper process. An uncontended lock costs one call and no message.

A thread that finds a lock taken adds a ticket to its queue and lets the engine block its task; the thread that
releases the lock hands it to the first ticket whose task still waits. A thread without a task waits on a native lock
of Python.
"""
import collections
import itertools

from boxstep_runtime import remote_worker
from boxstep_runtime.remote_wire import Native

_NOT_OWNER = "cannot release un-acquired lock"
# Locks are distinguished, and ordered in sets, by their creation.
_serials = itertools.count()
_tickets = itertools.count(1)


class _Shared(object):
    """The mutex for changes of queues. It is in a class, because the shims replace names in modules."""

    mutex = Native.new_mutex()
    error = Native.lock_error


def _timeout(blocking, seconds):
    """Returns nanoseconds; None means to wait for ever, zero not to wait."""
    if seconds == -1:
        return None if blocking else 0
    if not blocking:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if seconds != seconds or seconds < 0:
        raise ValueError("timeout value must be a non-negative number")
    if seconds * 1e9 >= 2**63:
        raise OverflowError("timeout value is too large")
    return int(round(seconds * 1e9))


class _Thread(object):
    """A waiting thread without a task."""

    def __init__(self):
        self.lock = Native.new_lock()
        self.lock.acquire()

    def wait(self, ns):
        if ns is None:
            return self.lock.acquire()
        try:
            return self.lock.acquire(True, ns / 1e9)
        except TypeError:  # Python 2 has no timeout
            end = Native.time() + ns / 1e9
            while not self.lock.acquire(False):
                if Native.time() >= end:
                    return False
                Native.sleep(0.001)
            return True


class _Base(object):
    __slots__ = ("_held", "_queue", "_serial", "__weakref__")

    def __init__(self):
        self._held = Native.new_lock()
        self._queue = collections.deque()
        self._serial = next(_serials)

    def _take(self, ns):
        """Waits for at most `ns` nanoseconds; returns True if it got the lock."""
        if self._held.acquire(False):
            return True
        if ns == 0:
            return False
        worker = remote_worker.here()
        if worker is None:
            return self._take_on_thread(ns)
        worker.enter()
        try:
            with _Shared.mutex:
                # Released in the meantime?
                if self._held.acquire(False):
                    return True
                ticket = next(_tickets)
                self._queue.append(ticket)
            answer = worker.wire.ask(["block", ticket, ns])
            if answer == ["v", True]:
                return True
            with _Shared.mutex:
                self._queue_without(ticket)
            worker.wire.send(["forget", ticket])
        finally:
            worker.leave()
        if answer[0] == "stop":
            raise remote_worker.stop()
        return False

    def _take_on_thread(self, ns):
        me = _Thread()
        with _Shared.mutex:
            if self._held.acquire(False):
                return True
            self._queue.append(me)
        if me.wait(ns):
            return True
        with _Shared.mutex:
            # No longer in the queue: the lock was handed over just after the timeout.
            return not self._queue_without(me)

    def _queue_without(self, waiter):
        try:
            self._queue.remove(waiter)
            return True
        except ValueError:
            return False

    def _give(self):
        """Hands the held lock to the waiter that has waited longest, or frees it."""
        if not self._queue:
            self._held.release()
            # A waiter may have been added in between, after it saw the lock taken.
            if not self._queue or not self._held.acquire(False):
                return
        worker = remote_worker.here()
        if worker is None:
            return self._hand_over(remote_worker.outside)
        worker.enter()
        try:
            self._hand_over(worker.wire.ask)
        finally:
            worker.leave()

    def _hand_over(self, ask):
        with _Shared.mutex:
            while self._queue:
                waiter = self._queue.popleft()
                if isinstance(waiter, _Thread):
                    waiter.lock.release()
                    return
                if ask(["unblock", waiter]) == ["v", True]:
                    return
            self._held.release()

    def locked(self):
        return self._held.locked()

    def _at_fork_reinit(self):
        """After a fork there is only one thread, and no lock is held."""
        self._held = Native.new_lock()
        self._queue = collections.deque()

    def __hash__(self):
        return self._serial


class Lock(_Base):
    """A lock like that of `_thread.allocate_lock()`. A script can wait for it in virtual time, and a stop can end the
    wait."""

    __slots__ = ()

    def acquire(self, blocking=True, timeout=-1):
        if timeout == -1 and self._held.acquire(False):
            return True
        return self._take(_timeout(blocking, timeout))

    acquire_lock = acquire

    def __enter__(self):
        return self._held.acquire(False) or self._take(None)

    def release(self):
        if not self._held.locked():
            # A stop that ends a `Condition.wait` leaves the lock with others; the `with` around it must not hide the
            # stop.
            raise remote_worker.stop() if remote_worker.is_stopping() else _Shared.error("release unlocked lock")
        self._give()

    release_lock = release

    def __exit__(self, *_):
        self.release()

    def locked_lock(self):
        return self._held.locked()

    def __repr__(self):
        return "<%s _thread.lock object %d>" % ("locked" if self.locked() else "unlocked", self._serial)


Lock.__name__ = Lock.__qualname__ = "lock"
Lock.__module__ = "_thread"


def ident():
    """Returns the result of `get_ident()`: small numbers in a repeatable order for workers, Python's own for other
    threads."""
    number = remote_worker.number_here()
    return Native.ident() if number is None else number + 1


class RLock(_Base):
    """A lock like that of `_thread.RLock()`."""

    __slots__ = ("_owner", "_depth")

    def __init__(self):
        _Base.__init__(self)
        self._owner = self._depth = 0

    def acquire(self, blocking=True, timeout=-1):
        ns = _timeout(blocking, timeout)
        me = ident()
        if self._owner == me:
            self._depth += 1
            return True
        if not self._take(ns):
            return False
        self._owner, self._depth = me, 1
        return True

    def __enter__(self):
        return self.acquire()

    def release(self):
        if self._owner != ident():
            raise self._not_owner()
        self._depth -= 1
        if self._depth == 0:
            self._owner = 0
            self._give()

    def __exit__(self, *_):
        self.release()

    @staticmethod
    def _not_owner():
        return remote_worker.stop() if remote_worker.is_stopping() else RuntimeError(_NOT_OWNER)

    def _is_owned(self):
        return self._owner == ident()

    def _recursion_count(self):
        return self._depth if self._is_owned() else 0

    def _release_save(self):
        """For `Condition.wait`: releases the lock completely."""
        me = ident()
        if self._owner != me:
            raise self._not_owner()
        depth, self._depth, self._owner = self._depth, 0, 0
        self._give()
        return depth, me

    def _acquire_restore(self, state):
        """For `Condition.wait`: takes the lock again with its former depth."""
        self._take(None)
        self._depth, self._owner = state

    def _at_fork_reinit(self):
        _Base._at_fork_reinit(self)
        self._owner = self._depth = 0

    def __repr__(self):
        state = "locked" if self.locked() else "unlocked"
        return "<%s _thread.RLock object owner=%d count=%d %d>" % (state, self._owner, self._depth, self._serial)


RLock.__name__ = RLock.__qualname__ = "RLock"
RLock.__module__ = "_thread"
