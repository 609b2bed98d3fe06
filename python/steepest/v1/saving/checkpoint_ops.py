"""Operations that write and read checkpoints by the names of their tensors: ``save_v2``, ``restore_v2``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError, NotFoundError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
from ..graph.run_values import array_of
from ..graph.static_values import constant_value
from ..ops.sparse_ops import convert_to_tensor
from ..variables.variable_slices import SaveSliceInfo
from .checkpoint_state import existing_arrays
from .checkpoint_writing import write_checkpoint

__all__ = ["restore", "restore_slice", "restore_v2", "save", "save_slices", "save_v2"]


def save_v2(
    prefix: Any, tensor_names: Any, shape_and_slices: Any, tensors: Sequence[Any], name: str | None = None
) -> Any:
    """Return the operation that writes tensors to the checkpoint ``prefix``, as a `Saver` does; eager mode does it.

    ``shape_and_slices`` tells of each which part of a larger tensor it is, as ``"3 4 0,1:-"`` (the first row of a
    [3, 4]); "" for a whole one. Parts of one name are put together. Raises InvalidArgumentError, when a session runs,
    for lists of several lengths, and a part that does not fit its tensor.

    Source: ``io_ops.save_v2``.
    """
    return _writing("SaveV2", prefix, tensor_names, shape_and_slices, tensors, name)


def save(filename: Any, tensor_names: Any, data: Sequence[Any], name: str | None = None) -> Any:
    """Return `save_v2` of whole tensors. Source: ``gen_io_ops.save``."""
    return _writing("Save", filename, tensor_names, [""] * len(data), data, name)


def save_slices(
    filename: Any, tensor_names: Any, shapes_and_slices: Any, data: Sequence[Any], name: str | None = None
) -> Any:
    """Return `save_v2`, under its earlier name. Source: ``gen_io_ops.save_slices``."""
    return _writing("SaveSlices", filename, tensor_names, shapes_and_slices, data, name)


def restore_v2(
    prefix: Any, tensor_names: Any, shape_and_slices: Any, dtypes: Sequence[Any], name: str | None = None
) -> list[Any]:
    """Return tensors of a checkpoint, whole or in part (see `save_v2`), of the types that they must have.

    Raises ValueError for lists of several lengths; NotFoundError, when a session runs, for a name that is not there,
    InvalidArgumentError for another type.

    Source: ``io_ops.restore_v2``.
    """
    return _reading("RestoreV2", prefix, tensor_names, shape_and_slices, dtypes, name)


def restore_slice(
    file_pattern: Any,
    tensor_name: Any,
    shape_and_slice: Any,
    dt: Any,
    preferred_shard: int = -1,
    name: str | None = None,
) -> Any:
    """Return one tensor of a checkpoint, as `restore_v2` does; all of it is in one file."""
    del preferred_shard
    return _reading("RestoreSlice", file_pattern, [tensor_name], [shape_and_slice], [dt], name)[0]


def restore(file_pattern: Any, tensor_name: Any, dt: Any, preferred_shard: int = -1, name: str | None = None) -> Any:
    """Return one whole tensor of a checkpoint, as `restore_v2` does; all of it is in one file."""
    del preferred_shard
    return _reading("Restore", file_pattern, [tensor_name], [""], [dt], name)[0]


def _writing(op_type: str, path: Any, names: Any, slices: Any, tensors: Sequence[Any], name: str | None) -> Any:
    def write(path: Any, names: Any, slices: Any, *values: Any) -> None:
        arrays: dict[str, Any] = {}
        keys, parts = _texts(names), _texts(slices)
        if not len(keys) == len(parts) == len(values):
            told = f"Expected a name, a slice and a tensor for each: got {len(keys)}, {len(parts)} and {len(values)}"
            raise InvalidArgumentError(None, None, told)
        for key, part, value in zip(keys, parts, map(array_of, values), strict=True):
            info = _part(key, part)
            if info is None:
                arrays[key] = np.array(value)
                continue
            if value.shape != tuple(info.var_shape):
                told = f"Slice {part} of {key} has the shape {info.var_shape}, the tensor {list(value.shape)}"
                raise InvalidArgumentError(None, None, told)
            arrays.setdefault(key, np.zeros(info.full_shape, value.dtype))[info.key] = value
        write_checkpoint(_texts(path)[0], arrays)

    given = [*_named(name or op_type, path, names, slices), *map(convert_to_tensor, tensors)]
    if executing_eagerly():
        return write(*given)
    graph = get_default_graph()
    return Operation(graph, op_type, graph._operation_name(name, op_type), write, given, (), differentiable=False)


def _reading(op_type: str, path: Any, names: Any, slices: Any, dtypes: Sequence[Any], name: str | None) -> list[Any]:
    types = [as_dtype(dtype).base_dtype for dtype in dtypes]
    path, names, slices = _named(name or op_type, path, names, slices)
    known = [None if executing_eagerly() else constant_value(each) for each in (names, slices)]
    shapes: list[Any] = [None] * len(types)
    for values in known:
        if values is not None and np.size(values) != len(types):
            raise ValueError(f"{op_type}: a name and a slice must be there for each of {len(types)} types")
    if known[1] is not None:
        infos = [_part("", text) for text in _texts(known[1])]
        shapes = [None if info is None else info.var_shape for info in infos]

    def read(path: Any, names: Any, slices: Any) -> Any:
        arrays = existing_arrays(_texts(path)[0])
        found = [_read(arrays, *each) for each in zip(_texts(names), _texts(slices), types, strict=True)]
        return found[0] if len(found) == 1 else tuple(found)

    options: dict[str, Any] = {"same": False, "differentiable": False, "name": name}
    return list(call(op_type, read, (path, names, slices), shape=shapes, dtype=types, outputs=len(types), **options))


def _named(below: str, *arguments: Any) -> list[Any]:
    """Return the first three arguments as tensors; constants have the arguments' names below an operation's."""
    names = ("prefix", "tensor_names", "shape_and_slices")
    return [convert_to_tensor(each, name=f"{below}/{name}") for name, each in zip(names, arguments, strict=True)]


def _read(arrays: Mapping[str, Any], name: str, part: str, dtype: Any) -> Any:
    if name not in arrays:
        raise NotFoundError(None, None, f"Key {name} not found in checkpoint")
    array, info = arrays[name], _part(name, part)
    if info is not None:
        if list(array.shape) != info.full_shape:
            told = f"Shape in shape_and_slice spec {info.full_shape} does not match the shape stored in checkpoint: "
            raise InvalidArgumentError(None, None, f"{told}{list(array.shape)}")
        array = array[info.key]
    if as_dtype(array.dtype) != dtype:
        told = f"tensor_name = {name}; expected dtype {dtype.name} does not equal original dtype "
        raise InvalidArgumentError(None, None, told + as_dtype(array.dtype).name)
    return array


def _texts(values: Any) -> list[str]:
    return [os.fsdecode(item) for item in array_of(values).reshape(-1).tolist()]


def _part(name: str, text: str) -> SaveSliceInfo | None:
    """Return the part that a text tells of: the whole's sizes, then ``begin,size`` or ``-`` for each axis."""
    if not text:
        return None
    *sizes, where = text.split(" ")
    full = [int(size) for size in sizes]
    bounds = []
    for each, size in zip(where.split(":"), full, strict=True):
        begin, length = (0, size) if each == "-" else map(int, each.split(","))
        bounds.append((begin, length))
    return SaveSliceInfo(name, full, [begin for begin, _ in bounds], [length for _, length in bounds])
