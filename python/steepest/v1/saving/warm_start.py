"""``tf.train.warm_start``: variables that begin with those of another program's checkpoint, by pattern."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.errors import must
from ...variables.collections import GraphKeys
from ..graph.graph import get_default_graph
from .init_from_checkpoint import init_from_checkpoint

__all__ = ["warm_start"]


def warm_start(
    ckpt_to_initialize_from: str,
    vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: Any = None,
    var_name_to_prev_var_name: Mapping[str, str] | None = None,
) -> None:
    """Let the initializers of variables give them the values of a checkpoint.

    Args:
        ckpt_to_initialize_from: a checkpoint, or a folder, whose newest is taken.
        vars_to_warm_start: a pattern for the names of trainable variables, or a list of variables, or a list of
            patterns for the names of all variables.
        var_name_to_prev_var_name: the names that variables have in the checkpoint, where they are others.
        var_name_to_vocab_info: must be None: rows are not sorted anew by vocabularies.

    Raises:
        ValueError: for a variable that the checkpoint does not have, another shape, or a name in
            ``var_name_to_prev_var_name`` that is not taken. TypeError for a list of anything else.

    Source: ``tf.train.warm_start``.
    """
    if var_name_to_vocab_info:
        rule, remedy = "be None", "sort the rows of the table in the checkpoint first"
        raise ValueError(must("warm_start", "var_name_to_vocab_info", rule, var_name_to_vocab_info, remedy))
    before = dict(var_name_to_prev_var_name or {})
    chosen = {before.pop(variable.op.name, variable.op.name): variable for variable in _chosen(vars_to_warm_start)}
    if before:
        rule = "name variables that are warm-started"
        raise ValueError(must("warm_start", "var_name_to_prev_var_name", rule, sorted(before)))
    init_from_checkpoint(ckpt_to_initialize_from, chosen)


def _chosen(wanted: Any) -> list[Any]:
    graph = get_default_graph()
    if wanted is None:
        return []
    if isinstance(wanted, str):
        return graph.get_collection(GraphKeys.TRAINABLE_VARIABLES, wanted)
    items = list(wanted)
    if all(isinstance(item, str) for item in items):
        found = [each for item in items for each in graph.get_collection(GraphKeys.GLOBAL_VARIABLES, item)]
        return list({each.op.name: each for each in found}.values())
    if not all(hasattr(item, "_initializer") for item in items):
        rule = "be a pattern, or a list of patterns or of variables"
        raise TypeError(must("warm_start", "vars_to_warm_start", rule, wanted))
    return items
