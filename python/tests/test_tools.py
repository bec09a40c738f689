"""check, show, diff, convert, talk, what runs hear, and what notebooks show."""
import inspect
import os
import tempfile
import unittest
import unittest.mock
from html.parser import HTMLParser

import boxstep

ROOT = os.environ["BOXSTEP_ROOT"]
EXAMPLES = os.path.join(ROOT, "examples")


def example(*parts):
    return os.path.join(EXAMPLES, *parts)


class Balanced(HTMLParser):
    """Checks that HTML is well formed and runs nothing."""

    VOID = ("path", "rect", "line", "circle", "polygon", "polyline", "br", "ellipse", "use", "image")

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        assert tag != "script" and not any(name.startswith("on") for name, _ in attrs), (tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open and self.open.pop() == tag, tag


class Tools(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_check(self):
        self.assertEqual(boxstep.check(example("hello")), [])
        self.assertIn("nothing found", boxstep.check(example("hello"))._repr_html_())
        topic = self.write("t.top", "topic: ~t()\nlanguage: enu\nu:(<b>) hello ^nosuch\n")
        (found,) = [found for found in boxstep.check(topic) if found.code == "BS0903"]
        self.assertEqual((found.line, found.column, found.severity), (3, 15, "warning"))
        self.assertIn("nosuch", str(found))
        Balanced(boxstep.check(topic)._repr_html_())
        with self.assertRaisesRegex(boxstep.Error, "nothing.top"):
            boxstep.check(os.path.join(self.folder, "nothing.top"))

    def test_show(self):
        picture = boxstep.show(example("hello"))
        self.assertIn("root", picture.text)
        self.assertTrue(picture.svg.startswith("<svg") and picture.data)
        Balanced(picture._repr_html_())
        topic = boxstep.show(self.write("t.top", "topic: ~t()\nlanguage: enu\nu:(a) <b\n"))
        Balanced(topic._repr_html_())
        with self.assertRaises(boxstep.Error):
            boxstep.show(example("hello"), box="root/Nothing")

    def test_diff_and_convert(self):
        self.assertFalse(boxstep.diff(example("hello"), example("hello")))
        changed = boxstep.diff(example("hello"), example("touch"))
        self.assertTrue(changed and changed.data["changes"] and changed.text)
        with unittest.mock.patch.dict(os.environ, CLICOLOR_FORCE="1"):
            self.assertNotIn("\x1b", boxstep.diff(example("hello"), example("touch")).text)
        Balanced(changed._repr_html_())
        to = os.path.join(self.folder, "split") + os.sep
        boxstep.convert(example("hello"), to)
        self.assertFalse(boxstep.diff(example("hello"), to))
        with self.assertRaises(boxstep.Error):
            boxstep.convert(example("hello"), to)
        boxstep.convert(example("hello"), to, force=True)

    def test_edit(self):
        to = os.path.join(self.folder, "edited.xar")
        words = {"op": "set_parameter", "box": "root/Say", "parameter": "Text", "value": "Good morning"}
        boxstep.edit(example("hello"), words, {"op": "rename", "box": "root/Wave", "name": "Swing"}, to=to)
        kinds = {change["what"] for change in boxstep.diff(example("hello"), to).data["changes"]}
        self.assertIn("parameter", {kind.lower() for kind in kinds})
        with self.assertRaisesRegex(boxstep.Error, "did you mean `Text`"):
            boxstep.edit(to, dict(words, parameter="Txt"))
        with self.assertRaisesRegex(boxstep.Error, "unknown variant `fly`"):
            boxstep.edit(to, {"op": "fly"})

    def test_talk(self):
        with boxstep.talk(example("museum-talk")) as talk:
            self.assertEqual(talk.say("hello"), "Hello! What is your name?")
            self.assertEqual(talk.say("my name is <Ann>"), "Nice to meet you, Ann.")
            self.assertIn("robot: Hello! What is your name?", str(talk))
            page = talk._repr_html_()
            Balanced(page)
            self.assertIn("&lt;Ann&gt;", page)
            self.assertTrue(talk.run.events("dialog", what="matched"))
        with boxstep.talk(self.write("f.top", "topic: ~f()\nlanguage: frf\nu:(bonjour) salut\n"), language="French") as talk:
            self.assertEqual((talk.say("bonjour"), talk.say("hello")), ("salut", ""))

    def test_runs(self):
        run = boxstep.play(example("say-and-wait"))
        page = run._repr_html_()
        Balanced(page)
        self.assertIn("I wait for three seconds.", page)
        self.assertIn("<svg", page)
        many = self.write("many.py", "for number in range(500):\n    print(number)\n")
        page = boxstep.play(many)._repr_html_()
        self.assertRegex(page, r"and \d+ more events")
        with boxstep.Run() as run:
            Balanced(run._repr_html_())

    def test_programs_have_arguments(self):
        program = self.write("args.py", "import sys\nprint(sys.argv[1:])\n")
        run = boxstep.play(program, args=["a", "--b"])
        self.assertEqual(run.events("print")[0]["text"], "['a', '--b']")

    def test_signatures_name_every_option(self):
        for function in (boxstep.Run, boxstep.load, boxstep.play):
            kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
            self.assertNotIn(inspect.Parameter.VAR_KEYWORD, kinds, function)
        with self.assertRaisesRegex(TypeError, "nonsense"):
            boxstep.play(example("hello"), nonsense=1)


if __name__ == "__main__":
    unittest.main()
