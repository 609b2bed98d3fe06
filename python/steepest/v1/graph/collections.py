"""Collections of the default graph: the core's functions."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

from ...variables import collections as _keys
from ...variables.names import get_default_store
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
global_variables = in_graph_store(_keys.global_variables)
trainable_variables = in_graph_store(_keys.trainable_variables)


# The core's take texts alone; TensorFlow's take any key of a dict.
@in_graph_store
def add_to_collection(name: Any, value: Any) -> None:
    """Append any object to the collection ``name``: a text, or another key of a dict."""
    get_default_store().collection(name).append(value)


@in_graph_store
def add_to_collections(names: Any, value: Any) -> None:
    """Append ``value`` to each of several collections, once where a name repeats."""
    for name in dict.fromkeys([names] if isinstance(names, str) else names):
        add_to_collection(name, value)


@in_graph_store
def get_collection(key: Any, scope: str | None = None) -> list[Any]:
    """Return a new list of the collection's items, of those whose name matches ``scope``, a regular expression."""
    return get_default_store().collected(key, scope)


@in_graph_store
def get_collection_ref(key: Any) -> MutableSequence[Any]:
    """Return the collection itself: what is appended to it or deleted from it changes the collection."""
    return get_default_store().collection(key)


def moving_average_variables(scope: str | None = None) -> list[object]:
    """Return the variables that an ``ExponentialMovingAverage`` follows."""
    variables: list[object] = get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)
    return variables
