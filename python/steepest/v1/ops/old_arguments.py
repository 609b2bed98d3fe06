"""Arguments in the order that they had before TensorFlow 1.0, told from today's by what they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import convert
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor

__all__ = ["is_axis", "labels_and_logits", "labels_and_rows"]


def is_axis(value: Any) -> bool:
    """Whether a value is a number of an axis, and so stands where TensorFlow 0.x had the axis: first."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def labels_and_logits(who: str, first: Any, labels: Any, logits: Any, targets: Any = None) -> tuple[Any, Any]:
    """Return labels and logits; before TensorFlow 1.0 they came as ``(logits, labels)``, and without names.

    Raises ValueError where they come without names and it is the second that follows from variables: a program for
    another order of them.
    """
    labels = targets if labels is None else labels
    if first is None and labels is not None and logits is not None:
        return labels, logits
    named = f"Only call `{who}` with named arguments (labels=..., logits=..., ...)"
    if first is None:
        raise ValueError("Both labels and logits must be provided.")
    if labels is None or logits is not None or executing_eagerly():
        raise ValueError(named)
    if _follows_variables(labels) and not _follows_variables(first):
        raise ValueError(f"{named}; without names the logits come first, got labels first")
    return labels, first


def labels_and_rows(labels: Any, inputs: Any) -> tuple[Any, Any]:
    """Return the labels and inputs of a sampled loss; before TensorFlow 1.0 the inputs, floating, came first."""
    if executing_eagerly():
        return labels, inputs
    swapped = convert(labels).dtype.is_floating and convert(inputs).dtype.is_integer
    return (inputs, labels) if swapped else (labels, inputs)


def _follows_variables(value: Any) -> bool:
    """Whether a value is computed from a variable that may be trained."""
    if not isinstance(value, Tensor):
        return hasattr(value, "_tensor")
    seen, stack = set(), [value]
    while stack:
        op = stack.pop().op
        if op.type == "VariableV2":
            return True
        if op not in seen and op.differentiable:
            seen.add(op)
            stack.extend(tensor for tensor in op.operands if tensor.dtype.is_floating)
    return False
