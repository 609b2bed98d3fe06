"""Variables in parts that are used as one: what ``get_variable`` makes where there is a partitioner."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

from ..graph.conversion_registry import register_tensor_conversion_function
from ..graph.graph import Graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from ..ops.array_ops import identity
from ..ops.concat_ops import concat, split
from ..ops.sparse_ops import convert_to_tensor
from .variable_slices import SaveSliceInfo

__all__ = ["PartitionInfo", "PartitionedVariable", "in_parts", "new_parts", "shared_parts"]


class PartitionInfo:
    """What an initializer is told that makes a part: the shape of the whole, and where the part begins.

    Raises TypeError for what are no sequences of sizes, ValueError where the part would begin outside of the whole.
    """

    def __init__(self, full_shape: Sequence[int], var_offset: Sequence[int]) -> None:
        for name, sizes in (("full_shape", full_shape), ("var_offset", var_offset)):
            if not isinstance(sizes, Sequence) or isinstance(sizes, str):
                raise TypeError(f"`{name}` must be a sequence (like tuple or list) instead of {type(sizes).__name__}")
        if len(full_shape) != len(var_offset) or not all(a < b for a, b in zip(var_offset, full_shape, strict=True)):
            raise ValueError(f"Expected each offset to be less than the size there: {var_offset} vs. {full_shape}")
        self.full_shape, self.var_offset = list(full_shape), list(var_offset)

    def single_offset(self, shape: Sequence[int]) -> int:
        """Return where a part of ``shape`` begins along the axis that is cut; 0 where none is."""
        axis = self.single_slice_dim(shape)
        return 0 if axis is None else self.var_offset[axis]

    def single_slice_dim(self, shape: Sequence[int]) -> int | None:
        """Return the axis along which a part of ``shape`` is cut out of the whole; None where it is the whole.

        Raises TypeError for what is no shape, ValueError for one that does not fit, or is cut along several axes.
        """
        if not isinstance(shape, Sequence):
            raise TypeError(f"`shape` must be a sequence (like tuple or list) instead of {type(shape).__name__}")
        if len(shape) != len(self.full_shape):
            raise ValueError(f"Expected equal length, but received shape={shape} beside full_shape={self.full_shape}")
        for begin, size, whole in zip(self.var_offset, shape, self.full_shape, strict=True):
            if begin + size > whole:
                raise ValueError(f"A part of shape {shape} at {self.var_offset} leaves the whole, {self.full_shape}")
        axes = [axis for axis, size in enumerate(shape) if size != self.full_shape[axis]]
        if len(axes) > 1:
            raise ValueError(f"Cannot use single_slice_dim() with shape={shape}: it is cut along the axes {axes}")
        return axes[0] if axes else None


class PartitionedVariable:
    """The parts of a variable, one after the other along an axis; used as a tensor it is the whole.

    Raises ValueError without parts, for a part that is not known to be one of this whole, and for partitions that do
    not fit the shape.

    Source: ``PartitionedVariable`` of ``tensorflow/python/ops/variables.py``.
    """

    def __init__(
        self, name: str, shape: Any, dtype: Any, variable_list: Sequence[Any], partitions: Sequence[int]
    ) -> None:
        sizes = TensorShape(shape).as_list()
        if not variable_list:
            raise ValueError("variable_list may not be empty")
        if len(sizes) != len(partitions) or not all(count >= 1 for count in partitions):
            raise ValueError(f"partition values must be positive, one for each axis of {sizes}: {partitions}")
        for part in variable_list:
            info = part._save_slice_info
            if info is None:
                raise ValueError(f"All variables must have a save_slice_info available: {part.name}")
            if info.full_shape != sizes:
                raise ValueError(f"All variables' full shapes must match shape: {sizes}; got {info.full_shape}")
        self._name, self._shape, self._dtype = name, TensorShape(shape), dtype
        self._variable_list = sorted(variable_list, key=lambda part: part._save_slice_info.var_offset)
        self._partitions = partitions

    def __iter__(self) -> Iterator[Any]:
        return iter(self._variable_list)

    def __len__(self) -> int:
        return len(self._variable_list)

    name = property(lambda self: self._name, doc="The name of the whole, without a position.")
    dtype = property(lambda self: self._dtype, doc="The type of the elements.")
    shape = property(lambda self: self._shape, doc="The shape of the whole.")

    def get_shape(self) -> TensorShape:
        """Return the shape of the whole."""
        return self._shape

    def _get_variable_list(self) -> list[Any]:
        return self._variable_list

    def _get_partitions(self) -> Sequence[int]:
        return self._partitions

    def _partition_axes(self) -> list[int]:
        return [axis for axis, count in enumerate(self._partitions) if count > 1] or [0]

    def _concat(self) -> Tensor:
        if len(self._variable_list) == 1:
            whole: Any = self._variable_list[0]
        else:
            with name_scope(f"{self._name}/ConcatPartitions/"):
                whole = concat(self._variable_list, self._partition_axes()[0])
        with name_scope(None):
            tensor: Tensor = identity(whole, name=self._name)
        return tensor

    def as_tensor(self) -> Tensor:
        """Return the value of the whole; as with a variable's value, no control dependency is taken over."""
        with nullcontext() if executing_eagerly() else self._variable_list[0].graph.control_dependencies(None):
            return self._concat()

    def _changed(self, change: Callable[[Any, Any], Any], value: Any, read_value: bool) -> list[Any]:
        axis = self._partition_axes()[0]
        if not isinstance(value, (list, PartitionedVariable)):
            value = split(value, [int(part.shape[axis]) for part in self._variable_list], axis)
        values = list(value)
        if len(values) != len(self._variable_list):
            raise ValueError(f"{self._name} has {len(self._variable_list)} parts, got {len(values)} values")
        results = [change(part, each) for part, each in zip(self._variable_list, values, strict=True)]
        return results if read_value else [getattr(result, "op", result) for result in results]

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> list[Any]:
        """Return the assignments of all parts: of a value of the whole, or of a list with one for each part."""
        return self._changed(lambda part, new: part.assign(new, use_locking, name), value, read_value)

    def assign_add(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> list[Any]:
        """Return the additions to all parts; the value is as for `assign`."""
        return self._changed(lambda part, new: part.assign_add(new, use_locking, name), value, read_value)

    def assign_sub(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> list[Any]:
        """Return the subtractions from all parts; the value is as for `assign`."""
        return self._changed(lambda part, new: part.assign_sub(new, use_locking, name), value, read_value)


def _whole(variable: PartitionedVariable, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Tensor:
    del name, as_ref
    if dtype is not None and dtype.base_dtype != variable.dtype.base_dtype:
        raise ValueError(
            f"Incompatible type conversion requested to type '{dtype.name}' for variable of type "
            f"'{variable.dtype.name}'"
        )
    return variable.as_tensor()


register_tensor_conversion_function(PartitionedVariable, _whole)


def new_parts(
    name: str, shape: Any, dtype: Any, partitioner: Any, initializer: Any, new_part: Callable[[str, Any, Any], Any]
) -> PartitionedVariable:
    """Return a new variable in parts, as eager mode makes it: ``new_part(name, shape, initializer)`` makes a part."""
    sizes = TensorShape(getattr(initializer, "shape", None) if shape is None else shape)
    return in_parts(
        name, [int(size) for size in sizes], dtype, initializer, _partitions(partitioner, sizes, dtype), new_part
    )


def shared_parts(
    graph: Graph,
    name: str,
    reuse: Any,
    shape: Any,
    dtype: Any,
    partitioner: Any,
    initializer: Any,
    new_part: Callable[[str, Any, Any], Any],
) -> PartitionedVariable:
    """Return the variable in parts that has a full name: the shared one under reuse, else a new one.

    ``new_part(name, shape, initializer)`` makes a part. Raises ValueError for partitioners, and partitions, that do
    not fit the shape or what there is, in TensorFlow's words.
    """
    if name in graph._store.named:
        raise ValueError(
            f"A partitioner was provided, but an unpartitioned version of the variable was found: {name}.  Perhaps a "
            "variable of the same name was already created without partitioning?"
        )
    sizes = TensorShape(shape)
    if isinstance(initializer, Node):
        sizes = sizes.merge_with(initializer.shape)
    partitions = None if partitioner is None else _partitions(partitioner, sizes, dtype)
    found: PartitionedVariable | None = graph._partitioned.get(name)
    if found is None:
        if reuse is True or partitions is None:
            raise ValueError(
                f"PartitionedVariable {name} does not exist, or was not created with tf.get_variable(). Did you mean "
                "to set reuse=False or reuse=tf.AUTO_REUSE in VarScope?"
            )
        graph._partitioned[name] = made = in_parts(
            name, [int(size) for size in sizes], dtype, initializer, partitions, new_part
        )
        return made
    if not reuse:
        raise ValueError(
            f"Partitioned variable with name {name} already exists. Did you mean to set reuse=True or "
            "reuse=tf.AUTO_REUSE in VarScope?"
        )
    for what, given, has, fits in (
        ("shape", sizes, found.shape, sizes.is_compatible_with(found.shape)),
        ("dtype", dtype.name, found.dtype.name, dtype == found.dtype),
        ("partitions", partitions, found._partitions, partitions in (None, found._partitions)),
    ):
        if not fits:
            raise ValueError(
                f"Trying to reuse partitioned variable {name}, but specified {what} {given} and found {what} {has}."
            )
    return found


def _partitions(partitioner: Any, shape: TensorShape, dtype: Any) -> list[int]:
    if not callable(partitioner):
        raise ValueError(f"Partitioner must be callable, but received: {partitioner}")
    if not shape.is_fully_defined():
        raise ValueError(f"Shape of a new partitioned variable must be fully defined, but instead was {shape}.")
    if not shape.as_list():
        raise ValueError(f"A partitioned Variable must have rank at least 1, shape: {shape}")
    counts = partitioner(shape=shape, dtype=dtype)
    if not isinstance(counts, Sequence):
        raise ValueError(f"Partitioner must return a sequence, but saw: {counts}")
    if len(counts) != len(shape.as_list()):
        raise ValueError(
            f"Partitioner returned a partition list that does not match the Variable's rank: {counts} vs. {shape}"
        )
    if any(count < 1 for count in counts):
        raise ValueError(f"Partitioner returned zero partitions for some axes: {counts}")
    if sum(count > 1 for count in counts) > 1:
        raise ValueError(f"Can only slice a variable along one dimension: shape: {shape}, partitioning: {list(counts)}")
    for count, size in zip(counts, [int(size) for size in shape], strict=True):
        if count > max(size, 1):
            raise ValueError(f"Partitioner returned more partitions than there are places: {counts} vs. {shape}")
    return [int(count) for count in counts]


def in_parts(
    name: str,
    sizes: Sequence[int],
    dtype: Any,
    initializer: Any,
    partitions: Sequence[int],
    new_part: Callable[[str, Any, Any], Any],
) -> PartitionedVariable:
    """Make the parts ``<name>/part_0``, ``<name>/part_1``, ... along the axis with more than one, and what holds them.

    ``initializer`` is called for each part, or is a value of the whole.
    """
    axis = next((axis for axis, count in enumerate(partitions) if count > 1), 0)
    each, more = divmod(sizes[axis], partitions[axis])
    begin, parts = 0, []
    for k in range(partitions[axis]):
        part_shape, offset = list(sizes), [0] * len(sizes)
        part_shape[axis], offset[axis] = each + (k < more), begin
        info = SaveSliceInfo(name, sizes, offset, part_shape)
        begin += part_shape[axis]
        if initializer is None or (callable(initializer) and not isinstance(initializer, Node)):
            start = initializer and _told(initializer, PartitionInfo(sizes, offset))
            part = new_part(f"{name}/part_{k}", part_shape, start)
        else:
            with name_scope(f"{name}/part_{k}/PartitionedInitializer/"):
                whole: Any = convert_to_tensor(initializer, None if isinstance(initializer, Node) else dtype)
                first = whole[info.key]
            part = new_part(f"{name}/part_{k}", None, first)
        part._set_save_slice_info(info)
        parts.append(part)
    return PartitionedVariable(name, sizes, dtype, parts, partitions)


def _told(initializer: Callable[..., Any], info: PartitionInfo) -> Callable[..., Any]:
    """Return an initializer that tells another one which part it makes, where that can be told."""
    function = initializer if inspect.isroutine(initializer) else type(initializer).__call__
    try:
        listens = "partition_info" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        listens = False
    more = {"partition_info": info} if listens else {}
    return lambda shape, **dtype: initializer(shape, **dtype, **more)
