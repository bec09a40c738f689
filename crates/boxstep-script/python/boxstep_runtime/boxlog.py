"""`self.logger`: a logger of Python's whose lines are the engine's."""
import logging

from . import frames, state

_LEVELS = ((logging.CRITICAL, "fatal"), (logging.ERROR, "error"), (logging.WARNING, "warning"), (logging.INFO, "info"))


def level_name(number):
    """The engine's word for a level of Python's."""
    for least, name in _LEVELS:
        if number >= least:
            return name
    return "debug"


class BoxLogger(logging.Logger):
    """Belongs to one box and to no tree of loggers; handlers that a script adds work as usual."""

    def __init__(self, name, number):
        logging.Logger.__init__(self, name, logging.DEBUG)
        self._number = number

    def isEnabledFor(self, level):
        # Python's own takes a lock that all loggers share: scripts would wait for each other, and overtake.
        return not self.disabled and level >= self.level and level > self.manager.disable

    def handle(self, record):
        if self.disabled or not self.filter(record):
            return
        try:
            text = record.getMessage()
        except Exception as error:
            # As many arguments as the text has places for: an author's slip that must not cost the message.
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
