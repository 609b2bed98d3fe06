"""``tf.lookup.experimental``: tables whose entries are in buckets."""

from ..graph.missing import namespace
from .mutable_tables import DenseHashTable

__all__ = ["DenseHashTable"]

__getattr__, __dir__ = namespace(__name__)
