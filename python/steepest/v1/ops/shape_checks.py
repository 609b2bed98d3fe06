"""Checks of several shapes at once, in which sizes have names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.build import convert, shape_of
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from .control_flow_ops import no_op
from .script_ops import check_operation
from .sparse_ops import convert_to_tensor

__all__ = ["assert_shapes"]


def assert_shapes(
    shapes: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Any:
    """Return an operation that raises InvalidArgumentError in a run where shapes are not as they are said to be.

    ValueError where that is known before.

    Args:
        shapes: a dict, or a list of pairs, of tensors and sizes. A size is a number; a name, which stands for the same
            number everywhere; or None, ``"."`` or ``""`` for any. ``...`` or ``"*"`` in the first place
            stands for any axes.
        message: what the error begins with.
    """
    pairs = [(tensor, tuple(sizes)) for tensor, sizes in (shapes.items() if isinstance(shapes, dict) else shapes)]
    for _, sizes in pairs:
        if any(size is Ellipsis or size == "*" for size in sizes[1:]):
            raise ValueError(
                f"{message or ''} Symbol `...` or `*` is only allowed as the first entry of a shape".lstrip()
            )
    if executing_eagerly():
        tensors: list[Any] = [convert_to_tensor(tensor) for tensor, _ in pairs]
    else:
        tensors = [convert(tensor) for tensor, _ in pairs]
    names = [tensor.name if isinstance(tensor, Node) else "of the values" for tensor in tensors]
    asked = [sizes for _, sizes in pairs]
    known = [shape_of(tensor) for tensor in tensors]
    if (wrong := _misfit(known, asked, names)) is not None:
        raise ValueError(f"{message or ''} {wrong}".lstrip())
    if executing_eagerly():
        return None
    if all(shape is not None and None not in shape for shape in known):
        return no_op(name or "assert_shapes")

    def check(*values: Any) -> None:
        if (wrong := _misfit([np.shape(value) for value in values], asked, names)) is not None:
            raise InvalidArgumentError(None, None, f"{message or ''} {wrong}".lstrip())

    return check_operation(name or "assert_shapes", check, tensors)


def _misfit(shapes: Sequence[Any], asked: Sequence[tuple[Any, ...]], names: Sequence[str]) -> str | None:
    """Return what is wrong with shapes, as far as they are known."""
    found: dict[Any, tuple[int, str]] = {}
    for shape, sizes, name in zip(shapes, asked, names, strict=True):
        if shape is None:
            continue
        inner = bool(sizes) and (sizes[0] is Ellipsis or sizes[0] == "*")
        sizes = sizes[1:] if inner else sizes
        # A number may stand for one axis of size 1, as in TensorFlow.
        shape = (1,) if shape == () and len(sizes) == 1 else () if shape == (1,) and not sizes else shape
        if len(shape) < len(sizes) or (len(shape) != len(sizes) and not inner):
            return f"Tensor {name} must have rank {'at least ' * inner}{len(sizes)}.  Received shape {shape}"
        for axis, (size, symbol) in enumerate(zip(shape[len(shape) - len(sizes) :], sizes, strict=True)):
            if size is None or symbol is None or symbol in (".", ""):
                continue
            before, why = found.get(symbol, (size, ""))
            if isinstance(symbol, (int, np.integer)):
                before, why = int(symbol), "Specified explicitly"
            if size != before:
                start = f"{why}.  Tensor {name} dimension {axis} must have size {before}."
                return f"{start}  Received size {size}, shape {shape}"
            found.setdefault(symbol, (size, f"Specified by tensor {name} dimension {axis}"))
    return None
