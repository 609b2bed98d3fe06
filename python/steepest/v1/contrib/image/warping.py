"""Images whose points are taken from elsewhere, by a vector for each or for some of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.constants import constant
from ...graph.scopes import control_dependencies, name_scope
from ...ops.array_ops import expand_dims, reshape, shape
from ...ops.cast_ops import cast
from ...ops.compare_checks import assert_equal, assert_greater_equal
from ...ops.concat_ops import concat, stack, unstack
from ...ops.creation_ops import range as counted
from ...ops.grid_ops import meshgrid
from ...ops.math_ops import floor, maximum, minimum
from ...ops.position_ops import gather_nd
from ...ops.sparse_ops import convert_to_tensor
from .splines import interpolate_spline

__all__ = ["dense_image_warp", "sparse_image_warp"]


def dense_image_warp(image: Any, flow: Any, name: str = "dense_image_warp") -> Any:
    """Return images whose pixel at [i, j] is that at ``[i, j] - flow[i, j]``, between four pixels bilinearly.

    What is outside of the image is its border.

    Args:
        image: [batch, height, width, channels], of at least two rows and two columns.
        flow: [batch, height, width, 2], of rows and columns; it may have another floating-point type.

    Source: ``tf.contrib.image.dense_image_warp``.
    """
    with name_scope(name, values=[image, flow]):
        images, moves = convert_to_tensor(image), convert_to_tensor(flow)
        batch, height, width, channels = unstack(shape(images), 4)
        columns, rows = meshgrid(counted(width), counted(height))
        places = expand_dims(cast(stack([rows, columns], axis=2), moves.dtype), 0) - moves
        found = _interpolate_bilinear(images, reshape(places, [batch, height * width, 2]))
        return reshape(found, [batch, height, width, channels])


def sparse_image_warp(
    image: Any,
    source_control_point_locations: Any,
    dest_control_point_locations: Any,
    interpolation_order: int = 2,
    regularization_weight: float = 0.0,
    num_boundary_points: int = 0,
    name: str = "sparse_image_warp",
) -> tuple[Any, Any]:
    """Return images of which some points have moved, and the flow: a spline through the vectors of these points.

    Args:
        image: [batch, height, width, channels], of a shape that is known.
        source_control_point_locations, dest_control_point_locations: [batch, n, 2]: from where each of the points, of
            row and column, has moved, and to where.
        interpolation_order, regularization_weight: see `interpolate_spline`.
        num_boundary_points: how many points of each edge, one corner with it, stay where they are; 0 for none.

    See `dense_image_warp`. Source: ``tf.contrib.image.sparse_image_warp``.
    """
    images = convert_to_tensor(image)
    old, new = convert_to_tensor(source_control_point_locations), convert_to_tensor(dest_control_point_locations)
    moves = new - old
    with name_scope(name, values=[images, old, new]):
        batch, height, width, _ = images.shape.as_list()
        if num_boundary_points > 0:
            still = _edges(height, width, num_boundary_points + 1)
            new = concat([new, _repeated(still, batch, new.dtype)], 1)
            moves = concat([moves, _repeated(np.zeros_like(still), batch, new.dtype)], 1)
        everywhere = np.reshape(np.moveaxis(np.indices((height, width)), 0, -1), (-1, 2))
        queries = _repeated(everywhere, batch, images.dtype)
        flows = interpolate_spline(new, moves, queries, interpolation_order, regularization_weight)
        flows = reshape(flows, [batch, height, width, 2])
        return dense_image_warp(images, flows), flows


def _interpolate_bilinear(grid: Any, points: Any) -> Any:
    """Return what is between the pixels of images [batch, height, width, channels] at points [batch, n, 2]."""
    if grid.shape.ndims != 4:
        raise ValueError(f"Grid must be 4 dimensional. Received size: {grid.shape}")
    batch, height, width, _ = unstack(shape(grid), 4)
    checks = [
        assert_equal(points.shape.ndims, 3, message="Query points must be 3 dimensional."),
        assert_equal(shape(points)[2], 2, message="Query points must be size 2 in dim 2."),
        assert_greater_equal(height, 2, message="Grid height must be at least 2."),
        assert_greater_equal(width, 2, message="Grid width must be at least 2."),
    ]
    with control_dependencies([check for check in checks if check is not None]):
        which = expand_dims(counted(batch), 1)
        (top, down), (left, along) = (
            _cell(place, size) for place, size in zip(unstack(points, axis=2), (height, width), strict=True)
        )
    down, along = (expand_dims(cast(share, grid.dtype), 2) for share in (down, along))

    def pixels(rows: Any, columns: Any) -> Any:
        return gather_nd(grid, stack([which + 0 * rows, rows, columns], axis=2))

    high, low = (along * (pixels(row, left + 1) - pixels(row, left)) + pixels(row, left) for row in (top, top + 1))
    return down * (low - high) + high


def _cell(places: Any, size: Any) -> tuple[Any, Any]:
    """Return after which pixel each place is, and how far, from 0 to 1."""
    first = minimum(maximum(floor(places), cast(0, places.dtype)), cast(size - 2, places.dtype))
    share = minimum(maximum(places - first, cast(0, places.dtype)), cast(1, places.dtype))
    return cast(first, "int32"), share


def _edges(height: int, width: int, parts: int) -> Any:
    """Return points on the four edges of an image, whose corners are among them."""
    rows, columns = np.meshgrid(np.linspace(0, height - 1, parts), np.linspace(0, width - 1, parts), indexing="ij")
    on_edge = (rows == 0) | (rows == height - 1) | (columns == 0) | (columns == width - 1)
    return np.stack([rows[on_edge], columns[on_edge]], axis=-1)


def _repeated(points: Any, batch: int, dtype: Any) -> Any:
    return constant(np.tile(points, (batch, 1, 1)), dtype=dtype)
