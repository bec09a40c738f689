"""Modules of the standard library with the names and the contents that they have in Python 2.

A view is a module that scripts get instead of the real one: it adds the names of Python 2, and passes all other
reads and writes on to the real module at the time of use. The real module is never changed.
"""
import importlib
import types

from . import py2bytes, py2net, py2std


class View(types.ModuleType):
    """A real module with additional names of Python 2."""

    def __init__(self, name, real, extra):
        types.ModuleType.__init__(self, name)
        space = self.__dict__
        # Names that the module type sets would hide those of the real module.
        space.clear()
        space.update(extra, __name__=name, __py2_real__=real)

    def __getattr__(self, name):
        real = self.__dict__["__py2_real__"]
        if name == "__all__":
            # `import *` reads `__all__`, or else the namespace, which only has the additions.
            names = set(getattr(real, "__all__", None) or [n for n in dir(real) if n[:1] != "_"])
            return sorted(names | set(n for n in self.__dict__ if n[:1] != "_"))
        return getattr(real, name)

    def __setattr__(self, name, value):
        if name in self.__dict__:
            self.__dict__[name] = value
        else:
            setattr(self.__dict__["__py2_real__"], name, value)

    def __delattr__(self, name):
        if name in self.__dict__:
            del self.__dict__[name]
        else:
            delattr(self.__dict__["__py2_real__"], name)

    def __dir__(self):
        return sorted(set(dir(self.__dict__["__py2_real__"])) | set(self.__dict__))

    def __repr__(self):
        return repr(self.__dict__["__py2_real__"])


# Python 2 name → Python 3 name, for modules that were only renamed.
RENAMED = {
    "BaseHTTPServer": "http.server",
    "CGIHTTPServer": "http.server",
    "ConfigParser": "configparser",
    "Cookie": "http.cookies",
    "DocXMLRPCServer": "xmlrpc.server",
    "HTMLParser": "html.parser",
    "Queue": "queue",
    "SimpleHTTPServer": "http.server",
    "SimpleXMLRPCServer": "xmlrpc.server",
    "SocketServer": "socketserver",
    "StringIO": "io",
    "Dialog": "tkinter.dialog",
    "FileDialog": "tkinter.filedialog",
    "ScrolledText": "tkinter.scrolledtext",
    "SimpleDialog": "tkinter.simpledialog",
    "Tix": "tkinter.tix",
    "Tkconstants": "tkinter.constants",
    "Tkdnd": "tkinter.dnd",
    "Tkinter": "tkinter",
    "UserDict": "collections",
    "UserList": "collections",
    "UserString": "collections",
    "__builtin__": "builtins",
    "_winreg": "winreg",
    "anydbm": "dbm",
    "cPickle": "pickle",
    "cStringIO": "io",
    "commands": "subprocess",
    "cookielib": "http.cookiejar",
    "copy_reg": "copyreg",
    "dummy_thread": "_thread",
    "email.Encoders": "email.encoders",
    "email.Header": "email.header",
    "email.MIMEAudio": "email.mime.audio",
    "email.MIMEBase": "email.mime.base",
    "email.MIMEImage": "email.mime.image",
    "email.MIMEMultipart": "email.mime.multipart",
    "email.MIMEText": "email.mime.text",
    "email.Message": "email.message",
    "email.Parser": "email.parser",
    "email.Utils": "email.utils",
    "exceptions": "builtins",
    "htmlentitydefs": "html.entities",
    "httplib": "http.client",
    "md5": "hashlib",
    "mutex": "collections",
    "repr": "reprlib",
    "robotparser": "urllib.robotparser",
    "sets": "builtins",
    "sha": "hashlib",
    "thread": "_thread",
    "tkColorChooser": "tkinter.colorchooser",
    "tkCommonDialog": "tkinter.commondialog",
    "tkFileDialog": "tkinter.filedialog",
    "tkFont": "tkinter.font",
    "tkMessageBox": "tkinter.messagebox",
    "tkSimpleDialog": "tkinter.simpledialog",
    "ttk": "tkinter.ttk",
    "urllib2": "urllib.request",
    "urlparse": "urllib.parse",
    "xml.etree.cElementTree": "xml.etree.ElementTree",
    "xmlrpclib": "xmlrpc.client",
}

# Modules of PIL, which had no package of its own in its first years.
RENAMED.update((name, "PIL." + name) for name in (
    "ImageChops", "ImageColor", "ImageDraw", "ImageEnhance", "ImageFile", "ImageFilter", "ImageFont", "ImageGrab", "ImageMath",
    "ImageOps", "ImageStat", "ImageTk"))
RENAMED["Image"] = "PIL.Image"

# Name → function that takes the real module and returns the additional names of Python 2.
EXTRA = {}
EXTRA.update(py2std.EXTRA)
EXTRA.update(py2bytes.EXTRA)
EXTRA.update(py2net.EXTRA)


class Views(object):
    """The views of one set of script builtins, created on first use."""

    def __init__(self, script_builtins):
        self.made = {"__builtin__": script_builtins}

    def knows(self, name):
        """Whether a script gets a view for this name, or for its package."""
        return name in RENAMED or name.partition(".")[0] in EXTRA or name in self.made

    def view(self, name):
        """Returns the view of one module; the real module if Python 2 has no additional names."""
        made = self.made.get(name)
        if made is None:
            real = importlib.import_module(RENAMED.get(name, name))
            extra = EXTRA.get(name)
            plain = extra is None and name not in RENAMED
            made = real if plain else View(name, real, extra(real) if extra else {})
            self.made[name] = made
        return made

    def load(self, name, fromlist):
        """Returns the result of `__import__(name, fromlist=fromlist)`."""
        package, _, rest = name.partition(".")
        leaf = self.view(name)
        if rest:
            self.link(name)
            if not fromlist:
                return self.view(package)
        for item in fromlist or ():
            # `from email import MIMEText`, `from os import path`: the item may be a module.
            if item != "*" and not hasattr(leaf, item):
                full = name + "." + item
                if full in RENAMED:
                    leaf.__dict__[item] = self.view(full)
                elif hasattr(leaf, "__path__"):
                    self.submodule(full)
        return leaf

    def link(self, name):
        """Makes the views along a dotted name attributes of each other; a real module has these attributes already."""
        while "." in name:
            package, _, last = name.rpartition(".")
            parent, child = self.view(package), self.view(name)
            if isinstance(parent, View) and isinstance(child, View):
                parent.__dict__[last] = child
            name = package

    def submodule(self, name):
        try:
            importlib.import_module(name)
        except ImportError as error:
            # The import statement itself reports a missing name.
            if error.name != name:
                raise
