"""Layers without variables that give their inputs another form: flat, one-hot, sparse, images as sequences."""

from __future__ import annotations

import math
from typing import Any

from ...graph.build import shape_of
from ...graph.composites import is_sparse
from ...graph.scopes import control_dependencies, name_scope, variable_scope
from ...layers import flatten as _flatten
from ...ops.array_ops import reshape, shape, transpose
from ...ops.cast_ops import cast
from ...ops.check_ops import assert_rank_at_least
from ...ops.concat_ops import concat
from ...ops.gather_ops import where
from ...ops.math_ops import not_equal
from ...ops.one_hot_ops import one_hot
from ...ops.position_ops import gather_nd
from ...ops.reduce_ops import reduce_max, reduce_prod
from ...ops.sparse_ops import SparseTensor, convert_to_tensor
from ...ops.sparse_reshape_ops import sparse_reshape
from ..arg_scopes import add_arg_scope
from .model_variables import collected
from .utils import check_data_format

__all__ = [
    "_inner_flatten",
    "dense_to_sparse",
    "flatten",
    "images_to_sequence",
    "maxout",
    "one_hot_encoding",
    "sequence_to_images",
]


@add_arg_scope
def flatten(inputs: Any, outputs_collections: Any = None, scope: str | None = None) -> Any:
    """Return the inputs with all axes but the first made one."""
    with name_scope(scope, "Flatten", [inputs]) as opened:
        return collected(outputs_collections, _flatten(convert_to_tensor(inputs)), opened)


@add_arg_scope
def _inner_flatten(inputs: Any, new_rank: int, output_collections: Any = None, scope: str | None = None) -> Any:
    """Return a tensor, or a sparse one, whose axes from ``new_rank - 1`` on are one. Raises ValueError for fewer."""
    with name_scope(scope, "InnerFlatten", [inputs, new_rank]) as opened:
        flat = (
            _sparse_flattened(inputs, new_rank)
            if is_sparse(inputs)
            else _flattened(convert_to_tensor(inputs), new_rank)
        )
        return collected(output_collections, flat, opened)


def _sparse_flattened(inputs: Any, new_rank: int) -> Any:
    sizes = inputs.dense_shape
    rank = sizes.get_shape().as_list()[0]
    if rank < new_rank:
        raise ValueError(f"Inputs has rank less than new_rank. {inputs} must have rank at least {new_rank}, got {rank}")
    return sparse_reshape(inputs, concat([sizes[: new_rank - 1], [reduce_prod(sizes[new_rank - 1 :])]], 0))


def _flattened(inputs: Any, new_rank: int) -> Any:
    x = convert_to_tensor(inputs)
    checked = assert_rank_at_least(x, new_rank, message="inputs has rank less than new_rank")
    with control_dependencies([checked]):
        flat = reshape(x, concat([shape(x)[: new_rank - 1], [-1]], 0))
    sizes = shape_of(x)
    if sizes is not None:
        outer, inner = sizes[: new_rank - 1], sizes[new_rank - 1 :]
        flat.set_shape([*outer, None if None in inner else math.prod(size or 0 for size in inner)])
    return flat


@add_arg_scope
def one_hot_encoding(
    labels: Any,
    num_classes: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    outputs_collections: Any = None,
    scope: str | None = None,
) -> Any:
    """Return the one-hot vectors of labels."""
    with name_scope(scope, "OneHotEncoding", [labels, num_classes]) as opened:
        labels = convert_to_tensor(labels)
        labels = cast(labels, "int64") if labels.dtype.name == "int32" else labels
        made = one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return collected(outputs_collections, made, opened)


@add_arg_scope
def dense_to_sparse(tensor: Any, eos_token: Any = 0, outputs_collections: Any = None, scope: str | None = None) -> Any:
    """Return the elements that are not ``eos_token`` as a sparse tensor."""
    with variable_scope(scope, "dense_to_sparse", [tensor]) as opened:
        x = convert_to_tensor(tensor)
        indices = where(not_equal(x, convert_to_tensor(eos_token, x.dtype.base_dtype)))
        made = SparseTensor(indices, gather_nd(x, indices), shape(x, out_type="int64"))
        return collected(outputs_collections, made, opened.name)


@add_arg_scope
def images_to_sequence(
    inputs: Any, data_format: str = "NHWC", outputs_collections: Any = None, scope: str | None = None
) -> Any:
    """Return images as sequences of their columns: ``[width, batch * height, channels]``.

    Raises ValueError for another ``data_format`` than NHWC and NCHW.
    """
    check_data_format(data_format)
    with name_scope(scope, "ImagesToSequence", [inputs]) as opened:
        x = convert_to_tensor(inputs)
        x = transpose(x, [0, 2, 3, 1]) if data_format == "NCHW" else x
        _, _, width, depth = x.shape.as_list()
        sizes = shape(x)
        made = reshape(transpose(x, [2, 0, 1, 3]), [width, sizes[0] * sizes[1], depth])
        return collected(outputs_collections, made, opened)


@add_arg_scope
def sequence_to_images(
    inputs: Any,
    height: int,
    output_data_format: str = "channels_last",
    outputs_collections: Any = None,
    scope: str | None = None,
) -> Any:
    """Return the images of which `images_to_sequence` made the inputs."""
    with name_scope(scope, "SequenceToImages", [inputs]) as opened:
        x = convert_to_tensor(inputs)
        width, rows, depth = x.shape.as_list()
        apart = reshape(x, [width, -1 if rows is None else rows // height, height, depth])
        order = [1, 3, 2, 0] if output_data_format == "channels_first" else [1, 2, 0, 3]
        return collected(outputs_collections, transpose(apart, order), opened)


@add_arg_scope
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: str | None = None) -> Any:
    """Return the largest of each group of neighbours, so that ``num_units`` are left along an axis.

    The groups are neighbours in memory, as in TensorFlow: along the axis only where it is the last. Raises ValueError
    where the axis does not divide. Source: Goodfellow and others, 2013.
    """
    with variable_scope(scope, "MaxOut", [inputs]):
        x = convert_to_tensor(inputs)
        sizes: list[Any] = x.shape.as_list()
        count = sizes[axis]
        if count % num_units:
            raise ValueError(f"number of features({count}) is not a multiple of num_units({num_units})")
        known = [shape(x)[k] if size is None else size for k, size in enumerate(sizes)]
        known[axis] = num_units
        return reduce_max(reshape(x, [*known, count // num_units]), -1)
