"""Services as scripts see them: `ALProxy(name)`, `session.service(name)`, their methods, signals and properties."""
import itertools

from . import calling, frames, futures, signals, state

_INTEGERS = (int,) if str is not bytes else (int, long)  # noqa: F821 (Python 2)
_TEXT = (str, type(u""))
_posts = itertools.count(1)


def find(name):
    """Checks that a service exists; raises RuntimeError if it does not."""
    if not isinstance(name, _TEXT):
        raise TypeError("a service's name is a string, not %s" % type(name).__name__)
    if name in state.services:
        return
    number, line = frames.caller()
    if not state.bridge.find_service(number, line, name):
        raise RuntimeError("Cannot find service: %s" % name)


class Member(object):
    """A member of a service: a method if it is called, otherwise a signal or a property."""

    __slots__ = ("_service", "_name")

    def __init__(self, service, name):
        self._service = service
        self._name = name

    def __call__(self, *args, **options):
        return self._service._boxstep_call(self._name, args, options)

    def _topic(self):
        return "signal", self._service._boxstep_name, self._name

    def connect(self, function, **options):
        return signals.Subscriptions.connect(self._topic(), function, options)

    addCallback = connect

    def disconnect(self, number, **options):
        return signals.Subscriptions.disconnect(self._topic(), number, options)

    def disconnectAll(self, **options):
        return signals.Subscriptions.disconnect_all(self._topic(), options)

    def value(self, **options):
        return self._service._boxstep_call("property", (self._name,), options)

    def setValue(self, value, **options):
        return self._service._boxstep_call("setProperty", (self._name, value), options)

    def __repr__(self):
        return "<%s.%s>" % (self._service._boxstep_name, self._name)


class Service(object):
    """A service of the robot, or one that a script has registered. Any name is a method, a signal or a property."""

    def __init__(self, name):
        self._boxstep_name = name

    def __getattr__(self, name):
        # Python itself looks up names like __iter__ to find out what an object supports.
        if name.startswith("__") or name.startswith("_boxstep_"):
            raise AttributeError(name)
        local = state.services.get(self._boxstep_name)
        if local is not None:
            value = getattr(local.target, name, None)
            if value is not None and (not callable(value) or isinstance(value, signals.Signal)):
                return value
        return Member(self, name)

    def __repr__(self):
        return "<service %s>" % self._boxstep_name

    # Methods of every NAOqi module for the tasks that `post` has started.

    def _boxstep_call(self, name, args, options):
        wants_future = options.pop("_async", False)
        if options:
            raise TypeError("%s() got an unexpected keyword argument '%s'" % (name, sorted(options)[0]))
        own = self._boxstep_own.get(name)
        if own is not None and own.fits(self, args):
            result = own.function(self, args)
            return futures.Future(result) if wants_future else result
        local = state.services.get(self._boxstep_name)
        if local is not None:
            return futures.run_async(local.call, name, *args) if wants_future else local.call(name, *args)
        number, line = frames.caller()
        if wants_future:
            return futures.service_call(number, line, self._boxstep_name, name, list(args))
        return state.bridge.call(number, line, self._boxstep_name, name, list(args))

    def _boxstep_post(self, name, args):
        local = state.services.get(self._boxstep_name)
        if local is not None:
            task = -next(_posts)
            future = state.posts[task] = futures.run_async(local.method(name), *args)
            future.addCallback(lambda _: state.posts.pop(task, None))
            return task
        number, line = frames.caller()
        return state.bridge.post(number, line, self._boxstep_name, name, list(args))


class _Own(object):
    """A method that this runtime implements, if the arguments fit; otherwise the service's method is called."""

    def __init__(self, fits, function):
        self.fits = fits
        self.function = function


def _is_task(value):
    return isinstance(value, _INTEGERS) and not isinstance(value, bool)


def _wait(service, args):
    """Waits for a task; True on a timeout. A timeout of 0 ms, or none, waits for ever."""
    task, timeout = args[0], args[1] if len(args) > 1 else 0
    if task < 0:
        future = state.posts.get(task)
        return future is not None and future.wait(timeout or futures.INFINITE) == futures.RUNNING
    return state.bridge.wait_call(task, int(timeout * 1000000) if timeout > 0 else None)


def _stop(service, args):
    if args[0] < 0:
        future = state.posts.get(args[0])
        if future is not None:
            future.cancel()
    else:
        state.bridge.stop_call(args[0])


def _is_running(service, args):
    if args[0] < 0:
        future = state.posts.get(args[0])
        return future is not None and future.isRunning()
    return state.bridge.is_running(args[0])


def _ping(service, args):
    number, line = frames.caller()
    return service._boxstep_name in state.services or state.bridge.find_service(number, line, service._boxstep_name)


def _named(service, args):
    return len(args) > 0 and isinstance(args[0], _TEXT)


def _one_task(service, args):
    return len(args) == 1 and _is_task(args[0])


_CALLS = {
    "call": _Own(_named, lambda s, args: s._boxstep_call(args[0], args[1:], {})),
    "async": _Own(_named, lambda s, args: s._boxstep_call(args[0], args[1:], {"_async": True})),
    "pCall": _Own(_named, lambda s, args: s._boxstep_post(args[0], args[1:])),
}
Service._boxstep_own = {
    "wait": _Own(lambda s, args: len(args) in (1, 2) and all(_is_task(a) for a in args), _wait),
    "stop": _Own(_one_task, _stop),
    "isRunning": _Own(_one_task, _is_running),
    "ping": _Own(lambda s, args: not args, _ping),
    "subscriber": _Own(
        lambda s, args: s._boxstep_name == "ALMemory" and len(args) == 1 and isinstance(args[0], _TEXT),
        lambda s, args: signals.MemorySubscriber(args[0])),
}
Service._boxstep_own.update(_CALLS)


class _Post(object):
    """`proxy.post`: its methods start a task and return its number."""

    def __init__(self, service):
        self._service = service

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args: self._service._boxstep_post(name, args)


class ALProxy(Service):
    """`ALProxy(name)`, `ALProxy(name, ip, port)`, `ALProxy(name, True)`.

    Every proxy is an object of its own, so one may stop what another waits for. Addresses are ignored: the services
    are those of the robot that the behavior plays on.
    """

    def __init__(self, name, *where):
        find(name)
        Service.__init__(self, name)
        if where and isinstance(where[0], _TEXT) and where[0] not in _HERE and not state.is_program():
            number, line = frames.caller()
            text = "ALProxy(%r): the address %s is ignored, services are those of the robot played on"
            state.bridge.log(number, line, "warning", text % (str(name), where[0]))

    @property
    def post(self):
        return _Post(self)

    def _boxstep_lacks(self, name):
        """Whether the module has no method of this name, for `hasattr` in Python 2. A module has methods only."""
        if name.startswith("_") or hasattr(type(self), name) or name in self._boxstep_own:
            return False
        local = state.services.get(self._boxstep_name)
        if local is not None:
            return local.find(name) is None
        try:
            return name not in self._boxstep_call("getMethodList", (), {})
        except RuntimeError:
            return False


_HERE = ("", "localhost", "127.0.0.1", "0.0.0.0", "::1")


class DefaultProxy(ALProxy):
    """A proxy that scripts find in their namespace. It looks up its service on first use."""

    def __init__(self, name):
        Service.__init__(self, name)
        self._boxstep_found = False

    def _boxstep_find(self):
        if not self._boxstep_found:
            try:
                find(self._boxstep_name)
            except RuntimeError:
                # On a robot without the service, the name does not exist.
                raise NameError("name '%s' is not defined" % self._boxstep_name)
            self._boxstep_found = True

    def __getattr__(self, name):
        if not name.startswith("_"):
            self._boxstep_find()
        return Service.__getattr__(self, name)

    @property
    def post(self):
        self._boxstep_find()
        return _Post(self)


class Local(object):
    """A service that a script has registered: its object, and the box that registered it."""

    def __init__(self, number, name, target, owner):
        self.number = number
        self.name = name
        self.target = target
        self.owner = owner

    def find(self, name):
        """Returns a method that others may call; None if there is none of this name."""
        value = getattr(self.target, name, None)
        if getattr(value, "__qi_name__", None) not in (None, name):
            value = None  # it has another name there
        if value is None:
            for kind in type(self.target).__mro__:
                found = [key for key, function in kind.__dict__.items() if getattr(function, "__qi_name__", None) == name]
                if found:
                    value = getattr(self.target, found[0])
                    break
        hidden = not callable(value) or getattr(value, "__qi_signature__", None) == "DONOTBIND"
        return None if hidden else value

    def method(self, name):
        value = self.find(name)
        if value is None:
            raise RuntimeError("Cannot find method: %s.%s" % (self.name, name))
        return value

    def call(self, name, *args):
        """Calls a method. As on a robot, the caller gets the text of an exception as a RuntimeError, and the value of a
        future."""
        method = self.method(name)
        try:
            value = method(*args)
            return value.value() if isinstance(value, futures.Future) else value
        except state.bridge.Stopped:
            raise
        except Exception as error:
            failed = RuntimeError(futures.error_text(error))
            # Tracebacks show where it was raised; Python 2 cannot say `from`.
            failed.__cause__ = error
            raise failed


def register(name, target, owner, number):
    """Registers an object of a script as a service."""
    if name in state.services:
        raise RuntimeError("Service %s is already registered" % name)
    state.services[name] = Local(number, name, target, owner)
    state.bridge.post(-1, 0, "ALBoxstep", "registerService", [name, owner])
    signals.offer(name, target)
    state.on_drop(owner, ("service", name), lambda: _withdraw(name))


def unregister(name):
    """Removes a service that a script has registered; returns whether there was one."""
    local = _withdraw(name)
    if local is not None:
        state.not_on_drop(local.owner, ("service", name))
    return local is not None


def _withdraw(name):
    local = state.services.pop(name, None)
    if local is not None:
        state.bridge.post(-1, 0, "ALBoxstep", "unregisterService", [name])
        signals.withdraw(name, local.target)
    return local


def up_to_method(target, method, args):
    """Calls a method by name with as many arguments as it takes."""
    return calling.up_to(getattr(target, method), args)
