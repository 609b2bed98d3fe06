"""Collections of the default graph: the core's functions."""

from __future__ import annotations

from ...variables import collections as _keys
from .mode import in_graph_store

__all__ = [
    "GraphKeys",
    "add_to_collection",
    "add_to_collections",
    "get_collection",
    "get_collection_ref",
    "global_variables",
    "moving_average_variables",
    "trainable_variables",
]

GraphKeys = _keys.GraphKeys
add_to_collection = in_graph_store(_keys.add_to_collection)
add_to_collections = in_graph_store(_keys.add_to_collections)
get_collection = in_graph_store(_keys.get_collection)
get_collection_ref = in_graph_store(_keys.get_collection_ref)
global_variables = in_graph_store(_keys.global_variables)
trainable_variables = in_graph_store(_keys.trainable_variables)


def moving_average_variables(scope: str | None = None) -> list[object]:
    """Return the variables that an ``ExponentialMovingAverage`` follows."""
    variables: list[object] = get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)
    return variables
