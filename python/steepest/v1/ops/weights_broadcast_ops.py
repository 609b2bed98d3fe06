"""Weights beside values: each axis has the size of the values, or 1; or the weights are one number."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call, convert
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..graph.shapes import text
from .control_flow_ops import no_op, with_dependencies
from .math_ops import multiply
from .script_ops import check_operation

__all__ = ["assert_broadcastable", "broadcast_weights"]

FAULT = "weights can not be broadcast to values."


def _misfit(weights: Any, values: Any) -> str | None:
    """Return what is wrong with two shapes, of which sizes may be None."""
    if not weights:
        return None
    shapes = f"values.shape={text(values)}. weights.shape={text(weights)}."
    if len(weights) != len(values):
        return f"{FAULT} values.rank={len(values)}. weights.rank={len(weights)}. {shapes}"
    if any(w not in (1, None, v) and v is not None for w, v in zip(weights, values, strict=True)):
        return f"{FAULT} {shapes}"
    return None


def assert_broadcastable(weights: Any, values: Any) -> Any:
    """Return an operation that raises InvalidArgumentError where a run finds weights that do not fit values.

    ValueError where that is known before.
    """
    with name_scope(None, "assert_broadcastable"):
        if executing_eagerly():
            if (wrong := _misfit(np.shape(array_of(weights)), np.shape(array_of(values)))) is not None:
                raise ValueError(wrong)
            return None
        w, v = convert(weights, name="weights"), convert(values, name="values")
        if w._shape is not None and v._shape is not None and (wrong := _misfit(w._shape, v._shape)) is not None:
            raise ValueError(wrong)
        if w._shape == () or (w._shape is not None and v._shape is not None and None not in (*w._shape, *v._shape)):
            return no_op("static_checks_determined_all_ok")

        def check(one: Any, other: Any) -> None:
            if (wrong := _misfit(np.shape(one), np.shape(other))) is not None:
                raise InvalidArgumentError(None, None, wrong)

        return check_operation("AssertBroadcastable", check, [w, v])


def broadcast_weights(weights: Any, values: Any) -> Any:
    """Return the weights in the shape of the values."""
    with name_scope(None, "broadcast_weights"):
        if executing_eagerly():
            assert_broadcastable(weights, values)
            return multiply(weights, call("OnesLike", np.ones_like, (values,), differentiable=False))
        v = convert(values, name="values")
        w = convert(weights, v.dtype.base_dtype if not isinstance(weights, Node) else None, "weights")
        if w._shape is not None and w._shape == v._shape and None not in w._shape:
            return w
        ones = call("OnesLike", lambda x: np.ones_like(array_of(x)), (v,), shape=lambda s: s, differentiable=False)
        with_check = with_dependencies([assert_broadcastable(w, v)], ones)
        return multiply(w, with_check, name="broadcast_weights")
