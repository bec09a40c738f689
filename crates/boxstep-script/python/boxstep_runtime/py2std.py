"""Names of standard library modules, except network modules, that exist in Python 2 and not in Python 3.

Each function takes the real module and returns the additions, which py2modules makes visible to scripts.
"""
import functools
import importlib

from . import py2ops
from .py2bytes import BinaryFile, signed
from .py2str import CHARACTERS, Str, native, to_bytes, to_text


def _string(real):
    def method(name):
        return lambda text, *args: getattr(text, name)(*args)

    names = ("lower", "upper", "swapcase", "strip", "lstrip", "rstrip", "split", "rsplit", "splitlines", "replace",
             "find", "rfind", "index", "rindex", "count", "zfill", "ljust", "rjust", "center", "capitalize", "expandtabs")
    extra = dict((name, method(name)) for name in names)

    def join(words, sep=" "):
        return sep.join(words)

    def maketrans(source, target):
        if len(source) != len(target):
            raise ValueError("maketrans arguments must have same length")
        table = list(CHARACTERS)
        for a, b in zip(source, target):
            table[py2ops.ord_(a)] = b
        return "".join(table)

    def translate(text, table, deletions=""):
        kept = "".join(c for c in text if c not in deletions)
        return kept if table is None else kept.translate(table)

    extra.update(
        letters=real.ascii_letters, lowercase=real.ascii_lowercase, uppercase=real.ascii_uppercase,
        join=join, joinfields=join, splitfields=extra["split"], maketrans=maketrans, translate=translate,
        atoi=lambda text, base=10: int(text, base), atol=lambda text, base=10: int(text, base), atof=float,
        index_error=ValueError, atoi_error=ValueError, atof_error=ValueError)
    return extra


def _types(real):
    import io
    return dict(
        StringType=str, UnicodeType=str, StringTypes=(str, bytes), IntType=int, LongType=int, FloatType=float,
        BooleanType=bool, ComplexType=complex, ListType=list, TupleType=tuple, DictType=dict, DictionaryType=dict,
        NoneType=type(None), ObjectType=object, TypeType=type, ClassType=type, InstanceType=object,
        UnboundMethodType=real.FunctionType, FileType=io.IOBase, XRangeType=range, SliceType=slice,
        EllipsisType=type(Ellipsis), NotImplementedType=type(NotImplemented), BufferType=memoryview)


def _sys(real):
    return dict(
        maxint=2 ** 63 - 1, setdefaultencoding=lambda name: None, exc_clear=lambda: None,
        subversion=("CPython", "", ""))


def _time(real):
    if hasattr(real, "clock"):
        return {}

    def clock():
        return real.perf_counter()
    return dict(clock=clock)


def _math(real):
    # Floats in Python 2; as integers they would make a later division floor.
    return dict(
        floor=lambda x: float(real.floor(x)) if real.isfinite(x) else float(x),
        ceil=lambda x: float(real.ceil(x)) if real.isfinite(x) else float(x))


def _itertools(real):
    return dict(
        izip=zip, imap=map, ifilter=filter, izip_longest=real.zip_longest, ifilterfalse=real.filterfalse)


def _collections(real):
    abstract = importlib.import_module("collections.abc")
    return dict((name, getattr(abstract, name)) for name in abstract.__all__)


class _Block(object):
    """The generator of a context manager. It raises what a `with` throws into it unchanged."""

    def __init__(self, generator):
        self._generator = generator

    def __next__(self):
        return next(self._generator)

    def throw(self, *error):
        try:
            return self._generator.throw(*error)
        except StopIteration as end:
            thrown = end.value  # the value that py2ast makes a generator return
            if isinstance(thrown, StopIteration) and thrown in error:
                raise thrown
            raise

    def __getattr__(self, name):
        return getattr(self._generator, name)


def _contextlib(real):
    def contextmanager(function):
        def generate(*args, **kwargs):
            return _Block(function(*args, **kwargs))
        # Copies name and docstring if they exist: the function may be any callable.
        return real.contextmanager(functools.update_wrapper(generate, function))
    return dict(contextmanager=contextmanager)


def _inspect(real):
    spec_type = importlib.import_module("collections").namedtuple("ArgSpec", "args varargs keywords defaults")

    def getargspec(function):
        spec = real.getfullargspec(function)
        return spec_type(spec.args, spec.varargs, spec.varkw, spec.defaults)
    return dict(getargspec=getargspec, ArgSpec=spec_type)


def _cgi(real):
    return dict(escape=lambda text, quote=None: importlib.import_module("html").escape(text, bool(quote)))


def _operator(real):
    return dict(
        isCallable=callable, sequenceIncludes=real.contains, div=py2ops.div,
        isSequenceType=lambda x: hasattr(x, "__getitem__"),
        isMappingType=lambda x: isinstance(x, dict), isNumberType=lambda x: isinstance(x, (int, float, complex)))


def _threading(real):
    return dict(
        _Timer=real.Timer, _Event=real.Event, _Semaphore=real.Semaphore, _Condition=real.Condition,
        _RLock=real.RLock)


def _json(real):
    def data(value):
        if type(value) is Str:
            return to_text(value)
        raise TypeError("%r is not JSON serializable" % (value,))

    def without_encoding(function):
        # All strings are text already, and Python 3.9 removed the argument.
        @functools.wraps(function)
        def call(*args, **kwargs):
            kwargs.pop("encoding", None)
            if function.__name__[:4] == "dump":
                kwargs.setdefault("default", data)
            return function(*args, **kwargs)
        return call
    return dict((name, without_encoding(getattr(real, name))) for name in ("load", "loads", "dump", "dumps"))


def _base64(real):
    def coder(function):
        def call(data, *args, **kwargs):
            return native(function(to_bytes(data), *args, **kwargs))
        return call
    names = [name for name in real.__all__ if name not in ("encode", "decode", "main")]
    extra = dict((name, coder(getattr(real, name))) for name in names)
    extra.update(encodestring=coder(real.encodebytes), decodestring=coder(real.decodebytes))
    return extra


def _binascii(real):
    def coder(function):
        return lambda data, *args: native(function(to_bytes(data), *args))
    names = ("hexlify", "unhexlify", "b2a_hex", "a2b_hex", "b2a_base64", "a2b_base64")
    extra = dict((name, coder(getattr(real, name))) for name in names)
    extra["crc32"] = signed(real.crc32)
    return extra


class _Hash(object):
    """A hash that takes texts."""

    def __init__(self, real):
        self._real = real

    def update(self, data):
        self._real.update(to_bytes(data))

    def copy(self):
        return _Hash(self._real.copy())

    def __getattr__(self, name):
        return getattr(self._real, name)


def _hashlib(real):
    def maker(name):
        return lambda data=b"", **kwargs: _Hash(getattr(real, name)(to_bytes(data), **kwargs))
    names = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
    extra = dict((name, maker(name)) for name in names)
    extra["new"] = lambda name, data=b"", **kwargs: _Hash(real.new(name, to_bytes(data), **kwargs))
    return extra


def _one_hash(name):
    def extra(real):
        make = _hashlib(real)[name]
        return {"new": make, "md5" if name == "md5" else "sha": make}
    return extra


def _hmac(real):
    def new(key, msg=None, digestmod="md5"):
        digestmod = digestmod if isinstance(digestmod, str) else getattr(digestmod(), "name", digestmod)
        return _Hash(real.new(to_bytes(key), None if msg is None else to_bytes(msg), digestmod))
    return dict(new=new)


def _struct(real):
    def unpacked(values):
        return tuple([native(value) if type(value) is bytes else value for value in values])

    def unpack(fmt, data):
        return unpacked(real.unpack(fmt, to_bytes(data)))

    def unpack_from(fmt, data, offset=0):
        return unpacked(real.unpack_from(fmt, to_bytes(data) if isinstance(data, str) else data, offset))

    def pack(fmt, *values):
        return Str(real.pack(fmt, *[to_bytes(value) if isinstance(value, str) else value for value in values]))

    class Struct(real.Struct):
        """A format that is used several times."""

        def pack(self, *values):
            return pack(self.format, *values)

        def unpack(self, data):
            return unpack(self.format, data)

        def unpack_from(self, data, offset=0):
            return unpack_from(self.format, data, offset)
    return dict(pack=pack, unpack=unpack, unpack_from=unpack_from, Struct=Struct)


def _csv(real):
    def lines(source):
        # Python 2 reads CSV from files opened with `b`.
        for line in source:
            yield to_text(line) if isinstance(line, bytes) else line

    def reader(source, *args, **kwargs):
        return real.reader(lines(source), *args, **kwargs)

    class DictReader(real.DictReader):
        """Reads rows from texts or bytes."""

        def __init__(self, source, *args, **kwargs):
            real.DictReader.__init__(self, lines(source), *args, **kwargs)
    return dict(reader=reader, DictReader=DictReader)


def _pickle(real):
    import io

    def plain(source):
        return source._real if isinstance(source, BinaryFile) else source

    class Data(real.Unpickler):
        """Reads bytes as `str`. A pickle that Python 2 wrote has byte strings."""

        def __init__(self, source):
            real.Unpickler.__init__(self, source, encoding="utf-8", errors="surrogateescape")

        def find_class(self, module, name):
            if (module, name) == ("_codecs", "encode"):
                return lambda text, encoding: Str(text.encode(encoding))
            return real.Unpickler.find_class(self, module, name)

    def loads(data):
        return Data(io.BytesIO(to_bytes(data))).load()

    def load(source):
        source = plain(source)
        return loads(source.read()) if isinstance(source, io.TextIOBase) else Data(source).load()

    def dumps(value, protocol=0):
        return Str(real.dumps(value, protocol))

    def dump(value, target, protocol=0):
        target = plain(target)
        data = real.dumps(value, protocol)
        target.write(to_text(data) if isinstance(target, io.TextIOBase) else data)
    return dict(load=load, loads=loads, dump=dump, dumps=dumps)


def _stringio(real):
    text = real.StringIO

    class StringIO(text):
        """A text in memory; once it gets data, data."""

        _data = None

        def __init__(self, content=""):
            text.__init__(self, "" if isinstance(content, bytes) else content)
            if isinstance(content, bytes):
                self._data = real.BytesIO(content)

        def write(self, content):
            if isinstance(content, bytes) and self._data is None:
                before, at = text.getvalue(self), text.tell(self)
                self._data = real.BytesIO(to_bytes(before))
                self._data.seek(len(to_bytes(before[:at])))
            if self._data is None:
                text.write(self, str(content))
            else:
                self._data.write(to_bytes(content if isinstance(content, bytes) else str(content)))

        def writelines(self, lines):
            for line in lines:
                self.write(line)

        def getvalue(self):
            return text.getvalue(self) if self._data is None else native(self._data.getvalue())

        def __next__(self):
            line = self.readline()
            if not line:
                raise StopIteration
            return line

        def readlines(self, *size):
            return list(self)

        buf = property(getvalue)

    def method(name):
        def call(self, *args):
            if self._data is None:
                return getattr(text, name)(self, *args)
            found = getattr(self._data, name)(*args)
            return Str(found) if isinstance(found, bytes) else found
        return call
    for name in ("read", "readline", "seek", "tell", "truncate"):
        setattr(StringIO, name, method(name))
    return dict(StringIO=StringIO)


def _configparser(real):
    class _Python2(object):
        """Merges sections with the same name, and accepts comments with `;` after a value."""

        def __init__(self, defaults=None, dict_type=dict, allow_no_value=False):
            self.base.__init__(
                self, defaults, dict_type, allow_no_value, strict=False, inline_comment_prefixes=(";",))

        def readfp(self, source, filename=None):
            self.read_file(source, filename)

        def write(self, target, space_around_delimiters=True):
            self.base.write(self, target, space_around_delimiters)

    def made(name, base):
        return type(name, (_Python2, base), {"base": base})
    return dict(
        ConfigParser=made("ConfigParser", real.ConfigParser),
        SafeConfigParser=made("SafeConfigParser", real.ConfigParser),
        RawConfigParser=made("RawConfigParser", real.RawConfigParser))


def _subprocess(real):
    def text(kwargs):
        if not any(name in kwargs for name in ("text", "universal_newlines", "encoding", "errors")):
            kwargs.update(encoding="utf-8", errors="surrogateescape")
        return kwargs

    def popen(*args, **kwargs):
        return real.Popen(*args, **text(kwargs))

    def check_output(*args, **kwargs):
        return real.check_output(*args, **text(kwargs))
    return dict(Popen=popen, check_output=check_output)


def _commands(real):
    def getstatusoutput(command):
        status, output = real.getstatusoutput(command)
        # As os.wait returns it: the exit code in the high byte, a signal in the low one.
        return (status << 8 if status >= 0 else -status), output
    return dict(getstatusoutput=getstatusoutput, getoutput=lambda command: real.getoutput(command))


def _mutex(real):
    class mutex(object):
        """A lock with a queue of functions to call."""

        def __init__(self):
            self.locked = False
            self.queue = real.deque()

        def test(self):
            return self.locked

        def testandset(self):
            if self.locked:
                return False
            self.locked = True
            return True

        def lock(self, function, argument):
            if self.testandset():
                function(argument)
            else:
                self.queue.append((function, argument))

        def unlock(self):
            if self.queue:
                function, argument = self.queue.popleft()
                function(argument)
            else:
                self.locked = False
    return dict(mutex=mutex)


def _sets(real):
    return dict(Set=set, ImmutableSet=frozenset, BaseSet=(set, frozenset))


def _user(real):
    mutable = importlib.import_module("collections.abc").MutableMapping
    return dict(IterableUserDict=real.UserDict, DictMixin=mutable)


def _exceptions(real):
    return dict(StandardError=Exception)


def _nothing(real):
    return {}


EXTRA = {
    "ConfigParser": _configparser,
    "StringIO": _stringio,
    "UserDict": _user,
    "base64": _base64,
    "binascii": _binascii,
    "cPickle": _pickle,
    "cgi": _cgi,
    "cStringIO": _stringio,
    "collections": _collections,
    "commands": _commands,
    "contextlib": _contextlib,
    "csv": _csv,
    "email": _nothing,
    "exceptions": _exceptions,
    "hashlib": _hashlib,
    "hmac": _hmac,
    "inspect": _inspect,
    "itertools": _itertools,
    "json": _json,
    "math": _math,
    "md5": _one_hash("md5"),
    "mutex": _mutex,
    "operator": _operator,
    "pickle": _pickle,
    "sets": _sets,
    "sha": _one_hash("sha1"),
    "string": _string,
    "struct": _struct,
    "subprocess": _subprocess,
    "sys": _sys,
    "threading": _threading,
    "time": _time,
    "types": _types,
    "xml": _nothing,
    "xml.etree": _nothing,
}
