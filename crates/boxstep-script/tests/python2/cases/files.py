# -*- coding: utf-8 -*-
import tempfile, os
path = os.path.join(tempfile.mkdtemp(), "f")
f = open(path, "wb")
f.write("a café\n")
f.close()
data = file(path).read()
out = open(path + "2", "w")
out.write(data)
out.close()
print os.path.getsize(path) == os.path.getsize(path + "2"), len(open(path).readlines())
for line in open(path, "U"):
    print line.split()[1]
