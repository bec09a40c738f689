class Statements(Calls):
    """Names, operators, texts, exceptions, comprehensions and classes."""

    def look_Name(self, node):
        if not isinstance(node.ctx, ast.Load) or not self.is_builtin(node):
            return
        name, parent = node.id, self.parents[node]
        if name in BUILTINS:
            called = isinstance(parent, ast.Call) and parent.func is node
            certain = name != "unicode" or called and len(parent.args) <= 1
            beside = [n.id for n in getattr(parent, "elts", ()) if isinstance(n, ast.Name)]
            why = "%s is %s" % (name, BUILTINS[name])
            if name == "long" and not called and "int" not in beside:
                certain, why = False, "every integer is an int, so this also holds for what was one"
            if name == "unicode" and not certain:
                why = "every text is unicode, so this also holds for what was bytes"
            if name == "xrange" and not called:
                certain = False
            self.replace(node, BUILTINS[name], certain, why)
        elif name in DOUBTFUL_BUILTINS:
            self.replace(node, DOUBTFUL_BUILTINS[name][0], False, DOUBTFUL_BUILTINS[name][1])
        elif name in ("bytes", "bytearray"):
            self.note(node, "bytes are no text, and are made of one with its encoding")
        elif name in ("map", "filter", "zip", "range") and not self.is_called(node) and self.start(node) not in self.lazy:
            self.note(node, "%s gives no list" % name)
        elif name in ("oct", "next") and not self.is_called(node):
            self.note(node, "oct writes 0o10, not 010" if name == "oct" else "in a generator the end of another is an error")
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
        elif loaded and node.attr in VIEWS and not module and node.attr not in self.given | self.methods:
            if not self.is_called(node):
                self.note(node, "%s of a dictionary gives no list" % node.attr)
        elif loaded and node.attr in GONE_METHODS and node.attr not in self.given | self.methods:
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

    def look_BinOp(self, node):
        if isinstance(node.op, ast.Div):
            self.division(node, node.left, node.right)
        if isinstance(node.op, ast.Mod) and is_text(node.left) and "%r" in node.left.value:
            self.note(node, "repr writes no u'' and no L")
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
        if name == "print" and any(self.may_end_line(arg) for arg in node.args[:-1]):
            self.note(node, "Python 2 writes no blank behind a line end or a tab")
        if name == "print" and any(self.prints(arg) for arg in node.args[1:]):
            self.note(node, "Python 2 writes what comes first before it calls what comes next")
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
            for arg in node.args + [k.value for k in node.keywords]:
                self.as_text(node, arg)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "__repr__":
            self.note(node, "repr writes no u'' and no L")
        if isinstance(node.func, ast.Attribute) and self.is_message(node.func.value):
            self.note(node, "Python words its messages otherwise")

    def prints(self, node):
        """Whether the script's own functions, if an expression calls them, print."""
        if self.printers is None:
            functions = [n for n in ast.walk(self.tree) if isinstance(n, ast.FunctionDef)]
            called = [(f.name, set(last_name(n) for n in ast.walk(f) if isinstance(n, ast.Call))) for f in functions]
            self.printers, known = {"print"}, 0
            while known < len(self.printers):
                known = len(self.printers)
                self.printers.update(name for name, calls in called if calls & self.printers)
        return any(isinstance(n, ast.Call) and last_name(n) in self.printers for n in ast.walk(node))

    @staticmethod
    def may_end_line(node):
        if is_text(node):
            return node.value[-1:].isspace() and node.value[-1] != " "
        return isinstance(node, ast.Call) and last_name(node) in ("readline", "read")

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
                self.in_handler(inner, name, node)
        self.after(node, name)

    @staticmethod
    def is_worded(kind):
        """Whether the text of such an exception is its one argument, as a rule."""
        kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
        return all(isinstance(k, ast.Name) and k.id in WORDED for k in kinds)

    def in_handler(self, node, name, handler):
        def is_it(value):
            return isinstance(value, ast.Name) and value.id == name and isinstance(value.ctx, ast.Load)

        if isinstance(node, ast.Attribute) and node.attr == "message" and is_it(node.value) and isinstance(node.ctx, ast.Load):
            if "message" in self.given | self.methods:
                self.note(node, "exceptions have no message of their own any more: str(%s)" % name)
            else:
                certain = self.is_worded(handler.type)
                self.replace(node, "str(%s)" % name, certain, "the message of an exception is its text" if certain else
                             "the text of some exceptions is more than their message: str(e), or e.args[0]")
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
            return
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

    def look_Raise(self, node):
        if node.exc is not None and last_name(node.exc) == "StopIteration":
            self.ends(node)

    def ends(self, node):
        """Tells of what may raise StopIteration: it ended a generator, and is an error that comes out of one now."""
        within, scopes = node, (ast.FunctionDef, ast.Lambda, ast.GeneratorExp)
        while within in self.parents and not isinstance(within, scopes):
            part, within = within, self.parents[within]
            if isinstance(within, ast.Try) and part in within.body and self.stops(within):
                return
        if isinstance(within, ast.Module):
            return
        # Its caller's: whoever asks for the next one is told.
        if getattr(within, "name", "") in ("next", "__next__"):
            return
        own = isinstance(within, ast.GeneratorExp) or any(
            isinstance(n, (ast.Yield, ast.YieldFrom)) and self.enclosing(n, (ast.FunctionDef, ast.Lambda)) is within
            for n in ast.walk(within))
        if own:
            self.note(node, "in a generator StopIteration is an error, and ends it no more: return")
        elif any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.GeneratorExp)) for n in ast.walk(self.tree)):
            self.note(node, "StopIteration is an error where it comes out of a generator, and ends it no more")

    @staticmethod
    def stops(node):
        """Whether a `try` keeps StopIteration."""
        for handler in node.handlers:
            kinds = getattr(handler.type, "elts", [handler.type])
            if any(kind is None or last_name(kind) in ("StopIteration", "Exception", "BaseException") for kind in kinds):
                return not any(isinstance(n, ast.Raise) for part in handler.body for n in ast.walk(part))
        return False

    def look_ClassDef(self, node):
        for part in node.body:
            if isinstance(part, ast.Assign) and any(last_name(t) == "__metaclass__" for t in part.targets):
                self.note(part, "__metaclass__ " + OLD_HOOKS["__metaclass__"])

    def is_old_class(self, node):
        return isinstance(node, ast.Name) and any(
            isinstance(n, ast.ClassDef) and n.name == node.id and not n.bases for n in ast.walk(self.tree))


