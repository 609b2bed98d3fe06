"""What a layer asks of its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graph.build import dtype_of, shape_of
from ..graph.dtypes import as_dtype
from ..graph.shapes import compatible

__all__ = ["InputSpec", "check_inputs"]


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

    def __repr__(self) -> str:
        parts = {"dtype": self.dtype, "shape": self.shape, "ndim": self.ndim, "max_ndim": self.max_ndim}
        parts |= {"min_ndim": self.min_ndim, "axes": self.axes}
        return f"InputSpec({', '.join(f'{key}={part}' for key, part in parts.items() if part)})"

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
                    wrong += f" but received input with shape {list(shape)}"
        if wrong is not None:
            raise ValueError(
                f"Input 0 of layer {layer} is incompatible with the layer: {wrong}. Full shape received: {list(shape)}"
            )


def check_inputs(specs: Any, layer: str, tensors: Sequence[Any]) -> None:
    """Raise ValueError for another number of inputs than there are `InputSpec`, and for one that its own refuses."""
    asked = list(specs) if isinstance(specs, (list, tuple)) else [specs]
    if len(tensors) != len(asked):
        expected = f"{len(asked)} inputs, but it received {len(tensors)} input tensors"
        raise ValueError(f"Layer {layer} expects {expected}. Inputs received: {list(tensors)}")
    for spec, tensor in zip(asked, tensors, strict=True):
        if spec is not None:
            spec.check(layer, shape_of(tensor), dtype_of(tensor))
