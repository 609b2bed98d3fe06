"""Variables as operations, under TensorFlow's internal names: they have no value until one is assigned."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.dtypes import as_dtype
from ..graph.errors import AlreadyExistsError, NotFoundError
from ..graph.node import Tensor
from ..graph.session import Session
from ..graph.session_values import store_value
from ..graph.shapes import as_shape
from ..ops.creation_ops import zeros
from .variables import Variable
from .write_op import target_of, write_operation

__all__ = [
    "destroy_temporary_variable",
    "temporary_variable",
    "variable",
    "variable_op",
    "variable_op_v2",
    "variable_v2",
]


def variable(shape: Any, dtype: Any, container: str = "", shared_name: str = "", name: str | None = None) -> Tensor:
    """Return the tensor of a new variable, which is in no collection and has no value.

    Source: ``gen_state_ops.variable``.
    """
    return _raw(as_shape(shape), dtype, name or shared_name or "Variable", container)


def variable_op(
    shape: Any,
    dtype: Any,
    name: str = "Variable",
    set_shape: bool = True,
    container: str = "",
    shared_name: str = "",
) -> Tensor:
    """Return `variable`; without ``set_shape`` its shape is not known. Source: ``state_ops.variable_op``."""
    del shared_name
    return _raw(as_shape(shape) if set_shape else None, dtype, name, container)


def variable_op_v2(
    shape: Any, dtype: Any, name: str = "Variable", container: str = "", shared_name: str = ""
) -> Tensor:
    """Return `variable`. Source: ``state_ops.variable_op_v2``."""
    return variable_op(shape, dtype, name, True, container, shared_name)


variable_v2 = variable


def temporary_variable(shape: Any, dtype: Any, var_name: str = "", name: str | None = None) -> Tensor:
    """Return the tensor of a variable that a run begins anew, and that `destroy_temporary_variable` ends.

    What it begins with is zeros here, and left open by TensorFlow. Raises AlreadyExistsError, when a session runs,
    where another one has its name, ``var_name`` or else that of its node.

    Source: ``gen_state_ops.temporary_variable``.
    """
    made = _raw(as_shape(shape), dtype, name or "TemporaryVariable", "")
    op = made.op
    own_name = op._attributes["temporary"] = var_name or op.name
    zero = np.zeros([size or 0 for size in made._shape or ()], made.dtype.dtype)

    def begin(session: Session) -> Any:
        if any(other is not op and other._attributes.get("temporary") == own_name for other in session._variables):
            raise AlreadyExistsError(op, op, f"TemporaryVariable {own_name} already exists")
        session._variables.pop(op, None)
        return store_value(session, op, zero)

    op.function = begin
    return made


def destroy_temporary_variable(ref: Any, var_name: str, name: str | None = None) -> Tensor:
    """Return the tensor that is the value of a `temporary_variable`, which it ends.

    Raises NotFoundError, when a session runs, where none has this name. Source: as `temporary_variable`.
    """
    op = target_of("destroy_temporary_variable", ref)

    def end(session: Session) -> Any:
        found = session._variables.pop(op, None) if op._attributes.get("temporary") == var_name else None
        if found is None:
            raise NotFoundError(op, op, f"Resource __per_step/{var_name}/N10tensorflow6TmpVarE does not exist.")
        return found

    after = (op if ref is op.outputs[0] else ref.op,)
    return write_operation("DestroyTemporaryVariable", end, (), op, name, op.outputs[0]._shape, after)


def _raw(shape: Any, dtype: Any, name: str, container: str) -> Tensor:
    known = shape is not None and None not in shape
    first = zeros([size or 0 for size in shape or ()], as_dtype(dtype).base_dtype)
    made = Variable(first, False, [], known, name=name)
    if container:
        made.op._attributes["container"] = container.encode()
    return made._tensor()
