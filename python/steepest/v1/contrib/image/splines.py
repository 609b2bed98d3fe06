"""Polyharmonic splines: functions through points, as smooth as an order says."""

from __future__ import annotations

from typing import Any

from ...graph.scopes import name_scope
from ...ops.array_ops import expand_dims, matrix_transpose, shape
from ...ops.concat_ops import concat
from ...ops.creation_ops import ones_like, zeros
from ...ops.linalg_ops import matrix_solve
from ...ops.math_ops import log, maximum, pow, sqrt, square
from ...ops.matmul_ops import eye, matmul
from ...ops.reduce_ops import reduce_sum
from ...ops.sparse_ops import convert_to_tensor

__all__ = ["interpolate_spline"]

_LEAST = 1e-10
"""Squared distances below it count as this: neither a logarithm nor the derivative of a root is infinite."""


def interpolate_spline(
    train_points: Any,
    train_values: Any,
    query_points: Any,
    order: int,
    regularization_weight: float = 0.0,
    name: str = "interpolate_spline",
) -> Any:
    """Return what a spline through points is at other points: [batch, m, k].

    The spline is a sum of a linear function and of functions of the distance ``r`` to each of its points: ``r`` to
    the power of an odd order, ``r**order * log(r)`` for an even one. Order 2 is the thin-plate spline.

    Args:
        train_points: [batch, n, d].
        train_values: [batch, n, k], what the spline is there.
        query_points: [batch, m, d].
        regularization_weight: where it is more than 0 the spline is smoother, and passes its points by.

    Raises ValueError where d or k is not known. Source: ``tf.contrib.image.interpolate_spline``.
    """
    with name_scope(name, values=[train_points, train_values, query_points]):
        points, values = convert_to_tensor(train_points), convert_to_tensor(train_values)
        queries = convert_to_tensor(query_points)
        with name_scope("solve"):
            weights, linear = _solved(points, values, order, regularization_weight)
        with name_scope("predict"):
            near = matmul(_radial(_squared_distances(queries, points), order), weights)
            return near + matmul(_with_one(queries), linear)


def _solved(points: Any, values: Any, order: int, regularization_weight: float) -> tuple[Any, Any]:
    """Return the weight of each point, and those of the linear function, whose last one is its constant."""
    told = {"input points (d)": points, "output values (k)": values}
    for what, tensor in told.items():
        if tensor.shape.ndims is None or tensor.shape.as_list()[-1] is None:
            raise ValueError(f"The dimensionality of the {what} must be statically-inferrable.")
    d, k = points.shape.as_list()[-1], values.shape.as_list()[-1]
    batch, count = shape(points)[0], shape(points)[1]
    among = _radial(_squared_distances(points, points), order)
    if regularization_weight > 0:
        among += regularization_weight * expand_dims(eye(count, dtype=points.dtype), 0)
    sides = _with_one(points)
    upper = concat([among, sides], 2)
    lower = concat([matrix_transpose(sides), zeros([batch, d + 1, d + 1], points.dtype)], 2)
    wanted = concat([values, zeros([batch, d + 1, k], points.dtype)], 1)
    solved = matrix_solve(concat([upper, lower], 1), wanted)
    return solved[:, :count, :], solved[:, count:, :]


def _with_one(points: Any) -> Any:
    return concat([points, ones_like(points[..., :1])], 2)


def _squared_distances(x: Any, y: Any) -> Any:
    """Return the squared distances [batch, n, m] of the rows of two batches of matrices."""
    of_x, of_y = reduce_sum(square(x), 2), reduce_sum(square(y), 2)
    return expand_dims(of_x, 2) - 2 * matmul(x, y, adjoint_b=True) + expand_dims(of_y, 1)


def _radial(squares: Any, order: int) -> Any:
    """Return the function of distances, which are given by their squares."""
    with name_scope("phi"):
        positive = maximum(squares, _LEAST)
        if order == 1:
            return sqrt(positive)
        if order == 2:
            return 0.5 * squares * log(positive)
        if order == 4:
            return 0.5 * square(squares) * log(positive)
        power = pow(positive, 0.5 * order)
        return 0.5 * power * log(positive) if order % 2 == 0 else power
