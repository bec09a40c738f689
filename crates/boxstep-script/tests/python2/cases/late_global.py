count = 1
def f():
    count = 2
    return count
def g():
    print count
    global count
    count = 5
g()
print count
