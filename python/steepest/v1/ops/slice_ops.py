"""Subscripts of nodes: integers, slices, ``None``, ``...``, with bounds that may be nodes."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import must
from ...variables.variable import Variable as EagerVariable
from ..graph import shape_inference
from ..graph.arguments import as_list, call_with
from ..graph.build import call, convert
from ..graph.dimension import Dimension
from ..graph.node import Node, Tensor
from .gather_ops import boolean_mask

__all__ = ["At", "getitem", "key_of", "sliced", "strided_slice"]


_ALLOWED = (
    "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid "
    "indices"
)
_INTEGERS = ("int16", "uint16", "int32", "int64")


def getitem(x: Any, index: Any) -> Any:
    """Return ``x[index]``: integers, slices, ``None``, ``...``; their bounds may be nodes."""
    if _is_mask(index):
        return boolean_mask(x, index)
    parts = index if isinstance(index, tuple) else (index,)
    inputs: list[Any] = [x]
    pattern: list[Any] = []
    for part in parts:
        pattern.append(_pattern(part, inputs))
    shape = x._tensor()._shape
    if len(inputs) == 1:
        full_key = tuple(pattern)
        key = full_key if isinstance(index, tuple) else full_key[0]
        shape_fn = sliced(key) if shape is not None else None
        sized: Any = shape_fn if shape is not None else (lambda _: None)
        return call(
            "StridedSlice", _Index(key), (x,), name="strided_slice", shape=sized, same=False, attributes={"index": key}
        )
    bounds = [shape_inference.known_value(node._tensor()) for node in inputs[1:]]

    def later(input_shape: Any, *_: Any) -> Any:
        return None if input_shape is None else sliced(tuple(_filled(part, bounds) for part in pattern))(input_shape)

    return call(
        "StridedSlice",
        _IndexLater(tuple(pattern)),
        inputs,
        name="strided_slice",
        same=False,
        shape=later,
        dtype=x.dtype.base_dtype,
    )


def _is_mask(index: Any) -> bool:
    if isinstance(index, Node):
        return index._tensor().dtype.is_bool
    return isinstance(index, bool) or (isinstance(index, np.ndarray) and index.dtype.kind == "b")


class _Open:
    """An index that is not known before a session runs."""


_OPEN = _Open()


def _filled(part: Any, bounds: Any) -> Any:
    """Return an index part with values in the places of nodes."""
    if isinstance(part, At):
        value = bounds[part.position]
        return _OPEN if value is None else int(value)
    if isinstance(part, slice):
        return slice(*(_filled(bound, bounds) for bound in (part.start, part.stop, part.step)))
    return part


def _pattern(part: Any, inputs: list[Any]) -> Any:
    """Return a static index part; nodes are put among the inputs, and their places into the pattern."""
    if isinstance(part, EagerVariable):
        part = convert(part)  # it may have another value each time that a function runs
    if isinstance(part, Node):
        tensor = part._tensor()
        if tensor.dtype.is_bool:
            raise TypeError(must(part.name, "index", "be integers", "a mask of one axis", "use tf.boolean_mask"))
        if tensor.dtype.name.removesuffix("_ref") not in _INTEGERS or tensor._shape:
            raise TypeError(f"{_ALLOWED}, got {part!r}")
        inputs.append(part)
        return At(len(inputs) - 2)
    if isinstance(part, slice):
        bounds = (part.start, part.stop, part.step)
        known = (None if isinstance(bound, Dimension) and bound.value is None else bound for bound in bounds)
        return slice(*(_pattern(bound, inputs) for bound in known))
    if part is None or part is Ellipsis or (hasattr(part, "__index__") and np.ndim(part) == 0):
        return part if part is None or part is Ellipsis else operator.index(part)
    raise TypeError(f"{_ALLOWED}, got {part!r}")


class At:
    """The place of an index that is a node."""

    def __init__(self, position: int) -> None:
        self.position = position


class _Index:
    """Indexing by constants."""

    def __init__(self, key: Any) -> None:
        self.key = key

    def __call__(self, x: Any) -> Any:
        return _at(x, self.key)


class _IndexLater:
    """Indexing by values that are known when a session runs."""

    def __init__(self, pattern: tuple[Any, ...]) -> None:
        self.pattern = pattern

    def __call__(self, x: Any, *bounds: Any) -> Any:
        return _at(x, tuple(_filled(part, bounds) for part in self.pattern))


def _at(x: Any, key: Any) -> Any:
    try:
        return x[key]
    except IndexError:
        sliced(key)(x.shape)  # in TensorFlow's words
        raise


def sliced(key: Any) -> Callable[[Any], Any]:
    """Return the shape function of ``x[key]``."""

    def shape_fn(shape: Any) -> Any:
        try:
            sizes: list[Any] = []
            parts = list(key) if isinstance(key, tuple) else [key]
            if sum(part is Ellipsis for part in parts) > 1:
                raise ValueError("Multiple ellipses in slice spec not allowed")
            indexed_axes = sum(part is not None and part is not Ellipsis for part in parts)
            if indexed_axes and not shape:
                raise ValueError("Attempting to slice scalar input.")
            if indexed_axes > len(shape):
                raise ValueError(f"Index out of range using input dim {len(shape)}; input has only {len(shape)} dims")
            at = 0
            for part in [*parts, *([] if any(part is Ellipsis for part in parts) else [Ellipsis])]:
                if part is None:
                    sizes.append(1)
                elif part is Ellipsis:
                    more = len(shape) - indexed_axes
                    sizes.extend(shape[at : at + more])
                    at += more
                elif isinstance(part, slice):
                    sizes.append(_length(part, shape[at]))
                    at += 1
                else:
                    if part is not _OPEN and shape[at] is not None and not -shape[at] <= part < shape[at]:
                        raise ValueError(f"slice index {part} of dimension {at} out of bounds.")
                    at += 1
            return tuple(sizes)
        except TypeError as error:
            raise ValueError(str(error)) from error

    return shape_fn


def _length(part: slice, size: int | None) -> int | None:
    if part.step == 0:
        raise ValueError("strides[0] must be non-zero")
    if size is None or _OPEN in (part.start, part.stop, part.step):
        return None
    return len(range(*part.indices(size)))


def masked_key(
    begin_mask: int, end_mask: int, ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int
) -> Callable[..., Any]:
    """Return the function that makes an index of begins, ends and strides; ValueError for two ellipses."""
    if ellipsis_mask & (ellipsis_mask - 1):
        raise ValueError("Multiple ellipses in slice spec not allowed")

    def key(first: Any, last: Any, steps: Any) -> Any:
        index: list[Any] = []
        for k, (a, b, step) in enumerate(zip(first, last, steps or [1] * len(first), strict=True)):
            if ellipsis_mask >> k & 1:
                index.append(Ellipsis)
            elif new_axis_mask >> k & 1:
                index.append(None)
            elif shrink_axis_mask >> k & 1:
                if step is not _OPEN and step <= 0:
                    raise ValueError("only stride 1 allowed on non-range indexing.")
                index.append(a)
            else:
                index.append(slice(None if begin_mask >> k & 1 else a, None if end_mask >> k & 1 else b, step))
        return tuple(index)

    return key


def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Any:
    """Return ``input_[begin:end:strides]``, with a value for each of the first axes.

    Bit k of ``begin_mask`` or ``end_mask`` leaves out the bound of axis k; of ``shrink_axis_mask``, drops the axis; of
    ``ellipsis_mask`` and ``new_axis_mask``, stands for ``...`` and ``None``. Raises ValueError for two ellipses.
    """
    key = masked_key(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return call_with(
        "StridedSlice",
        [(begin, as_list), (end, as_list), (strides, as_list)],
        lambda first, last, steps, x: _at(x, key(first, last, steps)),
        (input_,),
        shape=lambda first, last, steps, shape: _strided_shape(key, first, last, steps, shape),
        name=name,
    )


def _strided_shape(key: Callable[..., Any], first: Any, last: Any, steps: Any, shape: Any) -> Any:
    bounds = [part for part in (first, last, steps) if part is not None]
    if shape is None:
        return None
    counts = [part._shape[0] if isinstance(part, Tensor) and part._shape else None for part in bounds]
    count = next((len(part) for part in bounds if not isinstance(part, Tensor)), next(iter(filter(None, counts)), None))
    if count is None:
        return None
    filled = [[_OPEN] * count if isinstance(part, Tensor) else part for part in (first, last, steps)]
    return sliced(key(*filled))(shape)


def key_of(part: Any, bounds: Any) -> Any:
    """Return the index that a slicing operation was made with, its bounds that were nodes replaced by their values."""
    function = part.function
    if isinstance(function, _Index):
        return function.key
    return tuple(_filled(each, bounds) for each in function.pattern)
