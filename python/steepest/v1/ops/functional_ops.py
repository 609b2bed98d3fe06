"""Functions of the elements of a tensor along its first axis: `map_fn`, `vectorized_map`, `scan`, `foldl`, `foldr`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph.build import convert
from ..graph.composites import is_sparse
from ..graph.dtypes import as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.nests import assert_same_structure, flatten
from ..graph.node import Tensor
from .array_ops import shape as shape_of
from .loop_ops import leaves, rebuilt, while_loop
from .sparse_ops import convert_to_tensor
from .tensor_array_ops import TensorArray
from .type_specs import TensorSpec

__all__ = ["foldl", "foldr", "map_fn", "scan", "vectorized_map"]


def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """Return ``fn`` of each element along the first axis of ``elems``, stacked.

    Args:
        fn: a function of an element, of a nest of elements where ``elems`` is a nest.
        elems: a tensor or a nest of tensors.
        dtype: the types of what ``fn`` returns, in the same structure, where they are not those of ``elems``.
        back_prop: gradients flow through it.
        infer_shape: without it, nothing is known of the results' shapes.
        fn_output_signature: the same as ``dtype``, or what describes tensors (`tf.TensorSpec`).
        parallel_iterations, swap_memory: accepted for TensorFlow's sake.

    Raises:
        TypeError: for a function that cannot be called, for sparse tensors, and for results of another kind of sequence
            than ``dtype``.
        ValueError: for scalars, and for results of another structure.

    Source: ``tf.map_fn``.
    """
    del parallel_iterations, swap_memory
    dtype = dtype if fn_output_signature is None else fn_output_signature
    if not callable(fn):
        raise TypeError(f"fn must be callable, got {fn!r:.80}")
    if any(is_sparse(leaf) for leaf in flatten(elems)):
        raise TypeError(
            "To perform a map over the values of a sparse tensor use either  SparseTensor(input.indices, "
            "fn(input.values), input.dense_shape) or  SparseTensor(input.indices, map_fn(fn, input.values), "
            "input.dense_shape)"
        )
    types = elems if dtype is None else dtype
    with get_default_graph().name_scope(name or "map"):
        arrays, count, known = _unstacked(elems)
        kinds = arrays if dtype is None else leaves(types)
        results = [_array_for(kind, count, infer_shape) for kind in kinds]

        def step(number: Any, state: list[TensorArray]) -> Any:
            result = fn(_elements(elems, arrays, number))
            assert_same_structure(types, result)
            values = leaves(result)
            if len(values) != len(state):
                raise ValueError(f"fn must return what dtype says, {len(state)} tensors, got {len(values)}")
            return number + 1, [array.write(number, value) for array, value in zip(state, values, strict=True)]

        _, written = while_loop(
            lambda number, _: number < count, step, [_number(0), results], back_prop=back_prop, name="while"
        )
        return rebuilt(types, [_counted(array.stack(), known) for array in written])


def vectorized_map(fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True) -> Any:
    """Return ``fn`` of each element along the first axis of ``elems``, stacked, of whatever types and structure.

    It is `map_fn` without a ``dtype`` to give: the function is called once more, to see what it returns.

    Args:
        fallback_to_while_loop, warn: accepted for TensorFlow's sake.

    Source: ``tf.vectorized_map``.
    """
    del fallback_to_while_loop, warn
    with get_default_graph().name_scope("loop_body"):
        first = fn(rebuilt(elems, [_tensor(leaf)[0] for leaf in leaves(elems)]))
    types = rebuilt(first, [_tensor(leaf).dtype for leaf in leaves(first)])
    return map_fn(fn, elems, types)


def scan(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """Return all values, stacked, of ``value = fn(value, element)`` along the first axis of ``elems``.

    Args:
        fn: a function of the value so far and of an element; nests where they are nests.
        elems: a tensor or a nest of tensors.
        initializer: the first value, by default the first element, which is then the first result.
        reverse: go from the last element to the first.
        back_prop: gradients flow through it.
        parallel_iterations, swap_memory, infer_shape: accepted for TensorFlow's sake.

    Raises:
        TypeError: for a function that cannot be called. ValueError: for no elements and no initializer.

    Source: ``tf.scan``.
    """
    del parallel_iterations, swap_memory, infer_shape
    if not callable(fn):
        raise TypeError(f"fn must be callable, got {fn!r:.80}")
    with get_default_graph().name_scope(name or "scan"):
        arrays, count, known = _unstacked(elems)
        first, start, values = _begin(elems, arrays, initializer, reverse, count)
        results = [_array_for(value, count) for value in leaves(values)]
        if initializer is None:
            results = [array.write(first, value) for array, value in zip(results, leaves(values), strict=True)]

        def step(number: Any, value: Any, state: list[TensorArray]) -> Any:
            after = fn(value, _elements(elems, arrays, number))
            assert_same_structure(value, after)
            written = [array.write(number, part) for array, part in zip(state, leaves(after), strict=True)]
            return _next(number, reverse), rebuilt(value, leaves(after)), written

        _, _, written = while_loop(
            lambda number, *_: number >= 0 if reverse else number < count,
            step,
            [start, values, results],
            back_prop=back_prop,
            name="while",
        )
        return rebuilt(values, [_counted(array.stack(), known) for array in written])


def foldl(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Return the last value of ``value = fn(value, element)`` along the first axis of ``elems``; see `scan`."""
    del parallel_iterations, swap_memory
    return _folded("foldl", fn, elems, initializer, back_prop, name, False)


def foldr(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Return the last value of ``value = fn(value, element)`` from the last element to the first; see `scan`."""
    del parallel_iterations, swap_memory
    return _folded("foldr", fn, elems, initializer, back_prop, name, True)


def _folded(
    who: str, fn: Callable[..., Any], elems: Any, initializer: Any, back_prop: bool, name: str | None, reverse: bool
) -> Any:
    if not callable(fn):
        raise TypeError(f"fn must be callable, got {fn!r:.80}")
    with get_default_graph().name_scope(name or who):
        arrays, count, _ = _unstacked(elems)
        _, start, values = _begin(elems, arrays, initializer, reverse, count)

        def step(number: Any, value: Any) -> Any:
            return _next(number, reverse), rebuilt(value, leaves(fn(value, _elements(elems, arrays, number))))

        _, result = while_loop(
            lambda number, _: number >= 0 if reverse else number < count,
            step,
            [start, values],
            back_prop=back_prop,
            name="while",
        )
        return result


def _tensor(value: Any) -> Any:
    return convert_to_tensor(value) if executing_eagerly() else convert(value)


def _number(value: int) -> Any:
    return convert_to_tensor(value, "int32") if executing_eagerly() else convert(value, "int32")


def _next(number: Any, reverse: bool) -> Any:
    return number - 1 if reverse else number + 1


def _unstacked(elems: Any) -> tuple[list[TensorArray], Any, int | None]:
    """Return the elements of each tensor, how many there are, and that number where the graph knows it."""
    tensors = [_tensor(leaf) for leaf in leaves(elems)]
    if not tensors:
        raise ValueError("elems must hold at least one tensor")
    for tensor in tensors:
        if tensor.get_shape().ndims == 0:
            if isinstance(elems, (list, tuple, dict)):
                raise ValueError("elements in elems must be 1+ dimensional Tensors, not scalars")
            raise ValueError("elems must be a 1+ dimensional Tensor, not a scalar")
    count = shape_of(tensors[0])[0]
    known = tensors[0].get_shape().as_list()[0] if tensors[0].get_shape().ndims else None
    arrays = [TensorArray(tensor.dtype, count, clear_after_read=False).unstack(tensor) for tensor in tensors]
    return arrays, count if known is None else _number(known), known


def _begin(elems: Any, arrays: list[TensorArray], initializer: Any, reverse: bool, count: Any) -> tuple[Any, Any, Any]:
    """Return the number of the first element, that of the first round, and the first values."""
    first = count - 1 if reverse else _number(0)
    if initializer is not None:
        return first, first, rebuilt(initializer, [_tensor(leaf) for leaf in leaves(initializer)])
    return first, _next(first, reverse), _elements(elems, arrays, first)


def _elements(elems: Any, arrays: list[TensorArray], number: Any) -> Any:
    return rebuilt(elems, [array.read(number) for array in arrays])


def _array_for(like: Any, count: Any, infer_shape: bool = True) -> TensorArray:
    """Return the array for results of a type, or of the type of a tensor, of what describes one or of an array."""
    dtype = like.dtype if hasattr(like, "get_shape") or isinstance(like, (TensorArray, TensorSpec)) else like
    return TensorArray(as_dtype(dtype).base_dtype, count, infer_shape=infer_shape)


def _counted(stacked: Any, known: int | None) -> Any:
    if isinstance(stacked, Tensor) and stacked._shape:
        stacked.set_shape((known, *stacked._shape[1:]))
    return stacked
