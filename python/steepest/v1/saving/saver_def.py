"""``tf.train.SaverDef``: what a `Saver` was made with, handed from one part of a program to another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

__all__ = ["SaverDef"]


@dataclass
class SaverDef:
    """The settings of a `Saver`; one that is made with it has its variables too.

    ``V1`` and ``V2`` are TensorFlow's numbers of file formats, which programs give as ``write_version``.
    """

    LEGACY: ClassVar[int] = 0
    V1: ClassVar[int] = 1
    V2: ClassVar[int] = 2

    max_to_keep: int = 5
    keep_checkpoint_every_n_hours: float = 10000.0
    sharded: bool = False
    version: int = V2
    variables: dict[str, Any] | None = field(default=None, repr=False)
    operations: Callable[[], tuple[str, str, str]] | None = field(default=None, repr=False, compare=False)

    def _named(self, place: int) -> str:
        return "" if self.operations is None else self.operations()[place]

    @property
    def filename_tensor_name(self) -> str:
        """The name of the tensor that is fed with the path of a checkpoint."""
        return self._named(0)

    @property
    def save_tensor_name(self) -> str:
        """The name of the tensor whose run writes the checkpoint."""
        return self._named(1)

    @property
    def restore_op_name(self) -> str:
        """The name of the operation whose run reads it."""
        return self._named(2)
