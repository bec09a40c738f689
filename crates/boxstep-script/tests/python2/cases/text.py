# -*- coding: utf-8 -*-
# A text stays a text however it is encoded; what has no such character is still an error.
import string, types
s = "café"
u = u"café"
print s.encode("utf-8") if 0 else s, u.encode("utf-8"), s.decode("utf-8").encode("utf8")
print "abc".encode("hex"), "616263".decode("hex"), "abc".encode("base64").strip(), "YWJj".decode("base64")
print u.encode("ascii", "ignore"), u.encode("ascii", "replace"), u.encode("ascii", "xmlcharrefreplace")
print "plain".encode("ascii"), "plain".decode("ascii"), "plain".encode("rot13")
try:
    u.encode("ascii")
except UnicodeEncodeError:
    print "no such character"
try:
    s.decode("ascii")
except UnicodeDecodeError, e:
    print "not ASCII"
print isinstance(u, unicode), isinstance(u, basestring), isinstance("a", basestring), isinstance(1, basestring)
print type(u) == unicode, type(u"") in (str, unicode), unicode(3), unicode("abc", "utf-8") == u"abc", unicode() == u""
print unichr(233) == u"é", string.letters[:3], string.join(["a", "b"], "-"), string.upper("x"), string.atoi("12")
print "hello".translate(string.maketrans("el", "ip")), "a-b".translate(None, "-"), string.split("a b")
print string.replace("aXa", "X", "-"), string.lowercase[:2], string.zfill("7", 3)
print types.StringType is str, isinstance(u, types.UnicodeType), isinstance("a", types.StringTypes)
print isinstance(1, types.IntType), isinstance([], types.ListType), isinstance({}, types.DictType)
print "%s %d %5.2f" % ("x", 3.9, 2.5), "a" "b", "é" in s
class Named:
    def __unicode__(self): return u"named"
print unicode(Named())
print int("12"), long("12") == 12, isinstance(3, (int, long)), round(2.5), round(-2.5), round(3.14159, 2), round(0.125, 2)
print round(1234.5, -2), round(0.49999999999999994), round(1e300, 2) == 1e300, round(7), round(2.675, 2), round(-0.5)
print intern("a"), apply(lambda a, b=1: a + b, (1,), {"b": 4}), coerce(1, 2.0), callable(len)
# Floats as texts have twelve digits, integers a point when they are floats.
x = 0.1 + 0.2
print x, str(x), "%s" % x, "%s and %s" % (x, 1), "{} {0:.3f}".replace("{}", "{0}").format(x), unicode(x), repr(x), [x], "%r" % x
print 1e11, 99999999999.0, 123456789012.0, -1e11, 1.5e11, 99999999999.96, 1e-5, 0.0001, 12345678901.25, 1e12, 1e16, 1.0, -0.0, float("inf"), float("nan"), 100 / 3.0, "%d %.2f" % (2.7, x), "%(k)s" % {"k": 1.5}
print str(3), str("a"), str(None), str([1.0]), "{a}".format(a=1 / 3.0), "%s" % (1,), "%5s|" % 2.0, "100%%" % ()
def shadowed(str): return str(2.5)
print shadowed(lambda x: x), map(str, [1, "a"])
print bytes is str or bytes("abc") == "abc", bytes(12), bytes(), isinstance("a", bytes), isinstance(1, bytes), "a" + bytes(u"b")
data = bytearray("\x02AB")
data.append(255)
print data[0], len(data), data[3:] == bytearray([255]), isinstance(data, bytearray), len(bytearray(4)), len(bytearray(u"\u00e9", "utf-8"))
