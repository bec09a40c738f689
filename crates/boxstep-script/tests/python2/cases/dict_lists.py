d = {"a": 1}
print d.keys()[0], d.values() + [2], d.items()
print sorted(d.iteritems()), list(d.iterkeys()), d.has_key("a"), d.has_key("b")
class Own(object):
    def keys(self):
        return "own"
print Own().keys(), iter([3]).next()
