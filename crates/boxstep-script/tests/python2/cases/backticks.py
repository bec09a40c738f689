x = [1, "a"]
print `x`, `1 + 1` + `"b"`
print `1, 2`
