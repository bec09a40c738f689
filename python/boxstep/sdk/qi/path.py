"""`qi.path`: the folders for an application's files, as libqi uses them on Linux."""
from boxstep import client as _client
from boxstep_runtime.qi_path import *  # noqa: F401,F403
