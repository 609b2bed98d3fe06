"""``tf.lookup``: tables of TensorFlow 1.13 to 1.15, which are those of `contrib.lookup` under their later names."""

from __future__ import annotations

from typing import Any

from .graph.dtypes import as_dtype
from .graph.missing import namespace
from .tables import experimental
from .tables.hash_buckets import IdTableWithHashBuckets
from .tables.lookup_tables import HashTable
from .tables.table_initializers import KeyValueTensorInitializer, TableInitializer, TextFileIndex, TextFileInitializer

__all__ = [
    "KeyValueTensorInitializer",
    "StaticHashTable",
    "StaticVocabularyTable",
    "TextFileIndex",
    "TextFileInitializer",
    "experimental",
]

__getattr__, __dir__ = namespace(__name__)


class StaticHashTable(HashTable):
    """A table that an initializer fills when a session runs ``initializer``, or ``tf.tables_initializer()``.

    Source: ``tf.lookup.StaticHashTable`` of TensorFlow 1.
    """

    def __init__(
        self,
        initializer: TableInitializer,
        default_value: Any,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        super().__init__(initializer, default_value, None, name, experimental_is_anonymous)


class StaticVocabularyTable(IdTableWithHashBuckets):
    """The numbers that an initializer gives to keys, int64; other keys are numbered after them, by a hash.

    Args:
        initializer: gives numbers from 0 on, without a gap; None for buckets alone.
        num_oov_buckets: buckets of other keys, at least 1.
        lookup_key_dtype: the type of the keys, where there is no initializer.

    Source: ``tf.lookup.StaticVocabularyTable`` of TensorFlow 1.
    """

    def __init__(
        self,
        initializer: TableInitializer | None,
        num_oov_buckets: int,
        lookup_key_dtype: Any = None,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        if num_oov_buckets <= 0:
            raise ValueError(f"`num_oov_buckets` must be > 0; use StaticHashTable. Received: {num_oov_buckets}.")
        if initializer is not None and as_dtype(initializer.value_dtype) != "int64":
            raise TypeError(f"Invalid `value_dtype`, expected int64 but got {initializer.value_dtype!r}.")
        if initializer is not None and lookup_key_dtype is not None:
            expected = "integer" if as_dtype(lookup_key_dtype).is_integer else "non-integer"
            if expected != ("integer" if as_dtype(initializer.key_dtype).is_integer else "non-integer"):
                raise TypeError(f"Invalid `key_dtype`, expected {expected} but got {initializer.key_dtype!r}.")
        anonymous = experimental_is_anonymous
        table = None if initializer is None else HashTable(initializer, -1, experimental_is_anonymous=anonymous)
        super().__init__(table, num_oov_buckets, name=name, key_dtype=lookup_key_dtype)
