"""Variables that are parts of a larger one: which part each is, so that files hold the whole."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["SaveSliceInfo", "covers", "cut", "set_slice", "slice_as", "slice_of"]


class SaveSliceInfo:
    """Which part of a whole a variable is: the whole's name and shape, where the part begins, and its shape."""

    def __init__(
        self, full_name: str, full_shape: Sequence[int], var_offset: Sequence[int], var_shape: Sequence[int]
    ) -> None:
        self.full_name = full_name
        self.full_shape, self.var_offset, self.var_shape = list(full_shape), list(var_offset), list(var_shape)

    @property
    def spec(self) -> str:
        """The part as TensorFlow's checkpoints write it: the whole's sizes, then ``begin,size`` for each axis."""
        where = (f"{begin},{size}" for begin, size in zip(self.var_offset, self.var_shape, strict=True))
        return " ".join(map(str, self.full_shape)) + " " + ":".join(where)

    @classmethod
    def from_spec(cls, spec: str) -> SaveSliceInfo:
        """Return the part that `spec` tells; the whole's name is not in it. Raises ValueError for another text."""
        whole, found, parts = spec.rpartition(" ")
        if not found:
            raise ValueError(f"Spec string must contain space-separated full_shape info, got {spec!r}")
        info = cls("", [_number(size, "full_shape must be a sequence of integers") for size in whole.split()], [], [])
        for part in parts.split(":"):
            begin, found, size = part.partition(",")
            if not found:
                raise ValueError(f"Spec string must contain comma-separated pairs of offsets and shapes, got {part!r}")
            info.var_offset.append(_number(begin, "var_offset must be an integer"))
            info.var_shape.append(_number(size, "var_shape must be an integer"))
        return info

    @property
    def key(self) -> tuple[slice, ...]:
        """The subscript that cuts the part out of the whole."""
        return tuple(slice(begin, begin + size) for begin, size in zip(self.var_offset, self.var_shape, strict=True))


def _number(text: str, rule: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"Spec string {rule}, got {text!r}") from None


def set_slice(variable: Any, info: SaveSliceInfo | None) -> None:
    """Note which part a variable is. It is an attribute of the operation, so that files of graphs have it too."""
    op = getattr(variable, "op", None)
    if op is None:  # an eager variable
        variable._slice = info
        return
    fields = () if info is None else (info.full_name, info.full_shape, info.var_offset, info.var_shape)
    op._attributes["slice_of_whole"] = list(fields)


def slice_of(variable: Any) -> SaveSliceInfo | None:
    """Return which part a variable is; None for one that is whole."""
    op = getattr(variable, "op", None)
    if op is None:
        info: SaveSliceInfo | None = getattr(variable, "_slice", None)
        return info
    fields = op._attributes.get("slice_of_whole")
    return SaveSliceInfo(*fields) if fields else None


def slice_as(variable: Any, primary: Any) -> None:
    """Let a slot of a part be the same part of the whole's slot; a slot has the first axes, or none."""
    info, shape = slice_of(primary), variable._tensor()._shape
    if info is not None and shape:
        name = variable.op.name.removeprefix(f"{primary.op.name}/")
        axes = len(shape)
        fields = info.full_shape[:axes], info.var_offset[:axes], info.var_shape[:axes]
        set_slice(variable, SaveSliceInfo(f"{info.full_name}/{name}", *fields))


def covers(infos: Sequence[SaveSliceInfo]) -> bool:
    """Tell whether parts of a whole, none twice, are all of it."""
    return sum(math.prod(info.var_shape) for info in infos) == math.prod(infos[0].full_shape)


def cut(array: np.ndarray[Any, Any], info: SaveSliceInfo) -> np.ndarray[Any, Any]:
    """Return the part of the whole's value; the value itself where it has another shape than the whole."""
    return array[info.key] if array.shape == tuple(info.full_shape) else array
