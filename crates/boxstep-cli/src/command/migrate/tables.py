"""What a Python 2 script still lacks once it parses as Python 3: one JSON object per line in, one out.

In: {"text": after the rewrite of syntax, "own": the author's own text or null, "beside": [module of its package, …],
"doubtful": whether it may be in no package}. Out: {"own": whether it is the author's text that was taken,
"passes": [[edit, …], …], "notes": [[line, why], …]} or {"error": [line, column, why]}.
An edit is [splices, certain, why], a splice [start, end, text] in bytes of UTF-8; each pass is relative to the text
that the one before it left, and lines are those of the last. Nothing of a script is ever executed.

What is certain is a promise: the new text does what the old one did in Python 2. All else is told.
"""
import sys

if sys.version_info < (3, 8):
    sys.stdout.write('{"old": "%d.%d"}\n' % sys.version_info[:2])
    sys.exit(0)

import ast
import json

PASSES = 60
# Expressions that bind less tightly than a comparison does.
LOOSE = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.Compare, ast.Starred, ast.GeneratorExp, ast.Yield, ast.YieldFrom)

BUILTINS = {"xrange": "range", "unicode": "str", "basestring": "str", "raw_input": "input", "unichr": "chr",
            "long": "int", "reduce": "functools.reduce", "reload": "importlib.reload", "intern": "sys.intern"}
DOUBTFUL_BUILTINS = {
    "StandardError": ("Exception", "StandardError is gone; Exception also covers StopIteration"),
    "file": ("open", "as a type, file is gone"),
    "buffer": ("memoryview", "a memoryview is not a buffer in all it does"),
}
LOST_BUILTINS = {"coerce": "coerce is gone", "execfile": "execfile is gone: exec(open(name).read())",
                 "apply": "apply is gone: f(*args)", "cmp": "cmp is gone: (a > b) - (a < b)"}
# Old module: new one, under its old name.
MODULES = {
    "Queue": "queue", "ConfigParser": "configparser", "StringIO": "io", "cStringIO": "io", "httplib": "http.client",
    "cookielib": "http.cookiejar", "Cookie": "http.cookies", "HTMLParser": "html.parser",
    "htmlentitydefs": "html.entities", "SocketServer": "socketserver", "BaseHTTPServer": "http.server",
    "SimpleHTTPServer": "http.server", "CGIHTTPServer": "http.server", "xmlrpclib": "xmlrpc.client",
    "SimpleXMLRPCServer": "xmlrpc.server", "robotparser": "urllib.robotparser", "urlparse": "urllib.parse",
    "thread": "_thread", "cPickle": "pickle", "copy_reg": "copyreg", "__builtin__": "builtins",
    "exceptions": "builtins", "anydbm": "dbm", "Tkinter": "tkinter", "ScrolledText": "tkinter.scrolledtext",
    "tkMessageBox": "tkinter.messagebox", "tkFileDialog": "tkinter.filedialog", "tkFont": "tkinter.font",
    "tkSimpleDialog": "tkinter.simpledialog", "tkColorChooser": "tkinter.colorchooser", "ttk": "tkinter.ttk",
    "_winreg": "winreg", "repr": "reprlib", "UserDict": "collections", "UserList": "collections",
    "UserString": "collections", "commands": "subprocess",
    "email.MIMEText": "email.mime.text", "email.MIMEMultipart": "email.mime.multipart", "email.MIMEBase": "email.mime.base",
    "email.MIMEImage": "email.mime.image", "email.MIMEAudio": "email.mime.audio", "email.Encoders": "email.encoders",
    "email.Utils": "email.utils", "email.Header": "email.header", "email.Charset": "email.charset",
}
# What of them is not there any more, or not the same.
CHANGED = {
    "commands": {"getstatusoutput": "the status is the program's own, and no longer shifted by eight bits"},
    "ConfigParser": dict.fromkeys(
        ("ConfigParser", "RawConfigParser", "SafeConfigParser"),
        "it refuses what is there twice and comments behind values; SafeConfigParser and readfp are gone since 3.12"),
    "cPickle": {"dumps": "gives bytes", "loads": "takes bytes"},
    "StringIO": {}, "UserDict": {"DictMixin": "DictMixin is gone: collections.abc.MutableMapping"},
    "HTMLParser": {"HTMLParseError": "HTMLParseError is gone"},
    "exceptions": {"StandardError": "StandardError is gone: Exception"},
}
LOST_MODULES = {
    "md5": "hashlib.md5, which takes bytes", "sha": "hashlib.sha1, which takes bytes", "sets": "the builtins set and frozenset",
    "mutex": "threading.Lock", "dummy_thread": "threading", "new": "the module types", "user": "nothing",
    "popen2": "subprocess", "rfc822": "email", "mimetools": "email", "MimeWriter": "email", "multifile": "email",
    "htmllib": "html.parser", "sgmllib": "html.parser", "urllib2.": "urllib.request", "statvfs": "os.statvfs",
    "dircache": "os.listdir", "fpformat": "format", "hotshot": "cProfile", "compiler": "ast", "Bastion": "nothing",
    "gdbm": "dbm.gnu", "dbhash": "dbm", "bsddb": "dbm",
}
REQUEST = frozenset((
    "urlopen", "Request", "urlretrieve", "urlcleanup", "build_opener", "install_opener", "OpenerDirector", "URLopener",
    "FancyURLopener", "BaseHandler", "HTTPHandler", "HTTPSHandler", "ProxyHandler", "HTTPCookieProcessor",
    "HTTPRedirectHandler", "HTTPBasicAuthHandler", "HTTPDigestAuthHandler", "HTTPErrorProcessor", "HTTPPasswordMgr",
    "HTTPPasswordMgrWithDefaultRealm", "ProxyBasicAuthHandler", "FileHandler", "pathname2url", "url2pathname",
    "getproxies", "HTTPDefaultErrorHandler", "UnknownHandler", "parse_http_list", "parse_keqv_list"))
PARSE = frozenset(("quote", "quote_plus", "unquote", "unquote_plus", "urlencode", "urlparse", "urlsplit", "urljoin"))
REQUEST_METHODS = frozenset(("get_host", "get_type", "get_selector", "get_data", "has_data", "add_data"))
ERRORS = frozenset(("URLError", "HTTPError", "ContentTooShortError"))
# Attributes of modules.
ATTRIBUTES = {
    ("os", "getcwdu"): "os.getcwd", ("sys", "maxint"): "sys.maxsize", ("string", "letters"): "string.ascii_letters",
    ("string", "lowercase"): "string.ascii_lowercase", ("string", "uppercase"): "string.ascii_uppercase",
    ("itertools", "izip_longest"): "itertools.zip_longest", ("itertools", "ifilterfalse"): "itertools.filterfalse",
    ("types", "StringType"): "str", ("types", "StringTypes"): "(str,)", ("types", "IntType"): "int",
    ("types", "FloatType"): "float", ("types", "ListType"): "list",
    ("types", "TupleType"): "tuple", ("types", "DictType"): "dict", ("types", "BooleanType"): "bool",
    ("types", "ObjectType"): "object", ("types", "TypeType"): "type", ("operator", "isCallable"): "callable",
}
LOST_ATTRIBUTES = {
    ("sys", "exc_type"): "sys.exc_info()[0]", ("sys", "exc_value"): "sys.exc_info()[1]",
    ("sys", "exc_traceback"): "sys.exc_info()[2]", ("sys", "exc_clear"): "nothing", ("time", "clock"): "time.perf_counter",
    ("types", "UnicodeType"): "str, which every text is", ("types", "LongType"): "int, which every integer is", ("types", "ClassType"): "type",
    ("types", "InstanceType"): "object", ("operator", "div"): "operator.floordiv or operator.truediv",
    ("operator", "isSequenceType"): "collections.abc.Sequence", ("operator", "isMappingType"): "collections.abc.Mapping",
    ("operator", "isNumberType"): "numbers.Number", ("operator", "sequenceIncludes"): "operator.contains",
    ("os", "popen2"): "subprocess", ("os", "popen3"): "subprocess", ("os", "popen4"): "subprocess",
    ("os", "tmpnam"): "tempfile", ("os", "spawnvp"): "subprocess", ("inspect", "getargspec"): "inspect.getfullargspec",
    ("string", "maketrans"): "str.maketrans", ("os.path", "walk"): "os.walk",
}
for _name in ("atof atoi atol capitalize center count expandtabs find index join joinfields ljust lower lstrip replace "
              "rfind rindex rjust rstrip split splitfields strip swapcase translate upper zfill").split():
    LOST_ATTRIBUTES["string", _name] = "the method of texts"
for _name in "Callable Iterable Iterator Mapping MutableMapping MutableSequence Sequence Set Sized Hashable".split():
    LOST_ATTRIBUTES["collections", _name] = "collections.abc." + _name
OLD_ATTRIBUTES = {"func_name": "__name__", "func_code": "__code__", "func_defaults": "__defaults__",
                  "func_globals": "__globals__", "func_closure": "__closure__", "func_dict": "__dict__",
                  "func_doc": "__doc__", "im_self": "__self__", "im_func": "__func__", "im_class": None}
VIEWS = ("keys", "values", "items")
GONE_METHODS = ("has_key", "iteritems", "iterkeys", "itervalues", "next")
OLD_METHODS = {"isAlive": "is_alive"}
OLD_HOOKS = {
    "__cmp__": "is never called: __lt__ and __eq__", "__div__": "is never called: __truediv__ and __floordiv__",
    "__rdiv__": "is never called: __rtruediv__", "__idiv__": "is never called: __itruediv__",
    "__getslice__": "is never called: __getitem__ gets a slice", "__setslice__": "is never called: __setitem__",
    "__delslice__": "is never called: __delitem__", "__unicode__": "is never called: __str__",
    "__coerce__": "is never called", "__hex__": "is never called: __index__", "__oct__": "is never called: __index__",
    "__long__": "is never called: __int__", "__metaclass__": "means nothing: class X(metaclass=M)"}
BYTES = frozenset((
    ("hashlib", None), ("struct", None), ("base64", None), ("binascii", None), ("zlib", None), ("hmac", None),
    ("gzip", None), ("bz2", None), ("zipfile", None), ("array", None), ("mmap", None), ("wave", None), ("os", "write"),
    ("os", "read"), ("tempfile", "NamedTemporaryFile"), ("tempfile", "TemporaryFile"), ("tempfile", "SpooledTemporaryFile"),
    ("subprocess", "check_output"), ("subprocess", "Popen"), ("pickle", "dumps"), ("pickle", "loads"),
    ("pickle", "dump"), ("pickle", "load"), ("marshal", None), ("cPickle", "dump"), ("cPickle", "load")))
WORDED = frozenset(("ValueError", "TypeError", "RuntimeError", "AttributeError", "NameError", "AssertionError",
                    "ImportError", "IndexError", "ZeroDivisionError", "NotImplementedError", "OverflowError"))
EXCEPTIONS = frozenset(("IOError", "OSError", "EnvironmentError", "WindowsError"))
# Builtins that go through all of their first argument before anything else happens, and those that go on with it bit by bit.
TAKES_ALL = frozenset(("list", "sorted", "set", "frozenset", "tuple", "sum", "dict"))
TAKES_EACH = frozenset(("iter", "enumerate", "zip", "map", "filter"))
# What may give a global name another value without saying the name.
REACHES_NAMES = frozenset(("globals", "locals", "vars", "setattr", "execfile"))
