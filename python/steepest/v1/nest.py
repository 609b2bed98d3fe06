"""``tf.nest``: lists, tuples and dicts of anything, flattened and put together again."""

from __future__ import annotations

from .graph.missing import namespace
from .graph.nests import assert_same_structure, flatten, is_nested, map_structure, pack_sequence_as

__all__ = ["assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as"]

__getattr__, __dir__ = namespace(__name__)
