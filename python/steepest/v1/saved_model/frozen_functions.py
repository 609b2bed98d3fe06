"""TensorFlow's ``convert_to_constants``: functions and graphs with the values of their variables in place of these."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..functions.concrete_functions import ConcreteFunction
from ..functions.graph_functions import NotForFilesError
from ..graph.constants import constant
from ..graph.graph_def import GraphDef
from ..graph.mode import executing_eagerly
from ..graph_util import convert_variables_to_constants
from ..saving.graph_writing import names_in
from .saved_functions import concrete_described, concrete_made

__all__ = ["convert_variables_to_constants_from_session_graph", "convert_variables_to_constants_v2"]


def convert_variables_to_constants_from_session_graph(
    session: Any,
    graph_def: GraphDef,
    output_node_names: Iterable[str],
    variable_names_allowlist: Any = None,
    variable_names_denylist: Any = None,
) -> GraphDef:
    """Do what ``tf.graph_util.convert_variables_to_constants`` does, under the names of TensorFlow 2."""
    return convert_variables_to_constants(
        session, graph_def, output_node_names, variable_names_allowlist, variable_names_denylist
    )


def convert_variables_to_constants_v2(
    func: ConcreteFunction, lower_control_flow: bool = True, aggressive_inlining: bool = False
) -> ConcreteFunction:
    """Return a function with constants in place of the variables that it takes from outside: their values of now.

    Args:
        func: a function of arguments of given types, in eager mode.
        lower_control_flow, aggressive_inlining: accepted.

    Raises ValueError for a function that changes a variable, or is not in eager mode, and for one of which a file could
    not hold all (docs/graphs.md).

    Source: ``tensorflow/python/framework/convert_to_constants.py``.
    """
    del lower_control_flow, aggressive_inlining
    if not executing_eagerly():
        raise ValueError(
            "convert_variables_to_constants_v2: the function must be one of eager mode, got one of a graph"
        )
    values: list[Any] = []

    def kept(value: Any) -> int:
        values.append(constant(value.numpy(), value.dtype.base_dtype) if hasattr(value, "assign") else value)
        return len(values) - 1

    try:
        content = concrete_described(func, kept)
    except NotForFilesError as error:
        raise ValueError(f"convert_variables_to_constants_v2: {error}") from error
    changed = [entry for entry in content["body"]["operations"] if _changes(entry, content)]
    if changed:
        raise ValueError(f"convert_variables_to_constants_v2: {changed[0]['name']!r} changes a variable")
    content["captures"] = [[["tensor", form[1]], number] for form, number in content["captures"]]
    return concrete_made(content, values.__getitem__, type(func))


def _changes(entry: dict[str, Any], content: dict[str, Any]) -> bool:
    """Tell whether an operation writes what a function takes from outside."""
    owned = {form[1] for form, _ in content["captures"] if form[0] == "variable"}
    _, writes, _ = entry["flags"]
    return bool(writes) and not owned.isdisjoint(names_in(entry))
