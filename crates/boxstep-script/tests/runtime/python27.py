"""Run by Python 2.7: the runtime must load there and play a box, for hosts with that Python."""
import os
import shutil
import sys
import tempfile

from boxstep_runtime import host, outputs


class FakeBridge(object):
    class Stopped(BaseException):
        pass

    def __init__(self):
        self.events = []
        self.kept = []

    def output_method(self, obj, name, is_bang):
        return outputs.method(self._output, obj, name, is_bang)

    def _output(self, obj, name, value):
        self.events.append((obj, name, value))

    def get_parameter(self, obj, name):
        return 7

    def find_service(self, obj, line, name):
        return False

    def subscribe(self, obj, line, kind, a, b, callback):
        self.events.append((kind, a, b))
        return 1

    def unsubscribe(self, number):
        self.events.append(("unsubscribe", number))

    def spawn(self, callback):
        self.kept.append(callback)

    def rewrite(self, text):
        return text


setattr(FakeBridge, "print", lambda self, obj, line, text, is_error: self.events.append((obj, line, text)))

TEXT = u"""\
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)
    def onInput_onStart(self):
        print "half", self.getParameter("x") / 2
        self.future = qi.async(self.value, 3)
    def onInput_onStop(self):
        ALProxy("Nothing")
    def onLoad(self):
        import qicore_legacy
        assert isinstance(self, qicore_legacy.BehaviorLegacy)
        self.addInput("more", 1)
        self.addOutput("less", False)
        self.addParameter("size", 3)
        self.connectInput("more", "root/Other", "value")
        self.stimulateIO("more", self.getParameter("size"))
        getattr(self, "onInput_more__")(4)
    def onInput_more(self, p):
        self.value(p)
"""

bridge = FakeBridge()
streams = sys.stdout, sys.stderr
host.setup(bridge, {"dialect": 2})
sys.stderr = streams[1]  # for failures of this test
host.load(0, TEXT, u"dance.xar", False, u"root/Box")
info = dict.fromkeys((
    "box_name", "full_name", "parent_name", "id", "parent_id", "behavior_id", "behavior_path",
    "behavior_relative_path", "package_uid"), u"")
info.update(
    path=u"root/Box", inputs=[], outputs=[(u"value", False)], parameters=[], has_timeline=False,
    has_parent_timeline=False, has_resources=False)
methods = host.construct(0, 0, info)
function, takes = host.hook(0, "onInput_onStart")
function()
for number in bridge.kept:
    host.up_to(host.callback(number), [])
try:
    host.hook(0, "onInput_onStop")[0]()
except RuntimeError as error:
    explained = host.explain(error)
events, bridge.events[:], bridge.kept[:] = list(bridge.events), [], []
host.hook(0, "onLoad")[0]()
for number in bridge.kept:
    host.up_to(host.callback(number), [])
host.drop(0)
sys.stdout, sys.stderr = streams
assert methods == ["onInput_more", "onInput_onStart", "onInput_onStop", "onLoad"] and takes == 0, (methods, takes)
assert events == [(0, 5, "half 3"), (0, "value", 3)], events
assert bridge.events == [("signal", "ALBoxstep", "root/Other.value"), (0, "value", 3), (0, "value", 4),
                       ("unsubscribe", 1)], bridge.events
assert explained[:3] == ("RuntimeError", "Cannot find service: Nothing", 8), explained
assert explained[3].endswith('line 8, in onInput_onStop\n    ALProxy("Nothing")\n'
                             "RuntimeError: Cannot find service: Nothing\n"), explained[3]
try:
    host.load(1, u"#!/usr/bin/env python3\nclass MyClass(GeneratedClass): pass\n", u"dance.xar", False, u"root/Box")
except SyntaxError as error:
    assert str(error).startswith("this is Python 3, and Python 2.7."), error
else:
    raise AssertionError("Python 2 takes Python 3 for its own")

# Modules that change: Python 2 stores compiled code beside the file, with a time in seconds.
folder = os.path.realpath(tempfile.mkdtemp())
helper = os.path.join(folder, "helper_m.py")


def write(word):
    with open(helper, "w") as out:
        out.write("def word():\n    return '%s'\n" % word)
    os.utime(helper, (1600000000, 1600000000))


USER = u"import helper_m\nclass MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        return helper_m.word()\n"


def user(number):
    host.load(number, USER, u"dance.xar", False, u"root/Box")
    host.construct(number, number, dict(info, behavior_path=folder, behavior_relative_path="."))
    return host.hook(number, "onInput_onStart")[0]()


sys.dont_write_bytecode = False
try:
    write("old")
    assert user(1) == "old"
    write("new")
    forgotten = host.forget_modules([helper])
    assert forgotten == [["helper_m"], [1], []], forgotten
    assert user(2) == "new"
finally:
    shutil.rmtree(folder)
    sys.stdout, sys.stderr = streams
print("ok")
