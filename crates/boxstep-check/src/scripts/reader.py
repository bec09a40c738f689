"""Parses box scripts without running them: reads one JSON object per line, and writes one for each.

Input: {"two": the text after the Python 2 rewrite, "three": the original text if it differs, "remnants": whether
remnants of Python 2 are wanted}. Output: {"error": …}, or the facts in the syntax tree, with the fields of `facts.rs`.
No part of a script is ever executed.
"""
import sys

if sys.version_info < (3, 8):
    sys.stdout.write('{"old": "%d.%d"}\n' % sys.version_info[:2])
    sys.exit(0)

import ast
import importlib.util
import json
import re

MOST = 2000  # maximum number of facts of each kind; no script written by hand has more
# Names and modules of Python 2 that Python 3 does not have.
NAMES = frozenset((
    "unicode", "basestring", "long", "xrange", "unichr", "raw_input", "reduce", "reload", "cmp", "file",
    "apply", "execfile", "buffer", "coerce", "intern", "StandardError"))
MODULES = frozenset((
    "urllib2", "urlparse", "httplib", "cookielib", "Cookie", "HTMLParser", "htmlentitydefs", "SocketServer",
    "BaseHTTPServer", "SimpleHTTPServer", "CGIHTTPServer", "xmlrpclib", "SimpleXMLRPCServer", "robotparser",
    "Queue", "thread", "dummy_thread", "mutex", "StringIO", "cStringIO", "ConfigParser", "cPickle", "copy_reg",
    "commands", "md5", "sha", "sets", "exceptions", "__builtin__", "UserDict", "UserList", "UserString",
    "anydbm", "Tkinter", "_winreg"))
DICTIONARY = frozenset(("has_key", "iteritems", "iterkeys", "itervalues"))
GUARDS = frozenset(("AttributeError", "RuntimeError", "TypeError", "Exception", "BaseException", "StandardError"))
# Errors that Python 3 finds after parsing, except those that the runtime corrects.
REFUSED = ("'return' outside function", "'yield' outside function", "'break' outside loop", "'continue' not",
           "duplicate argument")


def text_of(node):
    """Returns the text of a string literal, or None."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def first_text(call):
    return text_of(call.args[0]) if call.args else None


def last_name(node):
    """Returns `c` for `a.b.c`, `c()` and `c`."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_self(node):
    return isinstance(node, ast.Name) and node.id == "self"


def arguments(call):
    """Returns the number of arguments, or -1 if it is known only at run time. Keywords such as _async do not count."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return -1
    return len(call.args) + sum(not k.arg.startswith("_") for k in call.keywords)


def service_of(node):
    """Returns the name of the service that an expression requests by a literal name, or None."""
    if not isinstance(node, ast.Call):
        return None
    called = last_name(node.func)
    name = first_text(node)
    if name is None:
        return None
    if called == "ALProxy":
        return name
    if called == "service" and isinstance(node.func, ast.Attribute) and "session" in last_name(node.func.value).lower():
        return name
    return None


# The name of a service, or of a method of one.
SERVICE = re.compile(r"(AL[A-Z]\w*|DCM)(?:\.(\w+))?\Z")
# Functions that run a text or start another program; a script that calls one may do anything.
RUNS = frozenset(("eval", "exec", "execfile"))
PROGRAMS = frozenset(("Popen", "check_call", "check_output", "getoutput", "getstatusoutput"))
LATER = " that shows only at run time"


class Beyond(object):
    """Collects what a script may do apart from its visible calls of services: names of services in it, modules that it
    imports, and operations whose effect is known only at run time."""

    def __init__(self, tree):
        self.named, self.imports, self.unknown, self.searches = set(), [], [], False
        callees = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found = SERVICE.match(node.value)
                if found:
                    self.named.add(found.group(1))
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    self.imported(node, alias.name)
            elif isinstance(node, ast.ImportFrom):
                self.imported_from(node)
            elif isinstance(node, ast.Call):
                self.call(node)
            elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                self.load(node, id(node) in callees)

    def add(self, node, words):
        self.unknown.append([node.lineno, words])

    def imported(self, node, name, relative=False):
        try:
            library = not relative and importlib.util.find_spec(name.split(".")[0]) is not None
        except (ImportError, ValueError):
            library = False
        self.imports.append([node.lineno, name, library or name.split(".")[0] in MODULES])

    def imported_from(self, node):
        relative, module = bool(node.level), node.module or ""
        if module:
            self.imported(node, module, relative)
        for alias in node.names:
            if alias.name != "*":
                # This may be a module of the package, or a name in it.
                self.imported(node, module + "." + alias.name if module else alias.name, relative)
            if module == "sys" and alias.name == "path":
                self.searches = True
            if alias.name == "ALProxy" and alias.asname not in (None, "ALProxy"):
                self.add(node, "calls `ALProxy` by another name")
            elif module in ("os", "subprocess", "commands") and alias.name in PROGRAMS | {"system", "popen", "call", "run"}:
                self.add(node, "starts another program")

    def load(self, node, called):
        name = last_name(node)
        receiver = last_name(node.value) if isinstance(node, ast.Attribute) else ""
        if name == "path" and receiver == "sys" or name == "addsitedir":
            self.searches = True
        elif name == "Say" and receiver == "boxstep":
            self.named.add("ALTextToSpeech")
        elif not called and (name == "ALProxy" or name == "service" and "session" in receiver.lower()):
            self.add(node, "hands `%s` on" % name)
        elif name in ("__builtins__", "__builtin__", "builtins") and not receiver:
            self.add(node, "looks for a name" + LATER)

    def call(self, node):
        name, text = last_name(node.func), first_text(node)
        receiver = last_name(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        bare = isinstance(node.func, ast.Name)
        if name == "ALProxy" or name == "service" and not bare:
            if text is None:
                self.add(node, "asks for a service by a name" + LATER)
            else:
                self.named.add(text)
        elif name in ("call", "Call") and text is None and (is_self(getattr(node.func, "value", None)) or receiver == "boxstep"):
            self.add(node, "calls a service by a name" + LATER)
        elif bare and name == "getattr" and len(node.args) > 1:
            wanted = text_of(node.args[1])
            if wanted is None and not is_self(node.args[0]) or wanted in ("ALProxy", "service"):
                self.add(node, "looks for a name" + LATER)
        elif bare and name == "globals":
            self.add(node, "looks for a name" + LATER)
        elif bare and name in RUNS:
            self.add(node, "runs a text with `%s`" % name)
        elif name in ("__import__", "import_module"):
            if text is None:
                self.add(node, "imports a module by a name" + LATER)
            else:
                self.imported(node, text.lstrip("."), text.startswith("."))
        elif name in ("run_path", "run_module", "load_source", "load_module", "load_compiled", "load_dynamic",
                      "spec_from_file_location", "SourceFileLoader"):
            self.add(node, "runs a file" + LATER)
        elif name in ("runBehavior", "startBehavior"):
            self.add(node, "starts another behavior")
        elif (name in PROGRAMS or receiver == "subprocess"
              or receiver == "os" and (name in ("system", "popen", "startfile") or name.startswith(("exec", "spawn", "posix_spawn")))):
            self.add(node, "starts another program")


class Variables(object):
    """Finds the variables that hold a service: those that are assigned only one service, and None."""

    def __init__(self, tree):
        self.held = {}
        self.spoiled = set()
        self.scopes = {}
        self.walk(tree, (tree,))

    def walk(self, node, scopes):
        for child in ast.iter_child_nodes(node):
            self.scopes[child] = scopes
            inner = scopes
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
                inner = (child,) + scopes
            self.look(child, inner)
            self.walk(child, inner)

    def look(self, node, scopes):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self.bind(target, node.value, scopes)
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            pass  # targets of assignments are handled above, the others below
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension, ast.AugAssign, ast.AnnAssign)):
            self.spoil(node.target, scopes)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                if item.optional_vars is not None:
                    self.spoil(item.optional_vars, scopes)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            given = node.args
            for arg in given.args + given.kwonlyargs + getattr(given, "posonlyargs", []) + [given.vararg, given.kwarg]:
                if arg is not None:
                    self.spoiled.add((node, arg.arg))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            for name in node.names:
                for scope in scopes:
                    self.spoiled.add((scope, name))
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self.spoiled.add((scopes[0], node.name))

    @staticmethod
    def key(target, scopes):
        if isinstance(target, ast.Name):
            return (scopes[0], target.id)
        if isinstance(target, ast.Attribute) and is_self(target.value):
            return ("self", target.attr)
        return None

    def bind(self, target, value, scopes):
        key = self.key(target, scopes)
        if key is None:
            return self.spoil(target, scopes)
        if isinstance(value, ast.Constant) and value.value is None:
            return
        service = service_of(value)
        if service is None or self.held.setdefault(key, service) != service:
            self.spoiled.add(key)

    def spoil(self, target, scopes):
        for node in ast.walk(target):
            key = self.key(node, scopes)
            if key is not None:
                self.spoiled.add(key)

    def service(self, node):
        """Returns the name of the service that an expression refers to, or None if it is not certain."""
        asked = service_of(node)
        if asked is not None:
            return asked
        if isinstance(node, ast.Attribute) and is_self(node.value):
            key = ("self", node.attr)
            return self.held.get(key) if key not in self.spoiled else None
        if isinstance(node, ast.Name):
            for scope in self.scopes.get(node, ()):
                key = (scope, node.id)
                if key in self.spoiled:
                    return None
                if key in self.held:
                    return self.held[key]
        return None


def box_class(tree):
    """Returns the box's class (MyClass, or else the last one derived from GeneratedClass), and all classes."""
    classes = [n for n in tree.body if isinstance(n, ast.ClassDef)]
    named = [c for c in classes if c.name == "MyClass"]
    derived = [c for c in classes if any(last_name(b) == "GeneratedClass" for b in c.bases)]
    return (named or derived or [None])[-1], {c.name: c for c in classes}


def family(cls, classes):
    """Returns the class with its bases in the script, and whether it has bases that are defined elsewhere."""
    members, strange, waiting = [], False, [cls]
    while waiting:
        one = waiting.pop()
        if one in members:
            continue
        members.append(one)
        for base in one.bases:
            name = last_name(base)
            if name in classes:
                waiting.append(classes[name])
            elif name not in ("GeneratedClass", "object"):
                strange = True
    return members, strange


class Reader(object):
    def __init__(self, tree):
        self.tree = tree
        self.variables = Variables(tree)
        self.facts = {k: [] for k in ("calls", "handlers", "parameters", "stimulates", "services", "offers", "methods")}
        self.remnants = {}
        self.bound = set()
        self.called = {}
        cls, classes = box_class(tree)
        self.classes = classes
        self.members, self.open = family(cls, classes) if cls is not None else ([], True)
        self.names = set()
        for node in ast.walk(tree):
            self.names_of(node)
        for member in self.members:
            for node in member.body:
                self.member(node)
        self.visit(tree, False, None)
        beyond = Beyond(tree)
        if any(len(found) > MOST for found in list(self.facts.values()) + [beyond.imports]):
            beyond.unknown.insert(0, [1, "is too long to be read to its end"])
        self.facts.update(
            named=sorted(beyond.named),
            imports=beyond.imports[:MOST],
            unknown=beyond.unknown[:MOST],
            searches=beyond.searches,
            open=self.open,
            names=sorted(self.names)[:MOST],
            remnants=[[kind] + found for kind, found in sorted(self.remnants.items())],
            at_load=self.at_load())
        for key in ("calls", "handlers", "parameters", "stimulates", "services", "offers", "methods"):
            del self.facts[key][MOST:]

    def names_of(self, node):
        """Collects all names of attributes, and whether names are created at run time."""
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            self.names.add(node.attr)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                self.bound.add(node.id)
            if node.id in ("setattr", "__dict__"):
                self.open = True
        elif isinstance(node, ast.Attribute) and node.attr in ("__dict__", "__setattr__"):
            self.open = True
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.bound.add(node.name)
        elif isinstance(node, ast.arg):
            self.bound.add(node.arg)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                self.bound.add((alias.asname or alias.name).split(".")[0])

    def member(self, node):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.names.add(node.name)
            if node.name == "__getattr__" or node.name == "__getattribute__":
                self.open = True
            if node.name.startswith("onInput_"):
                given = node.args
                wanted = max(len(getattr(given, "posonlyargs", [])) + len(given.args) - 1 - len(given.defaults), 0)
                self.facts["handlers"].append([node.lineno, node.name[8:], wanted])
        else:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    self.names.add(inner.id)
                elif isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
                    self.names.add(inner.name)

    def visit(self, node, guarded, method):
        """Visits calls, with whether the script handles their failure, and the enclosing method."""
        if isinstance(node, ast.Try):
            ready = guarded or any(self.catches(h) for h in node.handlers)
            for child in node.body:
                self.visit(child, ready, method)
            for child in node.handlers + node.orelse + node.finalbody:
                self.visit(child, guarded, method)
            return
        if isinstance(node, ast.ClassDef):
            mine = node in self.members
            for child in ast.iter_child_nodes(node):
                inside = child.name if mine and isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
                self.visit(child, guarded, inside)
            return
        if isinstance(node, ast.If) and self.asks(node.test):
            guarded = True
        if isinstance(node, ast.Call):
            self.call(node, guarded, method)
        self.remnant(node)
        for child in ast.iter_child_nodes(node):
            self.visit(child, guarded, method)

    @staticmethod
    def catches(handler):
        if handler.type is None:
            return True
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        # A subscript is the rewriter's marker for `except E, (a, b)`, which may catch any exception.
        return any(last_name(k) in GUARDS or isinstance(k, ast.Subscript) for k in kinds)

    @staticmethod
    def asks(test):
        return any(isinstance(n, ast.Call) and last_name(n.func) in ("hasattr", "isPresent") for n in ast.walk(test))

    def call(self, node, guarded, method):
        func, facts = node.func, self.facts
        service = service_of(node)
        if service is not None:
            facts["services"].append([node.lineno, service, guarded])
        text = first_text(node)
        if text is not None and last_name(func) in ("registerService", "ALModule", "BIND_PYTHON"):
            facts["offers"].append(text)
        said = SERVICE.match(text) if text is not None and last_name(func) in ("call", "Call") else None
        if said and said.group(2):
            # Behaviors written in Python call like this: `self.call("ALMotion.moveTo", …)`.
            facts["services"].append([node.lineno, said.group(1), guarded])
            facts["methods"].append([node.lineno, said.group(1), said.group(2), -1, guarded])
        if not isinstance(func, ast.Attribute):
            if text is not None and isinstance(func, ast.Name) and func.id in self.classes:
                facts["offers"].append(text)  # the class may be a module with this name
            return
        if method is not None and is_self(func.value):
            if func.attr in ("getParameter", "setParameter") and text is not None:
                facts["parameters"].append([node.lineno, text, guarded])
            elif func.attr == "stimulateIO" and text is not None:
                facts["stimulates"].append([node.lineno, text])
            else:
                facts["calls"].append([node.lineno, func.attr, arguments(node), guarded, method])
        self.service_call(node, func, text, guarded)

    def service_call(self, node, func, text, guarded):
        target, name, given = func.value, func.attr, arguments(node)
        if isinstance(target, ast.Attribute) and target.attr == "post":
            target = target.value
        elif name in ("pCall", "call") and text is not None:
            name, given = text, given - 1 if given > 0 else given
        service = self.variables.service(target)
        if service is not None:
            self.facts["methods"].append([node.lineno, service, name, given, guarded])

    def remnant(self, node):
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div):
            sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
            if not any(self.fraction(s) for s in sides):
                self.found("division", node.lineno)
        elif isinstance(node, ast.Attribute) and node.attr in DICTIONARY:
            self.found("dictionary", node.lineno)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "next" and not (
                node.args or node.keywords):
            self.found("next", node.lineno)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in NAMES - self.bound:
            self.found("name", node.lineno)
        elif isinstance(node, ast.Import):
            if any(a.name.split(".")[0] in MODULES for a in node.names):
                self.found("module", node.lineno)
        elif isinstance(node, ast.ImportFrom):
            if not node.level and (node.module or "").split(".")[0] in MODULES:
                self.found("module", node.lineno)

    def fraction(self, node):
        """Returns whether a value is certainly not an integer."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, (float, complex))
        if isinstance(node, ast.Call):
            return last_name(node.func) in ("float", "time", "sqrt", "sin", "cos", "tan", "atan2", "radians", "degrees",
                                            "random", "uniform")
        if isinstance(node, ast.BinOp):
            return self.fraction(node.left) or self.fraction(node.right)
        if isinstance(node, ast.UnaryOp):
            return self.fraction(node.operand)
        return isinstance(node, ast.Attribute) and node.attr in ("pi", "e", "TO_RAD")

    def found(self, kind, line):
        entry = self.remnants.setdefault(kind, [line, 0])
        entry[0] = min(entry[0], line)
        entry[1] += 1

    def at_load(self):
        """Returns whether the box does more in onLoad than look up its services."""
        quiet = ("__init__", "ALProxy", "service", "session", "getParameter", "info", "debug", "log", "getLogger",
                 "Lock", "RLock", "getName", "str", "int", "float")
        for member in self.members:
            for node in member.body:
                if isinstance(node, ast.FunctionDef) and node.name in ("onLoad", "__init__"):
                    for inner in ast.walk(node):
                        if isinstance(inner, ast.Call) and last_name(inner.func) not in quiet:
                            return True
        return False


def refusal(error):
    return {"error": [error.lineno or 1, error.offset or 0, str(error.msg)]}


def tree_of(text):
    tree = ast.parse(text)
    try:
        compile(tree, "script", "exec", dont_inherit=True)
    except SyntaxError as error:
        if str(error.msg).startswith(REFUSED):
            raise
    except (ValueError, TypeError, RecursionError, MemoryError):
        pass
    return tree


def read(text, own, remnants):
    # If the rewritten text does not parse, the original may; if neither does, the error is that of the rewritten text.
    try:
        tree = tree_of(text)
    except SyntaxError as error:
        if own is None:
            return refusal(error)
        try:
            tree = tree_of(own)
        except SyntaxError:
            return refusal(error)
    facts = Reader(tree).facts
    if not remnants:
        facts["remnants"] = []
    return facts


def answer(script):
    return read(script["two"], script.get("three"), script["remnants"])
