gone = '''Bastion MimeWriter audiodev compiler dircache dumbdbm dummy_threading fpformat future_builtins hotshot htmllib ihooks
    imputil macurl2path markupbase mhlib mimetools mimify multifile new popen2 posixfile rexec rfc822 sgmllib sre statvfs
    stringold strop sunaudio toaiff user whichdb xmllib'''.split()
for name in gone:
    try:
        __import__(name)
        print name,
    except ImportError:
        print '-',
print
import contextlib, fractions, operator, os, os.path, platform, string, sys, types
print len([1 for module, name in [
    (os, 'popen2'), (os, 'popen3'), (os, 'popen4'), (os, 'tempnam'), (os, 'tmpnam'), (os, 'tmpfile'), (os.path, 'walk'),
    (fractions, 'gcd'), (contextlib, 'nested'), (platform, 'dist'), (operator, 'repeat'), (operator, 'isCallable'),
    (sys, 'exc_type'), (sys, 'exitfunc'), (sys, 'setcheckinterval'), (types, 'DictProxyType'),
] if hasattr(module, name)])
