"""``control_flow_ops.CondContext`` and its like: what the branches and loops of a graph are instances of."""

from __future__ import annotations

from typing import Any

from ..graph.branches import Branch

__all__ = ["CondContext", "ControlFlowContext", "WhileContext", "XLAControlFlowContext"]


class _Kind(type):
    """Has branches be instances: all, ways of a ``cond``, or tests and bodies of loops."""

    def __instancecheck__(cls, instance: Any) -> bool:
        if not isinstance(instance, Branch):
            return super().__instancecheck__(instance)
        return cls._stands_for(instance)

    def _stands_for(cls, branch: Branch) -> bool:
        return {
            "ControlFlowContext": True,
            "CondContext": branch.loop is None,
            "WhileContext": branch.loop is not None,
        }.get(cls.__name__, False)


class ControlFlowContext(metaclass=_Kind):
    """A part of a graph that runs when an operation says so. Graphs tell it by ``_get_control_flow_context``."""


class CondContext(ControlFlowContext):
    """A way of a ``cond``."""


class WhileContext(ControlFlowContext):
    """Test or body of a ``while_loop``."""


class XLAControlFlowContext(ControlFlowContext):
    """What is to be compiled as a whole, which nothing is here."""

    def Enter(self) -> None:  # TensorFlow's name
        """Do nothing: what is made next is made as always."""

    def Exit(self) -> None:  # TensorFlow's name
        """Do nothing."""
