"""QiCore's loader of objects. What it is is in `boxstep.qicore`."""
from boxstep.qicore import ObjectFactory

__all__ = ["ObjectFactory"]
