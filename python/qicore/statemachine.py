"""QiCore's state machine. What it is is in `boxstep.qicore`."""
from boxstep.qicore import State, StateMachine, Transition

__all__ = ["State", "StateMachine", "Transition"]
