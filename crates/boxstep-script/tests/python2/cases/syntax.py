# -*- coding: utf-8 -*-
# Statements and literals whose spelling changed.
import sys
from StringIO import StringIO
print
print "a", 1, None
print ("a"), ("b")
print (1, 2)
print ("one")
print()
print -1, +2
print [1] * 2
print {1: 2}[1]
print("%s-%s") % (1, 2)
print "a",
print "b"
print "a\n", "b", "tab\t", "c\n",
print "d",
print
print u"x",; print "", "y"
if True: print "same", "line"; print "again"
out = StringIO()
print >>out, "to", "file"
print >>out
print >>out, "no end",
print repr(out.getvalue().rstrip())
print "multi", \
    "line", (
        1 +
        2)
print `1 + 1`, `"x", 2`, `(`3`)`
def back(a): return`a`
print back("q")
print 1 <> 2, 1 != 1
print 0777, 0xFFL, 10L, 0, 00, 0o17, 1e3, 7L.__class__.__name__ in ("int", "long")
print "\d\RSPD=80\ \q" == "\\d\\RSPD=80\\ \\q", "\u00e9" == "\\u00e9", len(u"\u00e9"), u"\u00e9" == u"é"
print ur"\d\u0041" == u"\\d\u0041", ur'\d' == u"\\d", r"\u0041", u"\N{LATIN SMALL LETTER A}"
ns = {}
exec "x = 1 + 1\nprint 'in exec', x" in ns
print ns["x"]
exec("y = 3")
print y
def executes():
    scope = {"a": 2}
    exec "b = a / 2 * 3" in scope, scope
    return scope["b"]
print executes()
def tuples(a, (b, (c, d)), e=5, *rest):
    "Unpacks."
    return a, b, c, d, e, rest
print tuples(1, (2, (3, 4))), tuples(1, "xy"[:1] + "z" and ("x", "yz"), 6, 7), tuples.__doc__
def single((x), (y,)):
    return x, y
print single(1, (2,))
print sorted({"a": 2, "b": 1}.items(), key=lambda (k, v): v)
print (lambda (a, (b, c)), d, (e): (a, b, c, d, e))((1, (2, 3)), 4, 5)
print map(lambda (k, v)=(1, 2): k + v, [(3, 4)])
async = 1
def f(await=2, nonlocal=3): return async + await + nonlocal
print f(await=5)
class Thing: pass
thing = Thing()
thing.async = "attribute"
print thing.async, getattr(thing, "async"), vars(thing)
print [x for x in 1, 2, 3], [x for x in 0, 1, if x], [(x, y) for x in 1, 2 for y in 3, 4]
if 1:
        print "eight"
	print "tab"
print True if 1 else 2, not 1
lst = [1, 2,
	3]
print lst; print 'end' # comment, with a comma,
