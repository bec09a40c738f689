"""QiCore's state machine, which `boxstep.qicore` implements."""
from boxstep.qicore import State, StateMachine, Transition

__all__ = ["State", "StateMachine", "Transition"]
