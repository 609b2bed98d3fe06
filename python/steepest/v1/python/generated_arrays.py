"""Operations on arrays that TensorFlow has in its generated modules alone."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..graph.build import call
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from ..ops import decomposition_ops, eigen_ops, quantized_ops, sort_ops
from ..ops.array_ops import reshape, shape, size
from ..ops.concat_ops import concat
from ..ops.creation_ops import range as numbers
from ..ops.creation_ops import zeros
from ..ops.pad_ops import broadcast_to
from ..ops.rearranging_ops import broadcast_dynamic_shape
from ..ops.slice_ops import strided_slice
from ..ops.sparse_ops import convert_to_tensor
from ..ops.tensor_scatter_ops import tensor_scatter_update

__all__ = [
    "batch_self_adjoint_eig_v2",
    "batch_svd",
    "broadcast_args",
    "broadcast_gradient_args",
    "concat_offset",
    "dequantize",
    "eig",
    "lower_bound",
    "parallel_concat",
    "quantize_v2",
    "self_adjoint_eig_v2",
    "tensor_strided_slice_update",
    "upper_bound",
]


class Eigen(NamedTuple):
    """What `self_adjoint_eig_v2` returns."""

    e: Any
    v: Any


class ReducedAxes(NamedTuple):
    """What `broadcast_gradient_args` returns."""

    r0: Any
    r1: Any


def quantize_v2(
    input: Any,
    min_range: Any,
    max_range: Any,
    T: Any,
    mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO",
    narrow_range: bool = False,
    axis: int = -1,
    ensure_minimum_range: float = 0.01,
    name: str | None = None,
) -> Any:
    """Return what `tf.quantization.quantize` returns; an axis of -1 is none."""
    more = narrow_range, _no_axis(axis), ensure_minimum_range
    return quantized_ops.quantize(input, min_range, max_range, T, mode, round_mode, name, *more)


def dequantize(
    input: Any,
    min_range: Any,
    max_range: Any,
    mode: str = "MIN_COMBINED",
    narrow_range: bool = False,
    axis: int = -1,
    dtype: Any = "float32",
    name: str | None = None,
) -> Any:
    """Return what `tf.quantization.dequantize` returns; an axis of -1 is none."""
    more = _no_axis(axis), narrow_range, dtype
    return quantized_ops.dequantize(input, min_range, max_range, mode, name, *more)


def _no_axis(axis: int) -> int | None:
    if axis < -1:
        raise ValueError(f"axis should be at least -1, got {axis}")
    return None if axis == -1 else axis


def lower_bound(sorted_inputs: Any, values: Any, out_type: Any = "int32", name: str | None = None) -> Any:
    """Return the first place in each sorted row that is not below the value."""
    return sort_ops.searchsorted(sorted_inputs, values, "left", out_type, name)


def upper_bound(sorted_inputs: Any, values: Any, out_type: Any = "int32", name: str | None = None) -> Any:
    """Return the first place in each sorted row that is above the value."""
    return sort_ops.searchsorted(sorted_inputs, values, "right", out_type, name)


def self_adjoint_eig_v2(input: Any, compute_v: bool = True, name: str | None = None) -> Eigen:
    """Return eigenvalues and, where ``compute_v``, eigenvectors; else nothing for these."""
    if compute_v:
        return Eigen(*eigen_ops.self_adjoint_eig(input, name))
    values = eigen_ops.self_adjoint_eigvals(input, name)
    return Eigen(values, zeros([0], values.dtype))


def eig(input: Any, Tout: Any, compute_v: bool = True, name: str | None = None) -> Eigen:
    """Return eigenvalues of any matrices and, where ``compute_v``, eigenvectors; else nothing for these."""
    x, dtype = eigen_ops.complex_of(input, Tout)
    if compute_v:
        return Eigen(*eigen_ops.eig(x, name))
    return Eigen(eigen_ops.eigvals(x, name), zeros([0], dtype))


batch_self_adjoint_eig_v2 = self_adjoint_eig_v2


def batch_svd(input: Any, compute_uv: bool = True, full_matrices: bool = False, name: str | None = None) -> Any:
    """Return `tf.svd` with its arguments in another order."""
    return decomposition_ops.svd(input, full_matrices, compute_uv, name)


def broadcast_args(s0: Any, s1: Any, name: str | None = None) -> Any:
    """Return the shape to which two shapes are broadcast."""
    return broadcast_dynamic_shape(s0, s1)


def broadcast_gradient_args(s0: Any, s1: Any, name: str | None = None) -> ReducedAxes:
    """Return the axes along which gradients of a broadcast result are summed for each of two shapes."""

    def axes(*given: Any) -> Any:
        dtype, shapes = array_of(given[0]).dtype, [tuple(array_of(each).tolist()) for each in given]
        rank = max(map(len, shapes))
        np.broadcast_shapes(*shapes)  # ValueError where they are not
        first, second = ((1,) * (rank - len(shape)) + shape for shape in shapes)

        def summed(own: tuple[int, ...]) -> Any:
            # Axes of size 1 in both are among them, which changes nothing; of equal shapes there are none.
            return np.array([k for k in range(rank) if own[k] == 1 and shapes[0] != shapes[1]], dtype)

        return summed(first), summed(second)

    kinds = [convert_to_tensor(s0).dtype] * 2
    found = call(
        "BroadcastGradientArgs",
        axes,
        (s0, s1),
        name=name,
        shape=lambda *_: [(None,), (None,)],
        dtype=kinds,
        outputs=2,
        differentiable=False,
    )
    return ReducedAxes(*found)


def concat_offset(concat_dim: Any, shape: Any, name: str | None = None) -> list[Any]:
    """Return where each tensor of these shapes begins when they are joined along an axis."""

    def offsets(axis: Any, *shapes: Any) -> Any:
        sizes = [array_of(each) for each in shapes]
        for k, each in enumerate(sizes):
            if each.ndim != 1:
                raise ValueError(f"input {k} should be a vector, but got shape {bracketed(each.shape)}")
        along, rank = int(array_of(axis)), len(sizes[0])
        if not -rank <= along < rank:
            raise ValueError(f"Concat dim is out of range: {along} vs. {rank}")
        for k, each in enumerate(sizes[1:], 1):
            if each.shape != sizes[0].shape:
                raise ValueError(f"input {k} should contain {rank} elements, but got {each.size}")
            if any(a != b for n, (a, b) in enumerate(zip(each, sizes[0], strict=True)) if n != along % rank):
                shown = [f"[{' '.join(map(str, numbers))}]" for numbers in (each, sizes[0])]
                rule = f"All dimensions except {along % rank} must match"
                raise ValueError(
                    f"{rule}. Input {k} has shape {shown[0]} and doesn't match input 0 with shape {shown[1]}."
                )
        starts = np.cumsum([0, *(each[along] for each in sizes[:-1])])
        unit = (np.arange(rank) == along % rank).astype(sizes[0].dtype)
        return tuple((start * unit).astype(unit.dtype) for start in starts)

    given = [convert_to_tensor(each) for each in shape]
    found = call(
        "ConcatOffset",
        offsets,
        (concat_dim, *given),
        name=name,
        shape=lambda axis, *shapes: list(shapes),
        dtype=[each.dtype for each in given],
        outputs=len(given),
        same=False,
        differentiable=False,
    )
    return list(found)


def parallel_concat(values: Any, shape: Any, name: str | None = None) -> Any:
    """Return tensors of one row each as one."""
    joined = concat(values, 0, name or "ParallelConcat")
    if not joined.shape.is_compatible_with(shape):
        raise ValueError(f"parallel_concat: the tensors together must have the shape {shape}, got {joined.shape}")
    return joined


def _order_of(source: str, target: str) -> list[int]:
    if sorted(source) != sorted(target):
        raise ValueError(f"data formats must have the same letters, got {source!r} and {target!r}")
    return [source.index(letter) for letter in target]


def tensor_strided_slice_update(
    input: Any,
    begin: Any,
    end: Any,
    strides: Any,
    value: Any,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: str | None = None,
) -> Any:
    """Return ``input`` with a part, as `tf.strided_slice` cuts it out, replaced by ``value``, which is broadcast to it.

    Source: ``gen_array_ops.tensor_strided_slice_update``.
    """
    input = convert_to_tensor(input)
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    positions = strided_slice(reshape(numbers(size(input)), shape(input)), begin, end, strides, *masks)
    values = broadcast_to(convert_to_tensor(value, input.dtype), shape(positions))
    flat = tensor_scatter_update(reshape(input, [-1]), reshape(positions, [-1, 1]), reshape(values, [-1]))
    return reshape(flat, shape(input), name)
