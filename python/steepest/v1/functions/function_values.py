"""What functions take and give, as tensors: arguments with arrays among them, results, attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..graph.body_errors import BodyTypeError
from ..graph.build import convert
from ..graph.mode import executing_eagerly
from ..ops.loop_ops import leaves, rebuilt
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["check_attributes", "outline_of", "results_of", "with_tensors"]


def check_attributes(attributes: dict[str, Any]) -> None:
    """Raise ValueError for an attribute that is no number, truth value or text."""
    for name, value in attributes.items():
        if not isinstance(value, (bool, int, float, str, bytes)):
            raise ValueError(f"Unsupported attribute type for {name} with type {type(value)}")


def results_of(func: Callable[..., Any], positional: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Return what a function gives, as tensors; TypeError for what cannot be one."""

    def tensor(leaf: Any) -> Any:
        if leaf is None:
            return None
        try:
            return convert_to_tensor(leaf) if executing_eagerly() else convert(leaf)
        except (TypeError, ValueError):
            raise BodyTypeError(
                "To be compatible with tf.function, Python functions must return zero or more Tensors or "
                f"ExtensionTypes or None values; in compilation of {func}, found return value of type "
                f"{type(leaf).__name__}, which is not a Tensor or ExtensionType."
            ) from None

    results = func(*positional, **named)
    return rebuilt(results, [tensor(leaf) for leaf in leaves(results)])


def with_tensors(nest: Any) -> Any:
    """Return a nest with tensors for its arrays; numbers of Python stay what they are."""
    return rebuilt(
        nest,
        [convert_to_tensor(leaf) if isinstance(leaf, (np.ndarray, np.generic)) else leaf for leaf in leaves(nest)],
    )


def outline_of(nest: Any) -> Any:
    """Return what is equal for nests of one structure with the same objects in it."""
    if isinstance(nest, (list, tuple)):
        return type(nest), [outline_of(item) for item in nest]
    if isinstance(nest, dict):
        return type(nest), [(key, outline_of(item)) for key, item in nest.items()]
    return id(nest)
