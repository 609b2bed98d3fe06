"""Rows by position, and elements by condition: gather, where, masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import apply
from ...ops.registry import Primitive, also_complex
from ...ops.scatter import scattered
from ...ops.vjps.indexing import gather as _gather
from ..graph import shape_inference
from ..graph.arguments import as_axis, call_with
from ..graph.build import call, convert, convert_all, dtype_of, shape_of
from ..graph.dtypes import dtype_or
from ..graph.eager_call import eager_values
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor
from ..graph.run_values import array_of
from ..graph.shapes import compatible, text
from ..graph.static_values import constant_value

__all__ = [
    "boolean_mask",
    "gather",
    "sequence_mask",
    "where",
]


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    name: str | None = None,
    axis: Any = None,
    batch_dims: int | None = 0,
) -> Any:
    """Return ``params`` at the indices along ``axis`` (0 by default); the gradient of rows is `IndexedSlices`.

    Raises TypeError for indices that are not integers; when a session runs, InvalidArgumentError for one that is not
    there. Source: ``tf.gather``.
    """
    del validate_indices
    if not executing_eagerly():
        indices = convert(indices, name=f"{name or 'Gather'}/indices")
        if indices.dtype.base_dtype.name not in ("int16", "int32", "int64"):
            raise TypeError(
                f"Value passed to parameter 'indices' has DataType {indices.dtype.name}; it must be integer: "
                f"{indices.dtype.name} is not in the list of allowed values: int16, int32, int64"
            )
    lead = int(batch_dims or 0)
    if lead < 0:
        ndim = shape_of(indices)
        if ndim is None:
            raise ValueError("gather: batch_dims must not be negative where the rank of the indices is not known")
        lead += len(ndim)
    along = int(batch_dims or 0) if axis is None else axis
    if isinstance(along, Node) and (known := shape_inference.known_value(along._tensor())) is not None:
        along = as_axis(known)
    # Along the first axis TensorFlow forgets about `batch_dims`.
    if not isinstance(along, Node) and np.ndim(along) == 0 and along == 0:
        return call(
            "GatherV2", _rows, (params, indices), name=name, shape=shape_inference.gathered, rows_of=0, same=False
        )

    def shape_fn(place: Any, x: Any, ids: Any) -> Any:
        if x is None or ids is None:
            return None
        if isinstance(place, Tensor):
            return (None,) * (len(x) + len(ids) - 1 - lead)
        if not -len(x) <= place < len(x):
            least = place + 1 if place >= 0 else -place
            raise ValueError(f"Shape must be at least rank {least} but is rank {len(x)}")
        if lead > len(ids):
            raise ValueError(f"Shape must be at least rank {lead} but is rank {len(ids)}")
        at = place % len(x)
        return (*x[:at], *ids[lead:], *x[at + 1 :])

    def taken(place: int, x: Any, ids: Any) -> Any:
        if not -x.ndim <= place < x.ndim:
            raise ValueError(f"Expected axis in the range [-{x.ndim}, {x.ndim}), but got {place}")
        return _along_axis(x, array_of(ids), place % x.ndim, lead)

    return call_with("GatherV2", [(along, as_axis)], taken, (params, indices), shape=shape_fn, name=name, same=False)


def _along_axis(x: Any, ids: Any, axis: int, lead: int) -> Any:
    """Return slices of x along an axis; the first ``lead`` axes of x and of the indices belong together."""
    check_positions(ids, x.shape[axis])
    if not lead and not axis:  # a negative axis, whose gradient is dense as that of any but 0
        return np.reshape(taken_dense(x, ids.ravel(), 0), (*ids.shape, *x.shape[1:]))
    if not lead:
        return np.take(x, ids, axis=axis)
    if lead > axis or x.shape[:lead] != ids.shape[:lead]:
        raise ValueError(f"batch_dims {lead}, axis {axis}: shapes {x.shape} and {ids.shape} must begin alike")
    # The axis goes behind the common ones, is replaced by those of the indices, and these go back to its place.
    between = list(range(lead, axis))
    front = np.transpose(x, [*range(lead), axis, *between, *range(axis + 1, x.ndim)])
    places = (*np.indices(ids.shape, sparse=True)[:lead], ids)
    picked = front[places]
    new = list(range(lead, ids.ndim))
    moved = list(range(ids.ndim, ids.ndim + len(between)))
    return np.transpose(picked, [*range(lead), *moved, *new, *range(ids.ndim + len(between), picked.ndim)])


def _take_back(g: Any, y: Any, x: Any, ids: Any, axis: int) -> Any:
    moved = np.moveaxis(g, axis, 0)
    sizes = np.moveaxis(np.empty(x.shape, bool), axis, 0).shape
    return np.moveaxis(scattered(moved, ids, sizes), 0, axis)


_TAKE = Primitive(lambda x, ids, axis: np.take(x, ids, axis=axis), (_take_back,), name="take")
also_complex(_TAKE)


def taken_dense(x: Any, ids: Any, axis: int) -> Any:
    """Return slices of x along an axis, by a vector of positions; the gradient is dense, also of rows."""
    return apply(_TAKE, (x, array_of(ids), axis))


def _rows(params: Any, ids: Any) -> Any:
    ids = array_of(ids)
    check_positions(ids, params.shape[0] if params.shape else 1)
    return _gather(params, ids)


def check_positions(ids: Any, size: int, what: str = "indices") -> None:
    """Raise IndexError, in TensorFlow's words, for the first position that is not below the size of an axis."""
    if ids.size and (ids.min() < 0 or ids.max() >= size):
        bad = tuple(np.argwhere((ids < 0) | (ids >= size))[0].tolist())
        raise IndexError(f"{what}{bracketed(bad)} = {ids[bad]} is not in [0, {size})")


def bracketed(place: tuple[int, ...]) -> str:
    """Return the place of an element as TensorFlow writes it; nothing for a scalar."""
    return f"[{','.join(map(str, place))}]" if place else ""


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Return the elements of ``x`` where the condition holds, else of ``y``; without both, positions.

    A condition of one axis chooses whole rows of x and y. Raises ValueError for only one of x and y.
    Source: ``tf.where`` of TensorFlow 1.
    """
    if x is None and y is None:
        return places_where(condition, name)
    condition, x, y = choices("Select", condition, x, y)

    def compute(c: Any, a: Any, b: Any) -> Any:
        c = array_of(c)
        shape_fn(c.shape, a.shape, b.shape)
        if c.ndim == 1 and a.ndim > 1:
            c = c.reshape(-1, *([1] * (a.ndim - 1)))
        return np.where(c, a, b)

    def shape_fn(c: Any, a: Any, b: Any) -> Any:
        chosen = shape_inference.merged(a, b)  # only the condition is broadcast
        if chosen is None or not c:
            return chosen
        return shape_inference.merged(c if len(c) != 1 else (*c, *chosen[1:]), chosen)

    tensors = (condition, x, y)
    dtype = dtype_of(x)
    return call("Select", compute, tensors, name=name, shape=shape_fn, dtype=dtype, same=False)


def choices(op_type: str, condition: Any, x: Any, y: Any) -> tuple[Any, Any, Any]:
    """Return a condition, and the two values, in one type, of which it chooses elements; ValueError for one alone."""
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    if executing_eagerly():
        return condition, *eager_values(op_type, (x, y), True)
    x, y = convert_all(op_type, (x, y))
    condition = convert(condition)
    if not condition.dtype.is_bool:
        raise TypeError(f"Input 'condition' of '{op_type}' Op has type {condition.dtype.name} that is not bool")
    return condition, x, y


def places_where(condition: Any, name: str | None = None) -> Any:
    """Return the positions, a row each, of the elements that are not 0."""

    def positions(c: Any) -> Any:
        if not c.ndim:
            raise ValueError("WhereOp : Unhandled input dimensions: 0")
        return np.argwhere(array_of(c)).astype(np.int64)

    return call(
        "Where",
        positions,
        (condition,),
        name=name,
        shape=lambda c: (None, None if c is None else len(c)),
        dtype="int64",
        differentiable=False,
    )


def boolean_mask(tensor: Any, mask: Any, name: str = "boolean_mask", axis: Any = None) -> Any:
    """Return the elements (or rows) of ``tensor`` where ``mask`` is true; the gradient is dense."""

    def take(at: int, x: Any, m: Any) -> Any:
        places = np.nonzero(array_of(m))
        return taken_dense(x, places[0], at) if len(places) == 1 else x[(slice(None),) * at + places]

    def shape_fn(at: Any, x: Any, m: Any) -> Any:
        if m is None:
            raise ValueError("Number of mask dimensions must be specified, even if some dimensions are None.")
        if len(m) == 0:
            raise ValueError("mask cannot be scalar.")
        if isinstance(at, Tensor):
            return None if x is None else (None,) * (len(x) - len(m) + 1)
        if x is not None and not compatible(x[at : at + len(m)], m):
            raise ValueError(f"Shapes {text(x)} and {text(m)} are incompatible")
        return None if x is None else (*x[:at], None, *x[at + len(m) :])

    axis = 0 if axis is None else axis
    if executing_eagerly():
        shape_fn(int(axis), np.shape(tensor), np.shape(mask))
    return call_with("BooleanMask", [(axis, as_axis)], take, (tensor, mask), name=name, shape=shape_fn, same=False)


def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = "bool", name: str | None = None) -> Any:
    """Return for each length a row that is true before it; ``maxlen`` is by default the largest length."""
    dtype = dtype_or(dtype, "bool")
    if maxlen is not None and shape_of(maxlen):
        raise ValueError(f"maxlen must be scalar for sequence_mask: `maxlen` must be scalar, got {maxlen!r:.80}")

    def compute(sizes: Any, *limit: Any) -> Any:
        sizes = array_of(sizes)
        if limit:  # the type that is compared
            sizes = sizes.astype(array_of(limit[0]).dtype)
        width = np.ceil(array_of(limit[0]) if limit else sizes.max(initial=0))
        return (np.arange(int(width)) < sizes[..., None]).astype(dtype.dtype)

    inputs = (lengths,) if maxlen is None else (lengths, maxlen)
    known = None if maxlen is None else constant_value(maxlen)
    if maxlen is None and (fixed := constant_value(lengths)) is not None:
        known = np.ceil(np.max(fixed, initial=0))

    def shape_fn(sizes: Any, *_: Any) -> Any:
        return None if sizes is None else (*sizes, None if known is None else int(known))

    return call(
        "SequenceMask", compute, inputs, name=name, shape=shape_fn, dtype=dtype, same=False, differentiable=False
    )
