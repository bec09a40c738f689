"""The trees of the benchmark on an engine that Python can import: `peer.py bonsai|py_trees|behaviortree_cpp`.

Asked line by line: `count MOST FIRST TREE` gives what comes of each tick and how many nodes were visited in it, `time MOST FIRST TREE`
how many nanoseconds so many ticks take after the first ones, or all until the tree has ended. A leaf does one addition, and looks whether that was the last.
"""

import sys
import time


def parse(words):
    """`S2 L1+ L5-`: kind, children; a leaf is how many ticks it runs and whether it fails."""
    word = next(words)
    if word[0] == "L":
        return ("L", int(word[1:-1]), word[-1] == "-")
    return (word[0], [parse(words) for _ in range(int(word[1:]))])


def leaves(tree):
    if tree[0] == "L":
        yield tree
    else:
        for child in tree[1]:
            yield from leaves(child)


def visited(tree, sums, before):
    """How many nodes were visited: leaves that have added, and whoever has such a leaf below it."""
    counter = iter(range(len(sums)))

    def below(node):
        if node[0] == "L":
            at = next(counter)
            return int(sums[at] > before[at])
        inner = sum([below(child) for child in node[1]])
        return inner + (inner > 0)

    return below(tree)


class Bonsai:
    """Its control nodes cannot be heard; each of them that is visited visits a leaf."""

    def __init__(self, tree):
        import bonsai_bt as bt

        self.tree = tree
        ends = [(ticks, bt.Status.Failure if fails else bt.Status.Success) for _, ticks, fails in leaves(tree)]
        self.sums = sums = [0] * len(ends)
        running = bt.RUNNING

        def leaf(args, _):
            at = args.action
            sums[at] += 1
            ticks, end = ends[at]
            return (end, args.dt) if sums[at] == ticks else running

        self.leaf = leaf
        numbers = iter(range(len(ends)))
        nodes = {"S": bt.Sequence, "F": bt.Select, "P": bt.WhenAll}

        def made(node):
            return bt.Action(next(numbers)) if node[0] == "L" else nodes[node[0]]([made(child) for child in node[1]])

        self.bt = bt.BT(made(tree), None)
        self.letters = {bt.Status.Running: "R", bt.Status.Success: "S", bt.Status.Failure: "F"}

    def tick(self):
        return self.letters[self.bt.tick(1.0, self.leaf)[0]]

    def counted(self):
        before = list(self.sums)
        status = self.tick()
        return status, visited(self.tree, self.sums, before)


class PyTrees:
    """Says itself which nodes it has visited."""

    def __init__(self, tree):
        import py_trees

        common = py_trees.common
        self.letters = {common.Status.RUNNING: "R", common.Status.SUCCESS: "S", common.Status.FAILURE: "F"}

        class Leaf(py_trees.behaviour.Behaviour):
            def __init__(self, ticks, fails):
                super().__init__("leaf")
                self.ticks, self.sum = ticks, 0
                self.end = common.Status.FAILURE if fails else common.Status.SUCCESS

            def update(self):
                self.sum += 1
                return self.end if self.sum == self.ticks else common.Status.RUNNING

        composites = py_trees.composites
        # Those that are done are not ticked again, as in the other engines.
        policy = common.ParallelPolicy.SuccessOnAll(synchronise=True)
        nodes = {
            "S": lambda children: composites.Sequence("sequence", memory=True, children=children),
            "F": lambda children: composites.Selector("fallback", memory=True, children=children),
            "P": lambda children: composites.Parallel("parallel", policy=policy, children=children),
        }

        def made(node):
            return Leaf(*node[1:]) if node[0] == "L" else nodes[node[0]]([made(child) for child in node[1]])

        self.root = made(tree)
        self.root.setup_with_descendants()

    def tick(self):
        self.root.tick_once()
        return self.letters[self.root.status]

    def counted(self):
        count = sum(1 for _ in self.root.tick())
        return self.letters[self.root.status], count


class BehaviorTreeCpp:
    """BehaviorTree.CPP 4 with leaves in Python. Its control nodes cannot be heard; each of them that is visited visits a leaf."""

    def __init__(self, tree):
        import behaviortreepy as bt

        self.tree = tree
        status = bt.NodeStatus
        self.letters = {status.RUNNING: "R", status.SUCCESS: "S", status.FAILURE: "F"}
        self.factory = bt.BehaviorTreeFactory()
        self.sums = sums = [0] * sum(1 for _ in leaves(tree))

        def leaf(at, ticks, fails):
            end = status.FAILURE if fails else status.SUCCESS

            def tick(_):
                sums[at] += 1
                return end if sums[at] == ticks else status.RUNNING

            self.factory.register_simple_stateful_action(f"L{at}", tick, tick)
            return f"<L{at}/>"

        numbers = iter(range(len(sums)))
        names = {"S": "Sequence", "F": "Fallback", "P": "Parallel"}

        def made(node):
            if node[0] == "L":
                return leaf(next(numbers), *node[1:])
            name = names[node[0]]
            return f"<{name}>{''.join(made(child) for child in node[1])}</{name}>"

        xml = f'<root BTCPP_format="4"><BehaviorTree ID="T">{made(tree)}</BehaviorTree></root>'
        self.made = self.factory.create_tree_from_text(xml)

    def tick(self):
        return self.letters[self.made.tick_exactly_once()]

    def counted(self):
        before = list(self.sums)
        status = self.tick()
        return status, visited(self.tree, self.sums, before)


ENGINES = {"bonsai": Bonsai, "py_trees": PyTrees, "behaviortree_cpp": BehaviorTreeCpp}


def main():
    engine = ENGINES[sys.argv[1]]
    for line in sys.stdin:
        what, most, first, *words = line.split()
        made = engine(parse(iter(words)))
        if what == "count":
            statuses, visits = "", []
            while len(visits) < int(most) and not statuses.endswith(("S", "F")):
                status, count = made.counted()
                statuses += status
                visits.append(count)
            print(statuses, *visits, flush=True)
        else:
            for _ in range(int(first)):
                made.tick()
            began = time.perf_counter_ns()
            for _ in range(int(most)):
                if made.tick() != "R":
                    break
            print(time.perf_counter_ns() - began, flush=True)


main()
