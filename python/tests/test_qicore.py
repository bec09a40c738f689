"""The modules that QiCore programs import: they exist without a behavior, and contain Boxstep's objects."""
import os
import subprocess
import sys
import unittest

import boxstep
from boxstep.testing import said

EXAMPLE = os.path.join(os.environ["BOXSTEP_ROOT"], "examples", "say-and-wait")


class Names(unittest.TestCase):
    def test_every_name_is_there_in_a_program_and_loads_no_engine(self):
        program = ("import qicore, qicore.timeline, qicore.statemachine, qicore_legacy, object_factory, sys, boxstep\n"
                   "assert qicore.timeline.Timeline is qicore.Timeline and issubclass(qicore.Timeline, boxstep.Timeline)\n"
                   "for name in ('State', 'StateMachine', 'Transition'):\n"
                   "    assert getattr(qicore.statemachine, name) is getattr(qicore, name) is getattr(boxstep, name)\n"
                   "assert qicore.Box is boxstep.Box and issubclass(qicore_legacy.BehaviorLegacy, boxstep.Box)\n"
                   "assert qicore_legacy.dispose_memory_watcher() is None and object_factory.ObjectFactory\n"
                   "assert 'boxstep.boxstep_native' not in sys.modules\n")
        subprocess.run([sys.executable, "-c", program], check=True)


class Objects(unittest.TestCase):
    def setUp(self):
        self.run_ = boxstep.Run().__enter__()
        self.addCleanup(self.run_.__exit__, None, None, None)

    def test_a_timeline_takes_a_broker_and_drives_a_state_machine(self):
        import qicore
        line, machine = qicore.Timeline("a broker", fps=10, end=20), qicore.StateMachine("m")
        for name, begin in (("a", 0), ("b", 11)):
            machine.addState(name).setInterval(begin, begin + 10)
            line.addFlag(begin, name)
        line.setStateMachine(machine)
        line.play()
        self.run_.run_for(0.5)
        with self.assertRaisesRegex(boxstep.Error, "at frame 500"):
            machine.goToFrame(500)
        self.assertEqual((line.getFrame(), machine.getCurrentState().getName()), (5, "a"))
        self.assertEqual(machine.goToFrame(15).getName(), "b")
        self.assertTrue(qicore.Timeline(fps=10, end=5).getSize() == 5 and line.waitForTimelineCompletion())

    def test_a_legacy_box_does_what_its_methods_do(self):
        import qicore_legacy
        seen = []

        class Adder(qicore_legacy.BehaviorLegacy):
            def onLoad(self):
                seen.append("load")

            def onUnload(self):
                seen.append("unload")

            def onInput_a(self, a):
                self.sum(a + self.getParameter("by"))

            def onInput_onStart(self):
                self.onStopped()

        box = Adder("adder", inputs=["a"], outputs=["sum", ("onStopped", "onStopped")], parameters={"by": 2})
        box.load()
        box.stimulateInput("a", 3)
        box.start()
        self.run_.run_for(0)
        self.assertEqual(self.run_.outputs("adder"), {"sum": [5], "onStopped": [None]})
        # The box's own end unloads it, because no other box loads it.
        self.assertEqual(seen, ["load", "unload"])
        with self.assertRaises(AttributeError):
            box.difference(1)


class Factory(unittest.TestCase):
    def test_a_behavior_is_loaded_into_objects_by_name(self):
        import object_factory
        with object_factory.ObjectFactory(EXAMPLE, "a broker") as factory:
            root = factory.getRoot()
            self.assertEqual(factory.getObject("root"), root)
            name = root.getBoxes()[0].getName()
            self.assertEqual(factory.getObject(name), root.getBoxes()[0])
            with self.assertRaises(boxstep.Error):
                factory.getObject("nobody")
            root.load()
            root.start()
            self.assertEqual(factory.run.wait(), "ended")
            self.assertTrue(said(factory.run))


if __name__ == "__main__":
    unittest.main()
