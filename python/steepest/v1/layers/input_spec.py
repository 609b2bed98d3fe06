"""What a layer asks of its inputs."""

from __future__ import annotations

from typing import Any

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

    def check(self, layer: str, shape: Any) -> None:
        """Raise ValueError for inputs of a shape that the layer cannot take."""
        if shape is None:
            if (self.ndim, self.max_ndim, self.min_ndim) != (None, None, None):
                raise ValueError(
                    f"Input 0 of layer {layer} is incompatible with the layer: its rank is undefined, but the layer "
                    "requires a defined rank."
                )
            return
        rank = len(shape)
        axes = {**self.axes, **dict(enumerate(self.shape or ()))}
        wrong = None
        if self.ndim is not None and rank != self.ndim:
            wrong = f"expected ndim={self.ndim}, found ndim={rank}"
        elif self.max_ndim is not None and rank > self.max_ndim:
            wrong = f"expected max_ndim={self.max_ndim}, found ndim={rank}"
        elif self.min_ndim is not None and rank < self.min_ndim:
            wrong = f"expected min_ndim={self.min_ndim}, found ndim={rank}"
        else:
            for axis, size in axes.items():
                if size is not None and shape[axis] not in (size, None):
                    wrong = f"expected axis {axis} of input shape to have value {size}"
        if wrong is not None:
            raise ValueError(
                f"Input 0 of layer {layer} is incompatible with the layer: {wrong}. Full shape received: {list(shape)}"
            )
