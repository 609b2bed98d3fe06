"""Arguments of layers: conditions known early, orders of axes, numbers, padding, and lengths that come of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph.node import Node, Tensor
from ..graph.static_values import constant_value as _constant_value
from ..ops.control_flow_ops import cond

__all__ = [
    "constant_value",
    "conv_input_length",
    "conv_output_length",
    "convert_data_format",
    "deconv_output_length",
    "normalize_data_format",
    "normalize_padding",
    "normalize_tuple",
    "smart_cond",
]

_LETTERS = {3: "W", 4: "HW", 5: "DHW"}


def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """Return what a constant holds, None for what only a session knows, and anything else as it is.

    Raises ValueError for None and for a node of another type than ``dtype``.
    """
    value = value_or_tensor_or_var
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    if not isinstance(value, Node):
        return value
    node: Any = value
    if dtype and node.dtype != dtype:
        raise ValueError(f"It has the wrong type {node.dtype} instead of {dtype}")
    return _constant_value(node) if isinstance(node, Tensor) else None


def static_cond(pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any]) -> Any:
    """Return what one of two functions returns. Raises TypeError for what is no function."""
    for name, function in (("fn1", fn1), ("fn2", fn2)):
        if not callable(function):
            raise TypeError(f"{name} must be callable.")
    return fn1() if pred else fn2()


def smart_cond(pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any], name: str | None = None) -> Any:
    """Return `static_cond` where ``pred`` is known before a session runs, else `tf.cond`."""
    known = constant_value(pred)
    return cond(pred, fn1, fn2, name=name) if known is None else static_cond(known, fn1, fn2)


def convert_data_format(data_format: str, ndim: int) -> str:
    """Return the order of axes as kernels name it, such as ``"NHWC"``; ValueError for an unknown one."""
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError(f"Invalid data_format: {data_format!r}")
    if ndim not in _LETTERS:
        raise ValueError(f"Input rank not supported: {ndim}")
    return f"N{_LETTERS[ndim]}C" if data_format == "channels_last" else f"NC{_LETTERS[ndim]}"


def normalize_tuple(value: Any, n: int, name: str) -> tuple[int, ...]:
    """Return ``n`` integers: one so many times, or those of a list; ValueError for anything else."""
    if isinstance(value, int):
        return (value,) * n
    try:
        items = tuple(value)
        good = len(items) == n and all(int(item) == item for item in items)
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(f"The `{name}` argument must be a tuple of {n} integers. Received: {value!r}")
    return items


def normalize_data_format(value: str) -> str:
    """Return an order of axes in small letters; ValueError for an unknown one."""
    return _one_of(value, "data_format", ("channels_first", "channels_last"))


def normalize_padding(value: str) -> str:
    """Return a padding in small letters; ValueError for an unknown one."""
    return _one_of(value, "padding", ("valid", "same"))


def _one_of(value: str, name: str, known: tuple[str, ...]) -> str:
    text = value.lower()
    if text not in known:
        raise ValueError(f"The `{name}` argument must be one of {known}. Received: {value!r}")
    return text


def conv_output_length(
    input_length: int | None, filter_size: int, padding: str, stride: int, dilation: int = 1
) -> int | None:
    """Return how long the result of a convolution is; ``dilation`` widens the filter."""
    if input_length is None:
        return None
    wide = filter_size + (filter_size - 1) * (dilation - 1)
    lengths = {"same": input_length, "valid": input_length - wide + 1, "full": input_length + wide - 1}
    return (lengths[padding] + stride - 1) // stride


def conv_input_length(output_length: int | None, filter_size: int, padding: str, stride: int) -> int | None:
    """Return how long the input of a convolution was."""
    if output_length is None:
        return None
    pad = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
    return (output_length - 1) * stride - 2 * pad + filter_size


def deconv_output_length(input_length: int | None, filter_size: int, padding: str, stride: int) -> int | None:
    """Return how long the result of a transposed convolution is."""
    if input_length is None:
        return None
    more = {"same": 0, "valid": max(filter_size - stride, 0), "full": -(stride + filter_size - 2)}[padding]
    return input_length * stride + more
