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


class Tree(object):
    """A script, what it has, and what is to be changed and told of it."""

    def __init__(self, text, first, lazy=(), beside=(), doubtful=False):
        self.data = text.encode("utf-8")
        self.first = first
        self.tree = ast.parse(text)
        self.starts = line_starts(self.data)
        self.edits = []
        # Where calls stand that gave no list in Python 2 either; and the edits that make more of them, with the place.
        self.lazy = lazy
        self.made_lazy = []
        # Modules that Python 2 finds before others, by their own names; and whether this one may be in no package.
        self.beside = beside
        self.doubtful = doubtful
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
        self.globals = set()
        # Whether a global name may get a value from where its name does not stand.
        self.reached = False
        self.has_exec = False
        # The script's functions that print, once somebody asks.
        self.printers = None
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
                self.reached |= node.id in REACHES_NAMES
                self.has_exec |= node.id in ("exec", "execfile")
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                self.globals.update(node.names)
            elif isinstance(node, ast.arg):
                self.bound.add(node.arg)
                self.binds(node.arg, None)
            elif isinstance(node, ast.ExceptHandler) and node.name:
                self.bound.add(node.name)
                self.binds(node.name, None)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    self.reached |= alias.name in ("*", "__main__")
                    name = alias.asname or alias.name.split(".")[0]
                    self.bound.add(name)
                    self.binds(name, None)
                    if isinstance(node, ast.Import) and not self.is_beside(alias.name):
                        self.imported[name] = alias.name
                    elif getattr(node, "module", "") == "__future__":
                        self.future.add(alias.name)
            elif is_text(node) and node.value == "__main__":
                self.doubtful = True
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self.given.add(node.attr)
            elif isinstance(node, ast.Attribute):
                self.reached |= node.attr in ("__dict__", "modules")

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

    def edit(self, splices, certain, why, lazy=None):
        self.edits.append((sorted(splices, key=lambda s: s[:2]), certain, why))
        if lazy is not None:
            self.made_lazy.append((self.edits[-1], lazy))

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

    def is_beside(self, module):
        return (module or "").split(".")[0] in self.beside and "absolute_import" not in self.future

    def is_seen(self, node):
        """Whether all that gives a name its value says the name."""
        if self.has_exec:
            return False
        scope = self.enclosing(node, (ast.FunctionDef, ast.AsyncFunctionDef)) if self.reached else None
        if scope is None or node.id in self.globals:
            return not self.reached
        return any(isinstance(n, ast.Name) and n.id == node.id and not isinstance(n.ctx, ast.Load)
                   and self.enclosing(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)) is scope
                   for n in ast.walk(scope))

    # What kind of thing an expression gives, as far as it shows

    def given_just_before(self, node):
        """What the nearest statement before a name's gives it, in the same block: [value], or [] if that is not sure."""
        if node.id in self.globals or not hasattr(node, "lineno"):
            return []
        statement = node
        while not isinstance(statement, ast.stmt):
            statement = self.parents[statement]
            if isinstance(statement, (ast.Lambda, ast.comprehension, ast.GeneratorExp)):
                return []
        for _, block in ast.iter_fields(self.parents[statement]):
            if isinstance(block, list) and statement in block:
                for before in reversed(block[:block.index(statement)]):
                    if any(isinstance(n, ast.Name) and n.id == node.id and not isinstance(n.ctx, ast.Load)
                           or getattr(n, "name", None) == node.id for n in ast.walk(before)):
                        simple = isinstance(before, ast.Assign) and len(before.targets) == 1
                        return [before.value] if simple and isinstance(before.targets[0], ast.Name) else []
        return []

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
            if not self.is_seen(node):
                return None
            values = self.given_just_before(node) or self.values.get(node.id, [])
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


