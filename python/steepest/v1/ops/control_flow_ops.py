"""Operations that order others: groups, control dependencies, and the choice between two branches."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from ...ops.indexed_slices import IndexedSlices
from ..graph import shape_inference
from ..graph.branches import Branch, check_ways, taken_from_outside, wait_outside
from ..graph.build import call, convert
from ..graph.composites import is_composite, parts_of, with_parts, with_values
from ..graph.graph import Graph, get_default_graph
from ..graph.mappings import remade
from ..graph.mode import executing_eagerly
from ..graph.nests import assert_same_structure
from ..graph.node import Node, Operation, Tensor
from ..graph.same_graph import _get_graph_from_inputs
from ..graph.shapes import Shape, text
from .array_ops import identical, identity
from .tensor_array_ops import TensorArray

__all__ = ["alone", "branch", "cond", "filled", "group", "no_op", "tuple_", "with_dependencies"]


def group(*inputs: Any, name: str | None = None, **kwargs: Any) -> Any:
    """Return an operation that is done when all ``inputs`` (operations, tensors, nests of them) are done.

    It is of their graph. Raises TypeError for anything else, ValueError for several graphs. Source: ``tf.group``.
    """
    if kwargs:
        raise ValueError(f"Unknown keyword arguments: {', '.join(kwargs)}")
    if executing_eagerly():
        return None
    flat: list[Any] = []

    def collect(item: Any) -> None:
        if isinstance(item, (list, tuple)):
            for part in item:
                collect(part)
        elif isinstance(item, IndexedSlices):
            collect(item.values)
        elif isinstance(item, (Node, Operation)):
            flat.append(item)
        else:
            raise TypeError(
                f"Expected tf.group() expected Tensor arguments not {item!r} with type {type(item).__name__!r}: "
                f"'inputs' should be zero or more (nested) Tensors. Received {str(item)!r} with type '{type(item)}'."
            )

    collect(inputs)
    by_device: dict[str, list[Any]] = {}
    for item in flat:
        by_device.setdefault(item.device, []).append(item)
    graph = _get_graph_from_inputs(flat)
    if len(by_device) < 2:
        with graph.as_default():
            return _all_done(graph, next(iter(by_device), ""), flat, name or "group_deps")
    with graph.as_default(), graph.name_scope(name or "group_deps") as scope:
        parts = [_all_done(graph, device, by_device[device], None) for device in sorted(by_device)]
        with graph.control_dependencies(parts):
            return no_op(scope)


def _all_done(graph: Graph, device: str, inputs: Any, name: str | None) -> Any:
    """Return an operation for the device of its inputs that is done when they are."""
    with graph.control_dependencies(inputs):
        if not device:
            return no_op(name)
        with graph.device(device):
            return no_op(name)


def no_op(name: str | None = None) -> Any:
    """Return an operation that does nothing: something to hang control dependencies on."""
    if executing_eagerly():
        return None
    graph = get_default_graph()
    return Operation(graph, "NoOp", graph._operation_name(name, "NoOp"), None, (), ())


def with_dependencies(dependencies: Any, output_tensor: Any, name: str | None = None) -> Any:
    """Return ``output_tensor``, of slices with their values, once ``dependencies`` are done; it stands near to it."""
    name = name or "control_dependency"
    if executing_eagerly():
        return output_tensor if is_composite(output_tensor) else identity(output_tensor, name=name)
    graph = get_default_graph()
    values = output_tensor.values if is_composite(output_tensor) else output_tensor
    near = graph.colocate_with(values.op) if isinstance(values, Node) else nullcontext()
    with near, graph.control_dependencies(dependencies):
        held = identity(values, name=name)
    return with_values(output_tensor, held) if is_composite(output_tensor) else held


def tuple_(tensors: Any, name: str | None = None, control_inputs: Any = None) -> list[Any]:
    """Return the tensors, each once all of them are computed; None stays None. Source: ``tf.tuple``."""
    if executing_eagerly():
        return list(tensors)
    tensors = [t if t is None or hasattr(t, "dtype") or isinstance(t, Operation) else convert(t) for t in tensors]
    present = [t for t in tensors if t is not None]
    if not present:
        raise ValueError("Must have at least one Tensor")
    graph = get_default_graph()

    def held(item: Any) -> Any:
        if is_composite(item):
            return with_values(item, held(item.values))
        return None if item is None else identity(item, name="control_dependency")

    with graph.name_scope(name or "tuple"), graph.control_dependencies([*present, *(control_inputs or ())]):
        return [held(item) for item in tensors]


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[[], Any] | None = None,
    fn2: Callable[[], Any] | None = None,
) -> Any:
    """Return what ``true_fn()`` or ``false_fn()`` returns, as ``pred`` says; only that branch's operations run.

    A list or tuple of one is returned as what is in it, unless ``strict``. What the functions take from outside is
    computed in any case.

    Raises TypeError for a Python bool as ``pred``, functions that cannot be called or are given twice; ValueError when
    the two return different structures. Source: ``tf.cond``.
    """
    for one, other, older in ((true_fn, fn1, "true_fn and fn1"), (false_fn, fn2, "false_fn and fn2")):
        if one is not None and other is not None:
            raise TypeError(f"cond(): {older} may not be set simultaneously.")
    true_fn, false_fn = true_fn or fn1, false_fn or fn2
    if not callable(true_fn):
        raise TypeError("true_fn must be callable.")
    if not callable(false_fn):
        raise TypeError("false_fn must be callable.")
    if executing_eagerly():
        result = true_fn() if bool(pred) else false_fn()
        return result if strict else alone(result)
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool")
    graph = get_default_graph()
    with graph.name_scope("cond" if name is None else name) as scope:
        predicate = convert(pred)
        if not predicate.dtype.is_bool:
            raise TypeError(f"cond: pred must be a bool, got {predicate!r}")
        if predicate._shape:
            raise ValueError(f"cond: pred must be a scalar, got {predicate.name} of shape {text(predicate._shape)}")
        before = graph.version
        true, true_results = branch(graph, _telling(true_fn, predicate))
        false, false_results = branch(graph, _telling(false_fn, predicate))
        if true_results is None or false_results is None:
            raise ValueError(f"{'true_fn' if true_results is None else 'false_fn'} must have a return value.")
        if not strict:
            true_results, false_results = alone(true_results), alone(false_results)
        if _shape_of(true_results) != _shape_of(false_results):
            assert_same_structure(true_results, false_results, expand_composites=True)
            said = f"structure, got {true_results!r:.80} and {false_results!r:.80}"
            # Sequences of one length differ in their types alone.
            kind = TypeError if _shape_of(true_results, False) == _shape_of(false_results, False) else ValueError
            raise kind(f"Outputs of true_fn and false_fn must have the same {said}")
        true_results, false_results = _of_same_indices(graph, true, true_results, false, false_results)
        true.results, false.results = _flat(true_results), _flat(false_results)
        for a, b in zip(true.results, false.results, strict=True):
            if isinstance(a, Tensor) and a.dtype != b.dtype:
                raise ValueError(
                    f"Outputs of true_fn and false_fn must have the same type(s). Received {a.dtype.name} from true_fn "
                    f"and {b.dtype.name} from false_fn."
                )
        made = graph.get_operations()[before:]
        check_ways(graph, made, true, false, scope)
        taken = taken_from_outside(graph, before, true, false)
        outside = [tensor for tensor in taken if tensor.op.type != "VariableV2"]
        tensors = [a for a in true.results if isinstance(a, Tensor)]
        results = [
            (a.dtype.base_dtype, _either(a._shape, b._shape))
            for a, b in zip(true.results, false.results, strict=True)
            if isinstance(a, Tensor)
        ]
        operation = Operation(
            graph,
            "Cond",
            graph.unique_name("Merge"),
            None,
            [predicate, *outside],
            results,
            writes=any(op.writes for op in made),
            attributes={"branches": (true, false)},
        )
        wait_outside(operation, made)
        del scope, tensors
    outputs = iter(operation.outputs)
    return filled(true_results, lambda item: next(outputs) if isinstance(item, Tensor) else operation)


def _telling(function: Callable[[], Any], predicate: Tensor) -> Callable[[], Any]:
    """Return a branch that has the predicate's value, once an operation is done, in the operation's place."""

    def told(item: Any) -> Any:
        return with_dependencies([item], predicate) if isinstance(item, Operation) else item

    return lambda: filled(function(), told)


def _of_same_indices(graph: Graph, true: Branch, a: Any, false: Branch, b: Any) -> tuple[Any, Any]:
    """Return results in which slices have indices of one type: int64 where they differ."""
    if isinstance(a, (list, tuple)) and not hasattr(a, "_fields"):
        pairs = [_of_same_indices(graph, true, *pair) for pair in zip(a, [false] * len(a), b, strict=True)]
        return type(a)(one for one, _ in pairs), type(b)(other for _, other in pairs)
    if not isinstance(a, IndexedSlices) or a.indices.dtype == b.indices.dtype:
        return a, b
    return _wide(graph, true, a), _wide(graph, false, b)


def _wide(graph: Graph, branch: Branch, slices: IndexedSlices) -> IndexedSlices:
    outer, graph._context.branch = graph._context.branch, branch
    try:
        wide = call("Cast", lambda ids: ids.astype("int64"), (slices.indices,), dtype="int64", same=False)
        return IndexedSlices(slices.values, wide, slices.dense_shape)
    finally:
        graph._context.branch = outer


def alone(results: Any) -> Any:
    """Return what is in a list or tuple of one."""
    return results[0] if isinstance(results, (list, tuple)) and len(results) == 1 else results


def _either(a: Shape, b: Shape) -> Shape:
    """Return what is known of a tensor that has one shape or the other."""
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(size if size == other else None for size, other in zip(a, b, strict=True))


def branch(graph: Graph, function: Callable[[], Any], into: Branch | None = None) -> tuple[Branch, Any]:
    """Call a function that makes nodes in a branch, by default a new one; return the branch and the results."""
    outer = graph._context.branch
    branch = Branch(outer) if into is None else into
    graph._context.branch = branch
    try:
        with graph.control_dependencies(None):
            results = function()
            return branch, filled(results, lambda item: item if isinstance(item, Operation) else _own(item, branch))
    finally:
        graph._context.branch = outer


def _own(item: Any, branch: Branch) -> Any:
    tensor = convert(item)
    # A branch returns the value that the variable has there, not the one after the run.
    return (
        call("Identity", identical, (tensor,), shape=shape_inference.same) if tensor.op.type == "VariableV2" else tensor
    )


def filled(structure: Any, fill: Callable[[Any], Any]) -> Any:
    """Return a nest with ``fill(item)`` in the places of its nodes and operations; None stays None."""
    if isinstance(structure, (list, tuple)):
        items = [filled(item, fill) for item in structure]
        return type(structure)(*items) if hasattr(structure, "_fields") else type(structure)(items)
    if isinstance(structure, dict):
        return remade(structure, lambda item: filled(item, fill))
    if is_composite(structure):
        return with_parts(structure, [filled(part, fill) for part in _nodes_of(structure)])
    if isinstance(structure, TensorArray):
        return structure.with_flow(fill(structure.flow))
    return None if structure is None else fill(structure)


def _nodes_of(composite: Any) -> list[Any]:
    """Return the parts of slices or of a sparse tensor; a shape that is a tuple becomes a constant."""
    return [part if isinstance(part, Node) else convert(part) for part in parts_of(composite)]


def _shape_of(structure: Any, typed: bool = True) -> Any:
    """Return a nest that is equal for results of one structure, if ``typed`` of the same sequences."""
    if isinstance(structure, (list, tuple)):
        return typed and type(structure).__name__, [_shape_of(item, typed) for item in structure]
    if isinstance(structure, dict):
        return {key: _shape_of(item, typed) for key, item in structure.items()}
    if is_composite(structure):
        return type(structure).__name__, len(parts_of(structure))
    if isinstance(structure, TensorArray):
        return type(structure).__name__, structure.dtype
    return None if structure is None else isinstance(structure, Operation)


def _flat(structure: Any) -> list[Any]:
    items: list[Any] = []

    def noted(item: Any) -> Any:
        items.append(item)
        return item

    filled(structure, noted)
    return items
