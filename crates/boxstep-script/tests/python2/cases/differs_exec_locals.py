def f():
    exec "made = 1"
    try:
        return made
    except NameError:
        return "NameError"
print f()
def g():
    space = {}
    exec "made = 1" in space
    return space["made"]
print g()
