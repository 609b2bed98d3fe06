"""Conversions that programs register: how objects of their classes become tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["converted", "register_tensor_conversion_function"]

_functions: list[tuple[int, Any, Callable[..., Any]]] = []


def register_tensor_conversion_function(
    base_type: Any, conversion_func: Callable[..., Any], priority: int = 100
) -> None:
    """Let ``conversion_func(value, dtype=None, name=None, as_ref=False)`` make tensors of a class's objects.

    Of several functions that of the lowest ``priority`` is asked first; one that returns NotImplemented does not know.

    Raises:
        TypeError: for what is no class, or cannot be called.

    Source: ``tf.register_tensor_conversion_function``.
    """
    classes = base_type if isinstance(base_type, tuple) else (base_type,)
    if not all(isinstance(each, type) for each in classes):
        raise TypeError(f"Argument `base_type` must be a type or a tuple of types. Obtained: {base_type}")
    if not callable(conversion_func):
        raise TypeError(f"Argument `conversion_func` must be callable. Received {conversion_func}.")
    _functions.append((priority, base_type, conversion_func))
    _functions.sort(key=lambda entry: entry[0])


def converted(value: Any, dtype: Any, name: str | None) -> Any:
    """Return what a registered function makes of a value, or its method ``__tf_tensor__(dtype, name)``.

    None where there is neither for its class.
    """
    if (own := getattr(type(value), "__tf_tensor__", None)) is not None:
        return own(value, dtype, name)
    for _, base_type, function in _functions:
        if isinstance(value, base_type):
            made = function(value, dtype=dtype, name=name, as_ref=False)
            if made is not NotImplemented:
                return made
    return None
