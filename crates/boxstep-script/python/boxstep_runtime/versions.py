"""Which Python version a program or a module is written in, where its first line does not say so.

What its author can only have meant in one version decides, as the syntax tree shows it: syntax of Python 3 first, then
names and modules that only Python 2 has. A text that Python 3 cannot parse is Python 2. Names do not count if the text
defines them, or provides for both versions.
"""
import ast
import sys
import warnings

from . import py2

_NAMES = frozenset("basestring execfile long raw_input reload unichr unicode xrange".split())
_METHODS = frozenset("has_key iteritems iterkeys itervalues".split())
# Modules by which a text provides for both versions.
_BOTH = frozenset("builtins future past six".split())
# What an `except` catches that provides for both versions.
_CAUGHT = frozenset("ImportError ModuleNotFoundError NameError AttributeError Exception".split())


def dialect_of(text, default=0, beside=None):
    """Returns 2 or 3, or the default if nothing in the text decides: that is 3 for a module of a Python 3 program, which
    may import `naoqi`. `beside(name)` says whether a module is the program's own."""
    named = py2.dialect_of(text, 0)
    if named or py2.PYTHON2:
        return named or 2
    if text.startswith(u"\ufeff"):
        text = text[1:]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 2
    found = _Evidence(beside or (lambda name: False))
    found.visit(tree)
    return found.result(default != 3) or default


def _only_in_python_2():
    from . import py2modules
    names = set(name for name in py2modules.RENAMED if "." not in name)
    known = getattr(sys, "stdlib_module_names", ())  # from Python 3.10 on
    return names.difference(known, sys.builtin_module_names)


class _Evidence(ast.NodeVisitor):
    def __init__(self, beside):
        self.three = self.two = self.naoqi = False
        self.both = self.printing = self.ends = False
        self.names, self.defined = set(), set()
        self.old_modules = _only_in_python_2()
        self.beside = beside
        self.trying = 0

    def result(self, naoqi):
        if self.three or self.ends and not self.printing:
            return 3
        if self.naoqi and naoqi or self.two or not self.both and self.names - self.defined:
            return 2
        return 0

    # -- Python 3 --

    def is_three(self, node):
        self.three = True

    visit_JoinedStr = visit_AnnAssign = visit_AsyncFunctionDef = visit_AsyncFor = visit_AsyncWith = is_three
    visit_Await = visit_YieldFrom = visit_Nonlocal = visit_NamedExpr = visit_MatMult = visit_Match = is_three
    visit_TryStar = is_three

    def function(self, node):
        args = node.args
        every = getattr(args, "posonlyargs", []) + args.args + [args.vararg, args.kwarg]
        if args.kwonlyargs or getattr(args, "posonlyargs", None) or node.returns is not None or \
                any(arg is not None and arg.annotation is not None for arg in every):
            self.three = True
        self.defined.add(node.name)
        self.generic_visit(node)

    visit_FunctionDef = function

    def visit_Lambda(self, node):
        self.three = self.three or bool(node.args.kwonlyargs)
        self.generic_visit(node)

    def visit_ClassDef(self, node):
        self.three = self.three or bool(node.keywords)
        self.defined.add(node.name)
        self.generic_visit(node)

    def visit_Raise(self, node):
        self.three = self.three or node.cause is not None
        self.generic_visit(node)

    def visit_Assign(self, node):
        for target in node.targets:
            if isinstance(target, (ast.Tuple, ast.List)) and any(isinstance(e, ast.Starred) for e in target.elts):
                self.three = True
        self.generic_visit(node)

    def elements(self, node):
        if isinstance(node.ctx, ast.Load) and any(isinstance(item, ast.Starred) for item in node.elts):
            self.three = True
        self.generic_visit(node)

    visit_List = visit_Tuple = elements

    def visit_Dict(self, node):
        self.three = self.three or None in node.keys
        self.generic_visit(node)

    # -- either --

    def visit_Call(self, node):
        name = getattr(node.func, "id", "")
        if name == "print" and any(k.arg in ("end", "file", "flush", "sep") for k in node.keywords):
            self.ends = True
        if name == "str" and len(node.args) == 1 and getattr(getattr(node.args[0], "func", None), "id", "") == "bytearray":
            self.names.add("str(bytearray())")  # in Python 3 the text of its repr, which nobody wants
        if name == "super" and not node.args:
            self.three = True
        if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
            self.names.add(node.func.attr)
        self.generic_visit(node)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            if node.id in _NAMES and not self.trying:
                self.names.add(node.id)
        else:
            self.defined.add(node.id)

    def visit_arg(self, node):
        self.defined.add(node.arg)
        self.generic_visit(node)

    def visit_Attribute(self, node):
        if node.attr in ("version_info", "hexversion", "PY2", "PY3", "python_version"):
            self.both = True
        self.generic_visit(node)

    def visit_Try(self, node):
        caught = set()
        for handler in node.handlers:
            kinds = [handler.type] if not isinstance(handler.type, ast.Tuple) else handler.type.elts
            caught.update(getattr(kind, "id", "Exception" if kind is None else "") for kind in kinds)
        compatible = bool(caught & _CAUGHT)
        self.trying += compatible
        for part in node.body:
            self.visit(part)
        for handler in node.handlers:
            if handler.name:
                self.defined.add(handler.name)
            for part in handler.body:
                self.visit(part)
        self.trying -= compatible
        for part in node.orelse + node.finalbody:
            self.visit(part)

    def visit_Import(self, node):
        for alias in node.names:
            self.module(alias.name)
            self.defined.add(alias.asname or alias.name.partition(".")[0])

    def visit_ImportFrom(self, node):
        if node.module == "__future__":
            for alias in node.names:
                self.three = self.three or alias.name == "annotations"
                self.printing = self.printing or alias.name == "print_function"
        elif not node.level:
            self.module(node.module)
        self.defined.update(alias.asname or alias.name for alias in node.names)

    def module(self, name):
        first = name.partition(".")[0]
        if first in ("naoqi", "inaoqi"):
            # There was no naoqi for Python 3.
            self.naoqi = True
        elif first in _BOTH:
            self.both = True
        elif first in self.old_modules and not self.trying and not self.beside(first):
            self.two = True
