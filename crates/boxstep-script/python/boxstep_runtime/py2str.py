"""`str` of Python 2 where it holds data: bytes that behave as a text of one-byte characters.

Texts and data convert into each other without loss: a text is the UTF-8 of its bytes, and a byte that is not UTF-8 is
one of the characters U+DC80 to U+DCFF (Python's `surrogateescape`).
"""
import codecs
import re


def to_bytes(text):
    """Returns the bytes that a text stands for; other data as bytes."""
    if isinstance(text, str):
        return text.encode("utf-8", "surrogateescape")
    return text if type(text) is bytes else bytes(text)


def to_text(data):
    """Returns the text that stands for data; to_bytes restores the data."""
    return data if isinstance(data, str) else bytes(data).decode("utf-8", "surrogateescape")


# The text of each byte.
CHARACTERS = tuple(to_text(bytes((code,))) for code in range(256))
# Control characters that texts do not have.
_CONTROL = re.compile(b"[\0-\x06\x0e-\x1a\x1c-\x1f]")
_BINARY = {"hex": "hex", "base64": "base64", "zlib": "zlib", "zip": "zlib", "bz2": "bz2"}


def binary_codec(name):
    """Returns Python's name of a codec from bytes to bytes; None for other codecs."""
    return _BINARY.get(name.lower().replace("_", "-").replace("-codec", ""))


def native(data):
    """Returns bytes from outside as a script's `str`: a text if they are one, and otherwise a Str."""
    if data.isascii():
        return data.decode("ascii")
    try:
        return Str(data) if _CONTROL.search(data) else data.decode("utf-8")
    except UnicodeDecodeError:
        return Str(data)


def kept(text):
    """Returns a text that was read; a Str if it has bytes that are not UTF-8."""
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            return Str(text)
    return text


def _data(value):
    """Converts texts, also those in a tuple, to bytes."""
    if isinstance(value, str):
        return to_bytes(value)
    return tuple([_data(item) for item in value]) if type(value) is tuple else value


def _wrapped(value):
    if type(value) is bytes:
        return Str(value)
    return type(value)(map(_wrapped, value)) if type(value) in (list, tuple) else value


class Str(bytes):
    """Data: its items are texts of one character, it is equal to the text that stands for it, and what takes bytes takes
    it."""

    __slots__ = ()

    def __new__(cls, data=b""):
        return bytes.__new__(cls, to_bytes(data))

    def __str__(self):
        return to_text(self)

    def __repr__(self):
        return bytes.__repr__(self)[1:]

    def __format__(self, spec):
        return format(to_text(self), spec)

    def __hash__(self):
        return hash(to_text(self))

    def __reduce_ex__(self, protocol):
        # As a Python 3 pickles bytes, and as a Python 2 reads its `str`.
        return codecs.encode, (self.decode("latin-1"), "latin1")

    def __getitem__(self, index):
        found = bytes.__getitem__(self, index)
        return Str(found) if isinstance(index, slice) else CHARACTERS[found]

    def __iter__(self):
        return map(CHARACTERS.__getitem__, bytes.__iter__(self))

    def __contains__(self, item):
        return bytes.__contains__(self, _data(item))

    def __add__(self, other):
        if not isinstance(other, (str, bytes, bytearray)):
            return NotImplemented
        return Str(bytes.__add__(self, to_bytes(other)))

    def __radd__(self, other):
        return Str(to_bytes(other) + bytes(self)) if isinstance(other, (str, bytes)) else NotImplemented

    def __mul__(self, times):
        return Str(bytes.__mul__(self, times))

    __rmul__ = __mul__

    def __mod__(self, values):
        return to_text(self) % values

    def encode(self, encoding="utf-8", errors="strict"):
        """Stays what it is, or becomes what a codec such as `base64` makes of it."""
        binary = binary_codec(encoding)
        return native(codecs.encode(bytes(self), binary)) if binary else self

    def decode(self, encoding="utf-8", errors="strict"):
        """Returns a text."""
        binary = binary_codec(encoding)
        return native(codecs.decode(bytes(self), binary)) if binary else bytes.decode(self, encoding, errors)

    def format(self, *args, **kwargs):
        """Returns a text."""
        return to_text(self).format(*args, **kwargs)

    def join(self, items):
        """Joins texts and data."""
        return Str(bytes.join(self, [to_bytes(item) for item in items]))

    def translate(self, table, *deleted):
        """Takes a table of 256 characters."""
        if isinstance(table, str):
            table = bytes([to_bytes(c)[-1] if ord(c) > 255 else ord(c) for c in table])
        return Str(bytes.translate(self, table, *[_data(text) for text in deleted]))


def _comparison(name):
    compare = getattr(bytes, name)

    def method(self, other):
        try:
            return compare(self, _data(other))
        except UnicodeEncodeError:  # a text that stands for no bytes
            return NotImplemented
    return method


def _method(name):
    function = getattr(bytes, name)

    def method(self, *args, **kwargs):
        return _wrapped(function(self, *[_data(arg) for arg in args], **kwargs))
    method.__doc__ = function.__doc__
    return method


for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
    setattr(Str, _name, _comparison(_name))
for _name in ("capitalize", "center", "count", "endswith", "expandtabs", "find", "index", "ljust", "lower", "lstrip",
              "partition", "replace", "rfind", "rindex", "rjust", "rpartition", "rsplit", "rstrip", "split", "splitlines",
              "startswith", "strip", "swapcase", "title", "upper", "zfill"):
    setattr(Str, _name, _method(_name))
Str.__name__ = Str.__qualname__ = "str"
