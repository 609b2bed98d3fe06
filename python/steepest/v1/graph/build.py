"""How a node is made: arguments become tensors, their shapes are inferred, and the call is kept for later.

In eager mode the same call is made at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...base.errors import must
from ...ops.dispatch import unwrap
from ...ops.indexed_slices import IndexedSlices
from ...ops.scatter import scattered
from . import shape_inference
from .constants import constant_array, constant_node, held_value
from .conversion_registry import converted
from .dtypes import DType, as_dtype
from .eager_call import apart, eager_result, eager_session, eager_value, eager_values
from .gradient_registry import override
from .graph import Graph, get_default_graph
from .located_errors import of_eager_call
from .mode import executing_eagerly
from .node import Node, Operation, Tensor
from .node_names import name_inside
from .run_values import array_of, flat_rows, stacked
from .shapes import Shape
from .tensors_within import EAGER, holds_tensors, type_within
from .type_constraints import check_types

__all__ = [
    "REAL",
    "call",
    "convert",
    "convert_all",
    "dtype_of",
    "graph_of",
    "pack",
    "shape_of",
    "slices_to_dense",
]

PROBE: Any = object()
"""The shape is found by calling the function on small arrays."""

REAL: Any = object()
"""The type of the result is that of the first input's real part."""


def call(
    op_type: str,
    function: Callable[..., Any],
    inputs: Sequence[Any] = (),
    *,
    name: str | None = None,
    shape: Any = PROBE,
    dtype: Any = None,
    outputs: int | None = None,
    same: bool = True,
    contextual: bool = False,
    writes: bool = False,
    differentiable: bool = True,
    rows_of: int | None = None,
    attributes: dict[str, Any] | None = None,
) -> Any:
    """Return the tensor (or the tuple of them) that ``function(*inputs)`` will be.

    Args:
        op_type: TensorFlow's name of the operation, which is also the default name of the node.
        shape: the static shape, or a function of the inputs' static shapes; by default found by probing.
        dtype: the type of the result; by default that of the first input, or what probing finds; or `REAL`.
        outputs: the number of results where they are to be a tuple; then ``shape``, or what it returns, and ``dtype``
            are lists.
        same: the inputs have one type, to which numbers and arrays among them are converted.
        contextual, writes, differentiable, rows_of, attributes: see `Operation`.
    """
    if executing_eagerly():
        values = eager_values(op_type, inputs, same)
        check_types(op_type, [value.dtype for value in values[:1]])
        try:
            with np.errstate(all="ignore"):
                made = function(eager_session, *values) if contextual else function(*values)
                result = eager_result(apart(made, values))
                return (result,) if outputs == 1 and not isinstance(result, tuple) else result
        except (ValueError, IndexError, ArithmeticError) as error:
            raise of_eager_call(error) from error
    with graph_of(inputs).as_default() as graph:
        full_name = graph._operation_name(name, op_type)
        tensors = convert_all(op_type, inputs, same, name_inside(graph, full_name, name, op_type))
        check_types(op_type, [tensor.dtype.dtype for tensor in tensors[:1]])
        for tensor in tensors:
            if tensor.graph is not graph:
                must = "must be from the same graph as the other inputs; it is in another one"
                raise ValueError(f"{name or op_type}: Tensor {tensor.name!r} {must}")
        results = _results(name or op_type, op_type, function, tensors, shape, dtype, outputs)
        operation = Operation(
            graph,
            op_type,
            full_name,
            function,
            tensors,
            results,
            contextual,
            writes,
            differentiable,
            rows_of,
            attributes,
        )
        if (rules := graph._context.shape_rules) is not None:
            told = name or op_type, op_type, function, tensors, shape, dtype, outputs
            rules.append((operation, lambda: _results(*told)))
        rule = graph._context.overrides.get(op_type)
        produced = operation.outputs if rule is None else override(operation, rule)
    return produced[0] if outputs is None else tuple(produced)


def _results(
    name: str, op_type: str, function: Any, tensors: Sequence[Tensor], shape: Any, dtype: Any, outputs: int | None
) -> list[tuple[DType, Shape]]:
    """Return types and static shapes of what an operation gives."""
    if shape is PROBE:
        return [shape_inference.probe(name, op_type, function, tensors, dtype)]
    if outputs is None:
        return [(_type_of(dtype, tensors), shape_inference.apply_shape_fn(name, op_type, shape, tensors))]
    shapes = shape_inference.apply_shape_fn(name, op_type, shape, tensors)
    return list(zip([_type_of(d, tensors) for d in dtype], shapes, strict=True))


def _type_of(dtype: Any, tensors: Sequence[Tensor]) -> DType:
    if dtype is None or dtype is REAL:
        own = tensors[0].dtype.base_dtype
        return own if dtype is None else own.real_dtype
    return as_dtype(dtype).base_dtype


def graph_of(inputs: Sequence[Any]) -> Graph:
    """Return the graph in which a node of these inputs is made: that of the first node, else the default graph."""
    for value in inputs:
        if isinstance(value, Node):
            return value.graph
    return get_default_graph()


def convert(value: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Return the tensor for a value: nodes as they are, a list with nodes in it stacked, anything else a constant.

    Raises TypeError for a type that is not ``dtype``, ValueError for None.
    """
    dtype = None if dtype is None else as_dtype(dtype)
    if isinstance(value, Node):
        tensor = value._tensor()
        if dtype is not None and tensor.dtype != dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype {tensor.dtype.base_dtype.name}: "
                f"{tensor!r}"
            )
        return tensor
    if isinstance(value, EAGER) and not executing_eagerly():
        return convert(get_default_graph()._captured(value), dtype, name)
    if (made := converted(value, dtype, name)) is not None:
        return convert(made, dtype, name)
    if isinstance(value, Operation):
        what = f"convert Operation {value.name!r} to Tensor"
        raise TypeError(f"Can't {what}: it has no value, so that one can't {what}")
    if isinstance(value, IndexedSlices):
        dense = slices_to_dense(value, name)
        if dtype is not None and dense.dtype.base_dtype != dtype:
            found = dense.dtype.base_dtype.name
            raise ValueError(f"Tensor conversion requested dtype {dtype.name} for IndexedSlices with dtype {found}")
        return dense
    if holds_tensors(value):
        within = type_within(value)
        return _packed(value, dtype or within, dtype not in (None, within), name)
    return constant_node(constant_array(value, dtype), name or "Const", dtype)


def _packed(value: Any, dtype: DType, casts: bool, name: str | None = None) -> Tensor:
    """Return a nest of lists stacked: for the type of its first node nothing is cast, for another one everything."""
    if holds_tensors(value):
        return pack([_packed(item, dtype, casts) for item in value], 0, name or "packed")
    if isinstance(value, EAGER):
        value = convert(value)  # a variable is read where the function runs, not where its body is made
    if not isinstance(value, Node) or (found := value._tensor().dtype) == dtype:
        return convert(value, dtype)
    if not casts:
        raise TypeError(f"Cannot convert a list containing a tensor of dtype {found} to {dtype} (Tensor is: {value!r})")
    cast: Tensor = call(
        "Cast", lambda x: x.astype(dtype.dtype), (value,), shape=shape_inference.same, dtype=dtype, same=False
    )
    return cast


_PLAIN = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


def _is_plain(value: Any) -> bool:
    """Tell whether a value is a number, a text, an array or a list of such: nothing that has a node or makes one."""
    return isinstance(value, _PLAIN) or (isinstance(value, (list, tuple)) and all(map(_is_plain, value)))


def dtype_of(value: Any) -> DType:
    """Return the type of what becomes a node, or of an eager value; no constant is made for it."""
    if not executing_eagerly():
        plain = _is_plain(value)
        return as_dtype(constant_array(value).dtype) if plain else convert(value).dtype.base_dtype
    found = eager_value(value)
    return as_dtype(found.dtype if hasattr(found, "dtype") else constant_array(found).dtype)


def shape_of(value: Any) -> Shape:
    """Return the static shape of what becomes a node, in eager mode that of the value; no constant is made for it."""
    if executing_eagerly():
        return tuple(np.shape(value))
    return tuple(constant_array(value).shape) if _is_plain(value) else convert(value)._shape


def convert_all(op_type: str, inputs: Sequence[Any], same: bool = True, name: str | None = None) -> list[Tensor]:
    """Return the tensors for an operation's inputs; where they share one type, numbers take that of the nodes.

    Constants that are made for it are named below it: ``add/y``; for a name ``""`` that is the scope they are in.
    """
    prefix = name.rstrip("/") if isinstance(name, str) else op_type
    below = f"{prefix}/" if prefix else ""
    if not same:
        return [convert(value, None, f"{below}Const") for value in inputs]
    dtype: DType | None = None
    first_node: Tensor | None = None
    for value in inputs:
        if isinstance(value, Node):
            first_node = value._tensor()
        elif isinstance(value, IndexedSlices) and isinstance(value.values, Node):
            first_node = value.values._tensor()
        if first_node is not None:
            dtype = first_node.dtype.base_dtype
            break
    tensors: list[Tensor] = []
    for position, value in enumerate(inputs):
        if isinstance(value, Node):
            tensor = value._tensor()
        else:
            called = f"{below}{'xyzw'[position]}" if len(inputs) < 5 else None
            try:
                tensor = convert(value, dtype, called)
            except TypeError as error:
                if dtype is None or not isinstance(value, (int, float, complex)):
                    raise
                raise _of_another_type(op_type, position, as_dtype(constant_array(value).dtype), dtype, error) from None
            dtype = dtype or tensor.dtype
        if dtype is not None and tensor.dtype != dtype:
            raise _of_another_type(op_type, position, tensor.dtype, dtype, f"{tensor.name}; use tf.cast")
        tensors.append(tensor)
    return tensors


def _of_another_type(op_type: str, position: int, found: DType, dtype: DType, told: object) -> TypeError:
    which = f"Input {('xyzw'[position] if position < 4 else position)!r} of {op_type!r} Op"
    wrong = f"has type {found.base_dtype.name} that does not match type {dtype.name} of argument 'x'"
    return TypeError(f"{which} {wrong}: {told}")


def pack(parts: Sequence[Any], axis: int, name: str) -> Tensor:
    """Put tensors of one shape beside each other along a new axis. Raises ValueError where the shapes differ."""

    def shape_fn(*shapes: Any) -> Any:
        part = shape_inference.merged(*shapes)
        if part is None:
            return None
        if not -len(part) - 1 <= axis <= len(part):
            known = f"[{-len(part) - 1}, {len(part) + 1})"
            raise ValueError(f"axis = {axis} not in {known}. Argument `axis` = {axis} not in range {known}")
        sizes = list(part)
        sizes.insert(axis if axis >= 0 else len(part) + 1 + axis, len(shapes))
        return tuple(sizes)

    packed: Tensor = call(
        "Pack", lambda *arrays: stacked(arrays, axis), parts, name=name, shape=shape_fn, attributes={"axis": axis}
    )
    return packed


def slices_to_dense(slices: IndexedSlices, name: str | None = None) -> Tensor:
    """Return the tensor that slices of nodes stand for. Raises ValueError where their dense shape is not given."""
    shape = slices.dense_shape
    if shape is None:
        raise ValueError(must("IndexedSlices", "dense_shape", "be given to make it dense", repr(slices)))
    known = held_value(shape) if isinstance(shape, Tensor) else np.asarray(shape)
    shape = tuple(known.tolist()) if known is not None and known.dtype.kind in "iu" else shape
    static_shape = shape if isinstance(shape, tuple) and None not in shape else None
    told = shape_inference.shape_value(shape) if isinstance(shape, Tensor) else static_shape

    def to_dense(values: Any, ids: Any, *sizes: Any) -> Any:
        dense_shape = static_shape if static_shape is not None else tuple(int(size) for size in unwrap(sizes[0]))
        return scattered(*flat_rows(values, array_of(ids)), dense_shape)

    inputs = (slices.values, slices.indices, *(() if static_shape is not None else (shape,)))
    dense: Tensor = call("IndexedSlicesToDense", to_dense, inputs, name=name, shape=told, same=False)
    return dense
