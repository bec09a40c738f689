from StringIO import StringIO
out = StringIO()
print >>out, "to", 1
print >>out
print >>out, "no end",
print [out.getvalue()]
print >>None, "to standard output"
