"""Variables beside others, as slots are: scopes name and share them as they do what ``get_variable`` makes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from ...variables.scopes import variable_scope
from .variable_slices import slice_as

__all__ = ["variable_beside"]


def variable_beside(primary: Any, name: str, new_variable: Callable[[str], Any], colocated: bool = True) -> Any:
    """Return the variable ``<scope>/<primary>/<name>``, ``..._1`` where this opening of the scope has one already.

    It is shared as ``get_variable`` shares: where the scope was opened before and had such a variable, it is the same
    under reuse; else ``new_variable(name)`` makes it. Beside a part of a variable it is a part too. Raises ValueError
    where there is one and no reuse, or none under ``reuse=True``. With ``colocated`` it is where the primary is.
    """
    graph = primary.graph
    near = graph.colocate_with(primary.op) if colocated else nullcontext()
    graph_scopes = graph._store.as_default()  # a program may ask for a slot outside of apply_gradients
    with graph_scopes, variable_scope(None, f"{primary.op.name}/{name}", auxiliary_name_scope=False) as scope:
        key = f"{scope.name}/"
        existing = graph._store.named.get(key)
        if existing is not None and not scope.reuse:
            raise ValueError(
                f"Variable {key} already exists, disallowed. "
                "Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?"
            )
        if existing is not None:
            return existing
        if scope.reuse is True:
            raise ValueError(
                f"Variable {key} does not exist, or was not created with tf.get_variable(). "
                "Did you mean to set reuse=tf.AUTO_REUSE in VarScope?"
            )
        with graph.name_scope(None), near:
            variable = new_variable(scope.name)
        slice_as(variable, primary)
        graph._store.named[key] = variable
        return variable
