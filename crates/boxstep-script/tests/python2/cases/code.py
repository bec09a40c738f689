print eval("7 / 2"), eval("x / 2", {"x": 9})
def f(a):
    return eval("a / 2")
print f(5)
exec compile("print 'compiled', 3 / 2", "<it>", "exec")
import tempfile, os
path = os.path.join(tempfile.mkdtemp(), "m.py")
open(path, "w").write("value = 5 / 2\nprint 'file'\n")
execfile(path)
print value
