"""The moving averages of a layer, which an operation of the layer's moves."""

from __future__ import annotations

from typing import Any

from ..graph.scopes import name_scope
from ..ops.cast_ops import cast
from ..ops.sparse_ops import convert_to_tensor
from ..variables.state_ops import assign_sub

__all__ = ["moved"]


def moved(average: Any, value: Any, momentum: Any) -> Any:
    """Return the operation that takes ``(1 - momentum) * (average - value)`` from an average."""
    with name_scope("AssignMovingAvg") as scope:
        share = cast(convert_to_tensor(1.0 - momentum), average.dtype.base_dtype)
        return assign_sub(average, (convert_to_tensor(average) - value) * share, name=scope)
