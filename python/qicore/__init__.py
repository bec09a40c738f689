"""QiCore's objects by QiCore's names. What they are is in `boxstep.qicore`."""
from boxstep.qicore import Box, State, StateMachine, Timeline, Transition
from . import statemachine, timeline

__all__ = ["Box", "State", "StateMachine", "Timeline", "Transition", "statemachine", "timeline"]
