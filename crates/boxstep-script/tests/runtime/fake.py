"""A small fake engine for tests of the runtime, which records the requests of scripts in order."""
import collections
import re
import sys
import threading
import unittest

from boxstep_runtime import calling, host, outputs, state


class Stopped(BaseException):
    """The run is ending, as in the real bridge."""


class FakeBridge(object):
    """Keeps tasks in a queue and the time in a number. `events` holds the requests, `run` executes what is due."""

    Stopped = Stopped
    Lock = staticmethod(threading.Lock)
    RLock = staticmethod(threading.RLock)

    def __init__(self):
        self.events = []
        self.parameters = {}
        self.services = {}
        self.timelines = {}
        self.calls = {}
        self.time = 0
        self.made = 0
        self.queue = collections.deque()
        self.timers = []
        self.subscriptions = {}
        self.changed = threading.Condition()
        self.refuse_signals = ()
        self.known = {}

    def note(self, *event):
        self.events.append(event)

    def of(self, *kinds):
        """Returns the events of some kinds; if it is one kind, without the kind."""
        found = [e for e in self.events if e[0] in kinds]
        return [e[1:] for e in found] if len(kinds) == 1 else found

    def number(self):
        self.made += 1
        return self.made

    # -- requests of the runtime --

    def output_method(self, obj, name, is_bang):
        return outputs.method(lambda obj, name, value: self.note("output", obj, name, value), obj, name, is_bang)

    def stimulate(self, obj, name, value):
        self.note("stimulate", obj, name, value)

    def get_parameter(self, obj, name):
        if (obj, name) not in self.parameters:
            raise RuntimeError("no parameter named %s" % name)
        return self.parameters[obj, name]

    def set_parameter(self, obj, name, value):
        self.note("set", obj, name, value)
        self.parameters[obj, name] = value

    def timeline(self, obj, parent, command, arg=None):
        self.note("timeline", obj, parent, command, arg)
        line = self.timelines.get((obj, parent))
        if line is None:
            return None
        if command == "set_fps":
            line["fps"] = arg
        return True if command == "exists" else line.get(command)

    def object(self, kind, handle, operation, args):
        self.note("object", kind, tuple(handle), operation, args)
        return [self.number()] if operation.startswith("new") else None

    def find_service(self, obj, line, name):
        if name not in self.services:
            self.note("no service", obj, line, name)
        return name in self.services

    def call(self, obj, line, service, method, args):
        self.note("call", obj, line, service, method, args)
        return self.answer(service, method, args)

    def answer(self, service, method, args):
        if (service, method) == ("ALBoxstep", "describe"):
            return self.known
        if service in ("ALBoxstep", "ALResourceManager"):
            return True
        answer = self.services[service].get(method)
        return answer(*args) if callable(answer) else answer

    def post(self, obj, line, service, method, args):
        number = self.number()
        self.note("post", obj, line, service, method, args)
        self.calls[number] = None
        return number

    def call_then(self, obj, line, service, method, args, callback):
        number = self.number()
        self.note("call", obj, line, service, method, args)
        self.calls[number] = callback
        return number

    def finish(self, number, ok=True, value=None):
        """Ends a call of the engine."""
        callback = self.calls.pop(number)
        if callback is not None:
            self.deliver(callback, [ok, value])

    def wait_call(self, number, timeout):
        self.note("wait", number, timeout)
        return number in self.calls and timeout is not None

    def stop_call(self, number):
        self.note("stop", number)
        if number not in self.calls:
            return False
        self.finish(number)
        return True

    def is_running(self, number):
        return number in self.calls

    def subscribe(self, obj, line, kind, a, b, callback):
        if b in self.refuse_signals:
            raise RuntimeError("Cannot find method: %s.%s" % (a, b))
        number = self.number()
        self.note("subscribe", obj, line, kind, a, b)
        self.subscriptions[number] = (kind, a, b, callback)
        return number

    def unsubscribe(self, number):
        self.note("unsubscribe", number)
        return self.subscriptions.pop(number, None) is not None

    def after(self, callback, delay, period=None):
        number = self.number()
        self.timers.append((self.time + delay, number, callback))
        self.note("after", delay)
        return number

    def cancel_timer(self, number):
        before = len(self.timers)
        self.timers = [timer for timer in self.timers if timer[1] != number]
        return len(self.timers) < before

    def spawn(self, callback):
        self.deliver(callback, [])

    def now(self):
        return self.time

    def not_deterministic(self, why):
        self.note("not_deterministic", why)

    def log(self, obj, line, level, text):
        self.note("log", obj, line, level, text)

    def print_(self, obj, line, text, is_error):
        self.note("print", obj, line, text, is_error)

    def uncaught(self, obj, line, kind, message, err_line, traceback):
        self.note("uncaught", obj, kind, message, err_line)
        self.traceback = traceback

    def rewrite(self, text):
        return re.sub(r"\.async\(", ".async_(", text)

    # -- actions of the engine --

    def deliver(self, callback, args):
        with self.changed:
            self.queue.append((callback, args))
            self.changed.notify_all()

    def raise_event(self, kind, a, b, *args):
        for number in sorted(self.subscriptions):
            if self.subscriptions[number][:3] == (kind, a, b):
                self.deliver(self.subscriptions[number][3], list(args))

    def step(self):
        callback, args = self.queue.popleft()
        host.up_to(host.callback(callback), args)

    def run(self):
        """Executes what is due now."""
        while self.queue:
            self.step()

    def advance(self, seconds):
        """Lets time pass."""
        end = self.time + int(seconds * 1e9)
        self.run()
        while True:
            due = sorted(timer for timer in self.timers if timer[0] <= end)
            if not due:
                break
            self.timers.remove(due[0])
            self.time = max(self.time, due[0][0])
            self.deliver(due[0][2], [])
            self.run()
        self.time = end


setattr(FakeBridge, "print", FakeBridge.print_)

INFO = {
    "path": "root/Box", "box_name": "Box", "full_name": "_Behavior__1__root__Box_2", "parent_name": "root",
    "id": "_Behavior__1__root__Box_2", "parent_id": "_Behavior__1__root", "behavior_id": "_Behavior__1",
    "behavior_path": "", "behavior_relative_path": ".", "package_uid": "my-app", "inputs": [("onStart", True)],
    "outputs": [("onStopped", True), ("value", False)], "parameters": ["speed"], "has_timeline": False,
    "has_parent_timeline": True, "has_resources": False,
}

HEAD = """\
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
"""


class Case(unittest.TestCase):
    """Sets a run up, and has helpers for tests of boxes."""

    dialect = 2
    installed_qi = False

    def setUp(self):
        self.streams = sys.stdout, sys.stderr, sys.unraisablehook, threading.excepthook
        self.bridge = FakeBridge()
        self.numbers = 0
        host.setup(self.bridge, {
            "epoch": 0, "virtual": True, "seed": 0, "network": False, "dialect": self.dialect, "language": "English",
            "installed_qi": self.installed_qi})

    def tearDown(self):
        for number in sorted(state.objects):
            host.drop(number)
        sys.stdout, sys.stderr, sys.unraisablehook, threading.excepthook = self.streams

    def box(self, text, **info):
        """Loads and constructs a box; methods without a class get the usual class header. Returns the box's number;
        `methods` are its own."""
        if "class " not in text and text.strip():
            text = HEAD + text
        number = self.numbers
        self.numbers += 1
        host.load(number, text, "dance.xar", False, info.get("path", "root/Box"))
        self.methods = host.construct(number, number, dict(INFO, **info))
        return number

    def call(self, number, method="onInput_onStart", value=None):
        """Calls an input like the engine: with the value if the method takes exactly one."""
        function, takes = host.hook(number, method)
        return function(value) if takes == 1 else function()

    def raises(self, kind, function, *args):
        """Returns the exception, as the host describes it."""
        try:
            function(*args)
        except kind as error:
            return host.explain(error)
        self.fail("%s was not raised" % kind.__name__)

    def outputs(self):
        return [(name, value) for _, name, value in self.bridge.of("output")]


__all__ = ["Case", "FakeBridge", "Stopped", "calling", "host", "state", "HEAD", "INFO"]
