"""``tf.train.SaverDef``: what a `Saver` was made with, handed from one part of a program to another."""

from __future__ import annotations

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
