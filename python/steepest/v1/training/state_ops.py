"""Operations that change variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import must
from ...ops.dispatch import unwrap
from ...ops.scatter import add_rows
from ...variables.variable import Variable as EagerVariable
from ..graph.build import convert_all
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..graph.session_values import held, store_value
from ..graph.shapes import Shape, compatible, text
from .update_op import RowsVariable
from .variables import Variable

__all__ = [
    "assign",
    "assign_add",
    "assign_sub",
    "scatter_add",
    "scatter_div",
    "scatter_max",
    "scatter_min",
    "scatter_mul",
    "scatter_nd_add",
    "scatter_nd_sub",
    "scatter_nd_update",
    "scatter_sub",
    "scatter_update",
]

Change = Callable[[Any, Operation, Any], Any]


def target_of(who: str, ref: Any) -> Operation:
    """Return the operation of the variable that is to change; TypeError for what is not one."""
    op = ref.op if isinstance(ref, Variable) else getattr(ref, "op", None)
    while op is not None and op.type in ("Assign", "AssignAdd", "AssignSub") and "target" in op._attributes:
        op = op.get_attr("target")  # the result of an assignment stands for the variable
    if op is None or op.type != "VariableV2":
        raise TypeError(must(who, "ref", "be a variable", ref))
    return op


def _changed(kind: str, ref: Any, value: Any, change: Change, name: str | None, shaped: bool = True) -> Any:
    """Return the tensor of an operation that changes a variable and has its new value."""
    op = target_of(kind, ref)
    own, given = convert_all(kind, [op.outputs[0], value])
    if shaped and not compatible(own._shape, given._shape):
        raise ValueError(
            f"{kind}: Shapes must be equal, the variable {op.name} has {text(own._shape)} and the value "
            f"{text(given._shape)}"
        )
    after = () if ref is own.op.get_attr("owner") or ref is own else (ref.op,)
    return _writer(kind, lambda session, new: change(session, op, new), (given,), op, name, own._shape, after)


def _writer(
    kind: str, function: Any, inputs: Any, op: Operation, name: str | None, shape: Shape, after: Any = ()
) -> Tensor:
    graph = get_default_graph()
    if op.graph is not graph:
        raise ValueError(f"{kind}: Tensor {op.outputs[0].name!r} must be from the default graph; it is in another one")
    with graph.control_dependencies(after):
        made = Operation(
            graph,
            kind,
            graph._operation_name(name, kind),
            function,
            inputs,
            [(op.outputs[0].dtype, shape)],
            contextual=True,
            writes=True,
            differentiable=False,
            attributes={"target": op},
        )
    return made.outputs[0]


def _fitting(op: Operation, variable: EagerVariable, value: Any) -> Any:
    value = unwrap(value)
    if np.shape(value) != variable.shape:
        raise InvalidArgumentError(
            op, op, f"{op.name}: value must have the variable's shape {variable.shape}, got {np.shape(value)}"
        )
    return value


def assign(ref: Any, value: Any, validate_shape: bool = True, use_locking: bool = False, name: Any = None) -> Any:
    """Return the tensor that overwrites ``ref`` and then is its value.

    Raises ValueError for another shape, unless ``validate_shape`` is off, TypeError for another type.
    Source: ``tf.assign``.
    """
    del use_locking
    if executing_eagerly() or isinstance(ref, RowsVariable):
        return ref.assign(value)

    def change(session: Any, op: Operation, new: Any) -> Any:
        variable = session._read(op)
        if validate_shape and variable is not None:
            new = _fitting(op, variable, new)
        return store_value(session, op, new)

    return _changed("Assign", ref, value, change, name, validate_shape)


def _add(session: Any, op: Operation, value: Any) -> Any:
    variable = held(session, op)
    return variable.assign_add(_fitting(op, variable, value))


def _sub(session: Any, op: Operation, value: Any) -> Any:
    variable = held(session, op)
    return variable.assign_sub(_fitting(op, variable, value))


def assign_add(ref: Any, value: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Return the tensor that adds ``value`` to ``ref`` and then is its value. Raises as `assign`."""
    del use_locking
    own = executing_eagerly() or isinstance(ref, RowsVariable)
    return ref.assign_add(value) if own else _changed("AssignAdd", ref, value, _add, name)


def assign_sub(ref: Any, value: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Return the tensor that subtracts ``value`` from ``ref`` and then is its value. Raises as `assign`."""
    del use_locking
    own = executing_eagerly() or isinstance(ref, RowsVariable)
    return ref.assign_sub(value) if own else _changed("AssignSub", ref, value, _sub, name)


# Rows


def _scatter(kind: str, ref: Any, indices: Any, updates: Any, name: str | None, write: Any) -> Any:
    if executing_eagerly():
        return _write_rows(None, ref, unwrap(indices), unwrap(updates), write)
    op = target_of(kind, ref)
    own, rows = convert_all(kind, [op.outputs[0], updates])
    (ids,) = convert_all(kind, [indices])
    if not ids.dtype.is_integer:
        raise TypeError(f"{kind}: indices must be integers, got {ids.dtype.name}")

    if None not in (own._shape, ids._shape, rows._shape) and rows._shape != ():
        expected = (*(ids._shape or ()), *(own._shape or ())[1:])
        if not compatible(rows._shape, expected):
            raise ValueError(f"{kind}: Shapes must be equal, updates have {text(rows._shape)}, not {text(expected)}")

    def function(session: Any, where: Any, new: Any) -> Any:
        return _write_rows(op, held(session, op), unwrap(where), unwrap(new), write)

    return _writer(kind, function, (ids, rows), op, name, own._shape)


def _write_rows(op: Operation | None, variable: EagerVariable, ids: Any, rows: Any, write: Any) -> EagerVariable:
    ids, rows = np.asarray(ids), np.asarray(rows).astype(variable.dtype, copy=False)
    bad = np.argwhere((ids < 0) | (ids >= variable.shape[0]))
    if bad.size:
        at = tuple(bad[0].tolist())
        shown = ", ".join(map(str, at))
        message = f"indices[{shown}] = {ids[at]} is not in [0, {variable.shape[0]})"
        raise InvalidArgumentError(op, op, message)
    wanted = (*ids.shape, *variable.shape[1:])
    if rows.shape != wanted and rows.ndim:
        raise InvalidArgumentError(op, op, f"Must have updates.shape = {wanted} or [], got {rows.shape}")
    write(variable.value, ids.reshape(-1), np.broadcast_to(rows, wanted).reshape(-1, *variable.shape[1:]))
    variable._changed()
    return variable


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


def _scatter_nd(kind: str, function: Any, text: str) -> Any:
    def operation(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
        op = target_of(kind, ref)
        own, new = convert_all(kind, [op.outputs[0], updates])
        (where,) = convert_all(kind, [indices])

        def change(session: Any, ids: Any, values: Any) -> Any:
            variable, ids = held(session, op), np.asarray(unwrap(ids))
            sizes = variable.shape[: ids.shape[-1]]
            bad = np.argwhere(((ids < 0) | (ids >= np.array(sizes))).any(axis=-1))
            if bad.size:
                at = tuple(bad[0].tolist())
                raise InvalidArgumentError(
                    op, op, f"indices{list(at)} = {ids[at].tolist()} does not index into {sizes}"
                )
            function(variable.value, tuple(np.moveaxis(ids, -1, 0)), np.asarray(unwrap(values)))
            variable._changed()
            return variable

        return _writer(kind, change, (where, new), op, name, own._shape)

    operation.__doc__ = f"Return the tensor that {text} the parts at ``indices`` (positions along the last axis)."
    return operation


scatter_nd_update = _scatter_nd("ScatterNdUpdate", np.ndarray.__setitem__, "overwrites")
scatter_nd_add = _scatter_nd("ScatterNdAdd", np.add.at, "adds to")
scatter_nd_sub = _scatter_nd("ScatterNdSub", np.subtract.at, "subtracts from")


def _by_ufunc(kind: str, function: Any, text: str) -> Any:
    def operation(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
        return _scatter(kind, ref, indices, updates, name, lambda array, ids, rows: function.at(array, ids, rows))

    operation.__doc__ = f"Return the tensor that {text} rows ``indices`` and then is the value. As `scatter_update`."
    return operation


scatter_mul = _by_ufunc("ScatterMul", np.multiply, "multiplies")
scatter_div = _by_ufunc("ScatterDiv", np.divide, "divides")
scatter_max = _by_ufunc("ScatterMax", np.maximum, "takes the larger element of")
scatter_min = _by_ufunc("ScatterMin", np.minimum, "takes the smaller element of")
