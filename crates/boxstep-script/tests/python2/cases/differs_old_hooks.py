class A(object):
    def __getslice__(self, i, j):
        return "getslice"
    def __getitem__(self, i):
        return "getitem"
print A()[1:2]
class B: pass
print type(B) is type, isinstance(B(), object)
import sys
try:
    1 / 0
except ZeroDivisionError:
    print hasattr(sys, "exc_type")
