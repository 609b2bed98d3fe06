"""Whether functions build nodes (graph mode, the default here as in TensorFlow 1) or compute at once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...ops.dispatch import set_eager_results
from .eager_operands import give_tensors_their_methods
from .graph import get_default_graph, program_graph_has_nodes, within_graph

__all__ = [
    "disable_eager_execution",
    "disable_resource_variables",
    "disable_tensor_equality",
    "disable_v2_behavior",
    "enable_eager_execution",
    "enable_resource_variables",
    "executing_eagerly",
]

_eager = False


def executing_eagerly() -> bool:
    """Tell whether functions compute at once: they do where eager execution is enabled, but within a graph."""
    return _eager and not within_graph()


def in_graph_store(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of the core work on the default graph's names and collections; in eager mode, on the core's."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if executing_eagerly():
            return function(*args, **kwargs)
        with get_default_graph()._store.as_default():
            return function(*args, **kwargs)

    return call


def enable_eager_execution(config: object = None, device_policy: object = None, execution_mode: object = None) -> None:
    """Make every function of this module compute at once, from now to the end of the program.

    The arguments are accepted for TensorFlow's sake. Raises ValueError when there are nodes already.
    """
    del config, device_policy, execution_mode
    if not _eager and program_graph_has_nodes():
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    _set_eager(True)


def disable_eager_execution() -> None:
    """Make functions build nodes, which they do unless eager execution was enabled."""
    _set_eager(False)


def _set_eager(on: bool) -> None:
    global _eager
    _eager = on
    set_eager_results(on)  # functions of the core return tensors too, which have .numpy()
    give_tensors_their_methods(on)


@contextmanager
def eager_execution_set(on: bool) -> Iterator[None]:
    """Have eager execution enabled, or not, inside ``with``: for tests, in which no other thread computes."""
    before = _eager
    _set_eager(on)
    try:
        yield
    finally:
        _set_eager(before)


def disable_v2_behavior() -> None:
    """Accept what programs for TensorFlow 2 call to have TensorFlow 1's behaviour, which is always in force here."""
    disable_eager_execution()


def disable_resource_variables() -> None:
    """Accept a choice between two kinds of variables; here there is one."""


enable_resource_variables = disable_tensor_equality = disable_resource_variables
