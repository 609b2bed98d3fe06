"""TensorFlow's operations on resources, under its internal names: ``read_variable_op``, ``resource_scatter_add``.

The handle of a variable is the variable itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import must
from ..graph.dtypes import as_dtype, name_in_messages
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.shapes import as_shape
from ..ops.array_ops import identity
from ..ops.array_ops import shape as shape_of
from ..ops.creation_ops import zeros
from ..ops.gather_ops import gather
from ..ops.sparse_ops import convert_to_tensor
from . import scatter_ops, state_ops
from .variables import Variable
from .variables_initializer import is_variable_initialized

__all__: list[str] = []  # filled below


def _operation(kind: str) -> Callable[..., Any]:
    function = getattr(scatter_ops, f"scatter_{kind}")

    def operation(resource: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
        done = function(resource, indices, updates, name=name)
        return None if executing_eagerly() else done.op

    operation.__name__ = operation.__qualname__ = f"resource_scatter_{kind}"
    operation.__doc__ = f"Return the operation that does what ``tf.scatter_{kind}`` does; in eager mode None."
    return operation


for _kind in ("add", "div", "max", "min", "mul", "sub", "update"):
    _made = _operation(_kind)
    globals()[_made.__name__] = _made
    __all__.append(_made.__name__)


def var_handle_op(dtype: Any, shape: Any, container: str = "", shared_name: str = "", name: str | None = None) -> Any:
    """Return a variable that has no value until `assign_variable_op` gives it one; in eager mode one of zeros.

    With ``shared_name`` it is the variable of the graph that has this name already, where there is one.
    """
    known = None if executing_eagerly() else get_default_graph()._operations.get(shared_name)
    if known is not None and known.type == "VariableV2":
        return known.get_attr("owner")
    sizes, kind = as_shape(shape), as_dtype(dtype).base_dtype
    begins = zeros([size or 0 for size in sizes or ()], kind)
    whole = sizes is not None and None not in sizes
    return Variable(begins, False, [], whole, name=name or shared_name or "VarHandleOp")


def read_variable_op(resource: Any, dtype: Any, name: str | None = None) -> Any:
    """Return the value of a variable, whose handle it is itself; ValueError for another type."""
    _check_dtype("read_variable_op", resource, dtype)
    return identity(resource, name or "ReadVariableOp")


def _writer(op_type: str, change: Callable[..., Any]) -> Callable[..., Any]:
    def operation(resource: Any, value: Any, name: str | None = None) -> Any:
        value = convert_to_tensor(value)
        _check_dtype(operation.__name__, resource, value.dtype)
        done = change(resource, value, name=name or op_type)
        return None if executing_eagerly() else done.op

    return operation


assign_variable_op = _writer("AssignVariableOp", state_ops.assign)
assign_add_variable_op = _writer("AssignAddVariableOp", state_ops.assign_add)
assign_sub_variable_op = _writer("AssignSubVariableOp", state_ops.assign_sub)
for _kind in ("assign", "assign_add", "assign_sub"):
    _made = globals()[f"{_kind}_variable_op"]
    _made.__name__ = _made.__qualname__ = f"{_kind}_variable_op"
    _made.__doc__ = f"Return the operation that does what ``tf.{_kind}`` does; in eager mode None."


def resource_gather(
    resource: Any, indices: Any, dtype: Any, validate_indices: bool = True, name: str | None = None
) -> Any:
    """Return rows of a variable; ValueError for another type."""
    _check_dtype("resource_gather", resource, dtype)
    return gather(resource, indices, name=name or "ResourceGather")


def variable_shape(handle: Any, out_type: Any = "int32") -> Any:
    """Return the shape of a variable as a tensor."""
    return shape_of(handle, out_type=out_type)


def var_is_initialized_op(resource: Any, name: str | None = None) -> Any:
    """Tell whether a variable has a value."""
    return is_variable_initialized(resource)


def is_resource_variable(var: Any) -> bool:
    """Tell whether something is a variable that optimizers take by its methods for resources."""
    return bool(getattr(var, "_is_resource", False))


def _check_dtype(who: str, variable: Any, dtype: Any) -> None:
    own, asked = as_dtype(variable.dtype).base_dtype, as_dtype(dtype).base_dtype
    if own != asked and executing_eagerly():
        done = who.split("_")[0]
        said = [name_in_messages(each) for each in (own, asked)]
        expected, got = reversed(said) if done == "read" else said
        raise InvalidArgumentError(
            None, None, f"Trying to {done} variable with wrong dtype. Expected {expected} got {got}."
        )
    if own != asked:
        raise ValueError(must(who, "dtype", f"be that of the variable, {own.name}", asked.name))


__all__ += [
    "assign_add_variable_op",
    "assign_sub_variable_op",
    "assign_variable_op",
    "is_resource_variable",
    "read_variable_op",
    "resource_gather",
    "var_handle_op",
    "var_is_initialized_op",
    "variable_shape",
]
