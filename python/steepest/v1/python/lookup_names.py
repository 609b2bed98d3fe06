"""Names of tables that TensorFlow has in its internal modules alone."""

from __future__ import annotations

from ..lookup import StaticHashTable as StaticHashTableV1
from ..lookup import StaticVocabularyTable as StaticVocabularyTableV1
from ..tables.mutable_tables import DenseHashTable

__all__ = ["DenseHashTable", "StaticHashTableV1", "StaticVocabularyTableV1"]
