"""Behaviors and runners of Python alone, in a run of their own."""
import os
import tempfile
import unittest

import boxstep
from boxstep import Behavior, Call, Refusal, Runner, Say
from boxstep.testing import called, said


class Case(unittest.TestCase):
    def setUp(self):
        self.run_ = boxstep.Run().__enter__()
        self.addCleanup(self.run_.__exit__, None, None, None)

    def delegations(self, path):
        return [(e["what"], e.get("how")) for e in self.run_.events("delegation", path)]


class Leaf(Behavior):
    """Ends after a number of ticks."""

    def __init__(self, ticks=1, value=None, wants=True):
        self.ticks, self.value, self.wants = ticks, value, wants
        self.seen = []

    def wants_to_be_activated(self):
        return self.wants

    def entered_scope(self):
        self.seen.append("entered")

    def left_scope(self):
        self.seen.append("left")

    def activated(self, value):
        self.seen.append(("activated", value))
        self.left = self.ticks

    def update(self):
        if self.is_active():
            self.left -= 1
            if self.left <= 0:
                self.complete(self.value)

    def deactivated(self, end):
        self.seen.append(end.how)


class Tries(Behavior):
    """Executes given actions when it is activated, and records how its delegates have ended."""

    def __init__(self, delegates, do=lambda self: None, then=lambda self, ticket, end: None):
        self.own, self.do, self.then = delegates, do, then
        self.ends = []

    def all_delegates(self):
        return self.own

    def activated(self, value):
        self.do(self)

    def on_delegate_ended(self, ticket, end):
        self.ends.append((ticket, end.how, end.value))
        self.then(self, ticket, end)


class Runners(Case):
    def test_a_delegate_runs_and_its_parent_is_told(self):
        leaf = Leaf(3, "sum")
        root = Tries([leaf], lambda self: setattr(self, "ticket", self.offer(leaf, "given")),
                     lambda self, ticket, end: self.complete(end.value))
        runner = Runner(root)
        self.run_.run_for(0.06)
        self.assertEqual(runner.active(), ["Tries", "Leaf"])
        self.run_.run_for(1)
        self.assertTrue(runner.is_over())
        self.assertEqual(leaf.seen, ["entered", ("activated", "given"), "done", "left"])
        self.assertEqual(root.ends, [(root.ticket, "done", "sum")])
        self.assertIn(("ended", "done"), self.delegations("Tries/Leaf"))

    def test_it_ticks_on_the_clock_of_its_run(self):
        class Counts(Behavior):
            times = []

            def update(self, events):
                self.times.append(self.time)

        Runner(Counts(), period=0.25)
        self.run_.run_for(1)
        self.assertEqual(Counts.times, [0.0, 0.25, 0.5, 0.75, 1.0])

    def test_several_side_by_side_all_or_none(self):
        one, two, no = Leaf(1), Leaf(2), Leaf(wants=False)

        def do(self):
            for each in (one, two, no):
                self.ask(each)
            try:
                self.delegate(one, no)
            except Refusal as refusal:
                self.refused = refusal.reason
            self.tickets = self.delegate(one, two)

        root = Tries([one, two, no], do)
        runner = Runner(root)
        self.run_.run_for(0.01)
        self.assertEqual((root.refused, len(root.tickets)), ("SaidNo", 2))
        self.assertEqual([behavior.name for behavior in (one, two, no)], ["Leaf", "Leaf 2", "Leaf 3"])
        self.run_.run_for(1)
        self.assertEqual([ticket for ticket, how, _ in root.ends], root.tickets)
        runner.stop()
        self.run_.run_for(0)
        self.assertTrue(runner.is_over())

    def test_a_cancel_takes_control_back(self):
        leaf = Leaf(100)
        root = Tries([leaf], lambda self: self.offer(leaf))
        root.update = lambda events: self.run_.time >= 1 and root.is_control_delegated() and root.cancel_delegates()
        Runner(root)
        self.run_.run_for(2)
        self.assertEqual(leaf.seen[-1], "cancelled")
        self.assertEqual(root.ends, [])

    def test_hooks_that_lead_to_each_other_nest(self):
        deepest = Leaf(1)
        behavior = deepest
        for depth in range(20):
            inner = behavior
            behavior = Tries([inner], lambda self: self.offer(self.own[0]), lambda self, ticket, end: self.complete(end.value))
            behavior.name = "depth %d" % depth
        deepest.value = "up"
        ends = []
        root = Tries([behavior], lambda self: self.offer(self.own[0]), lambda self, ticket, end: ends.append(end.value))
        Runner(root)
        self.run_.run_for(0.01)
        self.assertEqual(ends, ["up"])

    def test_the_root_restarts_or_leaves_to_another(self):
        root, idle = Leaf(1), Leaf(1)
        Runner(root, at_end=idle)
        self.run_.run_for(0.2)
        self.assertGreater(root.seen.count("done"), 1)
        self.assertGreater(idle.seen.count("done"), 1)

    def test_plain_actions(self):
        says, fails = Say("Hello"), Call("ALNothing.dance")
        root = Tries([says, fails], lambda self: self.offer(says), lambda self, ticket, end: self.offer(fails))
        Runner(root)
        self.run_.run_for(3)
        self.assertEqual(said(self.run_), ["Hello"])
        self.assertEqual([how for _, how, _ in root.ends][:2], ["done", "failed"])

    def test_an_action_that_is_cancelled_stops_what_the_robot_does(self):
        moves = Call("ALMotion.moveTo", 5.0, 0.0, 0.0)
        root = Tries([moves], lambda self: self.offer(moves))
        runner = Runner(root)
        self.run_.run_for(0.5)
        runner.stop()
        self.run_.run_for(0.5)
        self.assertEqual(len(called(self.run_, "ALMotion.moveTo")), 1)
        self.assertTrue(runner.is_over())

    def test_events_come_to_whoever_has_subscribed(self):
        seen = []

        class Hears(Behavior):
            def init(self):
                self.subscribe("Touched")

            def update(self, events):
                seen.extend((event.key, event.value, event.time) for event in events)

        Runner(Hears())
        self.run_.run_for(0.12)
        self.run_.raise_event("Touched", 5)
        self.run_.run_for(1)
        self.assertEqual(seen, [("Touched", 5, 0.12)])

    def test_an_exception_fails_the_behavior_and_comes_out_as_it_is(self):
        class Raises(Behavior):
            def activated(self, value):
                raise ValueError("no music")

        raises = Raises()
        root = Tries([raises], lambda self: self.offer(raises))
        runner = Runner(root)
        with self.assertRaisesRegex(ValueError, "no music"):
            self.run_.run_for(1)
        self.run_.run_for(1)
        self.assertEqual([how for _, how, _ in root.ends], ["failed"])
        self.assertEqual(runner.active(), ["Tries"])
        (error,) = self.run_.errors
        self.assertEqual((error.kind, error.path), ("ValueError", "Tries/Raises"))
        self.assertIn("in activated", error.traceback)

    def test_who_asks_outside_of_its_hooks_is_told_so(self):
        leaf = Leaf()
        with self.assertRaisesRegex(boxstep.Error, "has no runner"):
            leaf.complete()
        Runner(leaf)
        self.run_.run_for(0)
        with self.assertRaisesRegex(boxstep.Error, "only in its own hooks"):
            leaf.complete()

        other = Leaf()
        root = Tries([other], lambda self: other.can_delegate())
        Runner(root)
        with self.assertRaisesRegex(boxstep.Error, "only in its own hooks"):
            self.run_.run_for(0)

    def test_what_is_wrong_with_a_plan_is_told_with_the_way(self):
        a, b = Tries([]), Tries([])
        a.name, b.name = "a", "b"
        a.own, b.own = [b], [a]
        with self.assertRaisesRegex(boxstep.Error, "(?s)a.*b.*a"):
            Runner(a)
        with self.assertRaisesRegex(boxstep.Error, "nobody"):
            Runner(Tries(["nobody"]))
        with self.assertRaises(boxstep.Error):
            Runner("a")
        with self.assertRaisesRegex(boxstep.Error, "at_end"):
            Runner(Leaf(), at_end="sleep")
        with self.assertRaisesRegex(boxstep.Error, "period"):
            Runner(Leaf(), period=0)
        leaf = Leaf()
        Runner(leaf)
        with self.assertRaisesRegex(boxstep.Error, "a runner already"):
            Runner(leaf)

    def test_claims_keep_others_out(self):
        one, two = Leaf(5), Leaf(5)
        one.claims = two.claims = ["legs"]

        def do(self):
            self.ask(one), self.ask(two)
            try:
                self.delegate(one, two)
            except Refusal as refusal:
                self.refused = refusal.reason

        root = Tries([one, two], do)
        Runner(root)
        self.run_.run_for(0.1)
        self.assertEqual(root.refused, "Taken")

    def test_the_same_run_has_the_same_trace(self):
        def once():
            with boxstep.Run(seed=7) as run:
                leaves = [Leaf(n) for n in range(1, 4)]
                chance = lambda self, *_: self.offer(leaves[int(self.random() * 3)])
                Runner(Tries(leaves, chance, chance))
                run.run_for(2)
            return run.trace()

        self.assertEqual(once(), once())


class Characters(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "character.yaml")
        with open(self.file, "w") as file:
            file.write(CHARACTER)
        with open(os.path.join(folder.name, "own.py"), "w") as file:
            file.write(OWN)

    def test_a_character_plays_like_other_files(self):
        with boxstep.load(self.file, set={"character/word": "Bye"}) as run:
            self.assertEqual((run.time, run.runner.active()), (0.0, []))
            run.start()
            self.assertEqual(run.runner.active(), ["main", "main/pass"])
            run.raise_event("Touched", 2)
            run.run_for(0.1)
            self.assertEqual(run.runner.active()[2], "own")
            run.run_for(3)
            run.raise_event("Bye")
            self.assertEqual(run.wait(), "ended")
            self.assertEqual(set(said(run)), {"Bye"})
            self.assertTrue(run.runner.is_over())
        self.assertTrue(run.footer["deterministic"])
        self.assertIn("own.py", str(run.header["files"]))

    def test_a_stop_ends_it(self):
        with boxstep.load(self.file) as run:
            run.start().run_for(1)
            run.stop()
            self.assertTrue(run.runner.is_over())

    def test_an_exception_stands_among_the_errors(self):
        with boxstep.load(self.file, set={"character/word": "raise"}) as run:
            run.start()
            run.raise_event("Touched", 2)
            run.run_for(1)
            error = run.errors[0]
            self.assertEqual((error.kind, error.path), ("ValueError", "main/pass/own"))
            self.assertIn("own.py", error.traceback)

    def test_what_is_wrong_is_told(self):
        with open(self.file, "a") as file:
            file.write("  lonely: { wait: 1 }\n")
        with self.assertRaisesRegex(boxstep.Error, "lonely"):
            boxstep.load(self.file)


CHARACTER = """\
character: Test
scripts: own.py
parameters: { word: Hello }
behaviors:
  main:
    until: { event: Bye }
    pass:
      priority: [{ name: own, script: Own, args: $word, when: { custom: touched }, delegates: [says] }]
  says: { say: $word }
"""

OWN = """\
import boxstep
from naoqi import ALProxy


class Own(boxstep.Behavior):
    def __init__(self, word):
        self.word = word

    def activated(self):
        if self.word == "raise":
            raise ValueError(self.word)
        self.offer("says")

    def on_delegate_ended(self):
        self.complete()


def touched():
    memory = ALProxy("ALMemory")
    return "Touched" in memory.getDataListName() and memory.getData("Touched") == 2
"""


if __name__ == "__main__":
    unittest.main()
