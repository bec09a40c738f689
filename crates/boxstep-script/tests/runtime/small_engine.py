"""A bridge with tasks, locks and a virtual clock, in plain Python 2.7 or 3: what shims need of an engine.

One task runs at a time, on a thread of its own; when all wait, the clock jumps to the first that is due.
"""
import collections
import sys

try:
    import _thread as thread
except ImportError:
    import thread

# In a tuple, because the shims replace names in modules.
_native = (thread.start_new_thread, thread.allocate_lock)


def _native_lock():
    return _native[1]()


class Stopped(BaseException):
    """The run is over."""


class Task(object):
    def __init__(self, number):
        self.number = number
        self.turn = _native_lock()
        self.turn.acquire()
        self.due = None
        self.waits_for = None
        self.got = False


class Engine(object):
    Stopped = Stopped

    def __init__(self):
        self.time = 0
        self.made = 1000
        self.tasks = {}  # ident of the native thread -> Task
        self.ready = collections.deque()
        self.waiting = []
        self.done = _native_lock()
        self.done.acquire()
        self.events = []
        self.host = None
        self.native_ident = thread.get_ident
        engine = self

        class Lock(object):
            """A lock like that of `thread.allocate_lock()`, with Python 3's timeout."""

            def __init__(self):
                self.held = False
                self.queue = []

            def acquire(self, blocking=True, timeout=-1):
                if not self.held:
                    self.held = True
                    return True
                if not blocking or timeout == 0:
                    return False
                return engine.wait(self, None if timeout < 0 else int(round(timeout * 1e9)))

            def release(self):
                if not self.held:
                    raise thread.error("release unlocked lock")
                if self.queue:
                    engine.wake(self.queue.pop(0), True)
                else:
                    self.held = False

            def locked(self):
                return self.held

            def __enter__(self):
                return self.acquire()

            def __exit__(self, *_):
                self.release()

            def _at_fork_reinit(self):
                self.held = False

        class RLock(object):
            def __init__(self):
                self.block, self.owner, self.count = Lock(), None, 0

            def acquire(self, blocking=True, timeout=-1):
                if self._is_owned():
                    self.count += 1
                    return True
                got = self.block.acquire(blocking, timeout)
                if got:
                    self.owner, self.count = engine.ident(), 1
                return got

            def release(self):
                if not self._is_owned():
                    raise RuntimeError("cannot release un-acquired lock")
                self.count -= 1
                if not self.count:
                    self.owner = None
                    self.block.release()

            def _is_owned(self):
                return self.owner == engine.ident()

            def _release_save(self):
                saved, self.count, self.owner = self.count, 0, None
                self.block.release()
                return saved

            def _acquire_restore(self, saved):
                self.block.acquire()
                self.owner, self.count = engine.ident(), saved

            def _recursion_count(self):
                return self.count if self._is_owned() else 0

            def __enter__(self):
                return self.acquire()

            def __exit__(self, *_):
                self.release()

        self.Lock, self.RLock = Lock, RLock

    # -- requests of the shims --

    def in_task(self):
        return self.native_ident() in self.tasks

    def ident(self):
        task = self.tasks.get(self.native_ident())
        return task.number if task else self.native_ident()

    def now(self):
        return self.time

    def sleep(self, ns):
        self.wait(None, ns)

    def log(self, obj, line, level, text):
        self.events.append((level, text))

    def uncaught(self, obj, line, kind, message, err_line, traceback):
        self.events.append(("uncaught", kind, message))

    def not_deterministic(self, why):
        self.events.append(("not deterministic", why))

    def spawn(self, number):
        self.made += 1
        task = Task(self.made)

        def run():
            task.turn.acquire()
            try:
                self.host.callback(number)()
            finally:
                del self.tasks[ident]
                self.next()

        ident = _native[0](run, ())
        self.tasks[ident] = task
        self.ready.append(task)

    # -- the tasks --

    def wait(self, lock, ns):
        """Lets others run until the lock is handed over (True) or the time is up (False)."""
        task = self.tasks[self.native_ident()]
        task.due = None if ns is None else self.time + ns
        task.waits_for, task.got = lock, False
        self.waiting.append(task)
        if lock is not None:
            lock.queue.append(task)
        self.next()
        task.turn.acquire()
        return task.got

    def wake(self, task, got):
        self.waiting.remove(task)
        task.got = got
        self.ready.append(task)

    def next(self):
        if not self.ready:
            due = [task for task in self.waiting if task.due is not None]
            if due:
                task = min(due, key=lambda task: task.due)
                self.time = max(self.time, task.due)
                if task.waits_for is not None:
                    task.waits_for.queue.remove(task)
                self.wake(task, False)
        if self.ready:
            self.ready.popleft().turn.release()
        else:
            self.done.release()

    def run(self):
        """Runs until nothing more can happen."""
        self.next()
        self.done.acquire()


class Host(object):
    """Registers the functions that become tasks."""

    def __init__(self, engine):
        self.engine = engine
        self.kept = {}

    def new_callback(self, function):
        self.kept[len(self.kept)] = function
        return len(self.kept) - 1

    def callback(self, number):
        return self.kept[number]

    def forget(self, number):
        pass

    def caller(self):
        return -1, 0

    def report(self, error):
        self.engine.uncaught(-1, 0, *self.explain(error))

    def explain(self, error):
        return type(error).__name__, str(error), None, ""


def sources(folder):
    """Returns the runtime's modules by name, as a host provides them."""
    import os
    found = {}
    for name in os.listdir(os.path.join(folder, "boxstep_runtime")):
        if name.endswith(".py"):
            with open(os.path.join(folder, "boxstep_runtime", name), "rb") as file:
                found["boxstep_runtime." + name[:-3]] = file.read().decode("utf-8")
    return found


if sys.version_info[0] == 2:
    sys.dont_write_bytecode = True
