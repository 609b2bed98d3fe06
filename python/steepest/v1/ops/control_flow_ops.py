"""Operations that order others: groups, control dependencies, and the choice between two branches."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from ...ops.indexed_slices import IndexedSlices
from ..graph import shape_inference
from ..graph.branches import Branch, check_ways, has_state, taken_from_outside, wait_outside
from ..graph.build import call, convert
from ..graph.composites import is_composite, with_values
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation, Tensor
from ..graph.same_graph import _get_graph_from_inputs
from ..graph.shapes import Shape, text
from .array_ops import identical, identity
from .branch_results import alike, alone, check_slices, filled, flat_results

__all__ = ["branch", "choice", "cond", "group", "no_op", "tuple_", "with_dependencies"]


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

    Raises TypeError for a Python bool as ``pred``, functions that cannot be called or are given twice;
    UnlikeResultsError, a TypeError and a ValueError, when the two return different structures or types. Source:
    ``tf.cond``.
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
    return choice(pred, true_fn, false_fn, strict, "cond" if name is None else name)


def choice(
    pred: Any,
    true_fn: Callable[[], Any],
    false_fn: Callable[[], Any],
    strict: bool,
    name: str,
    ways: tuple[str, str] = ("true_fn", "false_fn"),
    second: bool = False,
) -> Any:
    """Return what `cond` does in a graph.

    Args:
        ways: what errors call the branches.
        second: the operation has the name of the scope and the type ``If``, and each result is an ``Identity`` of it,
            as TensorFlow's second kind of control flow has them.
    """
    graph = get_default_graph()
    with graph.name_scope(name) as scope:
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
        check_slices(true_results, false_results)
        if not strict:
            true_results, false_results = alone(true_results), alone(false_results)
        true_results, false_results = alike(graph, true, true_results, false, false_results)
        true.results, false.results = flat_results(true_results), flat_results(false_results)
        true.name, false.name = ways
        made = graph.get_operations()[before:]
        check_ways(graph, made, true, false, scope)
        taken = taken_from_outside(graph, before, true, false)
        results = [
            (a.dtype.base_dtype, _either(a._shape, b._shape))
            for a, b in zip(true.results, false.results, strict=True)
            if isinstance(a, Tensor)
        ]
        kind = ("If" if has_state(made) else "StatelessIf") if second else "Cond"
        operation = Operation(
            graph,
            kind,
            scope.rstrip("/") if second else graph.unique_name("Merge"),
            None,
            [predicate, *(tensor for tensor in taken if tensor.op.type != "VariableV2")],
            results,
            writes=any(op.writes for op in made),
            attributes={"branches": (true, false)},
        )
        wait_outside(operation, made)
        outputs = iter(map(identity, operation.outputs) if second else operation.outputs)
        return filled(true_results, lambda item: next(outputs) if isinstance(item, Tensor) else operation)


def _telling(function: Callable[[], Any], predicate: Tensor) -> Callable[[], Any]:
    """Return a branch that has the predicate's value, once an operation is done, in the operation's place."""

    def told(item: Any) -> Any:
        return with_dependencies([item], predicate) if isinstance(item, Operation) else item

    return lambda: filled(function(), told)


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
