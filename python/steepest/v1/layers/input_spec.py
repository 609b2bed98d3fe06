"""What a layer asks of its inputs."""

from __future__ import annotations

from typing import Any

from ..graph.dtypes import as_dtype
from ..graph.shapes import compatible

__all__ = ["InputSpec"]


class InputSpec:
    """What a layer asks of its inputs: a type, a shape, a number of axes, the sizes of some of them.

    Source: ``tf.layers.InputSpec``.
    """

    def __init__(
        self,
        dtype: Any = None,
        shape: Any = None,
        ndim: int | None = None,
        max_ndim: int | None = None,
        min_ndim: int | None = None,
        axes: dict[int, int | None] | None = None,
    ) -> None:
        self.dtype = dtype
        self.shape = None if shape is None else tuple(shape)
        self.ndim = len(self.shape) if self.shape is not None else ndim
        self.max_ndim, self.min_ndim, self.axes = max_ndim, min_ndim, dict(axes or {})

    def check(self, layer: str, shape: Any, dtype: Any = None) -> None:
        """Raise ValueError for inputs of a shape, or of a type, that the layer cannot take."""
        if shape is None:
            if (self.ndim, self.max_ndim, self.min_ndim) != (None, None, None):
                raise ValueError(
                    f"Input 0 of layer {layer} is incompatible with the layer: its rank is undefined, but the layer "
                    "requires a defined rank."
                )
            return
        rank = len(shape)
        wrong = None
        if self.ndim is not None and rank != self.ndim:
            wrong = f"expected ndim={self.ndim}, found ndim={rank}"
        elif self.max_ndim is not None and rank > self.max_ndim:
            wrong = f"expected max_ndim={self.max_ndim}, found ndim={rank}"
        elif self.min_ndim is not None and rank < self.min_ndim:
            wrong = f"expected min_ndim={self.min_ndim}, found ndim={rank}"
        elif self.dtype is not None and dtype is not None and as_dtype(dtype).base_dtype != as_dtype(self.dtype):
            wrong = f"expected dtype={as_dtype(self.dtype).name}, found dtype={as_dtype(dtype).base_dtype.name}"
        elif not compatible(shape, self.shape):
            wrong = f"expected shape={self.shape}, found shape={list(shape)}"
        else:
            for axis, size in self.axes.items():
                if size is not None and shape[axis] not in (size, None):
                    wrong = f"expected axis {axis} of input shape to have value {size}"
        if wrong is not None:
            raise ValueError(
                f"Input 0 of layer {layer} is incompatible with the layer: {wrong}. Full shape received: {list(shape)}"
            )
