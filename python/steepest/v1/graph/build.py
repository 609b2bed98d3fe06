"""How a node is made: arguments become tensors, their shapes are inferred, and the call is kept for later.

In eager mode the same call is made at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import Operand
from ...ops.indexed_slices import IndexedSlices
from ...ops.tensor import Tensor as EagerTensor
from . import shape_inference
from .constants import constant_array, hold
from .dtypes import DType, as_dtype
from .graph import Graph, get_default_graph
from .mode import executing_eagerly
from .node import Node, Operation, Tensor
from .shapes import Shape
from .type_constraints import check_types

__all__ = ["call", "convert", "convert_all", "eager_session"]

PROBE: Any = object()
"""The shape is found by calling the function on small arrays."""


class _EagerSession:
    """What contextual functions are given in eager mode instead of a session: its random numbers."""

    def __init__(self) -> None:
        self._generators: dict[Any, np.random.Generator] = {}


eager_session = _EagerSession()


def call(
    kind: str,
    function: Callable[..., Any],
    inputs: Sequence[Any] = (),
    *,
    name: str | None = None,
    shape: Any = PROBE,
    dtype: Any = None,
    outputs: int | None = None,
    like: Any = None,
    same: bool = True,
    contextual: bool = False,
    writes: bool = False,
    differentiable: bool = True,
    rows_of: int | None = None,
    attributes: dict[str, Any] | None = None,
) -> Any:
    """Return the tensor (or the tuple of them) that ``function(*inputs)`` will be.

    Args:
        kind: TensorFlow's name of the operation, which is also the default name of the node.
        shape: the static shape, or a function of the inputs' static shapes; by default found by probing.
        dtype: the type of the result; by default that of the first input, or what probing finds.
        outputs: the number of results where it is not one; then ``shape`` and ``dtype`` are lists.
        same: the inputs have one type, to which numbers and arrays among them are converted.
        like: the type to convert numbers and arrays to, where no input says it.
        contextual, writes, differentiable, rows_of, attributes: see `Operation`.
    """
    if executing_eagerly():
        values = _eager_values(inputs, like, same)
        check_types(kind, [value.dtype for value in values[:1]])
        result = function(eager_session, *values) if contextual else function(*values)
        return _eager_result(result)
    with _graph_of(inputs).as_default() as graph:
        tensors = convert_all(kind, inputs, like, same, name)
        check_types(kind, [tensor.dtype.dtype for tensor in tensors[:1]])
        for tensor in tensors:
            if tensor.graph is not graph:
                raise ValueError(
                    f"{name or kind}: Tensor {tensor.name!r} must be from the same graph as the other inputs; it is in "
                    "another one"
                )
        if shape is PROBE:
            results = [shape_inference.probe(name or kind, kind, function, tensors, dtype)]
        elif outputs is not None:
            results = list(zip([as_dtype(d) for d in dtype], shape, strict=True))
        else:
            found: Shape = shape_inference.applied(name or kind, kind, shape, tensors)
            results = [(tensors[0].dtype.base_dtype if dtype is None else as_dtype(dtype).base_dtype, found)]
        operation = Operation(
            graph,
            kind,
            graph._operation_name(name, kind),
            function,
            tensors,
            results,
            contextual,
            writes,
            differentiable,
            rows_of,
            attributes,
        )
    return operation.outputs[0] if outputs is None else tuple(operation.outputs)


def _graph_of(inputs: Sequence[Any]) -> Graph:
    """Return the graph in which a node of these inputs is made: that of the first node, else the default graph."""
    for value in inputs:
        if isinstance(value, Node):
            return value.graph
    return get_default_graph()


def convert(value: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Return the tensor for a value: nodes as they are, a list with nodes in it stacked, anything else a constant.

    Raises TypeError for a type that is not ``dtype``, ValueError for None.
    """
    wanted = None if dtype is None else as_dtype(dtype)
    if isinstance(value, Node):
        tensor = value._tensor()
        if wanted is not None and tensor.dtype != wanted:
            raise ValueError(
                f"Tensor conversion requested dtype {wanted.name} for a Tensor of {tensor.dtype.base_dtype.name}: "
                f"{tensor!r}"
            )
        return tensor
    if isinstance(value, Operation):
        raise TypeError(f"Can't convert Operation {value.name!r} to Tensor")
    if isinstance(value, IndexedSlices):
        from ..ops.sparse_ops import to_dense

        return to_dense(value, name)
    if _holds_nodes(value):
        from ..ops.concat_ops import stack

        stacked: Tensor = stack([convert(item, wanted or _type_within(value)) for item in value], name=name or "packed")
        return stacked
    return hold(constant_array(value, wanted), name or "Const", wanted)


def _holds_nodes(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(isinstance(item, Node) or _holds_nodes(item) for item in value)


def _type_within(value: Any) -> DType | None:
    """Return the type of the first node in a nest of lists."""
    for item in value:
        found = item._tensor().dtype.base_dtype if isinstance(item, Node) else None
        if found is None and _holds_nodes(item):
            found = _type_within(item)
        if found is not None:
            return found
    return None


def convert_all(
    kind: str, inputs: Sequence[Any], like: Any = None, same: bool = True, name: Any = None
) -> list[Tensor]:
    """Return the tensors for an operation's inputs; where they share one type, numbers take that of the nodes.

    Constants that are made for it are named below it: ``add/y``.
    """
    if not same:
        return [convert(value) for value in inputs]
    above = name.rstrip("/") if isinstance(name, str) else kind
    wanted = None if like is None else as_dtype(like)
    first: Tensor | None = None
    for value in inputs:
        if isinstance(value, Node):
            first = value._tensor()
        elif isinstance(value, IndexedSlices) and isinstance(value.values, Node):
            first = value.values._tensor()
        if first is not None:
            wanted = first.dtype.base_dtype
            break
    tensors: list[Tensor] = []
    for position, value in enumerate(inputs):
        if isinstance(value, Node):
            tensor = value._tensor()
        else:
            tensor = convert(value, wanted, f"{above}/{'xyzw'[position]}" if above and len(inputs) < 5 else None)
            wanted = wanted or tensor.dtype
        if wanted is not None and tensor.dtype != wanted:
            raise TypeError(
                f"Input {position} of {kind!r} Op has type {tensor.dtype.base_dtype.name} that does not match type "
                f"{wanted.name} of the other inputs: {tensor.name}; use tf.cast"
            )
        tensors.append(tensor)
    return tensors


# Eagerly


def _eager_values(inputs: Sequence[Any], like: Any, same: bool) -> list[Any]:
    wanted = None if like is None else np.dtype(as_dtype(like).dtype)
    if same and wanted is None:
        for value in inputs:
            if isinstance(value, (Operand, np.ndarray, np.generic)):
                wanted = value.dtype  # type: ignore[union-attr]  # every operand has it
                break
    values: list[Any] = []
    for value in inputs:
        if isinstance(value, IndexedSlices):
            value = value.to_dense()
        if not isinstance(value, (Operand, np.ndarray, np.generic)):
            if isinstance(value, (list, tuple)) and any(isinstance(item, Operand) for item in value):
                value = np.stack(value)
            else:
                value = constant_array(value, as_dtype(wanted) if same and wanted is not None else None)
            if same and wanted is None:
                wanted = value.dtype
        values.append(value)
    return values


def _eager_result(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(_eager_result(item) for item in result)
    return EagerTensor(np.asarray(result)) if isinstance(result, (np.ndarray, np.generic)) else result
