"""Stands in for boxstep_runtime.host: runs the functions main0, main1, … of a file."""
import sys
import traceback

_callbacks = {}
_made = [1000]
_file = sys.argv[-1]
_names = {}


def setup(bridge, options):
    _names.update(__name__="__selftest__", bridge=bridge, options=options)
    with open(_file) as f:
        text = f.read()

    def log(*words):
        bridge.log(-1, 0, "info", " ".join(str(w) for w in words))

    _names["log"] = log
    exec(compile(text, _file, "exec"), _names)


def new_callback(function):
    _made[0] += 1
    _callbacks[_made[0]] = function
    return _made[0]


def callback(number):
    return _callbacks[number] if number >= 1000 else _names["main%d" % number]


def forget(number):
    _callbacks.pop(number, None)


def up_to(function, args):
    return function(*args)


def caller():
    return -1, 0


def explain(error):
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    return type(error).__name__, str(error), None, "".join(lines)


def load(*_):
    raise NotImplementedError


construct = hook = drop = forget_modules = load
