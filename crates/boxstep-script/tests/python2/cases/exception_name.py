def f():
    try:
        raise ValueError("text", 2)
    except ValueError, e:
        a, b = e
        first = e[0]
    return e.message, first, a, b, e.args
print f()
try:
    raise KeyError("k")
except KeyError, e:
    print e.message
print e.args
