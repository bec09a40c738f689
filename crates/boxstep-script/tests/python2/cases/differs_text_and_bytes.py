# -*- coding: utf-8 -*-
print len("é"), isinstance("a", unicode), isinstance(u"a", str)
print repr(u"a"), [ord(c) for c in "é"][0] > 200, len("\xc3\xa9")
