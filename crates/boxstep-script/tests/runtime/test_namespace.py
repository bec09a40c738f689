"""The names that scripts find without an import, the modules that they can import, and the search order."""
import os
import shutil
import sys
import tempfile
import unittest

from fake import HEAD, Case, host


class Names(Case):
    def returns(self, expression, **info):
        return self.call(self.box(HEAD + "    def onInput_onStart(self):\n        return %s\n" % expression, **info))

    def test_modules_without_import(self):
        self.assertEqual(self.returns("[os.path.basename('a/b'), math.floor(1.5), time.time() > 0, len(sys.path) > 0]"),
                         ["b", 1, True, True])
        self.assertTrue(self.returns("callable(qi.Future) and naoqi.ALProxy is ALProxy"))
        self.assertEqual(self.returns("[motion.AXIS_MASK_ALL, motion.FRAME_ROBOT]"), [63, 2])
        self.assertTrue(self.returns("weakref.ref(self)() is self and logging.INFO == 20 and inspect.isclass(MyClass)"))
        self.assertTrue(self.returns("ctypes.c_int(3).value == 3 and callable(allog.info)"))

    def test_import_star(self):
        self.box("from naoqi import *\nimport qi\n" + HEAD + "    def onInput_onStart(self):\n"
                 "        return [ALProxy.__name__, ALModule.__name__, ALMemory._boxstep_name]\n")
        self.assertEqual(self.call(0), ["ALProxy", "ALModule", "ALMemory"])

    def test_what_is_not_there_is_a_name_error(self):
        self.assertEqual(self.raises(NameError, self.returns, "frameNumber")[1], "name 'frameNumber' is not defined")

    def test_a_name_of_the_scripts_own(self):
        self.assertEqual(self.returns("[time for time in (1,)]"), [1])
        self.assertTrue(self.returns("time.time() > 0"))

    def test_vision_definitions(self):
        self.assertEqual(self.returns("[(v.kVGA, v.kRGBColorSpace, v.kBGRColorSpace, v.kDepthColorSpace, "
                                      "v.kCameraExposureID) for v in [__import__('vision_definitions')]]"),
                         [(2, 11, 13, 17, 17)])

    def test_python_2(self):
        self.assertEqual(self.returns("[7 / 2, {1: 2}.keys(), u'a'.encode('utf-8'), unicode(3)]"), [3, [1], "a", "3"])


class Dialects(unittest.TestCase):
    def test_the_first_line_names_the_python(self):
        from boxstep_runtime import py2
        with open("dialects.txt") as lines:
            cases = [line.rstrip("\n").split(" ", 1) for line in lines]
        self.assertGreater(len(cases), 10)
        for dialect, line in cases:
            text = line.encode("ascii").decode("unicode_escape")
            self.assertEqual(py2.dialect_of(text, 7), 7 if dialect == "-" else int(dialect), line)


class Mixed(Case):
    """Each script, and each module beside it, is read as the Python version that its own first line names."""

    def setUp(self):
        Case.setUp(self)
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.before = list(sys.path)
        self.info = {"behavior_path": self.folder}

    def tearDown(self):
        Case.tearDown(self)
        sys.path[:] = self.before
        for name in ("old_half", "new_half"):
            sys.modules.pop(name, None)
        shutil.rmtree(self.folder)

    def modules(self, two, three):
        for name, head in (("old_half", two), ("new_half", three)):
            with open(os.path.join(self.folder, name + ".py"), "w") as f:
                f.write(head + "def half(x):\n    return x / 2\n")

    def halves(self, head):
        number = self.box(head + "import old_half, new_half\n" + HEAD + "    def onInput_onStart(self):\n"
                          "        return [7 / 2, old_half.half(7), new_half.half(7)]\n", **self.info)
        return self.call(number)

    def test_a_first_line_decides(self):
        self.modules("", "#!/usr/bin/env python3\n")
        self.assertEqual(self.halves(""), [3, 3, 3.5])
        self.assertEqual(self.halves("#!/usr/bin/env python3\n"), [3.5, 3, 3.5])
        self.assertEqual(self.halves("#!/usr/bin/env python2.7\n"), [3, 3, 3.5])

    def test_namespaces_are_not_shared(self):
        expression = "[type({}.keys()).__name__, type(os.getcwd()).__name__, 'unicode' in dir(__builtins__)]"
        body = HEAD + "    def onInput_onStart(self):\n        return " + expression + "\n"
        self.assertEqual(self.call(self.box(body))[0], "list")
        three = self.box("#!/usr/bin/env python3\n" + body)
        self.assertEqual(self.call(three)[0], "dict_keys")
        with self.assertRaises(NameError):
            self.call(self.box("#!/usr/bin/python3\n" + HEAD + "    def onInput_onStart(self):\n        unicode\n"))

    def test_errors_have_the_authors_line(self):
        with self.assertRaises(SyntaxError) as caught:
            self.box("#!/usr/bin/env python3\n" + HEAD + "    def x(self): print 3\n")
        self.assertEqual(caught.exception.lineno, 5)


class Python3(Mixed):
    dialect = 3

    def test_a_first_line_decides(self):
        self.modules("#!/usr/bin/env python2\n", "")
        self.assertEqual(self.halves(""), [3.5, 3, 3.5])
        self.assertEqual(self.halves("#!/usr/bin/python2.7\n"), [3, 3, 3.5])

    test_namespaces_are_not_shared = None

    def test_a_script_is_left_as_it_is(self):
        self.box(HEAD + "    def onInput_onStart(self):\n        return [7 / 2, os.sep, qi.runAsync is not None]\n")
        self.assertEqual(self.call(0), [3.5, os.sep, True])

    def test_errors(self):
        self.box(HEAD + "    def onInput_onStart(self):\n        self.x\n")
        self.assertEqual(self.raises(AttributeError, self.call, 0)[2], 5)
        self.assertEqual(self.raises(SyntaxError, self.box, HEAD + "    print 3\n")[2], 4)


class InstalledQi(Case):
    installed_qi = True

    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.before = list(sys.path)
        sys.path.insert(0, self.folder)

    def tearDown(self):
        if hasattr(self, "streams"):
            Case.tearDown(self)
        sys.path[:] = self.before
        sys.modules.pop("qi", None)
        shutil.rmtree(self.folder)

    def test_scripts_get_the_package_and_the_run_is_not_repeatable(self):
        with open(os.path.join(self.folder, "qi.py"), "w") as f:
            f.write("class Session(object):\n    own = 7\nrunAsync = len\n")
        Case.setUp(self)
        self.assertIn("installed package `qi`", self.bridge.of("not_deterministic")[0][0])
        number = self.box("import qi as again\n" + HEAD + "    def onInput_onStart(self):\n"
                          "        self.log(self.boxName)\n"
                          "        return [qi.Session.own, again is qi, getattr(qi, 'async') is len, callable(self.session().service)]\n")
        self.assertEqual(self.call(number), [7, True, True, True])

    def test_a_package_that_is_missing_is_a_sentence(self):
        from boxstep_runtime import modules
        with self.assertRaises(modules.Refused) as refused:
            Case.setUp(self)
        for words in ("package `qi`", sys.executable, "--qi own"):
            self.assertIn(words, str(refused.exception))


class Folders(Case):
    def setUp(self):
        Case.setUp(self)
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.before = list(sys.path), list(sys.meta_path)
        os.makedirs(os.path.join(self.folder, "dance"))

    def tearDown(self):
        Case.tearDown(self)
        sys.path[:], sys.meta_path[:] = self.before
        for name in ("motion", "object_factory", "boxstep_test_helper", "boxstep_test_library"):
            sys.modules.pop(name, None)
        shutil.rmtree(self.folder)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as f:
            f.write(text)

    def run_box(self, text):
        number = self.box(text, behavior_path=os.path.join(self.folder, "dance"), behavior_relative_path="dance")
        return self.call(number)

    def test_the_applications_lib_folders(self):
        os.makedirs(os.path.join(self.folder, "lib/python/boxstep_test_library"))
        self.write("lib/boxstep_test_helper.py", "half = 7 / 2\nprint('loaded')\n")
        self.write("lib/python/boxstep_test_library/__init__.py", "from sibling import value\n")
        self.write("lib/python/boxstep_test_library/sibling.py", "value = 9 / 2\n")
        text = "from boxstep_test_helper import half\nimport boxstep_test_library\n" + HEAD + \
            "    def onInput_onStart(self):\n        return [half, boxstep_test_library.value]\n"
        self.assertEqual(self.run_box(text), [3, 4], "read as Python 2")
        self.assertEqual(self.bridge.of("print")[0][2], "loaded")

    def test_what_lies_beside_the_behavior_comes_before_lib(self):
        os.makedirs(os.path.join(self.folder, "lib"))
        self.write("lib/boxstep_test_helper.py", "name = 'lib'\n")
        self.write("dance/boxstep_test_helper.py", "name = 'dance'\n")
        text = "import boxstep_test_helper\n" + HEAD + \
            "    def onInput_onStart(self):\n        return boxstep_test_helper.name\n"
        self.assertEqual(self.run_box(text), "dance")

    def test_a_behavior_that_is_the_application_has_its_lib_too(self):
        os.makedirs(os.path.join(self.folder, "lib"))
        self.write("lib/boxstep_test_helper.py", "name = 'lib'\n")
        text = "import boxstep_test_helper\n" + HEAD + \
            "    def onInput_onStart(self):\n        return boxstep_test_helper.name\n"
        number = self.box(text, behavior_path=self.folder, behavior_relative_path=".")
        self.assertEqual(self.call(number), "lib")

    def test_modules_beside_the_behavior_and_the_application(self):
        self.write("dance/boxstep_test_helper.py", "half = 7 / 2\n")
        self.write("boxstep_test_library.py", "half = 9 / 2\n")
        got = self.run_box("import boxstep_test_helper, boxstep_test_library\n" + HEAD +
                           "    def onInput_onStart(self):\n"
                           "        return [boxstep_test_helper.half, boxstep_test_library.half]\n")
        self.assertEqual(got, [3, 4])

    def test_a_module_of_the_authors_comes_before_the_robots(self):
        self.write("dance/motion.py", "mine = 1\n")
        self.write("dance/object_factory.py", "mine = 2\n")
        got = self.run_box("import motion, object_factory\n" + HEAD +
                           "    def onInput_onStart(self):\n        return [motion.mine, object_factory.mine]\n")
        self.assertEqual(got, [1, 2])

    def test_calls_from_a_module_carry_the_line_of_the_box(self):
        self.write("dance/boxstep_test_helper.py", "from naoqi import ALProxy\ndef find():\n\n\n    ALProxy('Nothing')\n")
        with self.assertRaises(RuntimeError):
            self.run_box(HEAD + "    def onInput_onStart(self):\n        import boxstep_test_helper\n"
                         "        boxstep_test_helper.find()\n")
        self.assertEqual(self.bridge.of("no service"), [(0, 6, "Nothing")])


if __name__ == "__main__":
    unittest.main()
