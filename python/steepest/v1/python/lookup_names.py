"""Names of tables that TensorFlow has in its internal modules alone."""

from __future__ import annotations

from ..lookup import StaticHashTable as StaticHashTableV1
from ..lookup import StaticVocabularyTable as StaticVocabularyTableV1
from ..tables.mutable_tables import DenseHashTable, MutableHashTable
from ..tables.table_initializers import check_table_dtypes

__all__ = ["DenseHashTable", "MutableHashTable", "StaticHashTableV1", "StaticVocabularyTableV1", "check_table_dtypes"]
