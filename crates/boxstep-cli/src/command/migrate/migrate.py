"""What a Python 2 script still lacks once it parses as Python 3: one JSON object per line in, one out.

In: {"text": after the rewrite of syntax, "own": the author's own text or null}. Out: {"own": whether it is the
author's text that was taken, "passes": [[edit, …], …], "notes": [[line, why], …]} or {"error": [line, column, why]}.
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
}
# What of them is not there any more, or not the same.
CHANGED = {
    "commands": {"getstatusoutput": "the status is the program's own, and no longer shifted by eight bits"},
    "ConfigParser": {"SafeConfigParser": "SafeConfigParser is gone since Python 3.12: ConfigParser"},
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
ERRORS = frozenset(("URLError", "HTTPError", "ContentTooShortError"))
# Attributes of modules.
ATTRIBUTES = {
    ("os", "getcwdu"): "os.getcwd", ("sys", "maxint"): "sys.maxsize", ("string", "letters"): "string.ascii_letters",
    ("string", "lowercase"): "string.ascii_lowercase", ("string", "uppercase"): "string.ascii_uppercase",
    ("itertools", "izip_longest"): "itertools.zip_longest", ("itertools", "ifilterfalse"): "itertools.filterfalse",
    ("types", "StringType"): "str", ("types", "StringTypes"): "str", ("types", "IntType"): "int",
    ("types", "LongType"): "int", ("types", "FloatType"): "float", ("types", "ListType"): "list",
    ("types", "TupleType"): "tuple", ("types", "DictType"): "dict", ("types", "BooleanType"): "bool",
    ("types", "ObjectType"): "object", ("types", "TypeType"): "type", ("operator", "isCallable"): "callable",
}
LOST_ATTRIBUTES = {
    ("sys", "exc_type"): "sys.exc_info()[0]", ("sys", "exc_value"): "sys.exc_info()[1]",
    ("sys", "exc_traceback"): "sys.exc_info()[2]", ("sys", "exc_clear"): "nothing", ("time", "clock"): "time.perf_counter",
    ("types", "UnicodeType"): "str, which every text is", ("types", "ClassType"): "type",
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
    ("subprocess", "check_output"), ("subprocess", "Popen"), ("pickle", "dumps"), ("pickle", "loads"),
    ("pickle", "dump"), ("pickle", "load"), ("marshal", None), ("cPickle", "dump"), ("cPickle", "load")))
EXCEPTIONS = frozenset(("IOError", "OSError", "EnvironmentError", "WindowsError"))
TAKES_ANY = frozenset(("list", "sorted", "set", "frozenset", "tuple", "sum", "min", "max", "any", "all", "dict", "iter",
                       "enumerate", "zip", "map", "filter"))


def last_name(node):
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def dotted(node):
    """`a.b` as a text, or ""."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return before and before + "." + node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


class Pass(object):
    """What is to be changed in one text, and what is to be told of it."""

    def __init__(self, text, first):
        self.data = text.encode("utf-8")
        self.first = first
        self.tree = ast.parse(text)
        self.starts = line_starts(self.data)
        self.edits = []
        self.notes = set()
        self.parents = {}
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
        self.gather()

    # What the script has

    def gather(self):
        self.bound = set()
        self.methods = set()
        self.given = set()
        self.loads = set()
        self.values = {}
        self.imported = {}
        self.future = set()
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.bound.add(node.name)
                self.methods.add(node.name)
                self.binds(node.name, None)
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                self.bound.add(node.id)
                parent = self.parents[node]
                simple = isinstance(parent, ast.Assign) and node in parent.targets
                self.binds(node.id, parent.value if simple else None)
            elif isinstance(node, ast.Name):
                self.loads.add(node.id)
            elif isinstance(node, ast.arg):
                self.bound.add(node.arg)
                self.binds(node.arg, None)
            elif isinstance(node, ast.ExceptHandler) and node.name:
                self.bound.add(node.name)
                self.binds(node.name, None)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    name = alias.asname or alias.name.split(".")[0]
                    self.bound.add(name)
                    self.binds(name, None)
                    if isinstance(node, ast.Import):
                        self.imported[name] = alias.name
                    elif node.module == "__future__":
                        self.future.add(alias.name)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self.given.add(node.attr)

    def binds(self, name, value):
        self.values.setdefault(name, []).append(value)

    # Places and texts

    def offset(self, line, column):
        return self.starts[line - 1] + column

    def start(self, node):
        return self.offset(node.lineno, node.col_offset)

    def end(self, node):
        return self.offset(node.end_lineno, node.end_col_offset)

    def text(self, start, end):
        return self.data[start:end].decode("utf-8")

    def source(self, node):
        return self.text(self.start(node), self.end(node))

    def edit(self, splices, certain, why):
        self.edits.append((sorted(splices, key=lambda s: s[:2]), certain, why))

    def replace(self, node, text, certain, why):
        self.edit([[self.start(node), self.end(node), text]], certain, why)

    def wrap(self, node, before, after, certain, why):
        start, end = self.start(node), self.end(node)
        self.edit([[start, start, before], [end, end, after]], certain, why)

    def note(self, node, why):
        self.notes.add((node.lineno, why))

    def attribute_name(self, node):
        """Where the name behind the dot stands."""
        end = self.end(node)
        return end - len(node.attr.encode("utf-8")), end

    def before_dot(self, node):
        """The text of what an attribute is asked of, with the parentheses around it."""
        start, _ = self.attribute_name(node)
        return self.text(self.start(node), start).rstrip().rstrip(".").rstrip(" \t\\\r\n")

    def is_builtin(self, node, name=None):
        return isinstance(node, ast.Name) and node.id not in self.bound and (name is None or node.id == name)

    def call_of(self, node, *names):
        """Whether a node is the call of a builtin of that name."""
        return isinstance(node, ast.Call) and self.is_builtin(node.func) and node.func.id in names

    def enclosing(self, node, kinds):
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, kinds):
                return node
        return None

    # What kind of thing an expression gives, as far as it shows

    def kind(self, node, depth=0):
        """"int", "float", "text", "none", "list", "tuple", "dict", "set", or None if it does not show."""
        if depth > 8:
            return None
        if isinstance(node, ast.Constant):
            if node.value is None:
                return "none"
            return {int: "int", bool: "int", float: "float", str: "text"}.get(type(node.value))
        for kinds, name in (((ast.List, ast.ListComp), "list"), (ast.Tuple, "tuple"), ((ast.Dict, ast.DictComp), "dict"),
                            ((ast.Set, ast.SetComp), "set"), (ast.JoinedStr, "text")):
            if isinstance(node, kinds):
                return name
        if isinstance(node, ast.UnaryOp):
            return self.kind(node.operand, depth + 1) if isinstance(node.op, (ast.USub, ast.UAdd)) else None
        if isinstance(node, ast.Call):
            if self.call_of(node, "len", "int", "ord", "long"):
                return "int"
            if self.call_of(node, "float"):
                return "float"
            if self.call_of(node, "set", "frozenset"):
                return "set"
            if dotted(node.func) in ("time.time", "math.sqrt", "math.sin", "math.cos", "math.tan", "math.atan2",
                                     "math.radians", "math.degrees", "random.random", "random.uniform"):
                return "float"
            return None
        if isinstance(node, ast.Attribute):
            return "float" if dotted(node) in ("math.pi", "math.e") else None
        if isinstance(node, ast.Name):
            values = self.values.get(node.id, [])
            kinds = set(value and self.kind(value, depth + 1) for value in values)
            return kinds.pop() if len(kinds) == 1 else None
        if isinstance(node, ast.BinOp):
            left, right = self.kind(node.left, depth + 1), self.kind(node.right, depth + 1)
            if isinstance(node.op, ast.Mod) and left == "text":
                return "text"
            if "float" in (left, right) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)):
                # A sequence cannot be added to or multiplied by it.
                return "float"
            if left == right == "int" and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)):
                return "int"
        return None

    # The walk

    def look(self):
        for node in ast.walk(self.tree):
            getattr(self, "look_" + type(node).__name__, self.nothing)(node)
        for name in ("functools", "importlib"):
            if name in self.loads and name not in self.bound:
                self.import_(name)

    def nothing(self, node):
        pass

    def import_(self, name):
        """At the top, behind what has to be there first."""
        body = self.tree.body
        at = 0
        for index, node in enumerate(body):
            documentation = index == 0 and isinstance(node, ast.Expr) and is_text(node.value)
            future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
            if not (documentation or future):
                first = [d.lineno for d in getattr(node, "decorator_list", ())] + [node.lineno]
                at = self.offset(min(first), 0)
                break
        line = "\r\n" if b"\r\n" in self.data else "\n"
        self.edit([[at, at, "import %s%s" % (name, line)]], True, "what needs it is no builtin any more")

    def look_Name(self, node):
        if not isinstance(node.ctx, ast.Load) or not self.is_builtin(node):
            return
        name, parent = node.id, self.parents[node]
        if name in BUILTINS:
            called = isinstance(parent, ast.Call) and parent.func is node
            certain = name != "unicode" or called and len(parent.args) <= 1
            if name in ("long", "basestring"):
                certain = True
            why = "%s is %s" % (name, BUILTINS[name])
            if name == "unicode" and not certain:
                why = "every text is unicode, so this also holds for what was bytes"
            if name == "xrange" and not called:
                certain = False
            self.replace(node, BUILTINS[name], certain, why)
        elif name in DOUBTFUL_BUILTINS:
            self.replace(node, DOUBTFUL_BUILTINS[name][0], False, DOUBTFUL_BUILTINS[name][1])
        elif name in LOST_BUILTINS and not (isinstance(parent, ast.Call) and parent.func is node and name in ("apply", "cmp")):
            self.note(node, LOST_BUILTINS[name])

    def look_Attribute(self, node):
        owner = dotted(node.value)
        module = self.imported.get(owner, owner if owner in ("os", "sys", "time", "os.path") and owner not in self.bound else "")
        if owner == "os.path" and self.imported.get("os") == "os":
            module = "os.path"
        key = (module, node.attr)
        loaded = isinstance(node.ctx, ast.Load)
        if loaded and key in ATTRIBUTES:
            old = node.attr
            self.replace(node, ATTRIBUTES[key].replace(module, owner, 1) if ATTRIBUTES[key].startswith(module) else ATTRIBUTES[key],
                         True, "%s.%s is %s" % (module, old, ATTRIBUTES[key]))
        elif loaded and key in LOST_ATTRIBUTES:
            self.note(node, "%s.%s is gone: %s" % (module, node.attr, LOST_ATTRIBUTES[key]))
        elif node.attr in OLD_ATTRIBUTES and node.attr not in self.given | self.methods:
            if OLD_ATTRIBUTES[node.attr] is None:
                self.note(node, "%s is gone" % node.attr)
            else:
                start, end = self.attribute_name(node)
                self.edit([[start, end, OLD_ATTRIBUTES[node.attr]]], True, "%s is %s" % (node.attr, OLD_ATTRIBUTES[node.attr]))
        elif node.attr in ("iteritems", "iterkeys", "itervalues", "has_key") and node.attr not in self.methods:
            if not self.is_called(node):
                self.note(node, "%s is gone" % node.attr)
        for module_, why in CHANGED.items():
            if self.imported.get(owner) == MODULES[module_] and owner == module_ and node.attr in why:
                self.note(node, why[node.attr])
        if (module, None) in BYTES or (module, node.attr) in BYTES:
            self.note(node, "takes or gives bytes, and a text is none")

    def is_called(self, node):
        parent = self.parents[node]
        return isinstance(parent, ast.Call) and parent.func is node

    def look_Call(self, node):
        if isinstance(node.func, ast.Name):
            self.call_by_name(node, node.func.id)
        elif isinstance(node.func, ast.Attribute):
            self.call_of_method(node, node.func.attr)
        self.shown(node)

    def call_by_name(self, node, name):
        if name in self.bound:
            if name == "urlopen":
                self.note(node, "what it reads is bytes")
            return
        plain = not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args)
        if name in ("map", "filter", "zip", "range") and not self.only_iterated(node):
            certain, why = True, "%s gives a list in Python 2" % name
            if name == "map" and (len(node.args) > 2 or node.args and self.kind(node.args[0]) == "none"):
                certain, why = False, "map no longer fills up shorter lists, nor takes None for a function"
            if name == "filter" and node.args and self.kind(node.args[-1]) not in ("list", None):
                certain, why = False, "filter gave the kind of thing that it got"
            self.wrap(node, "list(", ")", certain, why)
        elif name in ("map", "filter") and node.args and self.kind(node.args[0]) == "none" and name == "map":
            self.note(node, "map no longer takes None for a function")
        elif name == "map" and len(node.args) > 2:
            self.note(node, "map no longer fills up shorter lists")
        elif name == "apply" and plain and len(node.args) in (1, 2, 3):
            given = ["", "*", "**"]
            args = [self.source(a) for a in node.args]
            if isinstance(node.args[0], LOOSE):
                args[0] = "(%s)" % args[0]
            inner = ", ".join(star + (a if not isinstance(n, LOOSE) else "(%s)" % a)
                              for star, a, n in list(zip(given, args, node.args))[1:])
            self.replace(node, "%s(%s)" % (args[0], inner), True, "apply is a call")
        elif name == "cmp" and plain and len(node.args) == 2:
            a, b = [s if isinstance(n, (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.Call)) else "(%s)" % s
                    for n, s in ((n, self.source(n)) for n in node.args)]
            self.replace(node, "((%s > %s) - (%s < %s))" % (a, b, a, b), False, "cmp is gone, and what it compared may have no order")
        elif name == "cmp":
            self.note(node, LOST_BUILTINS["cmp"])
        elif name == "input" and self.first:
            self.wrap(node, "eval(", ")", False, "input no longer evaluates what is typed")
        elif name == "round":
            self.note(node, "round gives an integer, and halves go to the even one")
        elif name == "sorted":
            self.sorts(node, 1)
        elif name == "exec" and len(node.args) == 1 and self.enclosing(node, (ast.FunctionDef, ast.Lambda)):
            self.note(node, "exec in a function makes no local variables")
        elif name in ("open",) or name == "file":
            self.opens(node)
        elif name == "reload" and node.args and dotted(node.args[0]) == "sys" and self.sets_encoding():
            self.drop(node)
        elif name in ("hasattr", "setattr") and len(node.args) > 1 and is_text(node.args[1]):
            if node.args[1].value in OLD_HOOKS or dotted(node.args[0]) == "sys" and ("sys", node.args[1].value) in LOST_ATTRIBUTES:
                self.note(node, "there is no %s" % node.args[1].value)
        elif name == "type" and node.args and self.is_old_class(node.args[0]):
            self.note(node, "every class is of type `type`")
        elif name == "isinstance" and len(node.args) == 2 and isinstance(node.args[0], ast.Constant) and getattr(node.args[0], "kind", None):
            self.note(node, "every text is unicode")
        if name in ("sorted", "max", "min"):
            for arg in node.args:
                self.mixed(node, getattr(arg, "elts", ()) if len(node.args) == 1 else node.args)

    def sorts(self, node, before):
        """`cmp` functions: the argument behind the first, or one by name."""
        found = [k for k in node.keywords if k.arg == "cmp"]
        given = found[0].value if found else node.args[before] if len(node.args) > before else None
        if given is None:
            return
        start, end = self.start(given), self.end(given)
        if found:
            start = self.data.rindex(b"cmp", 0, start)
        if self.kind(given) == "none" or any(k.arg == "key" for k in node.keywords) or len(node.args) > before + 1:
            return self.note(node, "sorting takes key= and no function that compares two")
        self.edit([[start, end, "key=functools.cmp_to_key(%s)" % self.source(given)]], False,
                  "sorting takes key= and no function that compares two")

    def opens(self, node):
        mode = node.args[1] if len(node.args) > 1 else None
        if mode is not None and not is_text(mode):
            self.note(node, "opened with b, a file takes and gives bytes")
        elif mode is not None and "U" in mode.value:
            new = mode.value.replace("U", "") or "r"
            new = new if new[0] in "rwa" else "r" + new
            self.replace(mode, '"%s"' % new, "b" not in new, "line ends of all kinds are read as ever")
        elif mode is not None and "b" in mode.value:
            self.note(node, "opened with b, a file takes and gives bytes")

    def sets_encoding(self):
        return any(isinstance(n, ast.Attribute) and n.attr == "setdefaultencoding" for n in ast.walk(self.tree))

    def drop(self, node):
        parent = self.parents[node]
        if isinstance(parent, ast.Expr):
            self.replace(node, "pass", True, "texts are Unicode, and the default encoding is UTF-8")
        else:
            self.note(node, "texts are Unicode, and the default encoding is UTF-8")

    def call_of_method(self, node, name):
        func = node.func
        none = not node.args and not node.keywords
        owner = dotted(func.value)
        module = self.imported.get(owner, "")
        own = name in self.methods
        if name in ("iteritems", "iterkeys", "itervalues") and none and not own:
            start, end = self.attribute_name(func)
            splices = [[start, end, name[4:]]]
            if not self.only_iterated(node):
                splices = [[self.start(node)] * 2 + ["iter("]] + splices + [[self.end(node)] * 2 + [")"]]
            self.edit(splices, True, "%s is %s" % (name, name[4:]))
        elif name in ("keys", "values", "items") and none and not own and not module and not self.only_iterated(node):
            self.wrap(node, "list(", ")", True, "%s gives a list in Python 2" % name)
        elif name == "has_key" and len(node.args) == 1 and not node.keywords and not own:
            self.has_key(node)
        elif name == "next" and none:
            if own and not self.has_iterators():
                self.note(node, "next(x) calls __next__")
            else:
                self.replace(node, "next(%s)" % self.before_dot(func), True, "next is a function")
        elif name == "sort" and not own:
            self.sorts(node, 0)
        elif name in ("encode", "decode"):
            self.note(node, "encode gives bytes, which is no text; decode is for bytes")
        elif name in OLD_METHODS and none and not own:
            start, end = self.attribute_name(func)
            self.edit([[start, end, OLD_METHODS[name]]], True, "%s is %s" % (name, OLD_METHODS[name]))
        elif (module or owner, name) in (("itertools", "izip"), ("itertools", "imap"), ("itertools", "ifilter")):
            new = name[1:]
            if new in self.bound:
                return self.note(node, "itertools.%s is the builtin %s" % (name, new))
            splices = [[self.start(func), self.end(func), new]]
            if not self.only_iterated(node):
                splices = [[self.start(node)] * 2 + ["iter("]] + splices + [[self.end(node)] * 2 + [")"]]
            certain = name != "imap" or len(node.args) < 3 or True
            self.edit(splices, certain, "itertools.%s is the builtin %s" % (name, new))
        elif name == "setdefaultencoding" and owner == "sys":
            utf8 = node.args and is_text(node.args[0]) and node.args[0].value.lower().replace("-", "").replace("_", "") == "utf8"
            if utf8:
                self.drop(node)
            else:
                self.note(node, "texts are Unicode, and the default encoding is UTF-8")
        elif name in ("recv", "recvfrom", "send", "sendall", "sendto") and self.uses("socket", "serial", "ssl", "bluetooth"):
            self.note(node, "a connection takes and gives bytes")
        elif name in ("read", "readline", "write") and self.uses("serial"):
            self.note(node, "a connection takes and gives bytes")
        elif name == "urlopen" or name == "read" and last_name(func.value) == "urlopen":
            self.note(node, "what it reads is bytes")
        elif name == "communicate":
            self.note(node, "takes and gives bytes")
        elif name == "getchildren" and none and not own:
            self.replace(node, "list(%s)" % self.before_dot(func), False, "getchildren is gone since Python 3.9")
        elif name == "getiterator" and not own:
            self.note(node, "getiterator is gone since Python 3.9: iter")
        elif name == "seed" and self.imported.get(owner) == "random":
            self.note(node, "a seed gives other random numbers")

    def uses(self, *modules):
        return any(name.split(".")[0] in modules for name in self.imported.values())

    def has_iterators(self):
        """Whether every class with `next` is an iterator."""
        classes = [n for n in ast.walk(self.tree) if isinstance(n, ast.ClassDef)]
        names = [set(m.name for m in c.body if isinstance(m, ast.FunctionDef)) for c in classes]
        return all("__iter__" in found for found in names if "next" in found)

    def has_key(self, node):
        func, parent = node.func, self.parents[node]
        negated = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
        key = self.source(node.args[0])
        if isinstance(node.args[0], LOOSE) or isinstance(node.args[0], ast.UnaryOp) and isinstance(node.args[0].op, ast.Not):
            key = "(%s)" % key
        whole = parent if negated else node
        new = "%s %s %s" % (key, "not in" if negated else "in", self.before_dot(func))
        around = self.parents[whole]
        alone = isinstance(around, (ast.If, ast.While, ast.Assert, ast.BoolOp, ast.Assign, ast.Return, ast.Expr, ast.IfExp, ast.comprehension))
        alone = alone or isinstance(around, ast.Call) and around.func is not whole
        if not alone or "\n" in new or "\r" in new:
            new = "(%s)" % new
        self.replace(whole, new, True, "has_key is `in`")

    def only_iterated(self, node):
        """Whether nobody can tell a list from what only gives its items one by one."""
        parent = self.parents[node]
        if isinstance(parent, ast.For) and parent.iter is node:
            return self.call_of(node, "range", "xrange") or not self.may_change(node, parent)
        if isinstance(parent, (ast.comprehension,)) and parent.iter is node:
            return True
        if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], (ast.Tuple, ast.List)) and parent.value is node:
            return True
        if isinstance(parent, ast.Compare) and node in parent.comparators and len(parent.ops) == 1:
            return isinstance(parent.ops[0], (ast.In, ast.NotIn))
        if isinstance(parent, ast.Starred):
            return True
        if isinstance(parent, ast.Call) and node in parent.args:
            if isinstance(parent.func, ast.Name):
                name = parent.func.id
                if name == "len" and name not in self.bound:
                    return self.call_of(node, "range", "xrange") or isinstance(node.func, ast.Attribute)
                # These go through it lazily, and may be asked again while it changes.
                if name in ("map", "filter", "zip", "enumerate", "iter") and isinstance(node.func, ast.Attribute):
                    return False
                return name in TAKES_ANY and name not in self.bound
            if isinstance(parent.func, ast.Attribute):
                return parent.func.attr in ("join", "extend") and parent.func.attr not in self.methods
        return False

    def may_change(self, node, loop):
        """Whether a loop's body may change what it goes through: then it goes through a copy, as in Python 2."""
        if isinstance(node.func, ast.Name):
            # map, filter and zip work while the loop does.
            return any(isinstance(n, (ast.Call, ast.Assign, ast.AugAssign, ast.Delete))
                       for part in loop.body for n in ast.walk(part))
        root = node.func.value
        while isinstance(root, (ast.Attribute, ast.Subscript, ast.Call)):
            root = root.func if isinstance(root, ast.Call) else root.value
        if not isinstance(root, ast.Name):
            return False
        for part in loop.body:
            for inner in ast.walk(part):
                if not isinstance(inner, ast.Name) or inner.id != root.id:
                    continue
                top, parent = inner, self.parents[inner]
                while isinstance(parent, (ast.Attribute, ast.Subscript)) and parent.value is top:
                    top, parent = parent, self.parents[parent]
                if top is inner or not isinstance(getattr(top, "ctx", None), ast.Load):
                    return True
                if isinstance(parent, ast.Call):
                    return True
        return False

    def look_BinOp(self, node):
        if isinstance(node.op, ast.Div):
            self.division(node, node.left, node.right)
        if isinstance(node.op, ast.Mod) and self.kind(node.left) == "text":
            for value in getattr(node.right, "elts", [node.right]):
                self.as_text(node, value)

    def look_AugAssign(self, node):
        if isinstance(node.op, ast.Div):
            self.division(node, node.target, node.value)

    def division(self, node, left, right):
        if "division" in self.future:
            return
        kinds = self.kind(left), self.kind(right)
        if "float" in kinds:
            return
        if kinds == ("int", "int"):
            at = self.operator(left, right)
            if at is not None:
                return self.edit([[at, at + 1, "//"]], True, "both are integers")
        self.note(node, "/ no longer floors: // if both are integers")

    def operator(self, left, right):
        """Where the sign between two operands stands: a / that is in no comment."""
        start, end = self.end(left), self.start(right)
        between = self.data[start:end]
        if between.count(b"/") == 1 and b"#" not in between:
            return start + between.index(b"/")
        return None

    def look_Compare(self, node):
        sides = [node.left] + node.comparators
        for op, left, right in zip(node.ops, sides, sides[1:]):
            if isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
                self.mixed(node, (left, right))
            elif isinstance(op, (ast.Is, ast.IsNot)):
                if last_name(left) in EXCEPTIONS and last_name(right) in EXCEPTIONS:
                    self.note(node, "these exceptions are one")
            if isinstance(op, (ast.In, ast.NotIn)) and self.is_message(right) or self.is_message(left):
                self.note(node, "Python words its messages otherwise")

    def is_message(self, node):
        """`str(e)` of an exception that is being handled."""
        if self.call_of(node, "str", "unicode", "repr") and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
            return node.args[0].id in self.caught(node)
        return False

    def caught(self, node):
        names = set()
        handler = self.enclosing(node, ast.ExceptHandler)
        while handler is not None:
            names.add(handler.name)
            handler = self.enclosing(handler, ast.ExceptHandler)
        return names

    def mixed(self, node, values):
        number = {"int": "number", "float": "number"}
        kinds = set(number.get(k, k) for k in (self.kind(v) for v in values) if k)
        if len(kinds) > 1 or kinds & {"none", "dict"} and len(values) > 1:
            self.note(node, "things of different kinds have no order")

    # What is shown

    def shown(self, node):
        """Texts of what prints otherwise."""
        name = node.func.id if self.is_builtin(node.func) else ""
        if name in ("print", "str", "repr", "unicode"):
            for arg in node.args:
                if name != "repr":
                    self.as_text(node, arg)
                elif self.kind(arg) == "text" or self.kind(arg) == "int":
                    self.note(node, "repr writes no u'' and no L")
                elif self.kind(arg) == "set":
                    self.as_text(node, arg)
        if name == "map" and node.args and self.is_builtin(node.args[0]) and node.args[0].id in ("str", "repr"):
            if not isinstance(node.args[-1], ast.Constant):
                self.note(node, "str of a fraction has more than twelve digits")
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            for arg in node.args:
                self.as_text(node, arg)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "__repr__":
            self.note(node, "repr writes no u'' and no L")
        if isinstance(node.func, ast.Attribute) and self.is_message(node.func.value):
            self.note(node, "Python words its messages otherwise")

    def as_text(self, node, value):
        kind = self.kind(value)
        if kind == "float" and not isinstance(value, ast.Constant):
            self.note(node, "a fraction is written with all its digits, not with twelve")
        elif kind == "set":
            self.note(node, "a set is written as {1, 2}")
        elif self.call_of(value, "list") and value.args and last_name(value.args[0]) in ("keys", "values", "items"):
            self.note(node, "a dictionary keeps its order of insertion")

    def look_Constant(self, node):
        if not isinstance(node.value, str) or getattr(node, "kind", None):
            return
        parent = self.parents.get(node)
        if all(ord(c) < 128 for c in node.value) or isinstance(parent, (ast.Expr, ast.JoinedStr, ast.FormattedValue)):
            return
        source = self.source(node)
        if "\\x" in source or "\\2" in source or "\\3" in source:
            return self.note(node, "in Python 2 these were bytes: b'' or the letter itself")
        counted = self.call_of(parent, "len", "ord", "list", "sorted", "set") or isinstance(parent, ast.Subscript)
        if counted or isinstance(parent, (ast.For, ast.comprehension)):
            self.note(node, "a letter beyond ASCII is one character; in Python 2 it was its bytes")

    # Statements

    def look_ExceptHandler(self, node):
        name = node.name
        if not name:
            return
        for part in node.body:
            for inner in ast.walk(part):
                self.in_handler(inner, name)
        self.after(node, name)

    def in_handler(self, node, name):
        def is_it(value):
            return isinstance(value, ast.Name) and value.id == name and isinstance(value.ctx, ast.Load)

        if isinstance(node, ast.Attribute) and node.attr == "message" and is_it(node.value) and isinstance(node.ctx, ast.Load):
            if "message" in self.given | self.methods:
                self.note(node, "exceptions have no message of their own any more: str(%s)" % name)
            else:
                self.replace(node, "str(%s)" % name, True, "the message of an exception is its text")
        elif isinstance(node, ast.Subscript) and is_it(node.value) and "__getitem__" not in self.methods:
            at = self.end(node.value)
            self.edit([[at, at, ".args"]], True, "the arguments of an exception are its args")
        elif isinstance(node, ast.Assign) and is_it(node.value) and isinstance(node.targets[0], (ast.Tuple, ast.List)):
            at = self.end(node.value)
            self.edit([[at, at, ".args"]], True, "the arguments of an exception are its args")

    def after(self, handler, name):
        """The name is gone after the block; that is told where it is read there."""
        scope = self.enclosing(handler, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module))
        end = self.end(handler)
        inside = lambda n: any(h.name == name for h in self.handlers_around(n))
        for node in ast.walk(scope):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load) and not inside(node):
                stored = [n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == name
                          and isinstance(n.ctx, ast.Store) and end < self.start(n) < self.start(node)]
                if self.start(node) > end and not stored or self.in_same_loop(node, handler):
                    self.note(node, "%s is gone at the end of its except block" % name)

    def handlers_around(self, node):
        handler = self.enclosing(node, ast.ExceptHandler)
        while handler is not None:
            yield handler
            handler = self.enclosing(handler, ast.ExceptHandler)

    def in_same_loop(self, node, handler):
        loop = self.enclosing(handler, (ast.For, ast.While, ast.FunctionDef))
        return isinstance(loop, (ast.For, ast.While)) and any(n is node for n in ast.walk(loop))

    def look_ListComp(self, node):
        """Its variable lived on in Python 2."""
        scope = self.enclosing(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module))
        names = set(n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name))
        own = set(ast.walk(node))
        if isinstance(scope, ast.ClassDef):
            stored = set(n.id for part in scope.body for n in ast.walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
            if any(isinstance(n, ast.Name) and n.id in stored - names for n in own):
                self.note(node, "a comprehension in a class does not see the names of the class")
            self.note(node, "%s does not live on" % ", ".join(sorted(names)))
        bound_again = set()
        for n in ast.walk(scope):
            if isinstance(n, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
                inner = set(t.id for g in n.generators for t in ast.walk(g.target) if isinstance(t, ast.Name))
                if inner & names:
                    bound_again.update(x for x in ast.walk(n) if isinstance(x, ast.Name) and x.id in inner)
        for n in ast.walk(scope):
            if n in own or n in bound_again:
                continue
            if isinstance(n, ast.Name) and n.id in names and isinstance(n.ctx, ast.Load):
                before = [s for s in ast.walk(scope) if isinstance(s, ast.Name) and s.id == n.id and s not in own and s not in bound_again
                          and isinstance(s.ctx, ast.Store) and self.start(node) < self.start(s) <= self.start(n)]
                if not before and self.start(n) > self.start(node):
                    self.note(n, "%s of the comprehension in line %d does not live on" % (n.id, node.lineno))
            elif self.call_of(n, "dir", "locals", "vars", "globals") and self.start(n) > self.start(node):
                self.note(n, "the variable of a comprehension is not among them")
        if any(isinstance(n, ast.Lambda) for n in own):
            self.note(node, "functions made in a comprehension shared its variable")

    def look_FunctionDef(self, node):
        parent = self.parents[node]
        if not isinstance(parent, ast.ClassDef):
            return self.generator(node)
        names = set(m.name for m in parent.body if isinstance(m, ast.FunctionDef))
        targets = set(t.id for m in parent.body if isinstance(m, ast.Assign) for t in m.targets if isinstance(t, ast.Name))
        if node.name == "__nonzero__" and "__bool__" not in names | targets:
            self.alias(node, "__bool__")
        elif node.name == "next" and "__next__" not in names | targets:
            if "__iter__" in names:
                self.alias(node, "__next__")
        elif node.name in OLD_HOOKS:
            self.note(node, "%s %s" % (node.name, OLD_HOOKS[node.name]))
        elif node.name == "__eq__" and "__hash__" not in names | targets:
            self.note(node, "a class with __eq__ and no __hash__ cannot be in sets and dictionaries")
        self.generator(node)

    def alias(self, node, name):
        end = self.end(node)
        column = self.start(node) - self.offset(node.lineno, 0)
        first = min([node.lineno] + [d.lineno for d in node.decorator_list])
        indent = self.text(self.offset(first, 0), self.offset(first, 0) + column)
        if indent.strip():
            return self.note(node, "it has to be called %s as well" % name)
        line = "\r\n" if b"\r\n" in self.data else "\n"
        # Behind what may stand on the last line.
        stop = self.data.find(b"\n", end)
        stop = len(self.data) if stop < 0 else stop - (self.data[stop - 1:stop] == b"\r")
        self.edit([[stop, stop, "%s%s%s = %s" % (line, indent, name, node.name)]], True, "%s is called %s" % (node.name, name))

    def generator(self, node):
        inner = [n for part in node.body for n in ast.walk(part)]
        if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in inner):
            for n in inner:
                if isinstance(n, ast.Raise) and n.exc is not None and last_name(n.exc) == "StopIteration":
                    self.note(n, "in a generator this is an error: return")

    def look_ClassDef(self, node):
        for part in node.body:
            if isinstance(part, ast.Assign) and any(last_name(t) == "__metaclass__" for t in part.targets):
                self.note(part, "__metaclass__ " + OLD_HOOKS["__metaclass__"])

    def is_old_class(self, node):
        return isinstance(node, ast.Name) and any(
            isinstance(n, ast.ClassDef) and n.name == node.id and not n.bases for n in ast.walk(self.tree))

    # Imports

    def look_Import(self, node):
        if any(a.name in ("urllib", "urllib2") for a in node.names):
            return self.import_urllib(node)
        new, whys, lost = [], [], False
        for alias in node.names:
            name = alias.asname or alias.name
            if alias.name in MODULES:
                to = MODULES[alias.name]
                new.append(to if to == name else "%s as %s" % (to, name))
                whys.append("%s is %s" % (alias.name, to))
                continue
            if alias.name in LOST_MODULES:
                self.note(node, "there is no module %s: %s" % (alias.name, LOST_MODULES[alias.name]))
            new.append(alias.name + (" as %s" % alias.asname if alias.asname else ""))
        if whys:
            self.replace(node, "import " + ", ".join(new), True, "; ".join(whys))

    def import_urllib(self, node):
        """Its functions went to three modules: each use gets its own."""
        if len(node.names) > 1:
            if not self.stands_alone(node):
                return self.note(node, "urllib and urllib2 are urllib.request, urllib.parse and urllib.error")
            parts = ["import " + a.name + (" as %s" % a.asname if a.asname else "") for a in node.names]
            return self.replace(node, self.lines(node, parts), True, "one import each")
        alias = node.names[0]
        name = alias.asname or alias.name
        splices, modules = [], set()
        for use in ast.walk(self.tree):
            if isinstance(use, ast.Name) and use.id == name:
                parent = self.parents[use]
                home = self.home(parent.attr) if isinstance(parent, ast.Attribute) else None
                if home is None or not isinstance(use.ctx, ast.Load) or self.enclosing_scope_binds(use, name, node):
                    return self.note(node, "urllib and urllib2 are urllib.request, urllib.parse and urllib.error")
                modules.add(home)
                splices.append([self.start(use), self.end(use), home])
        new = "import " + ", ".join(sorted(modules) or ["urllib.request", "urllib.parse", "urllib.error"])
        self.edit([[self.start(node), self.end(node), new]] + splices, True, "%s is %s" % (alias.name, new[7:]))

    def enclosing_scope_binds(self, use, name, node):
        values = self.values.get(name, [])
        imports = [n for n in ast.walk(self.tree) if isinstance(n, ast.Import) and any((a.asname or a.name.split(".")[0]) == name for a in n.names)]
        return len(values) > len(imports) or any(n is not node and n.names[0].name != node.names[0].name for n in imports)

    @staticmethod
    def home(name):
        for names, module in ((REQUEST, "urllib.request"), (PARSE, "urllib.parse"), (ERRORS, "urllib.error")):
            if name in names:
                return module
        return None

    def stands_alone(self, node):
        """Whether nothing else is on its lines."""
        before = self.text(self.offset(node.lineno, 0), self.start(node))
        after = self.data[self.end(node):].split(b"\n", 1)[0].split(b"#", 1)[0]
        return not before.strip() and not after.strip()

    def lines(self, node, parts):
        indent = self.text(self.offset(node.lineno, 0), self.start(node))
        line = "\r\n" if b"\r\n" in self.data else "\n"
        return (line + indent).join(parts)

    def look_ImportFrom(self, node):
        if node.level:
            return
        names = [a.name for a in node.names]
        text = ["%s as %s" % (a.name, a.asname) if a.asname else a.name for a in node.names]
        if node.module in ("urllib", "urllib2"):
            homes = [self.home(n) for n in names]
            if None in homes or not (len(set(homes)) == 1 or self.stands_alone(node)):
                if any(n not in ("request", "parse", "error") for n in names):
                    self.note(node, "urllib and urllib2 are urllib.request, urllib.parse and urllib.error")
                return
            parts = ["from %s import %s" % (home, ", ".join(t for t, h in zip(text, homes) if h == home))
                     for home in sorted(set(homes))]
            return self.replace(node, self.lines(node, parts), True, "%s is %s" % (node.module, ", ".join(sorted(set(homes)))))
        if node.module == "itertools" and set(names) & {"izip", "imap", "ifilter"}:
            return self.note(node, "izip, imap and ifilter are the builtins zip, map and filter")
        if node.module in LOST_MODULES:
            return self.note(node, "there is no module %s: %s" % (node.module, LOST_MODULES[node.module]))
        if node.module in MODULES:
            changed = [w for n, w in CHANGED.get(node.module, {}).items() if n in names]
            for why in changed:
                self.note(node, why)
            if names == ["*"]:
                return self.note(node, "%s is %s" % (node.module, MODULES[node.module]))
            self.replace(node, "from %s import %s" % (MODULES[node.module], ", ".join(text)), True,
                         "%s is %s" % (node.module, MODULES[node.module]))


def line_starts(data):
    """Where each line begins, as Python counts lines."""
    starts, at = [0], 0
    while at < len(data):
        if data[at:at + 2] == b"\r\n":
            at += 1
        if data[at] in b"\r\n":
            starts.append(at + 1)
        at += 1
    return starts


def apart(edits):
    """Those that do not touch each other; the others come with the next pass."""
    chosen, taken = [], []
    for edit in sorted(edits, key=lambda e: (e[0][0][0], -e[0][-1][1])):
        start, end = edit[0][0][0], edit[0][-1][1]
        if all(end < s or start > e for s, e in taken):
            taken.append((start, end))
            chosen.append(edit)
    return chosen


def apply(text, edits):
    data, done, out = text.encode("utf-8"), 0, []
    for start, end, new in sorted(s for edit in edits for s in edit[0]):
        out += [data[done:start], new.encode("utf-8")]
        done = end
    return b"".join(out + [data[done:]]).decode("utf-8")


def migrate(text):
    passes = []
    for index in range(PASSES):
        found = Pass(text, index == 0)
        found.look()
        edits = apart(found.edits)
        if not edits:
            break
        passes.append(edits)
        text = apply(text, edits)
    # What Python refuses only after it has parsed.
    compile(text, "script", "exec", dont_inherit=True)
    return {"passes": passes, "notes": sorted(found.notes)}


def refusal(error):
    return {"error": [error.lineno or 1, error.offset or 0, str(error.msg)]}


def answer(script):
    own = script.get("own")
    try:
        return dict(migrate(script["text"]), own=False)
    except SyntaxError as error:
        if own is None:
            return refusal(error)
        try:
            return dict(migrate(own), own=True)
        except SyntaxError:
            return refusal(error)


def main():
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 3000))
    out = sys.stdout
    out.write(json.dumps({"python": "%d.%d.%d" % sys.version_info[:3]}) + "\n")
    out.flush()
    for line in sys.stdin.buffer:
        try:
            found = answer(json.loads(line.decode("utf-8")))
        except (RecursionError, MemoryError):
            found = {"error": [1, 0, "nested too deeply"]}
        except ValueError as error:
            found = {"error": [1, 0, str(error)]}
        out.write(json.dumps(found) + "\n")
        out.flush()


main()
