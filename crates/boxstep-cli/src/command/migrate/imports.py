class Pass(Statements):
    """Imports, and the walk through all of it."""

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

    def look_Import(self, node):
        if any(self.is_beside(a.name) for a in node.names):
            return self.import_beside(node)
        if any(a.name in ("urllib", "urllib2") for a in node.names):
            return self.import_urllib(node)
        new, whys, lost = [], [], False
        for alias in node.names:
            name = alias.asname or alias.name
            if alias.name in MODULES and "." in alias.name and not alias.asname:
                self.note(node, "%s is %s" % (alias.name, MODULES[alias.name]))
            elif alias.name in MODULES:
                to = MODULES[alias.name]
                new.append(to if to == name else "%s as %s" % (to, name))
                whys.append("%s is %s" % (alias.name, to))
                continue
            if alias.name in LOST_MODULES:
                self.note(node, "there is no module %s: %s" % (alias.name, LOST_MODULES[alias.name]))
            new.append(alias.name + (" as %s" % alias.asname if alias.asname else ""))
        if whys:
            self.replace(node, "import " + ", ".join(new), True, "; ".join(whys))

    def import_beside(self, node):
        if self.doubtful or any(self.is_beside(a.name) and "." in a.name for a in node.names):
            return self.note(node, "in a package of Python 2 this is the module beside it: from . import")
        parts = []
        for alias in node.names:
            given = alias.name + (" as %s" % alias.asname if alias.asname else "")
            parts.append(("from . import " if self.is_beside(alias.name) else "import ") + given)
        self.replace(node, "; ".join(parts), True, "a module beside it in its package")

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
        if self.is_beside(node.module):
            if self.doubtful:
                return self.note(node, "in a package of Python 2 this is the module beside it: from .%s import" % node.module)
            at = self.data.index(node.module.split(".")[0].encode("utf-8"), self.start(node) + len("from"))
            return self.edit([[at, at, "."]], True, "a module beside it in its package")
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
        for name in names:
            if (node.module, name) in ATTRIBUTES or (node.module, name) in LOST_ATTRIBUTES:
                lost = ATTRIBUTES.get((node.module, name)) or LOST_ATTRIBUTES[node.module, name]
                self.note(node, "%s.%s is gone: %s" % (node.module, name, lost))
        if (node.module, None) in BYTES or any((node.module, name) in BYTES for name in names):
            self.note(node, "takes or gives bytes, and a text is none")
        if node.module == "string" and names == ["*"]:
            self.note(node, "string has no letters any more and none of its functions: the methods of texts")
        if node.module == "email":
            for name in names:
                if "email." + name in MODULES:
                    self.note(node, "email.%s is %s" % (name, MODULES["email." + name]))
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


