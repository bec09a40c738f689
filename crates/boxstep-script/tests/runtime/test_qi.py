"""The module `qi`: futures, promises, functions that run later, periodic tasks, signals."""
import threading
import unittest

from fake import HEAD, Case, Stopped, host, state


class Qi(Case):
    def setUp(self):
        Case.setUp(self)
        import qi
        self.qi = qi
        self.run_async = getattr(qi, "async")


class Async(Qi):
    def test_under_its_own_name(self):
        self.box("    def onInput_onStart(self):\n        import qi\n        self.f = qi.async(self.add, 1, 2)\n"
                 "        self.g = qi.runAsync(self.add, 3, 4)\n"
                 "    def add(self, a, b):\n        return a + b\n")
        self.call(0)
        box = state.objects[0]
        self.assertTrue(box.f.isRunning())
        self.bridge.run()
        self.assertEqual([box.f.value(), box.g.value()], [3, 7])

    def test_delay_is_in_microseconds(self):
        future = self.run_async(lambda: self.bridge.now(), delay=1500000)
        self.bridge.advance(1)
        self.assertTrue(future.isRunning())
        self.bridge.advance(1)
        self.assertEqual(future.value(), 1500000000)

    def test_cancel_before_it_runs(self):
        ran = []
        for delay in (0, 1000):
            future = self.run_async(lambda: ran.append(1), delay=delay)
            future.cancel()
            self.assertTrue(future.isCanceled())
            self.assertEqual(future.wait(), self.qi.FutureState.Canceled)
            self.assertRaisesRegex(RuntimeError, "canceled", future.value)
        self.bridge.advance(1)
        self.assertEqual((ran, self.bridge.timers), ([], []))

    def test_cancel_afterwards_changes_nothing(self):
        future = self.run_async(lambda: 1)
        self.bridge.run()
        future.cancel()
        self.assertEqual(future.value(), 1)

    def test_an_exception_is_the_futures_error_and_reported(self):
        self.box("    def onInput_onStart(self):\n        import qi\n        self.f = qi.async(self.bad)\n"
                 "    def bad(self):\n        return 1 / 0\n")
        self.call(0)
        self.bridge.run()
        future = state.objects[0].f
        self.assertTrue(future.hasError())
        self.assertTrue(future.error().startswith("ZeroDivisionError: "))
        ((obj, kind, _, line),) = self.bridge.of("uncaught")
        self.assertEqual((obj, kind, line), (0, "ZeroDivisionError", 8))
        self.assertNotIn("boxstep_runtime", self.bridge.traceback)

    def test_the_end_of_the_run_passes_through(self):
        def stop():
            raise Stopped()
        self.run_async(stop)
        self.assertRaises(Stopped, self.bridge.run)
        self.assertEqual(self.bridge.of("uncaught"), [])

    def test_wrong_arguments(self):
        self.assertRaises(TypeError, self.run_async, 3)
        self.assertRaises(TypeError, self.run_async, len, later=3)

    def test_a_value_that_another_task_waits_for(self):
        promise = self.qi.Promise()
        waiting, got = threading.Event(), []

        def wait():
            waiting.set()
            got.append(promise.future().value())
        thread = threading.Thread(target=wait)
        thread.start()
        waiting.wait()
        promise.setValue(42)
        thread.join()
        self.assertEqual(got, [42])


class Futures(Qi):
    def test_promise(self):
        for set_it, asked, answer in (("setValue", "value", 3), ("setError", "error", "3")):
            promise = self.qi.Promise()
            future = promise.future()
            self.assertTrue(future.isRunning())
            self.assertFalse(future.isFinished())
            getattr(promise, set_it)(3)
            self.assertEqual(getattr(future, asked)(), answer)
            self.assertRaisesRegex(RuntimeError, "already set", promise.setValue, 1)

    def test_states(self):
        states = self.qi.FutureState
        self.assertEqual(
            [getattr(states, "None"), states.Running, states.Canceled, states.FinishedWithError,
             states.FinishedWithValue], [0, 1, 2, 3, 4])
        promise = self.qi.Promise()
        self.assertEqual(promise.future().wait(0), states.Running)
        self.assertFalse(promise.future().hasValue(0))
        self.assertRaisesRegex(RuntimeError, "timeout", promise.future().value, 0)
        promise.setCanceled()
        self.assertEqual(promise.future().wait(), states.Canceled)
        self.assertRaisesRegex(RuntimeError, "no error", promise.future().error)

    def test_cancel_asks_the_promise(self):
        asked = []

        def on_cancel(promise):
            asked.append(promise.isCancelRequested())
            promise.setCanceled()
        promise = self.qi.Promise(on_cancel)
        self.assertTrue(promise.future().isCancelable())
        promise.future().cancel()
        self.assertEqual((asked, promise.future().isCanceled()), ([True], True))
        self.qi.Promise().future().cancel()

    def test_callbacks_run_in_order_and_never_at_once(self):
        promise, seen = self.qi.Promise(), []
        promise.future().addCallback(lambda f: seen.append(("first", f.value())))
        promise.future().addCallback(lambda f: seen.append("second"))
        promise.setValue(1)
        promise.future().addCallback(lambda: seen.append("third"))
        self.assertEqual(seen, [])
        self.bridge.run()
        self.assertEqual(seen, [("first", 1), "second", "third"])

    def test_a_callback_that_raises_is_reported_and_the_next_runs(self):
        future, seen = self.qi.Future(1), []
        future.addCallback(lambda f: 1 / 0)
        future.addCallback(seen.append)
        self.bridge.run()
        self.assertEqual(len(seen), 1)
        self.assertEqual([e[1] for e in self.bridge.of("uncaught")], ["ZeroDivisionError"])

    def test_then_and_then_unwrap(self):
        promise = self.qi.Promise()
        doubled = promise.future().andThen(lambda v: v * 2)
        described = promise.future().then(lambda f: "error" if f.hasError() else f.value())
        inner = promise.future().andThen(lambda v: self.qi.Future(v + 1)).unwrap()
        bad = promise.future().andThen(lambda v: v.x)
        promise.setValue(4)
        self.bridge.run()
        self.assertEqual([doubled.value(), described.value(), inner.value()], [8, 4, 5])
        self.assertTrue(bad.hasError())
        failed = self.qi.Promise()
        passed, seen = failed.future().andThen(lambda v: v), failed.future().then(lambda f: f.error())
        failed.setError("no")
        self.bridge.run()
        self.assertEqual([passed.error(), seen.value()], ["no", "no"])

    def test_barrier(self):
        promises = [self.qi.Promise() for _ in range(3)]
        all_ = self.qi.futureBarrier([p.future() for p in promises])
        for n, promise in enumerate(promises):
            self.assertTrue(all_.isRunning())
            promise.setValue(n)
            self.bridge.run()
        self.assertEqual([f.value() for f in all_.value()], [0, 1, 2])
        self.assertEqual(self.qi.futureBarrier([]).value(), [])


class Periodic(Qi):
    def task(self, function, period=1000000, **options):
        task = self.qi.PeriodicTask()
        task.setCallback(function)
        task.setUsPeriod(period)
        for name, value in options.items():
            getattr(task, name)(value)
        return task

    def test_ticks(self):
        for immediate, wanted in ((True, [0, 1, 2]), (False, [1, 2])):
            self.bridge.time, seen = 0, []
            task = self.task(lambda: seen.append(self.bridge.now() // 10**9))
            task.start(immediate)
            self.assertTrue(task.isRunning())
            self.bridge.advance(2.5)
            task.stop()
            self.bridge.advance(5)
            self.assertEqual((seen, task.isRunning(), task.isStopping()), (wanted, False, True))

    def test_the_period_begins_at_the_end_unless_compensated(self):
        for compensate, wanted in ((False, [0, 8, 16]), (True, [0, 5, 10])):
            self.bridge.time, seen = 0, []

            def work():
                seen.append(self.bridge.time // 10**9)
                self.bridge.time += 3 * 10**9
            task = self.task(work, 5000000, compensateCallbackTime=compensate)
            task.start(True)
            while len(seen) < 3:
                self.bridge.advance(1)
            task.stop()
            self.assertEqual(seen, wanted)

    def test_stop_and_restart_from_within(self):
        seen = []

        def work():
            seen.append(self.bridge.time // 10**9)
            if len(seen) == 2:
                task.stop()
                task.start(False)
            if len(seen) == 4:
                task.asyncStop()
        task = self.task(work)
        task.start(True)
        self.bridge.advance(10)
        self.assertEqual(seen, [0, 1, 2, 3])
        self.assertEqual(self.bridge.timers, [])

    def test_an_exception_ends_it(self):
        task = self.task(lambda: 1 / 0)
        task.start(True)
        self.bridge.advance(5)
        self.assertFalse(task.isRunning())
        self.assertEqual(len(self.bridge.of("uncaught")), 1)

    def test_it_ends_with_its_box(self):
        self.box("    def onInput_onStart(self):\n        import qi\n        self.t = qi.PeriodicTask()\n"
                 "        self.t.setCallback(self.onStopped)\n        self.t.setUsPeriod(1000000)\n"
                 "        self.t.start(False)\n")
        self.call(0)
        host.drop(0)
        self.bridge.advance(5)
        self.assertEqual(self.outputs(), [])

    def test_misuse(self):
        task = self.qi.PeriodicTask()
        self.assertRaises(RuntimeError, task.start, True)
        self.assertRaises(TypeError, task.setCallback, 3)
        self.assertRaises(RuntimeError, task.setUsPeriod, -1)
        task.stop()


class Signals(Qi):
    def test_signal(self):
        seen = []
        signal = self.qi.Signal("(i)", lambda on: seen.append(on))
        one = signal.connect(lambda v: seen.append(("one", v)))
        two = signal.connect(lambda v, w: seen.append(("two", v, w)))
        signal(1, 2)
        self.assertTrue(signal.disconnect(one))
        signal.trigger(3, 4)
        self.bridge.run()
        self.assertEqual(seen, [True, ("one", 1), ("two", 1, 2), ("two", 3, 4)])
        self.assertFalse(signal.disconnect(99))
        self.assertTrue(signal.disconnect(two))
        self.assertEqual(seen[-1], False)
        self.assertFalse(signal.disconnectAll())

    def test_property(self):
        prop, seen = self.qi.Property("i"), []
        prop.connect(seen.append)
        prop.setValue(4)
        self.bridge.run()
        self.assertEqual((prop.value(), prop.value(_async=True).value(), seen), (4, 4, [4]))


class Rest(Qi):
    def test_imports(self):
        import qi.logging
        import qi.path
        self.assertIs(qi, self.qi)
        self.assertIs(qi.path, self.qi.path)

    def test_logging(self):
        self.box(HEAD + "    def onInput_onStart(self):\n        import qi\n        log = qi.Logger('my.app')\n"
                 "        log.warning('careful', 3)\n        qi.error('my.app', 'part', 'broken')\n"
                 "        qi.logWarning('cat', 'x')\n        qi.logging.info('alone')\n")
        self.call(0)
        self.assertEqual(self.bridge.of("log"), [
            (0, 7, "warning", "my.app: careful 3"), (0, 8, "error", "my.app: part broken"),
            (0, 9, "warning", "cat: x"), (0, 10, "info", "alone")])

    def test_clocks(self):
        self.bridge.time = 5
        self.assertEqual((self.qi.clockNow(), self.qi.steadyClockNow()), (5, 5))
        self.assertGreater(self.qi.systemClockNow(), 10**18)

    def test_decorators_and_types(self):
        qi = self.qi

        @qi.singleThreaded
        class A(object):
            @qi.bind(qi.Int32, (qi.String, qi.List(qi.Float)), "go")
            def f(self):
                return 1

            @qi.nobind
            def g(self):
                return 2

        @qi.multiThreaded()
        class B(A):
            pass
        self.assertEqual((A().f(), B().g(), str(A.f.__qi_return_signature__)), (1, 2, "i"))
        self.assertEqual(str(qi.Map(qi.String, qi.Struct((qi.Bool, qi.Dynamic)))), "{s(bm)}")

    def test_application(self):
        app = self.qi.Application(["--x"])
        app.start()
        app.atStop(lambda: self.bridge.note("stopped"))
        app.stop()
        app.run()
        self.assertEqual(self.bridge.of("stopped"), [()])
        self.assertTrue(app.session.isConnected())

    def test_paths(self):
        import os
        import shutil
        import tempfile
        home = tempfile.mkdtemp()
        before = os.environ.get("XDG_DATA_HOME")
        os.environ["XDG_DATA_HOME"] = home
        try:
            path = self.qi.path.userWritableDataPath("app", "sub/file.txt")
            self.assertEqual(path, os.path.join(home, "app", "sub/file.txt"))
            self.assertEqual(self.qi.path.findData("app", "sub/file.txt"), "")
            open(path, "w").close()
            self.assertEqual(self.qi.path.findData("app", "sub/file.txt"), path)
            self.assertEqual(self.qi.path.listData("app", "sub/*"), [path])
        finally:
            shutil.rmtree(home)
            if before is None:
                del os.environ["XDG_DATA_HOME"]
            else:
                os.environ["XDG_DATA_HOME"] = before


if __name__ == "__main__":
    unittest.main()
