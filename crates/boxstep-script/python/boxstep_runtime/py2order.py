"""The order of values in Python 2, in which any two can be compared; py2ops has the other operators."""
import functools


def cmp(a, b):
    """`cmp(a, b)`: negative, zero or positive; never raises a TypeError for values of different types."""
    if a is b or a == b:
        return 0
    try:
        return -1 if a < b else 1
    except TypeError:
        pass
    if isinstance(a, (list, tuple)) and type(a) is type(b):
        for x, y in zip(a, b):
            order = cmp(x, y)
            if order:
                return order
        return cmp(len(a), len(b))
    if isinstance(a, dict) and isinstance(b, dict):
        return cmp(len(a), len(b)) or cmp(sort_list(list(a.items())), sort_list(list(b.items())))
    left, right = _rank(a), _rank(b)
    if left == right:
        left, right = id(a), id(b)
    return -1 if left < right else 1


def _rank(value):
    """Returns Python 2's order between types: None, numbers, then by the name of the type."""
    if value is None:
        return (0, "")
    if isinstance(value, (int, float)):
        return (1, "")
    return (2, type(value).__name__)


_PLAIN = frozenset((type(None), bool, int, float, str, bytes, list, tuple, dict))


def _mixed(a, b):
    """Compares two values in an exception handler, if Python 3 refuses to; only values of built-in types."""
    if type(a) in _PLAIN and type(b) in _PLAIN:
        return cmp(a, b)
    raise  # the TypeError that the caller is handling


def lt(a, b):
    """`a < b`."""
    try:
        return a < b
    except TypeError:
        return _mixed(a, b) < 0


def le(a, b):
    """`a <= b`."""
    try:
        return a <= b
    except TypeError:
        return _mixed(a, b) <= 0


def gt(a, b):
    """`a > b`."""
    try:
        return a > b
    except TypeError:
        return _mixed(a, b) > 0


def ge(a, b):
    """`a >= b`."""
    try:
        return a >= b
    except TypeError:
        return _mixed(a, b) >= 0


def sort_key(cmp_function, key):
    """Returns a key function for `cmp=` and `key=` together."""
    by = functools.cmp_to_key(cmp_function)
    return by if key is None else lambda value: by(key(value))


def sort_list(values, cmp=None, key=None, reverse=False):  # the parameter has Python 2's own name
    """Sorts a list in place as `list.sort` of Python 2 does, and returns it."""
    if cmp is not None:
        values.sort(key=sort_key(cmp, key), reverse=reverse)
        return values
    before = list(values)
    try:
        values.sort(key=key, reverse=reverse)
    except TypeError:
        values[:] = before
        values.sort(key=sort_key(_cmp, key), reverse=reverse)
    return values


_cmp = cmp


def sort(values, *args, **kwargs):
    """`values.sort(...)` with arguments that only Python 2 has."""
    if isinstance(values, list):
        sort_list(values, *args, **kwargs)
        return None
    return values.sort(*args, **kwargs)
