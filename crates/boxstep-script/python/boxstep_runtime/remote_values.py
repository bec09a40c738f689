"""Converts values to JSON and back: the form of traces, except that a dictionary is always sent as pairs, in its order.

A value without another form is sent as a number, `{"$object": n}`, and is kept here until the engine has released
it.
"""
import base64
import math
import sys

_PYTHON2 = sys.version_info[0] == 2
_TEXT = type(u"")
_INTS = (int, long) if _PYTHON2 else (int,)  # noqa: F821
# Bounds nested lists: a list that contains itself must not exhaust the stack.
_DEPTH = 100

# Numbers from here on are objects of the robot (`ObjectRef::OF_ROBOT`).
_OF_ROBOT = 1 << 52

_held = {}
_made = [0]


def free(numbers):
    """Drops values that the engine has released."""
    for number in numbers:
        _held.pop(number, None)


def to_wire(value):
    """Converts a value. Raises ValueError if it is nested too deeply."""
    return _convert(value, _DEPTH)


def items_to_wire(values):
    """Converts the arguments of a call; the nesting limit applies to each of them."""
    return [_convert(value, _DEPTH) for value in values]


def _keep(value):
    _made[0] += 1
    _held[_made[0]] = value
    return {"$object": _made[0]}


def _convert(value, depth):
    if depth == 0:
        raise ValueError("a value is nested more than %d deep" % _DEPTH)
    if value is None or value is True or value is False:
        return value
    if isinstance(value, _INTS):
        return int(value) if -2**63 <= value < 2**63 else _keep(value)
    if isinstance(value, float):
        if math.isinf(value):
            return {"$float": "inf" if value > 0 else "-inf"}
        return {"$float": "nan"} if value != value else float(value)
    if isinstance(value, _TEXT):
        return whole_text(value)
    if isinstance(value, bytes):
        if type(value) is not bytes or _PYTHON2:
            # `str` of a Python 2 script.
            try:
                return bytes(value).decode("utf-8")
            except UnicodeDecodeError:
                pass
        return {"$bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, bytearray):
        return {"$bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, (list, tuple)):
        return [_convert(item, depth - 1) for item in value]
    if isinstance(value, dict):
        return {"$map": [[_convert(k, depth - 1), _convert(v, depth - 1)] for k, v in value.items()]}
    return _keep(value)


def whole_text(text):
    """Replaces lone surrogates in a text, which only Python can encode."""
    if not _PYTHON2:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            text = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return text


def text(value):
    """Converts a name or message for the engine; raises TypeError if it is not text."""
    if isinstance(value, _TEXT):
        return whole_text(value)
    if _PYTHON2 and isinstance(value, str):
        return value.decode("utf-8", "replace")
    raise TypeError("expected text, not %s" % type(value).__name__)


def native_text(value):
    """Converts a text of the engine to the script's type `str`."""
    return value.encode("utf-8") if _PYTHON2 and isinstance(value, _TEXT) else value


def _received(data):
    from . import raw  # imported late, as for proxies
    return raw.received(data)


def _of_robot(number):
    from . import proxies  # imported late, because it needs the values of this module
    return proxies.Service("#%d" % number)


def from_wire(value):
    """Converts a value of the engine."""
    if isinstance(value, _TEXT):
        return native_text(value)
    if isinstance(value, list):
        return [from_wire(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (tag, inner), = value.items()
        if tag == "$float":
            return float(inner)
        if tag == "$bytes":
            data = base64.b64decode(inner)
            return data if _PYTHON2 else _received(data)
        if tag == "$object":
            return _of_robot(inner - _OF_ROBOT) if inner >= _OF_ROBOT else _held.get(inner)
        if tag == "$map":
            return dict((_key(k), from_wire(v)) for k, v in inner)
    return dict((native_text(k), from_wire(v)) for k, v in value.items())


def _key(value):
    """Converts a key; a list in a key stands for a tuple."""
    value = from_wire(value)
    return tuple(value) if isinstance(value, list) else value
