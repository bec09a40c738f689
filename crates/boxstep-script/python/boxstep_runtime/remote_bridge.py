"""The bridge of the helper process; see `bridge` for its methods."""
import operator

from boxstep_runtime import outputs, remote_locks, remote_worker, remote_values
from boxstep_runtime.remote_values import text, to_wire
from boxstep_runtime.remote_wire import Native

_LEVELS = ("debug", "info", "warning", "error", "fatal")


def _ask(*message):
    """Sends a request to the engine and returns the reply. Raises if the request fails or the run is over."""
    if Native.getpid() != Native.pid:
        raise RuntimeError("a fork of this process cannot reach the behavior")
    worker = remote_worker.here()
    answer = remote_worker.outside(message) if worker is None else worker.ask(message)
    if answer[0] == "v":
        return answer[1]
    if answer[0] == "stop":
        raise remote_worker.stop()
    raise RuntimeError(remote_values.native_text(answer[1]))


def _tell(*message):
    """Sends a notice, which needs no reply and is accepted until the very end."""
    if Native.getpid() != Native.pid:
        return
    worker = remote_worker.here()
    if worker is None:
        remote_worker.tell_outside(message)
    else:
        worker.tell(message)


def _number(value, least=0, end=2**32):
    """Checks an integer for the engine; raises if it is out of range."""
    value = operator.index(value)
    if not least <= value < end:
        raise OverflowError("%d is out of range" % value)
    return value


def _ns(value):
    return None if value is None else _number(value, -2**63, 2**63)


def _value(*message):
    return remote_values.from_wire(_ask(*message))


def _output(object, name, value):
    _ask("output", object, text(name), to_wire(value))


class RemoteBridge(object):
    Lock = remote_locks.Lock
    RLock = remote_locks.RLock
    Stopped = remote_worker.Stopped

    def output_method(self, object, name, is_bang):
        return outputs.method(_output, object, name, is_bang)

    def stimulate(self, object, name, value):
        _ask("stimulate", object, text(name), to_wire(value))

    def get_parameter(self, object, name):
        return _value("get_parameter", object, text(name))

    def set_parameter(self, object, name, value):
        _ask("set_parameter", object, text(name), to_wire(value))

    def timeline(self, object, parent, command, arg=None):
        if arg is not None:
            try:
                arg = text(arg)
            except TypeError:
                arg = int(float(arg))
        return _value("timeline", object, bool(parent), text(command), arg)

    def object(self, kind, handle, operation, args):
        handle = [_number(part) for part in handle]
        return _value("object", text(kind), handle, text(operation), remote_values.items_to_wire(args))

    def find_service(self, object, line, name):
        return _ask("find_service", object, line, text(name))

    def call(self, object, line, name, method, args):
        return _value("call", object, line, text(name), text(method), remote_values.items_to_wire(args))

    def post(self, object, line, name, method, args):
        return _ask("post", object, line, text(name), text(method), remote_values.items_to_wire(args))

    def call_then(self, object, line, name, method, args, callback):
        args = remote_values.items_to_wire(args)
        return _ask("call_then", object, line, text(name), text(method), args, callback)

    def wait_call(self, call, timeout=None):
        return _ask("wait_call", _number(call), _ns(timeout))

    def stop_call(self, call):
        return _ask("stop_call", _number(call))

    def is_running(self, call):
        return _ask("is_running", _number(call))

    def subscribe(self, object, line, kind, a, b, callback):
        return _ask("subscribe", object, line, text(kind), text(a), text(b), callback)

    def unsubscribe(self, subscription):
        return _ask("unsubscribe", _number(subscription))

    def after(self, callback, delay, period=None):
        return _ask("after", callback, _ns(delay), _ns(period))

    def cancel_timer(self, timer):
        return _ask("cancel_timer", _number(timer))

    def spawn(self, callback):
        _ask("spawn", callback)

    def now(self):
        return _ask("now")

    def sleep(self, ns):
        if remote_worker.here() is None or Native.getpid() != Native.pid:
            Native.sleep(max(ns, 0) / 1e9)
        else:
            _ask("sleep", _ns(ns))

    def log(self, object, line, level, text):
        if level not in _LEVELS:
            raise ValueError("levels are debug, info, warning, error and fatal")
        _tell("log", object, line, level, remote_values.text(text))

    def uncaught(self, object, line, kind, message, error_line, traceback):
        words = [remote_values.text(word) for word in (kind, message, traceback)]
        _tell("uncaught", object, line, words[0], words[1], error_line, words[2])

    def not_deterministic(self, why):
        _tell("not_deterministic", text(why))

    def rewrite(self, text):
        return remote_values.native_text(_ask("rewrite", remote_values.text(text)))

    def in_task(self):
        return remote_worker.here() is not None

    def ident(self):
        return remote_locks.ident()


def _print(self, object, line, text, error):
    _tell("print", object, line, remote_values.text(text), bool(error))


setattr(RemoteBridge, "print", _print)  # a keyword in Python 2
_print.__name__ = "print"
