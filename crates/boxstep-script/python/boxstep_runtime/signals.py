"""Signals and properties, those of scripts' own objects and those of services."""
import itertools
import threading

from . import calling, frames, futures, state


def _answer(value, options):
    """Returns a result, as a future if `_async=True` was passed."""
    wanted = options.pop("_async", False)
    if options:
        raise TypeError("unexpected keyword argument '%s'" % sorted(options)[0])
    return futures.Future(value) if wanted else value


class Signal(object):
    """`qi.Signal`: calling it, or its trigger(), calls all connected functions, each in a task of its own."""

    def __init__(self, signature="m", onConnect=None):
        if callable(signature):
            signature, onConnect = "m", signature
        self.signature = signature
        self._on_connect = onConnect
        self._numbers = itertools.count(1)
        self._connected = []  # (number, function), in order
        self._outside = []  # (whose, function): called at once with each emission, for those outside the program
        self._lock = threading.Lock()

    def connect(self, function, **options):
        """Returns the number for disconnect."""
        if not callable(function):
            raise TypeError("a signal can only be connected to a callable")
        with self._lock:
            first = not self._connected
            number = next(self._numbers)
            self._connected.append((number, function))
        if first and self._on_connect is not None:
            self._on_connect(True)
        return _answer(number, options)

    addCallback = connect

    def disconnect(self, number, **options):
        """Returns True if the function was connected."""
        with self._lock:
            before = len(self._connected)
            self._connected = [c for c in self._connected if c[0] != number]
            gone = len(self._connected) < before
            last = gone and not self._connected
        if last and self._on_connect is not None:
            self._on_connect(False)
        return _answer(gone, options)

    def disconnectAll(self, **options):
        with self._lock:
            gone, self._connected = bool(self._connected), []
        if gone and self._on_connect is not None:
            self._on_connect(False)
        return _answer(gone, options)

    def hasSubscribers(self):
        return bool(self._connected)

    def trigger(self, *args):
        for _, function in list(self._connected):
            futures.later(function, *args)
        for _, function in list(self._outside):
            function(*args)

    __call__ = trigger

    def pass_on(self, whose, function):
        """Calls a function at once with the arguments of each emission."""
        self._outside.append((whose, function))

    def keep_in(self, whose):
        """Ends what pass_on has begun."""
        self._outside = [entry for entry in self._outside if entry[0] != whose]


class Property(Signal):
    """`qi.Property`: a value, and a signal of its changes."""

    def __init__(self, signature="m"):
        super(Property, self).__init__(signature)
        self._value = None

    def value(self, **options):
        return _answer(self._value, options)

    def setValue(self, value, **options):
        self._value = value
        self.trigger(value)
        return _answer(None, options)


def of_object(target):
    """Returns the `qi.Signal` and `qi.Property` attributes of an object, by name."""
    found = {}
    for space in [kind.__dict__ for kind in reversed(type(target).__mro__)] + [getattr(target, "__dict__", {})]:
        for name, value in space.items():
            if isinstance(value, Signal) and not name.startswith("_"):
                found[name] = value
    return sorted(found.items())


# The methods that every service has for its properties.
OF_PROPERTIES = ("property", "setProperty")


def call_property(target, method, args):
    """Calls one of them for an object; returns how it went, as own_robot.py does."""
    found = dict(of_object(target)).get(args[0] if args else None)
    if not isinstance(found, Property):
        return ["missing", None]
    if method == "property":
        return ["value", found.value()]
    found.setValue(*args[1:])
    return ["value", None]


def offer(service, target):
    """Tells the engine of the signals of a service's object from now on."""
    for name, signal in of_object(target):
        signal.pass_on(service, _emitted(service, name))


def _emitted(service, signal):
    return lambda *args: state.bridge.post(-1, 0, "ALBoxstep", "emitted", [service, signal, list(args)])


def withdraw(service, target):
    """Ends that."""
    for _, signal in of_object(target):
        signal.keep_in(service)


class Subscriptions(object):
    """The functions that scripts have connected to topics of the engine: `("memory", key, "")`, `("signal", service,
    name)`."""

    @classmethod
    def connect(cls, topic, function, options):
        if not callable(function):
            raise TypeError("a signal can only be connected to a callable")
        owner, line = frames.caller()

        # Exceptions are not handled here: the engine reports those that leave the task.
        kept = state.new_callback(lambda *args: calling.up_to(function, args), once=False)
        try:
            number = state.bridge.subscribe(owner, line, topic[0], topic[1], topic[2], kept)
        except BaseException:
            state.forget(kept)
            raise
        state.subscriptions.setdefault(topic, []).append((number, kept, owner))
        state.on_drop(owner, ("subscription", number), lambda: cls.disconnect(topic, number, {}))
        return _answer(number, options)

    @classmethod
    def disconnect(cls, topic, number, options):
        entries = state.subscriptions.get(topic, [])
        gone = False
        for entry in [e for e in entries if e[0] == number]:
            entries.remove(entry)
            state.forget(entry[1])
            state.not_on_drop(entry[2], ("subscription", number))
            gone = state.bridge.unsubscribe(number) or gone
        if not entries:
            state.subscriptions.pop(topic, None)
        return _answer(gone, options)

    @classmethod
    def disconnect_all(cls, topic, options):
        numbers = [entry[0] for entry in state.subscriptions.get(topic, [])]
        for number in numbers:
            cls.disconnect(topic, number, {})
        return _answer(bool(numbers), options)


class MemorySignal(object):
    """`ALMemory.subscriber(key).signal`"""

    def __init__(self, key):
        self._topic = ("memory", key, "")

    def connect(self, function, **options):
        return Subscriptions.connect(self._topic, function, options)

    addCallback = connect

    def disconnect(self, number, **options):
        return Subscriptions.disconnect(self._topic, number, options)

    def disconnectAll(self, **options):
        return Subscriptions.disconnect_all(self._topic, options)


class MemorySubscriber(object):
    """`ALMemory.subscriber(key)`"""

    def __init__(self, key):
        self.signal = MemorySignal(key)
