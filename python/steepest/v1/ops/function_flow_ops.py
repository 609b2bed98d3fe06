"""Branches and loops whose parts are functions of graphs: ``functional_ops.If``, ``While`` and ``For``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.build import call, convert
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from .array_ops import each_identical, identical
from .control_flow_ops import cond as branch
from .loop_ops import while_loop
from .sparse_ops import convert_to_tensor

__all__ = ["For", "If", "While", "as_one_operation", "to_bool"]


def If(
    cond: Any,
    inputs: Sequence[Any],
    then_branch: Callable[..., Any],
    else_branch: Callable[..., Any],
    name: str | None = None,
) -> Any:
    """Return the results of ``then_branch(*inputs)`` where ``cond`` is true, else those of ``else_branch``, in a list.

    A number is true where it is not 0, a string where it is not empty. Source: ``functional_ops.If``.
    """

    def made() -> Any:
        given = [convert_to_tensor(value) for value in inputs]
        return branch(
            _truth(convert_to_tensor(cond)),
            lambda: _listed(then_branch(*given)),
            lambda: _listed(else_branch(*given)),
            strict=True,
        )

    return as_one_operation("If", name, made)


def While(
    input_: Sequence[Any],
    cond: Callable[..., Any],
    body: Callable[..., Any],
    name: str | None = None,
    hostmem: Any = None,
) -> list[Any]:
    """Return what ``input_`` becomes by ``input_ = body(*input_)`` while ``cond(*input_)`` is true, in a list.

    ``hostmem`` is accepted for TensorFlow's sake.

    Raises:
        InvalidArgumentError: for a condition of several values, or a body of another number of them than there are.

    Source: ``functional_ops.While``.
    """
    del hostmem

    def goes_on(*values: Any) -> Any:
        answers = _listed(cond(*values))
        if len(answers) != 1:
            raise InvalidArgumentError(
                None, None, f"Expected a single scalar for the condition, got {len(answers)} tensors."
            )
        return _truth(answers[0])

    def round_(*values: Any) -> Any:
        results = _listed(body(*values))
        if len(results) != len(values):
            said = f"While loop body returned {len(results)} arguments. Expected: {len(values)}"
            raise InvalidArgumentError(None, None, said)
        return results

    given = [convert_to_tensor(value) for value in input_]
    return as_one_operation("While", name, lambda: while_loop(goes_on, round_, given, return_same_structure=True))


def For(
    start: Any,
    limit: Any,
    delta: Any,
    inputs: Sequence[Any],
    body: Callable[..., Any],
    name: str | None = None,
    hostmem: Any = None,
    rewrite_with_while: Any = None,
) -> list[Any]:
    """Return what ``inputs`` become by ``inputs = body(i, *inputs)`` for ``i`` from ``start`` to below ``limit``.

    Steps of ``delta`` may go down. ``hostmem`` and ``rewrite_with_while`` are accepted for TensorFlow's sake.

    Raises:
        InvalidArgumentError: for a body of another number of results than there are inputs, and for bounds that are no
            numbers, or that the steps do not lead to.

    Source: ``functional_ops.For``.
    """
    del hostmem
    begin, end, step = (convert_to_tensor(value, "int32") for value in (start, limit, delta))
    for which, bound in (("start", begin), ("limit", end), ("delta", step)):
        if bound.shape.ndims:
            raise InvalidArgumentError(None, None, f"{which} must be a scalar, got shape {bound.shape}")
    known: list[Any] = [None if executing_eagerly() else constant_value(bound) for bound in (begin, end, step)]
    if all(number is not None for number in known):
        first, last, by = (int(number) for number in known)
        if not by or (last - first) * by < 0:
            raise InvalidArgumentError(None, None, f"Invalid start/limit/delta: {first} {last} {by}")

    def round_(number: Any, *values: Any) -> Any:
        results = _listed(body(number, *values))
        if len(results) != len(values):
            said = f"For loop body returned {len(results)} arguments. Expected: {len(values)}"
            raise InvalidArgumentError(None, None, said)
        return [number + step, *results]

    given = [convert_to_tensor(value) for value in inputs]

    def made() -> Any:
        # Upwards until the limit is reached, downwards likewise: the sign of the step turns the comparison.
        loop = while_loop(
            lambda number, *_: (end - number) * step > 0, round_, [begin, *given], return_same_structure=True
        )
        return loop[1:]

    return as_one_operation("While" if rewrite_with_while else "For", name, made)


def as_one_operation(op_type: str, name: str | None, make: Callable[[], Any]) -> list[Any]:
    """Return what ``make`` returns, in a list, as the results of an operation with a name, below which it makes others.

    So a program can fetch them by the name. Where nothing has state its type begins with ``Stateless``.
    """
    if executing_eagerly():
        return list(make())
    graph = get_default_graph()
    full, before = graph._operation_name(name, op_type), graph.version
    with name_scope(f"{full}/"):
        tensors = [convert(each) for each in make()]
    made = graph.get_operations()[before:]
    state = op_type == "For" or any(tensor.op.type == "VariableV2" for op in made for tensor in op.operands)
    results = [(tensor.dtype.base_dtype, tensor._shape) for tensor in tensors]
    identities = None if not tensors else identical if len(tensors) == 1 else each_identical
    kind = op_type if state else f"Stateless{op_type}"
    operation = Operation(graph, kind, full, identities, tensors, results)
    if not tensors:
        operation._add_control_inputs(made[-1:])
    return list(operation.outputs)


def _listed(results: Any) -> list[Any]:
    if results is None or isinstance(results, Operation):
        return []
    return list(results) if isinstance(results, (list, tuple)) else [results]


def _truth(value: Any) -> Any:
    return value if value.dtype.base_dtype == "bool" and value.shape.ndims == 0 else to_bool(value)


def to_bool(input: Any, name: str | None = None) -> Any:
    """Return whether a number is not 0, a string not empty, or whether a tensor of some rank has elements."""

    def told(x: Any) -> Any:
        x = array_of(x)
        return np.asarray(x.size > 0 if x.ndim else bool(x.item()))

    return call("ToBool", told, (input,), name=name, shape=(), dtype="bool", same=False, differentiable=False)
