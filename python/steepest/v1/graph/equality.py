"""What ``==`` of tensors and variables tells: whether both are the same one, or where their elements are equal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["compare_elements", "compared_by", "compares_elements"]

_by_elements = False  # `enable_tensor_equality`
_classes: list[tuple[Any, Mapping[str, Any], Mapping[str, Any]]] = []


def compare_elements(on: bool) -> None:
    """Let ``==`` of tensors compare their elements, as in TensorFlow 2, or tell whether both are the same tensor."""
    global _by_elements
    _by_elements = on
    for cls, attributes, before in _classes:
        for name, attribute in (attributes if on else before).items():
            setattr(cls, name, attribute)


def compares_elements() -> bool:
    """Tell what `compare_elements` says."""
    return _by_elements


def compared_by(cls: type, **attributes: Callable[..., Any] | bool) -> None:
    """Give a class attributes of its own while elements are compared."""
    _classes.append((cls, attributes, {name: getattr(cls, name) for name in attributes}))
