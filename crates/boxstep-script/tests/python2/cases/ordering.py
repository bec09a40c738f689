print sorted([3, None, "a"]), max([1, "a", None]), min(1, "a", None), max([3, 4], key=lambda x: -x)
