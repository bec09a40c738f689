class A(object):
    n = 2
    try:
        made = [x * n for x in range(3)]
    except NameError:
        made = "NameError"
print A.made, hasattr(A, "x")
def f():
    return [y for y in [z for z in range(3)]], "z" in dir()
print f()
