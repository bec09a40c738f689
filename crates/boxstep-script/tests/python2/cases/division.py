# `/` floors for integers alone, wherever it stands.
print 7 / 2, -7 / 2, 7 / -2, 7 / 2.0, 7.0 / 2, True / 2, 10L / 4, 7 // 2, 7 % 3
x = 7
x /= 2
print x
x /= 2.0
print x
calls = []
def at(i):
    calls.append(i)
    return i
data = [9, 9.0, 8]
data[at(0)] /= 2
data[1] /= 2
print data, calls
class Box:
    size = 7
    def half(self):
        self.size /= 2
        return self.size
print Box().half(), data[4 / 2], range(9)[8 / 3:20 / 3]
print "%d" % (5 / 2), 3 / 2 * 1.0, 1.0 * 3 / 2, (1 + 2) / 2, 100 * 3 / 100
try:
    1 / 0
except ZeroDivisionError, e:
    print "caught", e.__class__.__name__
class Vector(object):
    def __init__(self, x): self.x = x
    def __div__(self, other): return Vector(self.x / other)
    def __rdiv__(self, other): return "reversed"
    def __idiv__(self, other): return Vector(self.x / other + 100)
print (Vector(7) / 2).x, 3 / Vector(1)
import math
print math.floor(7.5) / 2, math.ceil(6.5) / 2, int(7.9) / 2, len("abc") / 2, round(5) / 2
fps = 25
print fps * 150 / 100
print (lambda a, b: a / b)(9, 2), [i / 2 for i in range(4)], 1j / 2
print eval("7 / 2"), eval("x / 2", {"x": 9})
