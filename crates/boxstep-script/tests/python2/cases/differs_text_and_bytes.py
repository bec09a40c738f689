# -*- coding: utf-8 -*-
print len("é"), isinstance("a", unicode), isinstance(u"a", str)
print repr(u"a"), [ord(c) for c in "é"][0] > 200, len("\xc3\xa9")
import os, tempfile
path = os.path.join(tempfile.mkdtemp(), "f")
with open(path, "wb") as f:
    f.write("\x00\xff")
print os.path.getsize(path), type(open(path, "rb").read()) is str
