"""QiCore's objects by QiCore's names, which `boxstep.qicore` implements."""
from boxstep.qicore import Box, State, StateMachine, Timeline, Transition
from . import statemachine, timeline

__all__ = ["Box", "State", "StateMachine", "Timeline", "Transition", "statemachine", "timeline"]
