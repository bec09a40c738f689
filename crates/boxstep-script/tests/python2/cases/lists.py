print map(str, [1, 2]), map(None, [1, 2], [3]), filter(None, [0, 1]), filter(str.isdigit, "a1b2"), zip("ab", [1, 2])
print range(3), range(3) + [9], type(range(2)) is list
