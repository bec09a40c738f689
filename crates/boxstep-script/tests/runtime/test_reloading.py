"""Modules that change while scripts that import them exist."""
import os
import shutil
import sys
import tempfile
import unittest

from fake import HEAD, Case, host

USER = "import helper_m\n" + HEAD + "    def onInput_onStart(self):\n        return helper_m.word()\n"
LATE = HEAD + "    def onInput_onStart(self):\n        import helper_m\n        return helper_m.word()\n"
NEITHER = HEAD + "    def onInput_onStart(self):\n        return 'neither'  # import helper_m\n"


class Folder(Case):
    def setUp(self):
        Case.setUp(self)
        # The bytecode cache is part of the test.
        self.addCleanup(setattr, sys, "dont_write_bytecode", sys.dont_write_bytecode)
        sys.dont_write_bytecode = False
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.addCleanup(self.forget_all)
        os.mkdir(os.path.join(self.folder, "pack_m"))
        self.write("helper_m.py", "def word():\n    return 'old'\n")

    def forget_all(self):
        for name in list(sys.modules):
            if name.partition(".")[0] in ("helper_m", "other_m", "pack_m"):
                del sys.modules[name]
        if self.folder in sys.path:
            sys.path.remove(self.folder)

    def write(self, name, text):
        """Always with the same time: the cached bytecode of the old text must not be used for the new one."""
        path = os.path.join(self.folder, name)
        with open(path, "w") as out:
            out.write(text)
        os.utime(path, (1600000000, 1600000000))
        return path

    def user(self, text=USER):
        return self.box(text, behavior_path=self.folder, behavior_relative_path=".")

    def forget(self, *names):
        return host.forget_modules([os.path.join(self.folder, name) for name in names])


class Reloading(Folder):
    def test_the_next_import_reads_the_file(self):
        users = [self.user(), self.user(NEITHER), self.user(LATE)]
        self.assertEqual([self.call(user) for user in users], ["old", "neither", "old"])
        self.write("helper_m.py", "def word():\n    return 'new'\n")
        self.assertEqual(self.forget("helper_m.py"), [["helper_m"], [users[0], users[2]], []])
        self.assertEqual([self.call(user) for user in users], ["old", "neither", "new"])
        self.assertEqual(self.call(self.user()), "new")

    def test_files_that_nobody_has_imported(self):
        self.user(NEITHER)
        self.write("other_m.py", "broken(\n")
        self.assertEqual(self.forget("helper_m.py", "other_m.py", "never.py"), [[], [], []])

    def test_modules_that_import_it_go_with_it(self):
        self.write("other_m.py", "from helper_m import word\n")
        user = self.user(USER.replace("helper_m", "other_m"))
        self.assertEqual(self.call(user), "old")
        self.write("helper_m.py", "def word():\n    return 'new'\n")
        self.assertEqual(self.forget("helper_m.py"), [["helper_m", "other_m"], [user], []])
        self.assertEqual(self.call(self.user(USER.replace("helper_m", "other_m"))), "new")

    def test_a_package_goes_as_a_whole(self):
        self.write("pack_m/__init__.py", "")
        self.write("pack_m/a.py", "def word():\n    return 'old'\n")
        self.write("pack_m/b.py", "B = 1\n")
        text = USER.replace("import helper_m", "import pack_m.a, pack_m.b").replace("helper_m.word", "pack_m.a.word")
        user = self.user(text)
        self.write("pack_m/a.py", "def word():\n    return 'new'\n")
        self.assertEqual(self.forget("pack_m/a.py"), [["pack_m", "pack_m.a", "pack_m.b"], [user], []])
        self.assertEqual(self.call(self.user(text)), "new")

    def test_what_cannot_be_taken_is_held_back_with_all_that_came_with_it(self):
        self.write("other_m.py", "def word():\n    return 'old'\n")
        user = self.user(USER.replace("import helper_m", "import helper_m, other_m"))
        self.write("helper_m.py", "def word():\n    return (\n")
        self.write("other_m.py", "def word():\n    return 'new'\n")
        names, users, (why,) = self.forget("helper_m.py", "other_m.py")
        self.assertEqual((names, users), ([], []))
        self.assertIn(os.path.join(self.folder, "helper_m.py") + ":", why)
        self.assertIn("SyntaxError", why)
        os.remove(os.path.join(self.folder, "helper_m.py"))
        self.assertIn("helper_m.py: No such file", self.forget("helper_m.py")[2][0])
        self.assertEqual(self.call(user), "old")
        self.write("helper_m.py", "def word():\n    return 'new'\n")
        self.assertEqual(self.forget("helper_m.py"), [["helper_m", "other_m"], [user], []])

    def test_modules_elsewhere_stay(self):
        self.user()
        self.assertEqual(host.forget_modules([shutil.__file__]), [[], [], []])
        self.assertIs(sys.modules["shutil"], shutil)


class Python3(Reloading):
    dialect = 3


if __name__ == "__main__":
    unittest.main()
