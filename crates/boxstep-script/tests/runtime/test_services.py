"""Services, their signals, the session, and services that scripts register."""
import unittest

from fake import Case, host, state


class Proxies(Case):
    def setUp(self):
        Case.setUp(self)
        self.bridge.services = {
            "ALTextToSpeech": {"say": None, "getLanguage": "English", "getVolume": lambda: 0.5},
            "ALMemory": {"getData": lambda key: key.upper()},
            "ALTabletService": {"property": lambda name: name + "!", "setProperty": None},
        }

    def run_box(self, body, more=""):
        text = "    def onInput_onStart(self, p):\n"
        number = self.box(text + "".join("        %s\n" % line for line in body.splitlines()) + more)
        return self.call(number)

    def test_calls_carry_box_line_and_arguments(self):
        got = self.run_box("tts = ALProxy('ALTextToSpeech')\ntts.say('Hello', (1, 2))\nreturn tts.getLanguage()")
        self.assertEqual(got, "English")
        self.assertEqual(self.bridge.of("call"), [
            (0, 6, "ALTextToSpeech", "say", ["Hello", (1, 2)]), (0, 7, "ALTextToSpeech", "getLanguage", [])])

    def test_missing_service(self):
        got = self.run_box("try:\n    ALProxy('ALSonar')\nexcept RuntimeError as e:\n    return str(e)")
        self.assertEqual(got, "Cannot find service: ALSonar")
        self.assertEqual(self.bridge.of("no service"), [(0, 6, "ALSonar")])

    def test_forms_of_alproxy(self):
        got = self.run_box("a = ALProxy('ALMemory', True)\nb = ALProxy('ALMemory')\n"
                           "c = ALProxy('ALMemory', '127.0.0.1', 9559)\nreturn [a is b, c.getData('x')]")
        self.assertEqual(got, [False, "X"])
        self.assertEqual(self.bridge.of("log"), [])
        self.run_box("ALProxy('ALMemory', '192.168.1.7', 9559)")
        self.assertEqual([e[2] for e in self.bridge.of("log")], ["warning"])
        self.assertEqual(self.raises(TypeError, self.run_box, "ALProxy(3)")[0], "TypeError")

    def test_post_wait_stop(self):
        got = self.run_box("tts = ALProxy('ALTextToSpeech')\nid = tts.post.say('a')\nother = tts.pCall('say', 'b')\n"
                           "r = [tts.isRunning(id), tts.wait(id, 500), tts.wait(id, 0), tts.wait(id)]\ntts.stop(id)\n"
                           "return r + [tts.isRunning(id), other]")
        self.assertEqual(got, [True, True, False, False, False, 2])
        self.assertEqual([e[2:] for e in self.bridge.of("post")], [
            ("ALTextToSpeech", "say", ["a"]), ("ALTextToSpeech", "say", ["b"])])
        self.assertEqual(self.bridge.of("wait"), [(1, 500000000), (1, None), (1, None)])
        self.assertEqual(self.bridge.of("stop"), [(1,)])

    def test_a_service_may_have_methods_of_these_names(self):
        self.run_box("tts = ALProxy('ALTextToSpeech')\ntts.stop()\ntts.wait('all')\ntts.isRunning('dance')\ntts.stop(True)")
        self.assertEqual([e[3:] for e in self.bridge.of("call")], [
            ("stop", []), ("wait", ["all"]), ("isRunning", ["dance"]), ("stop", [True])])

    def test_call_by_name_and_ping(self):
        got = self.run_box("m = ALProxy('ALMemory')\nreturn [m.call('getData', 'k'), m.ping()]")
        self.assertEqual(got, ["K", True])
        self.run_box("self.f = self.session().service('ALTextToSpeech').async('say', 'x')")
        self.bridge.finish(1, True, 3)
        self.bridge.run()
        self.assertEqual(state.objects[1].f.value(), 3)

    def test_async_call_is_a_future(self):
        self.run_box("self.f = ALProxy('ALTextToSpeech').say('x', _async=True)\nself.f.addCallback(self.done)",
                     "    def done(self, future):\n        self.value([future.hasValue(), future.hasError()])\n")
        future = state.objects[0].f
        self.assertTrue(future.isRunning())
        self.bridge.finish(1, False, "refused")
        self.bridge.run()
        self.assertEqual(self.outputs(), [("value", [False, True])])
        self.assertEqual(future.error(), "refused")
        with self.assertRaisesRegex(RuntimeError, "^refused$"):
            future.value()

    def test_cancel_stops_the_call(self):
        self.run_box("f = ALProxy('ALTextToSpeech').say('x', _async=True)\nf.cancel()\nself.f = f")
        self.assertEqual(self.bridge.of("stop"), [(1,)])
        self.assertTrue(state.objects[0].f.isCanceled())

    def test_unknown_keyword(self):
        self.assertEqual(self.raises(TypeError, self.run_box, "ALProxy('ALMemory').getData(key='a')")[2], 5)

    def test_signals(self):
        self.run_box("t = self.session().service('ALTabletService')\nself.link = t.onTouchDown.connect(self.touched)\n"
                     "self.t = t",
                     "    def touched(self, x, y):\n        self.value([x, y])\n")
        self.assertEqual(self.bridge.of("subscribe"), [(0, 6, "signal", "ALTabletService", "onTouchDown")])
        self.bridge.raise_event("signal", "ALTabletService", "onTouchDown", 3, 4)
        self.bridge.run()
        box = state.objects[0]
        self.assertTrue(box.t.onTouchDown.disconnect(box.link))
        self.assertFalse(box.t.onTouchDown.disconnect(box.link))
        self.bridge.raise_event("signal", "ALTabletService", "onTouchDown", 3, 4)
        self.bridge.run()
        self.assertEqual(self.outputs(), [("value", [3, 4])])

    def test_an_event_under_way_when_its_subscription_ends(self):
        self.run_box("self.s = ALProxy('ALMemory').subscriber('k')\nself.link = self.s.signal.connect(self.onStopped)")
        self.bridge.raise_event("memory", "k", "", 1)
        state.objects[0].s.signal.disconnect(state.objects[0].link)
        self.bridge.run()
        self.assertEqual(self.outputs(), [])

    def test_a_signal_that_is_not_there(self):
        self.bridge.refuse_signals = ("nothing",)
        body = "self.session().service('ALTabletService').nothing.connect(self.onStopped)"
        self.assertEqual(self.raises(RuntimeError, self.run_box, body)[2], 5)
        self.assertEqual(state.subscriptions, {})

    def test_disconnect_all(self):
        self.run_box("t = self.session().service('ALTabletService')\nt.onTouch.connect(self.a)\nt.onTouch.connect(self.a)\n"
                     "t.onTouch.disconnectAll()", "    def a(self):\n        pass\n")
        self.assertEqual(self.bridge.of("unsubscribe"), [(1,), (2,)])

    def test_memory_subscriber(self):
        self.run_box("self.s = self.session().service('ALMemory').subscriber('FrontTactilTouched')\n"
                     "self.s.signal.connect(self.touched)", "    def touched(self, value):\n        self.value(value)\n")
        self.assertEqual(self.bridge.of("subscribe"), [(0, 6, "memory", "FrontTactilTouched", "")])
        self.bridge.raise_event("memory", "FrontTactilTouched", "", 1.0)
        self.bridge.run()
        self.assertEqual(self.outputs(), [("value", 1.0)])

    def test_dropping_a_box_ends_its_subscriptions(self):
        self.run_box("ALProxy('ALMemory').subscriber('k').signal.connect(self.onStopped)")
        host.drop(0)
        self.assertEqual(self.bridge.subscriptions, {})
        self.assertEqual(state.objects, {})

    def test_callbacks_that_raise_reach_the_host(self):
        self.run_box("ALProxy('ALMemory').subscriber('k').signal.connect(self.bad)", "    def bad(self):\n        1 / 0\n")
        self.bridge.raise_event("memory", "k", "", 1)
        self.assertEqual(self.raises(ZeroDivisionError, self.bridge.run)[2], 7)

    def test_properties(self):
        got = self.run_box("t = self.session().service('ALTabletService')\nt.mode.setValue(3)\nreturn t.mode.value()")
        self.assertEqual(got, "mode!")
        self.assertEqual([e[3:] for e in self.bridge.of("call")], [("setProperty", ["mode", 3]), ("property", ["mode"])])

    def test_default_proxies(self):
        self.assertEqual(self.run_box("return ALMemory.getData('a')"), "A")
        self.assertEqual(self.raises(NameError, self.run_box, "ALMotion.post.move()")[:2],
                         ("NameError", "name 'ALMotion' is not defined"))
        self.bridge.services["ALMotion"] = {}
        self.run_box("ALMotion.post.move(1)")
        self.assertEqual(self.bridge.of("post"), [(2, 5, "ALMotion", "move", [1])])

    def test_proxies_are_ordinary_objects(self):
        got = self.run_box("p = ALProxy('ALMemory')\nreturn [bool(p), p == p, repr(p), hasattr(p, '__len__'), "
                           "isinstance(p, ALProxy)]")
        self.assertEqual(got, [True, True, "<service ALMemory>", False, True])


class Local(Case):
    SERVICE = ("import qi\n"
               "class Counter(object):\n"
               "    def __init__(self):\n        self.changed = qi.Signal()\n        self.size = qi.Property()\n"
               "    def add(self, n):\n        self.changed(n)\n        return n + 1\n"
               "class MyClass(GeneratedClass):\n"
               "    def onInput_onStart(self):\n"
               "        self.link = self.session().registerService('Counter', Counter())\n"
               "    def onInput_onStop(self):\n        self.session().unregisterService(self.link)\n")

    def setUp(self):
        Case.setUp(self)
        self.box(self.SERVICE)
        self.call(0)

    def use(self, body):
        text = "".join("        %s\n" % line for line in body.splitlines())
        return self.call(self.box("    def onInput_onStart(self):\n" + text))

    def test_methods(self):
        got = self.use("s = self.session().service('Counter')\np = ALProxy('Counter')\n"
                       "return [s.add(1), p.add(2), p.call('add', 3), p.ping()]")
        self.assertEqual(got, [2, 3, 4, True])
        self.assertEqual(self.bridge.of("no service", "call"), [])

    def test_signal_and_property(self):
        self.use("s = self.session().service('Counter')\ns.changed.connect(self.value)\ns.size.setValue(4)\n"
                 "s.add(s.size.value())")
        self.bridge.run()
        self.assertEqual(self.outputs(), [("value", 4)])

    def test_async_and_post(self):
        self.use("s = ALProxy('Counter')\nself.f = s.add(1, _async=True)\nself.task = s.post.add(2)\nself.s = s")
        box = state.objects[1]
        self.assertTrue(box.s.isRunning(box.task))
        for _ in range(2):
            self.bridge.step()
        self.assertFalse(box.s.isRunning(box.task))
        self.bridge.run()
        self.assertEqual(box.f.value(), 2)
        self.assertFalse(box.s.isRunning(box.task))
        self.assertFalse(box.s.wait(box.task, 0))

    def test_missing_method_and_double_registration(self):
        self.assertEqual(self.raises(RuntimeError, self.use, "self.session().service('Counter').subtract(1)")[1],
                         "Cannot find method: Counter.subtract")
        self.assertIn("already registered", self.raises(RuntimeError, self.call, 0)[1])

    def test_unregister(self):
        self.call(0, "onInput_onStop")
        self.raises(RuntimeError, self.use, "self.session().service('Counter')")
        self.raises(RuntimeError, self.call, 0, "onInput_onStop")

    def test_dropping_the_box_takes_its_services_back(self):
        host.drop(0)
        self.raises(RuntimeError, self.use, "ALProxy('Counter')")

    def test_directory(self):
        self.bridge.services["ServiceDirectory"] = {"services": [{"name": "ALMemory"}]}
        got = self.use("return [s['name'] for s in self.session().services()]")
        self.assertEqual(got, ["ALMemory", "Counter"])

    def test_a_standalone_session(self):
        got = self.use("import qi\ns = qi.Session()\ns.connect('tcp://127.0.0.1:9559')\n"
                       "return [s.isConnected(), s.service('Counter').add(1), s.url()]")
        self.assertEqual(got, [True, 2, "tcp://127.0.0.1:9559"])


class Modules(Case):
    TEXT = ("from naoqi import ALModule\n"
            "class Watcher(ALModule):\n"
            "    def __init__(self, name, box):\n        ALModule.__init__(self, name)\n        self.box = box\n"
            "    def onTouch(self, key, value):\n        self.box.value([key, value])\n"
            "    def twice(self, x):\n        return x * 2\n"
            "class MyClass(GeneratedClass):\n"
            "    def onInput_onStart(self):\n        self.watcher = Watcher('watcher', self)\n"
            "    def onInput_onStop(self):\n        self.watcher.exit()\n")

    def test_memory_callbacks_and_calls(self):
        self.box(self.TEXT)
        self.call(0)
        (call,) = self.bridge.of("call")
        self.assertEqual(call[2:4] + (call[4][0],), ("ALBoxstep", "registerModule", "watcher"))
        self.bridge.deliver(call[4][1], ["onTouch", "k", 1, ""])
        self.bridge.run()
        self.assertEqual(self.outputs(), [("value", ["k", 1])])
        self.box("    def onInput_onStart(self):\n        return ALProxy('watcher').twice(4)\n")
        self.assertEqual(self.call(1), 8)

    def test_exit(self):
        self.box(self.TEXT)
        self.call(0)
        self.call(0, "onInput_onStop")
        self.call(0, "onInput_onStop")
        self.assertEqual([e[3] for e in self.bridge.of("call")], ["registerModule", "unregisterModule"])
        self.assertEqual(state.services, {})

    def test_broker(self):
        self.box("    def onInput_onStart(self):\n        b = ALBroker('b', '0.0.0.0', 0, '127.0.0.1', 9559)\n"
                 "        b.shutdown()\n        return b.getName()\n")
        self.assertEqual(self.call(0), "b")


if __name__ == "__main__":
    unittest.main()
