"""Boxes like those of the standard library: the assumptions that they make must hold."""
import unittest

from fake import HEAD, Case, host, state

SPEAK = r"""
import time

class MyClass(GeneratedClass):
    def __init__(self):
        try:
            GeneratedClass.__init__(self, False)
        except TypeError:
            GeneratedClass.__init__(self)

    def onLoad(self):
        self.voice = ALProxy('ALTextToSpeech')
        self.stopper = ALProxy('ALTextToSpeech', True)
        self.tasks = []
        self.busy = False

    def onUnload(self):
        for task in list(self.tasks):
            self.stopper.stop(task)
        while self.busy:
            time.sleep(0.2)

    def onInput_onStart(self, p):
        self.busy = True
        try:
            sentence = "\\RSPD=" + str(self.getParameter("speed")) + "\\ " + str(p) + " \\RST\\ "
            task = self.voice.pCall("say", sentence)
            self.tasks.append(task)
            self.voice.wait(task, 0)
        finally:
            try:
                self.tasks.remove(task)
            except:
                pass
            if self.tasks == []:
                self.onStopped()
                self.busy = False

    def onInput_onStop(self):
        self.onUnload()
"""

WAIT = """\
import qi

class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onLoad(self):
        self.waiting = None

    def onUnload(self):
        self.cancel()

    def cancel(self):
        if self.waiting:
            self.waiting.cancel()
        self.waiting = None

    def fire(self):
        self.timerOutput()

    def onInput_onStart(self):
        self.cancel()
        self.waiting = qi.async(self.fire, delay=int(self.getParameter("Timeout (s)") * 1000 * 1000))

    def onInput_onStop(self):
        if self.getParameter("early") and self.waiting and self.waiting.isRunning():
            self.cancel()
            self.timerOutput()
"""

FPS = """\
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onInput_onStart(self):
        timeline = self.getTimeline()
        self.before = timeline.getFPS()
        timeline.setFPS(self.before * self.getParameter("FPS (%)") / 100)

    def onUnload(self):
        self.getTimeline().setFPS(self.before)

    def onInput_onStop(self):
        onUnload()
"""

COMPARE = """\
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def number(self, value):
        try:
            return float(value)
        except:
            return value

    def onInput_onData(self, p):
        if self.number(p) == self.number(self.getParameter("value")):
            self.output_then()
        else:
            self.output_else()
"""

EVENT = """\
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
        try:
            self.memory = ALProxy("ALMemory")
        except Exception as e:
            self.memory = None
            self.logger.error(e)

    def onLoad(self):
        self.BIND_PYTHON(self.getName(), "onEvent")

    def onInput_onStart(self):
        self.memory.subscribeToEvent(self.getParameter("key"), self.getName(), "onEvent")

    def onInput_onStop(self):
        self.memory.unsubscribeToEvent(self.getParameter("key"), self.getName())

    def onEvent(self, key, value, message):
        self.value([key, value])
"""

CLOCK = """\
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onLoad(self):
        self.begin = time.time()
        self.where = os.path.join(self.behaviorAbsolutePath(), self.getParameter("File name"))

    def onInput_onStart(self):
        path = ALFrameManager.getBehaviorPath(self.behaviorId)
        return [time.time() >= self.begin, self.where, path + self.getParameter("File name")]
"""


class Patterns(Case):
    def test_speaking_twice_at_once_ends_once(self):
        self.bridge.services["ALTextToSpeech"] = {}
        self.bridge.parameters[0, "speed"] = 90
        self.box(SPEAK)
        self.call(0, "onLoad")
        box = state.objects[0]
        plain_wait = self.bridge.wait_call

        def wait_call(number, timeout):
            # While the first box speaks, the second one is started, and ends first.
            if number == 1:
                self.call(0, "onInput_onStart", "second")
            return plain_wait(number, timeout)
        self.bridge.wait_call = wait_call
        self.call(0, "onInput_onStart", "first")
        self.assertEqual([e[-1] for e in self.bridge.of("post")], [["\\RSPD=90\\ first \\RST\\ "],
                                                                ["\\RSPD=90\\ second \\RST\\ "]])
        self.assertEqual(self.outputs(), [("onStopped", None)])
        self.assertEqual((box.tasks, box.busy), ([], False))
        self.call(0, "onUnload")

    def test_wait(self):
        self.bridge.parameters.update({(0, "Timeout (s)"): 1.5, (0, "early"): True})
        self.box(WAIT, outputs=[("timerOutput", True)])
        self.call(0, "onLoad")
        self.call(0)
        self.bridge.advance(1)
        self.call(0)  # begins again
        self.bridge.advance(1)
        self.assertEqual(self.outputs(), [])
        self.bridge.advance(1)
        self.assertEqual(self.outputs(), [("timerOutput", None)])
        self.call(0, "onInput_onStop")
        self.assertEqual(len(self.outputs()), 1)
        self.call(0)
        self.call(0, "onInput_onStop")
        self.bridge.advance(9)
        self.assertEqual(len(self.outputs()), 2)

    def test_speed_of_a_timeline(self):
        self.bridge.timelines[0, False] = {"fps": 25}
        self.bridge.parameters[0, "FPS (%)"] = 50
        self.box(FPS, has_timeline=True)
        self.call(0)
        self.assertEqual(self.bridge.timelines[0, False]["fps"], 12)  # whole numbers divide as in Python 2
        kind, message, line, _ = self.raises(NameError, self.call, 0, "onInput_onStop")
        self.assertEqual((message, line), ("name 'onUnload' is not defined", 14))
        self.call(0, "onUnload")
        self.assertEqual(self.bridge.timelines[0, False]["fps"], 25)

    def test_comparing_whatever_comes(self):
        self.bridge.parameters[0, "value"] = "3"
        self.box(COMPARE, outputs=[("output_then", True), ("output_else", True)])
        for value in (3, 3.0, "3.0", "x", None, [3]):
            self.call(0, "onInput_onData", value)
        self.assertEqual([name[7:] for name, _ in self.outputs()], ["then"] * 3 + ["else"] * 3)

    def test_event_by_module_name(self):
        self.bridge.services["ALMemory"] = {}
        self.bridge.parameters[0, "key"] = "FrontTactilTouched"
        self.box(EVENT)
        for method in ("onLoad", "onInput_onStart", "onInput_onStop"):
            self.call(0, method)
        self.assertEqual([e[3:] for e in self.bridge.of("call")], [
            ("subscribeToEvent", ["FrontTactilTouched", "_Behavior__1__root__Box_2", "onEvent"]),
            ("unsubscribeToEvent", ["FrontTactilTouched", "_Behavior__1__root__Box_2"])])
        host.up_to(host.hook(0, "onEvent")[0], ["FrontTactilTouched", 1.0, ""])
        self.assertEqual(self.outputs(), [("value", ["FrontTactilTouched", 1.0])])

    def test_a_missing_service_in_the_constructor(self):
        self.box(EVENT)
        self.assertEqual([e[1:] for e in self.bridge.of("log")], [(8, "error", "Cannot find service: ALMemory")])

    def test_names_without_import_and_attached_files(self):
        self.bridge.services["ALFrameManager"] = {"getBehaviorPath": lambda behavior: "/app/" + behavior}
        self.bridge.parameters[0, "File name"] = "/song.ogg"
        self.box(CLOCK, behavior_path="/nowhere/app/dance", behavior_relative_path="dance")
        self.call(0, "onLoad")
        # A value that begins with a slash replaces the earlier parts in os.path.join, as always.
        self.assertEqual(self.call(0), [True, "/song.ogg", "/app/_Behavior__1/song.ogg"])

    def test_output_as_a_timer(self):
        self.box(HEAD + "    def onInput_onStart(self):\n        import functools\n"
                 "        self.f = qi.async(self.onStopped, delay=1000)\n"
                 "        self.f.addCallback(functools.partial(self.done, 'label'))\n"
                 "    def done(self, label, future):\n        self.value([label, future.isFinished()])\n")
        self.call(0)
        self.bridge.advance(1)
        self.assertEqual(self.outputs(), [("onStopped", None), ("value", ["label", True])])


if __name__ == "__main__":
    unittest.main()
