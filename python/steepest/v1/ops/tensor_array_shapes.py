"""What is known of the shapes of what is written to a `TensorArray`, and of its size, before a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.shapes import Shape
from ..graph.static_values import constant_value

__all__ = ["known_size", "piece_shape", "value_shape"]


def piece_shape(shape: Shape, lengths: Any) -> Shape:
    """Return the shape of the pieces of a tensor where all are known to have one."""
    known = constant_value(lengths) if isinstance(lengths, Node) else np.asarray(unwrap(lengths))
    if not shape or known is None or known.ndim != 1 or not known.size or np.any(known != known[0]):
        return None
    return (int(known[0]), *shape[1:])


def value_shape(value: Any) -> Shape:
    return tuple(np.shape(unwrap(value))) if executing_eagerly() else value._shape


def known_size(size: Any) -> int | None:
    value = constant_value(size) if isinstance(size, Node) else unwrap(size)
    return None if value is None else int(value)
