"""Checks of several shapes at once, in which sizes have names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..graph.build import convert, shape_of
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from .control_flow_ops import no_op
from .script_ops import check_operation
from .sparse_ops import convert_to_tensor

__all__ = ["assert_shapes"]


class _Misfit(NamedTuple):
    """What is wrong with a shape: the sentence before, which sizes or ranks it must have, and what was received."""

    why: str
    about: str
    axis: int | None
    wanted: tuple[int, ...]
    size: int
    shape: tuple[int, ...]

    def told(self) -> str:
        """Return the sentences that an error says while the graph is built."""
        wanted = str(self.wanted if len(self.wanted) > 1 else self.wanted[0])
        if self.axis is None:
            return f"{self.about} {wanted}.  Received rank {self.size}, shape {self.shape}"
        start = f"{self.why}.  {self.about} {self.axis} must have size {wanted}."
        return f"{start}  Received size {self.size}, shape {self.shape}"

    def parts(self) -> list[Any]:
        """Return what an assertion shows in a run, each in brackets of its own."""
        end = [*self.wanted, "Received shape: ", " ".join(map(str, self.shape)).join("[]")]
        if self.axis is None:
            return [self.about, *end]
        return [self.why, self.about, self.axis, "must have size", *end]


def assert_shapes(
    shapes: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Any:
    """Return an operation that raises InvalidArgumentError in a run where shapes are not as they are said to be.

    ValueError where that is known before.

    Args:
        shapes: a dict, or a list of pairs, of tensors and sizes. A size is a number; a name, which stands for the same
            number everywhere; or None, ``"."`` or ``""`` for any. ``...`` or ``"*"`` in the first place
            stands for any axes. A number is as good as one axis of size 1. None in place of the sizes asks nothing.
        data: what the error of a run shows in place of the shapes.
        message: what the error begins with.
    """
    start = f"{message}.  " if message else ""
    pairs = list(shapes.items() if isinstance(shapes, dict) else shapes)
    if executing_eagerly():
        tensors: list[Any] = [convert_to_tensor(tensor) for tensor, _ in pairs]
    else:
        tensors = [convert(tensor) for tensor, _ in pairs]
    names = [tensor.name if isinstance(tensor, Node) else "of the values" for tensor in tensors]
    asked = [_sizes(sizes, f"{start}Tensor {called}") for (_, sizes), called in zip(pairs, names, strict=True)]
    known = [shape_of(tensor) for tensor in tensors]
    if (wrong := _misfit(known, asked, names)) is not None:
        raise ValueError(start + wrong.told())
    if executing_eagerly():
        return None
    if all(shape is not None and None not in shape for shape in known):
        return no_op(name or "assert_shapes")

    def check(*values: Any) -> None:
        if (wrong := _misfit([np.shape(value) for value in values], asked, names)) is not None:
            parts = [start, *wrong.parts()] if data is None else data
            shown = " ".join(part if str(part)[:1] == "[" else f"[{part}]" for part in map(str, parts))
            raise InvalidArgumentError(None, None, f"assertion failed: {shown}")

    return check_operation(name or "assert_shapes", check, tensors)


def _sizes(sizes: Any, who: str) -> tuple[Any, ...] | None:
    """Return the sizes that are asked for; ValueError for what stands for none."""
    if sizes is None:
        return None
    if not (hasattr(sizes, "__iter__") or hasattr(sizes, "__getitem__")):
        raise ValueError(
            f"{who}.  Specified shape must be an iterable.  An iterable has the attribute `__iter__` or "
            f"`__getitem__`.  Received specified shape: {sizes}"
        )
    # Digits in a text are sizes too: "2N".
    found = tuple(int(size) if isinstance(size, str) and size.isdigit() else size for size in sizes)
    for place, size in enumerate(found[1:], 1):
        if _is_any_axes(size):
            raise ValueError(
                f"{who} specified shape index {place}.  Symbol `...` or `*` for a variable number of unspecified "
                "dimensions is only allowed as the first entry"
            )
    return found


def _is_any_axes(size: Any) -> bool:
    return size is Ellipsis or (isinstance(size, str) and size == "*")


def _misfit(shapes: Sequence[Any], asked: Sequence[tuple[Any, ...] | None], names: Sequence[str]) -> _Misfit | None:
    """Return what is wrong with shapes, as far as they are known."""
    found: dict[Any, tuple[int, str]] = {}
    for shape, sizes, name in zip(shapes, asked, names, strict=True):
        if shape is None or sizes is None:
            continue
        inner = bool(sizes) and _is_any_axes(sizes[0])
        sizes = sizes[1:] if inner else sizes
        rank = len(shape)
        received = shape
        if not inner and len(sizes) < 2:
            # A number may stand for one axis of size 1, as in TensorFlow.
            if rank > 1:
                return _Misfit("", f"Tensor {name} must have rank in", None, (0, 1), rank, received)
            shape, sizes = shape or (1,), sizes or (1,)
        elif rank < len(sizes) or (rank != len(sizes) and not inner):
            least = "at least " if inner else ""
            return _Misfit("", f"Tensor {name} must have rank {least}".rstrip(), None, (len(sizes),), rank, received)
        for axis, (size, symbol) in enumerate(zip(shape[len(shape) - len(sizes) :], sizes, strict=True)):
            if size is None or symbol is None or (isinstance(symbol, str) and symbol in (".", "")):
                continue
            place = axis - len(sizes) if inner else axis
            before, why = found.get(symbol, (size, ""))
            if isinstance(symbol, (int, np.integer)):
                before, why = int(symbol), "Specified explicitly"
            if size != before:
                return _Misfit(why, f"Tensor {name} dimension", place, (before,), size, received)
            found.setdefault(symbol, (size, f"Specified by tensor {name} dimension {place}"))
    return None
