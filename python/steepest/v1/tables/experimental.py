"""``tf.lookup.experimental``: tables that a program fills itself."""

from ..graph.missing import namespace
from .mutable_tables import DenseHashTable, MutableHashTable

__all__ = ["DenseHashTable", "MutableHashTable"]

__getattr__, __dir__ = namespace(__name__)
