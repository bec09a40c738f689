print unicode(3), isinstance("a", basestring), long(5) + 1, list(xrange(3)), unichr(97)
print reduce(lambda x, y: x * 10 + y, [1, 2, 3]), cmp(1, 2), apply(max, (1, 2)), coerce(1, 2.0)
print intern("a"), issubclass(ValueError, StandardError), buffer is not None, callable(reload), callable(raw_input)
print oct(8), oct(0), oct(-9), hasattr("abc", "__iter__"), hasattr([], "__iter__"), hasattr({}, "has_key"), hasattr({}, "key")
class Failing(object):
    @property
    def value(self):
        raise ValueError
print hasattr(Failing(), "value"), hasattr(Failing, "value")
