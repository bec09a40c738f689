print 7 / 2, -7 / 2, 7 / 2.0, 7 // 2, True / 2
x = 7
x /= 2
print x
class A:
    n = 9
A.n /= 2
items = [9]
items[0] /= 2
print A.n, items
