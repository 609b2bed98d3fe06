"""Checks of ranks and types when a node is made, and of more values when a session runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import Operand
from ...ops.indexed_slices import IndexedSlices
from ...ops.symbolic import Symbolic
from ..graph.bound_names import name_functions
from ..graph.build import convert, dtype_of, shape_of
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor
from ..graph.run_values import array_of
from ..graph.shape_inference import known_value
from ..graph.shapes import text as shape_text
from ..graph.tensor_kind import Tensor as TensorKind
from .control_flow_ops import group, no_op
from .script_ops import check_numerics, check_operation
from .sparse_ops import SparseTensor, convert_to_tensor

__all__ = [
    "add_check_numerics_ops",
    "assert_integer",
    "assert_proper_iterable",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_type",
    "is_numeric_tensor",
    "is_symbolic_tensor",
    "is_tensor",
    "verify_tensor_all_finite",
]


def is_symbolic_tensor(tensor: Any) -> bool:
    """Tell whether a value is a tensor of a graph; a variable is none. Source: ``tf.is_symbolic_tensor``."""
    return isinstance(tensor, Tensor)


def is_tensor(x: Any) -> bool:
    """Tell whether ``x`` is a node, an eager tensor, a variable, or slices or a sparse tensor of them."""
    return isinstance(x, (Symbolic, Operand, IndexedSlices, SparseTensor))


def is_numeric_tensor(tensor: Any) -> bool:
    """Tell whether ``tensor`` is one, and no variable, and holds numbers."""
    return isinstance(tensor, TensorKind) and np.dtype(as_dtype(tensor.dtype).dtype).kind in "fViuc"


def _ranked(who: str, fits: Callable[[int, int], bool], text: str) -> Any:
    def check(
        x: Any,
        rank: Any,
        data: Any = None,
        summarize: int | None = None,
        message: str | None = None,
        name: str | None = None,
    ) -> Any:
        def misfit(shape: Any, expected: Any) -> str | None:
            if fits(len(shape), int(expected)):
                return None
            start = f"{message or who}: Tensor {_called(x)} must have {text} {expected}."
            return f"{start}  Received rank {len(shape)}, shape {shape_text(shape)}"

        def compare(value: Any, expected: Any) -> None:
            if np.ndim(expected):
                raise InvalidArgumentError(None, None, f"{message or who}: Rank must be a scalar.")
            if (wrong := misfit(np.shape(value), array_of(expected))) is not None:
                raise InvalidArgumentError(None, None, f"assertion failed: [{wrong}]")

        if not dtype_of(rank).is_integer:
            raise TypeError(f"The rank must be of type {as_dtype('int32')}; got {dtype_of(rank)}")
        if shape_of(rank):
            raise ValueError(f"{who}: Rank must be a scalar, got {rank!r:.60}")
        if executing_eagerly():
            if (wrong := misfit(np.shape(x), array_of(rank))) is not None:
                raise ValueError(wrong)
            return None
        tensor, limit = convert(x), convert(rank, name="rank")
        expected = known_value(limit)
        if tensor._shape is None or expected is None:
            return check_operation(name or who, compare, [tensor, limit])
        if (wrong := misfit(tensor._shape, expected)) is not None:
            raise ValueError(wrong)
        return no_op(name or who)

    check.__doc__ = (
        f"Return an operation that raises InvalidArgumentError in a run unless the tensor is found to have {text} "
        "``rank``; ValueError where that is known before."
    )
    return check


assert_rank = _ranked("assert_rank", lambda actual, expected: actual == expected, "rank")
assert_rank_at_least = _ranked("assert_rank_at_least", lambda actual, expected: actual >= expected, "rank at least")


def assert_rank_in(
    x: Any,
    ranks: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Return an operation that raises InvalidArgumentError in a run for a number of axes that is none of ``ranks``.

    ValueError where the number is known before.
    """
    for rank in ranks:
        if not dtype_of(rank).is_integer:
            raise TypeError(f"The rank must be of type {as_dtype('int32')}; got {dtype_of(rank)}")
    shape = shape_of(x)
    limits = [rank if executing_eagerly() else known_value(convert(rank, name="rank")) for rank in ranks]

    def misfit(shape: Any, allowed: Sequence[Any]) -> str | None:
        if any(np.ndim(rank) for rank in allowed):
            return f"{message or 'assert_rank_in'}: Rank must be a scalar."
        numbers = tuple(int(rank) for rank in allowed)
        if len(shape) in numbers:
            return None
        start = f"{message or 'assert_rank_in'}: Tensor {_called(x)} must have rank in {numbers}."
        return f"{start}  Received rank {len(shape)}, shape {shape_text(shape)}"

    def compare(value: Any, *allowed: Any) -> None:
        if (wrong := misfit(np.shape(value), [array_of(rank) for rank in allowed])) is not None:
            raise InvalidArgumentError(None, None, f"assertion failed: [{wrong}]")

    if shape is None or any(limit is None for limit in limits):
        return check_operation(name or "assert_rank_in", compare, [convert(x), *(convert(rank) for rank in ranks)])
    if (wrong := misfit(shape, [array_of(limit) for limit in limits])) is not None:
        raise ValueError(wrong)
    return no_op(name or "assert_rank_in")


def _type_of(tensor: Any) -> Any:
    told = getattr(tensor, "dtype", None)  # also of a program's own object that has a type
    return dtype_of(tensor) if told is None else as_dtype(told).base_dtype


def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> Any:
    """Return the one floating type of tensors, float32 for none; ValueError for other types or several."""
    types = [_type_of(tensor) for tensor in tensors or () if tensor is not None]
    wanted = as_dtype(dtype) if dtype is not None else types[0] if types else as_dtype("float32")
    for each in types:
        if each != wanted:
            raise ValueError(f"Tensor type mismatch: expected {wanted!r}, got {each!r}")
    if not wanted.is_floating:
        raise ValueError(f"Expected floating point type, got {wanted!r}.")
    return wanted


def assert_proper_iterable(values: Any) -> None:
    """Raise TypeError for what is no iterable, or a tensor, an array or a string."""
    if is_tensor(values) or isinstance(values, (np.ndarray, bytes, str)):
        raise TypeError(f"Expected argument 'values' to be a \"proper\" iterable.  Found: {type(values)}")
    if not hasattr(values, "__iter__"):
        raise TypeError(f"Expected argument 'values' to be iterable.  Found: {type(values)}")


def add_check_numerics_ops() -> Any:
    """Return an operation that checks every floating tensor of the graph by `check_numerics`.

    Raises RuntimeError in eager mode, where there is no graph.
    """
    if executing_eagerly():
        raise RuntimeError(
            "add_check_numerics_ops() is not compatible with eager execution. To check for Inf's and NaN's under eager "
            "execution call tf.check_numerics() on tensors."
        )
    graph = get_default_graph()
    checks = []
    for op in graph.get_operations():
        if op.branch is not None:
            raise ValueError(
                "`tf.add_check_numerics_ops() is not compatible with TensorFlow control flow operations such as "
                "`tf.cond()` or `tf.while_loop()`."
            )
        for tensor in op.outputs:
            if tensor.dtype.is_floating and op.branch is None and op.type != "Placeholder":
                checks.append(check_numerics(tensor, message=f"{op.name}:{tensor.value_index}"))
    return group(*checks)


def assert_scalar(tensor: Any, name: str | None = None, message: str | None = None) -> Any:
    """Return the tensor; ValueError where it has an axis."""
    node = convert_to_tensor(tensor)
    if shape_of(node) != ():
        raise ValueError(f"{message or ''} Expected scalar shape for {_called(node)}, saw {node.shape}.".lstrip())
    return node


def _called(value: Any) -> str:
    """Return the name of a node, for messages."""
    return value.name if isinstance(value, Node) else "the value"


def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> Any:
    """Return an operation that does nothing; TypeError for a tensor of another type."""
    got, dtype = dtype_of(tensor), as_dtype(tf_type)
    if got != dtype:
        raise TypeError(f"{message or ''} {_called(tensor)} must be of type {dtype!r}; got {got!r}".lstrip())
    return no_op(name or "statically_determined_correct_type")


def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> Any:
    """Return an operation that does nothing; TypeError for a tensor that does not hold integers."""
    dtype = dtype_of(x)
    if not dtype.is_integer:
        raise TypeError(f"{message or ''} Expected {_called(x)} to be integer, got {dtype!r}".lstrip())
    return no_op(name or "statically_determined_was_integer")


def verify_tensor_all_finite(
    t: Any = None, msg: Any = None, name: str | None = None, x: Any = None, message: str | None = None
) -> Any:
    """Return the tensor; InvalidArgumentError with the message where it has a NaN or an infinity."""
    return check_numerics(t if x is None else x, msg if message is None else message, name)


name_functions(__name__)
