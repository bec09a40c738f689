"""Which Python version a program or module is written in."""
import unittest

import fake  # noqa: F401 (finds the runtime)
from boxstep_runtime import versions

NAOQI = "from naoqi import ALProxy\n"


class Versions(unittest.TestCase):
    def are(self, version, *texts):
        for text in texts:
            self.assertEqual(versions.dialect_of(text), version, text)

    def test_naoqi_was_for_python_2(self):
        self.are(2, NAOQI, "import sys, naoqi", "def f():\n    import naoqi as n\n", NAOQI + "print('a', 1 / 2)")
        self.assertEqual(versions.dialect_of(NAOQI, 3), 3)

    def test_syntax_of_python_3(self):
        for text in ("f'{1}'", "x: int = 1", "def f(a: int): pass", "def f() -> int: pass", "async def f(): pass",
                     "def f(*, a): pass", "print(1, end='')", "a, *b = 1, 2", "raise A from b", "class A(metaclass=B): pass",
                     "def f():\n    x = 1\n    def g():\n        nonlocal x\n", "class A(B):\n    def f(self): super().f()\n",
                     "def f(): yield from g()", "from __future__ import annotations", "x = [*a, *b]", "x = {**a}"):
            self.are(3, text, NAOQI + text)

    def test_what_only_python_2_has(self):
        self.are(2, "print 'x'", "import urllib2, Queue", "import qi\nx = raw_input('?')", "unicode('a')",
                 "for i in xrange(3): pass", "if d.has_key('a'): pass", "im = str(bytearray(x))", "from Tkinter import *",
                 "from __future__ import print_function\nimport naoqi\nprint(1, end='')")

    def test_what_is_defined_or_provided_for_both(self):
        self.are(0, "print('a')", "import qi, queue", "unicode = str\nunicode('a')", "def raw_input(): pass\nraw_input()",
                 "try:\n    import urllib2\nexcept ImportError:\n    import urllib.request as urllib2\n",
                 "try:\n    import queue\nexcept ImportError:\n    import Queue as queue\n",
                 "try:\n    input = raw_input\nexcept NameError:\n    pass\n",
                 "import sys\nif sys.version_info[0] == 2:\n    text = unicode\n", "x = 'raw_input'")
        self.assertEqual(versions.dialect_of("import commands", 0, lambda name: name == "commands"), 0)

    def test_the_first_line(self):
        self.are(2, "#!/usr/bin/python2\nx = f'{1}'")
        self.are(3, "#!/usr/bin/env python3\nimport naoqi")
