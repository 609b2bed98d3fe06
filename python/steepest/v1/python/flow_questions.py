"""What `ops.control_flow_util` tells of operations and contexts: which belong to branches, which to loops.

A condition is one operation here, which stands for the merging of its results; a loop is one that stands for its exits.
"""

from __future__ import annotations

from typing import Any

from ..graph.branches import Branch, branches_of, is_loop
from .later_functions import inside_function

__all__ = [
    "GetContainingCondContext",
    "GetContainingWhileContext",
    "GetOutputContext",
    "GetWhileContext",
    "IsCondContext",
    "IsCondMerge",
    "IsCondSwitch",
    "IsContainingContext",
    "IsInCond",
    "IsInWhileContext",
    "IsLoopConstantEnter",
    "IsLoopEnter",
    "IsLoopExit",
    "IsLoopMerge",
    "IsLoopSwitch",
    "IsMerge",
    "IsSwitch",
    "OpInContext",
    "TensorInContext",
    "in_defun",
]


in_defun = inside_function

_DISABLE_LOWER_USING_SWITCH_MERGE = False
"""A setting of TensorFlow's without effect here: branches and loops are never lowered to other operations."""


def IsSwitch(op: Any) -> bool:
    """Return whether an operation passes its input on in one of two ways."""
    return op.type in ("Switch", "RefSwitch")


def IsCondSwitch(op: Any) -> bool:
    """Return whether it does so for a `cond`, which needs none here: False."""
    return False


IsLoopSwitch = IsCondSwitch


def IsCondMerge(op: Any) -> bool:
    """Return whether an operation gives the results of the ways of a `cond`."""
    return bool(branches_of(op)) and not is_loop(op)


def IsMerge(op: Any) -> bool:
    """Return whether an operation gives one of its inputs, whichever comes."""
    return op.type in ("Merge", "RefMerge") or IsCondMerge(op)


def IsLoopMerge(op: Any) -> bool:
    """Return whether it does so at the beginning of a loop, which needs none here: False."""
    return False


def IsLoopEnter(op: Any) -> bool:
    """Return whether an operation brings a value into a loop."""
    return op.type in ("Enter", "RefEnter")


def IsLoopConstantEnter(op: Any) -> bool:
    """Return whether it brings one in that is the same in all rounds."""
    return IsLoopEnter(op) and bool(op.get_attr("is_constant"))


def IsLoopExit(op: Any) -> bool:
    """Return whether an operation gives what is left after a loop."""
    return op.type in ("Exit", "RefExit") or is_loop(op)


def GetOutputContext(op: Any) -> Any:
    """Return the context to which the results of an operation belong, None of most."""
    return op._get_control_flow_context()


def IsCondContext(context: Any) -> bool:
    """Return whether a context is a way of a `cond`."""
    return isinstance(context, Branch) and context.loop is None


def _containing(context: Any, stop: Any, conditions: bool) -> Any:
    while context is not None and context is not stop:
        if IsCondContext(context) is conditions:
            return context
        context = context.outer
    return None


def GetContainingWhileContext(ctxt: Any, stop_ctxt: Any = None) -> Any:
    """Return the innermost loop around a context, itself among them; None where there is none below ``stop_ctxt``."""
    return _containing(ctxt, stop_ctxt, False)


def GetContainingCondContext(ctxt: Any) -> Any:
    """Return the innermost way of a `cond` around a context, itself among them; None where there is none."""
    return _containing(ctxt, None, True)


def GetWhileContext(op: Any) -> Any:
    """Return the innermost loop to which an operation belongs; None of others."""
    return GetContainingWhileContext(GetOutputContext(op))


def IsInWhileContext(op: Any) -> bool:
    """Return whether an operation belongs to a loop."""
    return GetWhileContext(op) is not None


def IsInCond(op: Any) -> bool:
    """Return whether an operation belongs to a way of a `cond`."""
    return GetContainingCondContext(GetOutputContext(op)) is not None


def IsContainingContext(ctxt: Any, maybe_containing_ctxt: Any) -> bool:
    """Return whether a context is another one, or inside it."""
    while ctxt is not maybe_containing_ctxt:
        if ctxt is None:
            return False
        ctxt = ctxt.outer
    return True


def OpInContext(op: Any, ctxt: Any) -> bool:
    """Return whether an operation belongs to a context, or to one inside it."""
    return IsContainingContext(GetOutputContext(op), ctxt)


def TensorInContext(tensor: Any, ctxt: Any) -> bool:
    """Return whether the operation that makes a tensor does."""
    return OpInContext(tensor.op, ctxt)
