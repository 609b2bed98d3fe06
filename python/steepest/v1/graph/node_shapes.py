"""What nodes tell of their static shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .shapes import TensorShape

if TYPE_CHECKING:
    from .node import Tensor

__all__ = ["NodeShapes"]


class NodeShapes:
    """The static shape of a node's tensor."""

    __slots__ = ()

    if TYPE_CHECKING:

        def _tensor(self) -> Tensor: ...

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        return TensorShape(self._tensor()._shape)

    def get_shape(self) -> TensorShape:
        """Return the static shape."""
        return self.shape

    @property
    def ndim(self) -> int | None:
        """The number of axes, None where it is not known."""
        shape = self._tensor()._shape
        return None if shape is None else len(shape)

    def _shape_tuple(self) -> tuple[int | None, ...] | None:
        return self._tensor()._shape

    def _shape_as_list(self) -> list[int | None] | None:
        shape = self._shape_tuple()
        return None if shape is None else list(shape)
