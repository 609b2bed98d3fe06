"""What is connected in images, and which rows of a matrix of distances belong to which columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.build import call
from ...graph.run_values import array_of
from ...graph.scopes import name_scope
from ...ops.sparse_ops import convert_to_tensor

__all__ = ["bipartite_match", "connected_components"]


def bipartite_match(
    distance_mat: Any, num_valid_rows: Any, top_k: int = -1, name: str = "bipartite_match"
) -> tuple[Any, Any]:
    """Return for each row of a matrix its column, and for each column its row, -1 for none: two vectors of int32.

    The smallest distance is taken first, then the smallest of other rows and columns, and so on; of equal ones the
    first.

    Args:
        num_valid_rows: how many rows take part; all where it is negative.
        top_k: how many pairs to take; all where it is not positive.

    Source: ``tf.contrib.image.bipartite_match``.
    """

    def matched(distances: Any, valid: Any) -> tuple[Any, Any]:
        matrix, given = array_of(distances), array_of(valid)
        if given.size != 1:
            raise ValueError(f"num_valid_rows argument should be a scalar, or a 1-D tensor with one element: {given}")
        rows, columns = matrix.shape
        used = int(given.item()) if given.item() >= 0 else rows
        if used > rows:
            raise ValueError("num_valid_rows should be at most the number of rows")
        left = min(used, columns) if top_k <= 0 else min(top_k, used, columns)
        of_rows, of_columns = np.full(rows, -1, np.int32), np.full(columns, -1, np.int32)
        for place in np.argsort(matrix[:used], axis=None, kind="stable"):
            row, column = divmod(int(place), columns)
            if left and of_rows[row] < 0 and of_columns[column] < 0:
                of_rows[row], of_columns[column], left = column, row, left - 1
        return of_rows, of_columns

    found = call(
        "BipartiteMatch",
        matched,
        (convert_to_tensor(distance_mat, "float32"), convert_to_tensor(num_valid_rows, "float32")),
        name=name,
        shape=lambda x, _: [(None,), (None,)] if x is None else [(x[0],), (x[1],)],
        dtype=["int32", "int32"],
        outputs=2,
        differentiable=False,
    )
    return found[0], found[1]


def connected_components(images: Any) -> Any:
    """Return for each pixel of images [height, width] or [n, height, width] the number of its component.

    A component is what hangs together, by rows and by columns, and has one value. They are counted from 1, over all
    images, by their first pixels; what is 0 has 0. Raises TypeError for another number of axes.

    Source: ``tf.contrib.image.connected_components``.
    """
    with name_scope("connected_components"):
        given = convert_to_tensor(images, name="images")
        if given.shape.ndims not in (2, 3):
            raise TypeError(f"images should have rank 2 (HW) or 3 (NHW). Static shape is {given.shape}")
        return call(
            "ImageConnectedComponents",
            _numbered,
            (given,),
            shape=lambda x: x,
            dtype="int32",
            differentiable=False,
        )


def _numbered(images: Any) -> Any:
    batch = array_of(images)
    batch = batch[None] if batch.ndim == 2 else batch
    places = np.arange(batch.size).reshape(batch.shape)
    pairs = []
    for axis in (1, 2):
        first, second = (np.take(batch, range(*ends), axis) for ends in _ends(batch.shape[axis]))
        same = first == second
        pairs.append([np.take(places, range(*ends), axis)[same] for ends in _ends(batch.shape[axis])])
    one, other = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    roots = places.ravel().copy()
    while one.size and not np.array_equal(roots[one], roots[other]):
        least = np.minimum(roots[one], roots[other])
        for end in (one, other):
            np.minimum.at(roots, roots[end], least)
        while not np.array_equal(roots, roots[roots]):
            roots = roots[roots]
    full = batch.ravel().astype(bool)
    _, numbers = np.unique(roots[full], return_inverse=True)
    result = np.zeros(batch.size, np.int32)
    result[full] = numbers + 1
    return result.reshape(images.shape)


def _ends(size: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the positions of all but the last, and of all but the first."""
    return (0, max(size - 1, 0)), (min(1, size), size)
