import threading
def f(a, b=2): pass
print f.func_name, f.func_defaults, f.func_code.co_argcount
class A(object):
    def m(self): pass
a = A()
print a.m.im_self is a, a.m.im_func.__name__
print threading.currentThread().isAlive()
