# Lists out of dictionaries, iterators and the old methods.
import os
from collections import OrderedDict
d = OrderedDict([("a", 1), ("b", 2)])
print d.keys(), d.values(), d.items(), d.keys()[0], d.items()[-1]
print d.has_key("a"), d.has_key("z"), sorted(d.iterkeys()), list(d.itervalues()), list(d.iteritems())
keys = {"k": 1}.keys()
keys.append("more")
print keys, type({}.keys()) is list
for k in d.keys():
    del d[k]
print len(d)
it = iter([1, 2])
print it.next(), it.next()
def gen():
    yield 1
g = gen()
print g.next()
try:
    g.next()
except StopIteration:
    print "stopped"
class Count:
    def __init__(self): self.n = 0
    def __iter__(self): return self
    def next(self):
        self.n += 1
        if self.n > 3: raise StopIteration
        return self.n
print list(Count()), Count().next(), [x for x in Count()]
class Own:
    def keys(self): return "own keys"
    def items(self, more): return more
    def next(self, a, b=2): return a + b
    def encode(self, *a, **k): return a, k
    def sort(self, cmp): return cmp
    message = "own message"
own = Own()
print own.keys(), own.items(3), own.next(1), own.next(1, b=5), own.encode(1, x=2), own.sort("s"), own.message
class Node:
    next = None
node = Node()
node.next = Node()
print node.next.next is None
print os.environ.has_key("NO_SUCH_NAME"), type(os.environ.keys()) is list
has = {1: 2}.has_key
print filter(has, [1, 2]), map(None, [1, 2]), map(None, [1, 2], [3]), map(lambda a, b: (a, b), [1], [2, 3])
print filter(None, "abc"), filter(lambda c: c > "a", "abc"), filter(None, (0, 1)), filter(None, [0, 2])
print zip([1, 2], "ab"), range(3), range(3) + [9], xrange(4)[2], len(xrange(5)), reduce(lambda a, b: a + b, [1, 2, 3])
pairs = [("b", 1), ("a", 2)]
pairs.sort()
print pairs
pairs.sort(lambda a, b: cmp(b, a))
print pairs
pairs.sort(key=lambda p: p[1], reverse=True)
print pairs
pairs.sort(cmp=lambda a, b: a[1] - b[1])
print pairs, sorted([3, 1, 2], lambda a, b: b - a), sorted([3, 1], reverse=1)
print sorted([None, 3, "a", 1.5]), max(None, 3), min([2, None]), cmp(1, 2), cmp("b", "a"), cmp(1, 1), cmp([1, 2], [1, 3])
# Things of different kinds have an order; objects that say no are heard.
print None < 0, None > -5, 3 < "a", "a" > 3, [] > 3, () > [], {} < [], 1 <= "1", None <= None, "b" >= None, None < ""
print 1 < 2 < 3, 2 > 1, "a" < "b", [1, 2] < [1, 3], (1, None) < (1, 2), {1: 2} < {1: 3}
import datetime
try:
    print datetime.datetime(2020, 1, 1) < None
except TypeError:
    print "no order"
