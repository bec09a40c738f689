print unicode(3), isinstance("a", basestring), long(5) + 1, list(xrange(3)), unichr(97)
print reduce(lambda x, y: x * 10 + y, [1, 2, 3]), cmp(1, 2), apply(max, (1, 2)), coerce(1, 2.0)
print intern("a"), issubclass(ValueError, StandardError), buffer is not None, callable(reload), callable(raw_input)
