"""Differentiation of functions and of what a tape records, in both modes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from ...autodiff import functional as _functional
from ...ops.symbolic import Symbolic
from ..graph.branches import branches_of
from ..graph.build import convert
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.nests import flatten, pack_sequence_as
from ..graph.node import Node, Operation
from ..ops.creation_ops import ones_like
from ..ops.sparse_ops import convert_to_tensor
from ..variables.handles import variable_of
from ..variables.variables import Variable
from .composite_gradients import get_flat_tensors_for_gradients, replace_flat_tensors_for_gradients
from .dependence import reaches
from .eager_tape import EagerTape
from .gradients import gradients
from .jacobians import batch_jacobian, jacobians

__all__ = [
    "GradientTape",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "make_vjp",
    "value_and_gradients_function",
]


class _GraphTape:
    """`GradientTape` in graph mode: nodes remember what they were made from, so nothing need be recorded."""

    def __init__(self, persistent: bool, watch_accessed_variables: bool) -> None:
        self._persistent = persistent
        self._watches_accessed = watch_accessed_variables
        self._watched: set[Any] = set()
        self._used = False
        self._entered = False
        self._graph: Any = None
        self._first = 0

    def __enter__(self) -> _GraphTape:
        if self._entered:
            raise ValueError("Tape is already recording.")
        self._entered = True
        self._graph = get_default_graph()
        self._first = self._graph.version
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered = False

    def watch(self, tensor: Any) -> None:
        """Follow a node, or each of a list. Raises ValueError for what is no node."""
        for item in get_flat_tensors_for_gradients(flatten(tensor)):
            if not isinstance(item, Node):
                raise ValueError(
                    f"Passed in object {item!r:.60} of type {type(item).__name__!r}, not tf.Tensor or tf.Variable"
                )
            self._watched.add(variable_of(item))

    def watched_variables(self) -> tuple[Variable, ...]:
        """Return the variables that are watched, those that nodes made on the tape read included, in their order."""
        found = {source for source in self._watched if isinstance(source, Variable)}
        if self._watches_accessed and self._graph is not None:
            taken = (tensor.op for op in self._graph.get_operations()[self._first :] for tensor in op.operands)
            read = (op.get_attr("owner") for op in taken if op.type == "VariableV2")
            found |= {variable for variable in read if variable.trainable}
        return tuple(sorted(found, key=lambda variable: int(variable.op.number)))

    def _follows(self, source: Any) -> bool:
        """Tell whether a tape would know the source: it is watched, or computed from what is."""
        if source in self._watched:
            return True
        if self._watches_accessed and read_variables(source):
            return True
        return any(reaches([source._tensor()], item._tensor()) for item in self._watched)

    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None, unconnected_gradients: Any = "none"
    ) -> Any:
        """Return the gradients of the target as nodes, in the structure of ``sources``."""
        unconnected, given = self._asked(sources, unconnected_gradients)
        flat = get_flat_tensors_for_gradients(given)
        targets = get_flat_tensors_for_gradients(flatten(target))
        if output_gradients is not None:
            arriving = get_flat_tensors_for_gradients(flatten(output_gradients))
        else:  # ones also at complex targets, which `tf.gradients` refuses
            arriving = [ones_like(each) if each.dtype.is_complex else None for each in targets]
        results = gradients(targets, flat, arriving, unconnected_gradients=unconnected)
        followed = self._followed(flat, results, unconnected)
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
        results = jacobians(target, flat, unconnected)
        return pack_sequence_as(sources, self._followed(flat, results, unconnected))

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
            raise RuntimeError(
                "GradientTape must be created with persistent=True to compute the batch_jacobian with "
                "parallel_iterations."
            )
        return self._followed(flat, [batch_jacobian(target, source, unconnected)], unconnected)[0]

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
        return unconnected, flatten(sources)

    def _followed(self, flat: list[Any], results: Sequence[Any], unconnected: str) -> list[Any]:
        """Return the results with None for sources that the tape does not know."""
        return [g if self._follows(s) or unconnected == "zero" else None for g, s in zip(results, flat, strict=True)]


def GradientTape(persistent: bool = False, watch_accessed_variables: bool = True) -> Any:
    """Return a tape: `steepest.GradientTape` in eager mode, one whose gradients are nodes in graph mode."""
    if executing_eagerly():
        return EagerTape(persistent, watch_accessed_variables)
    return _GraphTape(persistent, watch_accessed_variables)


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


def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that gives f's value and ``[(gradient, variable), ...]``.

    See `steepest.implicit_value_and_gradients`; in graph mode value and gradients are nodes.
    """
    eagerly = _functional.implicit_value_and_gradients(f)

    def both(*args: Any, **kwargs: Any) -> Any:
        if executing_eagerly():
            return eagerly(*args, **kwargs)
        value = f(*args, **kwargs)
        if value is None:
            name = getattr(f, "__name__", "f")
            raise ValueError(
                f"Cannot differentiate a function that returns None; did you forget to return a value from {name}?"
            )
        variables = read_variables(value)
        if not variables:
            raise ValueError("No trainable variables were accessed while the function was being computed.")
        return value, list(zip(gradients(value, variables), variables, strict=True))

    return both


def implicit_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that gives ``[(gradient, variable), ...]``; see `implicit_value_and_gradients`."""
    both = implicit_value_and_gradients(f)
    return lambda *args, **kwargs: both(*args, **kwargs)[1]


def value_and_gradients_function(f: Callable[..., Any], params: Any = None) -> Callable[..., Any]:
    """Return a function that gives f's value and the gradients with respect to its arguments.

    See `steepest.value_and_gradients_function`; in graph mode value and gradients are nodes.
    """
    eagerly = _functional.value_and_gradients_function(f, params)

    def both(*args: Any, **kwargs: Any) -> Any:
        if executing_eagerly():
            return eagerly(*args, **kwargs)
        dy = kwargs.pop("dy", None)
        positions = _functional.positions_of("gradients_function", f, params, len(args))
        nodes = [
            value if isinstance(value, Symbolic) else convert(np.asarray(value) if np.ndim(value) else value)
            for value in args
        ]
        value = f(*nodes, **kwargs)
        return value, gradients(value, [nodes[k] for k in positions], dy)

    return both


def gradients_function(f: Callable[..., Any], params: Any = None) -> Callable[..., Any]:
    """Return a function that gives the gradients with respect to f's arguments; see `value_and_gradients_function`."""
    both = value_and_gradients_function(f, params)
    return lambda *args, **kwargs: both(*args, **kwargs)[1]


def make_vjp(f: Callable[..., Any], params: Any = None, persistent: bool = True) -> Callable[..., Any]:
    """Return a function that gives f's value, and the function ``vjp(dy)`` of the gradient that arrives there.

    In eager mode alone. Source: ``tensorflow.python.eager.backprop.make_vjp``.
    """

    def both(*args: Any) -> tuple[Any, Callable[..., Any]]:
        given = [convert_to_tensor(value) for value in args]
        sources = [given[k] for k in _functional.positions_of("make_vjp", f, params, len(args))]
        with EagerTape(persistent) as tape:
            tape.watch(sources)
            value = f(*given)
        return value, lambda dy=None: tape.gradient(value, sources, dy)

    return both
