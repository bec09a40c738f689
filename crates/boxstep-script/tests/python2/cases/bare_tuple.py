print [x for x in 1, 2]
print [(x, y) for x in 1, 2 for y in 3, 4 if x]
print [f(1) for f in lambda x: x, lambda x: x + 1]
