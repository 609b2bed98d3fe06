"""TensorFlow's ``parallel_for``: a function of each number below a count, the results stacked.

`pfor` of TensorFlow makes one operation on all elements of what a function does for one of them. Here the elements come
one after another, with the same results.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from .. import nest
from ..autodiff.jacobians import batch_jacobian as _batch_jacobian
from ..autodiff.jacobians import jacobians
from ..graph.node import Operation
from ..graph.scopes import name_scope
from ..ops.array_ops import expand_dims, shape
from ..ops.cast_ops import cast
from ..ops.concat_ops import concat
from ..ops.control_flow_ops import group, with_dependencies
from ..ops.creation_ops import fill
from ..ops.functional_ops import vectorized_map as vectorized_map
from ..ops.loop_ops import while_loop
from ..ops.reduce_ops import reduce_max
from ..ops.sparse_ops import SparseTensor, convert_to_tensor
from ..ops.tensor_array_ops import TensorArray

__all__ = ["batch_jacobian", "for_loop", "jacobian", "pfor", "vectorized_map"]


def for_loop(
    loop_fn: Callable[[Any], Any], loop_fn_dtypes: Any, iters: Any, parallel_iterations: int | None = None
) -> Any:
    """Return what ``loop_fn`` gives for each number below ``iters``, stacked; None where it gives None.

    Args:
        loop_fn_dtypes: the types of the results, in their structure.
        parallel_iterations: accepted for TensorFlow's sake.

    Raises:
        TypeError: for parallel iterations that are not positive. ValueError: for another number of results.

    Source: ``for_loop`` of TensorFlow's ``parallel_for``.
    """
    if parallel_iterations is not None and parallel_iterations < 1:
        raise TypeError(f"for_loop: parallel_iterations must be a positive integer, got {parallel_iterations}")
    types = nest.flatten(loop_fn_dtypes)

    def results(number: Any) -> list[Any]:
        found: list[Any] = nest.flatten(loop_fn(number))
        if len(found) != len(types):
            raise ValueError(
                f"Number of expected outputs, {len(types)}, does not match the number of actual outputs, "
                f"{len(found)}, from loop_fn"
            )
        return found

    with name_scope("loop_body"):
        first = results(_number(0))
    return nest.pack_sequence_as(loop_fn_dtypes, _stacked(results, first, iters))


def pfor(loop_fn: Callable[..., Any], iters: Any, parallel_iterations: int | None = None) -> Any:
    """Return what ``loop_fn`` gives for each number below ``iters``, stacked, in its structure.

    The function is called once more, to see what it returns. An operation is run for each number; of sparse tensors
    comes one with one more axis, of slices a tensor.

    Raises:
        ValueError: for parallel iterations that are not positive, and for one (take `for_loop`).
        NotImplementedError: for a function that takes ``pfor_config``: numbers do not see each other's values.

    Source: ``pfor`` of TensorFlow's ``parallel_for``.
    """
    if parallel_iterations is not None and parallel_iterations < 1:
        raise ValueError(f"pfor: parallel_iterations must be None or a positive integer, got {parallel_iterations}")
    if parallel_iterations == 1:
        raise ValueError("Found parallel_iterations == 1. Use for_loop instead.")
    if "pfor_config" in _arguments(loop_fn):
        raise NotImplementedError(
            "pfor: loop_fn must take the number alone, got one with pfor_config; reduce the stacked results instead"
        )
    with name_scope("loop_body"):
        form = loop_fn(_number(0))
    return nest.pack_sequence_as(
        form, _stacked(lambda number: nest.flatten(loop_fn(number)), nest.flatten(form), iters)
    )


def jacobian(output: Any, inputs: Any, use_pfor: bool = True, parallel_iterations: int | None = None) -> Any:
    """Return the derivatives of all elements of ``output`` by each of the inputs, ``output.shape + input.shape``.

    ``use_pfor`` and ``parallel_iterations`` are accepted for TensorFlow's sake.
    """
    del use_pfor, parallel_iterations
    return nest.pack_sequence_as(inputs, jacobians(output, nest.flatten(inputs)))


def batch_jacobian(output: Any, inp: Any, use_pfor: bool = True, parallel_iterations: int | None = None) -> Any:
    """Return the derivatives of each row of ``output`` by the same row of ``inp``; see `jacobian`."""
    del use_pfor, parallel_iterations
    return _batch_jacobian(output, inp)


def _arguments(function: Any) -> Sequence[str]:
    called = function.func if isinstance(function, partial) else function
    try:
        return list(inspect.signature(called).parameters)
    except (TypeError, ValueError):  # made in C
        return ()


def _number(value: int) -> Any:
    return convert_to_tensor(value, "int32")


class _Results:
    """The values of one result: how they are written to arrays, and what comes of the arrays."""

    def __init__(self, first: Any) -> None:
        self.nothing, self.runs = first is None, isinstance(first, Operation)
        self.sparse = isinstance(first, SparseTensor)
        self.types: list[Any]
        if self.nothing:
            self.types = []
        elif self.runs:
            self.types = ["bool"]  # whose writing is what runs the operation
        elif self.sparse:
            self.types = ["int64", first.dtype, "int64"]
        else:
            self.types = [convert_to_tensor(first).dtype.base_dtype]

    def parts(self, number: Any, value: Any) -> list[Any]:
        """Return what is written for one number."""
        if self.nothing:
            return []
        if self.runs:
            return [with_dependencies([value], convert_to_tensor(True))]
        if not self.sparse:
            return [convert_to_tensor(value)]
        place = fill([shape(value.indices)[0], 1], cast(number, "int64"))
        return [concat([place, value.indices], 1), value.values, value.dense_shape]

    def whole(self, arrays: list[TensorArray], count: Any) -> Any:
        """Return what stands for all numbers."""
        if self.nothing:
            return None
        if self.runs:
            return group(arrays[0].stack())
        if not self.sparse:
            return arrays[0].stack()
        indices, values, shapes = arrays
        size = concat([expand_dims(cast(count, "int64"), 0), reduce_max(shapes.stack(), 0)], 0)
        return SparseTensor(indices.concat(), values.concat(), size)


def _stacked(results: Callable[[Any], list[Any]], first: list[Any], iters: Any) -> list[Any]:
    """Return the results for all numbers, stacked, which are of the kinds of the first ones."""
    kinds = [_Results(value) for value in first]
    types = [kind for each in kinds for kind in each.types]
    if not types:
        return [None] * len(kinds)
    count = convert_to_tensor(iters, "int32")
    arrays = [TensorArray(kind, count, infer_shape=False) for kind in types]

    def body(number: Any, *state: TensorArray) -> Any:
        values = zip(kinds, results(number), strict=True)
        parts = [part for kind, value in values for part in kind.parts(number, value)]
        return (number + 1, *(array.write(number, part) for array, part in zip(state, parts, strict=True)))

    _, *filled = while_loop(lambda number, *_: number < count, body, [_number(0), *arrays])
    remaining = iter(filled)
    return [kind.whole([next(remaining) for _ in kind.types], count) for kind in kinds]
