"""Modules of the standard library that take and return bytes, for Python 2 scripts, which pass texts and expect texts.

A text stands for bytes as in py2str.to_bytes, so data is the same after reading and writing it. Explicit bytes are
accepted as well.
"""
import importlib
import io

from .py2str import CHARACTERS, Str, kept, native, to_bytes, to_text


def data_of(data):
    """Converts a text to the bytes it stands for; any other value is left for the function to check."""
    return to_bytes(data) if isinstance(data, str) else data


class _Reads(object):
    """A file opened with `b` that returns what it reads as `str`."""

    def read(self, *size):
        return _str(super().read(*size))

    def readline(self, *size):
        return Str(super().readline(*size))

    def readlines(self, *size):
        return [Str(line) for line in super().readlines(*size)]

    def __next__(self):
        return Str(super().__next__())

    def next(self):
        return self.__next__()


def _str(data):
    return Str(data) if type(data) is bytes else data  # None, if a file that does not block has nothing


class BinaryReader(_Reads, io.BufferedReader):
    """A file opened with `rb`."""


class UnbufferedReader(_Reads, io.FileIO):
    """A file opened with `rb` and without a buffer."""


class TextFile(io.TextIOWrapper):
    """A file opened without `b`, which may all the same have or get data."""

    mode = "r"

    def write(self, text):
        io.TextIOWrapper.write(self, to_text(text) if isinstance(text, Str) else text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def read(self, *size):
        return kept(io.TextIOWrapper.read(self, *size))

    def readline(self, *size):
        return kept(io.TextIOWrapper.readline(self, *size))


class BinaryFile(object):
    """A file opened with `b` for writing: writes texts as the bytes they stand for, and reads `str`."""

    _str = staticmethod(_str)

    def __init__(self, real):
        self._real = real

    def write(self, data):
        self._real.write(data_of(data))

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def read(self, *size):
        return self._str(self._real.read(*size))

    def readline(self, *size):
        return self._str(self._real.readline(*size))

    def readlines(self, *size):
        return [self._str(line) for line in self._real.readlines(*size)]

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __iter__(self):
        return self

    def __getattr__(self, name):
        return getattr(self._real, name)

    def __enter__(self):
        self._real.__enter__()
        return self

    def __exit__(self, *failure):
        return self._real.__exit__(*failure)


class DataFile(BinaryFile):
    """A file that Python 2 always opens with `b`; what it reads may be a text."""

    _str = staticmethod(native)


def _os(real):
    def read(fd, size):
        return native(real.read(fd, size))

    def write(fd, data):
        return real.write(fd, data_of(data))

    def fdopen(fd, mode="r", bufsize=-1):
        from .py2names import open_
        return open_(fd, mode, bufsize)

    def urandom(size):
        return native(real.urandom(size))
    return dict(
        read=read, write=write, fdopen=fdopen, urandom=urandom, getcwdu=real.getcwd, errno=importlib.import_module("errno"))


def _tempfile(real):
    # Their arguments are in Python 2's order.
    def temporary(mode="w+b", bufsize=-1, suffix="", prefix=real.template, dir=None):
        return DataFile(real.TemporaryFile(_binary(mode), bufsize, suffix=suffix, prefix=prefix, dir=dir))

    def named(mode="w+b", bufsize=-1, suffix="", prefix=real.template, dir=None, delete=True):
        return DataFile(real.NamedTemporaryFile(
            _binary(mode), bufsize, suffix=suffix, prefix=prefix, dir=dir, delete=delete))

    def spooled(max_size=0, mode="w+b", bufsize=-1, suffix="", prefix=real.template, dir=None):
        return DataFile(real.SpooledTemporaryFile(
            max_size, _binary(mode), bufsize, suffix=suffix, prefix=prefix, dir=dir))
    return dict(TemporaryFile=temporary, NamedTemporaryFile=named, SpooledTemporaryFile=spooled)


def _binary(mode):
    return mode if "b" in mode else mode + "b"


class _Coder(object):
    """A compressor or decompressor of one stream."""

    def __init__(self, real):
        self._real = real

    def __getattr__(self, name):
        found = getattr(self._real, name)
        if isinstance(found, bytes):
            return native(found)
        return _coder(found) if callable(found) else found

    def copy(self):
        return _Coder(self._real.copy())


def _coder(function):
    """Converts a function from bytes to bytes to one from texts to texts."""
    return lambda *args: native(function(*[data_of(arg) for arg in args]))


def signed(function):
    """Converts an unsigned 32-bit checksum to a signed one."""
    def checksum(data, *start):
        value = function(data_of(data), *[number & 0xffffffff for number in start])
        return value - (1 << 32) if value >> 31 else value
    return checksum


def _zlib(real):
    return dict(
        compress=_coder(real.compress), decompress=_coder(real.decompress),
        crc32=signed(real.crc32), adler32=signed(real.adler32),
        compressobj=lambda *args: _Coder(real.compressobj(*args)),
        decompressobj=lambda *args: _Coder(real.decompressobj(*args)))


def _bz2(real):
    def file(name, mode="r", buffering=0, compresslevel=9):
        return DataFile(real.BZ2File(name, mode.replace("U", "") or "r", compresslevel=compresslevel))
    return dict(
        compress=_coder(real.compress), decompress=_coder(real.decompress), BZ2File=file,
        BZ2Compressor=lambda *args: _Coder(real.BZ2Compressor(*args)),
        BZ2Decompressor=lambda: _Coder(real.BZ2Decompressor()))


def _gzip(real):
    def bytes_from(source):
        """Returns a file of bytes. A text file counts in characters, but gzip counts bytes."""
        if isinstance(source, BinaryFile):
            return source._real
        return io.BytesIO(to_bytes(source.read())) if isinstance(source, io.TextIOBase) else source

    def file(filename=None, mode=None, compresslevel=9, fileobj=None, mtime=None):
        mode = (mode or "").replace("U", "").replace("t", "") or getattr(fileobj, "mode", "rb")
        if fileobj is not None and isinstance(mode, str) and mode[:1] == "r":
            fileobj = bytes_from(fileobj)
        return DataFile(real.GzipFile(filename, mode, compresslevel, fileobj, mtime))
    return dict(GzipFile=file, open=lambda filename, mode="rb", compresslevel=9: file(filename, mode, compresslevel))


def _array(real):
    class characters(real.array):
        """An array with the type code `c`: each item is a byte, represented as a text."""

        typecode = "c"

        def __new__(cls, data=b""):
            return real.array.__new__(cls, "B", data)

        def __getitem__(self, index):
            found = real.array.__getitem__(self, index)
            return characters(found.tobytes()) if isinstance(index, slice) else _character(found)

        def __setitem__(self, index, value):
            value = real.array("B", value.tobytes()) if isinstance(index, slice) else _code(value)
            real.array.__setitem__(self, index, value)

        def __iter__(self):
            return map(_character, self.tobytes())

        def __add__(self, other):
            return characters(self.tobytes() + other.tobytes())

        def __mul__(self, times):
            return characters(self.tobytes() * times)

        __rmul__ = __mul__

        def __contains__(self, item):
            return item in self.tolist()

        def __repr__(self):
            return "array('c', %r)" % Str(self.tobytes()) if self else "array('c')"

        def tolist(self):
            return list(self)

        def append(self, item):
            real.array.append(self, _code(item))

        def insert(self, index, item):
            real.array.insert(self, index, _code(item))

        def extend(self, items):
            self.frombytes(_joined(items))

        def fromlist(self, items):
            self.frombytes(_joined(items))

        def pop(self, index=-1):
            return _character(real.array.pop(self, index))

        def remove(self, item):
            real.array.remove(self, _code(item))

        def index(self, item):
            return real.array.index(self, _code(item))

        def count(self, item):
            return real.array.count(self, _code(item))

    def make(typecode, initial=()):
        if typecode == "c":
            return characters(data_of(initial) if isinstance(initial, (str, bytes)) else _joined(initial))
        return real.array(typecode, initial if typecode == "u" else data_of(initial))

    from .py2names import Stand
    array = type(Stand)("array", (Stand,), {
        "__new__": lambda cls, *args: make(*args), "__doc__": real.array.__doc__, "stands_for": (real.array,)})
    return dict(array=array, ArrayType=array)


def _character(code):
    return CHARACTERS[code]


def _code(item):
    code = data_of(item)
    if not isinstance(code, bytes) or len(code) != 1:
        raise TypeError("array item must be char")
    return code[0]


def _joined(items):
    return bytes([_code(item) for item in items])


EXTRA = {
    "array": _array,
    "bz2": _bz2,
    "gzip": _gzip,
    "os": _os,
    "tempfile": _tempfile,
    "zlib": _zlib,
}
