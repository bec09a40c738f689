# Exceptions: the comma, the name that lives on, message, items, three-part raise.
import sys
try:
    raise ValueError, "text"
except (TypeError, ValueError), e:
    print "caught", e, e.message, e.args, e[0]
print "still", e
try:
    raise ValueError("a", "b")
except ValueError as err:
    first, second = err
    print first, second, repr(err.message)
print err.args
try:
    raise IOError, (2, "No such thing")
except IOError, (number, text):
    print number, text
class Holder: pass
holder = Holder()
try:
    raise KeyError, "k"
except KeyError, holder.error:
    pass
print holder.error.args
def survives():
    try:
        raise ValueError("one")
    except ValueError, e:
        pass
    return e.message
print survives()
def both():
    e = "before"
    try:
        raise ValueError("two")
    except ValueError, e:
        try:
            raise TypeError("inner")
        except TypeError, e:
            print e
    return str(e)
print both()
def later():
    try:
        raise ValueError("three")
    except ValueError, e:
        return lambda: e.message
print later()()
def reraises():
    try:
        try:
            raise ValueError("four")
        except ValueError, e:
            print e
            raise
    except ValueError, again:
        print "again", again
reraises()
def traced():
    try:
        1 / 0
    except ZeroDivisionError:
        kind, value, tb = sys.exc_info()
    try:
        raise RuntimeError, "wrapped", tb
    except RuntimeError, e:
        print e, sys.exc_info()[2] is not None
traced()
try:
    raise ValueError, ValueError("instance")
except ValueError, e:
    print e
try:
    raise ValueError, None
except ValueError, e:
    print e.args, repr(e.message)
try:
    raise ValueError("x"), "y"
except TypeError, e:
    print e
try:
    raise 3, 4
except TypeError, e:
    print e.message[:10]
class Own(StandardError):
    def __init__(self, message, code):
        StandardError.__init__(self, message)
        self.message = message.upper()
        self.code = code
try:
    raise Own, ("own", 7)
except StandardError, e:
    print e.message, e.code, e
try: raise ValueError
except: print "bare", sys.exc_info()[0].__name__
try:
    {}["x"]
except KeyError, e: print e.message
for i in range(2):
    try:
        if i: print "second round sees", seen
        raise ValueError(i)
    except ValueError, seen:
        pass
print seen
