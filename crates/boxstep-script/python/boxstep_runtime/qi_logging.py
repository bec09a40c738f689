"""`qi.logging` and `allog`: log lines with a category."""
from . import frames, state

SILENT, FATAL, ERROR, WARNING, INFO, VERBOSE, DEBUG = range(7)


def _write(level, words):
    # A category and the message, possibly in several parts; or only the message.
    category, text = (words[0], words[1:]) if len(words) > 1 else ("", words)
    text = " ".join(str(word) for word in text)
    number, line = frames.caller()
    state.bridge.log(number, line, level, "%s: %s" % (category, text) if category else text)


def fatal(*words):
    _write("fatal", words)


def error(*words):
    _write("error", words)


def warning(*words):
    _write("warning", words)


def info(*words):
    _write("info", words)


def verbose(*words):
    _write("debug", words)


debug = verbose
warn = warning
critical = fatal
logFatal, logError, logWarning, logInfo, logVerbose, logDebug = fatal, error, warning, info, verbose, debug


class Logger(object):
    """`qi.Logger(category)`"""

    def __init__(self, category=""):
        self.category = category

    def fatal(self, *words):
        _write("fatal", (self.category,) + words)

    def error(self, *words):
        _write("error", (self.category,) + words)

    def warning(self, *words):
        _write("warning", (self.category,) + words)

    def info(self, *words):
        _write("info", (self.category,) + words)

    def verbose(self, *words):
        _write("debug", (self.category,) + words)

    debug = verbose
    warn = warning
    critical = fatal


def getLogger(category=""):
    return Logger(category)


def setLevel(level):
    """Accepted: the log has its own filter."""


setVerbosity = setCategory = setContext = setFilters = setLevel
