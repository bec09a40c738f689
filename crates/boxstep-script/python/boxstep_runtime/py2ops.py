"""Python 2 operators and methods, as functions that rewritten scripts call.

The second layer (py2ast) replaces constructs with another meaning in Python 3 by calls of these functions. Box
scripts run often, so the common case of each comes first and needs only one type check.
"""
from __future__ import print_function

import codecs
import functools
import sys
import types

from .py2order import cmp, ge, gt, le, lt, sort, sort_key, sort_list  # noqa: F401
from .py2str import CHARACTERS, Str, binary_codec, native, to_bytes, to_text

try:
    from collections.abc import MappingView
except ImportError:  # Python 2.7, in which no script is rewritten.
    MappingView = ()

_VIEWS = (type({}.keys()), type({}.values()), type({}.items()), MappingView)
_MISSING = object()


# -- division -----------------------------------------------------------------------------------------------------

def _is_integral(value):
    """Whether Python 2 would floor: int and bool, and the integer types and arrays of numpy."""
    if isinstance(value, int):
        return True
    dtype = getattr(value, "dtype", None)
    return dtype is not None and getattr(dtype, "kind", "") in "iu"


def div(a, b):
    """`a / b`: floors when both are integers."""
    if isinstance(a, int) and isinstance(b, int):
        return a // b
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    if _is_integral(a) and _is_integral(b):
        return a // b
    return a / b


class Divisor(object):
    """The right side of `target /= b`, if reading the target twice could repeat side effects."""

    __slots__ = ("value",)
    __array_ufunc__ = None  # makes numpy leave the operation to this class

    def __init__(self, value):
        self.value = value

    def __rtruediv__(self, other):
        return div(other, self.value)


# -- dictionaries and iterators -----------------------------------------------------------------------------------

def keys(mapping):
    """`mapping.keys()`: returns a list where Python 3 returns a view."""
    result = mapping.keys()
    return list(result) if isinstance(result, _VIEWS) else result


def values(mapping):
    """`mapping.values()`, see keys."""
    result = mapping.values()
    return list(result) if isinstance(result, _VIEWS) else result


def items(mapping):
    """`mapping.items()`, see keys."""
    result = mapping.items()
    return list(result) if isinstance(result, _VIEWS) else result


def iterkeys(mapping):
    """`mapping.iterkeys()`."""
    own = getattr(mapping, "iterkeys", None)
    return iter(mapping.keys()) if own is None else own()


def itervalues(mapping):
    """`mapping.itervalues()`."""
    own = getattr(mapping, "itervalues", None)
    return iter(mapping.values()) if own is None else own()


def iteritems(mapping):
    """`mapping.iteritems()`."""
    own = getattr(mapping, "iteritems", None)
    return iter(mapping.items()) if own is None else own()


def has_key(mapping, key):
    """`mapping.has_key(key)`."""
    own = getattr(mapping, "has_key", None)
    return key in mapping if own is None else own(key)


def next_(iterator):
    """`iterator.next()`."""
    own = getattr(iterator, "next", None)
    return next(iterator) if own is None else own()


def until_stop(generator):
    """Iterates over a generator expression, and ends if a StopIteration is raised in it.

    An expression catches nothing, so exceptions thrown into it need not reach it.
    """
    code, sent = generator.gi_code, None
    try:
        while True:
            sent = yield generator.send(sent)
    except StopIteration as stopped:
        return stopped  # as generators with statements do (py2ast)
    except RuntimeError as error:
        # Python 3 converts the StopIteration; that of an inner generator is not handled here.
        cause = error.__cause__
        if not isinstance(cause, StopIteration) or cause.__traceback__.tb_frame.f_code is not code:
            raise


def generates(function):
    """Wraps a lambda with a `yield`."""
    @functools.wraps(function)
    def generate(*args, **kwargs):
        return until_stop(function(*args, **kwargs))
    return generate


# -- text ---------------------------------------------------------------------------------------------------------

_UTF8 = frozenset(("utf-8", "utf8", "utf_8", "UTF-8", "UTF8"))


def _codec(name):
    return binary_codec(name), name.lower().replace("_", "-")


def encode(text, *args, **kwargs):
    """`text.encode(...)`: a text stays a text, so that it can be said, joined and compared.

    Characters that the encoding does not have are an error, or are dropped or replaced, as in Python 2.
    """
    if not isinstance(text, str):
        return text.encode(*args, **kwargs)
    if args and args[0] in _UTF8:
        return text
    return _encode(text, *args, **kwargs)


def _encode(text, encoding="ascii", errors="strict"):
    binary, name = _codec(encoding)
    if binary:
        return native(codecs.encode(to_bytes(text), binary))
    if name in ("rot13", "rot-13"):
        return codecs.encode(text, "rot13")
    if name in ("string-escape", "unicode-escape", "raw-unicode-escape"):
        return text.encode("unicode_escape" if name[0] != "r" else "raw_unicode_escape").decode("ascii")
    if name in _UTF8:
        return text
    return text.encode(encoding, errors).decode(encoding, errors if errors != "xmlcharrefreplace" else "strict")


def decode(text, *args, **kwargs):
    """`text.decode(...)`: a text is decoded already; real bytes are decoded."""
    if not isinstance(text, str):
        return text.decode(*args, **kwargs)
    if args and args[0] in _UTF8 and text.isascii():
        return text
    return _decode(text, *args, **kwargs)


def _decode(text, encoding="ascii", errors="strict"):
    binary, name = _codec(encoding)
    if binary:
        return native(codecs.decode(to_bytes(text), binary))
    if name in ("rot13", "rot-13"):
        return codecs.decode(text, "rot13")
    if name in ("string-escape", "unicode-escape", "raw-unicode-escape"):
        # Characters that are no escapes must be preserved, and the codec reads its input as Latin-1.
        plain = text.encode("latin-1", "backslashreplace")
        return plain.decode("unicode_escape" if name[0] != "r" else "raw_unicode_escape")
    if name in ("ascii", "us-ascii") or name in _UTF8:
        return to_bytes(text).decode(encoding, errors)
    # Characters that a text has as such are decoded already; bytes in it are not.
    return text if _is_whole(text) else to_bytes(text).decode(encoding, errors)


def _is_whole(text):
    """Whether a text has no bytes that are not UTF-8."""
    return text.isascii() or not any("\udc80" <= character <= "\udcff" for character in text)


def join(glue, *parts):
    """`glue.join(parts)`."""
    if type(glue) is str and len(parts) == 1:
        items = list(parts[0])
        for item in items:
            if type(item) is Str:
                return Str(to_bytes(glue)).join(items)
        return glue.join(items)
    return glue.join(*parts)


def ord_(character):
    """`ord(character)`: for a byte its number. Items of a bytearray or of bytes are numbers already."""
    if type(character) is str and len(character) == 1:
        code = ord(character)
        return code - 0xdc00 if 0xdc80 <= code <= 0xdcff else code
    return character if type(character) is int else ord(character)


def chr_(code):
    """`chr(code)`: a byte."""
    if not 0 <= code < 256:
        raise ValueError("chr() arg not in range(256)")
    return CHARACTERS[code]


def repr_(value):
    """`repr(value)`: bytes of a text as `\\x80`."""
    if type(value) is str and not _is_whole(value):
        return repr(Str(value))
    return repr(value)


def isinstance_(value, kinds):
    """`isinstance(value, kinds)`: data is a `str`."""
    if isinstance(value, kinds):
        return True
    return type(value) is Str and isinstance("", kinds)


def type_(kind, value):
    """`type(value)`; `kind` is the value of the script's name `type`."""
    return str if kind is type and type(value) is Str else kind(value)


def float_text(number):
    """`str` of a float: twelve digits, where Python 3 writes as many as are needed to distinguish it from its
    neighbours."""
    text = "%.12g" % number
    if _FLOAT_MARKS.intersection(text):
        return text
    if len(text.lstrip("-")) < 12:
        return text + ".0"
    # There is no room for the point and a zero.
    digits, exponent = ("%.11e" % number).split("e")
    return digits.rstrip("0").rstrip(".") + "e" + exponent


_FLOAT_MARKS = frozenset(".en")  # a point, an exponent, nan or inf


class _Float(float):
    """A float that is being formatted."""

    __slots__ = ()

    def __str__(self):
        return float_text(self)

    def __format__(self, spec):
        return float.__format__(self, spec) if spec else float_text(self)

    __repr__ = float.__repr__


def str_(kind, value):
    """`str(value)`; `kind` is the value of the script's name `str`."""
    if kind is str:
        if type(value) is float:
            return float_text(value)
        if isinstance(value, _DATA):
            return value if type(value) is Str else Str(value)
    return kind(value)


_DATA = (bytes, bytearray, memoryview)


def mod(text, values):
    """`text % values` for a literal."""
    if type(values) is float:
        values = _Float(values)
    elif type(values) is tuple:
        values = tuple([_Float(value) if type(value) is float else value for value in values])
    return text % values


def format_(text, *args, **kwargs):
    """`text.format(...)`."""
    if type(text) is not str:
        return text.format(*args, **kwargs)
    args = [_Float(value) if type(value) is float else value for value in args]
    for name, value in kwargs.items():
        if type(value) is float:
            kwargs[name] = _Float(value)
    return text.format(*args, **kwargs)


def translate(text, table, *args):
    """`text.translate(table, deletions)`; the second argument exists only in Python 2."""
    if not isinstance(text, str) or not args:
        return text.translate(table, *args)
    gone = frozenset(args[0])
    kept = "".join(c for c in text if c not in gone)
    return kept if table is None else kept.translate(table)


def print_(*items, **options):
    """The `print` statement; a comma at its end is passed as `end=" "`.

    The blank for the comma is written before the next item, if there is one and the last item did not end a line.
    """
    soft_end = options.get("end") == " "
    if set(options) - {"file", "end"} or ("end" in options and not soft_end):
        return print(*items, **options)
    out = options.get("file")
    out = sys.stdout if out is None else out
    if out is None:
        return None
    pending = soft = getattr(out, "softspace", 0)
    parts = []
    for item in items:
        if soft:
            parts.append(" ")
        text = to_text(item) if isinstance(item, (str, bytes)) else str_(str, item)
        parts.append(text)
        soft = int(not (item.__class__ in (str, bytes) and text[-1:] in _LINE_ENDS))
    if not soft_end:
        parts.append("\n")
        soft = 0
    out.write("".join(parts))
    if soft != pending:
        try:
            out.softspace = soft
        except (AttributeError, TypeError):
            pass  # an object that cannot store it prints no blank
    return None


_LINE_ENDS = frozenset("\n\t\r\f\v")


# -- exceptions ---------------------------------------------------------------------------------------------------

def raise_(kind, value=None, traceback=None):
    """Returns the exception of `raise kind, value, traceback`."""
    while isinstance(kind, tuple) and kind:
        kind = kind[0]
    if isinstance(kind, type) and issubclass(kind, BaseException):
        if isinstance(value, kind):
            error = value
        elif value is None:
            error = kind()
        elif isinstance(value, tuple):
            error = kind(*value)
        else:
            error = kind(value)
    elif not isinstance(kind, BaseException):
        raise TypeError(
            "exceptions must be old-style classes or derived from BaseException, not %s" % type(kind).__name__)
    elif value is not None:
        raise TypeError("instance exception may not have a separate value")
    else:
        error = kind
    return error if traceback is None else error.with_traceback(traceback)


def forget(error):
    """Called at the end of an `except` block whose name is used later: Python 2 exceptions hold no frames.

    The frames would keep the box alive, so that it could not be destroyed when it is unloaded.
    """
    error.__traceback__ = None


def exception_item(error, index):
    """`error[index]`."""
    return error.args[index] if isinstance(error, BaseException) else error[index]


def exception_args(error):
    """Returns what `a, b = error` unpacks."""
    return error.args if isinstance(error, BaseException) else error


# -- attributes ---------------------------------------------------------------------------------------------------

def _message(obj):
    if isinstance(obj, BaseException):
        return obj.args[0] if len(obj.args) == 1 else ""
    return _MISSING


def _renamed(name):
    return lambda obj: getattr(obj, name, _MISSING)


def _bound(function, method):
    def find(obj):
        return functools.partial(function, obj) if hasattr(obj, method) else _MISSING
    return find


def _fromstring(obj):
    """Returns `fromstring` of an array, a picture, or the module `Image`."""
    at = 2 if isinstance(obj, types.ModuleType) else 0  # Image.fromstring(mode, size, data)

    def fromstring(*args):
        return obj.frombytes(*[to_bytes(arg) if index == at else arg for index, arg in enumerate(args)])
    return fromstring


def _numbers(numpy):
    """Returns `numpy.fromstring`, which newer versions have for texts only."""
    def fromstring(string, dtype=float, count=-1, sep=""):
        if sep:
            return numpy.fromstring(to_text(string), dtype, count, sep)
        return numpy.frombuffer(to_bytes(string), dtype, count).copy()
    return fromstring


_ATTRIBUTES = {
    "message": _message,
    "next": _renamed("__next__"),
    "has_key": _bound(has_key, "__contains__"),
    "iterkeys": _bound(iterkeys, "keys"),
    "itervalues": _bound(itervalues, "values"),
    "iteritems": _bound(iteritems, "items"),
    "isAlive": _renamed("is_alive"),
    "getchildren": lambda obj: functools.partial(list, obj) if hasattr(obj, "iter") else _MISSING,
    "getiterator": _renamed("iter"),
    "viewkeys": _renamed("keys"),
    "viewvalues": _renamed("values"),
    "viewitems": _renamed("items"),
    "xreadlines": _renamed("__iter__"),
    "tostring": lambda obj: (lambda: Str(obj.tobytes())) if hasattr(obj, "tobytes") else _MISSING,
    "fromstring": lambda obj: _fromstring(obj) if hasattr(obj, "frombytes") else _MISSING,
    "func_name": _renamed("__name__"),
    "func_code": _renamed("__code__"),
    "func_defaults": _renamed("__defaults__"),
    "func_globals": _renamed("__globals__"),
    "func_doc": _renamed("__doc__"),
    "func_dict": _renamed("__dict__"),
    "func_closure": _renamed("__closure__"),
    # Access through a class returns a plain function in Python 3, and returned a method without a self in Python 2.
    "im_func": lambda obj: getattr(obj, "__func__", obj if isinstance(obj, types.FunctionType) else _MISSING),
    "im_self": lambda obj: getattr(obj, "__self__", None if isinstance(obj, types.FunctionType) else _MISSING),
    "im_class": lambda obj: type(obj.__self__) if hasattr(obj, "__self__") else _MISSING,
}


def attribute(obj, name):
    """`obj.name` for a name that objects have in Python 2 and may lack in Python 3."""
    value = getattr(obj, name, _MISSING)
    if name == "fromstring" and getattr(obj, "__name__", "") == "numpy":
        return _numbers(obj)
    if value is _MISSING:
        value = _ATTRIBUTES[name](obj)
        if value is _MISSING:
            return getattr(obj, name)  # raises the object's own error
    return value


ATTRIBUTES = frozenset(_ATTRIBUTES)


# -- classes ------------------------------------------------------------------------------------------------------

def rich_comparisons(compare):
    """Creates `__eq__` ... `__ge__` from a class's `__cmp__`."""
    def method(test):
        def compared(self, other):
            order = compare(self, other)
            return order if order is NotImplemented else test(order)
        return compared
    return {
        "__eq__": method(lambda order: order == 0),
        "__ne__": method(lambda order: order != 0),
        "__lt__": method(lambda order: order < 0),
        "__le__": method(lambda order: order <= 0),
        "__gt__": method(lambda order: order > 0),
        "__ge__": method(lambda order: order >= 0),
    }


def import_star(namespace, module):
    """`from module import *` in a function, which Python 3 does not allow: the names become global in the script."""
    names = getattr(module, "__all__", None)
    if names is None:
        names = [name for name in dir(module) if not name.startswith("_")]
    for name in names:
        namespace[name] = getattr(module, name)


# The functions that rewritten code calls, as builtins of a script.
HELPERS = {
    "__py2_div__": div,
    "__py2_divisor__": Divisor,
    "__py2_keys__": keys,
    "__py2_values__": values,
    "__py2_items__": items,
    "__py2_iterkeys__": iterkeys,
    "__py2_itervalues__": itervalues,
    "__py2_iteritems__": iteritems,
    "__py2_has_key__": has_key,
    "__py2_next__": next_,
    "__py2_stop__": StopIteration,
    "__py2_until_stop__": until_stop,
    "__py2_generates__": generates,
    "__py2_encode__": encode,
    "__py2_decode__": decode,
    "__py2_translate__": translate,
    "__py2_data__": Str,
    "__py2_str__": str_,
    "__py2_type__": type_,
    "__py2_join__": join,
    "__py2_mod__": mod,
    "__py2_format__": format_,
    "__py2_lt__": lt,
    "__py2_le__": le,
    "__py2_gt__": gt,
    "__py2_ge__": ge,
    "__py2_print__": print_,
    "__py2_sort__": sort,
    "__py2_raise__": raise_,
    "__py2_forget__": forget,
    "__py2_item__": exception_item,
    "__py2_args__": exception_args,
    "__py2_attr__": attribute,
    "__py2_richcmp__": rich_comparisons,
    "__py2_hash__": object.__hash__,
    "__py2_import_star__": import_star,
}
