"""The variables of layers, and the collections of what layers make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....variables.collections import GraphKeys
from ...graph.graph import get_default_graph
from ...variables.get_variable import get_variable
from ...variables.partitioned_variable import PartitionedVariable

__all__ = [
    "activated",
    "append_tensor_alias",
    "collected",
    "into_collections",
    "model_variable",
    "named",
    "of_model",
    "with_models",
]


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
    kept = with_models(collections)
    return get_variable(name, shape, dtype, initializer, regularizer, trainable, kept, partitioner=partitioner)


def of_model(rename: dict[str, str] | None = None) -> Callable[..., Any]:
    """Return a getter of a variable scope that puts variables into MODEL_VARIABLES, some under other names."""
    names = rename or {}

    def getter(getter: Callable[..., Any], name: str, *args: Any, collections: Any = None, **kwargs: Any) -> Any:
        above, slash, short = name.rpartition("/")
        full = f"{above}{slash}{names.get(short, short)}"
        return getter(full, *args, collections=with_models(collections), **kwargs)

    return getter


def with_models(collections: Any) -> list[str]:
    """Return the collections of a model's variable: those given, and the two that all of them are in."""
    others = [collections] if isinstance(collections, str) else list(collections or ())
    return list(dict.fromkeys([GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES, *others]))


def named(collections: Any, name: str) -> Any:
    """Return the collections of one of a layer's variables: those of all of them, or of a dict those of its name."""
    return collections.get(name) if isinstance(collections, dict) else collections


def into_collections(variable: Any, collections: Any, name: str) -> None:
    """Put a variable of a layer, or its parts, into the collections that are given for its name."""
    keys, graph = named(collections, name) or (), get_default_graph()
    for key in [keys] if isinstance(keys, str) else keys:
        for part in variable if isinstance(variable, PartitionedVariable) else [variable]:
            if all(part is not other for other in graph.get_collection(key)):
                graph.add_to_collection(key, part)


def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Add a name to ``tensor.aliases``, without a slash at its end, and return the tensor."""
    tensor.aliases = [*getattr(tensor, "aliases", ()), alias.removesuffix("/")]
    return tensor


def activated(value: Any, activation_fn: Any, collections: Any, alias: str | None = None) -> Any:
    """Return a layer's output after its activation, None for none, and put it into collections."""
    return collected(collections, value if activation_fn is None else activation_fn(value), alias)


def collected(collections: Any, value: Any, alias: str | None = None) -> Any:
    """Put a layer's output into collections, and return it; the alias is added to its list ``aliases``."""
    keys = [collections] if isinstance(collections, str) else list(collections or ())
    if keys and alias is not None:
        append_tensor_alias(value, alias)
    for key in keys:
        get_default_graph().add_to_collection(key, value)
    return value
