"""Functions on shapes, seeds, triangles and parameters that distributions of a program's own are made with."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ..graph.build import dtype_of, shape_of
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from ..graph.static_values import constant_value
from ..ops import pad_ops
from ..ops.array_ops import matrix_transpose, rank, reshape, shape, transpose
from ..ops.compare_checks import assert_equal
from ..ops.concat_ops import concat
from ..ops.control_flow_ops import cond, with_dependencies
from ..ops.creation_ops import range as _range
from ..ops.diagonal_ops import matrix_diag, matrix_diag_part, matrix_set_diag
from ..ops.math_ops import abs as _abs
from ..ops.math_ops import equal, exp, log, maximum, mod, negative, sign
from ..ops.rearranging_ops import broadcast_dynamic_shape, broadcast_static_shape
from ..ops.reduce_ops import reduce_all, reduce_logsumexp, reduce_max, reduce_sum
from ..ops.sparse_ops import convert_to_tensor

__all__ = [
    "assert_symmetric",
    "dimension_size",
    "fill_triangular_inverse",
    "gen_new_seed",
    "matrix_diag_transform",
    "maybe_get_static_value",
    "pad",
    "pick_vector",
    "prefer_static_broadcast_shape",
    "prefer_static_rank",
    "prefer_static_shape",
    "prefer_static_value",
    "process_quadrature_grid_and_probs",
    "reduce_weighted_logsumexp",
    "rotate_transpose",
    "same_dynamic_shape",
    "static_value",
    "tridiag",
]


def static_value(x: Any) -> Any:
    """Return what is known of a tensor's value when the graph is made, or None."""
    return constant_value(x)


def maybe_get_static_value(x: Any, dtype: Any = None) -> Any:
    """Return what is known of a value when the graph is made, in a type, or None."""
    if x is None:
        return None
    try:
        known = constant_value(x)
    except TypeError:  # a number or an array
        known = x
    return known if known is None or dtype is None else np.array(known, dtype)


def prefer_static_value(x: Any) -> Any:
    """Return what is known of a tensor's value, or the tensor."""
    known = maybe_get_static_value(x)
    return x if known is None else known


def prefer_static_shape(x: Any) -> Any:
    """Return a shape as an array where it is known, or as a tensor."""
    return prefer_static_value(shape(convert_to_tensor(x)))


def prefer_static_broadcast_shape(shape1: Any, shape2: Any, name: str = "prefer_static_broadcast_shape") -> Any:
    """Return the shape that two shapes are broadcast to, a `TensorShape` where both are known, or a tensor.

    Raises ValueError for shapes that do not fit, or of which one is known in part.
    """
    with name_scope(name):
        known: list[Any] = []
        for each in (shape1, shape2):
            plain = each if isinstance(each, TensorShape) else constant_value(convert_to_tensor(each, "int32"))
            known.append(None if plain is None else TensorShape(plain))
        if None not in known:
            return broadcast_static_shape(*known)
        tensors = []
        for each in (shape1, shape2):
            if isinstance(each, TensorShape) and not each.is_fully_defined():
                raise ValueError("Cannot broadcast from partially defined `TensorShape`.")
            sizes = each.as_list() if isinstance(each, TensorShape) else each
            tensors.append(convert_to_tensor(sizes, "int32"))
        return broadcast_dynamic_shape(*tensors)


def prefer_static_rank(x: Any) -> Any:
    """Return the number of axes where it is known, or a tensor."""
    return prefer_static_value(rank(convert_to_tensor(x)))


def assert_symmetric(matrix: Any) -> Any:
    """Return the matrices, which a run asserts to be their own transposes."""
    matrix = convert_to_tensor(matrix)
    return with_dependencies([assert_equal(matrix, matrix_transpose(matrix))], matrix)


def dimension_size(x: Any, axis: int) -> Any:
    """Return the size of an axis where it is known, or a tensor."""
    known = shape_of(convert_to_tensor(x))
    return known[axis] if known is not None and known[axis] is not None else shape(x)[axis]


def same_dynamic_shape(a: Any, b: Any) -> Any:
    """Return whether two tensors have one shape, as a tensor."""
    first, second = convert_to_tensor(a, name="a"), convert_to_tensor(b, name="b")
    return cond(
        equal(rank(first), rank(second)),
        lambda: reduce_all(equal(concat([shape(first), shape(second)], 0), concat([shape(second), shape(first)], 0))),
        lambda: convert_to_tensor(False),
    )


def gen_new_seed(seed: int | None, salt: str) -> int | None:
    """Return a seed that follows from another one and a text; None for None."""
    if seed is None:
        return None
    return int(hashlib.md5((str(seed) + salt).encode("utf-8")).hexdigest()[:8], 16) & 0x7FFFFFFF


def rotate_transpose(x: Any, shift: Any, name: str = "rotate_transpose") -> Any:
    """Return the tensor with its axes moved ``shift`` places to the right, the last ones to the front."""
    with name_scope(name):
        x = convert_to_tensor(x, name="x")
        known, places = shape_of(x), maybe_get_static_value(shift)
        if known is None or places is None:
            count = rank(x)
            first = mod(negative(convert_to_tensor(shift, name="shift")), maximum(count, 1))
            return transpose(x, concat([_range(first, count), _range(0, first)], 0))
        axes = np.roll(np.arange(len(known)), int(places)) if known else np.arange(0)
        return transpose(x, axes.tolist())


def pick_vector(cond: Any, true_vector: Any, false_vector: Any, name: str = "pick_vector") -> Any:
    """Return one of two vectors, which may differ in length. TypeError for a condition that is not boolean."""
    with name_scope(name):
        which = convert_to_tensor(cond, name="cond")
        if dtype_of(which).name != "bool":
            raise TypeError(f"cond must be of type bool, got {dtype_of(which).name}")
        known = maybe_get_static_value(which)
        if known is not None:
            return true_vector if known else false_vector
        true = convert_to_tensor(true_vector, name="true_vector")
        false = convert_to_tensor(false_vector, name="false_vector")
        if dtype_of(true) != dtype_of(false):
            raise TypeError(f"{dtype_of(true).name} and {dtype_of(false).name} of the vectors differ")
        return _cond(which, lambda: true, lambda: false)


_cond = cond


def pad(
    x: Any, axis: Any, front: bool = False, back: bool = False, value: Any = 0, count: int = 1, name: str | None = None
) -> Any:
    """Return the tensor with ``count`` values before, after, or on both sides of an axis."""
    with name_scope(name, "pad"):
        x = convert_to_tensor(x, name="x")
        known = shape_of(x)
        if known is None:
            raise ValueError("pad: the rank must be known when the graph is made")
        widths = [[0, 0] for _ in known]
        widths[int(axis)] = [count if front else 0, count if back else 0]
        return pad_ops.pad(x, widths, constant_values=value)


def tridiag(below: Any = None, diag: Any = None, above: Any = None, name: str | None = None) -> Any:
    """Return matrices with these numbers on three diagonals, each of which may be None; ValueError where all are."""
    with name_scope(name, "tridiag"):
        parts = [
            matrix_diag(convert_to_tensor(each), k=k)
            for k, each in ((-1, below), (0, diag), (1, above))
            if each is not None
        ]
        if not parts:
            raise ValueError("Must specify at least one of: below, diag, above.")
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total


def matrix_diag_transform(matrix: Any, transform: Any = None, name: str | None = None) -> Any:
    """Return the matrices with a function of their diagonals on the diagonals."""
    with name_scope(name, "matrix_diag_transform"):
        matrix = convert_to_tensor(matrix, name="matrix")
        return matrix if transform is None else matrix_set_diag(matrix, transform(matrix_diag_part(matrix)))


def reduce_weighted_logsumexp(
    logx: Any,
    w: Any = None,
    axis: Any = None,
    keep_dims: bool = False,
    return_sign: bool = False,
    name: str | None = None,
) -> Any:
    """Return ``log(abs(sum(w * exp(logx))))``, and the sum's sign where that is asked for."""
    with name_scope(name, "reduce_weighted_logsumexp"):
        logx = convert_to_tensor(logx, name="logx")
        if w is None:
            total = reduce_logsumexp(logx, axis, keep_dims)
            return (total, exp(total * 0)) if return_sign else total
        w = convert_to_tensor(w, dtype_of(logx), name="w")
        log_abs = logx + log(_abs(w))
        largest = reduce_max(log_abs, axis, True)
        total = reduce_sum(sign(w) * exp(log_abs - largest), axis, keep_dims)
        if not keep_dims:
            largest = reduce_max(log_abs, axis)
        result = largest + log(_abs(total))
        return (result, sign(total)) if return_sign else result


def process_quadrature_grid_and_probs(
    quadrature_grid_and_probs: Any, dtype: Any, validate_args: bool, name: str | None = None
) -> tuple[Any, Any]:
    """Return places and weights of a quadrature, the weights divided by their sum; by default Hermite's, of 8."""
    del validate_args
    with name_scope(name, "process_quadrature_grid_and_probs"):
        if quadrature_grid_and_probs is None:
            grid, weights = np.polynomial.hermite.hermgauss(deg=8)
            weights = weights / np.linalg.norm(weights, ord=1)
            return convert_to_tensor(grid, dtype), convert_to_tensor(weights, dtype)
        grid, weights = (convert_to_tensor(each, dtype) for each in quadrature_grid_and_probs)
        return grid, weights / reduce_sum(_abs(weights), -1, True)


def fill_triangular_inverse(x: Any, upper: bool = False, name: str | None = None) -> Any:
    """Return the vectors of which `fill_triangular` makes these triangles, ``[..., n, n]``."""
    with name_scope(name, "fill_triangular_inverse"):
        x = convert_to_tensor(x, name="x")
        sizes: Any = prefer_static_shape(x)
        size = sizes[-1]
        count = size * (size + 1) // 2
        known = shape_of(x)
        rows = reshape(x, concat([sizes[:-2], [size * size]], 0))
        if upper:
            first = rows[..., :size]
            below = rows[..., size:]
            result = concat([first, (below + below[..., ::-1])[..., : count - size]], -1)
        else:
            last = rows[..., -size:]
            before = rows[..., :-size]
            result = concat([last[..., ::-1], (before + before[..., ::-1])[..., : count - size]], -1)
        if known is not None:
            result.set_shape([*known[:-2], None if known[-1] is None else known[-1] * (known[-1] + 1) // 2])
        return result
