"""`qi.logging`: log lines with a category, on standard error."""
from boxstep import client as _client
from boxstep_runtime.qi_logging import *  # noqa: F401,F403
