"""Futures, promises and functions that run later, as libqi has them.

A callback never runs inside the call that made it due: each runs as a task of its own, in the order in which they
were added.
"""
import threading

from . import calling, frames, state

INFINITE = 0x7FFFFFFF
_MS = 1000000
_US = 1000

# The states, with libqi's numbers.
UNBOUND, RUNNING, CANCELED, WITH_ERROR, WITH_VALUE = range(5)


class Constants(object):
    """A namespace of constants. One of them is called None, which a class body cannot define."""

    def __init__(self, **values):
        self.__dict__.update(values)


FutureState = Constants(
    None_=UNBOUND, Running=RUNNING, Canceled=CANCELED, FinishedWithError=WITH_ERROR, FinishedWithValue=WITH_VALUE)
setattr(FutureState, "None", UNBOUND)
FutureTimeout = Constants(None_=0, Infinite=INFINITE)
setattr(FutureTimeout, "None", 0)


class Future(object):
    """A result that will be available later. `Future(value)` has its value from the start."""

    def __init__(self, *value):
        self._changed = threading.Condition(threading.Lock())
        self._callbacks = []
        self._cancel = None
        self._state = WITH_VALUE if value else RUNNING
        self._result = value[0] if value else None

    def wait(self, timeout=INFINITE):
        """Waits for at most this many milliseconds; returns the state."""
        with self._changed:
            if self._state == RUNNING and timeout:
                seconds = None if timeout < 0 or timeout >= INFINITE else timeout / 1000.0
                # The only notification is the one at the end, so one wait is enough.
                self._changed.wait(seconds)
            return self._state

    def value(self, timeout=INFINITE):
        """Returns the value; raises RuntimeError for an error, a cancellation or a timeout."""
        now = self.wait(timeout)
        if now == WITH_VALUE:
            return self._result
        if now == WITH_ERROR:
            raise RuntimeError(self._result)
        raise RuntimeError("Future canceled." if now == CANCELED else "Future timeout.")

    def error(self, timeout=INFINITE):
        """Returns the text of the error; raises RuntimeError if there is none."""
        if self.wait(timeout) == WITH_ERROR:
            return self._result
        raise RuntimeError("Future timeout." if self._state == RUNNING else "Future has no error.")

    def hasValue(self, timeout=INFINITE):
        return self.wait(timeout) == WITH_VALUE

    def hasError(self, timeout=INFINITE):
        return self.wait(timeout) == WITH_ERROR

    def isRunning(self):
        if self._state == RUNNING:
            # A script that asks again and again must see time pass.
            state.bridge.now()
        return self._state == RUNNING

    def isFinished(self):
        return not self.isRunning()

    def isCanceled(self):
        return self._state == CANCELED

    def isCancelable(self):
        return self._cancel is not None

    def isValid(self):
        return True

    def cancel(self):
        """Requests cancellation; the code that computes the value may ignore it."""
        cancel = self._cancel
        if cancel is not None and self._state == RUNNING:
            cancel()

    def addCallback(self, function):
        """Calls `function(future)` when the result is available, also if it already is."""
        with self._changed:
            if self._state == RUNNING:
                self._callbacks.append(function)
                return
        later(function, self)

    def then(self, function):
        """Returns the future of `function(future)`."""
        promise = Promise(lambda _: self.cancel())
        self.addCallback(lambda done: promise._settle(function, done))
        return promise.future()

    def andThen(self, function):
        """Returns the future of `function(value)`; an error or a cancellation is passed on."""
        promise = Promise(lambda _: self.cancel())

        def go_on(done):
            if done._state == WITH_VALUE:
                promise._settle(function, done._result)
            else:
                promise._copy(done)
        self.addCallback(go_on)
        return promise.future()

    def unwrap(self):
        """Returns the inner future of a future whose value is a future."""
        promise = Promise(lambda _: self.cancel())

        def open_up(done):
            inner = done._result
            if done._state == WITH_VALUE and isinstance(inner, Future):
                promise._cancel = lambda _: inner.cancel()
                inner.addCallback(promise._copy)
            elif done._state == WITH_VALUE:
                promise.setError("the value is not a future")
            else:
                promise._copy(done)
        self.addCallback(open_up)
        return promise.future()

    def _finish(self, to, result):
        with self._changed:
            if self._state != RUNNING:
                return False
            self._state, self._result = to, result
            callbacks, self._callbacks, self._cancel = self._callbacks, [], None
            self._changed.notify_all()
        for function in callbacks:
            later(function, self)
        return True


class Promise(object):
    """The side that sets a future. `on_cancel(promise)` is called when the future is cancelled."""

    def __init__(self, on_cancel=None):
        # `Promise("s")` states the type of the value, which is ignored here.
        self._cancel = on_cancel if callable(on_cancel) else None
        self._requested = False
        self._future = Future()
        if self._cancel is not None:
            self._future._cancel = self._on_cancel

    def _on_cancel(self):
        self._requested = True
        if self._cancel is not None:
            calling.up_to(self._cancel, (self,))

    def future(self):
        return self._future

    def isCancelRequested(self):
        return self._requested

    def setValue(self, value):
        self._set(WITH_VALUE, value)

    def setError(self, error):
        self._set(WITH_ERROR, str(error))

    def setCanceled(self):
        self._set(CANCELED, None)

    def _set(self, to, result):
        if not self._future._finish(to, result):
            raise RuntimeError("promise already set")

    def _copy(self, done):
        self._future._finish(done._state, done._result)

    def _settle(self, function, *args):
        """Sets the promise to the result of a script's function; an exception becomes its error, and is reported."""
        try:
            result = calling.up_to(function, args)
        except state.bridge.Stopped:
            raise
        except BaseException as error:
            self._future._finish(WITH_ERROR, error_text(error))
            frames.report(error)
        else:
            self._future._finish(WITH_VALUE, result)


def error_text(error):
    """Returns the error text of a future for an exception."""
    text = frames.text_of(error)
    return text if type(error) is RuntimeError else "%s: %s" % (type(error).__name__, text)


def later(function, *args):
    """Calls a function of a script in a task of its own, without waiting for it."""
    def run():
        call_reporting(function, *args)
    state.bridge.spawn(state.new_callback(run))


def call_reporting(function, *args):
    """Calls a function of a script and reports an exception. Returns True if there was none."""
    try:
        calling.up_to(function, args)
    except state.bridge.Stopped:
        raise
    except BaseException as error:
        frames.report(error)
        return False
    return True


def run_async(function, *args, **options):
    """`qi.async(function, args..., delay=microseconds)`: returns a future of the function's result."""
    delay = options.pop("delay", 0)
    if options:
        raise TypeError("async() got an unexpected keyword argument '%s'" % sorted(options)[0])
    if not callable(function):
        raise TypeError("async() needs a callable")
    call = _Call(function, args)
    call.start(int(delay * _US))
    return call.promise.future()


class _Call(object):
    """A function that is scheduled to run, and can be cancelled until then."""

    def __init__(self, function, args):
        self.promise = Promise(self.cancel)
        self.function = function
        self.args = args
        self.timer = None
        self.number = state.new_callback(self.run)

    def start(self, delay):
        if delay > 0:
            self.timer = state.bridge.after(self.number, delay, None)
        else:
            state.bridge.spawn(self.number)

    def run(self):
        if self.function is None:
            return
        function, args = self.function, self.args
        self.function = self.args = None
        # The lambda drops the arguments after the call, so the future does not keep them alive.
        self.promise._settle(lambda: function(*args))

    def cancel(self, promise):
        if self.function is None:
            return
        self.function = self.args = None
        state.forget(self.number)
        if self.timer is not None:
            state.bridge.cancel_timer(self.timer)
        self.promise._future._finish(CANCELED, None)


def barrier(futures):
    """Returns the future of a list of futures, which is set when all of them have finished."""
    futures = list(futures)
    promise = Promise(lambda _: [future.cancel() for future in futures])
    left = [len(futures)]
    lock = threading.Lock()

    def one(_):
        with lock:
            left[0] -= 1
            last = left[0] == 0
        if last:
            promise._future._finish(WITH_VALUE, futures)
    for future in futures:
        future.addCallback(one)
    if not futures:
        promise.setValue(futures)
    return promise.future()


def service_call(number, line, service, method, args):
    """Returns the future of a service call."""
    promise = Promise(lambda _: cancel())

    def done(ok, value):
        promise._future._finish(WITH_VALUE if ok else WITH_ERROR, value)

    kept = state.new_callback(done)
    task = state.bridge.call_then(number, line, service, method, args, kept)

    def cancel():
        if state.bridge.stop_call(task):
            promise._future._finish(CANCELED, None)
    return promise.future()
