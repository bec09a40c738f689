print [x for x in range(3)], x
def f():
    y = "before"
    made = [y for y in "abc"]
    return y
print f()
def g():
    calls = [lambda: n for n in range(3)]
    return [call() for call in calls], n
print g()
print [(k, v) for k, v in {"a": 1}.items()], k, v
print [[i * j for i in range(2)] for j in range(2)], i, j
if [z for z in ()]: pass
try:
    print z
except NameError, e:
    print e
gen = list(q for q in range(2))
try:
    q
except NameError, e:
    print e
