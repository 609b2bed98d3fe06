"""Nodes whose values are serialized summaries, and their merging."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...variables.collections import GraphKeys
from ..graph.build import call, dtype_of
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.scopes import name_scope
from .op_util import summary_scope
from .values import joined

__all__ = ["merge", "merge_all", "merged", "merged_once", "named_summary", "summary_node"]


def named_summary(
    op_type: str, name: Any, inputs: Iterable[Any], value: Callable[..., bytes], collections: Any, family: str | None
) -> Any:
    """Return the node of a summary whose tag is the name of its scope, and put it into its collections."""
    with summary_scope(name, family) as (tag, scope):
        return summary_node(op_type, scope or None, inputs, lambda *values: value(tag, *values), collections)


def summary_node(
    op_type: str, name: str | None, inputs: Iterable[Any], run: Callable[..., bytes], collections: Any
) -> Any:
    def as_array(*values: Any) -> Any:
        return np.array(run(*values), object)

    node = call(op_type, as_array, list(inputs), name=name, shape=(), dtype="string", same=False, differentiable=False)
    for key in [GraphKeys.SUMMARIES] if collections is None else collections:
        get_default_graph().add_to_collection(key, node)
    return node


def _refuse_eager() -> None:
    if executing_eagerly():
        raise RuntimeError(
            "Merging tf.summary.* ops is not compatible with eager execution. Use tf.contrib.summary instead."
        )


def merge(inputs: Any, collections: Any = None, name: str | None = None) -> Any:
    """Return one summary of several. A tag that comes twice is an InvalidArgumentError of the run.

    Raises RuntimeError in eager mode, ValueError where there are none, TypeError for what is no summary.
    """
    _refuse_eager()
    return merged(inputs, collections, name, "Merge")


def merged(inputs: Any, collections: Any, name: str | None, scope: str) -> Any:
    """Return one summary of several, in a scope that is called so where nothing else is said."""
    if not inputs:
        raise ValueError("List argument 'inputs' to 'MergeSummary' Op with length 0 shorter than minimum length 1.")
    types = [dtype_of(each).name for each in inputs]
    if set(types) - {"string"}:
        said = f"have types [{', '.join(types)}] that do not match expected type string."
        raise TypeError(f"Tensors in list passed to 'inputs' of 'MergeSummary' Op {said}")
    with name_scope(name, scope, inputs):
        return summary_node(
            "MergeSummary", name or "MergeSummary", inputs, joined, [] if collections is None else collections
        )


def merge_all(key: str = GraphKeys.SUMMARIES, scope: str | None = None, name: str | None = None) -> Any:
    """Return one summary of all in a collection, None where there are none. RuntimeError in eager mode."""
    _refuse_eager()
    found = get_default_graph().get_collection(key, scope)
    return merge(found, name=name) if found else None


def merged_once() -> Any:
    """Return the merged summaries of the graph, which are made once, None where there are none."""
    graph = get_default_graph()
    if not graph.get_collection(GraphKeys.SUMMARY_OP) and (every := merge_all()) is not None:
        graph.add_to_collection(GraphKeys.SUMMARY_OP, every)
    return next(iter(graph.get_collection(GraphKeys.SUMMARY_OP)), None)
