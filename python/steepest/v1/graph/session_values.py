"""The values that a session holds for the variables of its graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np

from ...variables.variable import Variable as EagerVariable
from .dtypes import DType
from .errors import FailedPreconditionError
from .graph import Graph
from .node import Operation
from .run_values import array_of
from .session import Session

__all__ = [
    "Reader",
    "held",
    "lifted",
    "no_resource",
    "reader",
    "show_as",
    "shown",
    "store_value",
    "unread_resource",
]


Reader: TypeAlias = Callable[[Session], EagerVariable]


def reader(op: Operation) -> Reader:
    """Return the function from a session to the variable that holds an operation's value in it.

    It raises FailedPreconditionError while there is none.
    """

    def read(session: Session) -> EagerVariable:
        variable = session._variables.get(op)
        if variable is None:
            resource = getattr(op._attributes.get("owner"), "_is_resource", False)
            told = unread_resource(op.name) if resource else f"Attempting to use uninitialized value {op.name}"
            raise FailedPreconditionError(op, op, told)
        return variable

    return read


def no_resource(name: str) -> str:
    """Return what TensorFlow says of a variable that is a resource and has no value."""
    return f"Resource localhost/{name}/N10tensorflow3VarE does not exist."


def unread_resource(name: str) -> str:
    """Return what TensorFlow says where the value of such a variable is read."""
    why = "This could mean that the variable was uninitialized"
    return (
        f"Error while reading resource variable {name} from Container: localhost. {why}. Not found: {no_resource(name)}"
    )


def shown(op: Operation) -> Callable[[Session], Any]:
    """Return the function from a session to an operation's value, in the type that programs see (``held`` is another).

    It raises FailedPreconditionError while there is none.
    """
    read, dtype = reader(op), op.outputs[0].dtype.dtype
    return lambda session: read(session)._array.astype(dtype)


def show_as(op: Operation, dtype: DType) -> None:
    """Let a variable's operation be of another type for programs than what sessions hold."""
    (tensor,) = op.outputs
    op._attributes["held"] = tensor.dtype.dtype
    tensor.dtype = dtype.reference() if tensor.dtype._is_ref_dtype else dtype
    op.function = shown(op)


def held(session: Session, op: Operation) -> EagerVariable:
    """Return the variable that holds an operation's value in a session; FailedPreconditionError before that."""
    return reader(op)(session)


def store_value(session: Session, op: Operation, value: Any) -> EagerVariable:
    """Set a variable's value in a session; the first value makes the variable that holds it."""
    array = array_of(value)
    variable: EagerVariable | None = session._read(op)
    if variable is not None and variable.shape == array.shape:
        return variable.assign(array)
    own_array = np.array(array, dtype=op._attributes.get("held", op.outputs[0].dtype.dtype), order="C")
    if variable is None:
        variable = session._variables[op] = EagerVariable._unlisted(own_array, True, op.name)
    elif variable._value is not own_array:  # read: what is pending belongs to the array that goes
        variable._array = own_array  # the run has the variable already: it must not keep the old one
        variable._changed()
    return variable


@contextmanager
def lifted(graph: Graph) -> Iterator[None]:
    """Make nodes outside of any branch and without control inputs, as initial values are."""
    before = graph._context.branch
    graph._context.branch = None
    try:
        with graph.control_dependencies(None):
            yield
    finally:
        graph._context.branch = before
