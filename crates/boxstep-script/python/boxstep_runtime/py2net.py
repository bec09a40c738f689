"""The network modules of Python 2, which have other names and transfer text.

Incoming data is decoded as UTF-8; invalid bytes are preserved and sent unchanged (py2str.to_text).
"""
import importlib

from .py2bytes import data_of
from .py2str import native, to_bytes, to_text


def _module(name):
    return importlib.import_module(name)


class _Headers(object):
    """Headers with the methods that they have in Python 2."""

    def __init__(self, real):
        self._real = real
        self.dict = dict((name.lower(), value) for name, value in real.items())

    def getheader(self, name, default=None):
        return self._real.get(name, default)

    def getheaders(self, name):
        return self._real.get_all(name) or []

    def gettype(self):
        return self._real.get_content_type()

    def getparam(self, name):
        return self._real.get_param(name)

    def has_key(self, name):
        return name in self._real

    def __getitem__(self, name):
        return self.dict[name.lower()]

    def __contains__(self, name):
        return name in self._real

    def __iter__(self):
        return iter(self.dict)

    def __str__(self):
        return str(self._real)

    def __getattr__(self, name):
        return getattr(self._real, name)


class _Response(object):
    """A response that reads as text."""

    def __init__(self, real):
        self._real = real

    def read(self, *size):
        return native(self._real.read(*size))

    def readline(self, *size):
        return native(self._real.readline(*size))

    def readlines(self, *size):
        return [native(line) for line in self._real.readlines(*size)]

    def info(self):
        return _Headers(self._real.info())

    @property
    def headers(self):
        return self.info()

    def getheader(self, name, default=None):
        return self._real.headers.get(name, default)

    def __iter__(self):
        return (native(line) for line in self._real)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self._real.close()

    def __getattr__(self, name):
        return getattr(self._real, name)


def _urllib2(real):
    class Request(real.Request):
        """A request whose data may be text."""

        def __init__(self, url, data=None, headers=None, origin_req_host=None, unverifiable=False):
            real.Request.__init__(self, url, data_of(data), headers or {}, origin_req_host, unverifiable)

        def add_data(self, data):
            self.data = data_of(data)

        def has_data(self):
            return self.data is not None

        def get_data(self):
            return None if self.data is None else to_text(self.data)

        def get_host(self):
            return self.host

        def get_type(self):
            return self.type

    class Opener(object):
        """An opener that sends and receives text."""

        def __init__(self, opener):
            self.__dict__["real"] = opener

        def open(self, url, data=None, *timeout):
            return _Response(self.real.open(url, data_of(data), *timeout))

        def __getattr__(self, name):
            return getattr(self.real, name)

        def __setattr__(self, name, value):
            setattr(self.real, name, value)

    def urlopen(url, data=None, *args, **kwargs):
        return _Response(real.urlopen(url, data_of(data), *args, **kwargs))

    def build_opener(*handlers):
        return Opener(real.build_opener(*handlers))

    def install_opener(opener):
        real.install_opener(getattr(opener, "real", opener))

    errors, parse = _module("urllib.error"), _module("urllib.parse")
    return dict(
        Request=Request, urlopen=urlopen, build_opener=build_opener, install_opener=install_opener,
        HTTPError=errors.HTTPError, URLError=errors.URLError, quote=parse.quote, unquote=parse.unquote)


def _urllib(real):
    request, parse = _module("urllib.request"), _module("urllib.parse")

    def urlopen(url, data=None, proxies=None, context=None):
        options = {} if context is None else {"context": context}
        try:
            return _Response(request.urlopen(url, data_of(data), **options))
        except _module("urllib.error").HTTPError as error:
            # Unlike urllib2, Python 2's urllib returns the server's response to an error.
            return _Response(error)

    def urlencode(query, doseq=0):
        return parse.urlencode(query, bool(doseq), encoding="utf-8", errors="surrogateescape")

    def quote(text, safe="/"):
        return parse.quote(to_bytes(text), safe)

    def quote_plus(text, safe=""):
        return parse.quote_plus(to_bytes(text), safe)

    def unquote(text):
        return parse.unquote(text, "utf-8", "surrogateescape")

    def unquote_plus(text):
        return parse.unquote_plus(text, "utf-8", "surrogateescape")

    def urlretrieve(url, filename=None, reporthook=None, data=None):
        return request.urlretrieve(url, filename, reporthook, data_of(data))

    extra = dict(
        urlopen=urlopen, urlencode=urlencode, quote=quote, quote_plus=quote_plus, unquote=unquote,
        unquote_plus=unquote_plus, urlretrieve=urlretrieve)
    for name in ("urlcleanup", "pathname2url", "url2pathname", "getproxies", "URLopener", "FancyURLopener"):
        if hasattr(request, name):  # Python 3.14 dropped the last two
            extra[name] = getattr(request, name)
    return extra


def _httplib(real):
    def connection(base):
        class Connection(base):
            """A connection that sends and receives text."""

            def __init__(self, host, port=None, strict=None, **kwargs):
                base.__init__(self, host, port, **kwargs)

            def request(self, method, url, body=None, headers=None, **kwargs):
                base.request(self, method, url, data_of(body), headers or {}, **kwargs)

            def send(self, data):
                base.send(self, data_of(data))

            def getresponse(self, *args, **kwargs):
                return _Response(base.getresponse(self, *args))
        Connection.__name__ = base.__name__
        return Connection
    extra = dict(HTTPConnection=connection(real.HTTPConnection))
    if hasattr(real, "HTTPSConnection"):
        extra["HTTPSConnection"] = connection(real.HTTPSConnection)
    return extra


def _htmlparser(real):
    class HTMLParser(real.HTMLParser):
        """Reports entities, as Python 2 does."""

        def __init__(self):
            real.HTMLParser.__init__(self, convert_charrefs=False)

        def unescape(self, text):
            return _module("html").unescape(text)
    return dict(HTMLParser=HTMLParser, HTMLParseError=type("HTMLParseError", (Exception,), {}))


class _Incoming(object):
    """The body of a request as text; the server itself reads lines of bytes."""

    def __init__(self, real):
        self._real = real

    def read(self, *size):
        return native(self._real.read(*size))

    def __getattr__(self, name):
        return getattr(self._real, name)


class _Outgoing(object):
    """A file that takes texts and bytes."""

    def __init__(self, real):
        self._real = real

    def write(self, data):
        return self._real.write(data_of(data))

    def __getattr__(self, name):
        return getattr(self._real, name)


def _handler(base, headers=True):
    class Handler(base):
        """A request handler that reads and writes text."""

        def setup(self):
            base.setup(self)
            self.rfile, self.wfile = _Incoming(self.rfile), _Outgoing(self.wfile)

        def parse_request(self):
            done = base.parse_request(self)
            if done:
                self.headers = _Headers(self.headers)
            return done
    if not headers:
        del Handler.parse_request
    Handler.__name__ = base.__name__
    return Handler


def _httpserver(real):
    extra = dict((name, _handler(getattr(real, name))) for name in (
        "BaseHTTPRequestHandler", "SimpleHTTPRequestHandler", "CGIHTTPRequestHandler") if hasattr(real, name))
    return extra


def _socketserver(real):
    class StreamRequestHandler(real.StreamRequestHandler):
        """A handler whose streams carry text."""

        def setup(self):
            real.StreamRequestHandler.setup(self)
            self.rfile, self.wfile = _Response(self.rfile), _Outgoing(self.wfile)
    return dict(StreamRequestHandler=StreamRequestHandler)


def _socket(real):
    class Socket(real.socket):
        """A socket that sends and receives text."""

        __slots__ = ()

        def send(self, data, *flags):
            return real.socket.send(self, data_of(data), *flags)

        def sendall(self, data, *flags):
            return real.socket.sendall(self, data_of(data), *flags)

        def sendto(self, data, *address):
            return real.socket.sendto(self, data_of(data), *address)

        def recv(self, *args):
            return native(real.socket.recv(self, *args))

        def recvfrom(self, *args):
            data, address = real.socket.recvfrom(self, *args)
            return native(data), address

        def accept(self):
            plain, address = real.socket.accept(self)
            return text(plain), address

        def makefile(self, mode="r", bufsize=-1):
            if "b" in mode:
                return real.socket.makefile(self, mode)
            return real.socket.makefile(
                self, mode, encoding="utf-8", errors="surrogateescape", newline="\n")

    def text(plain):
        timeout = plain.gettimeout()
        made = Socket(plain.family, plain.type, plain.proto, fileno=plain.detach())
        made.settimeout(timeout)
        return made

    def create_connection(*args, **kwargs):
        return text(real.create_connection(*args, **kwargs))

    def socketpair(*args):
        return tuple(text(end) for end in real.socketpair(*args))
    return dict(
        socket=Socket, SocketType=Socket, _socketobject=Socket, create_connection=create_connection,
        socketpair=socketpair)


EXTRA = {
    "BaseHTTPServer": _httpserver,
    "CGIHTTPServer": _httpserver,
    "HTMLParser": _htmlparser,
    "SimpleHTTPServer": _httpserver,
    "SocketServer": _socketserver,
    "httplib": _httplib,
    "socket": _socket,
    "urllib": _urllib,
    "urllib2": _urllib2,
}
