"""The stub of the native module matches the module; everything public has complete type annotations."""
import ast
import inspect
import os
import re
import sys
import unittest

import boxstep
import boxstep.compat
from boxstep import (
    application, base, behavior, boxstep_native, client, compat, notebook, objects, proxies, run, runtime, tasks, testing, tools)

FOLDER = os.path.join(os.environ["BOXSTEP_ROOT"], "python", "boxstep")


def stub():
    with open(os.path.join(FOLDER, "boxstep_native.pyi")) as file:
        return ast.parse(file.read())


def arguments(function, own):
    """Returns (name, default) of each argument, without `self` or `cls`."""
    args = function.args
    names = [arg.arg for arg in args.posonlyargs + args.args][own:]
    defaults = [None] * (len(names) - len(args.defaults)) + [ast.literal_eval(d) for d in args.defaults]
    given = [False] * (len(names) - len(args.defaults)) + [True] * len(args.defaults)
    return [(name, default) if there else (name,) for name, default, there in zip(names, defaults, given)]


def of_module(function, own):
    parameters = list(inspect.signature(function).parameters.values())
    parameters = [p for p in parameters if p.name not in ("self", "$self")] if own else parameters
    return [(p.name,) if p.default is p.empty else (p.name, p.default) for p in parameters]


class Native(unittest.TestCase):
    def test_names(self):
        told = set()
        for node in stub().body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                told.add(node.name)
            elif isinstance(node, ast.AnnAssign):
                told.add(node.target.id)
        self.assertEqual(told, {name for name in dir(boxstep_native) if not name.startswith("_")})

    def test_functions(self):
        for node in stub().body:
            if isinstance(node, ast.FunctionDef):
                with self.subTest(node.name):
                    self.assertEqual(arguments(node, 0), of_module(getattr(boxstep_native, node.name), False))

    def test_methods(self):
        classes = [node for node in stub().body if isinstance(node, ast.ClassDef) and node.name != "Stopped"]
        self.assertGreater(len(classes), 5)
        for kind in classes:
            native = getattr(boxstep_native, kind.name)
            methods = {node.name: node for node in kind.body if isinstance(node, ast.FunctionDef)}
            values = {node.target.id for node in kind.body if isinstance(node, ast.AnnAssign)}
            self.assertEqual((set(methods) | values) - {"__new__"},
                             {name for name in vars(native) if not name.startswith("_")}, kind.name)
            for name, node in methods.items():
                with self.subTest(kind=kind.name, method=name):
                    if name == "__new__" and sys.version_info < (3, 10):
                        self.skipTest("this Python does not say what classes of a stable ABI take")
                    function = native if name == "__new__" else getattr(native, name)
                    self.assertEqual(arguments(node, 1), of_module(function, True))


class Sdk(unittest.TestCase):
    """The stubs of the modules with the names of NAOqi's SDK have the names that the modules have."""

    def test_names(self):
        import importlib
        sys.path.append(boxstep.compat.FOLDER)
        for module in boxstep.compat.MODULES:
            file = os.path.join(boxstep.compat.FOLDER, module)
            file = os.path.join(file, "__init__.pyi") if os.path.isdir(file) else file + ".pyi"
            with open(file) as text:
                nodes = ast.parse(text.read()).body
            told = {getattr(node, "name", None) or node.target.id for node in nodes
                    if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AnnAssign))}
            told |= {alias.asname for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names if alias.asname}
            there = {name for name in vars(importlib.import_module(module)) if not name.startswith("_") or name == "_2_PI"}
            missing = sorted(name for name in told - there if not name.startswith("_") and name not in ("T", "U", "Vector", "Type"))
            self.assertEqual(missing, [], module)
            if module in ("almath", "motion", "vision_definitions"):
                self.assertEqual(sorted(there - told), [], module)


class Python(unittest.TestCase):
    def test_everything_public_has_types(self):
        for module in (boxstep, application, base, behavior, client, compat, notebook, objects, proxies, run, runtime, tasks, testing,
                       tools):
            with open(inspect.getsourcefile(module)) as file:
                tree = ast.parse(file.read())
            for scope in [tree] + [node for node in tree.body if isinstance(node, ast.ClassDef)]:
                for node in scope.body:
                    if not isinstance(node, ast.FunctionDef):
                        continue
                    args = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                    bare = [arg.arg for arg in args if arg.annotation is None and arg.arg not in ("self", "cls")]
                    self.assertEqual((bare, node.returns is None), ([], False), "%s.%s" % (module.__name__, node.name))

    def test_what_the_package_promises_is_there(self):
        for name in boxstep.__all__:
            self.assertTrue(getattr(boxstep, name) is not None, name)
            self.assertIn(name, dir(boxstep))
        with self.assertRaises(AttributeError):
            boxstep.nothing

    def test_the_objects_use_every_operation_of_the_engine_and_no_other(self):
        with open(os.path.join(os.environ["BOXSTEP_ROOT"], "crates/boxstep-engine/src/objects/remote.rs")) as file:
            table = set(re.findall(r'\(\s*"(run|box|timeline|machine|state|transition|runner)",\s*"(\w+)",', file.read()))
        self.assertGreater(len(table), 80)
        used = set()
        for module in (base, behavior, objects, run):
            used |= {("run", name) for name in re.findall(r'ask\(\s*"run", \(\), "(\w+)"', inspect.getsource(module))}
        for kind in (objects.Box, objects.Timeline, objects.StateMachine, objects.State, objects.Transition,
                     behavior.Runner):
            text = inspect.getsource(kind)
            if issubclass(kind, base._Named):
                text += inspect.getsource(base._Named)
            used |= {(kind._kind, name) for name in re.findall(r'(?:_do|_put|_listen)\(\s*"(\w+)"', text)}
        # `now` is used by the session itself.
        self.assertEqual(table - used, {("run", "now")})
        self.assertEqual(used - table, set())


if __name__ == "__main__":
    unittest.main()
