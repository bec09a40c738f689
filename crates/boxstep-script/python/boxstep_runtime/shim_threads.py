"""Makes threads tasks of the engine, and locks the engine's locks."""
import sys

try:
    import _thread
except ImportError:
    import thread as _thread  # Python 2

_state = {"host": None, "bridge": None}
# The locks to release when a running thread ends (`_set_sentinel`, up to Python 3.12), by its number.
_sentinels = {}

_native_start = _thread.start_new_thread
_native_lock = _thread.allocate_lock
_NativeLockType = _thread.LockType
_NativeRLock = getattr(_thread, "RLock", None)  # Python 2 builds its own from a Lock

# The error for releasing a lock that is not held.
LockError = _thread.error


def use_host(host):
    _state["host"] = host


def install(bridge, importer):
    """Replaces the functions of `_thread`; returns {original: replacement} for modules that have imported theirs
    already."""
    _state["bridge"] = bridge
    replaced = {}

    def replace(name, value):
        original = getattr(_thread, name, None)
        if original is not None:
            replaced[original] = value
            setattr(_thread, name, value)

    # `threading.Lock` is the factory up to Python 3.12 and the class from 3.13 on; the replacement is both.
    for name in ("allocate_lock", "allocate", "LockType", "lock"):
        replace(name, bridge.Lock)
    replace("RLock", bridge.RLock)
    replace("get_ident", bridge.ident)
    replace("start_new_thread", start_new_thread)
    replace("start_new", start_new_thread)
    replace("_set_sentinel", _set_sentinel)
    if hasattr(_thread, "_ThreadHandle"):
        replace("start_joinable_thread", start_joinable_thread)
        replace("_make_thread_handle", _make_thread_handle)
        replace("_ThreadHandle", ThreadHandle)

    # `queue` then uses its own SimpleQueue, which is built from locks.
    importer.add("_queue", _without_simple_queue)
    importer.add("queue", _python_simple_queue)
    importer.add("threading", _change_threading)
    importer.add("concurrent.futures._base", _hash_by_age("Future"))
    return replaced


def adopt_preloaded():
    """Replaces the locks of `threading` and `logging`, which a `.pth` file may have imported before the shims."""
    bridge = _state["bridge"]
    threading = sys.modules.get("threading")
    for module in list(sys.modules.values()):
        if not isinstance(module, type(sys)) or module is _thread:
            continue
        for key, value in list(module.__dict__.items()):
            if type(value) is _NativeLockType and not value.locked():
                setattr(module, key, bridge.Lock())
            elif _NativeRLock is not None and type(value) is _NativeRLock:
                setattr(module, key, bridge.RLock())
            elif isinstance(value, getattr(threading, "_RLock", ())):
                setattr(module, key, threading.RLock())
    logging = sys.modules.get("logging")
    for reference in getattr(logging, "_handlerList", ()):
        handler = reference()
        if handler is not None:
            handler.createLock()
    if threading is not None:
        _adopt_main_thread(threading)


def _adopt_main_thread(threading):
    started = threading.Event()
    started.set()
    main = getattr(threading, "_main_thread", None)
    if main is not None:
        main._started = started
        return
    for thread in threading._active.values():  # Python 2
        thread._Thread__started = started
        thread._Thread__block = threading.Condition(threading.Lock())


# ---- threads ---------------------------------------------------------------------------------------------------------


def start_new_thread(function, args, kwargs=None):
    """`_thread.start_new_thread`: the thread becomes a task, which starts after everything that is due now."""
    if not callable(function):
        raise TypeError("first arg must be callable")
    if not isinstance(args, tuple):
        raise TypeError("2nd arg must be a tuple")
    return _start(function, args, kwargs or {}, None)


_made = [1000000]


def _start(function, args, kwargs, handle):
    host, bridge = _state["host"], _state["bridge"]
    if host is None or not bridge.in_task():
        # The main thread before the run, or a thread of other code: it is not a task of the engine.
        def run_native():
            try:
                function(*args, **kwargs)
            finally:
                _end(handle)
        return _native_start(run_native, ())
    owner = host.caller()

    def run():
        host.forget(number)
        if handle is not None:
            handle._begin()
        try:
            # A new context, so that nothing of the worker's earlier threads is visible.
            _in_new_context(function, *args, **kwargs)
        except SystemExit:
            pass
        except bridge.Stopped:
            pass
        except BaseException as error:
            _tell(owner, error)
        finally:
            _end(handle)

    number = host.new_callback(run)
    _made[0] += 1
    made = _made[0]
    bridge.spawn(number)
    return made


def _in_new_context(function, *args, **kwargs):
    try:
        from _contextvars import Context
    except ImportError:  # Python 2 has none
        return function(*args, **kwargs)
    return Context().run(function, *args, **kwargs)


def _end(handle):
    for lock in _sentinels.pop(_state["bridge"].ident(), ()):
        if lock.locked():
            lock.release()
    if handle is not None:
        handle._set_done()


def _tell(owner, error):
    kind, message, line, traceback = _state["host"].explain(error)
    _state["bridge"].uncaught(owner[0], owner[1], kind, message, line, traceback)


def _set_sentinel():
    """Up to Python 3.12: returns a lock that is released at the end of the calling thread; `Thread.join` waits for it."""
    bridge = _state["bridge"]
    lock = bridge.Lock()
    _sentinels.setdefault(bridge.ident(), []).append(lock)
    return lock


class ThreadHandle(object):
    """From Python 3.13 on: the handle that `Thread.join` waits for."""

    def __init__(self):
        self.ident = None
        self._done = _state["bridge"].Lock()
        self._done.acquire()
        self._started = False

    def _begin(self):
        self.ident = _state["bridge"].ident()

    def _set_done(self):
        if self._done.locked():
            self._done.release()

    def is_done(self):
        return not self._done.locked()

    def join(self, timeout=None):
        if not self._started:
            raise RuntimeError("thread not started")
        if self.ident is not None and self.ident == _state["bridge"].ident() and not self.is_done():
            raise RuntimeError("Cannot join current thread")
        if self.is_done():
            return
        if timeout is None or timeout < 0:
            got = self._done.acquire()
        else:
            got = self._done.acquire(True, timeout)
        if got:
            # The next thread that joins must not wait.
            self._done.release()


def start_joinable_thread(function, handle=None, daemon=True):
    """`_thread.start_joinable_thread`, from Python 3.13 on."""
    if handle is None:
        handle = ThreadHandle()
    if handle._started:
        raise RuntimeError("thread already started")
    handle._started = True
    _start(function, (), {}, handle)
    return handle


def _make_thread_handle(ident):
    handle = ThreadHandle()
    handle.ident = ident
    handle._started = True
    return handle


# ---- the library built on them -------------------------------------------------------------------------------------


def _without_simple_queue(module):
    if hasattr(module, "SimpleQueue"):
        del module.SimpleQueue


def _python_simple_queue(module):
    if hasattr(module, "_PySimpleQueue"):
        module.SimpleQueue = module._PySimpleQueue


def _change_threading(threading):
    _hash_by_age("Thread")(threading)
    if not hasattr(threading, "excepthook"):
        _change_threading_of_2(threading)
        return
    original = threading.excepthook

    def excepthook(args):
        """Reports uncaught exceptions of threads to the trace; a stop is not one."""
        host, bridge = _state["host"], _state["bridge"]
        if args.exc_type is SystemExit or issubclass(args.exc_type, bridge.Stopped):
            return
        if host is None or args.exc_value is None:
            original(args)
        else:
            _tell(host.caller(), args.exc_value)

    threading.excepthook = excepthook


def _change_threading_of_2(threading):
    """Python 2: replaces `wait` with a timeout, which polls, and reports uncaught exceptions of threads."""

    def wait(self, timeout=None):
        """`Condition.wait`: one wait for the lock that a notification releases."""
        if not self._is_owned():
            raise RuntimeError("cannot wait on un-acquired lock")
        waiter = _thread.allocate_lock()
        waiter.acquire()
        waiters = self._Condition__waiters
        waiters.append(waiter)
        saved = self._release_save()
        try:
            if timeout is None:
                waiter.acquire()
            elif not waiter.acquire(True, max(timeout, 0)) and waiter in waiters:
                waiters.remove(waiter)
        finally:
            self._acquire_restore(saved)

    bootstrap = threading.Thread._Thread__bootstrap

    def guarded(self):
        host, bridge = _state["host"], _state["bridge"]
        plain = self.run

        def run():
            try:
                plain()
            except SystemExit:
                pass
            except bridge.Stopped:
                pass
            except BaseException as error:
                if host is None:
                    raise
                host.report(error)

        self.run = run
        try:
            bootstrap(self)
        finally:
            del self.run

    threading._Condition.wait = wait
    threading.Thread._Thread__bootstrap = guarded


def _hash_by_age(name):
    """Gives objects a hash in the order of their creation, so that the order of sets does not depend on addresses
    (`ThreadPoolExecutor.shutdown`, `as_completed`)."""

    def change(module):
        made = [0]

        def __hash__(self):
            try:
                return self.__dict__["_boxstep_age"]
            except KeyError:
                made[0] += 1
                self.__dict__["_boxstep_age"] = made[0]
                return made[0]

        getattr(module, name).__hash__ = __hash__

    return change
