"""QiCore's timeline. What it is is in `boxstep.qicore`."""
from boxstep.qicore import Timeline

__all__ = ["Timeline"]
