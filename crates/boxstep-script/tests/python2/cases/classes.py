# Classes: truth, order, metaclass, hash; global after use; import * in a function.
class Empty:
    def __nonzero__(self): return False
print bool(Empty()), "no" if not Empty() else "yes"
class Version(object):
    def __init__(self, n): self.n = n
    def __cmp__(self, other): return cmp(self.n, other.n)
print Version(1) < Version(2), Version(1) == Version(1), Version(3) != Version(3), max(Version(1), Version(5)).n
print len(set([Version(1)])), sorted([Version(2), Version(1)])[0].n
class Same(object):
    def __eq__(self, other): return True
print isinstance(hash(Same()), (int, long))
class Meta(type):
    def __new__(mcs, name, bases, space):
        space["made"] = name.lower()
        return type.__new__(mcs, name, bases, space)
class Made(object):
    __metaclass__ = Meta
print Made.made, Made.__metaclass__ is Meta
counter = 0
def count():
    counter_before = counter
    print "before", counter_before
    global counter
    counter = counter + 1
count()
count()
print counter
global counter
counter = 9
def star():
    """Doc."""
    from os.path import *
    return basename("/a/b")
print star(), star.__doc__
def named(): pass
print named.func_name, named.func_code.co_argcount, Version.__cmp__.im_func.__name__
class Bound:
    def me(self): return self
b = Bound()
print b.me.im_self is b
import threading
t = threading.Thread(target=named)
print t.isAlive()
t.start(); t.join()
print t.isAlive()
