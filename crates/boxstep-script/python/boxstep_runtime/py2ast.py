"""Second layer: gives a script that parses as Python 3 the meaning that it has in Python 2.

The pass transforms the syntax tree, keeps every position, and replaces the markers of the first layer by the
constructs they stand for. The functions that the result calls are in py2ops.
"""
import ast
import re
import sys
import warnings

from . import py2leaks, py2ops

# Names to which the first layer has appended an underscore; the tree may have the original names.
_KEYWORDS = re.compile(r"\b(?:async|await|nonlocal)\b|\.\s*(?:True|False)\b")
_RENAMED = {"async_": "async", "await_": "await", "nonlocal_": "nonlocal", "True_": "True", "False_": "False"}
_TUPLE_PARAMETER = re.compile(r"__py2_arg[0-9]+__$")
# Methods of Python 2 without arguments, and methods with any arguments.
_NO_ARGUMENT = frozenset(("keys", "values", "items", "iterkeys", "itervalues", "iteritems", "next"))
_ANY_ARGUMENTS = frozenset(("encode", "decode", "format"))
_ONE_ARGUMENT = frozenset(("has_key", "join"))
# Builtins whose call with one argument is a helper's. It gets the value of the name, which may be a script's own.
_BUILTINS = {"str": "__py2_str__", "type": "__py2_type__"}
_ORDER = {ast.Lt: "__py2_lt__", ast.LtE: "__py2_le__", ast.Gt: "__py2_gt__", ast.GtE: "__py2_ge__"}
_ALIASES = (
    ("next", "__next__"),
    ("__nonzero__", "__bool__"),
    ("__div__", "__truediv__"),
    ("__rdiv__", "__rtruediv__"),
    ("__idiv__", "__itruediv__"),
    ("__unicode__", "__str__"),
)
_COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")


def compile_py2(text, filename, original=None, mode="exec"):
    """Compiles the first layer's text; `original` is the author's text, for names and for the lines of a SyntaxError."""
    original = text if original is None else original
    with warnings.catch_warnings():
        # `x is 'a'` and similar code caused no warning in Python 2.
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            try:
                return _compile(text, filename, original, mode)
            except RecursionError:
                # A long chain of `elif` or `+` nests as deep as it is long.
                limit = sys.getrecursionlimit()
                sys.setrecursionlimit(max(limit, _DEEP))
                try:
                    return _compile(text, filename, original, mode)
                except RecursionError:
                    raise SyntaxError("nested too deeply", (filename, 1, None, None))
                finally:
                    sys.setrecursionlimit(limit)
            except MemoryError:  # CPython's parser raises this for the same problem
                raise SyntaxError("nested too deeply", (filename, 1, None, None))
            except ValueError as error:  # a NUL character, before Python 3.12
                raise SyntaxError(str(error), (filename, 1, None, None))
        except SyntaxError as error:
            _show_original(error, text, original)
            raise


# Half of the recursion that a thread with a stack of two megabytes allows.
_DEEP = 3000


def _compile(text, filename, original, mode):
    tree = compile(text, filename, mode, ast.PyCF_ONLY_AST, True)
    tree = Python2(original).module(tree)
    if text != original:
        _hide_columns(tree, text, original)
    return compile(tree, filename, mode, 0, True)


def lines_of(text):
    """Returns the lines as Python counts them; str.splitlines also splits at a form feed and at U+2028."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _hide_columns(tree, text, original):
    """Hides the columns of rewritten lines in tracebacks, because they would refer to the rewritten text, which is not
    shown.

    Python draws no marks below a line that is marked as a whole.
    """
    wholes = {}
    for number, (line, rewritten) in enumerate(zip(lines_of(original), lines_of(text)), 1):
        if line != rewritten:
            stripped = line.lstrip()
            first = len(line) - len(stripped)
            wholes[number] = first, first + len(stripped.encode("utf-8", "surrogateescape"))
    for node in ast.walk(tree):
        number = getattr(node, "lineno", None)
        if number in wholes and node.end_lineno == number:
            node.col_offset, node.end_col_offset = wholes[number]


def _show_original(error, text, original):
    """Makes a SyntaxError show the author's line, and a column only if the line was not rewritten."""
    lines, rewritten = lines_of(original), lines_of(text)
    if error.lineno and 0 < error.lineno <= len(lines):
        line = lines[error.lineno - 1]
        if error.lineno > len(rewritten) or rewritten[error.lineno - 1] != line:
            error.offset = None
            error.end_offset = None
        error.text = line + "\n"


class Python2(ast.NodeTransformer):
    """The transformation of one module."""

    def __init__(self, original):
        self.future = set()
        self.caught = []  # names of the exceptions whose blocks are being visited
        self.exceptions = 0
        self.globals = [[]]  # names declared global in each enclosing function or class
        self.yields = [False]  # whether each enclosing function, lambda or class has a `yield`
        self.surviving = set()  # ids of the handlers whose name is used after their block
        self.renamed_lines = set()
        if _KEYWORDS.search(original):
            lines = enumerate(lines_of(original), 1)
            self.renamed_lines = set(number for number, line in lines if _KEYWORDS.search(line))

    def module(self, tree):
        """Transforms the tree of a whole module or expression."""
        for node in getattr(tree, "body", []) if isinstance(tree, ast.Module) else []:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                self.future.update(alias.name for alias in node.names)
        if self.renamed_lines:
            self.rename(tree)
        py2leaks.leave_behind(tree)
        self.find_survivors(tree, True)
        return self.generic_visit(tree)

    # -- new nodes, at the position of the author's --

    def call(self, helper, args, at):
        function = ast.copy_location(ast.Name(helper, ast.Load()), at)
        return ast.copy_location(ast.Call(function, args, []), at)

    def assign(self, targets, value, at):
        return ast.copy_location(ast.Assign(targets, value), at)

    def name(self, name, at, store=False):
        return ast.copy_location(ast.Name(name, ast.Store() if store else ast.Load()), at)

    # -- keywords of Python 3 as names --

    def rename(self, tree):
        for node in ast.walk(tree):
            first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                # Before Python 3.10 the names of an import have no position of their own.
                if self.renamed_lines.intersection(range(first, last + 1)):
                    for alias in node.names:
                        alias.name = ".".join(_RENAMED.get(part, part) for part in alias.name.split("."))
                        alias.asname = _RENAMED.get(alias.asname, alias.asname)
            elif first in self.renamed_lines or last in self.renamed_lines:
                self.rename_fields(node)

    def rename_fields(self, node):
        for field in ("id", "attr", "arg", "name"):
            value = getattr(node, field, None)
            # `True` can only be the name of an attribute.
            if isinstance(value, str) and value in _RENAMED and (field == "attr" or value[0] not in "TF"):
                setattr(node, field, _RENAMED[value])
        if isinstance(node, ast.Global):
            node.names = [_RENAMED.get(name, name) for name in node.names]

    # -- operators --

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Mod) and isinstance(getattr(node.left, "value", None), str) and \
                isinstance(node.left, ast.Constant):
            return self.call("__py2_mod__", [node.left, node.right], node)
        if not isinstance(node.op, ast.Div) or "division" in self.future or _is_float(node.left) or _is_float(node.right):
            return node
        return self.call("__py2_div__", [node.left, node.right], node)

    def visit_Compare(self, node):
        self.generic_visit(node)
        helper = _ORDER.get(type(node.ops[0]))
        if helper is None or len(node.ops) > 1:
            return node
        return self.call(helper, [node.left, node.comparators[0]], node)

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or "division" in self.future or _is_float(node.value):
            return node
        if not _is_plain(node.target):
            node.value = self.call("__py2_divisor__", [node.value], node.value)
            return node
        value = self.call("__py2_div__", [_loaded(node.target), node.value], node)
        return self.assign([node.target], value, node)

    def visit_Constant(self, node):
        return self.call("__py2_data__", [node], node) if isinstance(node.value, bytes) else node

    # -- methods and attributes --

    def visit_Call(self, node):
        function = node.func
        if not isinstance(function, ast.Attribute):
            self.generic_visit(node)
            name = getattr(function, "id", None)
            if name == "print" and "print_function" not in self.future:
                function.id = "__py2_print__"
            elif name in _BUILTINS and len(node.args) == 1 and not node.keywords and \
                    not isinstance(node.args[0], ast.Starred):
                return self.call(_BUILTINS[name], [function, node.args[0]], node)
            return node
        # The attribute itself is not visited: it is part of a call.
        function.value = self.visit(function.value)
        node.args = [self.visit(arg) for arg in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        name = function.attr
        args = len(node.args)
        plain = not node.keywords and not any(isinstance(arg, ast.Starred) for arg in node.args)
        if name in _NO_ARGUMENT:
            wanted = plain and args == 0
        elif name in _ONE_ARGUMENT:
            wanted = plain and args == 1
        elif name in _ANY_ARGUMENTS:
            wanted = True
        elif name == "sort":
            wanted = args > 0 or not node.keywords or any(k.arg in ("cmp", None) for k in node.keywords)
        elif name == "translate":
            wanted = plain and args == 2
        else:
            if name in py2ops.ATTRIBUTES and name not in ("has_key", "next"):
                node.func = self.visit_Attribute(function, True)
            return node
        if wanted:
            node.args.insert(0, function.value)
            node.func = self.name("__py2_%s__" % name, function)
        return node

    def visit_Attribute(self, node, visited=False):
        if not visited:
            self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and node.attr in py2ops.ATTRIBUTES:
            name = ast.copy_location(ast.Constant(node.attr), node)
            return self.call("__py2_attr__", [node.value, name], node)
        return node

    # -- exceptions --

    def find_survivors(self, scope, whole=False):
        """Marks the handlers of this function whose `e` is read outside the block.

        Python 3 unbinds the name at the end of the block, which also frees the frames that the exception holds; so
        other handlers are left as they are.
        """
        handlers, read = [], set()

        def walk(node, bound, inner):
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.Name):
                    if inner or child.id not in bound:
                        if not isinstance(child.ctx, ast.Store):
                            read.add(child.id)
                elif isinstance(child, ast.Global):
                    read.update(child.names)
                elif isinstance(child, ast.ExceptHandler) and child.name and not inner:
                    handlers.append(child)
                    if child.type is not None:
                        walk(ast.Expr(child.type), bound, inner)
                    body = ast.Module(child.body, [])
                    walk(body, bound | {child.name}, inner)
                else:
                    walk(child, bound, inner or isinstance(child, _SCOPES))

        # A cheap test first: most scripts catch nothing, or do not name the exception.
        if any(isinstance(node, ast.ExceptHandler) and node.name for node in _own_nodes(scope)):
            walk(scope, frozenset(), False)
        self.surviving.update(id(node) for node in handlers if whole or node.name in read)

    def visit_ExceptHandler(self, node):
        marker, name = node.type, node.name
        unpack = None
        if isinstance(marker, ast.Subscript) and getattr(marker.value, "id", "") == "__py2_except__":
            node.type, unpack = marker.slice.elts
            name = None
        self.caught.append(name)
        self.generic_visit(node)
        self.caught.pop()
        if unpack is None and id(node) not in self.surviving:
            return node
        self.exceptions += 1
        node.name = "__py2_exc%d__" % self.exceptions
        error = self.name(node.name, node)
        if unpack is None:
            first = self.assign([self.name(name, node, True)], error, node)
        else:
            if isinstance(unpack, (ast.Tuple, ast.List)):
                error = self.call("__py2_args__", [error], node)
            first = self.assign([_stored(self.visit(unpack))], error, node)
        node.body.insert(0, first)
        last = self.call("__py2_forget__", [self.name(node.name, node)], node.body[-1])
        node.body.append(ast.copy_location(ast.Expr(last), node.body[-1]))
        return node

    def visit_Subscript(self, node):
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and self.is_caught(node.value) and not isinstance(node.slice, ast.Slice):
            return self.call("__py2_item__", [node.value, node.slice], node)
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        if self.is_caught(node.value) and isinstance(node.targets[0], (ast.Tuple, ast.List)):
            node.value = self.call("__py2_args__", [node.value], node.value)
        return node

    def is_caught(self, node):
        return bool(self.caught) and isinstance(node, ast.Name) and node.id in self.caught

    # -- functions and classes --

    def visit_Global(self, node):
        self.globals[-1].extend(node.names)
        return ast.copy_location(ast.Pass(), node)

    def body_with_globals(self, node):
        """Visits the body and moves `global` to its front, because Python 2 allows a use before the declaration."""
        self.globals.append([])
        self.yields.append(False)
        caught, self.caught = self.caught, []
        self.generic_visit(node)
        self.caught = caught
        if self.yields.pop():
            self.end_quietly(node)
        names = self.globals.pop()
        if names:
            at = node.body[0]
            declared = ast.Global(sorted(set(names), key=names.index))
            node.body.insert(_after_docstring(node.body), ast.copy_location(declared, at))

    def end_quietly(self, node):
        """Makes a StopIteration that leaves a generator end it; Python 3 would raise a RuntimeError.

        The exception becomes the generator's return value, by which `contextmanager` (py2std) recognizes it.
        """
        at = _after_docstring(node.body)
        body = node.body[at:]
        stop = ast.copy_location(ast.Return(self.name("__py2_stopped__", body[-1])), body[-1])
        handler = ast.ExceptHandler(self.name("__py2_stop__", body[-1]), "__py2_stopped__", [stop])
        guarded = ast.Try(body, [ast.copy_location(handler, body[-1])], [], [])
        node.body[at:] = [ast.copy_location(guarded, body[0])]

    def visit_Yield(self, node):
        self.yields[-1] = True
        return self.generic_visit(node)

    def visit_GeneratorExp(self, node):
        # The first iterable is evaluated outside: a StopIteration that it raises is propagated.
        first = node.generators[0]
        parts = [node.elt, first.target] + first.ifs + node.generators[1:]
        raises = any(not isinstance(inner, _QUIET) for part in parts for inner in ast.walk(part))
        self.generic_visit(node)
        return self.call("__py2_until_stop__", [node], node) if raises else node

    def visit_FunctionDef(self, node):
        self.find_survivors(node)
        unpacked = []
        for arg in getattr(node.args, "posonlyargs", []) + node.args.args:
            if arg.annotation is not None and _TUPLE_PARAMETER.match(arg.arg):
                unpacked.append((arg, arg.annotation))
                arg.annotation = None
        self.body_with_globals(node)
        at = _after_docstring(node.body)
        node.body[at:at] = [
            self.assign([_stored(target)], self.name(arg.arg, target), target) for arg, target in unpacked
        ]
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        tuples = [arg for arg in node.args.args if _TUPLE_PARAMETER.match(arg.arg)]
        unpacks = tuples and isinstance(node.body, ast.Lambda)
        self.yields.append(False)
        self.generic_visit(node)
        generates = self.yields.pop()
        if unpacks:
            args = [
                ast.copy_location(ast.Starred(self.name(arg.arg, arg), ast.Load()), arg) for arg in tuples
            ]
            node.body = ast.copy_location(ast.Call(node.body, args, []), node.body)
        if generates:
            # An expression has no handler, so a helper iterates over the generator.
            return self.call("__py2_generates__", [node], node)
        return node

    def visit_ClassDef(self, node):
        self.find_survivors(node, True)
        self.body_with_globals(node)
        defined = set(item.name for item in node.body if isinstance(item, (ast.FunctionDef, ast.ClassDef)))
        for item in node.body:
            if isinstance(item, ast.Assign):
                defined.update(target.id for target in item.targets if isinstance(target, ast.Name))
                if getattr(item.targets[0], "id", "") == "__metaclass__" and \
                        isinstance(item.value, (ast.Name, ast.Attribute)):
                    node.keywords.append(ast.copy_location(ast.keyword("metaclass", item.value), item.value))
        at = node.body[-1]
        for old, new in _ALIASES:
            if old in defined and new not in defined:
                node.body.append(self.assign([self.name(new, at, True)], self.name(old, at), at))
        if "__cmp__" in defined:
            for name in _COMPARISONS:
                if name not in defined:
                    methods = self.call("__py2_richcmp__", [self.name("__cmp__", at)], at)
                    key = ast.copy_location(ast.Constant(name), at)
                    method = ast.copy_location(ast.Subscript(methods, key, ast.Load()), at)
                    node.body.append(self.assign([self.name(name, at, True)], method, at))
        if "__hash__" not in defined and ("__cmp__" in defined or "__eq__" in defined):
            hash_ = self.name("__py2_hash__", at)
            node.body.append(self.assign([self.name("__hash__", at, True)], hash_, at))
        return node

    def visit_ImportFrom(self, node):
        if len(self.globals) == 1 or node.names[0].name != "*":
            return node
        # In a function: imports the module, and then copies its public names.
        names = self.call("globals", [], node)
        text = ast.copy_location(ast.Constant(node.module or ""), node)
        star = ast.copy_location(ast.Constant("*"), node)
        some = ast.copy_location(ast.List([star], ast.Load()), node)
        level = ast.copy_location(ast.Constant(node.level), node)
        module = self.call("__import__", [text, names, self.call("locals", [], node), some, level], node)
        done = self.call("__py2_import_star__", [self.call("globals", [], node), module], node)
        return ast.copy_location(ast.Expr(done), node)


# Nodes of a generator expression that cannot raise an exception.
_QUIET = (ast.Name, ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.BoolOp, ast.boolop, ast.Not, ast.IfExp,
          ast.comprehension, ast.expr_context)
_SCOPES = (ast.FunctionDef, ast.ClassDef, ast.Lambda, getattr(ast, "AsyncFunctionDef", ast.Lambda))


def _own_nodes(scope):
    """Yields the nodes of a scope without those of functions and classes inside of it."""
    rest = list(ast.iter_child_nodes(scope))
    while rest:
        node = rest.pop()
        yield node
        if not isinstance(node, _SCOPES) and isinstance(node, (ast.stmt, ast.ExceptHandler)):
            rest.extend(ast.iter_child_nodes(node))


def _is_float(node):
    """Whether a node is a float literal, which makes the division a true one in both languages."""
    return isinstance(node, ast.Constant) and type(node.value) is float


def _is_plain(target):
    """Whether a target can be read twice without repeating side effects."""
    if isinstance(target, ast.Subscript):
        index = target.slice
        return _is_plain(target.value) and isinstance(index, (ast.Constant, ast.Name))
    if isinstance(target, ast.Attribute):
        return isinstance(target.value, ast.Name)
    return isinstance(target, ast.Name)


def _loaded(target):
    """Returns the target of an assignment as an expression."""
    fields = dict(ast.iter_fields(target))
    fields["ctx"] = ast.Load()
    return ast.copy_location(type(target)(**fields), target)


def _stored(node):
    """Returns an expression as the target of an assignment."""
    if isinstance(node, (ast.Tuple, ast.List)):
        for element in node.elts:
            _stored(element)
    if hasattr(node, "ctx"):
        node.ctx = ast.Store()
    return node


def _after_docstring(body):
    first = body[0] if body else None
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    return 1 if text else 0
