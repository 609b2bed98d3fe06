"""Differentiation of functions and of what a tape records, in both modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...autodiff import functional as _functional
from ...ops.symbolic import Symbolic
from ..graph.build import convert
from ..graph.mode import executing_eagerly
from ..ops.sparse_ops import convert_to_tensor
from .eager_tape import EagerTape
from .gradients import gradients
from .graph_tape import GraphTape, read_variables

__all__ = [
    "GradientTape",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "make_vjp",
    "value_and_gradients_function",
]


class GradientTape(EagerTape):
    """Records operations for differentiation: as `steepest.GradientTape` in eager mode; in graph mode it gives nodes.

    Args:
        persistent: allow several calls of ``gradient``.
        watch_accessed_variables: watch trainable variables when they are read.

    Source: ``tf.GradientTape``.
    """

    def __new__(cls, persistent: bool = False, watch_accessed_variables: bool = True) -> GradientTape:
        if executing_eagerly():
            return super().__new__(cls)
        if cls is GradientTape:
            return super().__new__(_TapeInGraph)
        return super().__new__(type(cls.__name__, (cls, _TapeInGraph), {}))  # a program's own kind of tape


class _TapeInGraph(GraphTape, GradientTape):  # type: ignore[misc]  # which has all methods of the other in its own way
    """The tape that `GradientTape` makes in graph mode."""


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
