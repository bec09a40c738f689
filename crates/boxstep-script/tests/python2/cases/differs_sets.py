print set([1, 2]), frozenset("a")
