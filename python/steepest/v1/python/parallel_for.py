"""TensorFlow's ``parallel_for``: a function of each number below a count, the results stacked.

`pfor` of TensorFlow makes one operation on all elements of what a function does for one of them. Here the elements come
one after another, with the same results.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
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
from ..ops.reduce_ops import reduce_max, reduce_mean, reduce_sum
from ..ops.sparse_ops import SparseTensor, convert_to_tensor
from ..ops.tensor_array_ops import TensorArray

__all__ = ["PForConfig", "batch_jacobian", "for_loop", "jacobian", "pfor", "vectorized_map"]


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
    comes one with one more axis, of slices a tensor. A function that takes ``pfor_config`` is given a `PForConfig`.

    Raises:
        ValueError: for parallel iterations that are not positive, for one (take `for_loop`), and for any where the
            function takes values of all numbers.

    Source: ``pfor`` of TensorFlow's ``parallel_for``.
    """
    if parallel_iterations is not None and parallel_iterations < 1:
        raise ValueError(f"pfor: parallel_iterations must be None or a positive integer, got {parallel_iterations}")
    if parallel_iterations == 1:
        raise ValueError("Found parallel_iterations == 1. Use for_loop instead.")
    if not _takes_config(loop_fn):
        with name_scope("loop_body"):
            form = loop_fn(_number(0))
        return nest.pack_sequence_as(
            form, _stacked(lambda number: nest.flatten(loop_fn(number)), nest.flatten(form), iters)
        )
    # Each time around the function gets one step further: to the next value of which all numbers' are asked for.
    reduced: tuple[Any, ...] = ()
    while True:
        of_number = partial(_until_sought, loop_fn, reduced)
        with name_scope("loop_body"):
            ended, form = of_number(_number(0))
        stacked = _stacked(partial(_values_of, of_number), nest.flatten(form), iters)
        if ended:
            return nest.pack_sequence_as(form, stacked)
        if parallel_iterations is not None:
            raise ValueError(
                "Setting parallel_iterations currently unsupported if reductions across iterations are performed."
            )
        reduced += (stacked[0],)


class _Sought(Exception):
    """Ends a function where it asks for the values of all numbers, which are not there yet."""

    def __init__(self, value: Any) -> None:
        self.value = value


class PForConfig:
    """What a function of `pfor` asks for the values that a tensor has for all numbers.

    Source: TensorFlow's ``parallel_for.pfor.PForConfig``.
    """

    def __init__(self, reduced: tuple[Any, ...] = ()) -> None:
        self._reduced, self._asked = reduced, 0

    def reduce_concat(self, x: Any) -> Any:
        """Return a tensor's values for all numbers, stacked."""
        place, self._asked = self._asked, self._asked + 1
        if place == len(self._reduced):
            raise _Sought(x)
        return self._reduced[place]

    def reduce_mean(self, x: Any) -> Any:
        """Return the mean of a tensor's values for all numbers."""
        return reduce_mean(self.reduce_concat(x), 0)

    def reduce_sum(self, x: Any) -> Any:
        """Return the sum of a tensor's values for all numbers."""
        return reduce_sum(self.reduce_concat(x), 0)


def _until_sought(loop_fn: Callable[..., Any], reduced: tuple[Any, ...], number: Any) -> tuple[bool, Any]:
    """Return True and what the function gives, or False and the first tensor whose reduction is not there."""
    try:
        return True, loop_fn(number, pfor_config=PForConfig(reduced))
    except _Sought as sought:
        return False, sought.value


def _values_of(of_number: Callable[[Any], tuple[bool, Any]], number: Any) -> list[Any]:
    values: list[Any] = nest.flatten(of_number(number)[1])
    return values


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


def _takes_config(function: Any) -> bool:
    given = isinstance(function, partial) and "pfor_config" in function.keywords
    try:
        return not given and "pfor_config" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # made in C
        return False


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
