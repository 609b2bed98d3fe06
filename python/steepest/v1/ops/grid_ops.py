"""Grids of coordinates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.node import Node
from ..graph.scopes import name_scope
from .array_ops import stop_gradient

__all__ = ["meshgrid"]


def meshgrid(*args: Any, **kwargs: Any) -> list[Any]:
    """Return the coordinate grids of vectors; ``indexing`` is 'xy' or 'ij'."""
    indexing, name = kwargs.pop("indexing", "xy"), kwargs.pop("name", "meshgrid")
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing parameter must be either 'xy' or 'ij', got {indexing!r}")

    def grid(k: int) -> Any:
        def compute(*vectors: Any) -> Any:
            count = len(vectors)
            order = list(range(count))
            if indexing == "xy" and count > 1:
                order[:2] = [1, 0]
            grid_shape = tuple(np.size(vectors[i]) for i in order)
            vector_shape = tuple(np.size(vectors[k]) if i == k else 1 for i in order)
            return np.broadcast_to(np.reshape(vectors[k], vector_shape), grid_shape)

        return compute

    def shape_fn(*shapes: Any) -> Any:
        sizes = [None if s is None or None in s else math.prod(s) for s in shapes]
        if indexing == "xy" and len(sizes) > 1:
            sizes[:2] = sizes[1], sizes[0]
        return tuple(sizes)

    with name_scope(name):
        made = []
        for k in range(len(args)):  # of the other vectors only the sizes count: no gradient flows to them
            inputs = [stop_gradient(x) if i != k and isinstance(x, Node) else x for i, x in enumerate(args)]
            made.append(call("Meshgrid", grid(k), inputs, name="mul", shape=shape_fn))
        return made
