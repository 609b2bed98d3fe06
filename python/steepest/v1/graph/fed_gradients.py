"""Gradients through a value that a run is fed: they flow on to what the value would have been made of.

A graph's gradients are made before anything is fed, as in TensorFlow: where a run is fed a value between an x and a y,
what lies before it is still computed, and the fed value takes its place with the gradient of the computed one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import numpy as np

from ...ops.dispatch import apply
from ...ops.registry import Primitive
from .node import Operation, Tensor

__all__ = ["followed", "in_place_of"]

_FED = Primitive(lambda computed, fed: np.array(fed), (lambda g, y, computed, fed: g, None), name="fed")


def followed(fed: Iterable[Tensor], gradient_ops: Iterable[Operation], needed: Container[Any]) -> set[Tensor]:
    """Return the fed tensors through which a gradient flows that is needed."""
    between = [
        ops
        for gradient_op in gradient_ops
        for output, ops in zip(gradient_op.outputs, gradient_op.get_attr("between"), strict=True)
        if output in needed
    ]
    return {tensor for tensor in fed if tensor.dtype.is_floating and any(tensor.op in ops for ops in between)}


def in_place_of(computed: Any, fed: Any) -> Any:
    """Return the fed value, whose gradient is that of the computed one."""
    return apply(_FED, (computed, fed))
