"""Functions of eager mode that are made of saved graphs."""

from __future__ import annotations

from typing import Any

from ..functions.wrapped_functions import WrappedFunction, wrap_function
from .graph_defs import import_graph_def

__all__ = ["function_from_graph_def"]


def function_from_graph_def(graph_def: Any, inputs: Any, outputs: Any) -> WrappedFunction:
    """Return the function from some tensors of a saved graph, by their names, to others. In eager mode alone."""
    wrapped: WrappedFunction = wrap_function(lambda: import_graph_def(graph_def, name=""), [])
    return wrapped.prune(inputs, outputs)
