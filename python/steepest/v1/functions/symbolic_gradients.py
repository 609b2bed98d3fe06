"""``functional_ops.symbolic_gradient``: gradients of a function that is called in a graph, by its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from ..autodiff.gradients import gradients
from ..graph.build import call, convert
from ..graph.errors import NotFoundError
from ..graph.graph import get_default_graph
from ..ops.array_ops import identity
from ..ops.creation_ops import zeros_like
from .defined_functions import _DefinedFunction

__all__ = ["symbolic_gradient"]


def symbolic_gradient(input: Sequence[Any], Tout: Sequence[Any], f: Any, name: str | None = None) -> list[Any]:
    """Return the gradients of a function's arguments, zeros of those that it does not depend on.

    Args:
        input: the arguments, and after them the gradients of the results.
        Tout: the types of the arguments.
        f: the function, or the name under which it is called in this graph.

    The run raises NotFoundError where the graph has no function of the name.
    """
    tensors = [convert(value) for value in input]
    arguments, arriving = tensors[: len(Tout)], tensors[len(Tout) :]
    called = get_default_graph()._functions
    function = (
        f if isinstance(f, _DefinedFunction) else next((each for key, each in called.items() if key[0] == f), None)
    )
    if function is None:
        return list(_unknown(f, tensors, Tout, name))
    with get_default_graph().name_scope(name or "SymbolicGradient"):
        results = function(*arguments)
        found = gradients(list(results) if isinstance(results, tuple) else [results], arguments, arriving)
        return [
            zeros_like(tensor) if gradient is None else identity(gradient)
            for gradient, tensor in zip(found, arguments, strict=True)
        ]


def _unknown(name: Any, tensors: Sequence[Any], types: Sequence[Any], op_name: str | None) -> Any:
    def fail(*values: Any) -> NoReturn:
        raise NotFoundError(None, None, f"Function {name} is not defined.")

    def shapes(*sizes: Any) -> Any:
        return list(sizes[: len(types)])

    return call(
        "SymbolicGradient", fail, tensors, name=op_name, shape=shapes, dtype=types, outputs=len(types), same=False
    )
