"""TensorFlow's operations that make lookup tables, under its internal names: ``hash_table_v2`` and the like.

Each gives the table's handle, a tensor of the type ``resource`` whose value are the table's `Entries`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from ..graph.build import call, dtype_of, shape_of
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.shapes import TensorShape
from ..variables.handles import as_handle
from .table_entries import DenseEntries, Entries, FixedEntries

__all__ = [
    "anonymous_hash_table",
    "anonymous_mutable_dense_hash_table",
    "anonymous_mutable_hash_table",
    "anonymous_mutable_hash_table_of_tensors",
    "hash_table_v2",
    "mutable_dense_hash_table_v2",
    "mutable_hash_table_of_tensors_v2",
    "mutable_hash_table_v2",
]

_OPTIONS: dict[str, Any] = {"contextual": True, "differentiable": False, "same": False}
_of_sessions: WeakKeyDictionary[Any, dict[Any, Entries]] = WeakKeyDictionary()
_of_eager_mode: WeakValueDictionary[str, Entries] = WeakValueDictionary()


def _held(session: Any, key: tuple[bool, str] | None, made: Callable[[], Entries]) -> Entries:
    """Return the entries that a session has for a key: others that nobody else has where it is None."""
    if key is None:
        return made()
    tables: Any = _of_eager_mode if executing_eagerly() else _of_sessions.setdefault(session, {})
    found: Entries | None = tables.get(key)
    if found is None:
        found = made()
        tables[key] = found
    elif key[0] and found.kind != made().kind:
        told = f"{key[1]!r} has other keys or values"
        raise InvalidArgumentError(None, None, f"Trying to access resource using the wrong type: {told}")
    return found


class _Kind:
    """What the tables of one operation are: the types and the shapes of keys and values."""

    def __init__(self, key_dtype: Any, value_dtype: Any, key_shape: Any = (), value_shape: Any = ()) -> None:
        self.key_dtype, self.value_dtype = as_dtype(key_dtype).base_dtype, as_dtype(value_dtype).base_dtype
        self.key_shape, self.value_shape = (
            tuple(int(size or 0) for size in TensorShape(shape).as_list()) for shape in (key_shape, value_shape)
        )

    def entries(self, fixed: bool) -> Callable[..., Entries]:
        types, shapes = (self.key_dtype, self.value_dtype), (self.key_shape, self.value_shape)

        def made(name: str) -> Entries:
            return (FixedEntries if fixed else Entries)(name, *types, *shapes)

        return made


def _table(
    op_type: str,
    kind: _Kind,
    made: Callable[..., Entries],
    shared: tuple[str, str, bool] | None,
    name: str | None,
    inputs: Sequence[Any] = (),
    **attributes: Any,
) -> Any:
    """Return the handle of a table; ``shared``: its container, its shared name, and whether the node's name is one."""
    full = name or op_type if executing_eagerly() else get_default_graph()._operation_name(name, op_type)
    told: dict[str, Any] = {"key_dtype": kind.key_dtype, "value_dtype": kind.value_dtype, **attributes}
    key: tuple[bool, str] | None = None
    if shared is not None:
        container, shared_name, by_node = shared
        container = container or ("" if executing_eagerly() else get_default_graph()._container)
        told |= {"container": container.encode(), "shared_name": shared_name.encode(), "use_node_name_sharing": by_node}
        known = shared_name or (full if by_node else "")
        key = (bool(known), f"{container}/{known or full}")
        if executing_eagerly() and not known:
            key = None

    def entries(session: Any, *arrays: Any) -> Entries:
        return _held(session, key, lambda: made(full, *arrays))

    shape_told = {"_shapes": (kind.key_shape, kind.value_shape)} if attributes else {}
    made_handle = call(
        op_type,
        entries,
        inputs,
        name=f"{full}/",
        shape=(),
        dtype="resource",
        attributes={**told, **shape_told},
        **_OPTIONS,
    )
    if not executing_eagerly() and key is None:
        made_handle.op.folded_calls = 0  # each run has its own
    return as_handle(made_handle)


def hash_table_v2(
    key_dtype: Any,
    value_dtype: Any,
    container: str = "",
    shared_name: str = "",
    use_node_name_sharing: bool = False,
    name: str | None = None,
) -> Any:
    """Return the handle of a table that is to be initialized. Source: ``gen_lookup_ops.hash_table_v2``."""
    kind = _Kind(key_dtype, value_dtype)
    return _table("HashTableV2", kind, kind.entries(fixed=True), (container, shared_name, use_node_name_sharing), name)


def anonymous_hash_table(key_dtype: Any, value_dtype: Any, name: str | None = None) -> Any:
    """Return the handle of a table that nothing else finds: in a session each run has one of its own."""
    kind = _Kind(key_dtype, value_dtype)
    return _table("AnonymousHashTable", kind, kind.entries(fixed=True), None, name)


def mutable_hash_table_v2(
    key_dtype: Any,
    value_dtype: Any,
    container: str = "",
    shared_name: str = "",
    use_node_name_sharing: bool = False,
    name: str | None = None,
) -> Any:
    """Return the handle of a table that is empty at first. Source: ``gen_lookup_ops.mutable_hash_table_v2``."""
    kind = _Kind(key_dtype, value_dtype)
    return _table(
        "MutableHashTableV2", kind, kind.entries(fixed=False), (container, shared_name, use_node_name_sharing), name
    )


def anonymous_mutable_hash_table(key_dtype: Any, value_dtype: Any, name: str | None = None) -> Any:
    """Return the handle of an empty table that nothing else finds."""
    kind = _Kind(key_dtype, value_dtype)
    return _table("AnonymousMutableHashTable", kind, kind.entries(fixed=False), None, name)


def mutable_hash_table_of_tensors_v2(
    key_dtype: Any,
    value_dtype: Any,
    container: str = "",
    shared_name: str = "",
    use_node_name_sharing: bool = False,
    value_shape: Any = (),
    name: str | None = None,
) -> Any:
    """Return the handle of a table whose values are vectors.

    Raises in a run InvalidArgumentError for a ``value_shape`` of another rank.
    Source: ``gen_lookup_ops.mutable_hash_table_of_tensors_v2``.
    """
    shared = container, shared_name, use_node_name_sharing
    return _table_of_tensors("MutableHashTableOfTensorsV2", key_dtype, value_dtype, value_shape, shared, name)


def anonymous_mutable_hash_table_of_tensors(
    key_dtype: Any, value_dtype: Any, value_shape: Any = (), name: str | None = None
) -> Any:
    """Return the handle of a table of vectors that nothing else finds."""
    return _table_of_tensors("AnonymousMutableHashTableOfTensors", key_dtype, value_dtype, value_shape, None, name)


def _table_of_tensors(
    op_type: str, key_dtype: Any, value_dtype: Any, value_shape: Any, shared: Any, name: str | None
) -> Any:
    kind = _Kind(key_dtype, value_dtype, (), value_shape)
    sizes, whole = list(kind.value_shape), kind.entries(fixed=False)

    def made(full: str) -> Entries:
        if len(sizes) != 1:
            told = str(sizes).replace(" ", "")
            raise InvalidArgumentError(None, None, f"Default value must be a vector, got shape {told}")
        return whole(full)

    return _table(op_type, kind, made, shared, name, value_shape=TensorShape(sizes))


def mutable_dense_hash_table_v2(
    empty_key: Any,
    deleted_key: Any,
    value_dtype: Any,
    container: str = "",
    shared_name: str = "",
    use_node_name_sharing: bool = False,
    value_shape: Any = (),
    initial_num_buckets: int = 131072,
    max_load_factor: float = 0.8,
    name: str | None = None,
) -> Any:
    """Return the handle of a table whose entries are in buckets.

    Raises in a run InvalidArgumentError for keys of buckets that differ in shape, or do not in value, and for a number
    of buckets that is no power of two. Source: ``gen_lookup_ops.mutable_dense_hash_table_v2``.
    """
    shared = container, shared_name, use_node_name_sharing
    sizes = value_dtype, value_shape, initial_num_buckets, max_load_factor
    return _dense_table("MutableDenseHashTableV2", empty_key, deleted_key, *sizes, shared, name)


def anonymous_mutable_dense_hash_table(
    empty_key: Any,
    deleted_key: Any,
    value_dtype: Any,
    value_shape: Any = (),
    initial_num_buckets: int = 131072,
    max_load_factor: float = 0.8,
    name: str | None = None,
) -> Any:
    """Return the handle of a table in buckets that nothing else finds."""
    sizes = value_dtype, value_shape, initial_num_buckets, max_load_factor
    return _dense_table("AnonymousMutableDenseHashTable", empty_key, deleted_key, *sizes, None, name)


def _dense_table(
    op_type: str,
    empty_key: Any,
    deleted_key: Any,
    value_dtype: Any,
    value_shape: Any,
    buckets: int | None,
    load: float,
    shared: Any,
    name: str | None,
) -> Any:
    kind = _Kind(dtype_of(empty_key), value_dtype, shape_of(empty_key), value_shape)
    types, sizes = (kind.key_dtype, kind.value_dtype), kind.value_shape
    count = 131072 if buckets is None else int(buckets)

    def made(full: str, empty: Any, deleted: Any) -> Entries:
        return DenseEntries(array_of(empty), array_of(deleted), count, load, full, *types, sizes)

    return _table(
        op_type,
        kind,
        made,
        shared,
        name,
        (empty_key, deleted_key),
        value_shape=TensorShape(sizes),
        initial_num_buckets=count,
        max_load_factor=load,
    )
