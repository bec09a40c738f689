class Num(object):
    def __init__(self, n):
        self.n = n
    def __nonzero__(self):
        return self.n > 0
    def __cmp__(self, other):
        return cmp(self.n, other.n)
    def __div__(self, other):
        return "div %d" % other
print bool(Num(0)), bool(Num(1)), Num(1) < Num(2), Num(2) == Num(2), Num(3) / 2
class Steps(object):
    def __init__(self):
        self.left = 2
    def __iter__(self):
        return self
    def next(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.left
print list(Steps())
class Meta(type):
    def __new__(cls, name, bases, names):
        names["made"] = name
        return type.__new__(cls, name, bases, names)
class Made(object):
    __metaclass__ = Meta
print Made.made
class Uni(object):
    def __unicode__(self):
        return u"uni"
print unicode(Uni())
