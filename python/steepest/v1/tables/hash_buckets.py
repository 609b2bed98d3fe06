"""Tables with buckets, which a hash chooses, for keys that they do not have."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..graph.build import dtype_of
from ..graph.dtypes import as_dtype
from ..graph.scopes import name_scope
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import no_op
from ..ops.math_ops import add, not_equal
from ..ops.rearranging_ops import where_v2
from ..ops.sparse_ops import convert_to_tensor
from ..ops.string_hash_ops import string_to_hash_bucket_fast, string_to_hash_bucket_strong
from ..ops.string_ops import as_string
from .lookup_tables import Table

__all__ = ["FastHashSpec", "HasherSpec", "IdTableWithHashBuckets", "StrongHashSpec"]


class HasherSpec(NamedTuple):
    """A hash of texts, with its key where it has one."""

    hasher: str
    key: Any


FastHashSpec = HasherSpec("fasthash", None)


class StrongHashSpec(HasherSpec):
    """A hash with a key of two integers that nobody else knows."""

    def __new__(cls, key: Any) -> StrongHashSpec:
        if len(key) != 2:
            raise ValueError(f"key must have size 2, got {len(key)}.")
        if not all(isinstance(part, (int, np.integer)) for part in key):
            raise TypeError(f"Invalid key {key}. Must be unsigned integer values.")
        return super().__new__(cls, "stronghash", list(key))


class IdTableWithHashBuckets(Table):
    """The numbers of a table; keys that it does not have are numbered after them, by a hash.

    Args:
        table: a table from texts or integers to int64, or None for buckets alone.
        num_oov_buckets: buckets of other keys; 0: these have the table's default value.
        hasher_spec: `FastHashSpec`, or a `StrongHashSpec`.
        key_dtype: the type of the keys, where there is no table.

    Source: ``tf.contrib.lookup.IdTableWithHashBuckets``.
    """

    def __init__(
        self,
        table: Any,
        num_oov_buckets: int,
        hasher_spec: HasherSpec = FastHashSpec,
        name: str | None = None,
        key_dtype: Any = None,
    ) -> None:
        if table is None and num_oov_buckets <= 0:
            raise ValueError("`oov_buckets` must be > 0 if no `table` is supplied.")
        if not isinstance(hasher_spec, HasherSpec):
            raise TypeError(f"`hasher_spec` must be of type HasherSpec, got {hasher_spec!r}")
        kind = as_dtype((key_dtype or "string") if table is None else (key_dtype or table.key_dtype))
        if table is not None and kind.is_integer != table.key_dtype.is_integer:
            expected = "integer" if kind.is_integer else "non-integer"
            raise TypeError(f"Invalid `key dtype`, expected {expected} but got {table.key_dtype}.")
        if not kind.is_integer and kind != "string":
            raise TypeError(f"Invalid `key_dtype`, expected integer or string, got {kind}.")
        called = name or ("hash_bucket" if table is None else table.name)
        super().__init__(kind, "int64", called and called.rpartition("/")[2])
        self._table, self._buckets, self._hash = table, num_oov_buckets, hasher_spec

    @property
    def resource_handle(self) -> Any:
        """The tensor that stands for the table, None where there are buckets alone."""
        return None if self._table is None else self._table.resource_handle

    @property
    def initializer(self) -> Any:
        """The operation that fills the table."""
        if self._table is not None:
            return getattr(self._table, "initializer", None)
        with name_scope(None, "init"):
            return no_op()

    init = initializer

    def size(self, name: str | None = None) -> Any:
        """Return how many keys the table has, and buckets."""
        with name_scope(name, f"{self.name}_Size"):
            own = convert_to_tensor(0, "int64") if self._table is None else self._table.size()
            return own + self._buckets

    def _found(self, keys: Any, name: str | None) -> Any:
        integers = keys
        if self._table is not None and self._table.key_dtype == "int64":
            integers = cast(keys, "int64")
        if not self._buckets and self._table is not None:
            return self._table.lookup(integers, name=name)
        if self._hash.hasher not in ("fasthash", "stronghash"):
            raise ValueError(f"Found unknown hasher {self._hash.hasher} in `hasher_spec`")
        with name_scope(name, f"{self.name}_Lookup"):
            texts = keys if dtype_of(keys) == "string" else as_string(keys)
            key = self._hash.key
            hashed = (
                string_to_hash_bucket_fast(texts, self._buckets, name="hash_bucket")
                if key is None
                else string_to_hash_bucket_strong(texts, self._buckets, key, name="hash_bucket")
            )
            if self._table is None:
                return hashed
            found = self._table.lookup(integers)
            others = add(hashed, self._table.size())
            return where_v2(not_equal(found, self._table._default_here()), found, others)
