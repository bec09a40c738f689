"""sys.stdout and sys.stderr of scripts: complete lines are sent to the engine, with the box that printed them."""
import threading

from . import frames, state

_TEXT = type(u"")
_captured = threading.local()


class Captured(object):
    """Keeps what this thread prints, instead of sending it to the engine."""

    def __enter__(self):
        self._parts = []
        self._outer = getattr(_captured, "parts", None)
        _captured.parts = self._parts
        return self

    def __exit__(self, *_):
        _captured.parts = self._outer

    def text(self):
        return u"".join(self._parts)


class Output(object):
    """A stream that sends a script's output to the engine. Each box has its own incomplete line."""

    encoding = "utf-8"
    errors = "replace"
    newlines = None
    closed = False
    line_buffering = True
    softspace = 0  # the print statement of Python 2 sets it

    def __init__(self, is_error):
        self.name = "<stderr>" if is_error else "<stdout>"
        self.mode = "w"
        self._is_error = is_error
        self._begun = {}
        self.buffer = _Bytes(self)

    def write(self, text):
        if not isinstance(text, _TEXT):
            # `str` of a Python 2, or data in a script for it.
            if not isinstance(text, bytes) or type(text).__name__ != "str":
                raise TypeError("write() argument must be str, not %s" % type(text).__name__)
            text = text.decode("utf-8", "replace")
        parts = getattr(_captured, "parts", None)
        if parts is not None and not self._is_error:
            parts.append(text)
            return len(text)
        number, line = frames.caller()
        whole, newline, rest = (self._begun.pop(number, u"") + text).rpartition(u"\n")
        if rest:
            self._begun[number] = rest
        if newline:
            self._tell(number, line, whole)
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        """Sends an incomplete line: an author who flushes wants to see the output."""
        number, line = frames.caller()
        self.end(number, line)

    def end(self, number, line=0):
        """Sends the incomplete line of a box."""
        text = self._begun.pop(number, u"")
        if text:
            self._tell(number, line, text)

    def _tell(self, number, line, text):
        getattr(state.bridge, "print")(number, line, text, self._is_error)  # a keyword in Python 2

    def isatty(self):
        return False

    def readable(self):
        return False

    def writable(self):
        return True

    def seekable(self):
        return False

    def fileno(self):
        import io
        raise io.UnsupportedOperation("fileno")

    def close(self):
        self.flush()

    def reconfigure(self, **settings):
        """Accepted; the engine's log is always UTF-8."""


class _Bytes(object):
    """`sys.stdout.buffer`."""

    def __init__(self, text):
        self._text = text

    def write(self, data):
        self._text.write(bytes(data).decode("utf-8", "replace"))
        return len(data)

    def flush(self):
        self._text.flush()
