"""What programs ask of TensorFlow's second kind of control flow, and of XLA, which are not here: they are never on."""

from __future__ import annotations

from typing import Any

__all__ = ["control_flow_v2_enabled", "disable_control_flow_v2", "enable_control_flow_v2"]  # at the top of tf

ENABLE_CONTROL_FLOW_V2 = False


def EnableControlFlowV2(graph: Any) -> bool:
    """Return False."""
    return False


GraphOrParentsInXlaContext = InXlaContext = EnableControlFlowV2


def GetContainingXLAContext(ctxt: Any, stop_ctxt: Any = None) -> None:
    """Return None."""
    return


def control_flow_v2_enabled() -> bool:
    """Return False."""
    return False


def enable_control_flow_v2() -> None:
    """Do nothing: conditions are built in one way, in which results and gradients are the same."""


disable_control_flow_v2 = enable_control_flow_v2
