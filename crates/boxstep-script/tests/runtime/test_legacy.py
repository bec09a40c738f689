"""The functions that box scripts inherited in older frame managers: a test by name for each function."""
import unittest

from fake import HEAD, INFO, Case, host, state
from boxstep_runtime import legacy

KNOWN = {
    "name": INFO["full_name"], "loaded": True, "inside": True, "frame": 25, "end": 60, "mode": -1,
    "inputs": [["onLoad", 0], ["onStart", 2], ["onStop", 3]], "outputs": [["onStopped", 1], ["value", 2]],
    "states": [[1, ["first"]], [20, ["second", "other"]], [40, ["last"]]],
}
START = "    def onInput_onStart(self):\n"


class Legacy(Case):
    def setUp(self):
        Case.setUp(self)
        self.bridge.known = dict(KNOWN)
        self.bridge.services["ALFrameManager"] = {"getTimelineFps": 25, "setTimelineFps": None}
        self.bridge.services["ALMemory"] = {"raiseEvent": None}

    def script(self, methods="", **info):
        """Returns the script object of a box."""
        return state.objects[self.box(HEAD + "    def nothing(self):\n        pass\n" + methods, **info)]

    def errors(self):
        return [text for _, _, level, text in self.bridge.of("log") if level == "error"]

    # -- identity --

    def test_setName(self):
        box = self.script("    def heard(self, key):\n        self.value(key)\n")
        box.setName("Ada")
        self.assertEqual((box.getName(), box.logger.name), ("Ada", "Ada"))
        (call,) = self.bridge.of("call")
        self.assertEqual(call[2:4] + (call[4][0],), ("ALBoxstep", "registerModule", "Ada"))
        self.bridge.deliver(call[4][1], ["heard", "Key", 1, ""])
        self.bridge.run()
        self.assertEqual(self.outputs(), [("value", "Key")])

    def test_getPath_and_getBehaviorPath(self):
        box = self.script(behavior_path="/app/dance")
        self.assertEqual((box.getPath(), box.getBehaviorPath(), box.getBehaviorPath(box.behaviorId)), ("/app/dance",) * 3)

    # -- ports and parameters --

    def test_addInput(self):
        box = self.script("    def onInput_more(self, p):\n        self.value(p)\n")
        box.addInput("more", 1)
        box.stimulateIO("more", 4)
        self.assertEqual(self.outputs(), [], "a stimulation returns before anything has run")
        self.bridge.run()
        getattr(box, "onInput_more__")(5)
        self.bridge.run()
        self.assertEqual(self.outputs(), [("value", 4), ("value", 5)])
        self.assertFalse(self.bridge.of("stimulate"))

    def test_addInput_that_starts_and_stops(self):
        box = self.script("    def onInput_go(self):\n        self.value(1)\n")
        box.addInput("go", 2)
        box.addInput("halt", 3)
        box.stimulateIO("go")
        box.stimulateIO("halt")
        self.bridge.run()
        self.assertEqual([event[2] for event in self.bridge.of("timeline")], ["play", "stop"])
        self.assertEqual(self.outputs(), [("value", 1)])

    def test_addInput_of_one_that_is_there(self):
        box = self.script()
        box.addInput("onStart", 2)
        box.stimulateIO("onStart")
        self.assertEqual(self.bridge.of("stimulate"), [(0, "onStart", None)])

    def test_addOutput(self):
        heard = []
        box = self.script()
        box.addOutput("more", False, 2)
        box.addCallbackToSignal("more", heard.append)
        box.more(3)
        box.stimulateIO("more", 4)
        self.bridge.run()
        self.assertEqual(heard, [3, 4])
        self.assertRaises(TypeError, box.more)
        box.addOutput("ready", True)
        box.ready()

    def test_addOutput_that_stops(self):
        box = self.script()
        box.addOutput("ended", True, 1)
        box.ended()
        self.assertEqual([event[2] for event in self.bridge.of("timeline")], ["stop"])

    def test_added_ports_are_no_methods_of_the_author(self):
        self.box("class MyClass(GeneratedClass):\n    def __init__(self):\n        GeneratedClass.__init__(self)\n"
                 "        self.addOutput('more', True)\n        self.addInput('less', 1)\n")
        self.assertEqual(self.methods, [])

    def test_addParameter(self):
        box = self.script()
        box.addParameter("size", 3, False)
        self.assertEqual((box.getParameter("size"), box.getParametersList()), (3, ["speed", "size"]))
        box.setParameter("size", 4)
        self.assertEqual(box.getParameter("size"), 4)
        self.assertRaises(RuntimeError, box.getParameter, "other")

    def test_addParameter_that_a_parent_has(self):
        box = self.script()
        box.addParameter("size", 3, True)
        self.assertEqual(box.getParameter("size"), 3)
        self.bridge.parameters[0, "size"] = 9
        self.assertEqual(box.getParameter("size"), 9)

    def test_addParameter_of_one_that_is_there_sets_it(self):
        box = self.script()
        box.addParam("speed", 5)
        self.assertEqual(self.bridge.of("set"), [(0, "speed", 5)])

    def test_get_io_with_type(self):
        box = self.script()
        box.addInput("more", 3)
        self.assertEqual(box.get_io_with_type(3), ["onStop", "more"])
        self.assertEqual(box.get_io_with_type(2), ["onStart", "value"])
        self.assertEqual(box.get_io_with_type(7), None)

    # -- links --

    def signal(self, port, value, name="other"):
        self.bridge.raise_event("signal", "ALBoxstep", "%s.%s" % (name, port), value)
        self.bridge.run()

    def test_connectInput_and_disconnectInput(self):
        box = self.script()
        box.connectInput("onStart", "other", "onStopped")
        self.signal("onStopped", 1)
        self.assertEqual(self.bridge.of("stimulate"), [(0, "onStart", 1)])
        box.connectInput("onStart", "other", "onStopped")
        box.disconnectInput("onStart", "other", "onStopped")
        self.signal("onStopped", 2)
        self.assertEqual(len(self.bridge.of("stimulate")), 2, "two made, one taken back")
        box.disconnectInput("onStart", "other", "onStopped")
        self.signal("onStopped", 3)
        self.assertEqual(len(self.bridge.of("stimulate")), 2)
        self.assertEqual(self.errors(), [])

    def test_connectInput_to_a_memory_key(self):
        box = self.script()
        box.connectInput("onStart", "Touched", True)
        self.bridge.raise_event("memory", "Touched", "", 1.0)
        self.bridge.run()
        self.assertEqual(self.bridge.of("stimulate"), [(0, "onStart", 1.0)])
        box.connectInput("onStart", "Touched", False)
        self.assertEqual(len(self.bridge.of("unsubscribe")), 1)

    def test_connectInput_to_an_object(self):
        one, two = self.script(), self.script(full_name="two")
        two.addOutput("more", False)
        one.connectInput("onStart", two, "more")
        two.more(6)
        self.bridge.run()
        self.assertEqual(self.bridge.of("stimulate"), [(0, "onStart", 6)])
        one.connectInput("onStart", two, "value")
        self.signal("value", 7, "two")
        self.assertEqual(self.bridge.of("stimulate")[1:], [(0, "onStart", 7)])
        host.drop(0)
        two.more(8)
        self.signal("value", 9, "two")
        self.assertEqual(len(self.bridge.of("stimulate")), 2, "a link ends with its box")

    def test_links_to_added_ports_of_a_box_by_its_names_and_path(self):
        one, two = self.script(), self.script(full_name="two", path="root/Two")
        two.addOutput("more", False)
        two.addInput("less", 1)
        two.setName("Ada")
        for name in "two", "root/Two", "Ada":
            one.connectInput("onStart", name, "more")
            one.connectOutput("value", name, "less")
        two.more(6)
        two.stimulateIO("less", 7)
        self.bridge.run()
        self.assertEqual(self.bridge.of("stimulate"), [(0, "onStart", 6), (0, "value", 7)], "three names of one link")
        for name in "two", "root/Two", "Ada":
            one.disconnectInput("onStart", name, "more")
        two.more(8)
        one.connectInput("onStart", "Ada", "value")
        self.signal("value", 9, "two")
        self.assertEqual(self.bridge.of("stimulate")[2:], [(0, "onStart", 9)])
        self.assertEqual(self.errors(), [])

    def test_connectOutput_and_disconnectOutput(self):
        box = self.script()
        box.connectOutput("value", "other", "value")
        self.signal("value", 4)
        self.assertEqual(self.bridge.of("stimulate"), [(0, "value", 4)])
        box.disconnectOutput("value", "other", "value")
        self.signal("value", 5)
        self.assertEqual(len(self.bridge.of("stimulate")), 1)

    def test_connectOutput_to_a_memory_key(self):
        box = self.script()
        box.connectOutput("value", "MyKey", True)
        self.signal("value", 4, INFO["full_name"])
        self.assertEqual(self.bridge.of("call")[-1][2:], ("ALMemory", "raiseEvent", ["MyKey", 4]))

    def test_connectParameter_and_disconnectParameter(self):
        box = self.script("    def setParameter(self, name, value):\n"
                          "        GeneratedClass.setParameter(self, name, value * 2)\n")
        box.connectParameter("speed", "other", "value")
        self.signal("value", 4)
        self.assertEqual(self.bridge.of("set"), [(0, "speed", 8)])
        box.disconnectParameter("speed", "other", "value")
        self.signal("value", 5)
        self.assertEqual(len(self.bridge.of("set")), 1)

    def test_links_that_cannot_be_made_are_errors_that_name_the_function(self):
        box = self.script()
        self.bridge.refuse_signals = ("nobody.value",)
        box.connectInput("nothing", "other", "value")
        box.connectOutput("value", "nobody", "value")
        box.disconnectParameter("speed", "other", "value")
        box.removeCallbackToSignal("value", len)
        for text, words in zip(self.errors(), (
                "connectInput(): this box has no input named nothing", "connectOutput(): Cannot find method",
                "disconnectParameter(): there is no such link: speed, other, value", "removeCallbackToSignal(): ")):
            self.assertIn(words, text)
        self.assertEqual(len(self.errors()), 4)

    def test_addCallbackToSignal_and_removeCallbackToSignal(self):
        heard = []
        box = self.script()
        box.addCallbackToSignal("value", heard.append)
        box.addCallbackToSignal("onStart", lambda: heard.append("started"))
        self.signal("value", 4, INFO["full_name"])
        self.signal("onStart", None, INFO["full_name"])
        self.assertEqual(heard, [4, "started"])
        box.removeCallbackToSignal("value", heard.append)
        self.signal("value", 5, INFO["full_name"])
        self.assertEqual(len(heard), 2)

    def test_bindInputToSTMValue_and_dispose_memory_watcher(self):
        box = self.script("    def touched(self, value):\n        self.value(value)\n")
        box.bindInputToSTMValue(box.touched, "A")
        box.bindInputToSTMValue("touched", "B")
        box.bindInputToSTMValue("onStart", "C")
        for number, key in enumerate("ABC"):
            self.bridge.raise_event("memory", key, "", number)
        self.bridge.run()
        self.assertEqual(self.outputs(), [("value", 0), ("value", 1)])
        self.assertEqual(self.bridge.of("stimulate"), [(0, "onStart", 2)])
        box.dispose_memory_watcher()
        self.assertEqual(self.bridge.subscriptions, {})
        box.bindInputToSTMValue("touched", "B")
        import qicore_legacy
        qicore_legacy.dispose_memory_watcher()
        self.assertEqual(self.bridge.subscriptions, {})

    # -- timelines and state machines --

    def test_hasStateMachine(self):
        box = self.script()
        self.assertTrue(box.hasStateMachine())
        self.bridge.known["states"] = []
        self.assertFalse(box.hasStateMachine())

    def test_getStateMachine(self):
        machine = self.script().getStateMachine()
        self.assertEqual((machine.goToLabel("other"), machine.goToLabel(39), machine.goToStateName("last")), (20, 20, 40))
        self.assertEqual([machine.goToLabel(label) for label in ("nowhere", 0, 61)], [-1, -1, -1])
        self.assertEqual(machine.goToLabel(60), 40)
        current = machine.getCurrentState()
        self.assertEqual((current.getBegin(), current.getName(), current.getLabels()), (20, "second", ["second", "other"]))
        self.assertFalse(machine.isOnFinalState())
        self.bridge.known["frame"] = 41
        self.assertTrue(machine.isOnFinalState())
        self.bridge.known["inside"] = False
        self.assertEqual(machine.getCurrentState(), None)
        machine.run()
        machine.pause()
        machine.stop()
        self.assertEqual([event[2:] for event in self.bridge.of("timeline")],
                         [("goto", 20), ("goto", 20), ("goto", 40), ("goto", 40), ("play", None), ("pause", None), ("stop", None)])

    def test_gotoParent(self):
        self.script().gotoParent("second")
        self.assertEqual(self.bridge.of("timeline"), [(0, True, "goto", "second")])

    def test_getTimelineFps_and_setTimelineFps(self):
        box = self.script()
        self.assertEqual(box.getTimelineFps(box.getName()), 25)
        box.setTimelineFps(box.getName(), 10)
        self.assertEqual([call[2:] for call in self.bridge.of("call")], [
            ("ALFrameManager", "getTimelineFps", [box.getName()]),
            ("ALFrameManager", "setTimelineFps", [box.getName(), 10])])

    # -- methods that frame managers called --

    def test_generated_methods_of_ports(self):
        box = self.script()
        getattr(box, "onInput_onStart__")(3)
        getattr(box, "onStopped__")()
        getattr(box, "value__")(4)
        self.assertEqual(self.bridge.of("stimulate"), [(0, "onStart", 3), (0, "onStopped", None), (0, "value", 4)])

    def test___onLoad___and___onUnload__(self):
        box = self.script("    def onLoad(self):\n        self.value('load')\n"
                          "    def onUnload(self):\n        self.value('unload')\n", has_resources=True)
        getattr(box, "__onLoad__")()
        getattr(box, "__onUnload__")()
        self.assertEqual(self.outputs(), [], "the engine has it loaded")
        self.bridge.known["loaded"] = False
        for method in ("__onLoad__", "__onLoad__", "__onUnload__", "__onUnload__"):
            getattr(box, method)()
        self.assertEqual(self.outputs(), [("value", "load"), ("value", "unload")])
        self.assertEqual([call[3] for call in self.bridge.of("call") if call[3] != "describe"], ["releaseResource"])

    def test___onNewState__(self):
        getattr(self.script(), "__onNewState__")()
        self.assertEqual(self.bridge.of("stimulate"), [(0, "onLoad", None)])

    def test___onTimelineStopped__(self):
        getattr(self.script(), "__onTimelineStopped__")()
        self.assertEqual(self.bridge.of("stimulate"), [(0, "onStopped", None)])

    def test___onResource__(self):
        text = "    def onResource(self, name):\n        self.value(name)\n"
        seen = []
        for mode in (legacy.LOCK, legacy.STOP_ON_DEMAND, legacy.PAUSE_ON_DEMAND, legacy.CALLBACK_ON_DEMAND):
            del self.bridge.events[:]
            self.bridge.known["mode"] = mode
            getattr(self.script(text), "__onResource__")("Speech")
            calls = [call[3] for call in self.bridge.of("call") if call[3] != "describe"]
            seen.append((calls, [event[2] for event in self.bridge.of("timeline")],
                         [event[1] for event in self.bridge.of("stimulate")], self.outputs()))
        self.assertEqual(seen, [
            ([], [], [], []),
            (["releaseResource"], ["stop"], ["onStopped"], []),
            (["releaseResource", "waitResourceFree", "waitResources"], ["pause", "play"], [], []),
            ([], [], [], [("value", "Speech")])])

    def test___onResource___of_a_box_that_wants_to_know(self):
        self.bridge.known["mode"] = legacy.STOP_ON_DEMAND
        box = self.script("    def onResourceLost(self):\n        self.value('lost')\n")
        getattr(box, "__onResource__")("Speech")
        self.assertEqual((self.outputs(), self.bridge.of("stimulate")), ([("value", "lost")], []))

    def test__safeCallOfUserMethod(self):
        box = self.script("    def good(self, p):\n        self.value(p)\n    def bad(self):\n        raise ValueError('x')\n")
        self.assertTrue(box._safeCallOfUserMethod("good", 3))
        self.assertTrue(box._safeCallOfUserMethod("missing"))
        self.assertFalse(box._safeCallOfUserMethod("bad"))
        self.assertEqual(self.outputs(), [("value", 3)])
        self.assertEqual(self.bridge.of("uncaught")[0][1:3], ("ValueError", "x"))
        box.onError = box.value
        self.assertFalse(box._safeCallOfUserMethod("bad"))
        self.assertEqual(self.outputs()[1:], [("value", INFO["full_name"] + ":x")])


class Bases(Case):
    def test_ALBehavior_as_the_base_of_a_box(self):
        box = self.box("class Talk(ALBehavior):\n    def __init__(self):\n        ALBehavior.__init__(self, 'Talk', False)\n"
                       "        self.said = self.boxName\n    def onInput_onStart(self, p):\n        self.value(p)\n"
                       "        self.log(self.said)\n")
        self.assertEqual(self.methods, ["onInput_onStart"])
        self.call(box, value=3)
        self.assertEqual(self.outputs(), [("value", 3)])
        self.assertEqual(self.bridge.of("log"), [(0, 7, "info", "Box")])

    def test_BehaviorLegacy_as_converters_write_it(self):
        box = self.box("from naoqi import *\nimport qicore\nimport qicore_legacy\n"
                       "class l1_Talk_class(qicore_legacy.BehaviorLegacy):\n"
                       "    def __init__(self, io_info=None):\n"
                       "        qicore_legacy.BehaviorLegacy.__init__(self, 'l1_Talk', io_info)\n"
                       "    def onInput_onStart(self):\n        self.value(1)\n"
                       "    def setParameter(self, n, v):\n        qicore_legacy.BehaviorLeagcy.setParameter(self, n, v)\n")
        self.call(box)
        state.objects[box].setParameter("speed", 2)
        self.assertEqual((self.outputs(), self.bridge.of("set")), ([("value", 1)], [(0, "speed", 2)]))

    def test_an_object_that_is_no_box_says_so(self):
        box = self.box("class Help(ALBehavior):\n    pass\nclass MyClass(GeneratedClass):\n"
                       "    def onInput_onStart(self):\n        Help().getName()\n")
        told = self.raises(RuntimeError, self.call, box)
        self.assertIn("not a box", told[1])
        self.assertEqual(told[2], 5)

    def test_qicore_makes_timelines_state_machines_and_boxes(self):
        box = self.box("import object_factory\nimport qicore\nimport qicore.statemachine\nfrom qicore.timeline import Timeline\n"
                       "class MyClass(GeneratedClass):\n"
                       "    def onInput_onStart(self):\n"
                       "        line = Timeline('broker', end=5)\n"
                       "        machine = qicore.statemachine.StateMachine('m')\n"
                       "        line.setStateMachine(machine)\n"
                       "        self.log(repr(line._handle))\n")
        self.call(box)
        made = [(kind, operation) for kind, _, operation, _ in self.bridge.of("object")]
        self.assertEqual(made, [("run", "newTimeline"), ("run", "newStateMachine"), ("timeline", "setStateMachine")])
        self.assertEqual(self.bridge.of("object")[2], ("timeline", (1,), "setStateMachine", [[2]]))

    def test_what_a_script_connects_ends_with_its_box(self):
        box = self.box("import boxstep\n"
                       "class MyClass(GeneratedClass):\n"
                       "    def onInput_onStart(self):\n"
                       "        other = boxstep.Box('b', outputs=['out'])\n"
                       "        other.connect('out', self.value)\n")
        self.bridge.object = lambda kind, handle, operation, args: self.bridge.note("object", operation, args) or [3]
        self.call(box)
        self.assertEqual(self.bridge.of("object")[-1], ("onOutput", ["out", self.bridge.of("object")[-1][1][1]]))
        host.drop(box)
        self.assertEqual(self.bridge.of("object")[-1], ("forget", [[3]]))


if __name__ == "__main__":
    unittest.main()
