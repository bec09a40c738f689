"""Third layer, first half: the builtins of Python 2 for rewritten scripts.

They are in a builtins namespace that all scripts share, not in each script's globals, so a box costs one reference
and a script may still use any of the names for itself. The interpreter's own builtins are not changed.
"""
import builtins
import importlib
import io
import itertools
import math
import os
import sys
import types
from decimal import ROUND_HALF_UP, Decimal

from . import py2ops, py2str
from .py2bytes import BinaryFile, BinaryReader, TextFile, UnbufferedReader

_TEXT = (str, bytes, bytearray)


class _Like(type):
    """A type that represents other types: `isinstance(x, T)` and `type(x) == T` check those."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, cls.stands_for)

    def __subclasscheck__(cls, other):
        return issubclass(other, cls.stands_for)

    def __eq__(cls, other):
        return other is cls or (isinstance(other, type) and other in cls.stands_for)

    def __hash__(cls):
        return id(cls)


# The base of such types. Python 2 and 3 spell a metaclass differently, and this file has to parse on both.
Stand = _Like("Stand", (object,), {"stands_for": ()})


class unicode(Stand):
    """`unicode`, which is the same as text."""

    stands_for = (str,)

    def __new__(cls, value="", encoding=None, errors="strict"):
        if isinstance(value, (bytes, bytearray)):
            return bytes(value).decode(encoding or "ascii", errors)
        if isinstance(value, str):
            return value if encoding is None else py2ops.decode(value, encoding, errors)
        own = getattr(value, "__unicode__", None)
        return py2ops.str_(str, value) if own is None else own()


class basestring(Stand):
    """`basestring`, for isinstance only."""

    stands_for = (str, bytes)

    def __new__(cls, *args):
        raise TypeError("The basestring type cannot be instantiated")


class bytes_(Stand):
    """`bytes`: in Python 2 another name of `str`."""

    stands_for = (str, bytes)

    def __new__(cls, value=""):
        return py2ops.str_(str, value)


class bytearray_(Stand):
    """`bytearray`: of a text, the bytes it stands for."""

    stands_for = (bytearray,)

    def __new__(cls, source=b"", *encoding):
        if isinstance(source, str) and not encoding:
            source = py2str.to_bytes(source)
        return bytearray(source, *encoding)


class file(Stand):
    """`file`: opens a file, and is the type of all files."""

    stands_for = (io.IOBase, BinaryFile)

    def __new__(cls, name, mode="r", buffering=-1):
        return open_(name, mode, buffering)


def open_(name, mode="r", buffering=-1, *args, **kwargs):
    """`open`: text is UTF-8, and invalid bytes survive a round trip; line ends are not changed on Unix."""
    if args or kwargs:
        # Arguments that only Python 3 has: the author means Python 3's open.
        return io.open(name, mode, buffering, *args, **kwargs)
    universal = "U" in mode
    mode = mode.replace("U", "") or "r"
    if "b" in mode:
        if set("wa+x") & set(mode):
            return BinaryFile(io.open(name, mode, buffering))
        raw = io.FileIO(name, "r")
        return BinaryReader(raw, buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE) if buffering else UnbufferedReader(raw)
    newline = "\n" if os.linesep == "\n" and not universal else None
    # Python 2 could write unbuffered text; Python 3 buffers at least a line.
    real = io.open(name, mode + "b", -1 if buffering in (0, 1) else buffering)
    text = TextFile(real, "utf-8", "surrogateescape", newline, line_buffering=buffering in (0, 1))
    text.mode = mode
    return text


# -- lists --------------------------------------------------------------------------------------------------------

def map_(function, *sequences):
    """`map`: returns a list; shorter sequences are padded with None, and without a function it returns the items
    themselves."""
    if len(sequences) == 1:
        return list(sequences[0]) if function is None else [function(item) for item in sequences[0]]
    rows = itertools.zip_longest(*sequences)
    return list(rows) if function is None else [function(*row) for row in rows]


def filter_(function, sequence):
    """`filter`: returns the type of its sequence."""
    kept = [item for item in sequence if (item if function is None else function(item))]
    if isinstance(sequence, str):
        return "".join(kept)
    return tuple(kept) if isinstance(sequence, tuple) else kept


def zip_(*sequences):
    """`zip`: returns a list."""
    return list(zip(*sequences))


def range_(*args):
    """`range`: returns a list."""
    return list(range(*args))


def sorted_(iterable, cmp=None, key=None, reverse=False):
    """`sorted`, with a comparison function."""
    return py2ops.sort_list(list(iterable), cmp, key, reverse)


def _extreme(choose, name):
    def extreme(*args, **kwargs):
        if len(args) == 1 and not isinstance(args[0], (list, tuple)):
            args = (list(args[0]),)  # an iterator can be read only once, and two attempts may be needed
        try:
            return choose(*args, **kwargs)
        except TypeError:
            values = list(args[0]) if len(args) == 1 else list(args)
            if not values:
                raise
            by = py2ops.sort_key(py2ops.cmp, kwargs.get("key"))
            return choose(values, key=by)
    extreme.__name__ = name
    return extreme


# -- numbers ------------------------------------------------------------------------------------------------------

def round_(number, ndigits=0):
    """`round`: returns a float, and rounds halves away from zero."""
    number = float(number)
    if not math.isfinite(number):
        return number
    if ndigits == 0:
        whole = math.floor(abs(number))
        whole += abs(number) - whole >= 0.5
        return math.copysign(float(whole), number)
    if ndigits > 0 and (number * 10.0 ** min(ndigits, 300) * 2) % 1 != 0:
        # There is no half to decide about, so both languages round correctly.
        return round(number, ndigits)
    if ndigits > 22 or abs(number) >= 1e22:
        return round(number, ndigits)
    return float(Decimal(number).quantize(Decimal(1).scaleb(-ndigits), ROUND_HALF_UP))


def coerce(a, b):
    """`coerce`: returns both numbers as the wider of their types."""
    kind = type(a + b)
    return kind(a), kind(b)


# -- text ---------------------------------------------------------------------------------------------------------

def raw_input(prompt=""):
    """`raw_input`."""
    return builtins.input(prompt)


class buffer(object):
    """`buffer(x)`: the bytes of x at this time, read only."""

    def __new__(cls, data, offset=0, size=-1):
        whole = py2str.Str(data)
        return whole[offset:] if size < 0 else whole[offset:offset + size]


def oct_(number):
    """`oct`: without the `o`."""
    return oct(number).replace("o", "") if number else "0"


def hasattr_(thing, name):
    """`hasattr`: any exception means no. A text has no `__iter__`, by which scripts distinguish it from a list.
    Attributes that py2ops provides exist."""
    if not isinstance(name, str):
        return hasattr(thing, name)  # raises the TypeError
    if name == "__iter__" and isinstance(thing, (str, bytes)):
        return False
    lacks = getattr(type(thing), "_boxstep_lacks", None)
    if lacks is not None and lacks(thing, name):
        return False  # a proxy has any name as an attribute
    try:
        (py2ops.attribute if name in py2ops.ATTRIBUTES else getattr)(thing, name)
    except Exception:
        return False
    return True


# -- code ---------------------------------------------------------------------------------------------------------

def apply(function, args=(), kwargs=None):
    """`apply`."""
    return function(*args, **(kwargs or {}))


def reload(module):
    """`reload`: for the script's own modules. Those of Python itself are not reloaded (the usual reason to reload
    `sys`, its setdefaultencoding, does not apply)."""
    real = getattr(module, "__py2_real__", module)
    if isinstance(real, types.ModuleType) and getattr(real, "__py2_script__", False):
        return importlib.reload(real)
    return module


def _scope(depth, space, local):
    """Returns the namespaces of exec and eval: by default those of the caller."""
    frame = sys._getframe(depth)
    if space is None:
        return frame.f_globals, frame.f_locals if local is None else local
    # Code without builtins of its own belongs to the script that runs it.
    if "__builtins__" not in space:
        space["__builtins__"] = frame.f_globals["__builtins__"]
    return space, space if local is None else local


def code_builtins(compile_script):
    """Returns `exec`, `eval`, `compile`, `execfile` and `input`, which also accept Python 2; they compile by
    `compile_script(text, filename, mode)`."""

    def source(text):
        return text if isinstance(text, str) else bytes(text).decode("utf-8", "surrogateescape")

    def compile_(text, filename, mode, flags=0, dont_inherit=False, *args, **kwargs):
        if not isinstance(text, _TEXT) or mode == "single" or flags:
            return compile(text, filename, mode, flags, dont_inherit, *args, **kwargs)
        return compile_script(source(text), filename, mode)

    def exec_(code, space=None, local=None, **kwargs):
        if isinstance(code, tuple):
            code, space, local = (tuple(code) + (None, None))[:3]
        space, local = _scope(2, space, local)
        if isinstance(code, _TEXT):
            code = compile_script(source(code), "<string>", "exec")
        elif hasattr(code, "read"):
            code = compile_script(source(code.read()), getattr(code, "name", "<string>"), "exec")
        exec(code, space, local)

    def eval_(code, space=None, local=None):
        space, local = _scope(2, space, local)
        if isinstance(code, _TEXT):
            code = compile_script(source(code).lstrip(" \t"), "<string>", "eval")
        return eval(code, space, local)

    def execfile(filename, space=None, local=None):
        space, local = _scope(2, space, local)
        with open_(filename, "rU") as script:
            code = compile_script(script.read(), filename, "exec")
        exec(code, space, local)

    def input_(prompt=""):
        space, local = _scope(2, None, None)
        return eval(compile_script(builtins.input(prompt).strip(), "<string>", "eval"), space, local)

    for function, name in ((compile_, "compile"), (exec_, "exec"), (eval_, "eval"), (input_, "input")):
        function.__name__ = name
    return {"compile": compile_, "exec": exec_, "eval": eval_, "execfile": execfile, "input": input_}


def names():
    """Returns the builtins in which Python 2 differs, without those of code_builtins and `__import__`."""
    found = {
        "unicode": unicode,
        "basestring": basestring,
        "bytes": bytes_,
        "bytearray": bytearray_,
        "file": file,
        "open": open_,
        "long": int,
        "xrange": range,
        "range": range_,
        "map": map_,
        "filter": filter_,
        "zip": zip_,
        "sorted": sorted_,
        "max": _extreme(max, "max"),
        "min": _extreme(min, "min"),
        "round": round_,
        "coerce": coerce,
        "cmp": py2ops.cmp,
        "unichr": chr,
        "chr": py2ops.chr_,
        "ord": py2ops.ord_,
        "repr": py2ops.repr_,
        "isinstance": py2ops.isinstance_,
        "raw_input": raw_input,
        "buffer": buffer,
        "apply": apply,
        "reload": reload,
        "reduce": importlib.import_module("functools").reduce,
        "intern": sys.intern,
        "oct": oct_,
        "hasattr": hasattr_,
        "StandardError": Exception,
    }
    found.update(py2ops.HELPERS)
    return found
