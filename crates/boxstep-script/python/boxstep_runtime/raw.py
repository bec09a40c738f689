"""Raw data of services, such as the pixels of a picture, as the script that gets it expects it.

`ALProxy` and the methods of an `ALModule` give a Python 2 script a `str`. Everything else is a `bytearray`, as in the
package `qi`.
"""
import sys

_PYTHON2 = sys.version_info[0] == 2


def _is_two(builtins):
    names = builtins if isinstance(builtins, dict) else vars(builtins)
    return "__py2_div__" in names


def _as(data, text):
    if not text:
        return bytearray(data)
    from .py2str import Str
    return Str(data)


def _is_a(name, thing):
    """Whether a class of an object has this name: a run and a Python of one's own have classes of their own."""
    return any(kind.__name__ == name for kind in type(thing).__mro__)


def received(data):
    """Converts data that a script receives. Without a script above it is left as it is, see `for_function`."""
    frame, by_proxy = sys._getframe(1), False
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] not in ("boxstep_runtime", "boxstep"):
            return _as(data, by_proxy and _is_two(frame.f_builtins))
        if frame.f_code.co_name == "_boxstep_call":
            by_proxy = _is_a("ALProxy", frame.f_locals["self"])
        frame = frame.f_back
    return data


def all_received(value):
    """Converts the data in a value."""
    if isinstance(value, (bytes, bytearray)):
        return received(value)
    return type(value)(map(all_received, value)) if type(value) in (list, tuple) else value


def for_function(function, args):
    """Converts arguments of a callback."""
    if _PYTHON2 or not any(type(arg) in (bytes, bytearray) for arg in args):
        return args
    space = getattr(getattr(function, "__func__", function), "__globals__", {})
    two = _is_two(space.get("__builtins__", {})) and _is_a("ALModule", getattr(function, "__self__", None))
    return [_as(arg, two) if type(arg) in (bytes, bytearray) else arg for arg in args]
