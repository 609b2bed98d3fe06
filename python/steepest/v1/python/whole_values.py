"""Functions of internal modules that take a value whole, whatever it is made of: its copy, its array, its picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.tensor import Tensor as EagerTensor
from ..graph.composites import is_composite, parts_of, with_parts
from ..graph.default_session import session_for
from ..graph.fetches import IndexedSlicesValue
from ..graph.node import Node
from ..ops.array_ops import identity
from ..ops.image_drawing_ops import draw_bounding_boxes

__all__ = ["_Identity", "_to_numpy", "draw_bounding_boxes_v2"]


def _to_numpy(a: Any) -> Any:
    """Return the array for a tensor, or for slices of arrays; anything else as it is. A tensor needs a session."""
    if isinstance(a, Node):
        return session_for("_to_numpy", None, a).run(a)
    if isinstance(a, EagerTensor):
        return a.numpy()
    if isinstance(a, IndexedSlicesValue):
        out = np.zeros(a.dense_shape, a.values.dtype)
        np.add.at(out, a.indices, a.values)
        return out
    return a


def _Identity(data: Any, name: str | None = None) -> Any:
    """Return a tensor, or slices or a sparse tensor, whose parts are those of the given one."""
    if is_composite(data):
        return with_parts(data, [identity(part) for part in parts_of(data)])
    return identity(data, name)


def draw_bounding_boxes_v2(images: Any, boxes: Any, colors: Any, name: str | None = None) -> Any:
    """Return what `draw_bounding_boxes` returns; the name that takes ``colors`` third."""
    return draw_bounding_boxes(images, boxes, name, colors)
