"""Helpers for tests of runs, test files, and the pytest plugin."""
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import boxstep
from boxstep import testing

ROOT = os.environ["BOXSTEP_ROOT"]

SUITE = """
behavior = "{hello}"

[[test]]
name = "it ends"
[test.expect]
ended = true

[[test]]
name = "it says something else"
[test.expect]
said = ["nothing of the kind"]
"""


def suite(folder):
    file = os.path.join(folder, "hello.test.toml")
    with open(file, "w") as out:
        out.write(SUITE.format(hello=os.path.join(ROOT, "examples", "hello")))
    return file


class Helpers(unittest.TestCase):
    def test_said_called_logged_printed(self):
        run = boxstep.play(os.path.join(ROOT, "examples", "say-and-wait"))
        self.assertEqual(testing.said(run), ["I wait for three seconds.", "Here I am again."])
        says = testing.called(run, "ALTextToSpeech.say")
        self.assertEqual([call.args for call in says], [["I wait for three seconds."], ["Here I am again."]])
        self.assertEqual(testing.called(run, "ALTextToSpeech"), says)
        self.assertEqual(testing.called(run, "ALMotion.wakeUp"), [])
        self.assertTrue(says[0].path.startswith("root/") and says[0].line > 0 and says[1].time > 3)
        self.assertEqual(testing.logged(run), testing.logged(run, "info"))
        self.assertEqual(testing.logged(run), ["5 words to say", "4 words to say"])
        self.assertEqual((testing.logged(run, "error"), testing.printed(run)), ([], ""))

    def test_a_test_file_is_played(self):
        with tempfile.TemporaryDirectory() as folder:
            file = suite(folder)
            self.assertEqual(testing.tests(file), ["it ends", "it says something else"])
            passed, failed = testing.play_tests(file)
            self.assertEqual((passed.name, passed.passed, passed.text), ("it ends", True, ""))
            self.assertGreater(passed.played, 1)
            self.assertEqual((failed.name, failed.passed), ("it says something else", False))
            self.assertIn("nothing of the kind", failed.text)
            self.assertEqual([result.name for result in testing.play_tests(file, "something")], [failed.name])

    def test_a_test_file_that_cannot_be_used_says_why(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "x.test.toml")
            with open(file, "w") as out:
                out.write("[[test]]\nnam = 3\n")
            for function in (testing.tests, testing.play_tests):
                with self.assertRaisesRegex(ValueError, "x.test.toml"):
                    function(file)


def has_pytest():
    return subprocess.run([sys.executable, "-c", "import pytest"], stderr=subprocess.DEVNULL).returncode == 0


@unittest.skipUnless(has_pytest(), "pytest is not installed for this Python")
class Plugin(unittest.TestCase):
    def pytest(self, folder, *arguments):
        done = subprocess.run([sys.executable, "-m", "pytest", "-p", "boxstep.pytest_plugin", "-p", "no:cacheprovider", "-v",
                               *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.decode()

    def test_test_files_are_collected_and_played(self):
        with tempfile.TemporaryDirectory() as folder:
            suite(folder)
            code, said = self.pytest(folder)
            self.assertEqual(code, 1, said)
            self.assertIn("hello.test.toml::it ends PASSED", said)
            self.assertIn("hello.test.toml::it says something else FAILED", said)
            self.assertIn("nothing of the kind", said)
            self.assertNotIn("pytest_plugin.py", said)
            code, said = self.pytest(folder, "-k", "ends")
            self.assertEqual(code, 0, said)
            self.assertIn("1 passed, 1 deselected", said)

    def test_a_file_that_is_wrong_is_an_error_of_collection(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "x.test.toml"), "w") as out:
                out.write("[[test]]\nnam = 3\n")
            code, said = self.pytest(folder)
            self.assertEqual(code, 2, said)
            self.assertIn("x.test.toml", said)

    def test_the_fixture_opens_behaviors_and_closes_them(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.join(ROOT, "examples", "say-and-wait"), os.path.join(folder, "talk"))
            with open(os.path.join(folder, "test_talk.py"), "w") as out:
                out.write(textwrap.dedent("""
                    import boxstep
                    from boxstep.testing import called, said

                    runs = []

                    def test_it_talks(behavior):
                        run = behavior("talk", language="English")
                        runs.append(run)
                        run.start()
                        assert run.wait() == "ended"
                        assert said(run)[-1] == "Here I am again."
                        assert len(called(run, "ALTextToSpeech.say")) == 2

                    def test_the_one_before_is_closed(behavior):
                        assert runs[0].closed
                        box = boxstep.Box("b", run=behavior())
                        box.load()
                        assert box.isLoaded()

                    def test_it_fails(behavior):
                        assert said(behavior("talk").start()) == []
                    """))
            code, said = self.pytest(folder, "test_talk.py")
            self.assertEqual(code, 1, said)
            self.assertIn("2 passed", said)
            self.assertIn("1 failed", said)


if __name__ == "__main__":
    unittest.main()
