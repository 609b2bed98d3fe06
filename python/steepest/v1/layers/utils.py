"""Arguments of layers of images: orders of axes, tuples of numbers, padding, and lengths that come of them."""

from __future__ import annotations

from typing import Any

from ..contrib.layers.utils import constant_value, smart_cond

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
