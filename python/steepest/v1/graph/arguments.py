"""Arguments that say how an operation works: axes, shapes, counts, known when a node is made or when it runs.

An argument that is a node stays an input, so that a run may feed it; its value, where it is known before, serves the
static shape. One that is a Python value is bound to the function.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...variables.variable import Variable as EagerVariable
from .build import call, convert, convert_all, graph_of
from .constants import constant_array
from .located_errors import of_eager_call
from .mode import executing_eagerly
from .node import Node, Tensor
from .run_arguments import RunArguments
from .shape_inference import known_value
from .tensors_within import holds_tensors

__all__ = [
    "as_axes",
    "as_axis",
    "as_count",
    "as_integers",
    "as_list",
    "as_sizes",
    "as_vector",
    "call_with",
    "check_vector",
]

Reader = Callable[[Any], Any]

# TensorFlow has an integer type for these arguments, to which it casts NumPy's numbers (`as_integers`), not Python's.
_CASTING = frozenset(
    [
        "All",
        "Any",
        "ArgMin",
        "BroadcastTo",
        "ConcatV2",
        "Cumprod",
        "Cumsum",
        "ExpandDims",
        "Fill",
        "InTopK",
        "LinSpace",
        "LogSumExp",
        "Max",
        "Mean",
        "Min",
        "Pad",
        "Prod",
        "Reshape",
        "ReverseV2",
        "Split",
        "Sum",
        "TopKV2",
        "Transpose",
        "ones",
        "zeros",
    ]
)


def call_with(
    op_type: str,
    arguments: Sequence[tuple[Any, Reader]],
    function: Callable[..., Any],
    inputs: Sequence[Any] = (),
    *,
    shape: Any,
    same: bool = True,
    name: str | None = None,
    **options: Any,
) -> Any:
    """Return the tensor that ``function(*arguments, *inputs)`` will be; see `call` for the rest.

    Args:
        arguments: pairs of a value (integers, a node, a list with nodes, or None) and the function that makes of its
            array what ``function`` takes.
        shape: takes the arguments and the inputs' static shapes; an argument that is not known is a tensor there.

    Raises TypeError for an argument that does not hold integers.
    """
    if executing_eagerly():
        try:
            read = [_read(op_type, value, reader) for value, reader in arguments]
        except ValueError as error:
            raise of_eager_call(error) from error
        return call(op_type, functools.partial(function, *read), inputs, same=same, name=name, **options)
    nodes: list[tuple[int, Tensor]] = []
    known: list[Any] = []
    with graph_of([*inputs, *(value for value, _ in arguments)]).as_default():
        for place, (value, reader) in enumerate(arguments):
            # A variable of eager mode may have another value each time that a function runs.
            if isinstance(value, (Node, EagerVariable)) or holds_tensors(value):
                node = _integers(op_type, convert(list(value) if isinstance(value, (list, tuple)) else value))
                folded = known_value(node)
                nodes.append((place, node))
                known.append(node if folded is None else reader(folded))
            else:
                known.append(_read(op_type, value, reader))
        shape_fn = functools.partial(shape, *known) if callable(shape) else shape
        if not nodes:
            bound = functools.partial(function, *known)
            return call(op_type, bound, inputs, shape=shape_fn, same=same, name=name, **options)
        tensors = convert_all(op_type, inputs, same, name)
        readers = [(place, arguments[place][1]) for place, _ in nodes]
        count = len(tensors)
        return call(
            op_type,
            RunArguments(function, known, readers),
            [*tensors, *(node for _, node in nodes)],
            shape=(lambda *shapes: shape_fn(*shapes[:count])) if callable(shape_fn) else shape_fn,
            same=False,
            name=name,
            **options,
        )


def _integers(op_type: str, node: Tensor) -> Tensor:
    if not node.dtype.is_integer:
        raise TypeError(f"Value passed to an argument of {op_type!r} must hold integers, got {node.dtype.name}")
    return node


def _read(op_type: str, value: Any, reader: Reader) -> Any:
    if value is None:
        return None
    array = np.asarray(constant_array(as_integers(value) if op_type in _CASTING else value))
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"Value passed to an argument of {op_type!r} must hold integers, got {array.dtype}")
    return reader(array.astype(np.int64, copy=False))


def as_integers(value: Any) -> Any:
    """Return NumPy's floats and truth values as integers, anything else as it is."""
    whole = isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "fb"
    return value.astype(np.int64) if whole else value


# How an array becomes an argument.


def as_axis(array: Any) -> int:
    """Return a single integer; ValueError for several."""
    if array.ndim and array.size != 1:
        raise ValueError(f"Shape must be rank 0 but is rank {array.ndim}")
    return int(array.item())


as_count = as_axis


def as_axes(array: Any) -> Any:
    """Return one axis as an integer, several as a tuple; ValueError for a matrix of them."""
    if array.ndim > 1:
        raise ValueError(f"Shape must be at most rank 1 but is rank {array.ndim}")
    return tuple(array.tolist()) if array.ndim else int(array)


def as_vector(array: Any) -> tuple[int, ...]:
    """Return the numbers of an array; ValueError, in TensorFlow's words, for one that is no vector."""
    if array.ndim != 1:
        told = f"shape must be a vector of {{int32,int64}}, got shape {list(array.shape)}"
        raise ValueError(f"Shape must be rank 1 but is rank {array.ndim}: {told}")
    return as_sizes(array)


def check_vector(node: Tensor) -> None:
    """Raise ValueError for a tensor that is known to be no vector."""
    if node._shape is not None and len(node._shape) != 1:
        raise ValueError(f"Shape must be rank 1 but is rank {len(node._shape)}")


def as_sizes(array: Any) -> tuple[int, ...]:
    """Return a shape."""
    return tuple(array.ravel().tolist())


def as_list(array: Any) -> list[Any]:
    """Return nested lists of integers."""
    listed: list[Any] = array.tolist()
    return listed
