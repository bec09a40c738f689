"""List comprehensions of Python 2 leave their variables behind: `[x for x in range(3)]` makes `x` 2.

If the enclosing scope reads such a name, the comprehension gets a generated variable and assigns it to the author's
name in the enclosing scope, by `:=`. So a function created in a comprehension sees the last value, as in Python 2.
Python 3 does not allow `:=` in the body of a class, nor in the iterable of a comprehension; there the name stays
inside.
"""
import ast

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def leave_behind(tree):
    """Changes the tree of a whole module or expression."""
    # A cheap test first.
    if any(isinstance(node, ast.ListComp) for node in ast.walk(tree)):
        _Leaks().scope(tree, False)


class _Leaks(ast.NodeTransformer):
    def __init__(self):
        self.names = frozenset()  # names that comprehensions bind and the enclosing scope reads
        self.closed = False  # `:=` is not allowed here
        self.inside = frozenset()  # variables of enclosing comprehensions that are left as they are
        self.made = 0

    def scope(self, node, closed):
        """Visits a function, class or module: names that are read in it count for the comprehensions in it."""
        before = self.names, self.closed, self.inside
        bound = set()
        for inner in ast.walk(node):
            if isinstance(inner, ast.ListComp):
                bound |= _variables(inner)
        read = set()
        if bound:
            _read(node, frozenset(), read)
        self.names, self.closed, self.inside = bound & read, closed, frozenset()
        self.generic_visit(node)
        self.names, self.closed, self.inside = before
        return node

    def visit_FunctionDef(self, node):
        return self.scope(node, False)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        return self.scope(node, self.closed)

    def visit_ClassDef(self, node):
        return self.scope(node, True)

    def visit_GeneratorExp(self, node):
        # In Python 2 these had a scope of their own, in which leaked variables stay.
        before, self.closed = self.closed, True
        self.generic_visit(node)
        self.closed = before
        return node

    visit_SetComp = visit_DictComp = visit_GeneratorExp

    def visit_ListComp(self, node):
        leaking = _variables(node) & self.names
        if self.closed or leaking & self.inside:
            leaking = frozenset()
        before = self.closed, self.inside
        self.inside = self.inside | (_variables(node) - leaking)
        for each in node.generators:
            self.closed = True
            each.iter = self.visit(each.iter)
            self.closed = before[0]
            each.ifs = [self.visit(test) for test in each.ifs]
            each.ifs[:0] = [self.assigned(name) for name in _targets(each.target) if name.id in leaking]
        node.elt = self.visit(node.elt)
        self.closed, self.inside = before
        return node

    def assigned(self, name):
        """Renames a target; returns a condition that is always true, and assigns the value to the author's name."""
        self.made += 1
        old, name.id = name.id, "__py2_each%d__" % self.made
        value, again = (ast.copy_location(ast.Name(name.id, ast.Load()), name) for _ in range(2))
        walrus = ast.copy_location(ast.NamedExpr(ast.copy_location(ast.Name(old, ast.Store()), name), value), name)
        return ast.copy_location(ast.Compare(walrus, [ast.Is()], [again]), name)


def _targets(target):
    """Returns the names that a target of `for` binds."""
    return [node for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def _variables(comprehension):
    return frozenset(name.id for each in comprehension.generators for name in _targets(each.target))


def _read(node, bound, found):
    """Collects the names that are read, except variables of inner comprehensions."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id not in bound:
            found.add(node.id)
        return
    if isinstance(node, _COMPREHENSIONS):
        # The first iterable is evaluated outside of the comprehension.
        _read(node.generators[0].iter, bound, found)
        within = bound | _variables(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.comprehension):
                for part in ast.iter_child_nodes(child):
                    if part is not node.generators[0].iter:
                        _read(part, within, found)
            else:
                _read(child, within, found)
        return
    for child in ast.iter_child_nodes(node):
        _read(child, bound, found)
