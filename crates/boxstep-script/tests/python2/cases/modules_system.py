import commands, md5, sha, sets, exceptions, __builtin__, copy_reg, cPickle, os, sys, types, time, operator, itertools, anydbm
print commands.getoutput("echo hi"), commands.getstatusoutput("true"), md5.new("a").hexdigest(), sha.new("a").hexdigest()[:8]
print len(sets.Set([1, 2, 2])), exceptions.ValueError is ValueError, __builtin__.len("ab"), callable(copy_reg.pickle)
print cPickle.loads(cPickle.dumps({"a": 1})), sys.maxint > 2 ** 31, os.getcwdu() == os.getcwd(), types.StringType is str
print isinstance(u"a", types.UnicodeType), operator.isCallable(len), operator.div(7, 2), list(itertools.imap(abs, [-1])), list(itertools.izip("a", "b"))
print time.clock() >= 0, callable(anydbm.open)
