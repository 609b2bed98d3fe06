"""The variables of layers, and the collections of what layers make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....variables.collections import GraphKeys
from ...graph.graph import get_default_graph
from ...training.get_variable import get_variable

__all__ = ["collected", "model_variable", "named", "of_model"]


def model_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Callable[[Any], Any] | None = None,
    trainable: bool = True,
    collections: Any = None,
    partitioner: Any = None,
) -> Any:
    """Return `tf.get_variable` of a variable that is also in MODEL_VARIABLES, and in other collections."""
    kept = of_model(collections)
    return get_variable(name, shape, dtype, initializer, regularizer, trainable, kept, partitioner=partitioner)


def of_model(collections: Any) -> list[str]:
    """Return the collections of a model's variable: those given, and the two that all of them are in."""
    others = [collections] if isinstance(collections, str) else list(collections or ())
    return list(dict.fromkeys([GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES, *others]))


def named(collections: Any, name: str) -> Any:
    """Return the collections of one of a layer's variables: those of all of them, or of a dict those of its name."""
    return collections.get(name) if isinstance(collections, dict) else collections


def collected(collections: Any, value: Any) -> Any:
    """Put a layer's output into collections, and return it."""
    for key in [collections] if isinstance(collections, str) else collections or ():
        get_default_graph().add_to_collection(key, value)
    return value
