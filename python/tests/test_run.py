"""Runs of behaviors: lifecycle, time, stimuli, results, errors."""
import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import weakref

import boxstep

ROOT = os.environ["BOXSTEP_ROOT"]


def example(name):
    return os.path.join(ROOT, "examples", name)


def fixture(name):
    return os.path.join(ROOT, "crates/boxstep/tests/fixtures", name)


def threads_of_this_process():
    """Returns the system's names of the threads; none if it does not show them."""
    folder = "/proc/self/task"
    names = []
    for thread in os.listdir(folder) if os.path.isdir(folder) else ():
        try:
            with open("%s/%s/comm" % (folder, thread)) as file:
                names.append(file.read().strip())
        except OSError:
            pass  # it has ended meanwhile
    return names


class Play(unittest.TestCase):
    def test_a_behavior_with_scripts_plays_to_its_end(self):
        run = boxstep.play(example("hello"))
        self.assertEqual((run.footer["reason"], run.footer["deterministic"], run.failed), ("ended", True, False))
        self.assertEqual((run.closed, run.errors), (True, []))
        self.assertEqual(run.header["clock"], "virtual")

    def test_an_example_has_a_name_unless_a_file_has_it(self):
        sources = os.path.join(ROOT, "python", "boxstep", "run.py")
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("boxstep.run.__file__", sources):
            os.chdir(folder)
            try:
                for name in "hello", "examples/hello", os.path.join("examples", "hello", "behavior.xar"):
                    self.assertEqual(boxstep.play(name).footer["reason"], "ended")
                for name in "no-such-example", "../examples/hello", "hello/no-such-file.xar", "":
                    self.assertRaises(boxstep.Error, boxstep.play, name)
                os.mkdir("hello")
                self.assertRaises(boxstep.Error, boxstep.play, "hello")
            finally:
                os.chdir(here)

    def test_two_runs_give_the_same_trace(self):
        first, second = boxstep.play(example("hello")).trace(), boxstep.play(example("hello")).trace()
        self.assertEqual(first, second)
        self.assertGreater(first.count("\n"), 50)

    def test_functions_change_nothing_of_that(self):
        def once():
            with boxstep.load(example("say-and-wait")) as run:
                for box in run.root.getBoxes():
                    box.registerOnLoadCallback(lambda: None)
                    for name in box.getOutputs():
                        box.registerOnOutputCallback(name, lambda value: run.remember("Heard", value))
                run.start()
                run.run_for(1.5)
                run.raise_event("Mine", 1)
                run.wait()
            self.assertTrue(run.footer["deterministic"])
            return run.trace()
        self.assertEqual(once(), once())

    def test_the_trace_is_that_of_the_command(self):
        run = boxstep.play(example("hello"))
        with tempfile.TemporaryDirectory() as folder:
            by_command, by_run = os.path.join(folder, "a.jsonl"), os.path.join(folder, "b.jsonl")
            subprocess.run([os.environ["BOXSTEP"], "play", example("hello"), "-q", "--virtual-time", "--trace", by_command],
                           check=True, stdout=subprocess.DEVNULL)
            run.save_trace(by_run)
            with open(by_command) as ours, open(by_run) as theirs:
                ours, theirs = ours.read().splitlines(), theirs.read().splitlines()
        # Except for the stop with which each run is closed.
        last = next(i for i, line in enumerate(ours) if '"phase":"unloaded"' in line and '"kind":"behavior"' in line)
        self.assertGreater(last, 50)
        self.assertEqual(theirs[1:last + 1], ours[1:last + 1])

    def test_a_script_that_raises_is_an_exception_with_box_and_line(self):
        with self.assertRaises(boxstep.ScriptError) as raised:
            boxstep.play(fixture("raises.xar"))
        error = raised.exception
        self.assertEqual((error.path, error.line, error.kind), ("root/Broken", 8, "ZeroDivisionError"))
        self.assertEqual(str(error), "root/Broken, line 8: ZeroDivisionError: " + error.message)
        self.assertIn("print(1 / nothing)", error.traceback)
        self.assertTrue(error.run.closed)
        run = boxstep.play(fixture("raises.xar"), check=False)
        self.assertEqual((run.failed, run.footer["reason"]), (True, "failed"))

    def test_what_cannot_be_played_says_why(self):
        for make, why in [
            (lambda: boxstep.load("no-such.xar"), "cannot read no-such.xar: No such file"),
            (lambda: boxstep.load(example("hello"), body="asimo"), "nao"),
            (lambda: boxstep.load(example("hello"), "nobody"), "nobody"),
            (lambda: boxstep.load(example("hello"), set={"root/Nobody/x": 1}), "Nobody"),
            (lambda: boxstep.load(example("hello"), set={1, 2}), "set: .*not JSON serializable"),
            (lambda: boxstep.load(example("hello"), memory={"Key": float("nan")}), "memory: .*not JSON compliant"),
            (lambda: boxstep.load(example("hello"), scripts="off"), "scripts is True or False, not 'off'"),
            (lambda: boxstep.load(example("hello"), virtual=0), "virtual is True or False, not 0"),
            (lambda: boxstep.load(example("hello"), 3), "behavior is a text, not 3"),
            (lambda: boxstep.load(example("hello"), patience="1"), "patience is a number, not '1'"),
            (lambda: boxstep.load(example("hello"), patience=-1), "patience: `-1` is not a number of seconds"),
            (lambda: boxstep.load(example("hello"), patience=True), "patience is a number, not True"),
            (lambda: boxstep.load(example("hello"), stop_within=1e300), "stop_within: `1.*` is not a number of seconds"),
            (lambda: boxstep.load(example("hello"), joints=0), "joints: `0` is not a rate between 0 and 1000 Hz"),
            (lambda: boxstep.play(example("hello"), seconds=-1), "timeout: -1 is not a number of seconds"),
            (lambda: boxstep.load(example("hello")).run_for(float("nan")), "seconds: nan is not a number of seconds"),
            (lambda: boxstep.load(example("hello")).run_until("5"), "time is a number, not '5'"),
        ]:
            with self.assertRaisesRegex(boxstep.Error, why):
                make()

    def test_a_run_that_is_over_says_what_came_of_it(self):
        run = boxstep.play(example("hello"))
        self.assertEqual(run.outputs(), {"onStopped": [None]})
        self.assertEqual((run.root.getPath(), run.root.getPhase(), run.root.isLoaded()), ("root", "out", False))
        box = run.root.getBoxes()[0]
        self.assertEqual(run.box(box.getPath()), box)
        self.assertIn("onStopped", box.getOutputs())
        self.assertEqual(run.outputs(box.getPath()), {"onStopped": [None]})
        for name in box.getParametersList():
            self.assertEqual(run.parameter(box.getPath(), name), box.getParameter(name))
        with self.assertRaisesRegex(boxstep.Error, "root/Nobody"):
            run.box("root/Nobody")

    def test_a_run_that_is_over_changes_no_more(self):
        run = boxstep.play(example("hello"))
        before = run.trace()
        for change in (
                run.load, run.start, run.root.start, lambda: run.run_for(1), lambda: run.raise_event("Key", 1),
                lambda: run.remember("Key", 1), lambda: run.stimulate("root", "onStart"), lambda: run.on_event("Key", print),
                lambda: run.root.registerOnLoadCallback(print), lambda: boxstep.Box(run=run)):
            with self.assertRaisesRegex(boxstep.Error, "the run is over"):
                change()
        self.assertEqual((run.memory("Key"), run.trace()), (None, before))

    def test_connections_end_with_their_run(self):
        with boxstep.load(example("hello")) as run:
            made = [run.on_event("Key", print), run.root.registerOnLoadCallback(print)]
        self.assertEqual([connection.disconnect() for connection in made], [False, False])

    def test_a_python_that_is_not_there_is_an_exception(self):
        with self.assertRaisesRegex(boxstep.ScriptError, "the process for scripts does not start"):
            boxstep.load(example("hello"), python="/no/such/python")

    def test_without_scripts_everything_else_plays(self):
        run = boxstep.play(fixture("raises.xar"), scripts=False, python="/no/such/python")
        self.assertEqual((run.failed, run.events("call")), (False, []))


class Life(unittest.TestCase):
    def test_load_start_stop_and_again(self):
        with boxstep.load(example("say-and-wait")) as run:
            self.assertTrue(run.root.isLoaded())
            self.assertFalse(run.root.isStarted())
            run.start()
            self.assertTrue(run.root.isStarted())
            run.run_for(1)
            run.stop()
            self.assertEqual((run.root.getPhase(), run.time), ("out", 1.0))
            run.stop()
            run.start()
            self.assertEqual((run.wait(), run.closed), ("ended", False))
            self.assertEqual(len(boxstep.testing.said(run)), 3)
        self.assertEqual(run.footer["errors"], 0)
        with self.assertRaisesRegex(boxstep.Error, "over"):
            run.run_for(1)

    def test_time_passes_only_when_somebody_says_so(self):
        with boxstep.load(example("say-and-wait")) as run:
            run.start()
            self.assertEqual(run.time, 0.0)
            self.assertEqual(run.wait(1.5), "late")
            self.assertEqual(run.time, 1.5)
            run.run_until(2.25)
            self.assertEqual(run.time, 2.25)
            times = list(run)
            self.assertEqual(times, sorted(times))
            self.assertGreater(len(times), 1)
            self.assertFalse(run.step())

    def test_a_behavior_that_waits_for_an_event_gets_one(self):
        with boxstep.load(example("touch")) as run:
            run.start()
            self.assertEqual(run.wait(), "waiting")
            told = []
            connection = run.on_event("FrontTactilTouched", told.append)
            run.raise_event("FrontTactilTouched", 1.0)
            self.assertEqual((told, run.memory("FrontTactilTouched")), ([1.0], 1.0))
            self.assertTrue(connection.disconnect())
            run.remember("Mine", [1, "a"])
            self.assertEqual((run.memory("Mine"), run.memory("Nothing")), ([1, "a"], None))
            run.wait()
            self.assertTrue(boxstep.testing.said(run) or boxstep.testing.called(run))

    def test_parameters_and_inputs_from_outside(self):
        with boxstep.load(example("nested-parameters")) as run:
            boxes = [box for box in run.root.getBoxes() if box.getParametersList()]
            box, name = boxes[0], boxes[0].getParametersList()[0]
            value = run.parameter(box.getPath(), name)
            run.set_parameter(box.getPath(), name, value)
            self.assertEqual(run.events("control")[-1]["what"], "set")
            run.stimulate("root", "onStart")
            self.assertEqual(run.events("control")[-1]["details"], {"port": "onStart", "value": None})
            with self.assertRaisesRegex(boxstep.Error, "no input or output `nothing`"):
                run.stimulate("root", "nothing")
            with self.assertRaisesRegex(boxstep.Error, "no parameter `nothing`"):
                run.set_parameter("root", "nothing", 1)

    def test_outputs_are_heard_while_the_scripts_run_elsewhere(self):
        with boxstep.load(example("hello")) as run:
            told = []
            run.root.registerOnOutputCallback("onStopped", lambda: told.append(run.time))
            run.start()
            run.wait()
            self.assertEqual((told, run.outputs()), ([run.time], {"onStopped": [None]}))

    def test_a_run_of_its_own_has_no_behavior(self):
        with boxstep.Run(body="pepper", seed=3, memory={"A": 1}) as run:
            self.assertIsNone(run.root)
            self.assertEqual((run.header["body"], run.header["seed"], run.memory("A")) if run.events() else None,
                             ("pepper", 3, 1))
            with self.assertRaisesRegex(boxstep.Error, "without a file"):
                run.start()
            self.assertEqual(run.wait(), "ended")
            self.assertIs(boxstep.current(), run)
        self.assertIsNot(boxstep.current(), run)

    def test_what_the_run_calls_cannot_let_its_time_pass(self):
        with boxstep.Run() as run:
            box, told = boxstep.Box("b"), []

            def loaded():
                for function in (lambda: run.run_for(1), run.close):
                    try:
                        function()
                    except boxstep.Error as error:
                        told.append(str(error))
                    except RuntimeError as error:
                        told.append(str(error))
            box.registerOnLoadCallback(loaded)
            box.load()
            self.assertEqual([text.partition(" it")[0] for text in told],
                             ["a function that the run calls cannot let time pass in", "a function that the run calls cannot close"])


class Outside(unittest.TestCase):
    def test_ctrl_c_ends_a_wait_and_the_run_goes_on(self):
        # A shell that starts this in the background makes it ignore the signal.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        with boxstep.Run(virtual=False) as run:
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                run.run_for(60)
            self.assertLess(run.time, 30)
            run.run_for(0)

    def test_the_machine_s_clock_goes_by_itself(self):
        with boxstep.Run(virtual=False) as run:
            line, told = boxstep.Timeline(fps=100, end=5), threading.Event()
            line.registerOnStoppedCallback(told.set)
            line.play()
            self.assertTrue(told.wait(30))
            self.assertTrue(line.waitForTimelineCompletion(30))
            self.assertEqual(run.header["clock"] if run.events() else None, "real")
            with self.assertRaisesRegex(boxstep.Error, "cannot be moved"):
                run.step()

    def test_scripts_run_by_the_machine_s_clock(self):
        with boxstep.load(example("hello"), virtual=False) as run:
            told = []
            # This takes longer than unloading the behavior.
            run.root.registerOnOutputCallback("onStopped", lambda: told.append((sum(range(10**7)), run.time)))
            run.start()
            # A caller that is notified of the end has got all earlier notifications.
            self.assertEqual((run.wait(60), len(told)), ("ended", 1))
            self.assertGreater(run.time, 4)

    def test_other_threads_may_ask_while_one_lets_time_pass(self):
        with boxstep.Run() as run:
            box, seen = boxstep.Box("b", outputs=["out"], parameters={"n": 0}), []
            box.connect("out", seen.append)
            box.load()

            def ask():
                for n in range(50):
                    box.stimulateOutput("out", n)
            threads = [threading.Thread(target=ask) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            run.run_for(1)
            self.assertEqual(sorted(seen), sorted(list(range(50)) * 3))

    def test_a_program_that_ends_leaves_nothing_behind(self):
        text = "import boxstep\nrun = boxstep.load(%r)\nrun.start()\nprint('begun')\n" % example("say-and-wait")
        done = subprocess.run([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"begun\n", b""))

    def test_runs_are_forgotten_with_and_without_being_closed(self):
        before = threads_of_this_process().count("boxstep")
        for close in (True, False):
            run = boxstep.Run()
            box = boxstep.Box("b", run=run)
            box.registerOnLoadCallback(lambda: None)
            box.load()
            gone = weakref.ref(run)
            if close:
                run.close()
            del run, box
            gc.collect()
            self.assertIsNone(gone())
        # The threads of an open run end by themselves.
        deadline = time.monotonic() + 30
        while threads_of_this_process().count("boxstep") > before:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def test_a_script_that_crashes_ends_its_process_only(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "crash.xar")
            with open(fixture("raises.xar")) as source:
                text = source.read()
            self.assertIn("print(1 / nothing)", text)
            with open(file, "w") as target:
                target.write(text.replace("print(1 / nothing)", "import os; os.kill(os.getpid(), 9)"))
            with self.assertRaisesRegex(boxstep.ScriptError, "signal 9"):
                boxstep.play(file)
        self.assertFalse(boxstep.play(example("hello")).failed)


if __name__ == "__main__":
    unittest.main()
