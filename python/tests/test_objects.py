"""Objects in a run of their own: creation, connections, control, notifications."""
import unittest

import boxstep
from boxstep import Box, State, StateMachine, Timeline, Transition


class Case(unittest.TestCase):
    def setUp(self):
        self.run_ = self.enterContext(boxstep.Run()) if hasattr(self, "enterContext") else self._enter()

    def _enter(self):
        run = boxstep.Run().__enter__()
        self.addCleanup(run.__exit__, None, None, None)
        return run


class Boxes(Case):
    def test_a_box_does_what_functions_do_for_its_inputs(self):
        box = Box("adder", inputs=["a"], outputs=["sum"], parameters={"by": 2})
        box.registerOnInputCallback("a", lambda a: box.stimulateOutput("sum", a + box.getParameter("by")))
        sums = []
        box.connect("sum", sums.append)
        box.load()
        box.stimulateInput("a", 3)
        box.setParameter("by", 0.5)
        box.stimulateIO("a", 3)
        self.assertEqual(sums, [5, 3.5])
        self.assertEqual(self.run_.outputs("adder"), {"sum": [5, 3.5]})

    def test_what_a_new_box_has(self):
        box = Box("b", inputs=["in", ("go", "onStart")], outputs=["out", ("end", "onStopped")], parameters={"p": "x"})
        self.assertEqual(box.getInputs(), ["onLoad", "onStart", "onStop", "in", "go"])
        self.assertEqual(box.getOutputs(), ["out", "end"])
        self.assertEqual((box.getParametersList(), box.getParameter("p")), (["p"], "x"))
        self.assertEqual((box.getName(), box.getPath(), box.getPhase()), ("b", "b", "out"))
        self.assertIsNone(box.getParentBox())
        self.assertEqual((box.getBoxes(), box.getBox("x")), ([], None))
        self.assertFalse(box.hasTimeline() or box.hasStateMachine())
        box.setName("c")
        self.assertEqual(repr(box), "<Box c>")
        self.assertEqual(self.run_.box("c"), box)

    def test_life_and_who_is_told_of_it(self):
        box, told = Box("b"), []
        box.registerOnLoadCallback(lambda: told.append(("load", box.getPhase())))
        unload = box.registerOnUnloadCallback(lambda: told.append(("unload", box.isLoaded())))
        box.start()
        self.assertTrue(box.isLoaded() and box.isStarted())
        box.stop()
        self.assertEqual(told, [("load", "entering"), ("unload", False)])
        self.assertTrue(unload.disconnect())
        self.assertFalse(unload.disconnect())
        box.load()
        box.unload()
        self.assertEqual([what for what, _ in told], ["load", "unload", "load"])

    def test_boxes_are_linked(self):
        source, target, got = Box("s", outputs=["out"]), Box("t", inputs=["in"], parameters={"size": 0}), []
        link = source.connect("out", target, "in")
        source.connect("out", target, "size")
        target.registerOnInputCallback("in", got.append)
        source.load()
        target.load()
        source.stimulateOutput("out", [1, {"a": (2, None)}, "ü", 1.5, b"x"])
        self.assertEqual(got, [[1, {"a": [2, None]}, "ü", 1.5, b"x"]])
        self.assertEqual(target.getParameter("size"), got[0])
        link.disconnect()
        source.stimulateOutput("out", 7)
        self.assertEqual((len(got), target.getParameter("size")), (1, 7))

    def test_objects_of_python_s_own_stay_what_they_are(self):
        box, thing, got = Box("b", outputs=["out"]), object(), []
        box.connect("out", got.append)
        box.load()
        for value in ({"thing": thing}, box):
            box.stimulateOutput("out", value)
        self.assertIs(got[0]["thing"], thing)
        self.assertIs(got[1], box)

    def test_errors_say_which_box_and_why(self):
        box = Box("b")
        for function, why in [
            (lambda: box.stimulateInput("onStart"), "b: it is not loaded"),
            (lambda: box.getParameter("no"), "b: the box has no input, output or parameter named no"),
            (lambda: box.registerOnOutputCallback("no", print), "no input, output or parameter named no"),
            (lambda: self.run_.box("nowhere"), "there is no box nowhere"),
            (lambda: Box("x", inputs=[("a", "sometimes")]), "an input is onEvent, onStart, onStop or onLoad, not sometimes"),
        ]:
            with self.assertRaisesRegex(boxstep.Error, why):
                function()
        with self.assertRaisesRegex(TypeError, "3 cannot be called"):
            box.registerOnLoadCallback(3)

    def test_what_a_function_raises_comes_out_where_the_run_was_let_go_on(self):
        box, later = Box("b", outputs=["out"]), []
        box.connect("out", lambda value: 1 // value)
        box.connect("out", later.append)
        box.load()
        with self.assertRaises(ZeroDivisionError):
            box.stimulateOutput("out", 0)
        box.stimulateOutput("out", 1)
        self.assertEqual(later, [0, 1])
        raised = self.run_.events("raised")
        self.assertEqual([event["error"]["kind"] for event in raised], ["ZeroDivisionError"])
        self.assertEqual([error.kind for error in self.run_.errors], ["ZeroDivisionError"])

    def test_objects_of_two_runs_do_not_mix(self):
        with boxstep.Run() as other:
            source, target = Box("s", outputs=["out"], run=self.run_), Box("t", inputs=["in"], run=other)
            self.assertNotEqual(source, target)
            with self.assertRaisesRegex(boxstep.Error, "belongs to another run"):
                source.connect("out", target, "in")
        self.assertEqual(repr(target), "<Box t>")


class Timelines(Case):
    def test_it_plays_to_its_end_and_moves_the_robot(self):
        line, told = Timeline(fps=10, curves={"HeadYaw": [(0, 0), (20, 30)]}), []
        line.registerOnStoppedCallback(lambda: told.append(self.run_.time))
        line.play()
        self.assertTrue(line.isPlaying())
        self.run_.run_for(1)
        self.assertEqual((line.getFrame(), told), (10, []))
        self.assertTrue(line.waitForTimelineCompletion())
        self.assertEqual((self.run_.time, told), (2.0, [2.0]))
        self.assertEqual([act["text"] for act in self.run_.events("act", act="joints")], ["HeadYaw over 2 s"])
        self.assertTrue(line.waitForTimelineCompletion())

    def test_its_cursor(self):
        line = Timeline(fps=10, start=1, end=41)
        self.assertEqual((line.getSize(), line.getStartFrame(), line.getEndFrame(), line.getFPS()), (40, 1, 41, 10))
        self.assertEqual(line.getFrame(), -1)
        line.play()
        self.assertFalse(line.waitForTimelineCompletion(1.05))
        line.pause()
        self.assertEqual((line.getFrame(), line.isPlaying()), (11, False))
        line.setFPS(20)
        line.gotoAndPlay(21)
        self.assertTrue(line.waitForTimelineCompletion())
        self.assertAlmostEqual(self.run_.time, 2.05)
        line.gotoAndStop(5)
        self.assertEqual(line.getFrame(), 5)
        line.stop()
        self.assertEqual((line.getFrame(), line.getBox().isLoaded()), (-1, False))

    def test_flags_enter_states(self):
        line, machine = Timeline(fps=10, end=30), StateMachine("m")
        one, two = machine.addState("one"), machine.addState("two")
        line.setStateMachine(machine)
        self.assertEqual(line.getStateMachine(), machine)
        line.addFlag(0, one)
        line.addFlag(10, "two")
        self.assertEqual(line.getFlags(), [(0, "one"), (10, "two")])
        line.play()
        self.run_.run_for(0.9)
        self.assertEqual(machine.getCurrentState(), one)
        self.run_.run_for(0.1)
        self.assertEqual(machine.getCurrentState(), two)
        self.assertEqual(machine.goToStateName("one"), 0)


class Machines(Case):
    def setUp(self):
        super().setUp()
        self.machine = StateMachine("bridge")
        self.open, self.shut = State(self.machine, "open"), self.machine.addState("shut")

    def test_transitions_by_time_and_by_hand(self):
        told = []
        self.machine.registerNewStateCallback(lambda state: told.append((self.run_.time, state.getName())))
        close = Transition(self.open, self.shut, "close", timeOut=3)
        back = self.shut.addTransition(self.open)
        self.machine.run()
        self.run_.run_for(4)
        back.trigger()
        self.assertEqual(told, [(0.0, "open"), (3.0, "shut"), (4.0, "open")])
        self.assertEqual((close.getName(), close.getTimeOut(), back.getTimeOut()), ("close", 3.0, None))
        self.assertEqual((close.getFromState(), close.getToState()), (self.open, self.shut))
        self.assertEqual(self.machine.getTransitions(), [close, back])
        self.assertEqual((self.open.getTransitions(), close.getStateMachine()), ([close], self.machine))
        close.setTimeOut(None)
        self.run_.run_for(10)
        self.assertEqual(self.machine.getCurrentState(), self.open)
        with self.assertRaisesRegex(boxstep.Error, "bridge: the transition's state is not current"):
            back.trigger()
        self.machine.removeTransition(back)
        self.assertEqual(self.machine.getTransitions(), [close])

    def test_states(self):
        self.machine.setInitialState("shut")
        self.machine.setFinalState(self.open)
        self.assertEqual((self.machine.getInitialState(), self.machine.getFinalStates()), (self.shut, [self.open]))
        self.machine.run()
        self.assertEqual((self.machine.getCurrentState(), self.machine.isOnFinalState()), (self.shut, False))
        self.machine.goToState("open")
        self.assertTrue(self.machine.isOnFinalState())
        self.assertTrue(self.machine.removeFinalState(self.open))
        self.open.addLabel("wide")
        self.assertEqual((self.open.getLabels(), self.machine.getState("wide")), (["wide"], self.open))
        self.open.setInterval(0, 10)
        self.assertEqual((self.open.getInterval(), self.shut.getInterval()), ((0, 10), None))
        self.shut.setName("closed")
        self.assertEqual(repr(self.shut), "<State closed>")
        self.machine.pause()
        self.assertTrue(self.machine.isPaused() and self.machine.isRunning())
        self.machine.stop()
        self.assertEqual((self.machine.getCurrentState(), self.machine.isRunning()), (None, False))
        self.machine.removeState(self.shut)
        self.assertEqual(self.machine.getStates(), [self.open])
        with self.assertRaisesRegex(boxstep.Error, "bridge has no state shut"):
            self.machine.setInitialState("shut")

    def test_boxes_of_states_are_loaded_linked_and_told(self):
        box, told = Box("b", inputs=["in"]), []
        box.registerOnInputCallback("in", lambda: told.append("in"))
        box.registerOnLoadCallback(lambda: told.append("box loaded"))
        self.shut.addBox(box)
        self.shut.link(self.machine.getBox(), "onLoad", box, "in")
        self.shut.registerOnLoadCallback(lambda: told.append("state loaded"))
        self.shut.registerOnUnloadCallback(lambda: told.append("state unloaded"))
        self.assertEqual((self.shut.getBoxes(), box.getParentBox()), ([box], self.machine.getBox()))
        self.machine.run()
        self.assertEqual(told, [])
        self.machine.goToState(box)
        self.assertEqual(told, ["box loaded", "state loaded", "in"])
        self.machine.goToState(self.open)
        self.assertEqual(told[3:], ["state unloaded"])
        self.assertEqual(box.getPath(), "bridge/b")

    def test_a_box_by_itself_is_a_state_as_in_qicore(self):
        state = self.machine.addState(Box("third"))
        self.assertEqual((state.getName(), state.getBoxes()[0].getName()), ("third", "third"))

    def test_the_work_of_a_state_can_end_it(self):
        self.open.addTransition(self.shut).setWhenDone()
        self.machine.run()
        self.run_.run_for(0)
        self.assertEqual(self.machine.getCurrentState(), self.shut)


if __name__ == "__main__":
    unittest.main()
