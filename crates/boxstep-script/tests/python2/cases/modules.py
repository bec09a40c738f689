# The standard library under its old names.
import sys, os, time, types, itertools, collections
import urllib, urllib2, urlparse, Queue, thread, StringIO, cStringIO, ConfigParser, cPickle, httplib, cookielib
import HTMLParser, SocketServer, SimpleHTTPServer, BaseHTTPServer, __builtin__, commands, mutex, md5, sha, sets
import xmlrpclib, Cookie, exceptions, UserDict, email.MIMEText
import os.path, xml.dom.minidom
from email.MIMEMultipart import MIMEMultipart
from email import MIMEBase
from urllib import urlencode, quote, unquote
from itertools import izip, imap, ifilter
from os import path
import hashlib, base64, json, math, string, struct, csv, inspect, subprocess, socket
print urlencode([("a", "b c"), ("d", 1)]), quote("a b/c"), unquote("a%20b"), urllib.quote_plus("a b"), urllib2.quote("x y")
print urlparse.urlparse("http://host:80/p?q=1").netloc, urlparse.parse_qs("a=1&a=2")["a"]
print urllib2.Request("http://host/p", "data").get_data() == "data" or "bytes", urllib2.HTTPError is not None
q = Queue.Queue()
q.put(1)
print q.get(), q.empty(), Queue.Empty.__name__
print thread.get_ident() == thread.get_ident(), thread.allocate_lock().acquire(0)
out = StringIO.StringIO()
out.write("text")
print out.getvalue(), cStringIO.StringIO("a\nb").readlines()
c = ConfigParser.ConfigParser()
c.readfp(StringIO.StringIO("[s]\na = 1 ; one\n[s]\nb = 2\n"))
print c.get("s", "a"), c.getint("s", "b"), c.sections()
print cPickle.loads(cPickle.dumps({"a": [1]})), md5.new("x").hexdigest(), sha.new("x").hexdigest()[:8]
print hashlib.md5("text").hexdigest(), hashlib.sha1("a" + "b").hexdigest()[:6]
h = hashlib.new("md5"); h.update("text"); print h.hexdigest() == hashlib.md5("text").hexdigest()
print base64.b64encode("user:pw"), base64.b64decode("YQ=="), base64.encodestring("a").strip(), base64.decodestring("YQ==")
print json.loads("[1]", encoding="utf-8"), json.dumps({"a": 1}, encoding="utf-8")
print len(sets.Set([1, 1])), string.letters[0], sys.maxint > 2 ** 30, os.getcwdu() == os.getcwd()
sys.setdefaultencoding = getattr(sys, "setdefaultencoding", None)
reload(sys)
sys.setdefaultencoding("utf-8")
print list(izip([1], [2])), list(imap(str, [1])), list(ifilter(None, [0, 1])), list(itertools.izip_longest([1], []))
print __builtin__.len is len, __builtin__.unicode is unicode, exceptions.ValueError is ValueError, exceptions.StandardError is StandardError
print commands.getoutput("echo hi"), commands.getstatusoutput("exit 3")[0]
m = mutex.mutex()
m.lock(lambda x: sys.stdout.write("first %s\n" % x), 1)
m.lock(lambda x: sys.stdout.write("second %s\n" % x), 2)
print m.test()
m.unlock(); m.unlock()
print m.test()
print email.MIMEText.MIMEText("body")["Content-Type"].split(";")[0], MIMEMultipart()["MIME-Version"], MIMEBase.MIMEBase.__name__
class Parser(HTMLParser.HTMLParser):
    def handle_starttag(self, tag, attrs): print tag, attrs
    def handle_entityref(self, name): print "entity", name
    def handle_data(self, data): print "data", data
Parser().feed('<a href="x">b</a>&amp;')
print struct.unpack(">H", "\x01\x02")[0], struct.calcsize("I"), math.floor(2.5), math.sqrt(4), isinstance(time.clock(), float)
print list(csv.reader(["a,b", "c,d"])), inspect.getargspec(lambda a, b=1: 0).args
print subprocess.check_output(["echo", "out"]).strip().split("o"), subprocess.Popen(["echo", "x"], stdout=subprocess.PIPE).communicate()[0]
a, b = socket.socketpair()
a.send("ping"); print b.recv(10) + "!"
a.close(); b.close()
print xml.dom.minidom.parseString("<a/>").documentElement.tagName, os.path is path, path.join("a", "b")
import xml.etree.cElementTree as ET
from xml.etree import cElementTree, ElementTree
print ET.fromstring("<a><b/></a>").getchildren()[0].tag, cElementTree is ET, ElementTree.fromstring("<c/>").tag
try:
    import no_such_module
except ImportError, e:
    print "no module"
try:
    from os import no_such_name
except ImportError, e:
    print "no name"
from string import *
print letters[:2], join(["x", "y"], "")
from math import *
print floor(1.5) / 2
import tempfile
name = os.path.join(tempfile.mkdtemp(), "f")
f = open(name, "wb"); f.write("binary\n"); f.close()
f = file(name); print f.read(), f.closed, isinstance(f, file); f.close()
with open(name, "w") as f: f.write("line\r\nb")
print open(name).readlines() == ["line\r\n", "b"], open(name, "rU").readlines()
f = open(name, "w"); print >>f, "printed", 1; f.close()
print open(name, "r").read(),
execfile(name) if 0 else None
sys.custom = 3
print sys.custom, hasattr(sys, "nothing"), collections.Mapping is not None, isinstance({}, collections.Mapping)
