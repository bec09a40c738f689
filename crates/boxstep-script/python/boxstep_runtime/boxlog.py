"""`self.logger`: a Python logger that sends its lines to the engine."""
import logging

from . import frames, state

_LEVELS = ((logging.CRITICAL, "fatal"), (logging.ERROR, "error"), (logging.WARNING, "warning"), (logging.INFO, "info"))


def level_name(number):
    """Returns the engine's word for a Python log level."""
    for least, name in _LEVELS:
        if number >= least:
            return name
    return "debug"


class BoxLogger(logging.Logger):
    """The logger of one box, outside of the tree of loggers. Handlers that a script adds work as usual."""

    def __init__(self, name, number):
        logging.Logger.__init__(self, name, logging.DEBUG)
        self._number = number

    def isEnabledFor(self, level):
        # Python's own version takes a lock that all loggers share: scripts would wait for each other, and change their
        # order.
        return not self.disabled and level >= self.level and level > self.manager.disable

    def handle(self, record):
        if self.disabled or not self.filter(record):
            return
        try:
            text = record.getMessage()
        except Exception as error:
            # The arguments do not fit the text: a mistake of the author, because of which the message must not be
            # lost.
            text = "%s %r (%s)" % (record.msg, record.args, error)
        if record.exc_info and record.exc_info[1] is not None:
            text += "\n" + frames.format_exception(record.exc_info[1]).rstrip("\n")
        if getattr(record, "stack_info", None):
            text += "\n" + record.stack_info
        state.bridge.log(self._number, frames.caller()[1], level_name(record.levelno), text)
        if self.handlers:
            self.callHandlers(record)

    def warn(self, message, *args, **options):
        self.warning(message, *args, **options)

    def verbose(self, message, *args, **options):
        self.debug(message, *args, **options)

    fatal = logging.Logger.critical
