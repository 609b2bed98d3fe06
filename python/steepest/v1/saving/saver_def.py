"""``tf.train.SaverDef``: what a `Saver` was made with, handed from one part of a program to another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph.message_fields import Enumeration
from ..graph.messages import Field, Message

__all__ = ["SETTINGS", "SaverDef"]

_NAMES = ("filename_tensor_name", "save_tensor_name", "restore_op_name")

# What a saver is made with again, beside its variables.
SETTINGS = ("max_to_keep", "keep_checkpoint_every_n_hours", "sharded")

_VERSIONS = {"LEGACY": 0, "V1": 1, "V2": 2}


class SaverDef(Message):
    """The settings of a `Saver`; one that is made with it has its variables too.

    ``V1`` and ``V2`` are TensorFlow's numbers of file formats, which programs give as ``write_version``. The operations
    that the names tell of are made when one of them is first asked for. Source: ``tf.train.SaverDef``.
    """

    LEGACY, V1, V2 = _VERSIONS.values()
    CheckpointFormatVersion = Enumeration("tensorflow.SaverDef.CheckpointFormatVersion", _VERSIONS)
    FIELDS = (
        *(Field(name, number, "string") for number, name in enumerate(_NAMES, 1)),
        Field("max_to_keep", 4, "int32"),
        Field("sharded", 5, "bool"),
        Field("keep_checkpoint_every_n_hours", 6, "float"),
        Field("version", 7, CheckpointFormatVersion),
    )

    def __init__(
        self,
        *values: Any,
        variables: dict[str, Any] | None = None,
        operations: Callable[[], tuple[str, str, str]] | None = None,
        **fields: Any,
    ) -> None:
        vars(self).update(_variables=variables, _operations=operations)
        super().__init__(*values, **fields)

    @property
    def variables(self) -> dict[str, Any] | None:
        """What the saver saves, by the names in the checkpoint; None where the settings tell of none."""
        found: dict[str, Any] | None = vars(self)["_variables"]
        return found

    def settings(self) -> dict[str, Any]:
        """Return the settings with which a saver is made again."""
        return {name: getattr(self, name) for name in SETTINGS}

    def __getattr__(self, name: str) -> Any:
        operations = vars(self).get("_operations") if name in _NAMES else None
        if operations is None:
            return super().__getattr__(name)
        vars(self).update(zip(_NAMES, operations(), strict=True))
        return vars(self)[name]

    def SerializeToString(self, deterministic: bool | None = None) -> bytes:
        """Return the message's bytes, with the names of the operations."""
        getattr(self, _NAMES[0])
        return super().SerializeToString()

    def __str__(self) -> str:
        getattr(self, _NAMES[0])
        return super().__str__()

    __repr__ = __str__

    def MergeFrom(self, other: Message) -> None:
        """Take what another one tells, its variables too."""
        super().MergeFrom(other)
        for name in ("_variables", "_operations"):
            if (value := vars(other).get(name)) is not None:
                vars(self)[name] = value
