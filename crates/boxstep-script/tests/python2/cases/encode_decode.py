# -*- coding: utf-8 -*-
text = u"caf\u00e9"
print text.encode("utf-8")
print text.encode("ascii", "ignore"), text.encode("ascii", "replace")
try:
    text.encode("ascii")
except UnicodeError, e:
    print "error"
print "6869".decode("hex"), "hi".encode("hex"), "hi".encode("base64").strip(), "uryyb".decode("rot13")
