"""QiCore's timeline, which `boxstep.qicore` implements."""
from boxstep.qicore import Timeline

__all__ = ["Timeline"]
