"""The tape of graph mode: nodes remember what they are made from, so a tape notes which of them it recorded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any

from ...base.arrays import to_flag
from ..graph.body_errors import BodyRuntimeError
from ..graph.branches import branches_of
from ..graph.graph import get_default_graph
from ..graph.nests import flatten, pack_sequence_as
from ..graph.node import Node, Operation, Tensor, next_operation_number
from ..ops.creation_ops import ones_like
from ..variables.handles import variable_of
from ..variables.variables import Variable
from .composite_gradients import get_flat_tensors_for_gradients, replace_flat_tensors_for_gradients
from .gradients import gradients
from .jacobians import batch_jacobian, jacobians

__all__ = ["GraphTape", "read_variables"]


class GraphTape:
    """What `GradientTape` does in graph mode in its own way: which operations it recorded, and gradients as nodes.

    An operation is recorded that is made while the tape records, from what is watched by then, from a trainable
    variable, or from what a recorded operation made. Gradients flow through no others.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = to_flag("GradientTape", "persistent", persistent)
        self._watches_accessed = to_flag("GradientTape", "watch_accessed_variables", watch_accessed_variables)
        self._active = False
        self._graph: Any = None
        self._start()

    def _start(self) -> None:
        self._watched: dict[Any, int] = {}  # since which number of an operation
        self._intervals: list[tuple[int, float]] = []  # numbers of operations; the last one may be open
        self._used = False

    def __enter__(self) -> GraphTape:
        if self._active:
            raise ValueError("Tape is already recording.")
        self._graph = self._graph or get_default_graph()
        self._resume()
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pause()

    def _resume(self) -> None:
        self._intervals.append((next_operation_number(), math.inf))
        self._active = True

    def _pause(self) -> None:
        if self._active:
            self._intervals[-1] = (self._intervals[-1][0], next_operation_number())
        self._active = False

    def watch(self, tensor: Any) -> None:
        """Follow a node, or each of a list, from now on. Raises ValueError for what is no node."""
        for item in get_flat_tensors_for_gradients(flatten(tensor)):
            if not isinstance(item, Node):
                raise ValueError(
                    f"Passed in object {item!r:.60} of type {type(item).__name__!r}, not tf.Tensor or tf.Variable"
                )
            self._watched.setdefault(variable_of(item), next_operation_number())

    def watched_variables(self) -> tuple[Variable, ...]:
        """Return the variables that are watched, those that recorded operations read included, in their order."""
        found = {source for source in self._watched if isinstance(source, Variable)}
        if self._watches_accessed and self._graph is not None:
            recorded = filter(self._recorded, self._graph.get_operations())
            read = (tensor.op for op in recorded for tensor in op.operands if tensor.op.type == "VariableV2")
            found |= {op.get_attr("owner") for op in read if op.get_attr("owner").trainable}
        return tuple(sorted(found, key=lambda variable: int(variable.op.number)))

    def _recorded(self, op: Operation) -> bool:
        return any(first <= op.number < last for first, last in self._intervals)

    def _is_followed(self, tensor: Tensor, by: float) -> bool:
        """Tell whether a tensor is watched when an operation of a number is made, or is a variable's that is read."""
        if tensor.op.type != "VariableV2":
            return self._watched.get(tensor, math.inf) <= by
        variable = tensor.op.get_attr("owner")
        return (self._watches_accessed and variable.trainable) or self._watched.get(variable, math.inf) <= by

    def _parts(self, targets: Iterable[Tensor]) -> tuple[set[Tensor], list[Tensor]]:
        """Return the tensors behind the targets that the tape made note of, and those that count as constants.

        Operations of branches, which take what their loop hands them, count as recorded when made in time.
        """
        behind: set[Operation] = set()
        pending = [tensor.op for tensor in targets]
        while pending:
            op = pending.pop()
            if op not in behind:
                behind.add(op)
                within = (item for branch in branches_of(op) for item in branch.results)
                pending += [tensor.op for tensor in (*op.operands, *within)] if self._recorded(op) else ()
        known: set[Tensor] = set()
        stops: list[Tensor] = []
        for op in sorted(behind, key=lambda op: op.number):
            taken = op.branch is not None or bool(branches_of(op))
            if self._recorded(op) and (
                taken or any(tensor in known or self._is_followed(tensor, op.number) for tensor in op.operands)
            ):
                known.update(op.outputs)
            elif op.operands:
                stops += op.outputs
        return known, stops

    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None, unconnected_gradients: Any = "none"
    ) -> Any:
        """Return the gradients of the target as nodes, in the structure of ``sources``."""
        unconnected, given = self._asked(sources, unconnected_gradients)
        flat = get_flat_tensors_for_gradients(given)
        targets = get_flat_tensors_for_gradients(flatten(target))
        known, stops = self._parts(each._tensor() for each in targets)
        if output_gradients is not None:
            arriving = get_flat_tensors_for_gradients(flatten(output_gradients))
        else:  # ones also at complex targets, which `tf.gradients` refuses
            arriving = [ones_like(each) if each.dtype.is_complex else None for each in targets]
        results = gradients(targets, flat, arriving, stop_gradients=stops, unconnected_gradients=unconnected)
        followed = self._followed(flat, results, unconnected, known)
        return pack_sequence_as(sources, replace_flat_tensors_for_gradients(given, followed))

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = "none",
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Return the derivatives of each element of the target as nodes: shape ``(*target.shape, *source.shape)``.

        ``parallel_iterations`` and ``experimental_use_pfor`` are accepted for TensorFlow's sake.
        """
        del parallel_iterations, experimental_use_pfor
        unconnected, flat = self._asked(sources, unconnected_gradients)
        known, stops = self._parts([target._tensor()])
        results = jacobians(target, flat, unconnected, stops)
        return pack_sequence_as(sources, self._followed(flat, results, unconnected, known))

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = "none",
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Return for each row b the derivative of ``target[b]`` by ``source[b]`` as a node, where rows do not mix."""
        del experimental_use_pfor
        unconnected, flat = self._asked(source, unconnected_gradients)
        for shape in (target.get_shape(), source.get_shape()):
            if shape.ndims is not None and shape.ndims < 2:
                raise ValueError(f"Shape {shape} must have rank at least 2")
        columns = target.get_shape()[1:].num_elements()
        in_parts = parallel_iterations is not None and (columns is None or columns > parallel_iterations)
        if in_parts and not self._persistent:
            raise BodyRuntimeError(
                "GradientTape must be created with persistent=True to compute the batch_jacobian with "
                "parallel_iterations."
            )
        known, stops = self._parts([target._tensor()])
        return self._followed(flat, [batch_jacobian(target, source, unconnected, stops)], unconnected, known)[0]

    def _asked(self, sources: Any, unconnected_gradients: Any) -> tuple[str, list[Any]]:
        """Use the tape; return what stands for gradients without a path, and the sources in a list."""
        unconnected = getattr(unconnected_gradients, "value", unconnected_gradients)
        if unconnected not in ("none", "zero"):
            raise ValueError(f"Unknown value for unconnected_gradients: {unconnected_gradients!r}")
        if self._used and not self._persistent:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients: "
                "GradientTape.gradient can only be called once on non-persistent tapes."
            )
        self._used = True
        if not self._persistent:
            self._pause()
        return unconnected, flatten(sources)

    def _followed(self, flat: list[Any], results: Sequence[Any], unconnected: str, known: set[Tensor]) -> list[Any]:
        """Return the results with None for sources that the tape does not know."""
        if unconnected == "zero":
            return list(results)
        tensors = [source._tensor() for source in flat]
        follows = [tensor in known or self._is_followed(tensor, math.inf) for tensor in tensors]
        return [gradient if found else None for gradient, found in zip(results, follows, strict=True)]


def read_variables(value: Any, behind: Iterable[Operation] = ()) -> list[Variable]:
    """Return the trainable variables that nodes are computed from, in the order of their creation.

    What operations in ``behind`` are computed from is left out.
    """
    variables: dict[Operation, Variable] = {}
    seen: set[Operation] = set(behind)
    stack = [item.op for item in (value if isinstance(value, (list, tuple)) else [value])]
    while stack:
        op = stack.pop()
        if op in seen:
            continue
        seen.add(op)
        if op.type == "VariableV2":
            variables[op] = op.get_attr("owner")
        stack.extend(tensor.op for tensor in op.operands)
        stack.extend(item.op for branch in branches_of(op) for item in branch.results)
    return [variables[op] for op in sorted(variables, key=lambda op: op.number) if variables[op].trainable]
