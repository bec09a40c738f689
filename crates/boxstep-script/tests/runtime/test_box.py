"""The functions that a box script inherits, and how the engine finds and calls its methods."""
import gc
import sys
import unittest

from fake import HEAD, INFO, Case, Stopped, host, state


class Construct(Case):
    def test_constructor_forms_behave_alike(self):
        for form in ("GeneratedClass.__init__(self)", "GeneratedClass.__init__(self, False)", "pass"):
            self.box("class MyClass(GeneratedClass):\n    def __init__(self):\n        %s\n        self.x = 1\n" % form)
            self.assertEqual(state.objects[self.numbers - 1].x, 1)

    def test_ports_and_parameters_are_there_in_the_constructor(self):
        self.bridge.parameters[0, "speed"] = 7
        self.box("class MyClass(GeneratedClass):\n"
                 "    def __init__(self):\n"
                 "        self.speed = self.getParameter('speed')\n"
                 "        self.onStopped()\n")
        self.assertEqual(state.objects[0].speed, 7)
        self.assertEqual(self.outputs(), [("onStopped", None)])

    @unittest.skipIf(sys.version_info < (3, 11), "what Python has found last is not in its code")
    def test_each_box_has_code_of_its_own(self):
        text = "class MyClass(GeneratedClass):\n    def a(self):\n        return [x for x in 'ab']\n"
        codes = []
        self.box(text)
        for number in range(3):
            host.construct(number, 0, INFO)
            codes.append(type(state.objects[number]).a.__code__)
        self.assertEqual(len(set(map(id, codes))), 3)

    def test_which_class_is_the_box(self):
        named = self.box("class MyClass(GeneratedClass):\n    pass\nclass Other(GeneratedClass):\n    pass\n")
        last = self.box("class First(GeneratedClass):\n    pass\nclass Second(First):\n    pass\n")
        empty = self.box("")
        stranger = self.box("class MyClass(object):\n    def onLoad(self):\n        self.onStopped()\n")
        names = [type(state.objects[n]).__name__ for n in (named, last, empty, stranger)]
        self.assertEqual(names, ["MyClass", "Second", "MyClass", "MyClass"])
        self.call(stranger, "onLoad")
        self.assertEqual(self.outputs(), [("onStopped", None)])

    def test_own_methods(self):
        self.box("    def onLoad(self):\n        pass\n    def onInput_onStart(self, p):\n        pass\n"
                 "    def setParameter(self, name, value):\n        pass\n    size = 3\n")
        self.assertEqual(self.methods, ["onInput_onStart", "onLoad", "setParameter"])
        self.box("")
        self.assertEqual(self.methods, [])
        self.box("    def __del__(self):\n        pass\n    def __len__(self):\n        return 1\n")
        self.assertEqual(self.methods, ["__del__"])

    def test_methods_of_a_shared_class_are_found(self):
        self.box("class Base(GeneratedClass):\n    def onLoad(self):\n        pass\n"
                 "class MyClass(Base):\n    def __init__(self):\n        Base.__init__(self)\n"
                 "        self.onUnload = self.onLoad\n")
        self.assertEqual(self.methods, ["onLoad", "onUnload"])

    def test_boxes_with_the_same_text_have_their_own_ports_and_globals(self):
        text = "count = 0\n" + HEAD + "    def onInput_onStart(self):\n        global count\n" \
            "        count += 1\n        getattr(self, self.getName())(count)\n"
        host.load(0, text, "dance.xar", False, "root/A")
        from fake import INFO
        for number, name in ((0, "a b"), (1, "b.c")):
            host.construct(number, 0, dict(INFO, full_name=name, outputs=[(name, False)]))
            self.call(number)
        self.assertEqual(self.bridge.of("output"), [(0, "a b", 1), (1, "b.c", 1)])

    def test_a_script_that_fails_to_construct_says_where(self):
        kind, message, line, text = self.raises(NameError, self.box, "import os\nnothing.here\n" + HEAD)
        self.assertEqual((kind, line), ("NameError", 2))
        self.assertIn('File "dance.xar: root/Box", line 2, in <module>\n    nothing.here\n', text)

    def test_last_reference_is_the_engines(self):
        number = self.box(HEAD + "    def __del__(self):\n        self.onStopped()\n")
        gc.disable()
        try:
            host.drop(number)
        finally:
            gc.enable()
        self.assertEqual(self.outputs(), [("onStopped", None)])

    def test_a_call_that_was_given_up_comes_after_its_object(self):
        number = self.box("    def onUnload(self):\n        pass\n")
        host.drop(number)
        with self.assertRaises(Stopped):
            host.hook(number, "onUnload")

    def test_an_object_that_refers_to_itself_is_destroyed_too(self):
        number = self.box(HEAD + "        self.me = self\n    def __del__(self):\n        self.onStopped()\n")
        gc.disable()
        try:
            host.drop(number)
        finally:
            gc.enable()
        self.assertEqual(self.outputs(), [("onStopped", None)])


class Outputs(Case):
    def test_values_and_bangs(self):
        self.box("    def onInput_onStart(self):\n        self.onStopped()\n        self.onStopped(3)\n"
                 "        self.value([1, 'a'])\n")
        self.call(0)
        self.assertEqual(self.outputs(), [("onStopped", None), ("onStopped", 3), ("value", [1, "a"])])

    def test_a_typed_output_needs_a_value(self):
        self.box("    def onInput_onStart(self):\n        self.value()\n")
        kind, message, line, _ = self.raises(TypeError, self.call, 0)
        self.assertEqual(line, 5)
        self.assertIn("value()", message)

    def test_what_is_no_output_is_no_attribute(self):
        self.box("    def onInput_onStart(self):\n        self.onError('x')\n")
        kind, message, line, _ = self.raises(AttributeError, self.call, 0)
        self.assertEqual((message, line), ("'MyClass' object has no attribute 'onError'", 5))

    def test_an_output_may_have_the_name_of_a_function(self):
        self.box("    def onInput_onStart(self):\n        self.log('x')\n        self.getName(1)\n",
                 outputs=[("log", False), ("getName", False)])
        self.call(0)
        self.assertEqual(self.outputs(), [("log", "x"), ("getName", 1)])

    def test_a_bound_output_can_be_kept(self):
        self.box("    def onInput_onStart(self):\n        f = self.onStopped\n        f()\n")
        self.call(0)
        self.assertEqual(self.outputs(), [("onStopped", None)])

    def test_stimulate_by_name(self):
        self.box("    def onInput_onStart(self):\n        self.stimulateIO('onStart', 4)\n")
        self.call(0)
        self.assertEqual(self.bridge.of("stimulate"), [(0, "onStart", 4)])


class Hooks(Case):
    def test_argument_rule(self):
        text = ("    def a(self):\n        return 'none'\n"
                "    def b(self, p):\n        return p\n"
                "    def c(self, p=9):\n        return p\n"
                "    def d(self, *args):\n        return args\n"
                "    def e(self, p, *args):\n        return p, args\n"
                "    @staticmethod\n    def f(p):\n        return p\n")
        self.box(text)
        got = [self.call(0, name, 5) for name in "abcdef"]
        self.assertEqual(got, ["none", 5, 5, (), (5, ()), 5])
        self.box("    def a(self, p, q):\n        pass\n")
        self.assertEqual(self.raises(TypeError, self.call, 1, "a", 5)[0], "TypeError")

    def test_partial_and_lambda(self):
        self.box(HEAD + "        import functools\n"
                 "        self.a = functools.partial(self.add, 1)\n"
                 "        self.b = lambda p: p * 2\n"
                 "    def add(self, x, y):\n        return x + y\n")
        self.assertEqual([self.call(0, name, 5) for name in "ab"], [6, 10])

    def test_missing_method(self):
        self.box("")
        self.raises(AttributeError, host.hook, 0, "onTouch")

    def test_up_to(self):
        seen = []
        args = ["key", 1, ""]
        host.up_to(lambda: seen.append("none"), args)
        host.up_to(lambda key: seen.append(key), args)
        host.up_to(lambda key, value: seen.append((key, value)), args)
        host.up_to(lambda key, value, message: seen.append(message), args)
        host.up_to(lambda *all: seen.append(all), args)
        self.assertEqual(seen, ["none", "key", ("key", 1), "", ("key", 1, "")])
        with self.assertRaises(TypeError):
            host.up_to(lambda a, b, c, d: None, args)


class Parameters(Case):
    def test_get_and_set(self):
        self.bridge.parameters[0, "speed"] = 2
        self.box("    def onInput_onStart(self):\n        self.setParameter('speed', self.getParameter('speed') + 1)\n"
                 "        return self.getParametersList()\n")
        self.assertEqual(self.call(0), ["speed"])
        self.assertEqual(self.bridge.parameters[0, "speed"], 3)

    def test_unknown_parameter_raises(self):
        self.box("    def onInput_onStart(self):\n        self.getParameter('x')\n")
        self.assertEqual(self.raises(RuntimeError, self.call, 0)[:3], ("RuntimeError", "no parameter named x", 5))

    def test_an_override_may_call_the_base(self):
        self.box("    def setParameter(self, name, value):\n        GeneratedClass.setParameter(self, name, value)\n"
                 "        self.onStopped()\n"
                 "    def onInput_onStart(self):\n        self.setParameter('speed', 1)\n")
        self.call(0)
        self.assertEqual(self.bridge.of("set", "output"), [("set", 0, "speed", 1), ("output", 0, "onStopped", None)])


class Identity(Case):
    def test_names_and_paths(self):
        self.box("    def onInput_onStart(self):\n"
                 "        return [self.getName(), self.boxName, self.id, self.parentId, self.parentBoxName,\n"
                 "                self.behaviorId, self.packageUid(), self.behaviorAbsolutePath() + '/x.ogg',\n"
                 "                self.behaviorRelativePath(), self.resource]\n",
                 behavior_path="/home/nao/app/dance", behavior_relative_path="dance")
        self.assertEqual(self.call(0), [
            "_Behavior__1__root__Box_2", "Box", "_Behavior__1__root__Box_2", "_Behavior__1__root", "root",
            "_Behavior__1", "my-app", "/home/nao/app/dance/x.ogg", "dance", False])

    def test_a_script_may_use_the_names_for_itself(self):
        self.box("    def onInput_onStart(self):\n        self.id = 5\n        self.boxName = self\n"
                 "        self.logger = None\n        self.onStopped()\n        return self.getParameter('speed')\n")
        self.bridge.parameters[0, "speed"] = 2
        self.assertEqual(self.call(0), 2)
        self.assertEqual(self.outputs(), [("onStopped", None)])


class Timelines(Case):
    def test_commands_and_questions(self):
        self.bridge.timelines[0, False] = {"size": 100, "fps": 25}
        self.box("    def onInput_onStart(self):\n"
                 "        t = self.getTimeline()\n"
                 "        t.setFPS(t.getFPS() * 50 / 100)\n"
                 "        return [t.getSize(), t.getFPS(), self.hasTimeline(), self.hasParentTimeline()]\n",
                 has_timeline=True, has_parent_timeline=False)
        self.assertEqual(self.call(0), [100, 12, True, False])

    def test_no_timeline_is_silent(self):
        self.box("    def onInput_onStart(self):\n"
                 "        t = self.getParentTimeline()\n        t.goTo('Dance')\n        t.play()\n"
                 "        return [t.getSize(), t.getFPS()]\n")
        self.assertEqual(self.call(0), [0, 0])
        self.assertEqual([e[2:] for e in self.bridge.of("timeline")][:2], [("goto", "Dance"), ("play", None)])

    def test_names_of_old(self):
        text = "    def onInput_onStart(self):\n"
        for call in ("playTimeline()", "stopTimeline()", "exitBehavior()", "gotoAndPlay(3)", "gotoAndStop('a')"):
            text += "        self.%s\n" % call
            text += "        self.%s\n" % call.replace("(", "Parent(")
        self.box(text)
        self.call(0)
        own = [("play", None), ("pause", None), ("stop", None), ("goto", 3), ("play", None), ("pause", None),
               ("goto", "a")]
        events = self.bridge.of("timeline")
        self.assertEqual([e[2:] for e in events if not e[1]], own)
        self.assertEqual([e[2:] for e in events if e[1]], own)


class Resources(Case):
    def test_the_engine_is_asked_for_the_box_s_resources(self):
        self.box("    def onInput_onStart(self):\n"
                 "        return [self.waitResources(), self.waitResourcesCallback('lost'), self.waitResourceFree(),\n"
                 "                self.waitFor(['Legs'], self.lost, 5, 0), self.waitFor('Legs'),\n"
                 "                self.releaseResource()]\n"
                 "    def lost(self, name):\n        pass\n")
        self.assertEqual(self.call(0), [True] * 6)
        me = "_Behavior__1__root__Box_2"
        self.assertEqual(self.bridge.of("call"), [(0, line, "ALBoxstep", method, [me] + args) for line, method, args in [
            (5, "waitResources", []), (5, "waitResourcesCallback", ["lost"]), (5, "waitResourceFree", []),
            (6, "waitFor", [["Legs"], "lost", 5]), (6, "waitFor", [["Legs"], "", 0]), (7, "releaseResource", [])]])

    def test_whether_the_box_has_any(self):
        self.box("    def onInput_onStart(self):\n"
                 "        before = self.resource\n        self.setResources(['Head'], 3)\n"
                 "        return [before, self.resource, self.isResourceFree('Head')]\n")
        self.assertEqual(self.call(0), [False, True, True])
        self.assertEqual([call[2:] for call in self.bridge.of("call")], [
            ("ALBoxstep", "setResources", ["_Behavior__1__root__Box_2", ["Head"], 3]),
            ("ALResourceManager", "areResourcesFree", [["Head"]])])


class Accepted(Case):
    def test_what_has_no_effect_warns_once(self):
        self.box("    def onInput_onStart(self):\n        for i in (1, 2):\n"
                 "            self.setEnabled(False)\n        self.exit()\n")
        self.call(0)
        logs = self.bridge.of("log")
        self.assertEqual([(obj, line, level) for obj, line, level, _ in logs], [(0, 6, "warning"), (0, 7, "warning")])
        self.assertIn("setEnabled()", logs[0][3])

    def test_bind_python(self):
        self.box("    def onLoad(self):\n        self.BIND_PYTHON(self.getName(), 'onTouch')\n"
                 "        self.BIND_PYTHON(self.getName(), 'onTouch', 3)\n"
                 "        self.BIND_PYTHON('MyModule', 'onTouch')\n        self.BIND_PYTHON('MyModule', 'other')\n"
                 "    def onTouch(self, key, value):\n        self.value([key, value])\n")
        self.call(0, "onLoad")
        (call,) = self.bridge.of("call")
        self.assertEqual(call[2:4], ("ALBoxstep", "registerModule"))
        self.bridge.deliver(call[4][1], ["onTouch", "FrontTactilTouched", 1.0, ""])
        self.bridge.run()
        self.assertEqual(self.outputs(), [("value", ["FrontTactilTouched", 1.0])])
        host.drop(0)
        self.assertEqual(self.bridge.of("call")[-1][2:], ("ALBoxstep", "unregisterModule", ["MyModule"]))


if __name__ == "__main__":
    unittest.main()
