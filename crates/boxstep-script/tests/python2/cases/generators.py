from contextlib import contextmanager
import contextlib
def pairs(items):
    "Two at a time."
    items = iter(items)
    while True:
        first = items.next()
        yield first, next(items)
print list(pairs([1, 2, 3, 4, 5])), pairs.__doc__
def until(last):
    for n in xrange(10):
        if n == last:
            raise StopIteration
        yield n
print list(until(3)), sum(until(5)), max(until(4))
class Tree(object):
    def __init__(self, *parts):
        self.parts = parts
    def __iter__(self):
        for part in self.parts:
            for leaf in part:
                yield leaf
        raise StopIteration('no more')
print list(Tree([1], Tree([2, 3]), []))
done = []
def tidied(items):
    try:
        while 1:
            try:
                yield items.next()
            except ValueError:
                yield 'thrown'
    finally:
        done.append('tidied')
for each in tidied(iter('ab')):
    print each,
print done
thrown = tidied(iter('xyz'))
print thrown.next(), thrown.throw(ValueError), thrown.next(), thrown.close(), done
def counted(items):
    global count
    count = 0
    for item in items:
        count += 1
        yield item
    empty().next()
    count = 'never'
def empty():
    def inner():
        return iter(()).next()
    yield inner()
print list(counted('abc')), count, list(empty())
rest = iter(range(7))
print list(rest.next() for _ in range(3)), list((rest.next(), rest.next()) for _ in range(9)), list(rest)
def stop(n):
    if n > 2:
        raise StopIteration
    return n
print list(stop(n) for n in range(9)), dict((n, n * n) for n in range(9) if stop(n) < 9)
print any(stop(n) > 5 for n in range(9)), sum(n for n in until(stop(2)))
def caught():
    it = iter([1])
    try:
        while True:
            yield it.next()
    except StopIteration:
        yield 'end'
print list(caught())
for of in (until(1), (stop(n) for n in (1, 7))):
    of.next()
    try:
        of.next()
    except StopIteration:
        print 'StopIteration',
print
# What is not a generator lets it through.
def plain():
    return iter(()).next()
make = lambda: (lambda: iter(()).next())()
for function in plain, make, lambda: [stop(n) for n in range(9)]:
    try:
        function()
    except StopIteration:
        print 'through',
print
# So does a context manager, for what happens in its block.
@contextmanager
def block():
    yield 1
@contextlib.contextmanager
def other_block():
    try:
        yield 2
    finally:
        print 'left',
for manager in block, other_block:
    try:
        with manager() as number:
            iter(()).next()
    except StopIteration:
        print number, 'out'
# Other errors are what they are.
def failing():
    yield 1
    raise RuntimeError('mine')
try:
    list(failing())
except RuntimeError, e:
    print e
try:
    list(int(n) for n in ('1', 'x'))
except ValueError:
    print 'ValueError'
try:
    list(failing_call(n) for n in '1')
except NameError:
    print 'NameError'
# The context manager may have any name and be made of anything that makes generators.
from contextlib import contextmanager as manages
def one(n=1):
    "One."
    yield n
made = manages(one)
print made.__name__, made.__doc__
for manager in made, manages(lambda: (yield 2)), contextlib.contextmanager(lambda: (n for n in [3])):
    try:
        with manager() as number:
            raise StopIteration
    except StopIteration:
        print number, 'out'
@manages
def swallowing():
    try:
        yield
    except StopIteration, e:
        print 'caught', e
with swallowing():
    raise StopIteration('here')
with made(n=4) as number:
    print number
try:
    with manages(lambda: (n for n in []))():
        print 'never'
except RuntimeError, e:
    print e
# Lambdas are generators as well.
twice = lambda it: ((yield it.next()), (yield it.next()))
print list(twice(iter([1]))), list(twice(iter([1, 2, 3])))
added = lambda (items, n): (yield items.next() + n)
print list(added((iter([1]), 2))), list(added((iter([]), 2)))
asking = (lambda: (yield (yield 'name?')))()
print asking.next(), asking.send('me'), list(asking)
# What raises in a generator expression need not be a call.
class Ends(object):
    def __add__(self, other):
        raise StopIteration
    __neg__ = __getitem__ = __cmp__ = lambda self, *_: self + 1
    here = property(lambda self: self + 1)
ends = [Ends()]
print list(p + 1 for p in ends), list(-p for p in ends), list(p[0] for p in ends), list(p.here for p in ends),
print list(1 for p in ends if p < 3), list(1 for p in ends if p == 3), list('%s' % p.here for p in ends)
