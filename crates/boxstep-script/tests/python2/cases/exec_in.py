space = {"x": 3}
exec "y = x / 2" in space
print space["y"]
exec("z = 5 / 2", space)
print space["z"]
exec "w = 7 / 2"
print w
