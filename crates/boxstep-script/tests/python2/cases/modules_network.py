import urllib, urllib2, urlparse, httplib, cookielib, Cookie, robotparser, xmlrpclib
print urllib.urlencode({"a b": 1}), urllib.quote("a b/"), urllib.unquote("a%20b"), urllib.quote_plus("a b")
print urlparse.urlparse("http://h:1/p?q")[1], urlparse.urljoin("http://h/a/b", "c"), urlparse.parse_qs("a=1")
print httplib.OK == 200, urllib2.Request("http://h/x").get_host(), callable(urllib2.urlopen), cookielib.CookieJar is not None
c = Cookie.SimpleCookie()
c["k"] = "v"
print c["k"].value, xmlrpclib.dumps((1,)).split()[0], robotparser.RobotFileParser is not None
