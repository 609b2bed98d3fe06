"""Operations that change some rows or elements of a variable."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ...ops.scatter import add_rows
from ...variables.variable import Variable as EagerVariable
from ..graph.bound_names import name_functions
from ..graph.build import convert_all
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
from ..graph.run_values import array_of
from ..graph.session import Session
from ..graph.session_values import held
from ..graph.shapes import bracketed, compatible, text
from ..ops.division_ops import truncated
from ..ops.position_ops import check_updates
from ..ops.sparse_ops import convert_to_tensor
from .write_op import target_of, write_operation

__all__ = [
    "batch_scatter_update",
    "scatter_add",
    "scatter_div",
    "scatter_max",
    "scatter_min",
    "scatter_mul",
    "scatter_nd_add",
    "scatter_nd_max",
    "scatter_nd_min",
    "scatter_nd_sub",
    "scatter_nd_update",
    "scatter_sub",
    "scatter_update",
]


def _scatter(op_type: str, ref: Any, indices: Any, updates: Any, name: str | None, write: Any) -> Any:
    if executing_eagerly():
        return _write_rows(None, ref, *_at_once(op_type, ref, indices, updates), write)
    op = target_of(op_type, ref)
    variable_tensor, rows = convert_all(op_type, [op.outputs[0], updates])
    (ids,) = convert_all(op_type, [indices])
    if not ids.dtype.is_integer:
        raise TypeError(f"{op_type}: indices must be integers, got {ids.dtype.name}")

    if None not in (variable_tensor._shape, ids._shape, rows._shape) and rows._shape != ():
        expected = (*(ids._shape or ()), *(variable_tensor._shape or ())[1:])
        if not compatible(rows._shape, expected):
            raise ValueError(
                f"{op_type}: Shapes must be equal, the updates have {text(rows._shape)}, by indices of shape "
                f"{text(ids._shape)} they must have {text(expected)}. Shapes are {bracketed(expected)} and "
                f"{bracketed(rows._shape)}."
            )

    def function(session: Session, where: Any, new: Any) -> Any:
        return _write_rows(op, held(session, op), unwrap(where), unwrap(new), write)

    return write_operation(op_type, function, (ids, rows), op, name, variable_tensor._shape)


def _at_once(op_type: str, variable: Any, indices: Any, updates: Any) -> tuple[Any, Any]:
    """Return positions and what is put there, in the variable's type, as arrays; TypeError and the like for others."""
    ids, rows = unwrap(convert_to_tensor(indices)), unwrap(convert_to_tensor(updates, variable.dtype))
    if ids.dtype.kind not in "iu":
        raise InvalidArgumentError(None, None, f"{op_type}: indices must be integers, got {ids.dtype}")
    return ids, rows


def _begin(op: Operation | None, variable: Any) -> None:
    """Do what comes before a change, when it is sure to be made."""
    if op is None:
        variable._unshare()


def _write_rows(op: Operation | None, variable: EagerVariable, ids: Any, rows: Any, write: Any) -> EagerVariable:
    ids, rows = np.asarray(ids), np.asarray(rows).astype(variable.dtype, copy=False)
    bad = np.argwhere((ids < 0) | (ids >= variable.shape[0]))
    if bad.size:
        at = tuple(bad[0].tolist())
        shown = ", ".join(map(str, at))
        message = f"indices[{shown}] = {ids[at]} is not in [0, {variable.shape[0]})"
        raise InvalidArgumentError(op, op, message)
    rows_shape = (*ids.shape, *variable.shape[1:])
    if rows.shape != rows_shape and rows.ndim:
        raise InvalidArgumentError(op, op, _misfit(op, ids.shape, rows.shape, variable.shape))
    _begin(op, variable)
    write(variable._kept, ids.reshape(-1), np.broadcast_to(rows, rows_shape).reshape(ids.size, *variable.shape[1:]))
    variable._changed()
    return variable


def _misfit(op: Operation | None, ids: Any, rows: Any, whole: Any) -> str:
    """Return what TensorFlow says of shapes that do not belong together; of eager variables it says less."""
    if op is None:
        return f"shape of indices ({bracketed(ids)}) is not compatible with the shape of updates ({bracketed(rows)})"
    rule = "updates.shape = indices.shape + params.shape[1:] or updates.shape = []"
    got = f"updates.shape {bracketed(rows)}, indices.shape {bracketed(ids)}, params.shape {bracketed(whole)}"
    return f"Must have {rule}, got {got}"


def _overwrite(array: Any, ids: Any, rows: Any) -> None:
    array[ids] = rows


def scatter_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """Return the tensor that overwrites rows ``indices`` of ``ref`` and then is its value.

    Raises InvalidArgumentError, when a session runs, for a row that is not there. Source: ``tf.scatter_update``.
    """
    return _scatter("ScatterUpdate", ref, indices, updates, name, _overwrite)


def scatter_add(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Return the tensor that adds to rows ``indices``, repeats included, and then is the value. As `scatter_update`."""
    return _scatter("ScatterAdd", ref, indices, updates, name, add_rows)


def scatter_sub(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Return the tensor that subtracts from rows ``indices`` and then is the value. As `scatter_update`."""
    return _scatter("ScatterSub", ref, indices, updates, name, lambda array, ids, rows: add_rows(array, ids, -rows))


def _check_places(op: Operation | None, ids: Any, sizes: Any, shape: Any) -> None:
    """Raise InvalidArgumentError for the first position, along the last axis of ids, that is not in a shape."""
    bad = np.argwhere(((ids < 0) | (ids >= sizes)).any(axis=-1))
    if bad.size:
        at = tuple(bad[0].tolist())
        where, wanted, whole = (",".join(map(str, each)) for each in (at, ids[at].tolist(), shape))
        raise InvalidArgumentError(op, op, f"indices[{where}] = [{wanted}] does not index into shape [{whole}]")


def _write_parts(op: Operation | None, variable: EagerVariable, where: Any, values: Any, write: Any) -> EagerVariable:
    if not variable.ndim:
        raise InvalidArgumentError(op, op, "Output must be at least 1-D, got shape: []")
    ids, new = array_of(where), np.asarray(array_of(values), variable.dtype)
    sizes = variable.shape[: ids.shape[-1]]
    _check_places(op, ids, np.array(sizes), variable.shape)
    _begin(op, variable)
    write(variable._kept, tuple(np.moveaxis(ids, -1, 0)), new)
    variable._changed()
    return variable


def _scatter_nd(op_type: str, function: Any, text: str) -> Any:
    def operation(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
        if executing_eagerly():
            return _write_parts(None, ref, *_at_once(op_type, ref, indices, updates), function)
        op = target_of(op_type, ref)
        variable_tensor, new = convert_all(op_type, [op.outputs[0], updates])
        (where,) = convert_all(op_type, [indices])
        check_updates(where._shape, new._shape, variable_tensor._shape, "input")

        def change(session: Session, ids: Any, values: Any) -> Any:
            return _write_parts(op, held(session, op), ids, values, function)

        return write_operation(op_type, change, (where, new), op, name, variable_tensor._shape)

    operation.__doc__ = f"Return the tensor that {text} the parts at ``indices`` (positions along the last axis)."
    return operation


scatter_nd_update = _scatter_nd("ScatterNdUpdate", np.ndarray.__setitem__, "overwrites")
scatter_nd_add = _scatter_nd("ScatterNdAdd", np.add.at, "adds to")
scatter_nd_sub = _scatter_nd("ScatterNdSub", np.subtract.at, "subtracts from")
scatter_nd_max = _scatter_nd("ScatterNdMax", np.maximum.at, "takes the larger element of")
scatter_nd_min = _scatter_nd("ScatterNdMin", np.minimum.at, "takes the smaller element of")


def _by_ufunc(op_type: str, function: Any, text: str) -> Any:
    def operation(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
        return _scatter(op_type, ref, indices, updates, name, lambda array, ids, rows: function.at(array, ids, rows))

    operation.__doc__ = f"Return the tensor that {text} rows ``indices`` and then is the value. As `scatter_update`."
    return operation


def scatter_div(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Return the tensor that divides rows ``indices`` and then is the value; integers lose their fraction."""

    def divide(array: Any, ids: Any, rows: Any) -> None:
        if array.dtype.kind not in "iu":
            np.divide.at(array, ids, rows)
            return
        for row, divisor in zip(ids.tolist(), rows, strict=True):
            array[row] = truncated(array[row], divisor)

    return _scatter("ScatterDiv", ref, indices, updates, name, divide)


def _write_batches(op: Operation | None, variable: EagerVariable, ids: Any, rows: Any) -> EagerVariable:
    ids, rows = array_of(ids), np.asarray(array_of(rows), variable.dtype)
    lead = ids.ndim - 1
    if ids.shape[:-1] != variable.shape[:lead] or rows.shape != (*ids.shape, *variable.shape[lead + 1 :]):
        shapes = f"{variable.shape}, indices {ids.shape} and updates {rows.shape}"
        raise InvalidArgumentError(op, op, f"batch_scatter_update: shapes must belong together, got {shapes}")
    batches = np.ogrid[tuple(slice(n) for n in ids.shape)][:-1]
    where = (*batches, ids)
    places = np.stack(np.broadcast_arrays(*where), axis=-1)
    _check_places(op, places, np.array(variable.shape[: lead + 1]), variable.shape)
    _begin(op, variable)
    variable._kept[where] = rows
    variable._changed()
    return variable


def batch_scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """Return the tensor that overwrites rows in each of several batches and then is the value.

    ``ref[b, indices[b, k]] = updates[b, k]`` for all b and k, where b may stand for several axes. Raises
    InvalidArgumentError, when a session runs, for a row that is not there and for shapes that do not belong together.

    Source: ``tf.batch_scatter_update``.
    """
    if executing_eagerly():
        return _write_batches(None, ref, *_at_once("BatchScatterUpdate", ref, indices, updates))
    op = target_of("BatchScatterUpdate", ref)
    variable_tensor, rows = convert_all("BatchScatterUpdate", [op.outputs[0], updates])
    (ids,) = convert_all("BatchScatterUpdate", [indices])

    def function(session: Session, where: Any, new: Any) -> Any:
        return _write_batches(op, held(session, op), where, new)

    return write_operation("BatchScatterUpdate", function, (ids, rows), op, name, variable_tensor._shape)


scatter_mul = _by_ufunc("ScatterMul", np.multiply, "multiplies")
scatter_max = _by_ufunc("ScatterMax", np.maximum, "takes the larger element of")
scatter_min = _by_ufunc("ScatterMin", np.minimum, "takes the smaller element of")

name_functions(__name__)
