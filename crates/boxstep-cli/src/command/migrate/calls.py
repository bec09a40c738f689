class Calls(Tree):
    """Calls: of what is no builtin any more, of what gives no list any more, of methods that are gone."""

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
        if name == "next" and len(node.args) == 1:
            self.ends(node)
        if self.start(node.func) in self.lazy:
            pass
        elif name in ("map", "filter", "zip", "range") and not self.only_iterated(node):
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
        elif name == "oct":
            self.note(node, "oct writes 0o10, not 010")
        elif name == "round":
            self.note(node, "round gives an integer, and halves go to the even one")
        elif name == "sorted":
            self.sorts(node, 1)
        elif name in ("exec", "eval", "compile"):
            if name == "exec" and len(node.args) == 1 and self.enclosing(node, (ast.FunctionDef, ast.Lambda)):
                self.note(node, "exec in a function makes no local variables")
            self.note(node, "the code in the text is read as Python 3")
        elif name in ("open",) or name == "file":
            self.opens(node)
        elif name == "reload" and node.args and dotted(node.args[0]) == "sys" and self.sets_encoding():
            self.drop(node)
        elif name in ("hasattr", "getattr", "setattr") and len(node.args) > 1 and is_text(node.args[1]):
            if node.args[1].value in GONE_METHODS or node.args[1].value in OLD_ATTRIBUTES:
                self.note(node, "there is no %s" % node.args[1].value)
            elif node.args[1].value == "__iter__":
                self.note(node, "a text has __iter__ as well")
            elif name == "getattr" and node.args[1].value in VIEWS:
                self.note(node, "%s of a dictionary gives no list" % node.args[1].value)
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
            if not self.only_iterated(node, True):
                splices = [[self.start(node)] * 2 + ["iter("]] + splices + [[self.end(node)] * 2 + [")"]]
            self.edit(splices, True, "%s is %s" % (name, name[4:]), start)
        elif name in VIEWS and none and not module and self.attribute_name(func)[0] not in self.lazy and not self.only_iterated(node):
            if own:
                self.note(node, "%s of a dictionary gives no list; the script's own may" % name)
            else:
                self.wrap(node, "list(", ")", True, "%s gives a list in Python 2" % name)
        elif name == "has_key" and len(node.args) == 1 and not node.keywords and not own:
            self.has_key(node)
        elif name == "next" and none:
            if own and not self.has_iterators() or name in self.given or module:
                self.note(node, "next(x) calls __next__")
            else:
                self.replace(node, "next(%s)" % self.before_dot(func), True, "next is a function")
        elif name == "sort":
            if own and node.args or own and node.keywords:
                self.note(node, "a list's sort takes key= and no function that compares two")
            elif not own:
                self.sorts(node, 0)
        elif name == "translate" and not own:
            self.note(node, "translate takes one table, of characters, and none to leave out")
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
            if not self.only_iterated(node, True):
                splices = [[self.start(node)] * 2 + ["iter("]] + splices + [[self.end(node)] * 2 + [")"]]
            self.edit(splices, True, "itertools.%s is the builtin %s" % (name, new), self.start(func))
            if new == "map" and node.args and self.kind(node.args[0]) == "none":
                self.note(node, "map no longer takes None for a function")
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
        elif name in REQUEST_METHODS and not own and "urllib.request" in self.imported.values():
            self.note(node, "%s of a Request is gone: its attributes" % name)
        elif name in ("load", "loads", "dump", "dumps") and any(k.arg == "encoding" for k in node.keywords):
            self.note(node, "encoding= is gone since Python 3.9")
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

    def only_iterated(self, node, was_lazy=False):
        """Whether nobody can tell a list from what only gives its items one by one; or from an iterator, if it was one.

        A list is made before anything else happens. What is made bit by bit runs its function, and sees changes, in
        between, or never gets to its end: so it takes somebody who goes through all of it at once.
        """
        parent = self.parents[node]
        # Nothing changes it, or it was like that in Python 2.
        fixed = was_lazy or self.call_of(node, "range", "xrange")
        runs = self.call_of(node, "map", "filter")
        if isinstance(parent, ast.For) and parent.iter is node:
            return fixed
        if isinstance(parent, ast.comprehension) and parent.iter is node:
            around = self.parents[parent]
            inside = set(ast.walk(around)) - set(ast.walk(node))
            calm = not runs and not any(isinstance(n, (ast.Call, ast.Yield)) for n in inside)
            return fixed or calm and not isinstance(around, ast.GeneratorExp)
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], (ast.Tuple, ast.List)):
            return parent.value is node
        if isinstance(parent, ast.Compare) and node in parent.comparators and len(parent.ops) == 1:
            # Among keys it is looked for by its hash, which a list does not ask for.
            hashed = isinstance(node.func, ast.Attribute) and node.func.attr not in ("values", "itervalues")
            plain = not hashed or self.kind(parent.left) in ("text", "int", "float")
            return isinstance(parent.ops[0], (ast.In, ast.NotIn)) and not runs and plain
        if isinstance(parent, ast.Starred):
            return True
        if isinstance(parent, ast.Call) and node in parent.args[:1]:
            if isinstance(parent.func, ast.Name):
                name = parent.func.id
                if name in self.bound:
                    return False
                if name == "len":
                    return not was_lazy and (fixed or isinstance(node.func, ast.Attribute))
                if name in ("min", "max"):
                    return len(parent.args) == 1 and not parent.keywords
                if name in ("any", "all"):
                    return fixed or isinstance(node.func, ast.Attribute)
                return name in TAKES_ALL or fixed and name in TAKES_EACH
            if isinstance(parent.func, ast.Attribute) and parent.func.attr not in self.methods:
                # A list that is extended by what comes from itself has no end.
                name = parent.func.attr
                return name == "join" or name == "extend" and (fixed or isinstance(node.func, ast.Attribute))
        elif isinstance(parent, ast.Call) and node in parent.args:
            return fixed and self.call_of(parent, "zip", "map", "filter")
        return False
