import StringIO, cStringIO, HTMLParser, htmlentitydefs, ConfigParser, string, repr as short, csv, struct, pickle, json, base64
f = StringIO.StringIO("a\nb\n")
print f.readline(), cStringIO.StringIO("x").read(), htmlentitydefs.name2codepoint["amp"]
class P(HTMLParser.HTMLParser):
    def handle_data(self, data):
        print "data", data
P().feed("<b>bold</b>")
p = ConfigParser.ConfigParser()
p.readfp(StringIO.StringIO("[s]\nk = v\n"))
print p.get("s", "k"), string.letters[:3], string.join(["a", "b"], "-"), string.upper("a"), string.atoi("7")
print short.repr(range(20)), list(csv.reader(["a,b"])), struct.unpack("<h", "\x01\x00")
print pickle.loads(pickle.dumps([1, "a"])), json.loads('[1]'), base64.encodestring("hi").strip()
