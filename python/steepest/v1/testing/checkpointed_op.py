"""A table that a `Saver` takes by a `SaveableObject` of its own, as tests of savers have it."""

from __future__ import annotations

from typing import Any

from ...variables.collections import GraphKeys
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..saving.saveables import SaveableObject, SaveSpec
from ..tables.mutable_tables import MutableHashTable

__all__ = ["CheckpointedOp"]


class CheckpointedOp:
    """A table from strings to float32; in graph mode a saver of everything saves it.

    Source: ``CheckpointedOp`` of ``tensorflow/python/training/saver_test_utils.py``.
    """

    def __init__(self, name: str, table_ref: Any = None) -> None:
        made = MutableHashTable("string", "float32", 0.0, name=name, checkpoint=False)
        self.table_ref = made if table_ref is None else table_ref
        self.name = name
        if not executing_eagerly():
            self._saveable = CheckpointedOp.CustomSaveable(self, name)
            get_default_graph().add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    @property
    def saveable(self) -> Any:
        """What a saver takes."""
        return CheckpointedOp.CustomSaveable(self, self.name) if executing_eagerly() else self._saveable

    def insert(self, keys: Any, values: Any) -> Any:
        """Return the operation that adds keys, or gives them other values."""
        return self.table_ref.insert(keys, values)

    def lookup(self, keys: Any, default: Any) -> Any:
        """Return the values of keys."""
        del default
        return self.table_ref.lookup(keys)

    def keys(self) -> Any:
        """Return all keys."""
        return self.table_ref.export()[0]

    def values(self) -> Any:
        """Return their values."""
        return self.table_ref.export()[1]

    class CustomSaveable(SaveableObject):
        """The table as a saver takes it."""

        def __init__(self, table: Any, name: str) -> None:
            keys, values = table.table_ref.export()
            super().__init__(table, [SaveSpec(keys, "", f"{name}-keys"), SaveSpec(values, "", f"{name}-values")], name)

        def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
            """Return the operation that makes the table what was saved."""
            return self.op.table_ref._imported(*restored_tensors)
