print None < 0, 3 < "a", [1] < "a", "a" < (1,), {} < [], -5 > None
print sorted([3, None, "b", 1.5, "a", [2]])
