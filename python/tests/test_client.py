"""`qi` and `naoqi` in a plain Python: sessions, services, objects of one's own, proxies, modules, tasks and periodic
tasks, against a simulated robot in another process and against a session of this one."""
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest

import boxstep.compat

sys.path.append(boxstep.compat.FOLDER)

import naoqi  # noqa: E402
import qi  # noqa: E402

# Long enough for any machine: nothing here waits for it unless the test fails.
LONG = 60


class Heard:
    """Collects calls and waits for them."""

    def __init__(self):
        self.calls = []
        self.changed = threading.Condition()

    def __call__(self, *args):
        with self.changed:
            self.calls.append(args)
            self.changed.notify_all()

    def wait(self, count=1):
        with self.changed:
            if not self.changed.wait_for(lambda: len(self.calls) >= count, LONG):
                raise AssertionError("waited in vain for %d calls, there are %r" % (count, self.calls))
            return self.calls


class _Login:
    """The factory of authenticators, and the authenticator, that a program gives a session."""

    def __init__(self, login):
        self.login = login

    def newAuthenticator(self):
        return self

    def initialAuthData(self):
        return self.login


class Lamp:
    """An object as programs offer them."""

    def __init__(self):
        self.switched = qi.Signal("(sb)")
        self.level = qi.Property("i")
        self.level.setValue(3)
        self._secret = 5

    def dim(self, by, twice=False):
        return by * (2 if twice else 1)

    def all(self, *values):
        return list(values)

    @qi.nobind
    def hidden(self):
        return 1

    @qi.bind(qi.String, (qi.Int32,), "named")
    def python_name(self, number):
        return "n%d" % number

    def fail(self):
        raise ValueError("it is broken")

    def later(self):
        return qi.runAsync(lambda: "later")

    def give(self):
        return Inner()

    def use(self, other):
        return other.answer() + 1


class Inner:
    def answer(self):
        return 41


class Directory(unittest.TestCase):
    """Two sessions, without a robot."""

    @classmethod
    def setUpClass(cls):
        cls.home = qi.Session()
        cls.home.listenStandalone("tcp://127.0.0.1:0")
        cls.lamp = Lamp()
        cls.number = cls.home.registerService("Lamp", cls.lamp)
        cls.session = qi.Session()
        cls.session.connect(cls.home.url())
        cls.remote = cls.session.service("Lamp")

    @classmethod
    def tearDownClass(cls):
        cls.session.close()
        cls.home.close()

    def test_methods(self):
        lamp = self.remote
        self.assertEqual(lamp.dim(2), 2)
        self.assertEqual(lamp.dim(2, True), 4)
        self.assertEqual(lamp.all(), [])
        self.assertEqual(lamp.all(1, "two", None), [1, "two", None])
        self.assertEqual(lamp.named(7), "n7")
        self.assertEqual(lamp.later(), "later")
        self.assertEqual(lamp.call("dim", 5), 5)
        self.assertEqual(lamp.dim(4, _async=True).value(), 4)
        with self.assertRaisesRegex(RuntimeError, "it is broken"):
            lamp.fail()
        with self.assertRaisesRegex(RuntimeError, "it is broken"):
            lamp.fail(_async=True).value()
        with self.assertRaises(RuntimeError):
            lamp.dim()
        for name in ("hidden", "python_name", "_secret", "nothing"):
            self.assertFalse(hasattr(lamp, name), name)
        self.assertTrue({"dim", "switched", "level", "named"} <= set(dir(lamp)))

    def test_values_keep_their_kind(self):
        for value in (None, True, 0, -2**63, 2**64 - 1, 1.5, "grün 機", [1, [2.5, "x"]], {"a": [1], "b": None},
                      bytearray(b"\x00\xff")):
            (back,) = self.remote.all(value)
            self.assertEqual(back, value)
            self.assertIs(type(back), type(value))
        self.assertEqual(self.remote.all(b"bytes", (1, "t")), ["bytes", (1, "t")])
        for bad in (2**70, object(), {1, 2}, lambda: 1):
            with self.assertRaises((TypeError, OverflowError)):
                self.remote.all(bad)
        loop = []
        loop.append(loop)
        with self.assertRaises(ValueError):
            self.remote.all(loop)

    def test_objects_are_passed_both_ways(self):
        self.assertEqual(self.remote.give().answer(), 41)
        self.assertEqual(self.remote.use(Inner()), 42)
        self.assertEqual(self.remote.use(self.remote.give()), 42)
        self.assertEqual(self.remote, self.session.service("Lamp"))
        self.assertNotEqual(self.remote.give(), self.remote)

    def test_signals(self):
        heard = Heard()
        number = self.remote.switched.connect(heard)
        for count in range(20):
            self.lamp.switched("a", count % 2 == 0)
        self.assertEqual(heard.wait(20), [("a", count % 2 == 0) for count in range(20)])
        self.assertTrue(self.remote.switched.disconnect(number))
        self.assertFalse(self.remote.switched.disconnect(number))
        self.lamp.switched("b", True)
        again = Heard()
        self.remote.switched.connect(again)
        self.lamp.switched("c", True)
        again.wait()
        self.assertEqual(len(heard.calls), 20)
        self.remote.switched.disconnectAll()

    def test_a_function_that_waits_for_another_signal_gets_it(self):
        other, done = threading.Event(), Heard()
        self.remote.switched.connect(lambda *_: done(other.wait(LONG)))
        number = self.remote.level.connect(lambda _: other.set())
        self.lamp.switched("a", True)
        self.lamp.level.setValue(4)
        self.assertEqual(done.wait(), [(True,)])
        self.remote.switched.disconnectAll()
        self.remote.level.disconnect(number)

    def test_properties(self):
        heard = Heard()
        number = self.remote.level.connect(heard)
        self.remote.level.setValue(9)
        self.assertEqual(self.lamp.level.value(), 9)
        self.lamp.level.setValue(11)
        self.assertEqual(self.remote.level.value(), 11)
        self.assertEqual(heard.wait(2), [(9,), (11,)])
        self.remote.level.disconnect(number)
        with self.assertRaises((RuntimeError, TypeError)):
            self.remote.level.setValue("no number")
        self.assertEqual(self.remote.level.value(), 11)

    def test_services_come_and_go(self):
        came, went = Heard(), Heard()
        self.session.serviceRegistered.connect(came)
        self.session.serviceUnregistered.connect(went)
        number = self.home.registerService("Other", Inner())
        self.session.waitForService("Other")
        self.assertEqual(came.wait(), [(number, "Other")])
        self.assertIn("Other", [each["name"] for each in self.session.services()])
        self.home.unregisterService(number)
        self.assertEqual(went.wait(), [(number, "Other")])
        with self.assertRaisesRegex(RuntimeError, "Cannot find service 'Another'"):
            self.session.service("Another")
        with self.assertRaises(RuntimeError):
            self.session.waitForService("Never", 1)
        self.session.serviceRegistered.disconnectAll()
        self.session.serviceUnregistered.disconnectAll()

    def test_sessions(self):
        session = qi.Session()
        self.assertFalse(session.isConnected())
        with self.assertRaisesRegex(RuntimeError, "not connected"):
            session.service("Lamp")
        with self.assertRaises(RuntimeError):
            session.connect("tcp://127.0.0.1:1")
        for url in ("", "nonsense://x", "tcp://127.0.0.1:99999"):
            with self.assertRaises(RuntimeError):
                session.connect(url)
        over = Heard()
        session.disconnected.connect(over)
        session.connect(self.home.url(), _async=True).value()
        self.assertTrue(session.isConnected())
        with self.assertRaisesRegex(RuntimeError, "already"):
            session.connect(self.home.url())
        lamp = session.service("Lamp")
        session.close()
        over.wait()
        self.assertFalse(session.isConnected())
        with self.assertRaises(RuntimeError):
            lamp.dim(1)

    def test_applications(self):
        args = ["prog", "--qi-url", self.home.url(), "own", "--qi-listen-url=tcp://127.0.0.1:0"]
        application = qi.Application(args)
        self.assertEqual(args, ["prog", "own"])
        ran, stopped = Heard(), Heard()
        application.atRun(lambda: (ran(), application.stop()))
        application.atStop(stopped)
        application.run()
        self.assertEqual((ran.wait(), stopped.wait()), ([()], [()]))
        self.assertEqual(len(application.session.endpoints()), 1)
        application.session.close()


class Tasks(unittest.TestCase):
    def test_futures(self):
        self.assertEqual(qi.runAsync(lambda a: a + 1, 2).value(), 3)
        promise = qi.Promise()
        heard = Heard()
        promise.future().addCallback(lambda future: heard(future.value()))
        promise.setValue(4)
        self.assertEqual(heard.wait(), [(4,)])
        chained = qi.runAsync(lambda: 1).andThen(lambda value: value + 1).then(lambda future: future.value() * 10)
        self.assertEqual(chained.value(), 20)
        with self.assertRaisesRegex(RuntimeError, "timeout"):
            qi.Promise().future().value(1)
        waiting = qi.runAsync(lambda: None, delay=LONG * 1000000)
        waiting.cancel()
        self.assertTrue(waiting.isCanceled())
        self.assertEqual([each.value() for each in qi.futureBarrier([qi.runAsync(lambda: 1)]).value()], [1])

    def test_more_tasks_than_threads(self):
        gate, done = threading.Event(), Heard()
        for number in range(300):
            qi.runAsync(lambda number=number: (gate.wait(LONG), done(number)))
        gate.set()
        self.assertEqual(sorted(done.wait(300)), [(number,) for number in range(300)])

    def test_periodic_tasks(self):
        ticks, task = Heard(), qi.PeriodicTask()
        task.setCallback(ticks)
        task.setUsPeriod(1000)
        task.start(True)
        ticks.wait(5)
        task.stop()
        count = len(ticks.calls)
        self.assertFalse(task.isRunning())
        self.assertEqual(qi.runAsync(lambda: len(ticks.calls), delay=20000).value(), count)

    def test_delays_keep_their_order(self):
        heard = Heard()
        for delay in (30000, 10000, 20000):
            qi.runAsync(heard, delay, delay=delay)
        self.assertEqual(heard.wait(3), [(10000,), (20000,), (30000,)])


class Robot(unittest.TestCase):
    """A simulated robot in a process of its own."""

    @classmethod
    def setUpClass(cls):
        cls.process = subprocess.Popen([os.environ["BOXSTEP"], "robot", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
                                       stdin=subprocess.DEVNULL, universal_newlines=True)
        cls.url = cls.process.stdout.readline().split()[-1]
        cls.port = int(cls.url.rpartition(":")[2])
        threading.Thread(target=lambda: list(cls.process.stdout), daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.process.terminate()
        cls.process.wait()

    def test_a_proxy(self):
        memory = naoqi.ALProxy("ALMemory", "127.0.0.1", self.port)
        memory.insertData("key", [1, "two"])
        self.assertEqual(memory.getData("key"), [1, "two"])
        with self.assertRaisesRegex(RuntimeError, "nosuch"):
            memory.getData("nosuch")
        with self.assertRaisesRegex(RuntimeError, "ALMemory has no method nothing"):
            memory.nothing()
        with self.assertRaisesRegex(RuntimeError, "Cannot find service 'Nothing'"):
            naoqi.ALProxy("Nothing", "127.0.0.1", self.port)
        with self.assertRaises(RuntimeError):
            naoqi.ALProxy("ALMemory", "127.0.0.1", 1)

    def test_posts(self):
        speech = naoqi.ALProxy("ALTextToSpeech", "127.0.0.1", self.port)
        task = speech.post.say("a sentence that lasts for some time, longer than this test needs")
        self.assertTrue(speech.isRunning(task))
        speech.stop(task)
        self.assertFalse(speech.wait(task, 0))
        self.assertFalse(speech.isRunning(task))
        with self.assertRaises(RuntimeError):
            speech.post.nothing()

    def test_a_module_hears_events(self):
        broker = naoqi.ALBroker("broker", "0.0.0.0", 0, "127.0.0.1", self.port)

        class Module(naoqi.ALModule):
            def __init__(self, name):
                naoqi.ALModule.__init__(self, name)
                self.all, self.one = Heard(), Heard()
                naoqi.ALProxy("ALMemory").subscribeToEvent("First", name, "on_first")
                naoqi.ALProxy("ALMemory").subscribeToEvent("Second", name, "a message", "on_second")

            def on_first(self, key, value, message):
                self.all(key, value, message)

            def on_second(self, key):
                self.one(key)

            def double(self, number):
                return number * 2

        module = Module("mine")
        memory = naoqi.ALProxy("ALMemory")
        memory.raiseEvent("First", 2.5)
        memory.raiseEvent("Second", 1)
        self.assertEqual(module.all.wait(), [("First", 2.5, "mine")])
        self.assertEqual(module.one.wait(), [("Second",)])
        with self.assertRaises(AttributeError):
            memory.subscribeToEvent("First", "mine", "nothing")
        with self.assertRaisesRegex(RuntimeError, "no module other"):
            memory.subscribeToEvent("First", "other", "on_first")
        # Another program calls it by its name.
        session = qi.Session(self.url)
        self.assertEqual(session.service("mine").double(21), 42)
        self.assertFalse(hasattr(session.service("mine"), "exit"))
        memory.unsubscribeToEvent("First", "mine")
        with self.assertRaises(RuntimeError):
            memory.unsubscribeToEvent("First", "mine")
        self.assertTrue(broker.isModulePresent("mine"))
        broker.shutdown()
        self.assertNotIn("mine", [each["name"] for each in session.services()])
        with self.assertRaisesRegex(RuntimeError, "broker"):
            naoqi.ALProxy("ALMemory")
        session.close()

    def test_a_subscriber(self):
        session = qi.Session(self.url)
        memory, heard = session.service("ALMemory"), Heard()
        subscriber = memory.subscriber("Third")
        number = subscriber.signal.connect(heard)
        memory.raiseEvent("Third", {"a": [1]})
        self.assertEqual(heard.wait(), [({"a": [1]},)])
        subscriber.signal.disconnect(number)
        session.close()

    def test_a_robot_with_a_password(self):
        with tempfile.TemporaryDirectory() as folder:
            password = os.path.join(folder, "password")
            with open(password, "w") as file:
                file.write("secret\n")
            process = subprocess.Popen(
                [os.environ["BOXSTEP"], "robot", "--listen", "127.0.0.1:0", "--password", password, "--user", "ann"],
                stdout=subprocess.PIPE, universal_newlines=True)
            try:
                address = process.stdout.readline().split()[-1]
                self.assertTrue(address.startswith("tcps://"), address)
                for login in [None, {"user": "ann", "token": "guess"}, {"user": "nao", "token": "secret"}]:
                    session = qi.Session()
                    if login is not None:
                        session.setClientAuthenticatorFactory(_Login(login))
                    with self.assertRaises(RuntimeError):
                        session.connect(address)
                session = qi.Session()
                session.setClientAuthenticatorFactory(_Login({"user": "ann", "token": "secret"}))
                session.connect(address)
                self.assertEqual(session.service("ALTextToSpeech").getLanguage(), "English")
                # An object of this program is reached by the same connection.
                session.registerService("Lamp", Lamp())
                self.assertEqual(session.service("Lamp").dim(2), 2)
                session.close()
            finally:
                process.kill()
                process.wait()
                process.stdout.close()

    def test_a_robot_that_goes_is_told(self):
        process = subprocess.Popen([os.environ["BOXSTEP"], "robot", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, universal_newlines=True)
        session = qi.Session(process.stdout.readline().split()[-1])
        over = Heard()
        session.disconnected.connect(over)
        future = session.service("ALTextToSpeech").say("a sentence that lasts for some time", _async=True)
        process.kill()
        process.wait()
        process.stdout.close()
        over.wait()
        self.assertTrue(future.hasError())
        self.assertFalse(session.isConnected())
        with self.assertRaises(RuntimeError):
            session.service("ALMemory")

    @unittest.skipIf(os.name == "nt", "Windows has no such signal")
    def test_an_application_runs_until_its_robot_goes(self):
        process = subprocess.Popen([os.environ["BOXSTEP"], "robot", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, universal_newlines=True)
        application = qi.Application(["prog", "--qi-url", process.stdout.readline().split()[-1]])
        runs, stops = Heard(), Heard()
        application.atRun(runs)
        application.atStop(stops)
        running = threading.Thread(target=application.run, daemon=True)
        running.start()
        runs.wait()
        self.assertEqual(stops.calls, [])
        process.kill()
        process.wait()
        process.stdout.close()
        running.join(LONG)
        self.assertFalse(running.is_alive())
        self.assertEqual(stops.wait(), [()])

    def test_an_interrupt_ends_a_call(self):
        program = """
            import sys
            import boxstep.compat
            sys.path.append(boxstep.compat.FOLDER)
            from naoqi import ALProxy
            speech = ALProxy("ALTextToSpeech", "127.0.0.1", %d)
            speech.getVolume()
            try:
                print("speaks", flush=True)
                while True:
                    speech.say("a very long sentence " * 50)
            except KeyboardInterrupt:
                print("interrupted")
        """ % self.port
        process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE,
                                   universal_newlines=True)
        self.assertEqual(process.stdout.readline(), "speaks\n")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=LONG)
        self.assertEqual((out, process.returncode), ("interrupted\n", 0))


class Whose(unittest.TestCase):
    def run_python(self, text, *folders):
        path = os.pathsep.join(list(folders) + [os.environ["PYTHONPATH"]])
        program = "import sys, boxstep.compat\nsys.path.append(boxstep.compat.FOLDER)\n" + textwrap.dedent(text)
        done = subprocess.run([sys.executable, "-c", program], env=dict(os.environ, PYTHONPATH=path),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_an_installed_module_comes_first_wherever_it_is(self):
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "qi.py"), "w") as file:
                file.write("whose = 'installed'\n")
            ask = "import qi; print(getattr(qi, 'whose', 'ours'))"
            self.assertEqual(self.run_python(ask, folder), ["installed"])
            self.assertEqual(self.run_python("sys.path.append(%r)\n" % folder + ask), ["installed"])
            self.assertEqual(self.run_python("boxstep.compat.use()\n" + ask, folder), ["ours"])
            late = "import qi\ntry:\n    boxstep.compat.use()\nexcept RuntimeError as error:\n    print('late')"
            self.assertEqual(self.run_python(late, folder), ["late"])

    def test_every_module_is_there(self):
        ask = """
            import almath, allog, motion, vision_definitions, naoqi, qi, qi.path, qi.logging
            print(almath.Pose2D(1, 2, 3).x, motion.FRAME_ROBOT, vision_definitions.kQVGA, qi.logging.Logger("x").category,
                  callable(qi.path.findData), almath.AXIS_MASK_ALL)
        """
        self.assertEqual(self.run_python(ask), ["1.0", "2", "1", "x", "True", "63"])


if __name__ == "__main__":
    unittest.main()
