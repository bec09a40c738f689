def f(a, (b, (c, d)), e=5):
    return [a, b, c, d, e]
print f(1, (2, [3, 4]))
def g((a,
       b), c):  # two lines
    return a + b + c
print g((1, 2), 3)
