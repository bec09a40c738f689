"""QiCore's loader of objects, which `boxstep.qicore` implements."""
from boxstep.qicore import ObjectFactory

__all__ = ["ObjectFactory"]
