"""``while_loop``: a part of the graph that runs as long as another part says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.branches import NO_LIMIT, Branch, has_state, taken_from_outside, wait_outside
from ..graph.build import convert
from ..graph.composites import is_composite, parts_of, with_parts
from ..graph.graph import Graph, get_default_graph
from ..graph.mappings import remade
from ..graph.mode import executing_eagerly
from ..graph.nests import assert_same_structure
from ..graph.node import Operation, Tensor
from ..graph.shapes import Shape, text
from .array_ops import identity
from .control_flow_ops import branch
from .loop_shapes import invariants_of, results_checked
from .sparse_ops import convert_to_tensor
from .tensor_array_ops import TensorArray

__all__ = ["while_loop"]


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """Return what ``loop_vars`` become by ``loop_vars = body(*loop_vars)`` while ``cond(*loop_vars)`` is true.

    Args:
        cond, body: functions of as many arguments as there are loop variables; they are called once, to make nodes.
        loop_vars: a list or tuple of tensors, values, `TensorArray`s, slices and nests of them.
        shape_invariants: the shapes that hold in all rounds, in the same structure, where they may change.
        back_prop: gradients flow through the loop.
        maximum_iterations: how many rounds there are at most.
        return_same_structure: a list or tuple of one is returned as that, and not as what is in it.
        parallel_iterations, swap_memory: accepted for TensorFlow's sake.

    Raises:
        TypeError: for functions that cannot be called, and where ``body`` changes a type.
        ValueError: where ``body`` returns another structure, or a shape changes that is not said to.

    Source: ``tf.while_loop``.
    """
    del swap_memory
    results = loop_of(cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, name, maximum_iterations)
    # Without a limit TensorFlow counts tensors, with one it counts the loop variables.
    count = len(leaves(results)) if maximum_iterations is None and not executing_eagerly() else len(results)
    return results[0] if count == 1 and not return_same_structure else results


def loop_of(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any,
    parallel_iterations: int,
    back_prop: bool,
    name: str | None,
    maximum_iterations: Any,
    second: bool = False,
) -> Any:
    """Return what `while_loop` does, a list or tuple of one as that.

    ``second``: the operation has the name of the scope and the type ``While``, and each result is an ``Identity`` of
    it, as TensorFlow's second kind of control flow has them.
    """
    if not callable(cond):
        raise TypeError("'cond' must be callable.")
    if not callable(body):
        raise TypeError("'body' must be callable.")
    if parallel_iterations < 1:
        raise TypeError("'parallel_iterations' must be a positive integer.")
    variables = list(loop_vars) if isinstance(loop_vars, (list, tuple)) else [loop_vars]
    if not variables:
        raise ValueError("'loop_vars' must be provided.")
    if executing_eagerly():
        return _eagerly(cond, body, variables, maximum_iterations)
    name = "while" if name is None else name
    return _as_node(cond, body, variables, shape_invariants, back_prop, maximum_iterations, name, second)


def _eagerly(cond: Callable[..., Any], body: Callable[..., Any], variables: list[Any], maximum_iterations: Any) -> Any:
    rounds_left = -1 if maximum_iterations is None else max(int(maximum_iterations), 0)
    while rounds_left and bool(cond(*variables)):
        variables = _as_many(body(*variables), variables)
        rounds_left -= 1
    return _as_tensors(variables)


def _as_tensors(value: Any) -> Any:
    """Return a nest of eager values with tensors in the places of numbers and arrays."""
    if isinstance(value, (list, tuple)):
        items = [_as_tensors(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, dict):
        return {key: _as_tensors(item) for key, item in value.items()}
    as_it_is = is_composite(value) or isinstance(value, TensorArray)
    return value if as_it_is else convert_to_tensor(value)


def _as_many(results: Any, variables: Sequence[Any]) -> Any:
    """Return what a body returned as a list or tuple of as many as there are loop variables."""
    sequence = isinstance(results, (list, tuple))
    if len(variables) == 1 and not (sequence and len(results) == 1):
        return [results]
    found = results if sequence else [results]
    if len(found) != len(variables):
        assert_same_structure(list(variables), list(found), False)
    return found


def _as_node(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    variables: list[Any],
    shape_invariants: Any,
    back_prop: bool,
    maximum_iterations: Any,
    name: str,
    second: bool,
) -> Any:
    graph = get_default_graph()
    with graph.name_scope(name) as scope:
        count = np.int32(NO_LIMIT) if maximum_iterations is None else maximum_iterations
        limit = convert(count, name="maximum_iterations")
        if limit._shape:
            raise ValueError(f"maximum_iterations must be a scalar, saw shape: {text(limit._shape)}")
        initial = [_read(leaf) for leaf in leaves(variables)]
        invariants = invariants_of(shape_invariants, variables, initial)
        before = graph.version
        loop = object()
        test = Branch(graph._context.branch, loop)
        entry = "Placeholder" if second else "Identity"
        entries = _entries(graph, test, initial, invariants, entry)
        test, answer = branch(graph, lambda: cond(*rebuilt(variables, entries)), test)
        if not isinstance(answer, Tensor) or not answer.dtype.is_bool or answer._shape:
            raise TypeError(f"cond must return a boolean scalar, got {answer!r:.80}")
        test.results = [answer]
        round_ = Branch(graph._context.branch, loop)
        round_entries = _entries(graph, round_, initial, invariants, entry)
        packed: list[Any] = []
        inputs = rebuilt(variables, round_entries)
        round_, round_.results = branch(graph, lambda: _body_results(body, inputs, variables, packed), round_)
        checks = results_checked(initial, round_.results, invariants)
        taken = taken_from_outside(graph, before, test, round_)
        for tensor in (*test.entries, *round_.entries):
            tensor.op._attributes["given"] = [*initial, *taken]
        made = graph.get_operations()[before:]
        operation = Operation(
            graph,
            "StatelessWhile" if second and not has_state(made) else "While",
            scope.rstrip("/") if second else graph.unique_name("Exit"),
            None,
            [limit, *initial, *(tensor for tensor in taken if tensor.op.type != "VariableV2")],
            [(tensor.dtype.base_dtype, shape) for tensor, shape in zip(initial, invariants, strict=True)],
            writes=any(op.writes for op in made),
            differentiable=back_prop,
            attributes={"branches": (test, round_), "checks": checks},
        )
        wait_outside(operation, made)
        for op in made:
            graph.prevent_fetching(op)
        outputs = operation.outputs if not second else _identities(operation.outputs)
        return rebuilt(packed[0], outputs)


def _identities(outputs: Sequence[Tensor]) -> list[Tensor]:
    """Return results with TensorFlow's names for them: there a counter and the limit are the first two."""
    return [identity(output, name=f"Identity_{k}") for k, output in enumerate(outputs, 2)]


def _read(leaf: Any) -> Tensor:
    tensor = convert(leaf)
    # The loop begins with the value that the variable has now, not with the one that it gets in the loop.
    return tensor if tensor.op.type != "VariableV2" else identity(tensor)


def _entries(
    graph: Graph, inside: Branch, initial: Sequence[Tensor], shapes: Sequence[Shape], name: str
) -> list[Tensor]:
    """Return the tensors that stand for a round's values."""
    outer, graph._context.branch = graph._context.branch, inside
    try:
        with graph.control_dependencies(None):
            for tensor, shape in zip(initial, shapes, strict=True):
                result = [(tensor.dtype.base_dtype, shape)]
                op = Operation(graph, "LoopInput", graph.unique_name(name), None, (), result)
                op._attributes["given"] = list(initial)
                inside.entries += op.outputs
    finally:
        graph._context.branch = outer
    return list(inside.entries)


def _body_results(
    body: Callable[..., Any], entries: list[Any], variables: list[Any], packed: list[Any]
) -> list[Tensor]:
    """Return the tensors that a round makes, and put the nest in which they came at the end of ``packed``."""
    results = _as_many(body(*entries), variables)
    packed.append(results)
    if _structure(results) != _structure(variables):
        assert_same_structure(list(variables), list(results), False, True)
        raise ValueError(f"body must return the structure of loop_vars, got {results!r:.80} for {variables!r:.80}")
    made, graph = [convert(leaf) for leaf in leaves(results)], get_default_graph()
    for tensor in made:
        graph._context.check_loops(f"{graph.get_name_scope()}/NextIteration", tensor.op)
    return made


def leaves(structure: Any) -> list[Any]:
    """Return the tensors and values in a nest, in order; of a `TensorArray` its flow."""
    if isinstance(structure, (list, tuple)):
        return [leaf for item in structure for leaf in leaves(item)]
    if isinstance(structure, dict):
        return [leaf for _, item in sorted(structure.items()) for leaf in leaves(item)]
    if is_composite(structure):
        return parts_of(structure)
    return [structure.flow if isinstance(structure, TensorArray) else structure]


def rebuilt(structure: Any, values: Sequence[Any], shaped: bool = False) -> Any:
    """Return a nest with other tensors in it, in the order of `leaves`: ``shaped``, as `with_parts` has it."""
    remaining = iter(values)

    def build(item: Any) -> Any:
        if isinstance(item, (list, tuple)):
            parts = [build(part) for part in item]
            return type(item)(*parts) if hasattr(item, "_fields") else type(item)(parts)
        if isinstance(item, dict):
            return remade(item, build)
        if is_composite(item):
            return with_parts(item, [next(remaining) for _ in parts_of(item)], shaped)
        value = next(remaining)
        return item.with_flow(value) if isinstance(item, TensorArray) else value

    return build(structure)


def _structure(value: Any) -> Any:
    """Return a nest that is equal for values of one structure; lists and tuples count as the same."""
    if isinstance(value, (list, tuple)):
        return [_structure(item) for item in value]
    if isinstance(value, dict):
        return {key: _structure(item) for key, item in value.items()}
    return type(value).__name__ if is_composite(value) or isinstance(value, TensorArray) else None
